"""The end of what a subject wrote on stderr, in few lines: what says nothing is folded.

A stack trace is known by its frames, which are indented. Of a long one the calls in the
subject's own code are shown and the others counted, so that its message, which stands
above or below them, is seen.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from wireproof.report import exception_of, is_own_frame
from wireproof.reporting._escape import safe
from wireproof.reporting._layout import cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from wireproof.checks import Result
    from wireproof.reporting._layout import Layout

SHOWN_STDERR = 8
"""Lines from the end of the subject's stderr."""

SHOWN_CRASH = 40
"""The same where the subject ended: the message stands above its stack trace."""

SHOWN_STDERR_LINE = 600
"""Most characters of one of them."""

SHOWN_RUN = 8
"""Characters that are shown of a run of the same one."""

SHOWN_FRAMES = 4
"""Calls of a stack trace that are shown, of the subject's own code."""

SHOWN_PYTHON = 2
"""The same where each takes two lines."""

LONG_TRACE = 6
"""Indented lines in a row from which on they are folded."""

_RUN = re.compile(r"([^\W\d_])\1{60,}")
"""So many of one letter: a tool's filler, not what a person wrote."""


def stderr_lines(result: Result, layout: Layout, traced: str = "") -> list[str]:
    """Return the end of what the subject wrote on stderr; a crash says there why.

    Args:
        result: What is shown.
        layout: How lines are laid out.
        traced: The check that shows the same trace already, if one does.
    """
    if not result.stderr.strip():
        return []
    if traced and not layout.cuts_nothing and (raised := exception_of(result)):
        what = layout.reason(raised.what)
        told = f"{what}; a trace of the same place stands above, with {traced}"
        return layout.told(told)
    most = SHOWN_CRASH if result.ended else SHOWN_STDERR
    lines = result.stderr.strip("\n").splitlines()
    if layout.cuts_nothing:
        return ["what it wrote on stderr", *(f"  {safe(line)}" for line in lines)]
    if len(lines) > most:
        lines = list(_counted(_without_frames(lines)))
    shown = [f"  {safe(cut(_shortened(one), SHOWN_STDERR_LINE))}" for one in lines]
    return ["the end of its stderr", *shown[-most:]]


def _shortened(line: str) -> str:
    """Return a line with a long run of one character counted: it says nothing more."""
    return _RUN.sub(
        lambda run: f"{run[1] * SHOWN_RUN}… ({len(run[0])} times {run[1]!r})", line
    )


def _counted(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines, equal ones in a row once with their number."""
    for line, run in groupby(lines):
        count = sum(1 for _ in run)
        yield line if count == 1 else f"{line} ({count} times)"


def _without_frames(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines without those of long traces that say nothing of the subject."""
    for is_trace, run in groupby(lines, lambda line: line[:1] in {" ", "\t"}):
        found = list(run)
        yield from _own_frames(found) if is_trace else found


def _own_frames(lines: Sequence[str]) -> Iterator[str]:
    """Yield the frames of the subject's own code, and how many lines there are else."""
    if len(lines) <= LONG_TRACE:
        yield from lines
        return
    own = [place for place, line in enumerate(lines) if is_own_frame(line)]
    # Python writes the line of code below its frame, and what called it first.
    is_python = any(line.lstrip().startswith("File ") for line in lines)
    if is_python:
        kept = {place + below for place in own[-SHOWN_PYTHON:] for below in (0, 1)}
    else:
        kept = set(own[:SHOWN_FRAMES])
    kept = kept or set(range(SHOWN_FRAMES))
    for is_kept, run in groupby(range(len(lines)), kept.__contains__):
        places = list(run)
        if is_kept:
            yield from (lines[place] for place in places)
        else:
            some = "1 more line" if len(places) == 1 else f"{len(places)} more lines"
            yield f"    … {some} of it"
