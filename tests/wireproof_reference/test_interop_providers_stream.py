from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.wireproof_reference.interop_streams import (
    CHAT_CALLS,
    CHAT_EVENTS,
    RESPONSES_CALLS,
    RESPONSES_EVENTS,
    RESPONSES_ITEMS,
    cut,
    take_in,
)

from wireproof_reference import LocalProtocolError
from wireproof_reference.framing import END_OF_INPUT, NEED_DATA, loads
from wireproof_reference.interop import DEFAULT_TOOL_INTEROP_REGISTRY
from wireproof_reference.interop.providers import (
    ChatAccumulator,
    Delta,
    Failed,
    Finished,
    ProviderStream,
    ResponsesAccumulator,
    StrayEvent,
    StreamState,
    stream_bytes,
)

CHAT = stream_bytes(CHAT_EVENTS)
RESPONSES = stream_bytes(RESPONSES_EVENTS)


def test_a_chat_stream_is_taken_in() -> None:
    stream, events = take_in(ChatAccumulator(), CHAT)
    assert events == [*map(Delta, CHAT_EVENTS), Finished(), END_OF_INPUT]
    assert stream.accumulator.tool_calls() == CHAT_CALLS
    assert stream.state is StreamState.FINISHED


def test_a_responses_stream_is_taken_in() -> None:
    stream, events = take_in(ResponsesAccumulator(), RESPONSES)
    assert events == [*map(Delta, RESPONSES_EVENTS[:-1]), Finished(), END_OF_INPUT]
    assert stream.accumulator.native_messages() == RESPONSES_ITEMS
    assert stream.state is StreamState.FINISHED


@given(st.lists(st.integers(0, len(CHAT))))
def test_pieces_of_a_chat_stream_change_nothing(offsets: list[int]) -> None:
    stream, events = take_in(ChatAccumulator(), *cut(CHAT, offsets))
    assert events == take_in(ChatAccumulator(), CHAT)[1]
    assert stream.accumulator.tool_calls() == CHAT_CALLS


@given(st.lists(st.integers(0, len(RESPONSES))))
def test_pieces_of_a_responses_stream_change_nothing(offsets: list[int]) -> None:
    stream, events = take_in(ResponsesAccumulator(), *cut(RESPONSES, offsets))
    assert events == take_in(ResponsesAccumulator(), RESPONSES)[1]
    assert stream.accumulator.tool_calls() == RESPONSES_CALLS


def test_a_chat_stream_cut_at_any_byte_leaves_sound_calls() -> None:
    for size in range(len(CHAT)):
        stream, _ = take_in(ChatAccumulator(), CHAT[:size])
        calls = stream.accumulator.tool_calls()
        for call, whole in zip(calls, CHAT_CALLS, strict=False):
            sane = DEFAULT_TOOL_INTEROP_REGISTRY.sanitize_tool_call(call)
            empty = {"name": "read_file", "arguments": "{}"}
            assert sane in (whole, {**whole, "function": empty})


def test_a_responses_stream_cut_at_any_byte_leaves_sound_calls() -> None:
    for size in range(len(RESPONSES)):
        stream, _ = take_in(ResponsesAccumulator(), RESPONSES[:size])
        for call in stream.accumulator.tool_calls():
            sane = DEFAULT_TOOL_INTEROP_REGISTRY.sanitize_tool_call(call)
            arguments = str(sane.get("arguments", "{}"))
            assert isinstance(loads(arguments.encode()), dict)
            assert sane["call_id"] in ("call_1", "call_2", "call_3")
            assert sane["name"] in ("read_file", "apply_patch")


def test_a_stream_is_cut_where_its_end_is_missing() -> None:
    for size in range(CHAT.index(b"data: [DONE]")):
        stream, _ = take_in(ChatAccumulator(), CHAT[:size])
        assert stream.state is StreamState.CUT
    for size in range(RESPONSES.index(b"event: response.completed")):
        stream, _ = take_in(ResponsesAccumulator(), RESPONSES[:size])
        assert stream.state is StreamState.CUT


def test_a_chat_stream_needs_no_done_after_its_finish_reason() -> None:
    stream, events = take_in(ChatAccumulator(), stream_bytes(CHAT_EVENTS, "cut"))
    assert events[-1] is END_OF_INPUT
    assert stream.state is StreamState.FINISHED


def test_the_state_is_open_until_the_end() -> None:
    stream = ProviderStream(ChatAccumulator())
    assert stream.next_event() is NEED_DATA
    stream.receive_data(stream_bytes(CHAT_EVENTS, "cut"))
    assert stream.next_event() == Delta(CHAT_EVENTS[0])
    assert stream.state is StreamState.OPEN


def test_an_error_ends_the_response_and_keeps_its_calls() -> None:
    error = b'data: {"error": {"message": "overloaded"}}\n\n'
    data = stream_bytes(CHAT_EVENTS[:4], "cut") + error
    stream, events = take_in(ChatAccumulator(), data)
    assert events[-2:] == [Failed({"message": "overloaded"}), END_OF_INPUT]
    assert stream.state is StreamState.FAILED
    assert stream.accumulator.tool_calls() == CHAT_CALLS[:1]


def test_what_comes_after_the_end_of_a_response_is_stray() -> None:
    late = stream_bytes([{"choices": []}], "cut")
    assert take_in(ChatAccumulator(), CHAT, late)[1][-2:] == [
        StrayEvent(b'{"choices":[]}', "the response has already finished"),
        END_OF_INPUT,
    ]


STRAY = [
    (b"data: {\n\n", b"{"),
    (b"data: \xff\n\n", b"\xff"),
    (b"data: [1]\n\n", b"[1]"),
    (b"data: NaN\n\n", b"NaN"),
    (b"data\n\n", b""),
]


@pytest.mark.parametrize(("event", "data"), STRAY)
def test_an_event_that_is_no_object_costs_no_other(event: bytes, data: bytes) -> None:
    head, tail = stream_bytes(CHAT_EVENTS[:3], "cut"), stream_bytes(CHAT_EVENTS[3:])
    stream, events = take_in(ChatAccumulator(), head, event, tail)
    strays = [told for told in events if isinstance(told, StrayEvent)]
    assert [stray.data for stray in strays] == [data]
    assert stream.accumulator.tool_calls() == CHAT_CALLS


def test_an_event_that_is_too_long_costs_no_other() -> None:
    stream = ProviderStream(ChatAccumulator(), 100)
    stream.receive_data(b"data: " + b"x" * 95 + b"\n\ndata: [DONE]\n\n")
    detail = "an event of 101 bytes is too long"
    assert stream.next_event() == StrayEvent(b"", detail)
    assert stream.next_event() == Finished()


def test_an_event_that_is_not_finished_is_stray() -> None:
    assert take_in(ChatAccumulator(), b"data: {}\n")[1] == [
        StrayEvent(b"", "the stream ended inside an event"),
        END_OF_INPUT,
    ]


def test_data_after_the_end_is_our_own_mistake() -> None:
    stream, _ = take_in(ChatAccumulator(), b"")
    with pytest.raises(LocalProtocolError, match="after the end of file"):
        stream.receive_data(b"data: {}\n\n")
