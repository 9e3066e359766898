from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.wireproof_reference.interop_streams import cut

from wireproof_reference import LocalProtocolError
from wireproof_reference.framing import END_OF_INPUT, NEED_DATA, EndOfInput, NeedData
from wireproof_reference.interop.providers import (
    EventStreamDecoder,
    EventStreamEvent,
    OversizeEvent,
    ServerSentEvent,
    UnfinishedEvent,
    encode_event,
)

STREAM = (
    b"\xef\xbb\xbfdata: with a mark\n\n"
    b": a comment\n\n"
    b"event: response.created\ndata: {}\nid: 7\nretry: 10\n\n"
    b"data:no space\r\ndata:  two\r\n\r\n"
    b"data: by CR\r\r"
    b"data\n\n"
    b"event: without data\n\n"
    b"unknown: field\ndata: known\n\n"
    b"data: " + b"x" * 300 + b"\n\n"
    b":" + b"x" * 300 + b"\n"
    b"data: " + "é€😀".encode() + b"\n\n"
    b"\n\n"
    b"data: [DONE]\n\n"
    b"data: tail\n"
)
EVENTS: list[EventStreamEvent] = [
    ServerSentEvent(b"with a mark"),
    ServerSentEvent(b"{}", "response.created"),
    ServerSentEvent(b"no space\n two"),
    ServerSentEvent(b"by CR"),
    ServerSentEvent(b""),
    ServerSentEvent(b"known"),
    OversizeEvent(306),
    ServerSentEvent("é€😀".encode()),
    ServerSentEvent(b"[DONE]"),
    UnfinishedEvent(10),
    END_OF_INPUT,
]
LIMIT = 100


def drain(decoder: EventStreamDecoder) -> list[EventStreamEvent]:
    events: list[EventStreamEvent] = []
    while not isinstance(event := decoder.next_event(), NeedData):
        events.append(event)
        if isinstance(event, EndOfInput):
            break
    return events


def decode(decoder: EventStreamDecoder, *pieces: bytes) -> list[EventStreamEvent]:
    events: list[EventStreamEvent] = []
    for piece in pieces:
        decoder.receive_data(piece)
        events += drain(decoder)
    decoder.receive_eof()
    return events + drain(decoder)


def test_a_stream_is_decoded_whole() -> None:
    assert decode(EventStreamDecoder(LIMIT), STREAM) == EVENTS


def test_a_stream_is_decoded_byte_by_byte() -> None:
    pieces = [STREAM[i : i + 1] for i in range(len(STREAM))]
    assert decode(EventStreamDecoder(LIMIT), *pieces) == EVENTS


def test_a_stream_is_decoded_when_cut_once_anywhere() -> None:
    for offset in range(len(STREAM)):
        pieces = STREAM[:offset], STREAM[offset:]
        assert decode(EventStreamDecoder(LIMIT), *pieces) == EVENTS


@given(st.lists(st.integers(0, len(STREAM))))
def test_a_stream_is_decoded_at_random_cuts(offsets: list[int]) -> None:
    assert decode(EventStreamDecoder(LIMIT), *cut(STREAM, offsets)) == EVENTS


@given(st.lists(st.integers(0, len(STREAM))))
def test_events_may_be_collected_after_all_data(offsets: list[int]) -> None:
    decoder = EventStreamDecoder(LIMIT)
    for piece in cut(STREAM, offsets):
        decoder.receive_data(piece)
    decoder.receive_eof()
    assert drain(decoder) == EVENTS


@given(
    data=st.lists(
        st.sampled_from([b"data", b"event", b":", b" ", b"x", b"\r", b"\n", b"\xef"])
        | st.sampled_from([b"\xef\xbb\xbf", b"xxxxxxxxxx", b"\r\n", b"\n\n"]),
        max_size=30,
    ).map(b"".join),
    offsets=st.lists(st.integers(0, 60)),
    limit=st.integers(1, 20),
)
def test_cuts_never_change_what_is_found(
    data: bytes, offsets: list[int], limit: int
) -> None:
    whole = decode(EventStreamDecoder(limit), data)
    assert decode(EventStreamDecoder(limit), *cut(data, offsets)) == whole


def test_nothing_is_found_before_data() -> None:
    assert EventStreamDecoder().next_event() is NEED_DATA


