"""What was sent to a host, read as the host will read it."""

from __future__ import annotations

import json
import re
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import orjson

from wireproof.line import LONGEST_ESCAPE, UnendedLine, events_of, is_json
from wireproof.patterns import DECODER, is_object, json_equal
from wireproof_reference.framing import (
    BadLine,
    BlankLine,
    Frame,
    JsonError,
    NdjsonDecoder,
    Oversize,
    loads,
)

if TYPE_CHECKING:
    from wireproof.protocols.host_v1._printed import Printed

LINE_LIMIT = (16 << 20) * LONGEST_ESCAPE + (1 << 20)
"""Longest line either way, in bytes: 16 MiB of text, each character escaped, and room
for the frame around it."""

WHOLE = 4_096
"""Bytes of a request below which a host reads it in one piece."""

DEEP = 64
"""Levels of nesting that usual parsers read; what is deeper may be a bad line."""

_BRACKETS = re.compile(rb"[\[\]{}]")

LATE_SECONDS = 2.0
"""How long at least a failure without an id is still taken for the answer to a bad
line once that line, or a request that was sent after it, has been answered."""

MOST_WAITING = 1_000
"""Bad lines of which it is known that they have not been answered."""

SEARCHED = 65_536
"""Bytes of a bad line in which ids are looked for."""

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")

_HOLE = re.compile(r"[\ud800-\udfff\ufffd?]|\\u[dD]")
"""What may be written for half of a surrogate pair."""

_ID_IN_TEXT = re.compile(rb'"id"\s*:\s*"((?:[^"\\]|\\.)*)"')


@dataclass(frozen=True, slots=True)
class SentRequest:
    """A line that is a request.

    Attributes:
        id: Its id.
        method: Its method.
        carried_state: Whether its params had an object ``state``.
        pieced: Whether the host may have read it in more than one piece.
        behind: How many doubtful lines were sent before it.
        doubtful: Whether it is one itself.
        kind: Its method, and the tool that it calls.
    """

    id: str
    method: str
    carried_state: bool
    pieced: bool
    behind: int
    doubtful: bool
    kind: str = ""

    @property
    def key(self) -> str:
        """What its exchange is known by: the id."""
        return self.id


