"""Server-sent events, from bytes however cut, and back to bytes.

Theory of operation: a line ends with CR LF, LF or CR, and line ends are looked for
only in what is new, so that a long line costs the same in one piece or in a million.
A CR at the end of a piece ends its line at once; a LF that the next piece begins with
belongs to it.  Whole lines go to a queue; `next_event` gathers the lines of one
event, which a blank line ends.  An event that outgrows the limit is dropped as
it arrives, and said to be oversize at its blank line.

    decoder.receive_data(data)
    while (event := decoder.next_event()) is not NEED_DATA:
        ...

What an event stream is: https://html.spec.whatwg.org/multipage/server-sent-events.html.
`id` and `retry` serve a browser that connects anew; they are read over.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final, TypeAlias

from wireproof_reference._errors import LocalProtocolError
from wireproof_reference.framing import (
    DEFAULT_LIMIT,
    END_OF_INPUT,
    NEED_DATA,
    EndOfInput,
    NeedData,
)

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_LF: Final = ord("\n")


@dataclass(frozen=True, slots=True)
class ServerSentEvent:
    """An event that has data.

    Attributes:
        data: The values of its `data` fields, with a line feed between them.  Not
            decoded: JSON has its own rule for bytes that are not UTF-8.
        name: Its `event` field, or nothing.
    """

    data: bytes
    name: str = ""


@dataclass(frozen=True, slots=True)
class OversizeEvent:
    """An event longer than the limit; it was dropped as it arrived.

    Attributes:
        size: Bytes of all its lines, comments aside and without their ends.
    """

    size: int


@dataclass(frozen=True, slots=True)
class UnfinishedEvent:
    """What was left at the end of file without a blank line; not to be used.

    Attributes:
        size: Bytes of all its lines, comments aside and without their ends.
    """

    size: int


EventStreamEvent: TypeAlias = (
    ServerSentEvent | OversizeEvent | UnfinishedEvent | EndOfInput
)
"""Everything that a decoder reports."""


class _OversizeLine(bytes):
    """Stands in the queue for a line that has been dropped."""

    size: int


class EventStreamDecoder:
    """Splits a byte stream into server-sent events; does no I/O.

    Call `receive_data` with what arrives and `receive_eof` at its end, and after
    each call `next_event` until it answers `NEED_DATA` or `END_OF_INPUT`.

    Args:
        limit: Bytes that the lines of one event may have, comments aside and
            without their ends.
    """

    def __init__(self, limit: int = DEFAULT_LIMIT) -> None:
        self._limit = limit
        self._queue: deque[bytes] = deque()
        self._tail = bytearray()
        self._dropped = 0  # bytes of a line too long, which is still arriving
        self._after_cr = False
        self._at_start = True
        self._eof = False
        self._data: list[bytes] = []
        self._name = b""
        self._size = 0

    def receive_data(self, data: bytes) -> None:
        """Take in bytes from the provider.

        Raises:
            LocalProtocolError: The end of file was already received.
        """
        if self._eof:
            raise LocalProtocolError("data after the end of file")
        if not data:
            return
        if self._after_cr and data[0] == _LF:
            data = data[1:]
        self._after_cr = data.endswith(b"\r")
        end = max(data.rfind(b"\n"), data.rfind(b"\r")) + 1
        if end:
            lines = b"".join((self._tail, data[:end])).splitlines()
            if self._dropped:
                lines[0] = self._drop(len(lines[0]) - len(self._tail))
            self._queue.extend(lines)
            self._tail.clear()
        self._hold(data[end:])

    def receive_eof(self) -> None:
        """Take in the end of file; a second one changes nothing."""
        if self._eof:
            return
        self._eof = True
        if self._dropped:
            self._queue.append(self._drop(0))
        elif self._tail:
            self._queue.append(bytes(self._tail))
        self._tail.clear()

    def next_event(self) -> EventStreamEvent | NeedData:
        """The next event, in the order of the bytes."""
        while self._queue:
            line = self._queue.popleft()
            if self._at_start:
                self._at_start = False
                line = _without_mark(line)
            if not line:
                event = self._finish()
                if event is not None:
                    return event
            elif not line.startswith(b":"):
                self._add(line)
        if not self._eof:
            return NEED_DATA
        if self._size:
            size = self._size
            self._forget()
            return UnfinishedEvent(size)
        return END_OF_INPUT

    def _hold(self, rest: bytes) -> None:
        """Keep the start of a line, or drop more of one that is too long."""
        if self._dropped:
            self._dropped += len(rest)
            return
        self._tail += rest
        if len(self._tail) > self._limit + len(_BYTE_ORDER_MARK):
            self._dropped = len(self._tail)
            # So much tells a comment, which counts for nothing, from a field.
            del self._tail[len(_BYTE_ORDER_MARK) + 1 :]

    def _drop(self, size: int) -> _OversizeLine:
        """Drop the last bytes of a line that is too long."""
        line = _oversize_line(bytes(self._tail), self._dropped + size)
        self._dropped = 0
        return line

    def _add(self, line: bytes) -> None:
        self._size += line.size if isinstance(line, _OversizeLine) else len(line)
        if self._size > self._limit:
            self._data.clear()
            return
        field, _, value = line.partition(b":")
        if field == b"data":
            self._data.append(value.removeprefix(b" "))
        elif field == b"event":
            self._name = value.removeprefix(b" ")

    def _finish(self) -> ServerSentEvent | OversizeEvent | None:
        """End an event at its blank line; None where it has no data."""
        event: ServerSentEvent | OversizeEvent | None = None
        if self._size > self._limit:
            event = OversizeEvent(self._size)
        elif self._data:
            data = b"\n".join(self._data)
            event = ServerSentEvent(data, self._name.decode(errors="replace"))
        self._forget()
        return event

    def _forget(self) -> None:
        self._data.clear()
        self._name = b""
        self._size = 0


def _oversize_line(head: bytes, size: int) -> _OversizeLine:
    line = _OversizeLine(head)
    line.size = size
    return line


def _without_mark(line: bytes) -> bytes:
    if not line.startswith(_BYTE_ORDER_MARK):
        return line
    rest = line[len(_BYTE_ORDER_MARK) :]
    if isinstance(line, _OversizeLine):
        return _oversize_line(rest, line.size - len(_BYTE_ORDER_MARK))
    return rest


def encode_event(event: ServerSentEvent) -> bytes:
    """The bytes of an event, with the blank line that ends it.

    Args:
        event: Its data and name hold no CR, nor its name a LF; JSON escapes both.
    """
    name = f"event: {event.name}\n".encode() if event.name else b""
    return name + b"data: " + event.data.replace(b"\n", b"\ndata: ") + b"\n\n"
