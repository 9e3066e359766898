from __future__ import annotations

from copy import deepcopy

import pytest
from tests.wireproof_reference.interop_streams import (
    CHAT_CALLS,
    READ_FILE,
    RESPONSES_ITEMS,
    USER,
    function_item,
    message_item,
    text_part,
)

from wireproof_reference.framing import JSON, JSONObject
from wireproof_reference.interop import RESPONSES, RESPONSES_CUSTOM, RESPONSES_FUNCTION
from wireproof_reference.interop.providers import ResponsesProvider

PATCH: JSONObject = {
    "type": "custom",
    "name": "apply_patch",
    "format": {"type": "text"},
}
REASONING: JSONObject = {"type": "reasoning", "id": "rs_1", "summary": []}
BARE_CALLS: list[JSONObject] = [
    {
        "type": "function_call",
        "call_id": "call_1",
        "name": "read_file",
        "arguments": '{"path": "a.md"}',
    },
    {
        "type": "custom_tool_call",
        "call_id": "call_3",
        "name": "apply_patch",
        "input": '{"not": json',
    },
]
CUSTOM: JSONObject = {
    "id": "call_3",
    "type": "custom",
    "custom": {"name": "apply_patch", "input": '{"not": json'},
}
HISTORY: list[JSON] = [
    {"role": "developer", "content": "Be brief."},
    {
        "type": "message",
        "role": "user",
        "content": [{"type": "input_text", "text": "?"}],
    },
    REASONING,
    message_item("completed", text_part("Let me "), text_part("look.")),
    *BARE_CALLS,
    {"type": "function_call_output", "call_id": "call_1", "output": "# Title"},
    {
        "type": "custom_tool_call_output",
        "call_id": "call_3",
        "output": [{"type": "input_text", "text": "done"}],
    },
    {"role": "assistant", "content": "There."},
]


def payload_of(state: JSONObject) -> JSONObject:
    request = state["request"]
    assert isinstance(request, dict)
    payload = request["payload"]
    assert isinstance(payload, dict)
    return payload


def test_tools_are_injected_freeform_ones_as_such() -> None:
    state: JSONObject = {"_tools": [READ_FILE, PATCH]}
    native, after = ResponsesProvider().initialize_request([USER], state)
    assert native == [USER]
    assert payload_of(after) == {
        "tools": [
            {"type": "function", "strict": False, **READ_FILE["function"]},  # type: ignore[dict-item]
            PATCH,
        ],
        "tool_choice": "auto",
        "input": [USER],
    }
    assert after["_tools"] == [READ_FILE, PATCH]


def test_the_accepted_formats_are_those_of_the_provider() -> None:
    both = [RESPONSES_FUNCTION, RESPONSES_CUSTOM]
    assert ResponsesProvider().accepted_tool_schema_formats() == both
    provider = ResponsesProvider(custom_tools=False)
    assert provider.accepted_tool_schema_formats() == [RESPONSES_FUNCTION]
    _, after = provider.initialize_request([], {"_tools": [PATCH]})
    tools = payload_of(after)["tools"]
    assert isinstance(tools, list)
    assert isinstance(tools[0], dict)
    assert tools[0]["type"] == "function"


def test_tools_that_an_extension_has_injected_are_left_alone() -> None:
    state: JSONObject = {"_tools": [PATCH], "request": {"payload": {"tools": []}}}
    _, after = ResponsesProvider().initialize_request([], state)
    assert payload_of(after) == {"tools": [], "input": []}


def test_streamed_calls_are_sanitised_wherever_they_are_kept() -> None:
    broken, sane = (
        function_item("incomplete", 1, "{"),
        function_item("incomplete", 1, "{}"),
    )
    final: list[JSON] = [{"role": "assistant", "metadata": {"tool_calls": [broken]}}]
    native: list[JSON] = [USER, broken, BARE_CALLS[1], None]
    state: JSONObject = {"partial": {"tool_calls": [broken]}}
    before = deepcopy([final, native, state])
    assert ResponsesProvider().finalize(final, native, state) == (
        [{"role": "assistant", "metadata": {"tool_calls": [sane]}}],
        [USER, sane, BARE_CALLS[1], None],
        {"partial": {"tool_calls": [sane]}},
    )
    assert [final, native, state] == before


