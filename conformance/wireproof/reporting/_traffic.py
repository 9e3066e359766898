"""What passed between the suite and a subject, as lines: messages, its end."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby, takewhile
from typing import TYPE_CHECKING

from wireproof.reporting._escape import safe_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wireproof.checks import Entry, Result
    from wireproof.reporting._layout import Layout

SHOWN_ENTRIES = 14
"""Most lines of traffic that are shown; the report has more."""

SHOWN_BESIDE = 6
"""The same where a result is shown beside others."""

KEPT_REQUESTS = 2
"""How much of what a check sent last is shown in any case: a bad line often comes
before the request whose answer shows what it led to."""

FEWEST_LATE = 2
"""Lines that came before anything was sent from which on these are only counted."""

SHOWN_BEGINNING = 150
"""Characters that are shown of what is too long for its end to be kept."""

_LAST_ESCAPES = re.compile(r"(\\x[0-9a-f]{2}){1,3}\Z")

TITLE = "what was sent (→) and what came (←), in ms"
"""What stands above traffic."""

TITLE_WITH_STDERR = (
    "what was sent (→), what came (←) and was written on stderr (!), in ms"
)
"""The same where something was."""

_ARROWS = {"sent": "→", "received": "←", "stderr": "!"}


@dataclass(frozen=True, slots=True)
class _Row:
    """The lines that one or more entries are shown in.

    Attributes:
        lines: The lines.
        entries: How many entries these are.
        kept: Whether they are shown whatever is left out.
    """

    lines: list[str]
    entries: int = 1
    kept: bool = False


def traffic_lines(result: Result, layout: Layout) -> list[str]:
    """Return the traffic of a check with its title, and how the subject ended."""
    if not result.entries:
        return []
    shown = result.entries[result.prelude :]
    is_loud = any(one.direction == "stderr" for one in shown)
    lines = ["", TITLE_WITH_STDERR if is_loud else TITLE]
    if before := sum(e.direction != "stderr" for e in result.entries[: result.prelude]):
        lines.append(f"  {'…':>9}   {before} messages before it, of the suite's own")
    lines += entry_lines(shown, SHOWN_ENTRIES, layout, result.evidence.get("line", ""))
    return [*lines, ending_line(result.ended)] if result.ended else lines


def entry_lines(
    entries: Sequence[Entry], most: int, layout: Layout, kept: str = ""
) -> list[str]:
    """Return the lines of so many entries, half of them from each end.

    Where that is not all, what the suite asked for itself is left out first. What the
    check sent last is shown, and so is the line that is named.

    Args:
        entries: The entries.
        most: How many of them are shown.
        layout: How lines are laid out.
        kept: How the line begins, or is read, that is shown in any case; empty for
            none.
    """
    if layout.cuts_nothing:
        late: list[str] = []
    else:
        entries, late = _without_late(entries, kept)
    shown = list(_merged(entries))
    is_long = len(shown) > most + 1 and not layout.cuts_nothing
    shows = entry_with(shown, kept) if kept and is_long else None
    asked = _asked_before(shown, shows) if is_long else ()
    rows: list[_Row] = []
    for own, run in groupby(shown, lambda entry: is_long and entry.own):
        same = list(run)
        # The last of all may be what the failure is about.
        hidden = len(same) - (same[-1] is shown[-1]) if own else 0
        if hidden > 1:
            rows.append(_Row([f"  {'…':>9}   {hidden} of the suite's own"], hidden))
            del same[:hidden]
        rows += [
            _Row(
                _entry_lines(entry, shown[0].time, layout),
                kept=entry is shows or any(entry is one for one in asked),
            )
            for entry in same
        ]
    if is_long and len(rows) > most + 1:
        half = most // 2
        rows = [*rows[:half], *_shortened(rows[half:-half]), *rows[-half:]]
    return [*late, *(line for row in rows for line in row.lines)]


def _without_late(
    entries: Sequence[Entry], kept: str
) -> tuple[Sequence[Entry], list[str]]:
    """Leave out what came before anything was sent, and say how much that is.

    It is late, mostly; but the line that is named is what a check is about.
    """
    came = takewhile(lambda entry: entry.direction == "received", entries)
    late = sum(1 for _ in came)
    if late < FEWEST_LATE or late == len(entries):
        return entries, []
    if kept and entry_with(entries[:late], kept) is not None:
        return entries, []
    told = f"  {'…':>9}   {late} that came before anything was sent; -vv shows all"
    return entries[late:], [told]


def _shortened(rows: Sequence[_Row]) -> Iterator[_Row]:
    """Yield the rows that are kept, and for those between them how many they are."""
    for kept, run in groupby(rows, lambda row: row.kept):
        same = list(run)
        count = sum(row.entries for row in same)
        if kept or count == 1:
            # A line that says that one is left out takes the place of that one.
            yield from same
        else:
            yield _Row([f"  {'…':>9}   {count} more; -vv shows all"])


def _asked_before(entries: Sequence[Entry], last: Entry | None) -> Sequence[Entry]:
    """Return what the check sent last, before an entry if one is given."""
    end = len(entries) if last is None else entries.index(last)
    sent = [one for one in entries[:end] if one.direction == "sent" and not one.own]
    return sent[-KEPT_REQUESTS:]


def entry_with(entries: Sequence[Entry], line: str) -> Entry | None:
    """Return the last entry that came with a line, which may have been cut."""
    is_cut = line.endswith("…")
    # A character may have been cut apart, and stand there as escapes of its bytes.
    beginning = _LAST_ESCAPES.sub("", line[:-1]) if is_cut else line
    came = (entry for entry in reversed(entries) if entry.direction == "received")
    return next((one for one in came if beginning in one.text()), None)


def ending_line(text: str) -> str:
    """Return how the subject ended, as the last line of traffic."""
    return f"  {'then':>9}   {safe_line(text)}"


def _merged(entries: Sequence[Entry]) -> Iterator[Entry]:
    """Show stderr once in a row; its end is shown on its own."""
    last: str | None = None
    for entry in entries:
        if entry.direction != "stderr" or last != "stderr":
            yield entry
        last = entry.direction


def _entry_lines(entry: Entry, start: float, layout: Layout) -> list[str]:
    if entry.left_out:
        return [f"  {'…':>9}   {entry.text().strip('… ')}"]
    moment = (entry.time - start) * 1000
    most = None if layout.cuts_nothing else SHOWN_BEGINNING
    told = entry.text(most).rstrip("\n")
    if entry.direction == "stderr":
        # Its end is shown on its own: a stack trace has no room in a line.
        first, more, _ = told.lstrip("\n").partition("\n")
        told = f"{layout.cut(first)} …" if more else first
    # Line feeds sent alone are all that there is to see.
    text = (told or entry.text()).replace("\n", "⏎")
    head = f"  {moment:9.2f} {_ARROWS[entry.direction]} "
    return layout.rows(text, head, " " * len(head))
