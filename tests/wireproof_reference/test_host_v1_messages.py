from __future__ import annotations

from base64 import b64decode

import pytest

from wireproof_reference.framing import JSON, JsonError, loads
from wireproof_reference.host_v1 import (
    Event,
    Failure,
    Flaw,
    HostMessage,
    Request,
    Success,
    message_to_json,
    read_host_message,
    read_request,
)
from wireproof_vectors import Vector, load_vectors


@pytest.mark.parametrize(
    ("message", "value"),
    [
        (
            Success("a", 5),
            {"v": 1, "id": "a", "ok": True, "result": {"value": 5}},
        ),
        (
            Success("a", None, {"n": 1}),
            {
                "v": 1,
                "id": "a",
                "ok": True,
                "result": {"value": None, "state": {"n": 1}},
            },
        ),
        (
            Failure("a", "E", "why"),
            {"v": 1, "id": "a", "ok": False, "error": {"type": "E", "detail": "why"}},
        ),
        (
            Failure("a", "E", "why", "where"),
            {
                "v": 1,
                "id": "a",
                "ok": False,
                "error": {"type": "E", "detail": "why", "stack": "where"},
            },
        ),
        (
            Event("a", "part", {"x": 1}),
            {"v": 1, "id": "a", "event": {"type": "part", "payload": {"x": 1}}},
        ),
    ],
)
def test_a_host_message_is_written_and_read(message: HostMessage, value: JSON) -> None:
    assert message_to_json(message) == value
    assert read_host_message(value) == message


def test_a_request_is_written_and_read() -> None:
    value: JSON = {"v": 1, "id": "a", "method": "init", "params": {"config": {}}}
    assert message_to_json(Request("a", "init", {"config": {}})) == value
    assert read_request(value) == Request("a", "init", {"config": {}})


def test_a_request_without_params_has_empty_ones() -> None:
    assert read_request({"v": 1, "id": "", "method": "m"}) == Request("", "m", {})


def test_a_request_may_have_other_keys() -> None:
    value: JSON = {"v": 1.0, "id": "a", "method": "m", "params": {}, "extra": 1}
    assert read_request(value) == Request("a", "m", {})


@pytest.mark.parametrize(
    ("value", "flaw"),
    [
        (5, Flaw("a request must be an object", None, "InvalidRequest")),
        ([], Flaw("a request must be an object", None, "InvalidRequest")),
        ({}, Flaw("id must be a string", None, "InvalidRequest")),
        (
            {"v": 1, "id": 5, "method": "m"},
            Flaw("id must be a string", None, "InvalidRequest"),
        ),
        ({"id": "a", "method": "m"}, Flaw("v must be 1", "a", "UnsupportedVersion")),
        ({"v": True, "id": "a"}, Flaw("v must be 1", "a", "UnsupportedVersion")),
        ({"v": "1", "id": "a"}, Flaw("v must be 1", "a", "UnsupportedVersion")),
        ({"v": 2, "id": "a"}, Flaw("v must be 1", "a", "UnsupportedVersion")),
        ({"v": 1, "id": "a"}, Flaw("method must be a string", "a", "InvalidRequest")),
        (
            {"v": 1, "id": "a", "method": "m", "params": None},
            Flaw("params must be an object", "a", "InvalidParams"),
        ),
    ],
)
def test_what_is_no_request_says_why(value: JSON, flaw: Flaw) -> None:
    assert read_request(value) == flaw


@pytest.mark.parametrize(
    ("value", "flaw"),
    [
        ("x", Flaw("a message must be an object")),
        ({"v": 1}, Flaw("id must be a string")),
        ({"id": "a", "ok": True}, Flaw("v must be 1", "a", "UnsupportedVersion")),
        ({"id": 5, "ok": True}, Flaw("v must be 1", None, "UnsupportedVersion")),
        ({"v": 1, "id": "a"}, Flaw("neither ok nor event", "a")),
        (
            {"v": 1, "id": "a", "ok": 1},
            Flaw("neither ok nor event", "a"),
        ),
        (
            {"v": 1, "id": "a", "ok": True, "result": {}},
            Flaw("result must have a value", "a"),
        ),
        (
            {"v": 1, "id": "a", "ok": False, "error": "no"},
            Flaw("error must be an object", "a"),
        ),
        (
            {"v": 1, "id": "a", "ok": False, "error": {"type": "E"}},
            Flaw("error must have type and detail", "a"),
        ),
        (
            {"v": 1, "id": "a", "event": []},
            Flaw("event must be an object", "a"),
        ),
        (
            {"v": 1, "id": "a", "event": {"payload": 1}},
            Flaw("event.type must be a string", "a"),
        ),
        (
            {"v": 1, "id": "a", "event": {"type": "part"}},
            Flaw("a part must have a payload", "a"),
        ),
    ],
)
def test_what_is_no_host_message_says_why(value: JSON, flaw: Flaw) -> None:
    assert read_host_message(value) == flaw


def test_an_event_of_another_type_needs_no_payload() -> None:
    value: JSON = {"v": 1, "id": "a", "event": {"type": "log"}}
    assert read_host_message(value) == Event("a", "log", None)


@pytest.mark.parametrize("state", [None, 5, []])
def test_a_state_that_is_no_object_is_none(state: JSON) -> None:
    value: JSON = {
        "v": 1,
        "id": "a",
        "ok": True,
        "result": {"value": 1, "state": state},
    }
    assert read_host_message(value) == Success("a", 1, None)


def test_a_failure_may_have_no_id() -> None:
    value: JSON = {"v": 1, "ok": False, "error": {"type": "E", "detail": "d"}}
    assert read_host_message(value) == Failure(None, "E", "d")


LINES = [
    vector
    for protocol in ("host-v1", "host-client")
    for vector in load_vectors(protocol)
    if vector.kind == "message"
]
# HV1-M12 lets a host read absent params as empty ones, and ours does.
LENIENT = {"host-client/request-lines/no-params"}


def read_line(vector: Vector) -> object:
    line = vector.data["line"]
    assert isinstance(line, dict)
    text, encoded = line.get("text"), line.get("base64")
    data = text.encode() if isinstance(text, str) else b64decode(str(encoded))
    read = {"request": read_request, "host": read_host_message}
    return read[str(vector.data["direction"])](loads(data))


@pytest.mark.parametrize(
    "vector", [v for v in LINES if v.data["valid"]], ids=lambda v: v.id
)
def test_a_line_that_is_a_message_is_read(vector: Vector) -> None:
    assert not isinstance(read_line(vector), Flaw)


@pytest.mark.parametrize(
    "vector",
    [v for v in LINES if v.data.get("reason") == "not-a-message"],
    ids=lambda v: v.id,
)
def test_a_line_that_is_no_message_is_not_read(vector: Vector) -> None:
    assert isinstance(read_line(vector), Flaw) != (vector.id in LENIENT)


@pytest.mark.parametrize(
    "vector",
    [v for v in LINES if v.data.get("reason") in {"not-json", "not-utf8"}],
    ids=lambda v: v.id,
)
def test_a_line_that_is_no_json_is_not_read(vector: Vector) -> None:
    with pytest.raises(JsonError) as caught:
        read_line(vector)
    assert caught.value.reason == vector.data["reason"]
