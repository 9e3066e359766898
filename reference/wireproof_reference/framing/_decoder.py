"""From bytes, however cut, to JSON lines.

Theory of operation: `receive_data` looks for line feeds only in what is new, so
that a long line costs the same in one piece or in a million.  Whole lines
go to a queue unparsed; `next_event` parses one at a time.  The bytes after
the last line feed wait in the tail.  When the tail outgrows the limit its head is
kept, the rest is counted and dropped, and the next line feed ends it: the
end of an oversize line is never taken for a line of its own.

    decoder.receive_data(data)
    while (event := decoder.next_event()) is not NEED_DATA:
        ...

Ordinary frames take a quick road through `next_event`: this loop is what the speed
of every line protocol comes down to.  A line goes that way unless it may nest too
deep, or some line in the queue has what orjson does not read as we do.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, Literal, cast

import orjson

from wireproof_reference._errors import JsonError, LocalProtocolError
from wireproof_reference.framing._events import (
    END_OF_INPUT,
    NEED_DATA,
    BadLine,
    BlankLine,
    Event,
    Frame,
    NeedData,
    Oversize,
    Unterminated,
)
from wireproof_reference.framing._json import (
    MAX_SHALLOW_BYTES,
    has_long_number,
    is_shallow,
    loads,
)

if TYPE_CHECKING:
    from collections.abc import Callable

DEFAULT_LIMIT: Final = 32 * 1024 * 1024
"""Bytes that a line may have unless told otherwise: 16 MiB escaped once over."""

_HEAD_BYTES: Final = 1024  # of an oversize line, enough to recognise it by
_NEVER_QUICK: Final = -1  # a line length that no line has

# The generated __init__ of a frozen dataclass costs more than parsing a frame.
_parse = orjson.loads
_new_frame: Callable[[type[Frame]], Frame] = object.__new__
_set_value = cast("Callable[[Frame, object], None]", vars(Frame)["value"].__set__)
_set_line = cast("Callable[[Frame, bytes], None]", vars(Frame)["line"].__set__)


class _OversizeHead(bytes):
    """Stands in the queue for an oversize line that has been dropped."""

    size: int


class NdjsonDecoder:
    """Splits a byte stream into lines and reads each as JSON; does no I/O.

    Call `receive_data` with what arrives and `receive_eof` at its end, and after
    each call `next_event` until it answers `NEED_DATA` or `END_OF_INPUT`.

    Args:
        limit: Bytes that a line may have, without its line feed.
        crlf: Whether a carriage return may stand before the line feed.  It stays in
            the event's `line` all the same.
        blank_lines: Whether a line of white space is skipped or reported.
    """

    __slots__ = (
        "_blank_lines",
        "_crlf",
        "_dropped",
        "_eof",
        "_head",
        "_head_bytes",
        "_last",
        "_limit",
        "_queue",
        "_quick",
        "_tail",
    )

    def __init__(
        self,
        limit: int = DEFAULT_LIMIT,
        *,
        crlf: bool = True,
        blank_lines: Literal["skip", "report"] = "skip",
    ) -> None:
        self._limit = limit
        self._crlf = crlf
        self._blank_lines = blank_lines
        self._head_bytes = min(limit, _HEAD_BYTES)
        # Bytes that a line in the queue may have to take the quick road.
        self._quick = limit
        self._queue: deque[bytes] = deque()
        self._tail = bytearray()
        self._head = b""
        self._dropped = 0
        self._last: Unterminated | None = None
        self._eof = False

    @property
    def pending(self) -> int:
        """Bytes so far of the line that is still arriving, dropped ones included.

        More than the limit means that an `Oversize` will come with the line feed.
        """
        return self._dropped or len(self._tail)

    def receive_data(self, data: bytes) -> None:
        """Take in bytes from the peer.

        Raises:
            LocalProtocolError: The end of file was already received.
        """
        if self._eof:
            raise LocalProtocolError("data after the end of file")
        cut = data.rfind(b"\n")
        if cut < 0:
            self._hold(data)
            return
        # What holds of the lines that wait still has to hold.
        quick = self._quick if self._queue else self._limit
        start = 0
        if self._dropped:
            start = data.find(b"\n") + 1
            self._queue.append(self._drop_to_end(start - 1))
            quick = _NEVER_QUICK
        if start <= cut:
            block = b"".join((self._tail, memoryview(data)[start:cut]))
            self._tail.clear()
            # To split a long line that is alone would copy it.
            lines = block.split(b"\n") if b"\n" in block else [block]
            if has_long_number(block) or (not self._crlf and b"\r" in block):
                quick = _NEVER_QUICK
            # Where most lines are short, counting their brackets is a waste.
            elif len(block) < len(lines) * MAX_SHALLOW_BYTES or not is_shallow(
                block, max(map(len, lines))
            ):
                quick = min(quick, MAX_SHALLOW_BYTES)
            self._queue.extend(lines)
        self._quick = quick
        self._hold(data[cut + 1 :])

    def receive_eof(self) -> None:
        """Take in the end of file; a second one changes nothing."""
        if self._eof:
            return
        self._eof = True
        if self._dropped:
            self._last = Unterminated(self._head, self._dropped)
        elif self._tail:
            self._last = Unterminated(bytes(self._tail), len(self._tail))
        self._tail = bytearray()
        self._dropped = 0

    def next_event(self) -> Event | NeedData:
        """The next thing found in the input, in the order of the bytes."""
        queue = self._queue
        while queue:
            line = queue.popleft()
            if len(line) <= self._quick:
                try:
                    value: object = _parse(line)
                except orjson.JSONDecodeError:
                    pass
                else:
                    frame = _new_frame(Frame)
                    _set_value(frame, value)
                    _set_line(frame, line)
                    return frame
            event = self._examine(line)
            if event is not None:
                return event
        if not self._eof:
            return NEED_DATA
        if self._last is not None:
            last, self._last = self._last, None
            return last
        return END_OF_INPUT

    def _hold(self, data: bytes) -> None:
        """Keep the start of a line, or drop more of one that is too long."""
        if self._dropped:
            self._dropped += len(data)
            return
        self._tail += data
        if len(self._tail) > self._limit:
            self._head = bytes(self._tail[: self._head_bytes])
            self._dropped = len(self._tail)
            self._tail = bytearray()

    def _drop_to_end(self, size: int) -> _OversizeHead:
        """Drop the last bytes of an oversize line."""
        head = _OversizeHead(self._head)
        head.size = self._dropped + size
        self._dropped = 0
        return head

    def _examine(self, line: bytes) -> Event | None:
        """Judge a line that is not an ordinary frame; None when it is skipped."""
        if isinstance(line, _OversizeHead):
            return Oversize(line.size, bytes(line))
        if len(line) > self._limit:
            return Oversize(len(line), line[: self._head_bytes])
        if not self._crlf and line.endswith(b"\r"):
            return BadLine("not-json", "a carriage return before the line feed", line)
        if not line.strip(b" \t\r"):
            return None if self._blank_lines == "skip" else BlankLine(line)
        try:
            return Frame(loads(line), line)
        except JsonError as error:
            return BadLine(error.reason, error.detail, line)
