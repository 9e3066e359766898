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

from typing import TYPE_CHECKING, Any

from wireproof.line import (
    LONGEST_ESCAPE,
    UNDER_A_LOCK,
    LineReader,
    Reading,
    foreign_word,
    is_json,
    joined,
    may_be_json,
    must,
    salvage,
    seam,
    why_no_json,
)
from wireproof.patterns import in_line, is_object
from wireproof.protocols.host_v1._printed import (
    TELLING,
    Printed,
    is_leak,
    print_leak,
)
from wireproof_reference.framing import (
    BadLine,
    BlankLine,
    Frame,
    Oversize,
    Unterminated,
)

if TYPE_CHECKING:
    from wireproof.checks import Deviation
    from wireproof_reference.framing import Event


SHOWN_NOISE = 60
"""Characters of a line that is no message, of those that go into a sentence."""


NOT_UTF8 = "a line on stdout is not UTF-8"
"""What is said of one."""


class HostReader(LineReader):
    """Reads the lines of one host.

    Attributes:
        printed: What its tools were asked to print.
    """

    def __init__(self) -> None:
        """Begin before the first line."""
        super().__init__()
        self.printed = Printed()
        self._blank: list[bytes] = []
        self._leaking = False
        self._noisy = True

    def read(self, event: Event) -> list[Reading]:
        """Return what an event of the decoder comes to.

        Nothing also where it is a blank line that may be printed text.
        """
        readings = super().read(event)
        if not readings:
            return []
        blank = self._settle_blank(printed=is_leak(readings[0]))
        self._leaking = is_leak(readings[-1])
        # A blank line goes with what stands before it.
        if told := [one for one in readings if one.line.strip()]:
            self._noisy = not told[-1].values
        return [*blank, *readings]

    def give_up(self) -> list[Reading]:
        """Return the lines whose case was open: nothing follows that decides it."""
        return [*self._settle_blank(printed=False), *super().give_up()]

    def is_message(self, value: Any) -> bool:
        """Tell whether a JSON value is meant as a response or an event."""
        return is_object(value) and any(
            value.get(key) is not None for key in ("ok", "result", "error", "event")
        )

    def _spread_found(self, count: int, whole: bytes) -> Deviation:
        text = f"a message is spread over {count} lines: a raw line feed is in it"
        return must("HV1-T3", text, whole, hides=True)

    def _stray_text(self, line: bytes) -> Reading:
        noise = line.decode(errors="replace")
        begin = f"{noise[:SHOWN_NOISE]}…" if len(noise) > SHOWN_NOISE else noise
        whole = LONGEST_ESCAPE * len(begin) + len('""')
        text = f"a line on stdout is not a JSON object: {in_line(begin, whole)}"
        if line.lstrip().startswith(b"{"):
            # Meant as a message, most likely: how it is written is what is wrong.
            text = f"{text} ({why_no_json(line)})"
            return Reading(line, (), (must("HV1-T1", text, line, hides=True),))
        strange = must("HV1-T2", "something else than messages on stdout", line)
        return Reading(line, (), (must("HV1-T1", text, line, hides=True), strange))

    def _stray_blank(self, line: bytes) -> Reading:
        """Charge a blank line: it ends a message twice, or is more of what is none."""
        if self._noisy:
            text = "something else than messages on stdout: a blank line"
            return Reading(line, (), (must("HV1-T2", text),))
        text = "a blank line on stdout: a message ends with one LF"
        return Reading(line, (), (must("HV1-T3", text),))

    def _settle_blank(self, *, printed: bool) -> list[Reading]:
        """Return the blank lines that were held, as printed text or as a fault."""
        held, self._blank = self._blank, []
        if printed:
            self.printed.blank -= len(held)
            return [Reading(line, (), (print_leak(line),)) for line in held]
        return [self._stray_blank(line) for line in held]

    def _read(self, event: Event) -> list[Reading]:
        match event:
            case Frame(value=value, line=line):
                return [self._read_value(value, line)]
            case BlankLine(line=line):
                return self._read_blank(line)
            case BadLine(reason="too-deep", line=line) if may_be_json(line):
                # An object that is too deep to be looked into proves nothing.
                if line.lstrip().startswith(b"{"):
                    return [Reading(line)]
                text = "a line on stdout is JSON but no object"
                return [Reading(line, (), (must("HV1-T1", text, line, hides=True),))]
            case BadLine(reason="not-utf8", line=line):
                found = must("HV1-T3", NOT_UTF8, line, hides=True)
                return [self._read_bad_text(line, found)]
            case BadLine(line=line):
                return self._read_text(line)
            case Oversize(size=size, head=start):
                text = f"a line of {size} bytes on stdout, longer than any answer"
                return [Reading(start, (), (must("HV1-T1", text, start, hides=True),))]
            case Unterminated(line=line):
                return [*self._give_up_spread(), self._read_fragment(line)]
            case _:
                return []

    def _read_value(self, value: Any, line: bytes) -> Reading:
        if self.printed.lines and line.strip() in self.printed.lines:
            return Reading(line, (), (print_leak(line),))
        if self.is_message(value):
            return Reading(line, (value,))
        if self.printed.holds(line):
            return Reading(line, (), (print_leak(line),))
        text = "a line on stdout is JSON but no object"
        if is_object(value):
            keys = ", ".join(map(in_line, value)) or "none"
            text = (
                "a JSON object on stdout is neither a response nor an event: "
                f'"ok" or "event" was expected, its keys are {keys}'
            )
        return Reading(line, (), (must("HV1-T1", text, line, hides=True),))

    def _read_blank(self, line: bytes) -> list[Reading]:
        printed = self.printed
        if printed.blank and (printed.blank_is_recent or self._leaking):
            printed.blank -= 1
            return [Reading(line, (), (print_leak(line),))]
        if printed.blank > len(self._blank):
            self._blank.append(line)
            return []
        return [self._stray_blank(line)]

    def _read_text(self, line: bytes) -> list[Reading]:
        if (behind := self._behind_printed(line)) is not None:
            return [Reading(line, (behind,), (print_leak(line),))]
        found = salvage(line)
        mingled = self._mingled(line, "HV1-M13", found.values if found else ())
        if mingled is not None:
            return [mingled]
        if found is None:
            if self.printed.holds(line):
                return [Reading(line, (), (print_leak(line),))]
            if line.lstrip().startswith(b"{"):
                self._spread.add(line)
                return []
            return [self._stray_text(line)]
        if any(self.printed.holds(rest) for rest in found.rest):
            wrong = [print_leak(line)]
        elif found.rest:
            wrong = [
                must("HV1-T1", "text and a message share a line of stdout", line),
                must("HV1-T2", "something else than messages on stdout", line),
            ]
        elif len(found.values) > 1:
            text = f"two messages on one line: no LF between them ({UNDER_A_LOCK})"
            wrong = [must("HV1-T3", text, seam(line))]
        elif is_json(line):
            wrong = []
        else:
            text = f"a line on stdout is not a JSON object: {foreign_word(line)}"
            wrong = [must("HV1-T1", text, line)]
        mixed = bool(found.rest)
        return [Reading(line, found.values, tuple(wrong), mixed=mixed)]

    def _behind_printed(self, line: bytes) -> Any:
        """Return the message that follows printed text on the same line, if any."""
        for text in self.printed.lines:
            if len(text) >= TELLING and line.lstrip().startswith(text):
                return joined(line.lstrip()[len(text) :], self.is_message)
        return None

    def _read_fragment(self, line: bytes) -> Reading:
        if self.printed.holds(line):
            return Reading(line, (), (print_leak(line),))
        found = salvage(line)
        if found is None or found.rest:
            return _read_piece(line, found.values if found else ())
        text = "the last message does not end with a line feed"
        return Reading(line, found.values, (must("HV1-T3", text, line),))


def _read_piece(line: bytes, messages: tuple[dict[str, Any], ...]) -> Reading:
    """Read a last line that is no message, or holds more than one."""
    if messages or not line.lstrip().startswith(b"{"):
        text = "a fragment without a line feed at the end of stdout"
        return Reading(line, messages, (must("HV1-T2", text, line, hides=True),))
    # That its message is lost is the matter of the check: the host has ended before.
    text = (
        f"the last message was cut off after {len(line)} bytes: the host ended before "
        "it was written whole (wait until stdout is drained)"
    )
    return Reading(line, messages, (must("HV1-T2", text, line),))
