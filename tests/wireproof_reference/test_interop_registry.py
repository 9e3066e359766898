from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from wireproof_reference.framing import JSON, JSONObject
from wireproof_reference.interop import (
    CHAT,
    CHAT_CUSTOM,
    CHAT_FUNCTION,
    CORE,
    DEFAULT_TOOL_INTEROP_REGISTRY,
    RESPONSES,
    RESPONSES_CUSTOM,
    RESPONSES_FUNCTION,
    CallInspection,
    InteropError,
    NoAdapterError,
    ResultInspection,
    SchemaInspection,
    ToolCallAccessor,
    ToolCallAdapter,
    ToolInteropContribution,
    ToolInteropRegistry,
    ToolInteropTarget,
    ToolResultAccessor,
    ToolResultAdapter,
    ToolSchemaAccessor,
    ToolSchemaAdapter,
    UnknownFormatError,
    UnknownTargetError,
    compose_registry,
)

REGISTRY = DEFAULT_TOOL_INTEROP_REGISTRY

NESTED: JSONObject = {"type": "function", "function": {"name": "f"}}
FLAT: JSONObject = {"type": "function", "name": "f"}
CUSTOM: JSONObject = {"type": "custom", "name": "t"}
NESTED_CUSTOM: JSONObject = {"type": "custom", "custom": {"name": "t"}}


@pytest.mark.parametrize(
    ("schema", "target", "accepted"),
    [
        (NESTED, CHAT, None),
        ({**NESTED, "unknown": [1]}, CHAT, [RESPONSES_FUNCTION, CHAT_FUNCTION]),
        (FLAT, RESPONSES, None),
        (CUSTOM, RESPONSES, None),
        (CUSTOM, CHAT, [CHAT_FUNCTION, RESPONSES_CUSTOM]),
        (NESTED_CUSTOM, CHAT, [CHAT_FUNCTION, CHAT_CUSTOM]),
    ],
)
def test_an_accepted_schema_is_passed_through_as_a_copy(
    schema: JSONObject, target: str, accepted: list[str] | None
) -> None:
    before = copy.deepcopy(schema)
    [same] = REGISTRY.convert_schemas([schema], target, accepted)
    assert same == before
    assert same is not schema


@pytest.mark.parametrize(
    ("schema", "accepted", "expected"),
    [
        (FLAT, [CHAT_FUNCTION, CHAT_CUSTOM], NESTED),
        (FLAT, ["new.format", CHAT_FUNCTION], NESTED),
        (CUSTOM, [CHAT_CUSTOM, CHAT_FUNCTION], NESTED_CUSTOM),
        (NESTED_CUSTOM, [RESPONSES_CUSTOM, RESPONSES_FUNCTION], CUSTOM),
        (NESTED_CUSTOM, [RESPONSES_FUNCTION, RESPONSES_CUSTOM], CUSTOM),
    ],
)
def test_the_first_accepted_format_within_reach_is_taken(
    schema: JSONObject, accepted: list[str], expected: JSONObject
) -> None:
    assert REGISTRY.convert_schemas([schema], CHAT, accepted) == [expected]


def test_a_custom_tool_stays_custom_where_chat_takes_custom_tools() -> None:
    [schema] = REGISTRY.convert_schemas([CUSTOM], CHAT, [CHAT_FUNCTION, CHAT_CUSTOM])
    assert REGISTRY.inspect_schema(schema).format == CHAT_CUSTOM


def test_a_custom_tool_becomes_the_function_that_is_preferred() -> None:
    formats = [RESPONSES_FUNCTION, CHAT_FUNCTION]
    [schema] = REGISTRY.convert_schemas([CUSTOM], CHAT, formats)
    assert REGISTRY.inspect_schema(schema).format == RESPONSES_FUNCTION


def test_without_formats_each_target_has_its_own() -> None:
    schemas: list[JSON] = [NESTED, FLAT, NESTED_CUSTOM, CUSTOM]
    chat = REGISTRY.convert_schemas(schemas, CHAT)
    responses = REGISTRY.convert_schemas(schemas, RESPONSES)
    assert [REGISTRY.inspect_schema(one).format for one in chat] == [
        CHAT_FUNCTION,
        CHAT_FUNCTION,
        CHAT_FUNCTION,
        CHAT_FUNCTION,
    ]
    assert [REGISTRY.inspect_schema(one).format for one in responses] == [
        RESPONSES_FUNCTION,
        RESPONSES_FUNCTION,
        RESPONSES_CUSTOM,
        RESPONSES_CUSTOM,
    ]


