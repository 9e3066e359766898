"""What of a line is kept as evidence, and the deviation from a MUST that it shows."""

from __future__ import annotations

from wireproof.checks import Deviation

SHOWN = 300
"""Bytes of a line that go into a deviation's evidence."""


def must(
    clause: str,
    text: str,
    line: bytes | bytearray = b"",
    *,
    hides: bool = False,
    about: str | None = None,
    where: str | None = None,
    mingles: bool = False,
) -> Deviation:
    """Build the deviation from a MUST that a line shows.

    Args:
        clause: The clause's id.
        text: What is wrong, in one sentence without a full stop.
        line: The line.
        hides: Whether frames may have been lost to it.
        about: The id of the exchange that it is about, or None.
        where: JSON pointer to what is wrong where the rest may be right.
        mingles: Whether any line of the check may be made of parts of several.
    """
    return Deviation(clause, "must", text, head(line), hides, about, where, mingles)


def head(line: bytes | bytearray) -> str:
    """Return the beginning of a line as text."""
    text = line[:SHOWN].decode(errors="backslashreplace")
    return f"{text}…" if len(line) > SHOWN else text
