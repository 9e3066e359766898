from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wireproof_reference.framing import JSON, JSONObject
from wireproof_reference.interop import (
    CHAT,
    DEFAULT_TOOL_INTEROP_REGISTRY,
    RESPONSES,
    CallInspection,
    MalformedCallError,
)
from wireproof_reference.interop.core._calls import CALL_ACCESSORS

REGISTRY = DEFAULT_TOOL_INTEROP_REGISTRY


def chat_function(arguments: JSON) -> JSONObject:
    function: JSONObject = {"name": "read_file", "arguments": arguments}
    return {"id": "call_1", "type": "function", "function": function}


def item_function(arguments: JSON) -> JSONObject:
    return {
        "type": "function_call",
        "call_id": "call_1",
        "name": "read_file",
        "arguments": arguments,
    }


def chat_custom(raw: JSON) -> JSONObject:
    custom: JSONObject = {"name": "apply_patch", "input": raw}
    return {"id": "call_1", "type": "custom", "custom": custom}


def item_custom(raw: JSON) -> JSONObject:
    return {
        "type": "custom_tool_call",
        "call_id": "call_1",
        "name": "apply_patch",
        "input": raw,
    }


TEXTS = st.text(st.characters(codec=None))


@given(TEXTS)
def test_arguments_are_kept_as_they_are_written_there_and_back(text: str) -> None:
    chat = [chat_function(text), chat_custom(text)]
    items = [item_function(text), item_custom(text)]
    assert REGISTRY.convert_tool_calls(chat, RESPONSES) == items
    assert REGISTRY.convert_tool_calls(items, CHAT) == chat


@pytest.mark.parametrize(
    ("call", "target"),
    [
        ({**chat_function('{"a":'), "index": 3}, CHAT),
        (chat_function({"path": 1}), CHAT),
        ({"function": {"name": "f", "arguments": ""}}, CHAT),
        (chat_custom("{ }"), CHAT),
        ({**item_function("{}"), "id": "fc_1", "status": "completed"}, RESPONSES),
        ({**item_custom("x"), "id": "ctc_1"}, RESPONSES),
        ({"type": "function_call"}, RESPONSES),
    ],
)
def test_a_call_of_the_target_is_unchanged(call: JSONObject, target: str) -> None:
    before = copy.deepcopy(call)
    [same] = REGISTRY.convert_tool_calls([call], target)
    assert same == before
    assert same is not call


def test_what_an_item_has_beside_the_call_stays_with_responses() -> None:
    items = [
        {**item_function("{}"), "id": "fc_1", "status": "completed"},
        {**item_custom("x"), "id": "ctc_1", "namespace": "n"},
    ]
    assert REGISTRY.convert_tool_calls(items, CHAT) == [
        chat_function("{}"),
        chat_custom("x"),
    ]


def test_a_chat_call_without_type_is_a_function_call() -> None:
    call: JSONObject = {
        "id": "call_1",
        "function": {"name": "read_file", "arguments": "{}"},
    }
    assert REGISTRY.convert_tool_calls([call], RESPONSES) == [item_function("{}")]


def test_arguments_that_are_an_object_become_its_text() -> None:
    assert REGISTRY.convert_tool_calls([item_function({"a": [1, "ü"]})], CHAT) == [
        chat_function('{"a":[1,"ü"]}')
    ]
    assert REGISTRY.convert_tool_calls([chat_function({"a": 1.5})], RESPONSES) == [
        item_function('{"a":1.5}')
    ]


def test_arguments_that_are_an_object_without_a_text_are_refused() -> None:
    with pytest.raises(MalformedCallError) as caught:
        REGISTRY.convert_tool_calls([item_function({"a": float("nan")})], CHAT)
    assert str(caught.value) == (
        "the arguments have no JSON text: nan has no JSON text"
        " (tool read_file, format openai.responses)"
    )