def test_the_end_is_answered_again_and_again() -> None:
    decoder = EventStreamDecoder()
    decoder.receive_eof()
    decoder.receive_eof()
    assert decoder.next_event() is END_OF_INPUT
    assert decoder.next_event() is END_OF_INPUT


def test_data_after_the_end_is_our_own_mistake() -> None:
    decoder = EventStreamDecoder()
    decoder.receive_eof()
    with pytest.raises(LocalProtocolError, match="after the end of file"):
        decoder.receive_data(b"data: x\n\n")


def test_an_event_without_its_blank_line_is_never_used() -> None:
    assert decode(EventStreamDecoder(), b"data: [DONE]\n") == [
        UnfinishedEvent(12),
        END_OF_INPUT,
    ]


def test_the_carriage_return_of_a_blank_line_ends_an_event_at_once() -> None:
    decoder = EventStreamDecoder()
    decoder.receive_data(b"data: x\r\n\r")
    assert decoder.next_event() == ServerSentEvent(b"x")
    decoder.receive_data(b"\n")
    assert decoder.next_event() is NEED_DATA


@pytest.mark.parametrize("limit", [10, 5_000])
def test_an_event_at_its_limit_is_reported(limit: int) -> None:
    line = b"data: " + b"x" * (limit - 6)
    assert decode(EventStreamDecoder(limit), line, b"\n\n") == [
        ServerSentEvent(b"x" * (limit - 6)),
        END_OF_INPUT,
    ]


@pytest.mark.parametrize("limit", [10, 5_000])
def test_an_event_beyond_its_limit_is_oversize(limit: int) -> None:
    line = b"data: " + b"x" * (limit - 5)
    expected = [OversizeEvent(limit + 1), ServerSentEvent(b"1"), END_OF_INPUT]
    assert decode(EventStreamDecoder(limit), line, b"\n\ndata:1\n\n") == expected
    assert decode(EventStreamDecoder(limit), line + b"\n\ndata:1\n\n") == expected


def test_the_limit_holds_for_all_lines_of_an_event_together() -> None:
    stream = b"data: 123\ndata: 456\n\n"
    assert decode(EventStreamDecoder(18), stream)[0] == ServerSentEvent(b"123\n456")
    assert decode(EventStreamDecoder(17), stream)[0] == OversizeEvent(18)


def test_a_comment_has_no_limit() -> None:
    pieces = [b":", *[b"x" * 100] * 50, b"\ndata:1\n\n"]
    assert decode(EventStreamDecoder(10), *pieces)[0] == ServerSentEvent(b"1")


def test_a_byte_order_mark_does_not_count() -> None:
    line = b"\xef\xbb\xbfdata: " + b"x" * 5
    assert decode(EventStreamDecoder(11), line, b"\n\n")[0] == ServerSentEvent(b"xxxxx")
    assert decode(EventStreamDecoder(10), line, b"\n\n")[0] == OversizeEvent(11)
    assert decode(EventStreamDecoder(5), line, b"\n\n")[0] == OversizeEvent(11)


def test_memory_is_bounded_by_the_limit() -> None:
    decoder = EventStreamDecoder(1_000)
    for _ in range(1_000):
        decoder.receive_data(b"x" * 1_000)
    assert sys.getsizeof(decoder._tail) < 4_000
    for _ in range(1_000):
        decoder.receive_data(b"data: " + b"x" * 500 + b"\n")
        assert decoder.next_event() is NEED_DATA
    assert decoder._data == []


def test_what_is_written_is_read_again() -> None:
    event = ServerSentEvent(b"two\nlines", "named")
    assert encode_event(event) == b"event: named\ndata: two\ndata: lines\n\n"
    assert decode(EventStreamDecoder(), encode_event(event))[0] == event


def line_events(size: int) -> int:
    """How many lines of this package run while an event comes byte by byte."""
    decoder = EventStreamDecoder()
    count = 0

    def trace(frame: object, event: str, arg: object) -> object:
        nonlocal count
        count += 1
        return trace

    previous = sys.gettrace()
    sys.settrace(trace)  # type: ignore[arg-type]  # typeshed wants the frame type
    try:
        decoder.receive_data(b"data:")
        for _ in range(size):
            decoder.receive_data(b"1")
        decoder.receive_data(b"\n\n")
        decoder.next_event()
    finally:
        sys.settrace(previous)
    return count


def test_work_grows_with_the_bytes_however_they_are_cut() -> None:
    assert line_events(3_000) < 3.5 * line_events(1_000)
