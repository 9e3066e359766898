from __future__ import annotations

from random import Random

import pytest
from tests.wireproof_reference.interop_streams import (
    CHAT_CALLS,
    CHAT_EVENTS,
    RESPONSES_CALLS,
    RESPONSES_EVENTS,
    RESPONSES_ITEMS,
    take_in,
)

from wireproof_reference.framing import JSONObject
from wireproof_reference.interop.providers import (
    ChatAccumulator,
    ResponsesAccumulator,
    StreamState,
    failing_after,
    interleaved,
    stream_bytes,
    with_empty_deltas,
    with_keep_alives,
    with_line_ends,
    with_one_call_id,
    with_repeated_ids,
)


def chat_calls(stream: bytes) -> list[JSONObject]:
    return take_in(ChatAccumulator(), stream)[0].accumulator.tool_calls()


def responses_calls(stream: bytes) -> list[JSONObject]:
    return take_in(ResponsesAccumulator(), stream)[0].accumulator.tool_calls()


def test_a_chat_stream_ends_with_done() -> None:
    stream = stream_bytes([{"id": "x"}])
    assert stream == b'data: {"id":"x"}\n\ndata: [DONE]\n\n'
    assert stream_bytes([{"id": "x"}], "cut") == b'data: {"id":"x"}\n\n'


def test_an_event_of_a_responses_stream_is_named() -> None:
    assert stream_bytes([{"type": "error"}]) == (
        b'event: error\ndata: {"type":"error"}\n\n'
    )


def test_comments_stand_between_all_events() -> None:
    assert with_keep_alives(b"data: 1\n\ndata: 2\n\n") == (
        b": keep-alive\n\ndata: 1\n\n: keep-alive\n\ndata: 2\n\n: keep-alive\n\n"
    )


def test_comments_do_no_harm() -> None:
    assert chat_calls(with_keep_alives(stream_bytes(CHAT_EVENTS))) == CHAT_CALLS
    stream = with_keep_alives(stream_bytes(RESPONSES_EVENTS))
    assert responses_calls(stream) == RESPONSES_CALLS


@pytest.mark.parametrize("end", [b"\r\n", b"\r"])
def test_other_line_ends_do_no_harm(end: bytes) -> None:
    assert chat_calls(with_line_ends(stream_bytes(CHAT_EVENTS), end)) == CHAT_CALLS


def test_deltas_of_one_call_keep_their_order_when_mixed() -> None:
    mixed = interleaved(CHAT_EVENTS, Random(1))  # noqa: S311 - nothing secret
    assert mixed != CHAT_EVENTS
    assert [mixed[0], mixed[-1]] == [CHAT_EVENTS[0], CHAT_EVENTS[-1]]
    assert [one for one in mixed if one in CHAT_EVENTS[1:4]] == CHAT_EVENTS[1:4]
    assert [one for one in mixed if one in CHAT_EVENTS[4:7]] == CHAT_EVENTS[4:7]


@pytest.mark.parametrize("seed", range(20))
def test_deltas_in_another_order_do_no_harm(seed: int) -> None:
    mixed = interleaved(CHAT_EVENTS, Random(seed))  # noqa: S311
    assert chat_calls(stream_bytes(mixed)) == CHAT_CALLS
    mixed = interleaved(RESPONSES_EVENTS[:-1], Random(seed))  # noqa: S311
    assert [event["sequence_number"] for event in mixed] == list(range(len(mixed)))
    stream, _ = take_in(ResponsesAccumulator(), stream_bytes(mixed))
    assert stream.accumulator.native_messages() == RESPONSES_ITEMS


def test_calls_with_one_id_are_not_merged() -> None:
    chat = [{**call, "id": "same"} for call in CHAT_CALLS]
    assert chat_calls(stream_bytes(with_one_call_id(CHAT_EVENTS, "same"))) == chat
    stream = stream_bytes(with_one_call_id(RESPONSES_EVENTS, "same"))
    responses = [{**call, "call_id": "same"} for call in RESPONSES_CALLS]
    assert responses_calls(stream) == responses


def test_ids_that_come_with_each_delta_do_no_harm() -> None:
    assert chat_calls(stream_bytes(with_repeated_ids(CHAT_EVENTS))) == CHAT_CALLS


def test_empty_deltas_do_no_harm() -> None:
    chat = with_empty_deltas(CHAT_EVENTS)
    assert len(chat) == len(CHAT_EVENTS) + 12
    assert chat_calls(stream_bytes(chat)) == CHAT_CALLS
    stream = stream_bytes(with_empty_deltas(RESPONSES_EVENTS))
    assert responses_calls(stream) == RESPONSES_CALLS


def test_an_error_leaves_the_calls_that_came_before_it() -> None:
    chat = stream_bytes(failing_after(CHAT_EVENTS, 4, "overloaded"), "cut")
    stream, _ = take_in(ChatAccumulator(), chat)
    assert stream.state is StreamState.FAILED
    assert stream.accumulator.tool_calls() == CHAT_CALLS[:1]
    responses = stream_bytes(failing_after(RESPONSES_EVENTS, 11, "overloaded"))
    stream, _ = take_in(ResponsesAccumulator(), responses)
    assert stream.state is StreamState.FAILED
    assert stream.accumulator.tool_calls() == RESPONSES_CALLS[:1]


def test_the_events_that_were_given_stay_as_they_are() -> None:
    before = stream_bytes(CHAT_EVENTS), stream_bytes(RESPONSES_EVENTS)
    with_one_call_id(CHAT_EVENTS, "same")
    with_one_call_id(RESPONSES_EVENTS, "same")
    with_repeated_ids(CHAT_EVENTS)
    assert (stream_bytes(CHAT_EVENTS), stream_bytes(RESPONSES_EVENTS)) == before
