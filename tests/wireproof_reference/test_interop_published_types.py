"""What the registry gives, judged by the types that the provider publishes (INT-S9).

The published types stand in the `openai` package and know nothing of this project.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.published import published

from wireproof_reference.interop import (
    CHAT,
    CHAT_CUSTOM,
    CHAT_FUNCTION,
    DEFAULT_TOOL_INTEROP_REGISTRY,
    RESPONSES,
    RESPONSES_CUSTOM,
    RESPONSES_FUNCTION,
)

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON, JSONObject

pytestmark = pytest.mark.usefixtures("openai")

REGISTRY = DEFAULT_TOOL_INTEROP_REGISTRY

SCHEMA_TYPES = {
    CHAT_FUNCTION: "chat function",
    CHAT_CUSTOM: "chat custom",
    RESPONSES_FUNCTION: "responses function",
    RESPONSES_CUSTOM: "responses custom",
}

PARAMETERS: JSONObject = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
    "additionalProperties": False,
}
FLAT: JSONObject = {
    "type": "function",
    "name": "read_file",
    "description": "Reads.",
    "parameters": PARAMETERS,
    "strict": True,
}
FLAT_OF_NULLS: JSONObject = {
    "type": "function",
    "name": "ping",
    "description": None,
    "parameters": None,
    "strict": None,
    "defer_loading": True,
}
NESTED: JSONObject = {
    "type": "function",
    "function": {
        "name": "read_file",
        "description": "Reads.",
        "parameters": PARAMETERS,
        "strict": False,
    },
}
FLAT_CUSTOM: JSONObject = {"type": "custom", "name": "note"}
FLAT_TEXT: JSONObject = {
    "type": "custom",
    "name": "note",
    "description": "Notes.",
    "format": {"type": "text"},
}
FLAT_GRAMMAR: JSONObject = {
    "type": "custom",
    "name": "apply_patch",
    "format": {"type": "grammar", "syntax": "lark", "definition": "start: /.+/"},
}
NESTED_TEXT: JSONObject = {
    "type": "custom",
    "custom": {"name": "note", "format": {"type": "text"}},
}
NESTED_GRAMMAR: JSONObject = {
    "type": "custom",
    "custom": {
        "name": "date",
        "description": "A date.",
        "format": {
            "type": "grammar",
            "grammar": {"syntax": "regex", "definition": "[0-9-]+"},
        },
    },
}


def is_published(kind: str, value: JSON) -> bool:
    """Whether a value is of a published type, and holds nothing beyond it."""
    try:
        parsed = published(kind).validate_python(value, strict=True, extra="forbid")
        # The parts of a content are validated only when they are asked for.
        list(parsed.get("content", ()))
        list(parsed.get("output", ()))
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(
    "target_format", [CHAT_FUNCTION, CHAT_CUSTOM, RESPONSES_FUNCTION, RESPONSES_CUSTOM]
)
@pytest.mark.parametrize(
    "schema",
    [FLAT_CUSTOM, FLAT_TEXT, FLAT_GRAMMAR, NESTED_TEXT, NESTED_GRAMMAR],
)
def test_custom_tools_are_what_the_provider_publishes(
    schema: JSONObject, target_format: str
) -> None:
    [converted] = REGISTRY.convert_schemas([schema], CHAT, [target_format])
    assert is_published(SCHEMA_TYPES[target_format], converted)


@pytest.mark.parametrize("target_format", [CHAT_FUNCTION, RESPONSES_FUNCTION])
@pytest.mark.parametrize("schema", [FLAT, FLAT_OF_NULLS, NESTED])
def test_functions_are_what_the_provider_publishes(
    schema: JSONObject, target_format: str
) -> None:
    [converted] = REGISTRY.convert_schemas([schema], CHAT, [target_format])
    assert is_published(SCHEMA_TYPES[target_format], converted)


def test_a_chat_function_of_the_fewest_keys_is_what_the_provider_publishes() -> None:
    [converted] = REGISTRY.convert_schemas([{"type": "function", "name": "f"}], CHAT)
    assert is_published(SCHEMA_TYPES[CHAT_FUNCTION], converted)


@pytest.mark.parametrize(
    ("format_", "broken"),
    [
        (CHAT_FUNCTION, FLAT),
        (CHAT_FUNCTION, {"type": "function", "function": {"description": "x"}}),
        (CHAT_FUNCTION, {"type": "function", "function": {"name": 5}}),
        (
            CHAT_FUNCTION,
            {"type": "function", "function": {"name": "f", "parameters": None}},
        ),
        (CHAT_FUNCTION, {**NESTED, "name": "read_file"}),
        (RESPONSES_FUNCTION, NESTED),
        (RESPONSES_FUNCTION, {"type": "function", "name": "f", "parameters": {}}),
        (RESPONSES_FUNCTION, {**FLAT, "function": {}}),
        (CHAT_CUSTOM, FLAT_GRAMMAR),
        (
            CHAT_CUSTOM,
            {
                "type": "custom",
                "custom": {"name": "x", "format": FLAT_GRAMMAR["format"]},
            },
        ),
        (RESPONSES_CUSTOM, NESTED_GRAMMAR),
        (RESPONSES_CUSTOM, {**FLAT_GRAMMAR, "format": {"type": "grammar"}}),
    ],
)
def test_the_published_types_refuse_broken_schemas(
    format_: str, broken: JSONObject
) -> None:
    assert not is_published(SCHEMA_TYPES[format_], broken)


CHAT_CALL: JSONObject = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "f", "arguments": '{"a":'},
}
CHAT_RAW_CALL: JSONObject = {
    "id": "call_1",
    "type": "custom",
    "custom": {"name": "t", "input": "raw"},
}
ITEM: JSONObject = {
    "type": "function_call",
    "call_id": "call_1",
    "id": "fc_1",
    "name": "f",
    "arguments": "{}",
    "status": "completed",
}
RAW_ITEM: JSONObject = {
    "type": "custom_tool_call",
    "call_id": "call_1",
    "id": "ctc_1",
    "name": "t",
    "input": "raw",
}


@pytest.mark.parametrize(
    ("call", "target", "kind"),
    [
        (CHAT_CALL, CHAT, "chat function call"),
        (CHAT_CALL, RESPONSES, "responses function call"),
        (CHAT_RAW_CALL, CHAT, "chat custom call"),
        (CHAT_RAW_CALL, RESPONSES, "responses custom call"),
        (ITEM, CHAT, "chat function call"),
        (ITEM, RESPONSES, "responses function call"),
        (RAW_ITEM, CHAT, "chat custom call"),
        (RAW_ITEM, RESPONSES, "responses custom call"),
        ({**ITEM, "arguments": {"a": 1}}, CHAT, "chat function call"),
    ],
)
def test_calls_are_what_the_provider_publishes(
    call: JSONObject, target: str, kind: str
) -> None:
    [converted] = REGISTRY.convert_tool_calls([call], target)
    assert is_published(kind, converted)


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (
            {"id": "c", "type": "function", "function": {"name": "f"}},
            "chat function call",
        ),
        ({**ITEM, "arguments": None}, "responses function call"),
        ({**ITEM, "arguments": {"a": 1}}, "responses function call"),
    ],
)
def test_sanitised_calls_are_what_the_provider_publishes(
    call: JSONObject, kind: str
) -> None:
    assert not is_published(kind, call)
    assert is_published(kind, REGISTRY.sanitize_tool_call(call))


@pytest.mark.parametrize(
    ("broken", "kind"),
    [
        (ITEM, "chat function call"),
        (CHAT_CALL, "responses function call"),
        ({**CHAT_CALL, "call_id": "call_1"}, "chat function call"),
        (CHAT_RAW_CALL, "chat function call"),
        ({**RAW_ITEM, "input": {"a": 1}}, "responses custom call"),
        ({**RAW_ITEM, "arguments": "{}"}, "responses custom call"),
    ],
)
def test_the_published_types_refuse_broken_calls(broken: JSONObject, kind: str) -> None:
    assert not is_published(kind, broken)


TEXT: JSONObject = {"type": "tool_result", "text": "done"}
CHAT_PARTS: JSONObject = {
    "type": "provider_native_tool_result",
    "format": "openai.chat_completions",
    "content": [{"type": "text", "text": "done"}],
}
RESPONSES_PARTS: JSONObject = {
    "type": "provider_native_tool_result",
    "format": "openai.responses",
    "content": [
        {"type": "input_text", "text": "done"},
        {
            "type": "input_image",
            "image_url": "data:image/png;base64,",
            "detail": "auto",
        },
    ],
}


def stored(tool_result: JSONObject, payload_kind: str) -> JSONObject:
    metadata: JSONObject = {"tool_call_id": "call_1", "payload_kind": payload_kind}
    return {
        "role": "tool",
        "content": "fallback",
        "toolResult": tool_result,
        "metadata": metadata,
    }


@pytest.mark.parametrize("tool_result", [TEXT, CHAT_PARTS, RESPONSES_PARTS])
@pytest.mark.parametrize(
    ("payload_kind", "target", "kind"),
    [
        ("object", CHAT, "chat result"),
        ("text", CHAT, "chat result"),
        ("object", RESPONSES, "responses result"),
        ("text", RESPONSES, "responses custom result"),
    ],
)
def test_results_are_what_the_provider_publishes(
    tool_result: JSONObject, payload_kind: str, target: str, kind: str
) -> None:
    [converted] = REGISTRY.convert_results([stored(tool_result, payload_kind)], target)
    assert is_published(kind, converted)


@pytest.mark.parametrize(
    ("broken", "kind"),
    [
        ({"role": "tool", "tool_call_id": "c", "content": {"a": 1}}, "chat result"),
        (
            {"role": "tool", "tool_call_id": "c", "content": [{"type": "text"}]},
            "chat result",
        ),
        ({"role": "tool", "call_id": "c", "content": "x"}, "chat result"),
        ({"type": "function_call_output", "call_id": "c"}, "responses result"),
        (
            {"type": "function_call_output", "call_id": "c", "output": {"a": 1}},
            "responses result",
        ),
        (
            {"type": "function_call_output", "call_id": "c", "output": "x"},
            "responses custom result",
        ),
    ],
)
def test_the_published_types_refuse_broken_results(
    broken: JSONObject, kind: str
) -> None:
    assert not is_published(kind, broken)