def test_a_target_may_be_an_object() -> None:
    chat = ToolInteropTarget(CHAT)
    call: JSON = {"type": "function_call", "call_id": "c", "name": "f", "arguments": ""}
    assert REGISTRY.convert_schemas([FLAT], target=chat) == [NESTED]
    assert REGISTRY.convert_tool_calls([call], target=chat) == [
        {"id": "c", "type": "function", "function": {"name": "f", "arguments": ""}}
    ]
    assert REGISTRY.convert_results([], target=ToolInteropTarget(CORE)) == []


def test_tuples_are_taken_for_lists() -> None:
    assert REGISTRY.convert_schemas((FLAT,), CHAT, (CHAT_FUNCTION,)) == [NESTED]
    assert REGISTRY.convert_tool_calls((), CHAT) == []


def test_a_schema_of_unknown_format_is_named() -> None:
    with pytest.raises(UnknownFormatError) as caught:
        REGISTRY.convert_schemas([NESTED, {"type": "web_search", "name": "find"}], CHAT)
    assert str(caught.value) == (
        "no accessor knows a schema of type web_search"
        " (tool find, target openai.chat_completions)"
    )


def test_a_schema_that_reaches_no_accepted_format_is_named() -> None:
    with pytest.raises(NoAdapterError) as caught:
        REGISTRY.convert_schemas([NESTED], CHAT, [CHAT_CUSTOM])
    assert str(caught.value) == (
        "no adapter leads from a schema of type function to one of"
        " openai.chat_completions.custom (tool f,"
        " format openai.chat_completions.function, target openai.chat_completions)"
    )


def test_where_nothing_is_accepted_everything_is_refused() -> None:
    with pytest.raises(NoAdapterError, match="to one of no formats"):
        REGISTRY.convert_schemas([CUSTOM], CHAT, [])


@pytest.mark.parametrize(
    ("schemas", "accepted", "text"),
    [
        ("ab", None, "schemas must be a list, not ab"),
        ([FLAT], "openai", "target formats must be a list, not openai"),
    ],
)
def test_what_is_no_list_is_refused(
    schemas: list[JSON], accepted: list[str], text: str
) -> None:
    with pytest.raises(InteropError) as caught:
        REGISTRY.convert_schemas(schemas, CHAT, accepted)
    assert str(caught.value) == text


@pytest.mark.parametrize(
    "target", ["openai", "anthropic.messages", "", "openai.responses.", 5, None]
)
def test_an_unknown_target_is_named_even_for_nothing(target: str) -> None:
    for convert in (
        REGISTRY.convert_schemas,
        REGISTRY.convert_tool_calls,
        REGISTRY.convert_results,
    ):
        with pytest.raises(UnknownTargetError, match="the target is unknown") as caught:
            convert([], target)
        assert caught.value.target == target


def test_schemas_and_calls_are_not_for_core() -> None:
    with pytest.raises(UnknownTargetError):
        REGISTRY.convert_schemas([], CORE)
    with pytest.raises(UnknownTargetError):
        REGISTRY.convert_tool_calls([], CORE)


def test_stored_results_are_no_target() -> None:
    with pytest.raises(UnknownTargetError):
        REGISTRY.convert_results([], "tool_result")


@pytest.mark.parametrize("call", [{"type": "web_search_call", "name": "f"}, {}, "x"])
def test_unknown_calls_are_refused(call: JSON) -> None:
    with pytest.raises(UnknownFormatError):
        REGISTRY.convert_tool_calls([call], CHAT)
    with pytest.raises(UnknownFormatError):
        REGISTRY.inspect_call(call)


def test_a_registry_repairs_calls() -> None:
    assert REGISTRY.sanitize_tool_call({"type": "function_call", "arguments": "{"}) == {
        "type": "function_call",
        "arguments": "{}",
    }


@pytest.mark.parametrize("store", [json.dumps, pickle.dumps, copy.deepcopy, copy.copy])
def test_a_registry_cannot_be_stored(store: Callable[[object], object]) -> None:
    with pytest.raises(TypeError):
        store(REGISTRY)


def test_a_registry_tells_the_schema_formats_that_it_knows() -> None:
    assert REGISTRY.schema_formats == (
        CHAT_FUNCTION,
        RESPONSES_FUNCTION,
        CHAT_CUSTOM,
        RESPONSES_CUSTOM,
    )


def is_acme(obj: JSON) -> bool:
    return isinstance(obj, dict) and obj.get("type") == "acme"


