"""A user's vector file is loaded, or refused with what to do about it."""

import json
from pathlib import Path
from typing import Any

import pytest

from wireproof_vectors import VectorError, load_vector_file

VECTOR: dict[str, Any] = {
    "id": "host-v1/mine/one",
    "title": "An echo comes back.",
    "clauses": ["HV1-T10"],
    "steps": [{"fence": True}],
}
DOCUMENT: dict[str, Any] = {
    "schema": "wireproof-vectors/1",
    "protocol": "host-v1",
    "group": "mine",
    "kind": "exchange",
    "vectors": [VECTOR],
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mine.json"


def refused(file: Path) -> VectorError:
    with pytest.raises(VectorError) as caught:
        load_vector_file(file)
    return caught.value


def test_a_valid_file_is_loaded(file: Path) -> None:
    file.write_text(json.dumps(DOCUMENT))
    (vector,) = load_vector_file(file)
    assert vector.id == "host-v1/mine/one"
    assert (vector.level, vector.source) == ("should", "derived")
    assert (vector.kind, vector.group) == ("exchange", "mine")


def test_a_path_may_be_a_string(file: Path) -> None:
    file.write_text(json.dumps(DOCUMENT))
    assert len(load_vector_file(str(file))) == 1


def test_an_error_names_file_vector_pointer_and_remedy(file: Path) -> None:
    vector = {**VECTOR, "steps": [{"fence": True}, {"expect": {"$typ": "string"}}]}
    file.write_text(json.dumps({**DOCUMENT, "vectors": [vector]}))
    error = refused(file)
    assert error.file == str(file)
    assert error.vector_id == "host-v1/mine/one"
    assert error.pointer == "/vectors/0/steps/1/expect/$typ"
    problem = "Additional properties are not allowed ('$typ' was unexpected)"
    assert error.problem == problem
    assert error.remedy.startswith(
        "vectors/README.md lists the matchers; known are $equals, $type, "
    )
    assert str(error) == (
        f"{file}: host-v1/mine/one: /vectors/0/steps/1/expect/$typ: "
        f"{problem}; {error.remedy}"
    )


def test_a_file_that_is_not_there_is_refused(file: Path) -> None:
    error = refused(file)
    assert error.problem == "the file cannot be read (No such file or directory)"
    assert error.remedy == "check the path"
    assert (error.vector_id, error.pointer) == (None, "")


def test_a_file_that_is_not_utf_8_is_refused(file: Path) -> None:
    file.write_bytes(b'{"title": "\xe9"}')
    assert refused(file).problem == "the file is not UTF-8"


def test_a_file_that_is_not_json_is_refused_with_the_place(file: Path) -> None:
    file.write_text('{\n  "schema": nonsense}')
    assert refused(file).problem == "line 2, column 13: Expecting value"


def test_a_key_that_comes_twice_is_refused(file: Path) -> None:
    file.write_text('{"schema": {"a": 1, "b": 2, "a": 3}}')
    assert refused(file).problem == "an object has the key 'a' twice"


def test_a_number_that_json_does_not_have_is_refused(file: Path) -> None:
    file.write_text('{"schema": NaN}')
    assert refused(file).problem == "NaN is no JSON"


def test_an_id_that_the_suite_has_is_refused(file: Path) -> None:
    vector = {**VECTOR, "id": "host-v1/events/one-event"}
    file.write_text(json.dumps({**DOCUMENT, "group": "events", "vectors": [vector]}))
    error = refused(file)
    assert error.problem == "the id 'host-v1/events/one-event' is taken"
    assert error.pointer == "/vectors/0/id"
