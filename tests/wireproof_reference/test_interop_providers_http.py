from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.wireproof_reference.interop_streams import cut

from wireproof_reference import LocalProtocolError, RemoteProtocolError
from wireproof_reference.framing import NEED_DATA, NeedData
from wireproof_reference.interop.providers.core._http import (
    LAST_CHUNK,
    MAX_HEAD_BYTES,
    Body,
    EndOfMessage,
    Head,
    HttpDecoder,
    HttpEvent,
    chunk,
    request_bytes,
    response_head,
)

REQUEST = request_bytes("127.0.0.1:80", "/v1/responses", b'{"a": 1}')
CHUNKED = (
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\nX-Empty:\r\n\r\n"
    b"5\r\nhello\r\n00a ; name=value\r\n\r\n world!\n\r\n0\r\nTrailer: x\r\n\r\n"
    b"trailing data"
)
CHUNKED_EVENTS = [
    Head("HTTP/1.1 200 OK", {"transfer-encoding": "Chunked", "x-empty": ""}),
    Body(b"hello\r\n world!\n"),
    EndOfMessage(whole=True),
]


def decode(decoder: HttpDecoder, *pieces: bytes, eof: bool = True) -> list[HttpEvent]:
    """The events of a message; pieces of the body that follow each other are joined."""
    events: list[HttpEvent] = []
    for piece in pieces:
        decoder.receive_data(piece)
        drain(decoder, events)
    if eof:
        decoder.receive_eof()
        drain(decoder, events)
    return events


def drain(decoder: HttpDecoder, events: list[HttpEvent]) -> None:
    while not isinstance(event := decoder.next_event(), NeedData):
        last = events[-1] if events else None
        if isinstance(event, Body) and isinstance(last, Body):
            events[-1] = Body(last.data + event.data)
        elif event != last:
            events.append(event)
        if isinstance(event, EndOfMessage):
            break


def bytewise(data: bytes) -> list[bytes]:
    return [data[i : i + 1] for i in range(len(data))]


def test_a_request_is_read() -> None:
    events = decode(HttpDecoder("request"), REQUEST, eof=False)
    assert events == [
        Head(
            "POST /v1/responses HTTP/1.1",
            {
                "host": "127.0.0.1:80",
                "connection": "close",
                "content-type": "application/json",
                "accept": "text/event-stream",
                "content-length": "8",
            },
        ),
        Body(b'{"a": 1}'),
        EndOfMessage(whole=True),
    ]
    assert decode(HttpDecoder("request"), *bytewise(REQUEST), eof=False) == events


def test_a_request_without_a_length_has_no_body() -> None:
    events = decode(HttpDecoder("request"), b"GET / HTTP/1.1\r\n\r\nrest", eof=False)
    assert events == [Head("GET / HTTP/1.1", {}), EndOfMessage(whole=True)]


def test_a_body_of_no_bytes_ends_with_the_head() -> None:
    data = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    assert decode(HttpDecoder("response"), data, eof=False)[1:] == [
        EndOfMessage(whole=True)
    ]


def test_a_chunked_body_is_read_whole() -> None:
    assert decode(HttpDecoder("response"), CHUNKED, eof=False) == CHUNKED_EVENTS


def test_a_chunked_body_is_read_byte_by_byte() -> None:
    assert decode(HttpDecoder("response"), *bytewise(CHUNKED)) == CHUNKED_EVENTS


@given(st.lists(st.integers(0, len(CHUNKED))))
def test_a_chunked_body_is_read_at_random_cuts(offsets: list[int]) -> None:
    assert decode(HttpDecoder("response"), *cut(CHUNKED, offsets)) == CHUNKED_EVENTS


def test_what_is_written_is_read_again() -> None:
    head = response_head(200, "text/event-stream", chunked=True)
    events = decode(HttpDecoder("response"), head + chunk(b"x" * 300) + LAST_CHUNK)
    assert events[1:] == [Body(b"x" * 300), EndOfMessage(whole=True)]


def test_a_body_of_any_length_ends_with_the_connection() -> None:
    head = response_head(400, "application/json", chunked=False)
    assert decode(HttpDecoder("response"), head, b"a", b"b") == [
        Head(
            "HTTP/1.1 400 Bad Request",
            {"content-type": "application/json", "connection": "close"},
        ),
        Body(b"ab"),
        EndOfMessage(whole=True),
    ]