def test_a_turn_becomes_one_core_message() -> None:
    core = ResponsesProvider().from_native_messages([*RESPONSES_ITEMS])
    (message,) = core
    assert isinstance(message, dict)
    metadata = message["metadata"]
    assert isinstance(metadata, dict)
    assert message["role"] == "assistant"
    assert message["content"] == "Let me look."
    raw: JSONObject = {"name": "apply_patch", "input": RESPONSES_ITEMS[3]["input"]}
    assert metadata["tool_calls"] == [
        *CHAT_CALLS,
        {"id": "call_3", "type": "custom", "custom": raw},
    ]


def test_a_call_alone_becomes_a_core_message() -> None:
    assert ResponsesProvider().from_native_messages([*BARE_CALLS]) == [
        {
            "role": "assistant",
            "content": "",
            "metadata": {"tool_calls": [CHAT_CALLS[0], CUSTOM]},
        }
    ]


def test_results_become_core_messages() -> None:
    assert ResponsesProvider().from_native_messages(HISTORY[4:8])[1:] == [
        {
            "role": "tool",
            "content": "# Title",
            "toolResult": {"type": "tool_result", "text": "# Title"},
            "metadata": {"tool_call_id": "call_1", "tool_name": "read_file"},
        },
        {
            "role": "tool",
            "content": "done",
            "toolResult": {
                "type": "provider_native_tool_result",
                "format": RESPONSES,
                "content": [{"type": "input_text", "text": "done"}],
            },
            "metadata": {
                "tool_call_id": "call_3",
                "tool_name": "apply_patch",
                "payload_kind": "text",
            },
        },
    ]


def test_core_messages_become_items() -> None:
    core: list[JSON] = [
        {"role": "user", "content": "?"},
        {
            "role": "assistant",
            "content": "Let me look.",
            "metadata": {"tool_calls": [CHAT_CALLS[0], CUSTOM]},
        },
        {
            "role": "tool",
            "content": "done",
            "toolResult": {"type": "tool_result", "text": "done"},
            "metadata": {"tool_call_id": "call_3", "tool_name": "apply_patch"},
        },
        {"role": "assistant", "content": ""},
    ]
    assert ResponsesProvider().to_native_messages(core) == [
        {"role": "user", "content": "?"},
        {"role": "assistant", "content": "Let me look."},
        *BARE_CALLS,
        {"type": "custom_tool_call_output", "call_id": "call_3", "output": "done"},
        {"role": "assistant", "content": ""},
    ]


def rebuilt(*items: JSON) -> list[JSON]:
    provider = ResponsesProvider()
    return provider.to_native_messages(provider.from_native_messages([*items]))


def test_rebuilt_history_is_equal() -> None:
    assert rebuilt(*HISTORY) == HISTORY


ORDERS: list[list[JSON]] = [
    [],
    [REASONING],
    [REASONING, {**REASONING, "id": "rs_2"}, BARE_CALLS[0]],
    [REASONING, BARE_CALLS[0], {**REASONING, "id": "rs_2"}, BARE_CALLS[1]],
    [BARE_CALLS[0], message_item("completed", text_part("After."))],
    [message_item("completed", text_part("1")), message_item("completed")],
    [message_item("completed", text_part("1")), REASONING],
    [message_item("completed", {"type": "refusal", "refusal": "No."})],
    [{"type": "item_reference", "id": "x"}, USER, None],
    [{"type": "custom_tool_call_output", "call_id": "lost", "output": "x"}],
    [{"type": "function_call_output", "call_id": "lost", "output": "x"}],
]


@pytest.mark.parametrize("items", ORDERS)
def test_items_in_any_order_come_back_in_it(items: list[JSON]) -> None:
    assert rebuilt(*items) == items


def test_ids_of_calls_are_extras_that_are_not_rebuilt() -> None:
    assert rebuilt(function_item("completed", 1, '{"path": "a.md"}')) == BARE_CALLS[:1]


def test_attachments_are_expanded_in_the_request_alone() -> None:
    item: JSONObject = {
        "type": "function_call_output",
        "call_id": "call_1",
        "output": [
            {"type": "attachment_ref", "id": "a1", "media_type": "image/png"},
            {"type": "attachment_ref", "id": "a2", "media_type": "text/plain"},
        ],
    }
    before = deepcopy(item)
    provider = ResponsesProvider(read_attachment=str.encode)
    assert rebuilt(item) == [item]
    native, after = provider.initialize_request([item], {})
    assert native == [before]
    assert payload_of(after)["input"] == [
        {
            **item,
            "output": [
                {
                    "type": "input_image",
                    "image_url": "data:image/png;base64,YTE=",
                    "detail": "auto",
                },
                {
                    "type": "input_file",
                    "file_data": "data:text/plain;base64,YTI=",
                    "filename": "a2",
                },
            ],
        }
    ]
