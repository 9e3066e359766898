"""From the lines on a host's stdout to messages, and what is wrong with the lines.

Theory of operation. A line that is one message goes through as it is. Anything else is
a fault of framing, charged to HV1-T1, T2 or T3; but where messages can be recognised in
it all the same (a prompt before one, two on a line, one spread over several lines, bad
UTF-8 in one) they are taken, so that a host with one such fault is not reported as
broken in everything. What a tool was asked to print is known again and charged to
HV1-T11, whenever it comes. A blank line tells less: it counts as printed soon after
a tool was asked to print one, or next to something else that was printed, as where a
buffer is written at the end; a blank line whose case is open waits for the next one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeGuard

from wireproof.checks import Deviation
from wireproof.line import salvage
from wireproof.patterns import is_object
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

TELLING = 8
"""Bytes from which on a printed text is known again inside a longer line."""

SPREAD_LINES = 200
"""Lines over which a message may be spread and still be recognised."""

SPREAD_BYTES = 1 << 16
"""Bytes of such lines."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one line came to.

    Attributes:
        line: Its bytes.
        messages: The messages in it; empty where there is none.
        found: What is wrong with the line.
        altered: Whether the messages may differ from what the host meant, so that
            what is wrong with the line explains a difference in them.
    """

    line: bytes
    messages: tuple[dict[str, Any], ...] = ()
    found: tuple[Deviation, ...] = ()
    altered: bool = False


@dataclass(slots=True)
class Printed:
    """What tools were asked to print.

    Attributes:
        lines: The lines, without white space around them.
        blank: How many of them were blank and have not been seen on stdout.
        checks: How many checks have begun since the last of these was asked for.
    """

    lines: set[bytes] = field(default_factory=set[bytes])
    blank: int = 0
    checks: int = 0

    @property
    def blank_is_recent(self) -> bool:
        """Whether this check or the one before had a blank line printed."""
        return self.blank > 0 and self.checks <= 1

    def begin(self) -> None:
        """Begin a new check."""
        self.checks += 1

    def add(self, text: str) -> None:
        """Take note of a text that a tool was asked to print."""
        for line in text.encode(errors="replace").splitlines() or [b""]:
            if line.strip():
                self.lines.add(line.strip())
            else:
                self.blank += 1
                self.checks = 0

    def holds(self, line: bytes) -> bool:
        """Tell whether a line is one that was printed, perhaps by a logger."""
        return line.strip() in self.lines or any(
            len(text) >= TELLING and text in line for text in self.lines
        )


class LineReader:
    """Reads the lines of one host.

    Attributes:
        printed: What its tools were asked to print.
    """

    def __init__(self) -> None:
        """Begin before the first line."""
        self.printed = Printed()
        self._spread: list[bytes] = []
        self._blank: list[bytes] = []
        self._leaking = False

    def read(self, event: Event) -> list[Reading]:
        """Return what an event of the decoder comes to.

        Nothing, where the line may be the beginning of a message spread over several,
        or a blank line that may be printed text; several readings, where it turns out
        what such lines are.
        """
        readings = self._read_spread(event) if self._spread else self._read(event)
        if not readings:
            return []
        blank = self._settle_blank(printed=_is_leak(readings[0]))
        self._leaking = _is_leak(readings[-1])
        return [*blank, *readings]

    def give_up(self) -> list[Reading]:
        """Return the lines whose case was open: nothing follows that decides it."""
        return [*self._settle_blank(printed=False), *self._give_up_spread()]

    def _read_spread(self, event: Event) -> list[Reading]:
        line = _line_of(event)
        if isinstance(event, Frame) and is_message(event.value):
            return [*self._give_up_spread(), *self._read(event)]
        self._spread.append(line)
        whole = b"\n".join(self._spread)
        message = _lenient(whole)
        if message is not None:
            lines = len(self._spread)
            self._spread.clear()
            text = f"a message is spread over {lines} lines: a raw line feed is in it"
            found = deviation("HV1-T3", text, whole, hides=True)
            return [Reading(whole, (message,), (found,), altered=True)]
        if len(self._spread) >= SPREAD_LINES or len(whole) > SPREAD_BYTES:
            return self._give_up_spread()
        return []

    def _give_up_spread(self) -> list[Reading]:
        """Return the lines that were held as a beginning: they are no message."""
        held, self._spread = self._spread, []
        return [_stray_text(line) for line in held]

    def _settle_blank(self, *, printed: bool) -> list[Reading]:
        """Return the blank lines that were held, as printed text or as a fault."""
        held, self._blank = self._blank, []
        if printed:
            self.printed.blank -= len(held)
            return [Reading(line, (), (_print_leak(line),)) for line in held]
        return [_stray_blank(line) for line in held]

    def _read(self, event: Event) -> list[Reading]:
        match event:
            case Frame(value=value, line=line):
                return [self._read_value(value, line)]
            case BlankLine(line=line):
                return self._read_blank(line)
            case BadLine(reason="too-deep", line=line):
                # An object that is too deep to be looked into proves nothing.
                if line.lstrip().startswith(b"{"):
                    return [Reading(line)]
                text = "a line on stdout is JSON but no object"
                return [
                    Reading(line, (), (deviation("HV1-T1", text, line, hides=True),))
                ]
            case BadLine(reason="not-utf8", line=line):
                return [_bad_text(line)]
            case BadLine(line=line):
                return self._read_text(line)
            case Oversize(size=size, head=head):
                text = f"a line of {size} bytes on stdout, longer than any answer"
                return [
                    Reading(head, (), (deviation("HV1-T1", text, head, hides=True),))
                ]
            case Unterminated(line=line):
                return [*self._give_up_spread(), self._read_fragment(line)]
            case _:
                return []

    def _read_value(self, value: Any, line: bytes) -> Reading:
        if self.printed.lines and line.strip() in self.printed.lines:
            return Reading(line, (), (_print_leak(line),))
        if is_message(value):
            return Reading(line, (value,))
        if self.printed.holds(line):
            return Reading(line, (), (_print_leak(line),))
        text = (
            "a JSON object on stdout is neither a response nor an event"
            if is_object(value)
            else "a line on stdout is JSON but no object"
        )
        return Reading(line, (), (deviation("HV1-T1", text, line, hides=True),))

    def _read_blank(self, line: bytes) -> list[Reading]:
        printed = self.printed
        if printed.blank and (printed.blank_is_recent or self._leaking):
            printed.blank -= 1
            return [Reading(line, (), (_print_leak(line),))]
        if printed.blank > len(self._blank):
            self._blank.append(line)
            return []
        return [_stray_blank(line)]

    def _read_text(self, line: bytes) -> list[Reading]:
        if (behind := self._behind_printed(line)) is not None:
            return [Reading(line, (behind,), (_print_leak(line),))]
        found = salvage(line)
        if found is None:
            if self.printed.holds(line):
                return [Reading(line, (), (_print_leak(line),))]
            if line.lstrip().startswith(b"{"):
                self._spread.append(line)
                return []
            return [_stray_text(line)]
        if any(self.printed.holds(rest) for rest in found.rest):
            wrong = [_print_leak(line)]
        elif found.rest:
            wrong = [
                deviation("HV1-T1", "text and a message share a line of stdout", line),
                deviation("HV1-T2", "something else than messages on stdout", line),
            ]
        elif len(found.values) > 1:
            text = "two messages on one line: no LF between them"
            wrong = [deviation("HV1-T3", text, line)]
        elif is_json(line):
            # A number beyond the largest double is JSON, if of no use to us.
            wrong = []
        else:
            text = "a line on stdout is JSON but for a word such as NaN"
            wrong = [deviation("HV1-T1", text, line)]
        return [Reading(line, found.values, tuple(wrong))]

    def _behind_printed(self, line: bytes) -> dict[str, Any] | None:
        """Return the message that follows printed text on the same line, if any."""
        for text in self.printed.lines:
            if len(text) >= TELLING and line.lstrip().startswith(text):
                return _lenient(line.lstrip()[len(text) :])
        return None

    def _read_fragment(self, line: bytes) -> Reading:
        if self.printed.holds(line):
            return Reading(line, (), (_print_leak(line),))
        found = salvage(line)
        if found is None or found.rest:
            text = "a fragment without a line feed at the end of stdout"
            messages = found.values if found else ()
            wrong = deviation("HV1-T2", text, line, hides=True)
            return Reading(line, messages, (wrong,))
        text = "the last message does not end with a line feed"
        return Reading(line, found.values, (deviation("HV1-T3", text, line),))


def is_message(value: Any) -> TypeGuard[dict[str, Any]]:
    """Tell whether a JSON value is meant as a response or an event."""
    return is_object(value) and any(
        value.get(key) is not None for key in ("ok", "result", "error", "event")
    )


def deviation(
    clause: str,
    text: str,
    line: bytes = b"",
    *,
    hides: bool = False,
    about: str | None = None,
) -> Deviation:
    """Build the deviation from a MUST that a line shows."""
    return Deviation(clause, "must", text, head(line), hides, about)


def head(line: bytes) -> str:
    """Return the beginning of a line as text."""
    text = line[:SHOWN].decode(errors="backslashreplace")
    return f"{text}…" if len(line) > SHOWN else text


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


def _lenient(text: bytes) -> dict[str, Any] | None:
    """Parse lines that were joined, raw line feeds in strings included."""
    if not text.rstrip().endswith(b"}"):
        return None
    try:
        value = json.loads(text.decode(errors="replace"), strict=False)
    except (ValueError, RecursionError):
        return None
    return value if is_message(value) else None


def is_json(line: bytes) -> bool:
    """Tell whether a line is JSON text, whatever its numbers (HV1-M11)."""

    def refuse(word: str) -> NoReturn:
        raise ValueError(word)

    try:
        json.loads(line.decode(), parse_constant=refuse)
    except (ValueError, RecursionError):
        return False
    return True


def _bad_text(line: bytes) -> Reading:
    found = deviation("HV1-T3", "a line on stdout is not UTF-8", line, hides=True)
    try:
        value = loads(line.decode(errors="replace").encode())
    except JsonError:
        return Reading(line, (), (found,))
    if not is_message(value):
        return Reading(line, (), (found,))
    return Reading(line, (value,), (found,), altered=True)


def _stray_text(line: bytes) -> Reading:
    text = "a line on stdout is not a JSON object"
    return Reading(
        line,
        (),
        (
            deviation("HV1-T1", text, line, hides=True),
            deviation("HV1-T2", "something else than messages on stdout", line),
        ),
    )


def _stray_blank(line: bytes) -> Reading:
    text = "a blank line on stdout: a message ends with one LF"
    return Reading(line, (), (deviation("HV1-T3", text),))


def _is_leak(reading: Reading) -> bool:
    return any(found.clause == "HV1-T11" for found in reading.found)


def _print_leak(line: bytes) -> Deviation:
    text = "what a tool printed reached stdout"
    return Deviation("HV1-T11", "should", text, head(line))
