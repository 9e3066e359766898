from __future__ import annotations

from copy import deepcopy

import pytest
from tests.wireproof_reference.interop_streams import CHAT_CALLS, READ_FILE, USER

from wireproof_reference.framing import JSON, JSONObject
from wireproof_reference.interop import (
    CHAT,
    CHAT_CUSTOM,
    CHAT_FUNCTION,
    DEFAULT_TOOL_INTEROP_REGISTRY,
    MissingRegistryError,
    ToolInteropRegistry,
    accepted_tool_schema_formats,
    compose_registry,
)
from wireproof_reference.interop.providers import ChatProvider, UnreadAttachmentError

PATCH: JSONObject = {
    "type": "custom",
    "name": "apply_patch",
    "description": "Apply a patch.",
    "format": {"type": "text"},
}
BROKEN: JSONObject = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "read_file", "arguments": '{"path":'},
}
SANE: JSONObject = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "read_file", "arguments": "{}"},
}
CUSTOM: JSONObject = {
    "id": "call_3",
    "type": "custom",
    "custom": {"name": "apply_patch", "input": '{"not": json'},
}
HISTORY: list[JSON] = [
    {"role": "system", "content": "Be brief."},
    USER,
    {"role": "assistant", "content": None, "tool_calls": [*CHAT_CALLS, CUSTOM]},
    {
        "role": "tool",
        "content": "# Title",
        "tool_call_id": "call_1",
        "_metadata": {"tool_name": "read_file"},
    },
    {
        "role": "tool",
        "content": [{"type": "text", "text": "<image>"}],
        "tool_call_id": "call_2",
        "_metadata": {"tool_name": "read_file"},
    },
    {
        "role": "tool",
        "content": "done",
        "tool_call_id": "call_3",
        "_metadata": {"tool_name": "apply_patch"},
    },
    {"role": "assistant", "content": "There."},
]
CORE: list[JSON] = [
    {"role": "system", "content": "Be brief."},
    USER,
    {
        "role": "assistant",
        "content": "",
        "metadata": {"tool_calls": [*CHAT_CALLS, CUSTOM]},
    },
    {
        "role": "tool",
        "content": "# Title",
        "toolResult": {"type": "tool_result", "text": "# Title"},
        "metadata": {"tool_call_id": "call_1", "tool_name": "read_file"},
    },
    {
        "role": "tool",
        "content": "<image>",
        "toolResult": {
            "type": "provider_native_tool_result",
            "format": CHAT,
            "content": [{"type": "text", "text": "<image>"}],
        },
        "metadata": {"tool_call_id": "call_2", "tool_name": "read_file"},
    },
    {
        "role": "tool",
        "content": "done",
        "toolResult": {"type": "tool_result", "text": "done"},
        "metadata": {
            "tool_call_id": "call_3",
            "tool_name": "apply_patch",
            "payload_kind": "text",
        },
    },
    {"role": "assistant", "content": "There."},
]


def context_of(registry: object, *formats: str) -> dict[str, object]:
    interop = {"registry": registry, "schema_target_formats": [*formats]}
    return {"core": {}, "config": {}, "tool_interop": interop}


def payload_of(state: JSONObject) -> JSONObject:
    request = state["request"]
    assert isinstance(request, dict)
    payload = request["payload"]
    assert isinstance(payload, dict)
    return payload


class Spy(ToolInteropRegistry):
    """A registry that notes what it is asked."""

    def __init__(self) -> None:
        super().__init__([])
        self.asked: list[str] = []

    def __getattribute__(self, name: str) -> object:
        if not name.startswith("_") and name != "asked":
            self.asked.append(name)
            return getattr(DEFAULT_TOOL_INTEROP_REGISTRY, name)
        return super().__getattribute__(name)


def test_tools_are_injected_in_the_formats_of_the_context() -> None:
    state: JSONObject = {"_tools": [READ_FILE, PATCH], "request": {"payload": {"n": 1}}}
    context = context_of(compose_registry(), CHAT_CUSTOM, CHAT_FUNCTION)
    native, after = ChatProvider().initialize_request([USER], state, context=context)
    assert native == [USER]
    assert payload_of(after) == {
        "n": 1,
        "tools": [
            READ_FILE,
            {
                "type": "custom",
                "custom": {
                    "name": "apply_patch",
                    "description": "Apply a patch.",
                    "format": {"type": "text"},
                },
            },
        ],
        "tool_choice": "auto",
        "messages": [USER],
    }


