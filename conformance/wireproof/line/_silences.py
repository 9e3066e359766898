"""What a subject has left unanswered, and how long it is waited for since.

Theory of operation. An answer is waited for in full until the subject has left a few
requests unanswered; from then on waits are brief. A subject is *silent* where it
answers the control that is sent after the request, and *deaf* where it answers neither:
the control is not sent to such a subject any more. A brief wait in vain is no ground
for a verdict: only a wait in full that was in vain makes a clause known as left
unanswered, and a check of another clause that ended with a brief one is carried out
again with waits in full (``StdioSuite.reconsider``). Where that brings the answer, and
more slowly than any before, the subject was slow and not silent: all that was held
against it is forgotten.
"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

PROVEN_SILENT = 2
"""Requests left unanswered by a subject that answers, after which waits are brief."""

PROVEN_DEAF = 2
"""Requests left unanswered together with the control, after which waits are short."""

STONE_DEAF = 4
"""The same, after which they are brief."""

BRIEF_SECONDS = 0.2
"""How long a subject is waited for that leaves requests unanswered time after time."""

MANY_TIMES = 10
"""Requests left unanswered, with the control or without, after which waits are briefer
than that."""

BRIEFER_SECONDS = 0.05
"""How long it is waited for then at least; longer where it was slower lately."""

MOST_TIMES = 30
"""The same, after which they are the briefest that there are."""

BRIEFEST_SECONDS = 0.02
"""How long it is waited for then at least; longer where it was slower lately."""

SHORT_SECONDS = 0.5
"""How long it is waited for where it may yet be slow."""

MOST_DEAFENED = 4
"""Checks of one clause in a row that left a subject that answers nothing, after which
no other is carried out: each costs a start and tells the same."""


class Silences:
    """What one subject has left unanswered, over all its starts.

    Attributes:
        hasty: Whether a brief wait was in vain since ``begin``.
        vain: Whether a wait in full was.
        deafened: Whether the control was left unanswered, too.
    """

    def __init__(self) -> None:
        """Begin with a subject that answers."""
        self.hasty = False
        self.vain = False
        self.deafened = False
        self._silent = 0
        self._deaf = 0
        self._known: set[str] = set()
        self._in_full = False
        self._clause = ""
        self._in_a_row: Counter[str] = Counter()
        self._because: dict[str, str] = {}

    @property
    def is_deaf(self) -> bool:
        """Whether it leaves the control unanswered, too."""
        return self._deaf >= PROVEN_DEAF

    @property
    def expected(self) -> bool:
        """Whether it is expected of the check in hand that it is left unanswered."""
        return not self._in_full and (self.is_deaf or self.knows(self._clause))

    @property
    def waits_in_full(self) -> bool:
        """Whether waits are in full, whatever was left unanswered before."""
        return self._in_full

    def begin(self, clause: str) -> None:
        """Begin a check.

        Args:
            clause: The clause that it is charged to.
        """
        self.hasty = self.vain = self.deafened = False
        self._clause = clause

    def knows(self, clause: str) -> bool:
        """Tell whether a wait in full has shown this of the clause."""
        return clause in self._known

    def shows(self, clause: str) -> None:
        """Take note that a check of the clause was left without an answer."""
        self._known.add(clause)

    @contextmanager
    def in_full(self) -> Generator[None]:
        """Wait in full, whatever was left unanswered before."""
        self._in_full = True
        try:
            yield
        finally:
            self._in_full = False

    def limit(self, *, expected: bool = False) -> float | None:
        """Return the seconds that are waited at least; None for the usual.

        Args:
            expected: Whether no answer is expected for another reason than silence.
        """
        if self._in_full:
            return None
        left = max(self._silent, self._deaf)
        if left >= MANY_TIMES:
            return BRIEFEST_SECONDS if left >= MOST_TIMES else BRIEFER_SECONDS
        if self._deaf >= STONE_DEAF or self._silent >= PROVEN_SILENT:
            return BRIEF_SECONDS
        return SHORT_SECONDS if expected or self.expected else None

    def add(self, *, control_answered: bool, brief: bool) -> None:
        """Take note of a request that was left unanswered.

        Args:
            control_answered: Whether the control was answered that was sent after it.
            brief: Whether it was not waited for in full.
        """
        self._silent += control_answered
        self._deaf += not control_answered
        self.deafened |= not control_answered
        self.hasty |= brief
        self.vain |= not brief

    def forget(self) -> None:
        """Take note that the subject is slow, and not silent."""
        self._silent = self._deaf = 0

    def count(self, clause: str, broken: str | None) -> None:
        """Count the checks of a clause, one after the other, that deafened it.

        Args:
            clause: The clause.
            broken: What the latest was charged to; None where the subject answers.
        """
        self._in_a_row[clause] = 0 if broken is None else self._in_a_row[clause] + 1
        self._because[clause] = broken or clause

    def hopeless(self, clause: str) -> str | None:
        """Return the clause for which no check of a clause is carried out any more."""
        enough = self._in_a_row[clause] >= MOST_DEAFENED
        return self._because[clause] if enough else None