def acme_schema(kind: str) -> ToolSchemaAccessor:
    meaning = SchemaInspection("f", None, None, kind, "acme.tool")  # type: ignore[arg-type] # either kind
    return ToolSchemaAccessor("acme.tool", is_acme, lambda obj: meaning)


def acme_schemas(kind: str) -> ToolInteropContribution:
    return ToolInteropContribution(
        schema_accessors=(acme_schema(kind),),
        schema_adapters=(
            ToolSchemaAdapter("acme.tool", RESPONSES_FUNCTION, lambda obj: FLAT),
            ToolSchemaAdapter("acme.tool", RESPONSES_CUSTOM, lambda obj: CUSTOM),
            ToolSchemaAdapter(CHAT_FUNCTION, "acme.tool", lambda obj: {"type": "acme"}),
        ),
    )


@pytest.mark.parametrize(("kind", "expected"), [("object", FLAT), ("text", CUSTOM)])
def test_a_contributed_schema_stays_freeform_where_responses_takes_it(
    kind: str, expected: JSONObject
) -> None:
    registry = compose_registry(tool=[acme_schemas(kind)])
    assert registry.convert_schemas([{"type": "acme"}], RESPONSES) == [expected]


def test_a_contributed_schema_goes_only_where_an_adapter_leads() -> None:
    registry = compose_registry(tool=[acme_schemas("object")])
    with pytest.raises(NoAdapterError, match="type acme"):
        registry.convert_schemas([{"type": "acme", "name": "f"}], CHAT)


@pytest.mark.parametrize("target", ["acme", "acme.tool"])
def test_a_contributed_target_accepts_its_formats(target: str) -> None:
    registry = compose_registry(provider=[acme_schemas("object")])
    assert registry.convert_schemas([NESTED], target) == [{"type": "acme"}]


ACME_CALL = CallInspection("c", "f", "raw", "text", "acme.call", {})
ITEM: JSONObject = {
    "type": "custom_tool_call",
    "call_id": "c",
    "name": "f",
    "input": "raw",
}
ACME_CALLS = ToolInteropContribution(
    call_accessors=(ToolCallAccessor("acme.call", is_acme, lambda obj: ACME_CALL),),
    call_adapters=(
        ToolCallAdapter("acme.call", RESPONSES, lambda obj: ITEM),
        ToolCallAdapter(RESPONSES, "acme.call", lambda obj: {"type": "acme"}),
    ),
)


def test_a_contributed_call_goes_only_where_an_adapter_leads() -> None:
    registry = compose_registry(tool=[ACME_CALLS])
    assert registry.inspect_call({"type": "acme"}) is ACME_CALL
    assert registry.convert_tool_calls([{"type": "acme"}], RESPONSES) == [ITEM]
    assert registry.convert_tool_calls([ITEM], "acme.call") == [{"type": "acme"}]
    with pytest.raises(NoAdapterError) as caught:
        registry.convert_tool_calls([{"type": "acme", "name": "f"}], CHAT)
    assert str(caught.value) == (
        "no adapter leads from a call of type acme"
        " (tool f, format acme.call, target openai.chat_completions)"
    )


def test_contributed_calls_tell_that_they_were_freeform() -> None:
    registry = compose_registry(tool=[ACME_CALLS])
    result = stored({"type": "tool_result", "text": "x"})
    assert registry.convert_results([result], RESPONSES, [{"type": "acme"}]) == [
        {"type": "custom_tool_call_output", "call_id": "c", "output": "x"}
    ]


def stored(tool_result: JSON) -> JSONObject:
    metadata: JSONObject = {"tool_call_id": "c"}
    return {"role": "tool", "toolResult": tool_result, "metadata": metadata}


ACME_TEXT = ResultInspection("text", "the text", None, None)


@pytest.mark.parametrize(
    ("gives", "output"),
    [
        ("text", "text"),
        ([{"type": "input_text", "text": "x"}], [{"type": "input_text", "text": "x"}]),
        ({"type": "tool_result", "text": "text"}, "text"),
        (
            {
                "type": "provider_native_tool_result",
                "format": RESPONSES,
                "content": ["x"],
            },
            ["x"],
        ),
    ],
)
def test_a_contributed_result_is_sent_as_its_adapter_gives_it(
    gives: JSON, output: JSON
) -> None:
    contribution = ToolInteropContribution(
        result_accessors=(
            ToolResultAccessor("acme.result", is_acme, lambda obj: ACME_TEXT),
        ),
        result_adapters=(
            ToolResultAdapter("acme.result", RESPONSES, lambda obj: gives),
        ),
    )
    registry = compose_registry(tool=[contribution])
    assert registry.convert_results([stored({"type": "acme"})], RESPONSES) == [
        {"type": "function_call_output", "call_id": "c", "output": output}
    ]
    assert registry.convert_results([stored({"type": "acme"})], CHAT) == [
        {"role": "tool", "content": "the text", "tool_call_id": "c"}
    ]


