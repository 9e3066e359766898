"""How wide lines are and how much is shown: at a terminal, in a log, in full.

At a terminal running text is wrapped to its width, and a line of JSON takes a few rows
at most. Elsewhere no line is fitted to a width: a log is searched and copied from.
"""

from __future__ import annotations

import shutil
import sys
import textwrap
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from unicodedata import combining, east_asian_width

from wireproof.reporting._escape import safe, safe_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

WIDTH = 88
"""Columns that running text is wrapped to; wider text is harder to read."""

NARROWEST = 40
"""Columns of the narrowest terminal that lines are fitted to, as pytest has it."""

SHOWN_LINE = 240
"""Most characters of one line of traffic or of a difference."""

SHOWN_END = 70
"""How many of them are taken from its end."""

SHOWN_TEXT = 400
"""Characters of a reason that is told in a summary."""

MOST_ROWS = 3
"""Rows of a terminal that one such line takes at most."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How what is shown is laid out.

    Attributes:
        columns: The width of the terminal, or None where it is no terminal.
        verbosity: How often the user gave -v, less how often -q.
        most_rows: Rows of a terminal that a line of what was written takes at most.
    """

    columns: int | None = None
    verbosity: int = 0
    most_rows: int = MOST_ROWS

    @property
    def text_width(self) -> int:
        """The columns that running text is wrapped to."""
        return WIDTH if self.columns is None else min(WIDTH, self.columns)

    @property
    def shows_all(self) -> bool:
        """Whether what is only counted elsewhere is listed."""
        return self.verbosity > 0

    @property
    def cuts_nothing(self) -> bool:
        """Whether what is recorded is shown whole, however much it is."""
        return self.verbosity > 1

    def wrapped(self, text: str, first: str = "", rest: str = "  ") -> list[str]:
        """Return running text in lines of the width that can be read.

        Args:
            text: The text; what could act on a terminal is escaped.
            first: What the first line begins with.
            rest: What the others begin with.
        """
        return textwrap.wrap(
            safe(text),
            self.text_width,
            initial_indent=first,
            subsequent_indent=rest,
            break_long_words=self.columns is not None,
            break_on_hyphens=False,
        )

    def told(self, text: str, indent: str = "") -> list[str]:
        """Return a sentence: wrapped at a terminal, else on one line."""
        if self.columns is None:
            return [indent + safe_line(text)]
        return self.wrapped(safe_line(text), indent, indent + "  ")

    def rows(self, text: str, first: str, rest: str) -> list[str]:
        """Return a line of what was written: in a few rows at a terminal, else in one.

        The middle of a longer one is left out.

        Args:
            text: The line; what could act on a terminal is escaped.
            first: What its first row begins with.
            rest: What the others begin with.
        """
        shown = safe(self.cut(text))
        if self.columns is None:
            return [first + shown]
        room = max(NARROWEST // 2, self.columns - len(first))
        most = None if self.cuts_nothing else self.most_rows
        if most is not None and columns_of(shown) > most * room:
            shown = safe(_ends(text, most * room))
        found = list(_broken(shown, room))[:most]
        return [f"{rest if n else first}{row}" for n, row in enumerate(found)]

    def inside(self, indent: int) -> Layout:
        """Return the layout of lines that are indented later."""
        if self.columns is None:
            return self
        return replace(self, columns=max(NARROWEST // 2, self.columns - indent))

    def reason(self, text: str) -> str:
        """Return why something is so, on one line; the end of a long one is cut."""
        return safe_line(text)[: None if self.cuts_nothing else SHOWN_TEXT]

    def cut(self, text: str) -> str:
        """Leave out the middle of a line that is too long to be read."""
        return text if self.cuts_nothing else cut(text, SHOWN_LINE)

    def title(self, text: str) -> str:
        """Return a title that fits into a line with a border, its middle left out."""
        shown = safe_line(text)
        if self.columns is None or columns_of(shown) <= self.columns - BORDER:
            return shown
        half = (self.columns - BORDER - 1) // 2
        head = next(_broken(shown, half))
        tail = next(_broken(shown[::-1], half))[::-1]
        return f"{head}…{tail}"


BORDER = 6
"""Columns of a line with a title that its border takes."""

PLAIN = Layout()
"""A log: no width, neither terse nor verbose."""


def layout_of_stdout(verbosity: int = 0) -> Layout:
    """Return how a command lays out what it prints."""
    if not sys.stdout.isatty():
        return Layout(None, verbosity)
    columns = shutil.get_terminal_size().columns
    # As pytest has it, a terminal that says too little is not believed.
    return Layout(columns if columns >= NARROWEST else 80, verbosity)


def cut(text: str, most: int) -> str:
    """Leave out the middle of a long line: what tells it may stand at its end."""
    left_out = len(text) - most
    if left_out <= 0:
        return text
    return f"{text[: most - SHOWN_END]}{_left_out(left_out)}{text[-SHOWN_END:]}"


def _ends(text: str, most: int) -> str:
    """Return both ends of a line, with what stands between them, in so many columns."""
    left_out = len(text) - most + len(_left_out(len(text)))
    gap = _left_out(left_out)
    if most <= 3 * len(gap):
        left_out, gap = len(text) - most + 1, "…"
    kept = len(text) - left_out
    tail = min(SHOWN_END, kept // 3)
    return f"{text[: kept - tail]}{gap}{text[-tail:]}"


def _left_out(count: int) -> str:
    return f"… ({count} more characters) …"


def columns_of(text: str) -> int:
    """Return how many columns a terminal shows a text in."""
    return sum(map(_columns, text))


def rows_of(lines: Sequence[str], columns: int) -> int:
    """Return how many rows of a terminal lines take, those that it breaks included."""
    return sum(max(1, -(-columns_of(line) // columns)) for line in lines)


def _columns(char: str) -> int:
    if char.isascii():
        return 1
    return 0 if combining(char) else 1 + (east_asian_width(char) in "WF")


def _broken(text: str, room: int) -> Iterator[str]:
    """Yield a text in pieces that each fit; one at least."""
    row, taken = "", 0
    for char in text:
        width = _columns(char)
        if taken + width > room:
            yield row
            row, taken = "", 0
        row, taken = row + char, taken + width
    yield row