@pytest.mark.parametrize(
    ("call", "meaning"),
    [
        (
            chat_function('{"path": "README.md"}'),
            CallInspection(
                "call_1", "read_file", {"path": "README.md"}, "object", CHAT, {}
            ),
        ),
        (
            {**item_function("{}"), "id": "fc_1", "status": "completed"},
            CallInspection(
                "call_1",
                "read_file",
                {},
                "object",
                RESPONSES,
                {"id": "fc_1", "status": "completed"},
            ),
        ),
        (
            {**chat_function('{"n":18446744073709551617}'), "index": 2},
            CallInspection(
                "call_1", "read_file", {"n": 2**64 + 1}, "object", CHAT, {"index": 2}
            ),
        ),
        (
            chat_custom('{"a": 1}'),
            CallInspection("call_1", "apply_patch", '{"a": 1}', "text", CHAT, {}),
        ),
        (
            item_custom(" *** Begin\r\n\0"),
            CallInspection(
                "call_1", "apply_patch", " *** Begin\r\n\0", "text", RESPONSES, {}
            ),
        ),
        (
            item_custom(""),
            CallInspection("call_1", "apply_patch", "", "text", RESPONSES, {}),
        ),
    ],
)
def test_a_call_tells_what_it_means(call: JSONObject, meaning: CallInspection) -> None:
    assert REGISTRY.inspect_call(call) == meaning


def test_arguments_that_are_an_object_are_the_payload_in_copy() -> None:
    arguments: JSONObject = {"path": ["a"]}
    payload = REGISTRY.inspect_call(item_function(arguments)).payload
    assert payload == {"path": ["a"]}
    assert payload is not arguments


@pytest.mark.parametrize("arguments", ['{"path":', "[1]", "", "null", '{"a":NaN}'])
def test_arguments_that_are_no_json_object_cannot_be_inspected(arguments: str) -> None:
    with pytest.raises(MalformedCallError) as caught:
        REGISTRY.inspect_call(chat_function(arguments))
    assert caught.value.tool == "read_file"
    assert caught.value.format == CHAT
    assert caught.value.detail.startswith("the arguments are not a JSON object: ")


def test_arguments_that_cannot_be_sent_cannot_be_inspected() -> None:
    with pytest.raises(MalformedCallError, match="surrogates not allowed"):
        REGISTRY.inspect_call(item_function('{"a":"\ud800"}'))


@pytest.mark.parametrize(
    ("call", "target", "tool", "detail"),
    [
        (
            {"type": "function"},
            RESPONSES,
            None,
            "function must be an object, not null",
        ),
        (
            {"type": "custom", "custom": "x"},
            RESPONSES,
            None,
            "custom must be an object, not x",
        ),
        (
            {"type": "function", "function": {"arguments": "{}"}, "id": "c"},
            RESPONSES,
            None,
            "the name in a call must be a text, not null",
        ),
        (
            {"type": "function_call", "name": "f", "arguments": "{}"},
            CHAT,
            "f",
            "the id of a call must be a text, not null",
        ),
        (
            {"type": "function_call", "name": "f", "call_id": "c"},
            CHAT,
            "f",
            "the arguments must be JSON text, not null",
        ),
        (
            {"type": "function_call", "name": "f", "call_id": "c", "arguments": [1]},
            CHAT,
            "f",
            "the arguments must be JSON text, not an array",
        ),
        (
            item_custom({"a": 1}),
            CHAT,
            "apply_patch",
            "the input of a call must be a text, not an object",
        ),
        (
            chat_custom(None),
            RESPONSES,
            "apply_patch",
            "the input of a call must be a text, not null",
        ),
    ],
)
def test_a_call_without_its_parts_is_neither_inspected_nor_converted(
    call: JSONObject, target: str, tool: str | None, detail: str
) -> None:
    with pytest.raises(MalformedCallError) as inspecting:
        REGISTRY.inspect_call(call)
    with pytest.raises(MalformedCallError) as converting:
        REGISTRY.convert_tool_calls([call], target)
    assert (inspecting.value.detail, inspecting.value.tool) == (detail, tool)
    assert (converting.value.detail, converting.value.tool) == (detail, tool)


@pytest.mark.parametrize(
    "call", [None, [], "function", 3, {}, {"type": "x"}, {"function": "f"}]
)
def test_other_values_match_no_format(call: JSON) -> None:
    assert not any(accessor.matches(call) for accessor in CALL_ACCESSORS)


@given(st.lists(st.sampled_from([chat_function("{}"), item_custom("x")])))
def test_order_number_and_sources_are_kept(calls: list[JSON]) -> None:
    before = copy.deepcopy(calls)
    there = REGISTRY.convert_tool_calls(calls, RESPONSES)
    assert calls == before
    assert len(there) == len(calls)
    assert [REGISTRY.inspect_call(call).tool_name for call in there] == [
        REGISTRY.inspect_call(call).tool_name for call in calls
    ]
