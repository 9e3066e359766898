from __future__ import annotations

import pytest

from wireproof_reference.framing import JSON, JSONObject
from wireproof_reference.interop import (
    BUILT_IN_CONTRIBUTION,
    CHAT,
    CHAT_FUNCTION,
    DEFAULT_TOOL_INTEROP_REGISTRY,
    RESPONSES,
    RESPONSES_FUNCTION,
    CallInspection,
    ToolCallAccessor,
    ToolInteropContribution,
    ToolResultAdapter,
    ToolSchemaAdapter,
    compose_registry,
)

FLAT: JSONObject = {"type": "function", "name": "f"}
CALL: JSONObject = {"type": "function", "function": {"name": "f", "arguments": "{}"}}
RESULT: JSONObject = {
    "role": "tool",
    "toolResult": {"type": "tool_result", "text": "x"},
    "metadata": {"tool_call_id": "c"},
}


def is_call(obj: JSON) -> bool:
    return obj == CALL


def layer(name: str) -> ToolInteropContribution:
    meaning = CallInspection("c", name, {}, "object", CHAT, {})
    return ToolInteropContribution(
        schema_adapters=(
            ToolSchemaAdapter(RESPONSES_FUNCTION, CHAT_FUNCTION, lambda obj: name),
        ),
        call_accessors=(ToolCallAccessor(CHAT, is_call, lambda obj: meaning),),
        result_adapters=(
            ToolResultAdapter("tool_result", RESPONSES, lambda obj: name),
        ),
    )


CONFIG = layer("config")
PROVIDER = layer("provider")
EXTENSION = layer("extension")
TOOL = layer("tool")


@pytest.mark.parametrize(
    ("layers", "first"),
    [
        (
            {
                "tool": [TOOL],
                "provider_extension": [EXTENSION],
                "provider": [PROVIDER],
                "config": [CONFIG],
            },
            "config",
        ),
        (
            {
                "tool": [TOOL],
                "provider_extension": [EXTENSION],
                "provider": [PROVIDER],
            },
            "provider",
        ),
        ({"tool": [TOOL], "provider_extension": [EXTENSION]}, "extension"),
        ({"tool": [TOOL]}, "tool"),
        ({"tool": [TOOL, CONFIG]}, "tool"),
    ],
)
def test_an_earlier_layer_overrides_a_later_one(
    layers: dict[str, list[ToolInteropContribution]], first: str
) -> None:
    registry = compose_registry(**layers)
    assert registry.convert_schemas([FLAT], CHAT) == [first]
    assert registry.inspect_call(CALL).tool_name == first
    assert registry.convert_results([RESULT], RESPONSES) == [
        {"type": "function_call_output", "call_id": "c", "output": first}
    ]


def test_what_no_layer_overrides_is_built_in() -> None:
    registry = compose_registry(config=[CONFIG])
    schema: JSONObject = {"type": "function", "function": {"name": "f"}}
    assert registry.convert_schemas([schema], RESPONSES) == [{**FLAT, "strict": False}]


def test_composing_changes_no_other_registry() -> None:
    other = compose_registry(tool=[TOOL])
    compose_registry(config=[CONFIG])
    nested: JSONObject = {"type": "function", "function": {"name": "f"}}
    assert other.convert_schemas([FLAT], CHAT) == ["tool"]
    assert DEFAULT_TOOL_INTEROP_REGISTRY.convert_schemas([FLAT], CHAT) == [nested]
    assert compose_registry().convert_schemas([FLAT], CHAT) == [nested]


def test_contributions_may_come_from_an_iterator() -> None:
    registry = compose_registry(tool=iter([TOOL]))
    assert registry.convert_schemas([FLAT], CHAT) == ["tool"]


def test_the_built_in_formats_are_a_contribution_like_others() -> None:
    assert [one.format for one in BUILT_IN_CONTRIBUTION.schema_accessors] == [
        "openai.chat_completions.function",
        "openai.responses.function",
        "openai.chat_completions.custom",
        "openai.responses.custom",
    ]
    assert [one.format for one in BUILT_IN_CONTRIBUTION.call_accessors] == [
        "openai.chat_completions",
        "openai.responses",
    ]
    assert [one.format for one in BUILT_IN_CONTRIBUTION.result_accessors] == [
        "tool_result",
        "provider_native_tool_result",
    ]
