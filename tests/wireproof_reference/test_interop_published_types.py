"""What the registry gives, judged by the types that the provider publishes (INT-S9).

The published types stand in the `openai` package and know nothing of this project.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from openai.types.chat import (
    ChatCompletionCustomToolParam,
    ChatCompletionFunctionToolParam,
    ChatCompletionMessageCustomToolCallParam,
    ChatCompletionMessageFunctionToolCallParam,
    ChatCompletionToolMessageParam,
)
from openai.types.responses import (
    CustomToolParam,
    FunctionToolParam,
    ResponseCustomToolCallOutputParam,
    ResponseCustomToolCallParam,
    ResponseFunctionToolCallParam,
)
from openai.types.responses.response_input_item_param import FunctionCallOutput
from pydantic import TypeAdapter, ValidationError

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

REGISTRY = DEFAULT_TOOL_INTEROP_REGISTRY

SCHEMA_TYPES: dict[str, TypeAdapter[Any]] = {
    CHAT_FUNCTION: TypeAdapter(ChatCompletionFunctionToolParam),
    CHAT_CUSTOM: TypeAdapter(ChatCompletionCustomToolParam),
    RESPONSES_FUNCTION: TypeAdapter(FunctionToolParam),
    RESPONSES_CUSTOM: TypeAdapter(CustomToolParam),
}
CHAT_FUNCTION_CALL: TypeAdapter[Any] = TypeAdapter(
    ChatCompletionMessageFunctionToolCallParam
)
CHAT_CUSTOM_CALL: TypeAdapter[Any] = TypeAdapter(
    ChatCompletionMessageCustomToolCallParam
)
RESPONSES_FUNCTION_CALL: TypeAdapter[Any] = TypeAdapter(ResponseFunctionToolCallParam)
RESPONSES_CUSTOM_CALL: TypeAdapter[Any] = TypeAdapter(ResponseCustomToolCallParam)
CHAT_RESULT: TypeAdapter[Any] = TypeAdapter(ChatCompletionToolMessageParam)
RESPONSES_RESULT: TypeAdapter[Any] = TypeAdapter(FunctionCallOutput)
RESPONSES_CUSTOM_RESULT: TypeAdapter[Any] = TypeAdapter(
    ResponseCustomToolCallOutputParam
)

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


def is_published(kind: TypeAdapter[Any], value: JSON) -> bool:
    """Whether a value is of a published type, and holds nothing beyond it."""
    try:
        parsed = kind.validate_python(value, strict=True, extra="forbid")
        # The parts of a content are validated only when they are asked for.
        list(parsed.get("content", ()))
        list(parsed.get("output", ()))
    except ValidationError:
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
        (CHAT_CALL, CHAT, CHAT_FUNCTION_CALL),
        (CHAT_CALL, RESPONSES, RESPONSES_FUNCTION_CALL),
        (CHAT_RAW_CALL, CHAT, CHAT_CUSTOM_CALL),
        (CHAT_RAW_CALL, RESPONSES, RESPONSES_CUSTOM_CALL),
        (ITEM, CHAT, CHAT_FUNCTION_CALL),
        (ITEM, RESPONSES, RESPONSES_FUNCTION_CALL),
        (RAW_ITEM, CHAT, CHAT_CUSTOM_CALL),
        (RAW_ITEM, RESPONSES, RESPONSES_CUSTOM_CALL),
        ({**ITEM, "arguments": {"a": 1}}, CHAT, CHAT_FUNCTION_CALL),
    ],
)
def test_calls_are_what_the_provider_publishes(
    call: JSONObject, target: str, kind: TypeAdapter[Any]
) -> None:
    [converted] = REGISTRY.convert_tool_calls([call], target)
    assert is_published(kind, converted)


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (
            {"id": "c", "type": "function", "function": {"name": "f"}},
            CHAT_FUNCTION_CALL,
        ),
        ({**ITEM, "arguments": None}, RESPONSES_FUNCTION_CALL),
        ({**ITEM, "arguments": {"a": 1}}, RESPONSES_FUNCTION_CALL),
    ],
)
def test_sanitised_calls_are_what_the_provider_publishes(
    call: JSONObject, kind: TypeAdapter[Any]
) -> None:
    assert not is_published(kind, call)
    assert is_published(kind, REGISTRY.sanitize_tool_call(call))


@pytest.mark.parametrize(
    ("broken", "kind"),
    [
        (ITEM, CHAT_FUNCTION_CALL),
        (CHAT_CALL, RESPONSES_FUNCTION_CALL),
        ({**CHAT_CALL, "call_id": "call_1"}, CHAT_FUNCTION_CALL),
        (CHAT_RAW_CALL, CHAT_FUNCTION_CALL),
        ({**RAW_ITEM, "input": {"a": 1}}, RESPONSES_CUSTOM_CALL),
        ({**RAW_ITEM, "arguments": "{}"}, RESPONSES_CUSTOM_CALL),
    ],
)
def test_the_published_types_refuse_broken_calls(
    broken: JSONObject, kind: TypeAdapter[Any]
) -> None:
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
        ("object", CHAT, CHAT_RESULT),
        ("text", CHAT, CHAT_RESULT),
        ("object", RESPONSES, RESPONSES_RESULT),
        ("text", RESPONSES, RESPONSES_CUSTOM_RESULT),
    ],
)
def test_results_are_what_the_provider_publishes(
    tool_result: JSONObject, payload_kind: str, target: str, kind: TypeAdapter[Any]
) -> None:
    [converted] = REGISTRY.convert_results([stored(tool_result, payload_kind)], target)
    assert is_published(kind, converted)


@pytest.mark.parametrize(
    ("broken", "kind"),
    [
        ({"role": "tool", "tool_call_id": "c", "content": {"a": 1}}, CHAT_RESULT),
        (
            {"role": "tool", "tool_call_id": "c", "content": [{"type": "text"}]},
            CHAT_RESULT,
        ),
        ({"role": "tool", "call_id": "c", "content": "x"}, CHAT_RESULT),
        ({"type": "function_call_output", "call_id": "c"}, RESPONSES_RESULT),
        (
            {"type": "function_call_output", "call_id": "c", "output": {"a": 1}},
            RESPONSES_RESULT,
        ),
        (
            {"type": "function_call_output", "call_id": "c", "output": "x"},
            RESPONSES_CUSTOM_RESULT,
        ),
    ],
)
def test_the_published_types_refuse_broken_results(
    broken: JSONObject, kind: TypeAdapter[Any]
) -> None:
    assert not is_published(kind, broken)
