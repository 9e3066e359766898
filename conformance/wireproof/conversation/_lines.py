"""From bytes to lines, each with its JSON value or the name of its fault."""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from contextlib import suppress
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import orjson

from wireproof.patterns import DECODER
from wireproof_reference.framing import (
    BadLine,
    BlankLine,
    EndOfInput,
    Frame,
    NdjsonDecoder,
    NeedData,
    Oversize,
    Unterminated,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wireproof_reference.framing import Event

LineFault: TypeAlias = Literal[
    "",
    "blank-line",
    "not-utf8",
    "not-json",
    "broken-json",
    "oversize",
    "unterminated",
    "text-without-line-feed",
]
"""Why a line has no JSON value, or has one that is not ended; empty if it is right."""

DEEPEST = 256
"""Levels that are kept of a line that nests deeper than a reader takes."""

DEEP = 64
"""Levels of nesting that usual parsers read; what is deeper may be refused."""

_BRACKETS = re.compile(rb"[\[\]{}]")

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.DOTALL)

_CONSTANT = re.compile(rb"NaN|Infinity")

_TOKENS = re.compile(
    rb'"(?:[^"\\]|\\.)*+"|(?:\[|\{"[^"\\\[\]{}]*+":)++|\{|[\]}]++', re.DOTALL
)
"""Strings, and runs of what opens a level or closes one."""

_OPENING = re.compile(rb"[\[{]")


class Line(NamedTuple):
    """One line.

    Attributes:
        data: Its bytes without the line feed; the first of them if it is oversize.
        value: Its JSON value; None if it has none.
        fault: Why it has none.
        detail: The reader's own words for it.
        is_odd: Whether readers may differ about the value: ask `is_plain`.
    """

    data: bytes
    value: Any
    fault: LineFault
    detail: str = ""
    is_odd: bool = False


class LineReader:
    """Reads lines from bytes, however they are cut."""

    def __init__(self, limit: int) -> None:
        """Begin before the first byte.

        Args:
            limit: Bytes of the longest line.
        """
        self._decoder = NdjsonDecoder(limit, blank_lines="report")

    @property
    def pending(self) -> int:
        """Bytes so far of the line that has no line feed yet."""
        return self._decoder.pending

    def receive(self, data: bytes) -> Iterator[Line]:
        """Take bytes and return the lines that they complete."""
        self._decoder.receive_data(data)
        return self._lines()

    def receive_eof(self) -> Iterator[Line]:
        """End the input and return the line that was not ended, if there is one."""
        self._decoder.receive_eof()
        return self._lines()

    def _lines(self) -> Iterator[Line]:
        while True:
            event = self._decoder.next_event()
            if isinstance(event, Frame):
                # Only as an escape is half a pair valid UTF-8.
                yield Line(event.line, event.value, "", "", b"\\u" in event.line)
            elif isinstance(event, NeedData | EndOfInput):
                return
            else:
                yield _without_value(event)


def is_plain(value: Any) -> bool:
    """Return whether all readers take a value for the same: no half pair, no 1e400."""
    # orjson writes null for an infinite number.
    with suppress(TypeError):
        if b"null" not in orjson.dumps(value):
            return True
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (UnicodeEncodeError, ValueError):
        return False
    except RecursionError:
        return True
    return True


def is_deep(value: Any) -> bool:
    """Return whether a value is nested so deep that a usual parser may stop at it."""
    try:
        line = json.dumps(value).encode()
    except RecursionError:
        return True
    if line.count(b"[") + line.count(b"{") <= DEEP:
        return False
    brackets = _BRACKETS.findall(line)
    return max(accumulate(1 if one in b"[{" else -1 for one in brackets)) > DEEP


def _whole(line: bytes) -> Line:
    """Read bytes as a line that was ended."""
    reader = LineReader(len(line))
    return next(reader.receive(line + b"\n"))


def _without_value(event: Event) -> Line:
    match event:
        case BlankLine(line=line):
            return Line(line, None, "blank-line")
        case BadLine(reason="too-deep", line=line):
            return _too_deep(line)
        case BadLine(reason="not-utf8", line=line, detail=detail):
            return Line(line, None, "not-utf8", detail)
        case BadLine(line=line, detail=detail):
            with suppress(ValueError, RecursionError):
                # A number beyond a double is JSON.
                return Line(line, _strict(line), "", is_odd=True)
            if line.startswith(BOM_UTF8):
                whole = _whole(line.removeprefix(BOM_UTF8))
                told = "a byte order mark stands before it"
                return Line(line, whole.value, "not-json", told)
            # What begins as an object is meant as a message.
            is_meant = line.lstrip().startswith((b"{", b"["))
            return Line(line, None, "broken-json" if is_meant else "not-json", detail)
        case Oversize(size=size, head=head):
            return Line(head, None, "oversize", str(size))
        case Unterminated(line=line, size=size) if size > len(line):
            return Line(line, None, "oversize", str(size))
        case Unterminated(line=line):
            whole = _whole(line)
            fault: LineFault = (
                "text-without-line-feed" if whole.fault else "unterminated"
            )
            return Line(line, whole.value, fault, is_odd=whole.is_odd)
        case _:
            raise TypeError(f"no line: {event!r}")


def _strict(line: bytes) -> Any:
    has_constant = b"NaN" in line or b"Infinity" in line
    if has_constant and _CONSTANT.search(_STRING.sub(b"", line)):
        raise ValueError("NaN and Infinity are not JSON")
    return DECODER.decode(line.decode())


def _too_deep(line: bytes) -> Line:
    """Read a line that nests too deep, without its innermost levels."""
    kept: list[bytes] = []
    depth = start = 0
    for token in _TOKENS.finditer(line):
        text = token[0]
        if text[0] in b"[{":
            opened = text.count(b"[") + text.count(b"{")
            before, depth = depth, depth + opened
            if before < DEEPEST <= depth:
                places = [one.start() for one in _OPENING.finditer(text)]
                end = token.start() + places[DEEPEST - before - 1]
                kept += [line[start:end], b"null"]
        elif text[0] in b"]}":
            before, depth = depth, depth - len(text)
            if depth < DEEPEST <= before:
                start = token.start() + before - DEEPEST + 1
    try:
        value = _strict(b"".join([*kept, line[start:]]))
        return Line(line, value, "", is_odd=True)
    except ValueError as error:
        return Line(line, None, "broken-json", str(error))
