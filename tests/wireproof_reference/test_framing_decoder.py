from __future__ import annotations

import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wireproof_reference import LocalProtocolError
from wireproof_reference.framing import (
    END_OF_INPUT,
    NEED_DATA,
    BadLine,
    BlankLine,
    EndOfInput,
    Event,
    Frame,
    NdjsonDecoder,
    NeedData,
    Oversize,
    Unterminated,
    dumps,
)

STREAM = (
    b'{"v":1,"id":"a"}\n'
    b"\n"
    b' {"crlf":true}\r\n'
    b"not json\n"
    b'"\xff"\n'
    + b"[" * 600
    + b"]" * 600
    + b"\n"
    + b"x" * 1_300
    + b"\n"
    + '"é€😀"\n'.encode()
    + b"[18446744073709551617,1]\n"
    + b"null\n"
    b"tail"
)
EVENTS: list[Event] = [
    Frame({"v": 1, "id": "a"}, b'{"v":1,"id":"a"}'),
    BlankLine(b""),
    Frame({"crlf": True}, b' {"crlf":true}\r'),
    BadLine("not-json", "expecting value", b"not json"),
    BadLine("not-utf8", "invalid start byte", b'"\xff"'),
    BadLine(
        "too-deep", "nested 600 deep, at most 512 allowed", b"[" * 600 + b"]" * 600
    ),
    Oversize(1_300, b"x" * 1_024),
    Frame("é€😀", '"é€😀"'.encode()),
    Frame([2**64 + 1, 1], b"[18446744073709551617,1]"),
    Frame(None, b"null"),
    Unterminated(b"tail", 4),
    END_OF_INPUT,
]
LIMIT = 1_250


def drain(decoder: NdjsonDecoder) -> list[Event]:
    events: list[Event] = []
    while not isinstance(event := decoder.next_event(), NeedData):
        events.append(event)
        if isinstance(event, EndOfInput):
            break
    return events


def decode(decoder: NdjsonDecoder, *pieces: bytes) -> list[Event]:
    events: list[Event] = []
    for piece in pieces:
        decoder.receive_data(piece)
        events += drain(decoder)
    decoder.receive_eof()
    return events + drain(decoder)


def strict(limit: int = LIMIT) -> NdjsonDecoder:
    return NdjsonDecoder(limit, blank_lines="report")


def cut(data: bytes, offsets: list[int]) -> list[bytes]:
    return [data[a:b] for a, b in pairwise([0, *sorted(offsets), len(data)])]


def test_a_stream_is_decoded_whole() -> None:
    assert decode(strict(), STREAM) == EVENTS


def test_a_stream_is_decoded_byte_by_byte() -> None:
    pieces = [STREAM[i : i + 1] for i in range(len(STREAM))]
    assert decode(strict(), *pieces) == EVENTS


def test_a_stream_is_decoded_when_cut_once_anywhere() -> None:
    for offset in range(len(STREAM)):
        assert decode(strict(), STREAM[:offset], STREAM[offset:]) == EVENTS


@given(st.lists(st.integers(0, len(STREAM))))
def test_a_stream_is_decoded_at_random_cuts(offsets: list[int]) -> None:
    assert decode(strict(), *cut(STREAM, offsets)) == EVENTS


@given(st.lists(st.integers(0, len(STREAM))))
def test_events_may_be_collected_after_all_data(offsets: list[int]) -> None:
    decoder = strict()
    for piece in cut(STREAM, offsets):
        decoder.receive_data(piece)
    decoder.receive_eof()
    assert drain(decoder) == EVENTS


@given(
    data=st.binary(max_size=60)
    | st.text('{}[]":,1\n\r \u00e9', max_size=60).map(str.encode),
    offsets=st.lists(st.integers(0, 60)),
    limit=st.integers(1, 20),
    crlf=st.booleans(),
)
def test_cuts_never_change_what_is_found(
    data: bytes, offsets: list[int], limit: int, *, crlf: bool
) -> None:
    whole = decode(NdjsonDecoder(limit, crlf=crlf, blank_lines="report"), data)
    parts = decode(
        NdjsonDecoder(limit, crlf=crlf, blank_lines="report"), *cut(data, offsets)
    )
    assert whole == parts
    assert sum(not isinstance(e, Unterminated) for e in whole) == data.count(b"\n") + 1


def test_nothing_is_found_before_data() -> None:
    assert NdjsonDecoder().next_event() is NEED_DATA


def test_the_end_is_answered_again_and_again() -> None:
    decoder = NdjsonDecoder()
    decoder.receive_eof()
    decoder.receive_eof()
    assert decoder.next_event() is END_OF_INPUT
    assert decoder.next_event() is END_OF_INPUT