def test_an_adapter_may_take_the_envelopes_of_a_format() -> None:
    contribution = ToolInteropContribution(
        result_adapters=(
            ToolResultAdapter("acme.result", CHAT, lambda obj: ["adapted"]),
        )
    )
    envelope: JSON = {
        "type": "provider_native_tool_result",
        "format": "acme.result",
        "content": {},
    }
    registry = compose_registry(provider_extension=[contribution])
    assert registry.convert_results([stored(envelope)], CHAT) == [
        {"role": "tool", "content": ["adapted"], "tool_call_id": "c"}
    ]


def test_for_a_contributed_target_the_content_is_given_bare() -> None:
    contribution = ToolInteropContribution(
        result_adapters=(
            ToolResultAdapter("tool_result", "acme", lambda obj: ["native"]),
        )
    )
    registry = compose_registry(provider=[contribution])
    result = stored({"type": "tool_result", "text": "x"})
    assert registry.convert_results([result], "acme") == [["native"]]


def test_an_unknown_result_without_a_text_is_refused() -> None:
    with pytest.raises(UnknownFormatError, match="type acme"):
        REGISTRY.convert_results([stored({"type": "acme"})], CHAT)


def refuse(obj: JSON) -> JSON:
    raise AssertionError("a schema or call adapter was asked")


def test_results_never_ask_adapters_for_schemas_and_calls() -> None:
    contribution = ToolInteropContribution(
        schema_adapters=(
            ToolSchemaAdapter("tool_result", CHAT, refuse),
            ToolSchemaAdapter("provider_native_tool_result", CHAT, refuse),
        ),
        call_adapters=(
            ToolCallAdapter("tool_result", CHAT, refuse),
            ToolCallAdapter(RESPONSES, CHAT, refuse),
        ),
    )
    registry = compose_registry(config=[contribution])
    results = [stored({"type": "tool_result", "text": "x"})]
    assert registry.convert_results([*results], CHAT, [ITEM]) == [
        {"role": "tool", "content": "x", "tool_call_id": "c"}
    ]


@dataclass
class Duck:
    """Has the names of an accessor, and is none of ours."""

    format: str = "duck"

    def matches(self, obj: JSON) -> bool:
        return obj == {"type": "duck"}

    def inspect(self, obj: JSON) -> SchemaInspection:
        return SchemaInspection("quack", None, None, "object", "duck")


def test_anything_with_the_right_names_can_be_contributed() -> None:
    registry = ToolInteropRegistry(
        [ToolInteropContribution(schema_accessors=(Duck(),))]
    )
    assert registry.inspect_schema({"type": "duck"}).name == "quack"


def test_a_call_of_the_target_is_passed_through_as_a_copy() -> None:
    [same] = REGISTRY.convert_tool_calls([ITEM], RESPONSES)
    assert same == ITEM
    assert same is not ITEM


def test_a_result_is_inspected_stored_or_in_its_message() -> None:
    text: JSON = {"type": "tool_result", "text": "x"}
    assert REGISTRY.inspect_result(text).text == "x"
    assert REGISTRY.inspect_result(stored(text)).text == "x"


def test_an_envelope_of_the_target_asks_no_adapter() -> None:
    envelope: JSON = {
        "type": "provider_native_tool_result",
        "format": CHAT,
        "content": ["native"],
    }
    assert REGISTRY.convert_results([stored(envelope)], CHAT) == [
        {"role": "tool", "content": ["native"], "tool_call_id": "c"}
    ]


def test_calls_that_cannot_be_read_tell_nothing_of_their_results() -> None:
    result = stored({"type": "tool_result", "text": "x"})
    assert REGISTRY.convert_results([result], RESPONSES, [{"type": "custom"}, 3]) == [
        {"type": "function_call_output", "call_id": "c", "output": "x"}
    ]


def test_an_unknown_result_with_a_text_is_sent_as_that() -> None:
    result: JSONObject = {**stored({"type": "acme"}), "content": "fallback"}
    assert REGISTRY.convert_results([result], RESPONSES) == [
        {"type": "function_call_output", "call_id": "c", "output": "fallback"}
    ]