def test_without_a_context_the_provider_says_what_it_accepts() -> None:
    state: JSONObject = {"_tools": [PATCH]}
    for provider, kind in (
        (ChatProvider(), "function"),
        (ChatProvider(custom_tools=True), "custom"),
    ):
        _, after = provider.initialize_request([], state)
        tools = payload_of(after)["tools"]
        assert isinstance(tools, list)
        assert isinstance(tools[0], dict)
        assert tools[0]["type"] == kind


def test_the_accepted_formats_are_those_of_the_provider() -> None:
    assert ChatProvider().accepted_tool_schema_formats() == [CHAT_FUNCTION]
    provider = ChatProvider(custom_tools=True)
    assert accepted_tool_schema_formats(provider) == [CHAT_CUSTOM, CHAT_FUNCTION]


@pytest.mark.parametrize("tools", [[], [{"type": "web_search"}]])
def test_tools_that_an_extension_has_injected_are_left_alone(tools: list[JSON]) -> None:
    state: JSONObject = {
        "_tools": [READ_FILE],
        "request": {"payload": {"tools": tools}},
    }
    _, after = ChatProvider().initialize_request([], state)
    assert payload_of(after) == {"tools": tools, "messages": []}


def test_a_tool_choice_of_the_payload_is_kept() -> None:
    payload: JSONObject = {"tool_choice": "required"}
    state: JSONObject = {"_tools": [READ_FILE], "request": {"payload": payload}}
    _, after = ChatProvider().initialize_request([], state)
    assert payload_of(after)["tool_choice"] == "required"


@pytest.mark.parametrize(
    "state", [{}, {"_tools": []}, {"_tools": None, "request": None}]
)
def test_without_tools_none_are_injected(state: JSONObject) -> None:
    _, after = ChatProvider().initialize_request([USER], state)
    assert payload_of(after) == {"messages": [USER]}


def test_the_authored_tools_and_the_given_state_stay_as_they_are() -> None:
    state: JSONObject = {"_tools": [PATCH], "request": {"payload": {}, "id": 1}, "x": 2}
    before = deepcopy(state)
    _, after = ChatProvider().initialize_request([USER], state)
    assert state == before
    assert after["_tools"] == [PATCH]
    assert after["x"] == 2


def test_streamed_calls_are_sanitised_wherever_they_are_kept() -> None:
    final: list[JSON] = [
        {"role": "assistant", "content": "", "metadata": {"tool_calls": [BROKEN]}},
        {"role": "assistant", "content": "", "metadata": {"model": "m"}},
    ]
    native: list[JSON] = [USER, {"role": "assistant", "tool_calls": [BROKEN, CUSTOM]}]
    state: JSONObject = {"partial": {"tool_calls": [BROKEN], "content": "x"}, "y": 1}
    before = deepcopy([final, native, state])
    assert ChatProvider().finalize(final, native, state) == (
        [
            {"role": "assistant", "content": "", "metadata": {"tool_calls": [SANE]}},
            {"role": "assistant", "content": "", "metadata": {"model": "m"}},
        ],
        [USER, {"role": "assistant", "tool_calls": [SANE, CUSTOM]}],
        {"partial": {"tool_calls": [SANE], "content": "x"}, "y": 1},
    )
    assert [final, native, state] == before


@pytest.mark.parametrize("state", [{}, {"partial": None}, {"partial": {"x": 1}}])
def test_a_state_without_calls_is_left_alone(state: JSONObject) -> None:
    odd: list[JSON] = [None, 1, {"role": "assistant", "tool_calls": None}]
    assert ChatProvider().finalize(odd, odd, state) == (odd, odd, state)


def test_native_messages_become_core_ones() -> None:
    assert ChatProvider().from_native_messages(HISTORY) == CORE


def test_core_messages_become_native_ones() -> None:
    assert ChatProvider().to_native_messages(CORE) == HISTORY


CALLS: list[JSON] = [*CHAT_CALLS]
MESSAGES: list[JSONObject] = [
    {"role": "user", "content": [{"type": "text", "text": "a"}], "name": "x"},
    {"role": "assistant", "content": "", "tool_calls": CALLS},
    {"role": "assistant", "content": "a", "tool_calls": CALLS},
    {"role": "assistant", "content": [{"type": "text", "text": "a"}]},
    {"role": "assistant", "content": None, "refusal": "No.", "annotations": []},
    {"role": "tool", "content": "lost", "tool_call_id": "unknown"},
]


