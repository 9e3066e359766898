from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wireproof_reference.framing import JSON, JSONObject
from wireproof_reference.interop import (
    CHAT,
    CORE,
    DEFAULT_TOOL_INTEROP_REGISTRY,
    RESPONSES,
    MalformedResultError,
    ResultInspection,
    UnknownFormatError,
)
from wireproof_reference.interop.core._results import text_parts

REGISTRY = DEFAULT_TOOL_INTEROP_REGISTRY

IMAGE_PARTS: JSON = [
    {"type": "text", "text": '<image path="/tmp/image.png">'},
    {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}},
    {"type": "text", "text": "</image>"},
]


def envelope(format_: str, content: JSON) -> JSONObject:
    return {
        "type": "provider_native_tool_result",
        "format": format_,
        "content": content,
    }


def stored(tool_result: JSON, **metadata: JSON) -> JSONObject:
    return {
        "role": "tool",
        "content": "fallback",
        "toolResult": tool_result,
        "metadata": {"tool_call_id": "c", "tool_name": "f", **metadata},
    }


def chat_message(content: JSON) -> JSONObject:
    return {
        "role": "tool",
        "content": content,
        "tool_call_id": "c",
        "_metadata": {"tool_name": "f"},
    }


def item(output: JSON, kind: str = "function_call_output") -> JSONObject:
    return {"type": kind, "call_id": "c", "output": output}


TEXTS = st.text(st.characters(codec=None))


@given(TEXTS)
def test_a_stored_text_is_sent_unchanged(text: str) -> None:
    result = stored({"type": "tool_result", "text": text})
    assert REGISTRY.convert_results([result], CHAT) == [chat_message(text)]
    assert REGISTRY.convert_results([result], RESPONSES) == [item(text)]


def test_an_envelope_of_the_target_stays_structured() -> None:
    chat = stored(envelope(CHAT, IMAGE_PARTS))
    responses = stored(envelope(RESPONSES, [{"type": "input_text", "text": "x"}]))
    assert REGISTRY.convert_results([chat], CHAT) == [chat_message(IMAGE_PARTS)]
    assert REGISTRY.convert_results([responses], RESPONSES) == [
        item([{"type": "input_text", "text": "x"}])
    ]


def test_an_attachment_reference_in_an_envelope_is_left_for_request_time() -> None:
    reference: JSON = {"type": "attachment_ref", "id": "a1", "media_type": "image/png"}
    result = stored(envelope(CHAT, [reference]))
    assert REGISTRY.convert_results([result], CHAT) == [chat_message([reference])]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (IMAGE_PARTS, '<image path="/tmp/image.png">\n</image>'),
        (
            [{"type": "input_text", "text": "a"}, {"type": "output_text", "text": "b"}],
            "a\nb",
        ),
        ({"type": "text", "text": "only"}, "only"),
        ("as text", "as text"),
        ([{"type": "image_url"}], "fallback"),
        ([{"type": "text", "text": 5}, {"type": "note", "text": "x"}, "y"], "fallback"),
        (None, "fallback"),
    ],
)
def test_an_envelope_of_another_format_becomes_its_text(
    content: JSON, text: str
) -> None:
    result = stored(envelope("other.format", content))
    assert REGISTRY.convert_results([result], CHAT) == [chat_message(text)]
    assert REGISTRY.convert_results([result], RESPONSES) == [item(text)]


def test_envelopes_of_one_provider_become_text_for_the_other() -> None:
    chat = stored(envelope(CHAT, [{"type": "text", "text": "a"}]))
    responses = stored(envelope(RESPONSES, [{"type": "input_text", "text": "b"}]))
    assert REGISTRY.convert_results([chat], RESPONSES) == [item("a")]
    assert REGISTRY.convert_results([responses], CHAT) == [chat_message("b")]


def test_an_envelope_with_neither_text_nor_fallback_is_an_empty_text() -> None:
    result: JSONObject = {
        "role": "tool",
        "toolResult": envelope("other.format", []),
        "metadata": {"tool_call_id": "c"},
    }
    assert REGISTRY.convert_results([result], RESPONSES) == [item("")]


@pytest.mark.parametrize("missing", ["content", "format"])
def test_an_envelope_without_its_parts_is_sent_as_the_fallback(missing: str) -> None:
    broken = envelope(CHAT, IMAGE_PARTS)
    del broken[missing]
    assert REGISTRY.convert_results([stored(broken)], CHAT) == [
        chat_message("fallback")
    ]


