"""From the lines on a server's stdout to messages, and what is wrong with the lines.

Theory of operation. A line that is one JSON value goes through as it is. Anything else
is a fault: of the line (EXEC-S2), or something that is no response (EXEC-S3). Where a
response can be recognised in it all the same (a log line before it, two on a line, one
spread over several lines, bad UTF-8) it is taken, so that a server with one such fault
is not reported as broken in everything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.exec_tools import KEYS
from wireproof.line import (
    LineReader,
    Reading,
    foreign_word,
    is_json,
    may_be_json,
    must,
    salvage,
    seam,
    why_no_json,
)
from wireproof.patterns import is_array, is_object
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

ENVELOPE = frozenset({"jsonrpc", "id"})
"""An object that has these is meant as a response, whatever else it lacks."""


class RpcReader(LineReader):
    """Reads the lines of one server."""

    def is_message(self, value: Any) -> bool:
        """Tell whether a value is meant as a response, or as the answer to a batch."""
        if is_array(value):
            return bool(value) and all(map(self.is_message, value))
        if not is_object(value) or "method" in value:
            return False
        return not KEYS.isdisjoint(value) or value.keys() >= ENVELOPE

    def _spread_found(self, count: int, whole: bytes) -> Deviation:
        text = f"a response is spread over {count} lines, not on one"
        return must("EXEC-S2", text, whole, hides=True)

    def _stray_text(self, line: bytes) -> Reading:
        if line.lstrip().startswith(b"{"):
            # Meant as a response, most likely: how it is written is what is wrong.
            text = f"a line on stdout is not JSON: {why_no_json(line)}"
            return Reading(line, (), (must("EXEC-S2", text, line, hides=True),))
        text = "a line on stdout is not JSON, where only responses may be"
        return Reading(line, (), (must("EXEC-S3", text, line, hides=True),))

    def _read(self, event: Event) -> list[Reading]:
        match event:
            case Frame(value=value, line=line):
                return [self._read_value(value, line)]
            case BlankLine():
                text = "a blank line on stdout, where only responses may be"
                return [Reading(b"", (), (must("EXEC-S3", text),))]
            case BadLine(reason="too-deep", line=line) if may_be_json(line):
                # What is too deep to be looked into proves nothing.
                return [Reading(line)]
            case BadLine(reason="not-utf8", line=line):
                found = must(
                    "EXEC-S2", "a line on stdout is not UTF-8", line, hides=True
                )
                return [self._read_bad_text(line, found)]
            case BadLine(line=line):
                return self._read_text(line)
            case Oversize(size=size, head=start):
                text = f"a line of {size} bytes on stdout, longer than any answer"
                return [Reading(start, (), (must("EXEC-S2", text, start, hides=True),))]
            case Unterminated(line=line):
                return [*self._give_up_spread(), _read_fragment(line)]
            case _:
                return []

    def _read_value(self, value: Any, line: bytes) -> Reading:
        if self.is_message(value):
            return Reading(line, (value,))
        if is_object(value) and "method" in value:
            text = "a request or notification on stdout, where only responses may be"
        elif is_object(value):
            text = "a JSON object on stdout has neither result nor error"
        else:
            text = "a line on stdout is JSON but no object"
        return Reading(line, (), (must("EXEC-S3", text, line, hides=True),))

    def _read_text(self, line: bytes) -> list[Reading]:
        found = salvage(line, KEYS)
        mingled = self._mingled(line, "EXEC-S2", found.values if found else ())
        if mingled is not None:
            return [mingled]
        if found is None:
            if line.lstrip().startswith((b"{", b"[")):
                self._spread.add(line)
                return []
            return [self._stray_text(line)]
        if found.rest:
            text = "something else and a response share a line of stdout"
            wrong = must("EXEC-S3", text, line)
        elif len(found.values) > 1:
            wrong = must("EXEC-S2", "two responses on one line of stdout", seam(line))
        elif is_json(line):
            return [Reading(line, found.values)]
        else:
            text = f"a line on stdout is not JSON: {foreign_word(line)}"
            wrong = must("EXEC-S2", text, line)
        return [Reading(line, found.values, (wrong,), mixed=bool(found.rest))]


def _read_fragment(line: bytes) -> Reading:
    found = salvage(line, KEYS)
    if found is None or found.rest:
        text = "something without a line feed at the end of stdout"
        messages = found.values if found else ()
        return Reading(line, messages, (must("EXEC-S3", text, line, hides=True),))
    text = "the last response does not end with a line feed"
    return Reading(line, found.values, (must("EXEC-S2", text, line),))
