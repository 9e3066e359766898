"""What is asked of a subject on stdio in a check, and whether it lives."""

from __future__ import annotations

import time
from abc import abstractmethod
from typing import TYPE_CHECKING, Generic

from wireproof.line._exchanges import LineType, RequestType
from wireproof.line._ledger import LedgerType
from wireproof.line._outcome import Missing, MissingCause
from wireproof.line._stdio_waits import StdioWaits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof.line._exchanges import Exchange
    from wireproof.line._outcome import NotUp


class StdioRequests(
    StdioWaits[RequestType, LineType, LedgerType],
    Generic[RequestType, LineType, LedgerType],
):
    """What is asked of one subject on stdio, over all its starts."""

    # --- what a protocol brings

    @abstractmethod
    def start_bare(self) -> NotUp | None:
        """Start the subject anew and send it nothing of the suite's own."""

    def _new_check(self) -> None:
        """Leave behind in the ledger what the check before has found."""
        self._ledger.forget(time.monotonic())

    # --- what all share

    def begin(self) -> None:
        """Begin a check: its own transcript, and nothing left of the one before."""
        super().begin()
        self._ledger.exchanges.overdue()
        self._new_check()
        self._size = 0
        self._lines = 0
        self._dealt_with = (0, 0)
        self._only_asked = False

    def final_fence(self, *, input_closed: bool) -> Missing | None:
        """Prove at the end of a check that the subject lives, unless it was to end."""
        return None if input_closed else self.fence_unless_fenced()

    def lives_on(self) -> bool:
        """Tell whether a subject that failed, or owes an answer, answers the control.

        Requests are independent. One whose tools may still be at work is not spoken of,
        nor one that has half a line.
        """
        if self._is_at_work or self._ledger.midline or self.silences.deafened:
            return False
        usable = not self.stale_after_failure and self._is_usable()
        return usable and self.fence() is None

    def strays(self) -> Sequence[LineType]:
        """Return the answers of this check to lines that are no request."""
        return tuple(self._ledger.strays)

    @property
    def uses_ids_again(self) -> bool:
        """Whether the check in hand uses an id that was answered before."""
        return self._ledger.exchanges.uses_again

    def _final(self, key: str) -> LineType | None:
        exchange = self._exchange_of(key)
        return exchange.response if exchange else None

    def _owes_nothing(self) -> bool:
        return not self._ledger.exchanges.open

    def _is_idle(self) -> bool:
        return self._owes_nothing() and not self._delay and not self._size >> 16

    def _answer_to(
        self, exchange: Exchange[RequestType, LineType] | None, seconds: float
    ) -> LineType | Missing:
        """Wait for the response of a request of the suite's own."""
        if exchange is None:
            return Missing(MissingCause.EXITED, "it was not running")
        found: LineType | Missing = self._await(lambda: exchange.response, seconds)
        return found