def test_a_message_without_a_stored_result_is_sent_as_the_fallback() -> None:
    result: JSONObject = {
        "role": "tool",
        "content": "text",
        "metadata": {"tool_call_id": "c"},
    }
    assert REGISTRY.convert_results([result], CHAT) == [
        {"role": "tool", "content": "text", "tool_call_id": "c"}
    ]


CUSTOM_CALL: JSONObject = {
    "id": "c",
    "type": "custom",
    "custom": {"name": "f", "input": "x"},
}
CUSTOM_ITEM: JSONObject = {
    "type": "custom_tool_call",
    "call_id": "c",
    "name": "f",
    "input": "x",
}
FUNCTION_CALL: JSONObject = {
    "id": "c",
    "type": "function",
    "function": {"name": "f", "arguments": "{}"},
}
BROKEN_CALL: JSONObject = {"type": "function_call", "call_id": "c", "arguments": "{"}
OTHER_CALL: JSONObject = {**CUSTOM_CALL, "id": "other"}


@pytest.mark.parametrize(
    ("calls", "metadata", "kind"),
    [
        ([CUSTOM_CALL], {}, "custom_tool_call_output"),
        ([CUSTOM_ITEM], {}, "custom_tool_call_output"),
        ([FUNCTION_CALL, OTHER_CALL], {}, "function_call_output"),
        ([OTHER_CALL], {}, "function_call_output"),
        ([], {}, "function_call_output"),
        (None, {}, "function_call_output"),
        (None, {"payload_kind": "text"}, "custom_tool_call_output"),
        (None, {"payload_kind": "object"}, "function_call_output"),
        (None, {"payload_kind": ["text"]}, "function_call_output"),
        ([OTHER_CALL], {"payload_kind": "text"}, "custom_tool_call_output"),
        ([BROKEN_CALL, 3], {"payload_kind": "text"}, "custom_tool_call_output"),
        ([FUNCTION_CALL], {"payload_kind": "text"}, "function_call_output"),
    ],
)
def test_the_result_of_a_custom_call_is_one(
    calls: list[JSON] | None, metadata: JSONObject, kind: str
) -> None:
    result = stored({"type": "tool_result", "text": "done"}, **metadata)
    assert REGISTRY.convert_results([result], RESPONSES, calls) == [item("done", kind)]
    assert REGISTRY.convert_results([result], CHAT, calls) == [chat_message("done")]


def given_result(result: JSON) -> JSONObject:
    return {"result": result, "tool_call_id": "c", "tool_name": "f"}


@pytest.mark.parametrize(
    ("result", "text"),
    [
        ("# Title\n", "# Title\n"),
        ("", ""),
        ({"path": "README.md", "n": 1.5}, '{"path":"README.md","n":1.5}'),
        ([1, "ü", None], '[1,"ü",null]'),
        (None, "null"),
        (True, "true"),
        (2**64, "18446744073709551616"),
        ({"type": "tool_result", "text": "x"}, '{"type":"tool_result","text":"x"}'),
        (
            {"type": "provider_native_tool_result", "format": "f"},
            '{"type":"provider_native_tool_result","format":"f"}',
        ),
        (
            {"type": "provider_native_tool_result", "format": 1, "content": []},
            '{"type":"provider_native_tool_result","format":1,"content":[]}',
        ),
    ],
)
def test_core_keeps_the_text_of_what_a_tool_gave(result: JSON, text: str) -> None:
    assert REGISTRY.convert_results([given_result(result)], CORE) == [
        {
            "role": "tool",
            "content": text,
            "toolResult": {"type": "tool_result", "text": text},
            "metadata": {"tool_call_id": "c", "tool_name": "f"},
        }
    ]


def test_core_keeps_an_envelope_beside_its_text() -> None:
    value = {**envelope(CHAT, IMAGE_PARTS), "extra": 1}
    [message] = REGISTRY.convert_results([given_result(value)], CORE)
    assert message == {
        "role": "tool",
        "content": '<image path="/tmp/image.png">\n</image>',
        "toolResult": {**envelope(CHAT, IMAGE_PARTS), "extra": 1},
        "metadata": {"tool_call_id": "c", "tool_name": "f"},
    }
    assert isinstance(message, dict)
    assert message["toolResult"] is not value


