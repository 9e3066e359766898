"""The top of a vector file and the keys of every vector are checked by hand."""

from typing import Any

import jsonschema
import pytest

from wireproof_vectors import JSON, VectorError, load_schema
from wireproof_vectors._place import Place
from wireproof_vectors._structure import check_document, check_vectors

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
FILE = Place("mine.json")


def refused(document: JSON) -> VectorError:
    with pytest.raises(VectorError) as caught:
        check_document(FILE, document, ["host-v1"])
    return caught.value


def refused_vectors(*vectors: JSON) -> VectorError:
    with pytest.raises(VectorError) as caught:
        check_vectors(FILE, {**DOCUMENT, "vectors": [*vectors]}, ["HV1-T5"], ["x"])
    return caught.value


def test_a_valid_file_passes() -> None:
    assert check_document(FILE, DOCUMENT, ["host-v1"]) == "host-v1"
    check_vectors(FILE, DOCUMENT, ["HV1-T5"], ())


def test_the_schema_accepts_the_same_file() -> None:
    jsonschema.validate(DOCUMENT, load_schema("vectors"))


@pytest.mark.parametrize(
    ("document", "pointer", "problem"),
    [
        ([], "", "an object is wanted, not []"),
        ({}, "", "the key 'schema' is missing"),
        ({**DOCUMENT, "extra": 1}, "/extra", "the key 'extra' is unknown here"),
        (
            {**DOCUMENT, "schema": "wireproof-vectors/2"},
            "/schema",
            'one of wireproof-vectors/1 is wanted, not "wireproof-vectors/2"',
        ),
        (
            {**DOCUMENT, "protocol": "host-v9"},
            "/protocol",
            'one of host-v1 is wanted, not "host-v9"',
        ),
        (
            {**DOCUMENT, "kind": ["exchange"]},
            "/kind",
            'one of exchange, message, client is wanted, not ["exchange"]',
        ),
        ({**DOCUMENT, "group": ""}, "/group", "the string is empty"),
        ({**DOCUMENT, "vectors": []}, "/vectors", "the array is empty"),
        ({**DOCUMENT, "vectors": {}}, "/vectors", "an array is wanted, not {}"),
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
            "the id 'host-v1/mine/Not_Kebab' does not fit the file",
        ),
        ({"id": 5}, "/id", "a string is wanted, not 5"),
        ({"title": ""}, "/title", "the string is empty"),
        ({"clauses": []}, "/clauses", "the array is empty"),
        ({"clauses": ["HV1-X1"]}, "/clauses/0", "no clause has the id 'HV1-X1'"),
        (
            {"level": "could"},
            "/level",
            'one of must, should, may is wanted, not "could"',
        ),
        (
            {"source": None},
            "/source",
            "one of seed, standard, settled, derived is wanted, not null",
        ),
        ({"seed": 1}, "/seed", "true or false is wanted, not 1"),
        ({"seed_text": ""}, "/seed_text", "the string is empty"),
        ({"note": 1}, "/note", "a string is wanted, not 1"),
        ({"step/s": []}, "/step~1s", "the key 'step/s' is unknown here"),
    ],
)
def test_a_wrong_vector_is_refused(
    changed: dict[str, JSON], pointer: str, problem: str
) -> None:
    error = refused_vectors({**VECTOR, **changed})
    assert (error.pointer, error.problem) == (f"/vectors/0{pointer}", problem)


def test_a_vector_that_is_no_object_is_refused() -> None:
    assert refused_vectors("x").problem == 'an object is wanted, not "x"'


def test_an_id_that_comes_twice_is_refused() -> None:
    error = refused_vectors(VECTOR, VECTOR)
    assert error.problem == "the id 'host-v1/mine/one' is taken"
    assert error.pointer == "/vectors/1/id"


def test_a_long_value_is_quoted_in_part() -> None:
    error = refused({**DOCUMENT, "kind": "x" * 1000})
    assert error.problem.endswith('is wanted, not "' + 59 * "x" + "…")
