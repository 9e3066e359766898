"""As much of HTTP/1.1 as one POST and its streamed answer need, without I/O.

Theory of operation: one message on one connection, which is closed afterwards.  A body
is chunked, or has a `Content-Length`, or (of a response) goes on to the end of file.
There is no keep-alive, no pipelining, no `100 Continue`, no compression and no TLS: the
peer is a program on this machine.  What is outside of that is an error, never a guess.

    decoder.receive_data(data)
    while (event := decoder.next_event()) is not NEED_DATA:
        ...

What the messages are: RFC 9112.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from wireproof_reference._errors import LocalProtocolError, RemoteProtocolError
from wireproof_reference.framing import NEED_DATA, NeedData

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_HEAD_BYTES: Final = 64 * 1024
"""Bytes that a start line and its headers may have, with their ends."""

_MAX_SIZE_LINE: Final = 1024  # of a chunk, extensions included
_SIZE_LINE: Final = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;.*)?")
_REQUEST_LINE: Final = re.compile(r"[A-Z]+ \S+ HTTP/1\.1")
_STATUS_LINE: Final = re.compile(r"HTTP/1\.[01] [2-5][0-9]{2}(?: .*)?")
_HEADER: Final = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*")
_LENGTH: Final = re.compile(r"[0-9]{1,15}")
_CRLF: Final = b"\r\n"
_END_OF_HEAD: Final = b"\r\n\r\n"

_REASONS: Final = {200: "OK", 400: "Bad Request", 500: "Internal Server Error"}

LAST_CHUNK: Final = b"0\r\n\r\n"
"""Ends a chunked body."""


@dataclass(frozen=True, slots=True)
class Head:
    """The start of a message.

    Attributes:
        start: The request line or status line.
        headers: By their names in lower case; of equal ones the last.
    """

    start: str
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Body:
    """Bytes of the body, as they came."""

    data: bytes


@dataclass(frozen=True, slots=True)
class EndOfMessage:
    """The end of the message; every later call answers the same.

    Attributes:
        whole: False where the connection ended inside the body.
    """

    whole: bool


HttpEvent: TypeAlias = Head | Body | EndOfMessage
"""Everything that a decoder reports."""


class _State(Enum):
    HEAD = "head"
    LENGTH = "a body of known length"
    SIZE = "the size of a chunk"
    CHUNK = "a chunk"
    CHUNK_END = "the end of a chunk"
    TRAILER = "the trailer"
    UNTIL_EOF = "a body of any length"
    DONE = "nothing"


class HttpDecoder:
    """Reads one message; does no I/O.

    Args:
        kind: Which side it comes from.
    """

    def __init__(self, kind: Literal["request", "response"]) -> None:
        self._kind = kind
        self._state = _State.HEAD
        self._buffer = bytearray()
        self._searched = 0  # bytes of the buffer without the end of a line or head
        self._left = 0  # bytes of the body or chunk that are still to come
        self._eof = False
        self._whole = True

    def receive_data(self, data: bytes) -> None:
        """Take in bytes from the peer.

        Raises:
            LocalProtocolError: The end of file was already received.
        """
        if self._eof:
            raise LocalProtocolError("data after the end of file")
        # What follows the message is nobody's.
        if self._state is not _State.DONE:
            self._buffer += data

    def receive_eof(self) -> None:
        """Take in the end of file; a second one changes nothing."""
        self._eof = True

    def next_event(self) -> HttpEvent | NeedData:
        """What comes next, in the order of the bytes.

        Raises:
            RemoteProtocolError: It is not HTTP, or none that is spoken here.
        """
        while True:
            before = self._state, len(self._buffer)
            event = self._step()
            if event is not None:
                return event
            if (self._state, len(self._buffer)) == before:
                break
        if not self._eof:
            return NEED_DATA
        if self._state is _State.HEAD:
            raise RemoteProtocolError("the connection ended before the end of the head")
        self._finish(whole=self._state is _State.UNTIL_EOF)
        return EndOfMessage(self._whole)

    def _step(self) -> HttpEvent | None:
        """Go on by one event or state, or not at all where more data is needed."""
        match self._state:
            case _State.HEAD:
                return self._head()
            case _State.LENGTH | _State.CHUNK | _State.UNTIL_EOF:
                return self._body()
            case _State.SIZE:
                self._size()
            case _State.CHUNK_END:
                self._chunk_end()
            case _State.TRAILER:
                if self._line("the trailer") == b"":
                    self._finish(whole=True)
            case _State.DONE:
                return EndOfMessage(self._whole)
        return None

    def _head(self) -> Head | None:
        end = self._buffer.find(_END_OF_HEAD, max(0, self._searched - 3))
        self._searched = len(self._buffer)
        if (self._searched if end < 0 else end + 4) > MAX_HEAD_BYTES:
            raise RemoteProtocolError("the head is too long")
        if end < 0:
            return None
        text = self._take(end + 4)[:end].decode("latin-1")
        start, *lines = text.split("\r\n")
        pattern = _REQUEST_LINE if self._kind == "request" else _STATUS_LINE
        if not pattern.fullmatch(start):
            raise RemoteProtocolError(
                f"not the start of a {self._kind}: {start[:80]!r}"
            )
        headers: dict[str, str] = {}
        for line in lines:
            header = _HEADER.fullmatch(line)
            if header is None:
                raise RemoteProtocolError(f"not a header: {line[:80]!r}")
            headers[header[1].lower()] = header[2]
        self._choose_body(headers)
        return Head(start, headers)

    def _choose_body(self, headers: Mapping[str, str]) -> None:
        coding = headers.get("transfer-encoding", "").lower()
        length = headers.get("content-length")
        if coding:
            if coding != "chunked" or length is not None:
                raise RemoteProtocolError(
                    f"a body that is {coding!r} is not spoken here"
                )
            self._state = _State.SIZE
        elif length is not None:
            if not _LENGTH.fullmatch(length):
                raise RemoteProtocolError(f"not a length: {length[:80]!r}")
            self._state = _State.LENGTH
            self._left = int(length)
            if not self._left:
                self._finish(whole=True)
        elif self._kind == "response":
            self._state = _State.UNTIL_EOF
        else:
            self._finish(whole=True)

    def _body(self) -> Body | None:
        if not self._buffer:
            return None
        if self._state is _State.UNTIL_EOF:
            return Body(self._take(len(self._buffer)))
        data = self._take(self._left)
        self._left -= len(data)
        if not self._left:
            if self._state is _State.CHUNK:
                self._state = _State.CHUNK_END
            else:
                self._finish(whole=True)
        return Body(data)

    def _size(self) -> None:
        line = self._line("the size of a chunk")
        if line is None:
            return
        size = _SIZE_LINE.fullmatch(line)
        if size is None:
            raise RemoteProtocolError(f"not the size of a chunk: {line[:80]!r}")
        self._left = int(size[1], 16)
        self._state = _State.CHUNK if self._left else _State.TRAILER

    def _chunk_end(self) -> None:
        if len(self._buffer) < len(_CRLF):
            return
        if self._take(len(_CRLF)) != _CRLF:
            raise RemoteProtocolError("a chunk is longer than its size")
        self._state = _State.SIZE

    def _line(self, what: str) -> bytes | None:
        """The next line, without its end; None where it has not come yet."""
        end = self._buffer.find(_CRLF, max(0, self._searched - 1))
        self._searched = len(self._buffer)
        if (self._searched - 1 if end < 0 else end) > _MAX_SIZE_LINE:
            raise RemoteProtocolError(f"{what} is too long")
        return None if end < 0 else self._take(end + 2)[:end]

    def _take(self, size: int) -> bytes:
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        self._searched = 0
        return data

    def _finish(self, *, whole: bool) -> None:
        if self._state is not _State.DONE:
            self._state = _State.DONE
            self._whole = whole
            self._buffer.clear()


def request_bytes(host: str, path: str, body: bytes) -> bytes:
    """A POST of JSON, whose answer may be a stream of events."""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n"
        "Content-Type: application/json\r\nAccept: text/event-stream\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode("latin-1") + body


def response_head(status: int, content_type: str, *, chunked: bool) -> bytes:
    """The head of a response; if not chunked, its body ends with the connection."""
    head = (
        f"HTTP/1.1 {status} {_REASONS.get(status, 'Status')}\r\n"
        f"Content-Type: {content_type}\r\nConnection: close\r\n"
    )
    if chunked:
        head += "Transfer-Encoding: chunked\r\n"
    return f"{head}\r\n".encode("latin-1")


def chunk(data: bytes) -> bytes:
    """A chunk of a body; not for nothing, which would end it."""
    return b"%x\r\n%s\r\n" % (len(data), data)