@pytest.mark.parametrize(
    ("call", "metadata"),
    [
        (CUSTOM_ITEM, {"tool_call_id": "c", "tool_name": "f", "payload_kind": "text"}),
        (FUNCTION_CALL, {"tool_call_id": "c", "tool_name": "f"}),
        (OTHER_CALL, {"tool_call_id": "c", "tool_name": "f"}),
    ],
)
def test_core_keeps_that_the_call_was_a_custom_one(
    call: JSONObject, metadata: JSONObject
) -> None:
    [message] = REGISTRY.convert_results([given_result("x")], CORE, [call])
    assert isinstance(message, dict)
    assert message["metadata"] == metadata


@pytest.mark.parametrize(
    ("value", "detail"),
    [
        ("x", "a result must be an object, not x"),
        ({"result": "x"}, "tool_call_id of a result must be a text, not null"),
        (
            {"result": "x", "tool_call_id": "c", "tool_name": 5},
            "tool_name of a result must be a text, not 5",
        ),
        ({"tool_call_id": "c", "tool_name": "f"}, "there is no result"),
        (
            given_result(float("nan")),
            "the result has no JSON text: nan has no JSON text",
        ),
    ],
)
def test_core_refuses_what_is_no_result(value: JSON, detail: str) -> None:
    with pytest.raises(MalformedResultError) as caught:
        REGISTRY.convert_results([value], CORE)
    assert (caught.value.detail, caught.value.target) == (detail, CORE)


@pytest.mark.parametrize(
    ("message", "detail", "tool"),
    [
        ("x", "a tool message must be an object, not x", None),
        ({"role": "tool"}, "metadata must be an object, not null", None),
        (
            {"metadata": {"tool_name": "f"}},
            "metadata.tool_call_id must be a text, not null",
            "f",
        ),
        (
            {"metadata": {"tool_name": "f", "tool_call_id": "c"}, "content": []},
            "a tool message without toolResult must have a text as content",
            "f",
        ),
        (
            stored({"type": "tool_result"}),
            "the text of a stored result must be a text, not null",
            None,
        ),
    ],
)
def test_what_is_no_core_message_is_refused(
    message: JSON, detail: str, tool: str | None
) -> None:
    with pytest.raises(MalformedResultError) as caught:
        REGISTRY.convert_results([message], CHAT)
    assert (caught.value.detail, caught.value.tool) == (detail, tool)


TEXT_MEANING = ResultInspection("text", "x", None, None)
NATIVE_MEANING = ResultInspection("native", "a", CHAT, [{"type": "text", "text": "a"}])


@pytest.mark.parametrize(
    ("result", "meaning"),
    [
        ({"type": "tool_result", "text": "x", "more": 1}, TEXT_MEANING),
        (stored({"type": "tool_result", "text": "x"}), TEXT_MEANING),
        (envelope(CHAT, [{"type": "text", "text": "a"}]), NATIVE_MEANING),
        (stored(envelope(CHAT, [{"type": "text", "text": "a"}])), NATIVE_MEANING),
        (envelope("x.y", {"a": 1}), ResultInspection("native", "", "x.y", {"a": 1})),
    ],
)
def test_a_stored_result_tells_what_it_means(
    result: JSON, meaning: ResultInspection
) -> None:
    assert REGISTRY.inspect_result(result) == meaning


@pytest.mark.parametrize(
    ("result", "detail"),
    [
        ("x", "a result must be an object, not x"),
        ({"path": "x"}, "no accessor knows a result of type none"),
        ({"type": "other"}, "no accessor knows a result of type other"),
        ({"role": "tool", "content": "x"}, "a result must be an object, not null"),
        (
            {"type": "provider_native_tool_result", "content": []},
            "no accessor knows a result of type provider_native_tool_result",
        ),
    ],
)
def test_what_is_not_stored_so_cannot_be_inspected(result: JSON, detail: str) -> None:
    with pytest.raises(UnknownFormatError) as caught:
        REGISTRY.inspect_result(result)
    assert caught.value.detail == detail


def test_text_parts_are_told_apart_from_others() -> None:
    assert text_parts(IMAGE_PARTS) == ['<image path="/tmp/image.png">', "</image>"]
    assert text_parts("x") == ["x"]
    assert text_parts(3) == []


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


@given(st.lists(st.lists(json_values) | st.just({"a": [1]}), max_size=4))
def test_order_number_and_values_are_kept_as_text(values: list[JSON]) -> None:
    before = copy.deepcopy(values)
    messages = REGISTRY.convert_results([given_result(value) for value in values], CORE)
    items = REGISTRY.convert_results(messages, RESPONSES)
    assert [json.loads(item["output"]) for item in items] == before  # type: ignore[call-overload,index,arg-type] # the test is that it is a text
    assert values == before
