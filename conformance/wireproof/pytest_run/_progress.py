"""How long a run takes still, shown at the right of the line while checks run.

Where it is shown the cursor is put back, and before anything else is written it is
erased: it is for a person at a terminal, and leaves nothing in a log.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from _pytest._io import TerminalWriter

LONG_SECONDS = 10.0
"""A run that is likely to be shorter is over before anybody asks."""

TRUSTED_SECONDS = 5.0
"""Work that counts as done at the pace measured before, beside what is done."""

SAVE, RESTORE, ERASE = "\x1b7", "\x1b8", "\x1b[K"
"""Keep the cursor's place, go back there, erase from there to the end of the line."""


class TimeLeft:
    """Estimates the rest of a run, from measured durations and its own pace."""

    def __init__(self, seconds: Mapping[str, float]) -> None:
        """Begin a run.

        Args:
            seconds: How long each check took where it was measured, by its name.
        """
        self._seconds = dict(seconds)
        self._left = sum(seconds.values())
        self._done = 0.0

    def finish(self, name: str) -> None:
        """Take note that a check is done; one of the user's own tests is not known."""
        took = self._seconds.pop(name, 0.0)
        self._left -= took
        self._done += took

    def estimate(self, passed: float) -> float:
        """Return the seconds that the rest takes, so many seconds after the start."""
        pace = (passed + TRUSTED_SECONDS) / (self._done + TRUSTED_SECONDS)
        return max(0.0, self._left) * pace


def time_left_text(seconds: float) -> str:
    """Return an estimate in words, no more exact than it can be."""
    if seconds >= 3600:  # noqa: PLR2004 - an hour
        return f"{seconds / 3600:.1f} h left"
    if seconds >= 90:  # noqa: PLR2004 - from here on minutes are exact enough
        return f"{seconds / 60:.0f} min left"
    step = 5 if seconds >= 20 else 1  # noqa: PLR2004
    return f"{max(1, round(seconds / step)) * step} s left"


class ProgressLine:
    """Shows the time that is left behind what pytest writes, at a terminal alone."""

    def __init__(self, writer: TerminalWriter, time_left: TimeLeft) -> None:
        """Show what ``time_left`` says on the terminal that ``writer`` writes to."""
        self._writer = writer
        self._time_left = time_left
        self._began = time.monotonic()
        self._is_shown = False

    def show(self) -> None:
        """Show the time that is left, where there is room for it."""
        passed = time.monotonic() - self._began
        left = self._time_left.estimate(passed)
        if passed + left < LONG_SECONDS or left < 1:
            return
        text = time_left_text(left)
        column = self._writer.fullwidth - len(text)
        if self._writer.width_of_current_line >= column:
            return
        shown = self._writer.markup(text, light=True)
        # The writer would count what is erased again as part of its line.
        sys.stdout.write(f"{SAVE}{ERASE}\x1b[{column}G{shown}{RESTORE}")
        sys.stdout.flush()
        self._is_shown = True

    def erase(self) -> None:
        """Erase it, before anything else is written."""
        if self._is_shown:
            sys.stdout.write(ERASE)
            self._is_shown = False

    def finish(self, name: str) -> None:
        """Take note that a check is done, and erase what was shown."""
        self.erase()
        self._time_left.finish(name)


def can_show_progress() -> bool:
    """Tell whether stdout is a terminal that understands where the cursor goes."""
    return sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
