"""Vectors of kind message agree with the schemas and with the reference's JSON."""

import base64
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from wireproof_reference.framing import JsonError, loads
from wireproof_vectors import Vector, load_schema, load_vectors

LINES = [
    vector
    for protocol in (
        *("host-v1", "host-client", "socket-v1"),
        *("exec-oneshot", "exec-server"),
    )
    for vector in load_vectors(protocol)
    if vector.kind == "message"
]
JSON_LINES = [v for v in LINES if v.data.get("reason") in {None, "not-a-message"}]
BROKEN_LINES = [v for v in LINES if v not in JSON_LINES]
SCHEMAS = {
    "request": ["host_v1/request"],
    "host": ["host_v1/response", "host_v1/event"],
    "runtime": ["exec_oneshot/input"],
    "tool": ["exec_oneshot/output"],
    "caller": ["exec_server/request"],
    "server-tool": ["exec_server/response"],
    "client": [
        "socket_v1/list_tools",
        "socket_v1/tool_call",
        "socket_v1/cancel_tool_call",
    ],
    "server": [
        "socket_v1/tools_list",
        "socket_v1/tool_event",
        "socket_v1/tool_result",
        "socket_v1/error",
    ],
}


def content(vector: Vector) -> bytes:
    line: Any = vector.data["line"]
    if "text" in line:
        return str(line["text"]).encode()
    return base64.b64decode(line["base64"])


@pytest.mark.parametrize("vector", BROKEN_LINES, ids=lambda v: v.id)
def test_the_reference_refuses_what_is_not_json(vector: Vector) -> None:
    with pytest.raises(JsonError) as caught:
        loads(content(vector))
    assert caught.value.reason == vector.data["reason"]


def is_valid(vector: Vector) -> bool:
    """Tell whether one of the schemas of its direction accepts a line."""
    value = loads(content(vector))
    return any(
        Draft202012Validator(load_schema(name)).is_valid(value)
        for name in SCHEMAS[str(vector.data["direction"])]
    )


def test_the_schemas_say_the_same_as_the_vector() -> None:
    assert [v.id for v in JSON_LINES if is_valid(v) is not v.data["valid"]] == []


def test_all_directions_have_valid_and_invalid_lines() -> None:
    seen = {(vector.data["direction"], vector.data["valid"]) for vector in LINES}
    assert len(seen) == 16
