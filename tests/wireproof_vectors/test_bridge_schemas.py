"""The schemas of the bridge describe what is said over it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from tests.bridge import NODE_DRIVER, PYTHON_DRIVER, Driver
from tests.bridge_schemas import answer_flaws, flaws

from wireproof.patterns import expand
from wireproof_vectors import Vector, load_vectors

CHAT = "openai.chat_completions"
RESPONSES = "openai.responses"
SCHEMA = {"type": "function", "function": {"name": "read_file", "parameters": {}}}
CUSTOM = {"type": "custom", "name": "apply_patch"}
CALL = {
    "type": "function_call",
    "call_id": "c1",
    "name": "read_file",
    "arguments": '{"path":"a"}',
}
CUSTOM_CALL = {
    "type": "custom_tool_call",
    "call_id": "c2",
    "name": "apply_patch",
    "input": "x",
}
CHAT_CALL = {
    "id": "c1",
    "type": "function",
    "function": {"name": "read_file", "arguments": "{}"},
}
STORED = {"type": "tool_result", "text": "x"}
ENVELOPE = {"type": "provider_native_tool_result", "format": CHAT, "content": []}
MESSAGE = {
    "role": "tool",
    "content": "x",
    "toolResult": STORED,
    "metadata": {"tool_call_id": "c1", "tool_name": "read_file"},
}
GIVEN = {"result": {"a": 1}, "tool_call_id": "c1", "tool_name": "read_file"}
NATIVE: list[dict[str, Any]] = [
    {"role": "user", "content": "x"},
    {"role": "assistant", "content": None, "tool_calls": [CHAT_CALL]},
    {"role": "tool", "content": "x", "tool_call_id": "c1"},
]
PARTIAL: dict[str, Any] = {"partial": {"tool_calls": [CHAT_CALL]}}

CONVERSATION: list[dict[str, Any]] = [
    {"op": "describe"},
    {"op": "convert_schemas", "schemas": [SCHEMA, CUSTOM], "target": RESPONSES},
    {
        "op": "convert_schemas",
        "schemas": [CUSTOM],
        "target": CHAT,
        "target_formats": [f"{CHAT}.function"],
        "echo": True,
    },
    {"op": "convert_schemas", "schemas": [{"type": "odd"}], "target": CHAT},
    {"op": "convert_schemas", "schemas": [SCHEMA], "target": "nowhere", "echo": True},
    {"op": "inspect_schema", "schema": SCHEMA},
    {"op": "inspect_schema", "schema": CUSTOM},
    {"op": "convert_tool_calls", "calls": [CALL, CUSTOM_CALL], "target": CHAT},
    {"op": "inspect_call", "call": CALL},
    {"op": "inspect_call", "call": CUSTOM_CALL},
    {"op": "sanitize_tool_call", "call": {**CALL, "arguments": "{"}},
    {"op": "inspect_result", "result": STORED},
    {"op": "inspect_result", "result": ENVELOPE},
    {"op": "convert_results", "results": [MESSAGE], "target": CHAT},
    {
        "op": "convert_results",
        "results": [MESSAGE],
        "target": RESPONSES,
        "calls": [CUSTOM_CALL],
    },
    {"op": "convert_results", "results": [GIVEN], "target": "core"},
    {
        "op": "initialize_request",
        "native_messages": NATIVE,
        "state": {"_tools": [SCHEMA]},
        "target_formats": [f"{CHAT}.function"],
    },
    {"op": "from_native_messages", "native_messages": NATIVE},
    {
        "op": "finalize",
        "final_messages": [],
        "native_messages": NATIVE,
        "state": PARTIAL,
    },
    {"op": "to_native_messages", "messages": [MESSAGE]},
]


@pytest.fixture(scope="module", params=["node", "python"])
def driver(request: pytest.FixtureRequest, node: str) -> Iterator[Driver]:
    reference = "wireproof_reference.interop:chat_subject"
    commands = {
        "node": [node, str(NODE_DRIVER)],
        "python": [sys.executable, str(PYTHON_DRIVER), reference],
    }
    with Driver(*commands[request.param]) as driver:
        yield driver


@pytest.mark.parametrize("asked", CONVERSATION, ids=lambda asked: asked["op"])
def test_a_conversation_obeys_the_schemas(
    driver: Driver, asked: dict[str, Any]
) -> None:
    request = {"id": 7, **asked}
    answer = driver.send(request)
    assert flaws(asked["op"], "request", request) == []
    assert answer_flaws(answer) == []
    if answer["ok"]:
        assert flaws(asked["op"], "value", answer["value"]) == []


OPERATIONS = [
    v
    for v in load_vectors("interop")
    # The values of a place stand in the corpus.
    if v.kind == "operation" and "values" not in v.data
]


def asked_by(vector: Vector) -> list[dict[str, Any]]:
    steps: Any = vector.data["steps"]
    return [
        {"id": 1, "op": step["op"], **expand(step["input"], {})}
        for step in steps
        if "$use" not in str(step["input"])
    ]


def test_what_a_vector_asks_obeys_the_schemas() -> None:
    found = [
        (vector.id, flaw)
        for vector in OPERATIONS
        for request in asked_by(vector)
        for flaw in flaws(request["op"], "request", request)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("op", "value"),
    [
        ("describe", {"name": "n", "version": "1", "language": "Go"}),
        ("describe", {"name": "n", "version": "1", "language": "Go", "ops": [1]}),
        ("convert_schemas", {}),
        ("convert_schemas", ["x"]),
        ("convert_tool_calls", [None]),
        ("sanitize_tool_call", []),
        ("inspect_result", {"kind": "text", "text": "x"}),
        (
            "inspect_result",
            {"kind": "native", "text": "x", "format": None, "content": []},
        ),
        ("convert_results", [{"role": "tool", "content": "x"}]),
        (
            "convert_results",
            [{"type": "function_call_output", "call_id": 1, "output": ""}],
        ),
        ("initialize_request", {"state": {}}),
        ("from_native_messages", [{"content": "x"}]),
        ("finalize", {"final_messages": [], "native_messages": []}),
        ("to_native_messages", {}),
    ],
)
def test_a_wrong_value_is_invalid(op: str, value: object) -> None:
    assert flaws(op, "value", value) != []


INSPECTED: dict[str, Any] = {
    "call_id": "c",
    "tool_name": "t",
    "payload": {},
    "payload_kind": "object",
    "payload_format": "acme.call",
    "payload_metadata": {},
}


@pytest.mark.parametrize(
    "changed",
    [
        {"payload": "x"},
        {"payload_kind": "text"},
        {"payload_kind": "json"},
        {"call_id": 1},
        {"payload_format": None},
        {"payload_metadata": "x"},
    ],
)
def test_a_wrong_inspection_of_a_call_is_invalid(changed: dict[str, Any]) -> None:
    assert flaws("inspect_call", "value", INSPECTED) == []
    assert flaws("inspect_call", "value", {**INSPECTED, **changed}) != []


@pytest.mark.parametrize(
    "answer",
    [
        {"id": 1},
        {"id": 1, "ok": True},
        {"id": "1", "ok": True, "value": 1},
        {"id": 1, "ok": "yes", "value": 1},
        {"id": 1, "ok": False},
        {"id": 1, "ok": False, "error": "x"},
        {"id": 1, "ok": False, "error": {"type": "E"}},
        {"id": 1, "ok": False, "value": 1, "error": {"type": "E", "detail": ""}},
        {"id": 1, "ok": True, "value": 1, "error": {"type": "E", "detail": ""}},
        {"id": 1, "ok": True, "value": 1, "args": []},
    ],
)
def test_a_wrong_answer_is_invalid(answer: dict[str, Any]) -> None:
    assert answer_flaws(answer) != []


@pytest.mark.parametrize(
    ("op", "request_"),
    [
        ("describe", {"id": 1}),
        ("describe", {"id": 1, "op": "inspect_call"}),
        ("inspect_call", {"id": 1, "op": "inspect_call"}),
        ("inspect_call", {"id": 1, "op": "inspect_call", "call": {}, "more": 1}),
        (
            "convert_results",
            {"id": 1, "op": "convert_results", "target": "core", "results": [MESSAGE]},
        ),
        (
            "convert_results",
            {"id": 1, "op": "convert_results", "target": CHAT, "results": [GIVEN]},
        ),
    ],
)
def test_a_wrong_request_is_invalid(op: str, request_: dict[str, Any]) -> None:
    assert flaws(op, "request", request_) != []