class HostOutgoing:
    """Reads what goes to a host: requests, and lines that are none.

    A line is doubtful if the host may answer it with a failure that has no id: a bad
    line, or a request so long or nested so deep that the host may not take it. Such
    answers may be many and slow, so what ends them is order, not a clock: the line, or
    a request sent after it, has been answered, and a moment has gone by in which a
    thread may be late.

    Attributes:
        ambiguous: Whether an answer was taken for one to a line of an earlier check,
            while a line of the check in hand had none yet.
        odd_states: Whether the host gave a state with half of a surrogate pair or a
            number beyond all doubles in it: what it wrote itself it reads.
    """

    def __init__(self, printed: Printed) -> None:
        """Begin; what tools are asked to print is noted in ``printed``."""
        self._printed = printed
        self._waiting: deque[tuple[float, int]] = deque(maxlen=MOST_WAITING)
        self._doubtful = 0
        self._passed = 0
        self._passed_at = -LATE_SECONDS
        self._late = LATE_SECONDS
        self._began = 0.0
        self.ambiguous = False
        self._unended = UnendedLine(_is_request)
        self._any = False
        self._undecodable = False
        self._now = 0.0
        self._ids: set[str] = set()
        self._free_ids: set[str] = set()
        self._torn_ids: set[str] = set()
        self._values: list[Any] = []
        self._decoder = NdjsonDecoder(LINE_LIMIT, blank_lines="report")
        self.odd_states = False

    def send(self, data: bytes, time: float, *, cut: bool) -> list[SentRequest]:
        """Take bytes that are sent; return the requests that they complete."""
        self._now = time
        apart = self.midline
        self._decoder.receive_data(data)
        found: list[SentRequest] = []
        for index, event in enumerate(events_of(self._decoder)):
            match event:
                case Frame(value=value) if not index and self._unended.was_read(value):
                    pass
                case Frame(value=value, line=line):
                    found += self._line(value, line, cut=cut or (apart and not index))
                case BadLine("not-json", line=line) if value := self._with_odd_state(
                    line
                ):
                    found += self._line(value, line, cut=cut or (apart and not index))
                case BadLine(reason=reason, line=line):
                    self._undecodable |= reason == "not-utf8"
                    self._bad_line(line, self._ids_for(reason, line))
                case Oversize() | BlankLine():
                    self._bad_line(b"", self._ids)
                case _:
                    pass
        return [*found, *self._ahead(data)]

    @property
    def undecodable(self) -> bool:
        """Whether this check has sent bytes that are read in one way or another."""
        return self._undecodable

    @property
    def midline(self) -> bool:
        """Whether the last line that was sent has no line feed yet."""
        return self._decoder.pending > 0

    def _ahead(self, data: bytes) -> list[SentRequest]:
        """Read a request whose line feed has not been sent; it may have been read."""
        value = self._unended.take(data)
        if value is None:
            return []
        return self._line(value, self._unended.line, cut=True)

    def begin(self, time: float, late: float = LATE_SECONDS) -> None:
        """Begin a new check.

        Args:
            time: When it begins.
            late: How many seconds late an answer without an id may be.
        """
        self._began = time
        self._late = late
        self._undecodable = False
        self.ambiguous = False

    @property
    def waiting(self) -> bool:
        """Whether a bad line of this check has not been answered."""
        return bool(self._waiting) and self._waiting[-1][0] >= self._began

    def may_answer(
        self, value: dict[str, Any], time: float, only: SentRequest | None
    ) -> bool:
        """Tell whether a response that fits no open request is one to a bad line.

        Args:
            value: The response.
            time: When it came.
            only: The request that waits for its answer, if it is exactly one.
        """
        key = value.get("id")
        failed = value.get("ok") is False
        if key is None or key == "":
            # A failure may be a late one to a bad line, and one of several: many
            # readers end a line at a bare CR too. A success can only answer a bad
            # line of this check.
            late = self._may_be_late(time, only) or (self._any and only is None)
            return self.waiting or (failed and late)
        if isinstance(key, str):
            return key in self._ids or self.is_free(key) or self.waiting
        return (failed and self.waiting) or self._was_sent(key)

    def waits_for(self, key: str) -> bool:
        """Tell whether a bad line of this check with this id waits for its answer."""
        return self.waiting and (key in self._ids or key in self._free_ids)

    def is_free(self, key: Any) -> bool:
        """Tell whether any answer will do: nobody can say what the line means."""
        if not isinstance(key, str) or not key:
            return False
        return key in self._free_ids or _before_hole(key) in self._torn_ids

    def names_right(self, key: Any) -> bool:
        """Tell whether an answer to a bad line may have this id (HV1-T8)."""
        if key is None or key == "" or self._undecodable:
            return True
        if isinstance(key, str):
            return key in self._ids or self.is_free(key)
        return self._was_sent(key)

    def answered(self, time: float) -> bool:
        """Take note that a bad line was answered; tell whether it is of this check."""
        while self._waiting and self._is_over(self._waiting[0][1], time):
            self._waiting.popleft()
        if not self._waiting:
            return True
        sent, line = self._waiting.popleft()
        self.passed(line, time)
        is_of_this = sent >= self._began
        self.ambiguous |= not is_of_this and self.waiting
        return is_of_this

    def passed(self, lines: int, time: float) -> None:
        """Take note that the host has come past the first doubtful lines.

        Args:
            lines: How many there are of them.
            time: When the answer came that shows it.
        """
        if lines > self._passed:
            self._passed = lines
            self._passed_at = time

    def _may_be_late(self, time: float, only: SentRequest | None) -> bool:
        last = self._doubtful
        if only is not None and only.doubtful and only.behind == last - 1:
            # The first answer to a long request is its own, whatever its id.
            last -= 1
        return last > 0 and not self._is_over(last, time)

    def _is_over(self, line: int, time: float) -> bool:
        """Tell whether a doubtful line, counted from 1, has had all its answers."""
        return line <= self._passed and time - self._passed_at >= self._late

    def _was_sent(self, key: Any) -> bool:
        return any(json_equal(key, bad) for bad in self._values)

    def _ids_for(self, reason: str, line: bytes) -> set[str]:
        # Others may read what we do not: deeper nesting, numbers beyond a double, and
        # bytes that are not UTF-8 as U+FFFD (HV1-T13).
        text = line.decode(errors="replace").encode()
        is_free = reason == "too-deep" or is_json(text)
        return self._free_ids if is_free else self._ids

    def _line(self, value: Any, line: bytes, *, cut: bool) -> list[SentRequest]:
        match value:
            case {"id": str(), "method": str()} if self._is_torn(value, line):
                self._undecodable = True
                self._torn_ids.add(_before_hole(value["id"]))
                self._bad_line(line, self._free_ids)
                return []
            case {"id": str(request_id), "method": str(method)}:
                params = value.get("params")
                self._note_print(params)
                carried = is_object(params) and is_object(params.get("state"))
                long = len(line) + 1 >= WHOLE
                behind = self._doubtful
                doubtful = long or _is_deep(line)
                self._doubtful += doubtful
                pieced = cut or long
                tool = _tool_of(params) if method == "execute_tool" else ""
                kind = f"{method} {tool}"
                sent = (request_id, method, carried, pieced, behind, doubtful, kind)
                return [SentRequest(*sent)]
            case _:
                if is_object(value):
                    self._values.append(value.get("id"))
                self._bad_line(line, self._ids)
                return []

    def gave(self, state: dict[str, Any]) -> None:
        """Take note of a state that the host gave."""
        self.odd_states = self.odd_states or not _is_plain(state)

    def _with_odd_state(self, line: bytes) -> dict[str, Any] | None:
        """Read a request that a state of the host's own makes odd; None of others."""
        if not (self.odd_states and is_json(line)):
            return None
        value = DECODER.decode(line.decode())
        return value if _is_plain(self._without_odd_state(value)) else None

    def _without_odd_state(self, value: Any) -> Any:
        """Return a request without the state, where the host gives odd ones."""
        params = value.get("params") if is_object(value) else None
        if not self.odd_states or not is_object(params) or "state" not in params:
            return value
        return {**value, "params": {**params, "state": {}}}

    def _is_torn(self, value: Any, line: bytes) -> bool:
        """Tell whether a request holds half of a surrogate pair.

        RFC 8259 leaves open what that means: a bad line, or text with a hole in it.
        """
        if not _SURROGATE.search(line):
            return False
        return not _is_plain(self._without_odd_state(value))

    def _note_print(self, params: Any) -> None:
        match params:
            case {"tool_name": "conformance_print", "arguments": {"text": str(text)}}:
                self._printed.add(text)
            case _:
                pass

    def _bad_line(self, line: bytes, ids: set[str]) -> None:
        self._any = True
        self._doubtful += 1
        self._waiting.append((self._now, self._doubtful))
        # A lenient reader may find an id in bytes in which we look for none.
        self._undecodable |= b"\0" in line
        for raw in _ID_IN_TEXT.findall(line[:SEARCHED]):
            try:
                ids.add(str(loads(b'"' + raw + b'"')))
            except JsonError:
                ids.add(raw.decode(errors="replace"))


def _is_plain(value: Any) -> bool:
    """Tell whether all readers take a value for the same: no half pair, no infinity."""
    with suppress(TypeError):
        # It refuses what is odd, and no more but integers beyond 64 bits.
        orjson.dumps(value)
        return True
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (UnicodeEncodeError, ValueError, RecursionError):
        return False
    return True


def _is_request(value: dict[str, Any]) -> bool:
    return isinstance(value.get("id"), str) and isinstance(value.get("method"), str)


def _tool_of(params: Any) -> str:
    name = params.get("tool_name") if is_object(params) else None
    return name if isinstance(name, str) else ""


def _is_deep(line: bytes) -> bool:
    """Tell whether a line is nested so deep that a parser may stop at it."""
    if line.count(b"[") + line.count(b"{") <= DEEP:
        return False
    brackets = _BRACKETS.findall(line)
    return max(accumulate(1 if one in b"[{" else -1 for one in brackets)) > DEEP


def _before_hole(text: str) -> str:
    """Return an id up to what may stand for half of a surrogate pair; the whole else.

    It is kept, escaped once more, or written as U+FFFD or a question mark.
    """
    return _HOLE.split(text, maxsplit=1)[0]
