"""The top of a vector file, and the keys of every vector."""

from typing import Any

import pytest

from wireproof_vectors import JSON, VectorError, check_vectors

VECTOR: dict[str, Any] = {
    "id": "host-v1/mine/one",
    "title": "An echo comes back.",
    "clauses": ["HV1-T5"],
    "level": "should",
    "source": "derived",
    "seed": True,
    "seed_text": "{ … }",
    "note": "for the reader",
    "steps": [{"fence": True}],
}
DOCUMENT: dict[str, Any] = {
    "schema": "wireproof-vectors/1",
    "protocol": "host-v1",
    "group": "mine",
    "kind": "exchange",
    "vectors": [VECTOR],
}

KEYS = [
    *("id", "title", "clauses", "level", "source", "seed", "seed_text", "note"),
    *("needs", "fresh", "bare", "retry", "explains", "values", "steps"),
]


def refused(document: JSON) -> VectorError:
    with pytest.raises(VectorError) as caught:
        check_vectors(document)
    return caught.value


def refused_vectors(*vectors: JSON) -> VectorError:
    with pytest.raises(VectorError) as caught:
        check_vectors({**DOCUMENT, "vectors": [*vectors]})
    return caught.value


def test_a_valid_file_passes() -> None:
    check_vectors(DOCUMENT)


@pytest.mark.parametrize(
    ("document", "pointer", "problem"),
    [
        ([], "", "[] is not of type 'object'"),
        ({}, "", "'schema' is a required property"),
        (
            {**DOCUMENT, "extra": 1},
            "/extra",
            "Additional properties are not allowed ('extra' was unexpected)",
        ),
        (
            {**DOCUMENT, "schema": "wireproof-vectors/2"},
            "/schema",
            "'wireproof-vectors/1' was expected",
        ),
        (
            {**DOCUMENT, "protocol": "host-v9"},
            "/protocol",
            (
                "'host-v9' is not one of ['exec-oneshot', 'exec-runtime', "
                "'exec-server', 'host-client', 'host-v1', 'interop', 'socket-v1', "
                "'tool-contract']"
            ),
        ),
        (
            {**DOCUMENT, "kind": ["exchange"]},
            "/kind",
            "['exchange'] is not of type 'string'",
        ),
        ({**DOCUMENT, "group": ""}, "/group", "'' is no name of a group"),
        ({**DOCUMENT, "vectors": []}, "/vectors", "[] should be non-empty"),
        ({**DOCUMENT, "vectors": {}}, "/vectors", "{} is not of type 'array'"),
    ],
)
def test_a_wrong_top_is_refused(document: JSON, pointer: str, problem: str) -> None:
    error = refused(document)
    assert (error.pointer, error.problem) == (pointer, problem)


@pytest.mark.parametrize(
    ("changed", "pointer", "problem"),
    [
        (
            {"id": "host-v1/other/one"},
            "/id",
            "the id 'host-v1/other/one' does not fit the file",
        ),
        (
            {"id": "host-v1/mine/Not_Kebab"},
            "/id",
            "'host-v1/mine/Not_Kebab' is no id of a vector",
        ),
        ({"id": 5}, "/id", "5 is not of type 'string'"),
        ({"title": ""}, "/title", "'' should be non-empty"),
        ({"clauses": []}, "/clauses", "[] should be non-empty"),
        ({"clauses": ["HV1-Q1"]}, "/clauses/0", "no clause has the id 'HV1-Q1'"),
        (
            {"level": "could"},
            "/level",
            "'could' is not one of ['must', 'should', 'may']",
        ),
        (
            {"source": None},
            "/source",
            "None is not one of ['seed', 'standard', 'settled', 'derived']",
        ),
        ({"seed": 1}, "/seed", "1 is not of type 'boolean'"),
        ({"seed_text": ""}, "/seed_text", "'' should be non-empty"),
        ({"note": 1}, "/note", "1 is not of type 'string'"),
        (
            {"step/s": []},
            "/step~1s",
            f"'step/s' is not one of {KEYS}",
        ),
    ],
)
def test_a_wrong_vector_is_refused(
    changed: dict[str, JSON], pointer: str, problem: str
) -> None:
    error = refused_vectors({**VECTOR, **changed})
    assert (error.pointer, error.problem) == (f"/vectors/0{pointer}", problem)


def test_a_vector_that_is_no_object_is_refused() -> None:
    assert refused_vectors("x").problem == "'x' is not of type 'object'"


def test_an_id_that_comes_twice_is_refused() -> None:
    error = refused_vectors(VECTOR, VECTOR)
    assert error.problem == "the id 'host-v1/mine/one' is taken"
    assert error.pointer == "/vectors/1/id"


def test_a_long_value_is_quoted_in_part() -> None:
    error = refused({**DOCUMENT, "kind": "x" * 1000})
    assert error.problem.startswith("'" + 59 * "x" + "… is not one of ")