@pytest.mark.parametrize("message", MESSAGES)
def test_rebuilt_history_is_equal(message: JSONObject) -> None:
    provider = ChatProvider()
    (rebuilt,) = provider.to_native_messages(provider.from_native_messages([message]))
    assert isinstance(rebuilt, dict)
    rebuilt.pop("_metadata", None)
    assert rebuilt == message


def test_a_text_that_was_changed_in_core_is_sent_as_changed() -> None:
    provider = ChatProvider()
    parts: JSON = [{"type": "text", "text": "old"}]
    (core,) = provider.from_native_messages([{"role": "assistant", "content": parts}])
    assert isinstance(core, dict)
    assert core["content"] == "old"
    core["content"] = "new"
    assert provider.to_native_messages([core]) == [
        {"role": "assistant", "content": "new"}
    ]


def test_what_another_provider_noted_is_not_sent() -> None:
    note: JSONObject = {"format": "other", "members": {"x": 1}}
    core: JSONObject = {"role": "user", "content": "a", "metadata": {"native": note}}
    assert ChatProvider().to_native_messages([core]) == [
        {"role": "user", "content": "a"}
    ]


def test_a_call_of_the_responses_api_is_sent_as_a_chat_one() -> None:
    call: JSONObject = {
        "type": "custom_tool_call",
        "call_id": "call_3",
        "name": "apply_patch",
        "input": '{"not": json',
    }
    core: JSONObject = {
        "role": "assistant",
        "content": "",
        "metadata": {"tool_calls": [call]},
    }
    assert ChatProvider().to_native_messages([core]) == [
        {"role": "assistant", "content": None, "tool_calls": [CUSTOM]}
    ]


def test_what_is_no_message_is_handed_on() -> None:
    provider = ChatProvider()
    assert provider.initialize_request([None], {})[0] == [None]
    assert provider.from_native_messages([None, "x"]) == [None, "x"]
    assert provider.to_native_messages([None, "x"]) == [None, "x"]


def test_only_the_registry_of_the_context_is_asked() -> None:
    provider, spy = ChatProvider(), Spy()
    context = context_of(spy, CHAT_FUNCTION)
    provider.initialize_request([], {"_tools": [PATCH]}, context=context)
    provider.finalize([], [], {"partial": {"tool_calls": [BROKEN]}}, context=context)
    provider.from_native_messages(HISTORY[2:4], context=context)
    provider.to_native_messages(CORE[2:4], context=context)
    assert spy.asked == [
        "convert_schemas",
        "sanitize_tool_call",
        "convert_tool_calls",
        "convert_results",
        "sanitize_tool_call",
        "convert_tool_calls",
        "convert_results",
    ]


def test_a_context_without_a_registry_is_an_error() -> None:
    with pytest.raises(MissingRegistryError):
        ChatProvider().finalize([], [], {}, context={"core": {}})


REFERENCE: JSONObject = {
    "type": "attachment_ref",
    "id": "a1",
    "media_type": "image/png",
}
FILE_REFERENCE: JSONObject = {"type": "attachment_ref", "id": "a2"}


def test_attachments_are_expanded_in_the_request_alone() -> None:
    content: list[JSON] = [
        {"type": "text", "text": "<image>"},
        REFERENCE,
        FILE_REFERENCE,
    ]
    stored: JSONObject = {
        "role": "tool",
        "content": "",
        "toolResult": {
            "type": "provider_native_tool_result",
            "format": CHAT,
            "content": content,
        },
        "metadata": {"tool_call_id": "call_1", "tool_name": "view"},
    }
    provider = ChatProvider(read_attachment={"a1": b"png", "a2": b"bin"}.__getitem__)
    (message,) = provider.to_native_messages([stored])
    assert isinstance(message, dict)
    assert message["content"] == content
    native, after = provider.initialize_request([message], {})
    assert native == [{"role": "tool", "content": content, "tool_call_id": "call_1"}]
    expanded: list[JSON] = [
        {"type": "text", "text": "<image>"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,cG5n"}},
        {
            "type": "file",
            "file": {
                "file_data": "data:application/octet-stream;base64,Ymlu",
                "filename": "a2",
            },
        },
    ]
    assert payload_of(after)["messages"] == [
        {"role": "tool", "content": expanded, "tool_call_id": "call_1"}
    ]
    assert message["content"] == content


def test_an_attachment_that_cannot_be_read_is_an_error() -> None:
    message: JSONObject = {"role": "tool", "content": [REFERENCE], "tool_call_id": "c"}
    with pytest.raises(UnreadAttachmentError, match="'a1' cannot be read") as caught:
        ChatProvider().initialize_request([message], {})
    assert caught.value.attachment_id == "a1"
