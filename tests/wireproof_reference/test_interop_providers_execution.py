from __future__ import annotations

import pytest

from wireproof_reference.framing import JSON, JSONObject
from wireproof_reference.interop import (
    CallInspection,
    MalformedCallError,
    ToolCallAccessor,
    ToolInteropContribution,
    compose_registry,
)
from wireproof_reference.interop.providers import execute_calls

FUNCTION: JSONObject = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "read_file", "arguments": '{"path":"README.md"}'},
}
CUSTOM: JSONObject = {
    "id": "call_2",
    "type": "custom",
    "custom": {"name": "apply_patch", "input": '{"raw": 1.0}'},
}


def test_each_tool_is_given_the_payload_of_its_kind() -> None:
    given: list[tuple[str, JSON]] = []

    def read_file(payload: JSON) -> JSON:
        given.append(("read_file", payload))
        return {"path": "README.md", "content": "# Title"}

    def apply_patch(payload: JSON) -> JSON:
        given.append(("apply_patch", payload))
        return "done"

    tools = {"read_file": read_file, "apply_patch": apply_patch}
    messages = execute_calls([FUNCTION, CUSTOM], tools)
    assert given == [
        ("read_file", {"path": "README.md"}),
        ("apply_patch", '{"raw": 1.0}'),
    ]
    text = '{"path":"README.md","content":"# Title"}'
    assert messages == [
        {
            "role": "tool",
            "content": text,
            "toolResult": {"type": "tool_result", "text": text},
            "metadata": {"tool_call_id": "call_1", "tool_name": "read_file"},
        },
        {
            "role": "tool",
            "content": "done",
            "toolResult": {"type": "tool_result", "text": "done"},
            "metadata": {
                "tool_call_id": "call_2",
                "tool_name": "apply_patch",
                "payload_kind": "text",
            },
        },
    ]


def test_the_model_is_told_of_a_tool_that_does_not_exist() -> None:
    (message,) = execute_calls([FUNCTION], {})
    assert isinstance(message, dict)
    assert message["content"] == "there is no tool named 'read_file'"


def test_a_call_that_cannot_be_read_is_an_error() -> None:
    broken: JSONObject = {"id": "c", "type": "function", "function": {"name": "f"}}
    with pytest.raises(MalformedCallError):
        execute_calls([broken], {"f": str})


def test_only_the_registry_of_the_context_is_asked() -> None:
    def inspect(call: JSON) -> CallInspection:
        return CallInspection("c", "other", "payload", "text", "own", {})

    accessor = ToolCallAccessor("own", lambda call: True, inspect)
    registry = compose_registry(
        tool=[ToolInteropContribution(call_accessors=(accessor,))]
    )
    context = {"tool_interop": {"registry": registry}}
    (message,) = execute_calls(
        [FUNCTION], {"other": lambda payload: payload}, context=context
    )
    assert isinstance(message, dict)
    assert message["content"] == "payload"
