"""How much of a check's traffic a report keeps.

What failed is kept as it was recorded. Of a check that passed, enough is kept to see
that it did; what the suite asks on its own behalf is the same in every check, such as
the list of the tools, and only its beginning is kept.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wireproof.checks import HELD, Entry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wireproof.checks import Result

PLAIN_BYTES = 300
"""Bytes kept of an entry that shows no fault."""

PLAIN_TRAFFIC = 1_400
"""Bytes kept of the traffic of such a check: 600 of them take less than a megabyte."""

PLAIN_STDERR = 600
"""Characters kept of the end of what such a check saw on stderr."""

ENTRY_BYTES = 60
"""What an entry takes beside its data: its time, its direction, the keys."""


def bounded(result: Result) -> Result:
    """Return a result with as much of its traffic as a report keeps."""
    plain = result.verdict in HELD and not result.monitors
    entries = [_short(one) if plain or one.own else one for one in result.entries]
    keep = [True] * len(entries)
    if plain and _size(entries) > PLAIN_TRAFFIC:
        keep = [not one.own for one in entries]
        keep = keep if any(keep) else [True] * len(entries)
        _keep_ends(entries, keep)
    kept = tuple(_with_gaps(entries, keep))
    prelude = min(result.prelude, sum(keep[: result.prelude]))
    stderr = result.stderr[-PLAIN_STDERR:] if plain else result.stderr
    return replace(result, entries=kept, prelude=prelude, stderr=stderr)


def _short(entry: Entry) -> Entry:
    return replace(entry, data=entry.data[:PLAIN_BYTES])


def _size(entries: Sequence[Entry]) -> int:
    return sum(len(one.data) + ENTRY_BYTES for one in entries)


def _keep_ends(entries: Sequence[Entry], keep: list[bool]) -> None:
    """Leave out the middle of what is kept, so that both ends fit."""
    wanted = [place for place, kept in enumerate(keep) if kept]
    if _size([entries[place] for place in wanted]) <= PLAIN_TRAFFIC:
        return
    keep[:] = [False] * len(entries)
    for places in (wanted, wanted[::-1]):
        left = PLAIN_TRAFFIC // 2
        for place in places:
            left -= _size([entries[place]])
            if left < 0:
                break
            keep[place] = True


def _with_gaps(entries: Sequence[Entry], keep: Sequence[bool]) -> Iterator[Entry]:
    """Yield what is kept, and one entry for each run of what is not."""
    left_out = 0
    for entry, kept in zip(entries, keep, strict=True):
        if not kept:
            left_out += entry.left_out or 1
            continue
        if left_out:
            yield Entry.gap(entry, left_out)
            left_out = 0
        yield entry
    if left_out:
        yield Entry.gap(entries[-1], left_out)
