"""The failure to look at first, on one screen of a terminal.

It stands at the end of a run, where a person looks: the clause, what was sent, what
came, and the line that shows it again, in so few rows that nothing scrolls away.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wireproof.report import exception_of
from wireproof.reporting._differences import difference_lines
from wireproof.reporting._display import clause_lines
from wireproof.reporting._escape import safe_line
from wireproof.reporting._layout import MOST_ROWS, Layout, columns_of, rows_of
from wireproof.reporting._stderr import stderr_lines
from wireproof.reporting._traffic import ending_line, entry_lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks import ClauseText, Entry, Result

ROWS = 20
"""Rows that it takes at most: of 24, for pytest's lines around it and the prompt."""

CLAUSE_ROWS = 4
"""Rows of the text of a clause; of a longer one the beginning is shown."""

REASON_ROWS = 3
"""Rows that say why it failed."""

DIFFERENCE_ROWS = 5
"""Rows of what was expected and what came."""

STDERR_ROWS = 3
"""Rows of what it wrote on stderr, where it ended."""

LEAST_TRAFFIC_ROWS = 3
"""Rows that are kept for what was sent and what came."""

SHOWN_ENTRIES = 6
"""Entries of traffic that are shown at most."""


def screen_lines(
    result: Result,
    clauses: Mapping[str, ClauseText],
    layout: Layout,
    again: str,
) -> list[str]:
    """Return what tells a failure on one screen.

    Args:
        result: What failed.
        clauses: The catalogue.
        layout: The terminal.
        again: The command that runs the check again, which is short.
    """
    columns = layout.columns or layout.text_width
    fitted = replace(layout, columns=columns, verbosity=0)
    lines = _heading(result, clauses, fitted)
    for difference in result.differences[:1]:
        shown = difference_lines(difference, fitted)
        lines += _beginning(shown, DIFFERENCE_ROWS, "  …")
    room = ROWS - rows_of(lines, columns)
    way_back = _way_back(result, again, columns, room - LEAST_TRAFFIC_ROWS)
    room -= rows_of(way_back, columns)
    end = [ending_line(result.ended)] if result.ended else []
    if result.ended:
        end += _said_why(result, fitted)
        end = [_one_row(line, columns) for line in end]
    return [*lines, *_traffic(result, fitted, room - len(end)), *end, *way_back]


def _heading(
    result: Result, clauses: Mapping[str, ClauseText], layout: Layout
) -> list[str]:
    """Return the clause and why it failed; what a monitor saw if nothing else did."""
    seen = () if result.differences or result.by_monitor else result.monitors[:1]
    names = [one.clause for one in seen] or list(result.clauses[:1])
    why = [one.text for one in seen] or [f"{result.verdict}: {result.reason}"]
    lines: list[str] = []
    for name in names:
        told = clause_lines(clauses.get(name), name, None, layout)
        lines += _beginning(told, CLAUSE_ROWS, "    …")
    for text in why:
        lines += _beginning(layout.wrapped(text), REASON_ROWS, "  …")
    frames: list[str] = [one.evidence for one in seen]
    frames = frames or [result.evidence.get("frame", "")]
    for frame in frames:
        if frame:
            lines += layout.rows(frame.replace("\n", "\\n"), "  ← ", "    ")
    return lines


def _said_why(result: Result, layout: Layout) -> Sequence[str]:
    """Return what an end was told with: the exception, or the last lines of stderr."""
    raised = exception_of(result)
    if raised is None:
        return stderr_lines(result, layout)[1:][-STDERR_ROWS:]
    told = [raised.what, *([raised.where] if raised.where else [])]
    return [f"  {safe_line(line)}" for line in told]


def _beginning(lines: Sequence[str], most: int, rest: str) -> list[str]:
    """Return so many lines at most, the last of which says that there are more."""
    return list(lines) if len(lines) <= most else [*lines[: most - 1], rest]


def _way_back(result: Result, again: str, columns: int, room: int) -> Sequence[str]:
    """Return the line that shows it again, or the command where that is too long."""
    for line in (result.reproduce, again):
        if line and rows_of([f"  {line}"], columns) < room:
            return ["reproduce", f"  {line}"]
    return ["reproduce: the line stands above, with the failure"]


def _traffic(result: Result, layout: Layout, room: int) -> list[str]:
    """Return what was sent last and what came upon it, as far as there is room.

    A few entries in one row each tell more than one in many.
    """
    shown = [one for one in result.entries[result.prelude :] if not one.own]
    entries = _last(shown or result.entries, min(SHOWN_ENTRIES, room))
    for rows in range(MOST_ROWS, 1, -1):
        fitted = replace(layout, most_rows=rows)
        lines = entry_lines(entries, SHOWN_ENTRIES, fitted)
        if len(lines) <= room:
            return lines
    return entry_lines(entries, SHOWN_ENTRIES, replace(layout, most_rows=1))[:room]


def _last(entries: Sequence[Entry], most: int) -> Sequence[Entry]:
    """Return the last entries; what was sent before what came, where there is room."""
    kept = entries[-most:] if most > 0 else ()
    sent = [one for one in entries if one.direction == "sent"]
    if most > 1 and sent and not any(one.direction == "sent" for one in kept):
        return [sent[-1], *kept[1:]]
    return kept


def _one_row(line: str, columns: int) -> str:
    while columns_of(line) > columns:
        line = line[: columns - 1] + "…" if len(line) >= columns else line[:-2] + "…"
    return line
