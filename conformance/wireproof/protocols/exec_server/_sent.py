"""What was sent to a server, read as the server will read it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from json import dumps
from typing import Any

from wireproof.line import LONGEST_ESCAPE, UnendedLine, events_of
from wireproof.patterns import is_array, is_object
from wireproof.protocols.exec_server._ids import key_of
from wireproof_reference.framing import (
    BadLine,
    BlankLine,
    Frame,
    JsonError,
    NdjsonDecoder,
    Oversize,
    loads,
)

LINE_LIMIT = (4 << 20) * LONGEST_ESCAPE + (1 << 20)
"""Longest line either way, in bytes: 4 MiB of text, each character escaped, and room
for the frame around it."""

WHOLE = 4_096
"""Bytes of a request below which a server reads it in one piece."""

LARGE = 1 << 17
"""Bytes of a request from which on a server may refuse it for its length: of a mebibyte
in one the clauses say no more than that it should be handled (EXEC-S16)."""

SEARCHED = 65_536
"""Bytes at each end of a bad line in which ids are looked for."""

_ID_IN_TEXT = re.compile(
    rb"""["']id["']\s*:\s*("(?:[^"\\]|\\.)*"|'[^']*'|-?[0-9][0-9.eE+-]*)"""
)


@dataclass(frozen=True, slots=True)
class SentRequest:
    """A line that is a request.

    Attributes:
        key: The key of its id.
        id: Its id.
        pieced: Whether the server may have read it in more than one piece.
        large: Whether it is so long that a server may refuse it for that.
    """

    key: str
    id: Any
    pieced: bool
    large: bool = False

    @property
    def kind(self) -> str:
        """What it asks for: a server has one tool."""
        return ""


class RpcOutgoing:
    """Reads what goes to a server: requests, and lines that are none.

    Attributes:
        bad: How many lines were sent that a server may answer with an error of no id.
        batches: How many batches were sent.
        notifications: How many requests without an id.
        any: Whether anything at all was sent.
        odd: What stands for an id in such lines and can be none.
        free: Keys of ids that stand in lines which are no request, and how many answers
            to them may come; none has to.
    """

    def __init__(self) -> None:
        """Begin with nothing sent."""
        self.bad = 0
        self.batches = 0
        self.notifications = 0
        self.free: Counter[str] = Counter()
        self.odd: list[Any] = []
        self.any = False
        self._decoder = NdjsonDecoder(LINE_LIMIT, blank_lines="report")
        self._unended = UnendedLine(_is_request)

    @property
    def midline(self) -> bool:
        """Whether the last line that was sent has no line feed yet."""
        return self._decoder.pending > 0

    def send(self, data: bytes, *, cut: bool) -> list[SentRequest]:
        """Take bytes that are sent; return the requests that they complete."""
        self.any = True
        apart = self.midline
        self._decoder.receive_data(data)
        found: list[SentRequest] = []
        for index, event in enumerate(events_of(self._decoder)):
            match event:
                case Frame(value=value) if not index and self._unended.was_read(value):
                    pass
                case Frame(value=value, line=line) if _has_half_pair(value, line):
                    # A server may take it for no JSON.
                    self._bad_line(line)
                case Frame(value=value, line=line):
                    pieced = cut or (apart and not index) or len(line) >= WHOLE
                    large = len(line) >= LARGE
                    found += self._value(value, pieced=pieced, large=large)
                case BadLine(reason=reason, line=line):
                    self._bad_line(line)
                    # A server may read what nests too deep for us.
                    self.batches += reason == "too-deep" and line.lstrip()[:1] == b"["
                case Oversize() | BlankLine():
                    self.bad += 1
                case _:
                    pass
        return [*found, *self._ahead(data)]

    def _ahead(self, data: bytes) -> list[SentRequest]:
        """Read a request whose line feed has not been sent; it may have been read."""
        value = self._unended.take(data)
        return [] if value is None else self._value(value, pieced=True)

    def _value(
        self, value: Any, *, pieced: bool, large: bool = False
    ) -> list[SentRequest]:
        if is_array(value):
            self.batches += 1
            self._free_ids(value)
            return []
        if not is_object(value):
            self.bad += 1
            return []
        key = key_of(value.get("id"))
        if key is not None and _is_call(value):
            return [SentRequest(key, value["id"], pieced, large)]
        if _is_call(value) and "id" not in value:
            self.notifications += 1
        else:
            self.bad += 1
            self._free_ids([value])
        return []

    def _free_ids(self, values: list[Any]) -> None:
        for value in values:
            if not is_object(value) or value.get("id") is None:
                continue
            if (key := key_of(value["id"])) is not None:
                self.free[key] += 1
            else:
                self.odd.append(value["id"])

    def _bad_line(self, line: bytes) -> None:
        self.bad += 1
        ends = line[:SEARCHED] + line[SEARCHED:][-SEARCHED:]
        for raw in _ID_IN_TEXT.findall(ends):
            try:
                key = key_of(loads(raw))
            except JsonError:
                key = raw.strip(b"'").decode(errors="replace")
            if key is not None:
                self.free[key] += 1


def _has_half_pair(value: Any, line: bytes) -> bool:
    if b"\\ud" not in line.lower():
        return False
    try:
        dumps(value, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError):
        return True
    return False


def _is_call(value: dict[str, Any]) -> bool:
    return isinstance(value.get("method"), str) and value.get("jsonrpc") == "2.0"


def _is_request(value: dict[str, Any]) -> bool:
    return _is_call(value) and key_of(value.get("id")) is not None
