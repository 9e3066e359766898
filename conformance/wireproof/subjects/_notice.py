"""Telling a user what is waited for, where that may take long."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LONG_SECONDS = 6.0
"""A wait that may be longer than this, as most may not, is told of while it goes on."""

QUIET_SECONDS = 2.0
"""How long such a wait goes on before: most of them are over soon."""


class Notice:
    """What is told once of one wait."""

    def __init__(
        self, tell: Callable[[str], None] | None, what: str, seconds: float
    ) -> None:
        """Begin the wait.

        Args:
            tell: Says something to the user; None where nobody is there to read it.
            what: What is waited for.
            seconds: Most seconds that it may take.
        """
        self._tell = tell if seconds > LONG_SECONDS else None
        self._what = what
        self._seconds = seconds
        self._at = time.monotonic() + QUIET_SECONDS

    def due_in(self, left: float) -> float:
        """Tell what is to be told by now; return the seconds to wait before the next.

        Args:
            left: The seconds that are left of the wait.
        """
        if self._tell is None:
            return left
        if (wait := self._at - time.monotonic()) > 0:
            return min(left, wait)
        self._tell(
            f"waiting up to {self._seconds:.0f} s for {self._what} "
            "(--subject-timeout sets the most)"
        )
        self._tell = None
        return left