CUT_BODIES = [
    b"Content-Length: 3\r\n\r\n12",
    b"Transfer-Encoding: chunked\r\n\r\n",
    b"Transfer-Encoding: chunked\r\n\r\n5",
    b"Transfer-Encoding: chunked\r\n\r\n5\r\n12",
    b"Transfer-Encoding: chunked\r\n\r\n2\r\n12",
    b"Transfer-Encoding: chunked\r\n\r\n0\r\n",
]


@pytest.mark.parametrize("rest", CUT_BODIES)
def test_a_body_that_was_cut_is_not_whole(rest: bytes) -> None:
    decoder = HttpDecoder("response")
    events = decode(decoder, b"HTTP/1.1 200 OK\r\n" + rest)
    assert events[-1] == EndOfMessage(whole=False)
    assert decoder.next_event() == EndOfMessage(whole=False)


def test_a_head_that_was_cut_is_the_peers_mistake() -> None:
    with pytest.raises(RemoteProtocolError, match="before the end of the head"):
        decode(HttpDecoder("response"), b"HTTP/1.1 200 OK\r\n")


NOT_SPOKEN = [
    (b"HTTP/2 200\r\n\r\n", "not the start of a response"),
    (b"HTTP/1.1 100 Continue\r\n\r\n", "not the start of a response"),
    (b"GET / HTTP/1.1\r\n\r\n", "not the start of a response"),
    (b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "not a header"),
    (b"HTTP/1.1 200 OK\r\n folded: x\r\n\r\n", "not a header"),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "not spoken"),
    (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
        "not spoken",
    ),
    (b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "not a length"),
    (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
        "not the size of a chunk",
    ),
    (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n123\r\n",
        "longer than its size",
    ),
]


@pytest.mark.parametrize(("data", "message"), NOT_SPOKEN)
def test_what_is_not_spoken_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(RemoteProtocolError, match=message):
        decode(HttpDecoder("response"), data)
    with pytest.raises(RemoteProtocolError, match=message):
        decode(HttpDecoder("response"), *bytewise(data))


def head_of(size: int) -> bytes:
    start = b"HTTP/1.1 200 OK\r\nX: "
    return start + b"x" * (size - len(start) - 4) + b"\r\n\r\n"


def test_a_head_at_its_limit_is_read() -> None:
    data = head_of(MAX_HEAD_BYTES)
    assert isinstance(decode(HttpDecoder("response"), data)[0], Head)
    assert isinstance(decode(HttpDecoder("response"), data[:-1], data[-1:])[0], Head)


def test_a_head_beyond_its_limit_is_refused() -> None:
    data = head_of(MAX_HEAD_BYTES + 1)
    with pytest.raises(RemoteProtocolError, match="too long"):
        decode(HttpDecoder("response"), data)
    with pytest.raises(RemoteProtocolError, match="too long"):
        decode(HttpDecoder("response"), data[:-1], data[-1:])


def size_line_of(size: int) -> bytes:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head + b"1;" + b"x" * (size - 2) + b"\r\n1\r\n0\r\n\r\n"


def test_the_line_of_a_chunk_at_its_limit_is_read() -> None:
    data = size_line_of(1024)
    assert decode(HttpDecoder("response"), data)[1] == Body(b"1")
    assert decode(HttpDecoder("response"), *bytewise(data))[1] == Body(b"1")


def test_the_line_of_a_chunk_beyond_its_limit_is_refused() -> None:
    data = size_line_of(1025)
    with pytest.raises(RemoteProtocolError, match="too long"):
        decode(HttpDecoder("response"), data)
    with pytest.raises(RemoteProtocolError, match="too long"):
        decode(HttpDecoder("response"), *bytewise(data))


def test_data_after_the_end_is_our_own_mistake() -> None:
    decoder = HttpDecoder("response")
    assert decoder.next_event() is NEED_DATA
    decoder.receive_eof()
    with pytest.raises(LocalProtocolError, match="after the end of file"):
        decoder.receive_data(b"H")
