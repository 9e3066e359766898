"""What tools were asked to print, and how it is known again on stdout (HV1-T11)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wireproof.checks import Deviation
from wireproof.line import head

if TYPE_CHECKING:
    from wireproof.line import Reading

TELLING = 8
"""Bytes from which on a printed text is known again inside a longer line."""


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


def is_leak(reading: Reading) -> bool:
    """Tell whether a line is charged as something that a tool printed."""
    return any(found.clause == "HV1-T11" for found in reading.found)


def print_leak(line: bytes) -> Deviation:
    """Build the deviation of a line that a tool printed (HV1-T11)."""
    text = (
        "what a tool printed reached stdout (send print and log calls to stderr, and "
        "keep the real stdout for messages)"
    )
    return Deviation("HV1-T11", "should", text, head(line))