def test_data_after_the_end_is_our_own_mistake() -> None:
    decoder = NdjsonDecoder()
    decoder.receive_eof()
    with pytest.raises(LocalProtocolError, match="after the end of file"):
        decoder.receive_data(b"{}\n")


@pytest.mark.parametrize("line", [b"", b" ", b"\t \r", b"\r"])
def test_blank_lines_are_skipped_unless_asked_for(line: bytes) -> None:
    data = line + b"\n1\n" + line + b"\n"
    assert decode(NdjsonDecoder(), data) == [Frame(1, b"1"), END_OF_INPUT]


@pytest.mark.parametrize("line", [b"{}\r", b"\r"])
def test_a_carriage_return_may_be_forbidden(line: bytes) -> None:
    detail = "a carriage return before the line feed"
    assert decode(NdjsonDecoder(crlf=False), line + b"\n[\r]\n") == [
        BadLine("not-json", detail, line),
        Frame([], b"[\r]"),
        END_OF_INPUT,
    ]


@pytest.mark.parametrize("limit", [10, 5_000])
def test_a_line_at_its_limit_is_a_frame(limit: int) -> None:
    text = "x" * (limit - 2)
    assert decode(NdjsonDecoder(limit), dumps(text), b"\n") == [
        Frame(text, dumps(text)),
        END_OF_INPUT,
    ]


@pytest.mark.parametrize("limit", [10, 5_000])
def test_a_line_beyond_its_limit_is_oversize(limit: int) -> None:
    data = dumps("x" * (limit - 1))
    expected = [
        Oversize(limit + 1, data[: min(limit, 1_024)]),
        Frame(1, b"1"),
        END_OF_INPUT,
    ]
    assert decode(NdjsonDecoder(limit), data, b"\n1\n") == expected
    assert decode(NdjsonDecoder(limit), data + b"\n1\n") == expected


def test_the_end_of_an_oversize_line_is_never_a_frame() -> None:
    pieces = [b"x" * 11, b'{"v":1}', b'{"v":2}\n{"v":3}\n']
    assert decode(NdjsonDecoder(10), *pieces) == [
        Oversize(25, b"x" * 10),
        Frame({"v": 3}, b'{"v":3}'),
        END_OF_INPUT,
    ]


def test_an_oversize_line_ends_with_a_lone_line_feed() -> None:
    assert decode(NdjsonDecoder(3), b"1\nlonger", b"\n", b"2\n") == [
        Frame(1, b"1"),
        Oversize(6, b"lon"),
        Frame(2, b"2"),
        END_OF_INPUT,
    ]


def test_an_oversize_line_without_end_is_unterminated() -> None:
    decoder = NdjsonDecoder(5)
    assert decode(decoder, b"xxxxxx", b"yyyy") == [
        Unterminated(b"xxxxx", 10),
        END_OF_INPUT,
    ]


def test_pending_counts_the_line_that_is_arriving() -> None:
    decoder = NdjsonDecoder(5)
    decoder.receive_data(b"1\nxxxx")
    assert decoder.pending == 4
    decoder.receive_data(b"xxxx")
    assert decoder.pending == 8
    decoder.receive_data(b"\n")
    assert decoder.pending == 0


def test_memory_is_bounded_by_the_limit() -> None:
    decoder = NdjsonDecoder(1_000)
    for _ in range(1_000):
        decoder.receive_data(b"x" * 1_000)
    assert decoder.pending == 1_000_000
    assert sys.getsizeof(decoder._tail) + sys.getsizeof(decoder._head) < 4_000


def test_an_exact_line_does_not_slow_its_followers() -> None:
    decoder = NdjsonDecoder()
    decoder.receive_data(b"18446744073709551617\n")
    assert decoder.next_event() == Frame(2**64 + 1, b"18446744073709551617")
    decoder.receive_data(b"1\n")
    assert decoder._quick > 0


def line_events(size: int) -> int:
    """How many lines of this package run while a line comes byte by byte."""
    decoder = NdjsonDecoder()
    count = 0

    def trace(frame: object, event: str, arg: object) -> object:
        nonlocal count
        count += 1
        return trace

    previous = sys.gettrace()
    sys.settrace(trace)  # type: ignore[arg-type]  # typeshed wants the frame type
    try:
        for _ in range(size):
            decoder.receive_data(b"1")
        decoder.receive_data(b"\n")
        decoder.next_event()
    finally:
        sys.settrace(previous)
    return count


def test_work_grows_with_the_bytes_however_they_are_cut() -> None:
    assert line_events(3_000) < 3.5 * line_events(1_000)
