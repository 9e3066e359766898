"""From the lines on a server's stdout to messages, and what is wrong with the lines.

Theory of operation. A line that is one JSON value goes through as it is. Anything else
is a fault: of the line (EXEC-S2), or something that is no response (EXEC-S3). Where a
response can be recognised in it all the same (a log line before it, two on a line, one
spread over several lines, bad UTF-8) it is taken, so that a server with one such fault
is not reported as broken in everything.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from wireproof.checks import Deviation
from wireproof.line import salvage
from wireproof.patterns import is_array, is_object
from wireproof_reference.framing import (
    BadLine,
    BlankLine,
    Event,
    Frame,
    JsonError,
    Oversize,
    Unterminated,
    loads,
)

SHOWN = 300
"""Bytes of a frame that go into a deviation's evidence."""

SPREAD_LINES = 200
"""Lines over which a message may be spread and still be recognised."""

SPREAD_BYTES = 1 << 16
"""Bytes of such lines."""

KEYS = frozenset({"result", "error"})
"""Of these a response has one."""

ENVELOPE = frozenset({"jsonrpc", "id"})
"""An object that has these is meant as a response, whatever else it lacks."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one line came to.

    Attributes:
        line: Its bytes.
        values: The responses in it, or the answers to a batch; empty where none is.
        found: What is wrong with the line.
        altered: Whether the values may differ from what the server meant.
    """

    line: bytes
    values: tuple[Any, ...] = ()
    found: tuple[Deviation, ...] = ()
    altered: bool = False


class RpcReader:
    """Reads the lines of one server."""

    def __init__(self) -> None:
        """Begin before the first line."""
        self._spread: list[bytes] = []

    def read(self, event: Event) -> list[Reading]:
        """Return what an event of the decoder comes to.

        Nothing, where the line may be the beginning of a message spread over several;
        several readings, where it turns out what such lines are.
        """
        if self._spread:
            return self._read_spread(event)
        return self._read(event)

    def give_up(self) -> list[Reading]:
        """Return the lines whose case was open: nothing follows that decides it."""
        held, self._spread = self._spread, []
        return [_stray_text(line) for line in held]

    def _read(self, event: Event) -> list[Reading]:
        match event:
            case Frame(value=value, line=line):
                return [_read_value(value, line)]
            case BlankLine():
                text = "a blank line on stdout, where only responses may be"
                return [Reading(b"", (), (must("EXEC-S3", text),))]
            case BadLine(reason="too-deep", line=line):
                # What is too deep to be looked into proves nothing.
                return [Reading(line)]
            case BadLine(reason="not-utf8", line=line):
                return [_bad_text(line)]
            case BadLine(line=line):
                return self._read_text(line)
            case Oversize(size=size, head=start):
                text = f"a line of {size} bytes on stdout, longer than any answer"
                return [Reading(start, (), (must("EXEC-S2", text, start, hides=True),))]
            case Unterminated(line=line):
                return [*self.give_up(), _read_fragment(line)]
            case _:
                return []

    def _read_text(self, line: bytes) -> list[Reading]:
        found = salvage(line, KEYS)
        if found is None:
            if line.lstrip().startswith((b"{", b"[")):
                self._spread.append(line)
                return []
            return [_stray_text(line)]
        if found.rest:
            text = "something else and a response share a line of stdout"
            wrong = must("EXEC-S3", text, line)
        elif len(found.values) > 1:
            wrong = must("EXEC-S2", "two responses on one line of stdout", line)
        else:
            text = "a line on stdout is JSON but for a word such as NaN"
            wrong = must("EXEC-S2", text, line)
        return [Reading(line, found.values, (wrong,))]

    def _read_spread(self, event: Event) -> list[Reading]:
        line = _line_of(event)
        if isinstance(event, Frame) and _is_meant(event.value):
            return [*self.give_up(), *self._read(event)]
        self._spread.append(line)
        whole = b"\n".join(self._spread)
        if (value := _lenient(whole)) is not None:
            lines = len(self._spread)
            self._spread.clear()
            text = f"a response is spread over {lines} lines, not on one"
            found = must("EXEC-S2", text, whole, hides=True)
            return [Reading(whole, (value,), (found,), altered=True)]
        if len(self._spread) >= SPREAD_LINES or len(whole) > SPREAD_BYTES:
            return self.give_up()
        return []


def must(
    clause: str,
    text: str,
    line: bytes = b"",
    *,
    hides: bool = False,
    about: str | None = None,
    where: str | None = None,
) -> Deviation:
    """Build the deviation from a MUST that a line shows."""
    return Deviation(clause, "must", text, head(line), hides, about, where)


def head(line: bytes) -> str:
    """Return the beginning of a line as text."""
    text = line[:SHOWN].decode(errors="backslashreplace")
    return f"{text}…" if len(line) > SHOWN else text


def _is_meant(value: Any) -> bool:
    """Tell whether a value is meant as a response, or as the answer to a batch."""
    if is_array(value):
        return bool(value) and all(map(_is_meant, value))
    if not is_object(value) or "method" in value:
        return False
    return not KEYS.isdisjoint(value) or value.keys() >= ENVELOPE


def _read_value(value: Any, line: bytes) -> Reading:
    if _is_meant(value):
        return Reading(line, (value,))
    if is_object(value) and "method" in value:
        text = "a request or notification on stdout, where only responses may be"
    elif is_object(value):
        text = "a JSON object on stdout has neither result nor error"
    else:
        text = "a line on stdout is JSON but no object"
    return Reading(line, (), (must("EXEC-S3", text, line, hides=True),))


def _line_of(event: Event) -> bytes:
    match event:
        case Frame(line=line) | BlankLine(line=line) | BadLine(line=line):
            return line
        case Unterminated(line=line):
            return line
        case Oversize(head=start):
            return start
        case _:
            return b""


def _lenient(text: bytes) -> Any:
    """Parse lines that were joined, raw line feeds in strings included."""
    if not text.rstrip().endswith((b"}", b"]")):
        return None
    try:
        value = json.loads(text.decode(errors="replace"), strict=False)
    except (ValueError, RecursionError):
        return None
    return value if _is_meant(value) else None


def _bad_text(line: bytes) -> Reading:
    found = must("EXEC-S2", "a line on stdout is not UTF-8", line, hides=True)
    try:
        value = loads(line.decode(errors="replace").encode())
    except JsonError:
        return Reading(line, (), (found,))
    if not _is_meant(value):
        return Reading(line, (), (found,))
    return Reading(line, (value,), (found,), altered=True)


def _stray_text(line: bytes) -> Reading:
    text = "a line on stdout is not JSON, where only responses may be"
    return Reading(line, (), (must("EXEC-S3", text, line, hides=True),))


def _read_fragment(line: bytes) -> Reading:
    found = salvage(line, KEYS)
    if found is None or found.rest:
        text = "something without a line feed at the end of stdout"
        messages = found.values if found else ()
        return Reading(line, messages, (must("EXEC-S3", text, line, hides=True),))
    text = "the last response does not end with a line feed"
    return Reading(line, found.values, (must("EXEC-S2", text, line),))
