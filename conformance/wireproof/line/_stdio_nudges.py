"""Asking a subject on stdio for one thing more, where an answer does not come.

Theory of operation. A subject that does not flush, or that reads one line of each read,
gives an answer together with the next one: the control is sent, and what comes with its
answer was held back until then.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic

from wireproof.line._exchanges import LineType, RequestType
from wireproof.line._ledger import LedgerType
from wireproof.line._outcome import Missing
from wireproof.line._reads import Reads
from wireproof.line._silences import Silences
from wireproof.line._stdio_faults import StdioFaults
from wireproof.line._torn import Tearing
from wireproof.patterns import written
from wireproof.subjects import Patience

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

    from wireproof.checks import Settings, Target
    from wireproof.line._cuts import Cut
    from wireproof.line._exchanges import Exchange

NUDGED_SECONDS = 1.0
"""How long an answer that did not come is waited for after one more request."""

NUDGED_BRIEFLY = 0.3
"""The same at least, where enough answers have told how long they take."""

PROMPT_SECONDS = 0.02
"""An answer that comes so soon after one more request was ready before it."""

PROMPT_LATENCIES = 5
"""The same, in latencies of a trivial exchange."""

BUDGET_SECONDS = 8.0
"""What may be spent on answers that never came before all waits are short: no more than
a run on a correct subject takes."""


class StdioNudges(
    StdioFaults[RequestType, LineType, LedgerType],
    Generic[RequestType, LineType, LedgerType],
):
    """One subject on stdio, over all its starts, and how it is asked for more.

    Attributes:
        silences: What it has left unanswered.
        reads: How it reads.
    """

    def __init__(
        self,
        target: Target,
        settings: Settings,
        setup: Mapping[str, Any],
        ledger: LedgerType,
    ) -> None:
        """Prepare; nothing is started yet."""
        super().__init__(target, settings, setup, ledger)
        self.patience = Patience(settings.timeout, budget=BUDGET_SECONDS)
        self.silences = Silences()
        self._takes_one: bool | None = None
        self.reads = Reads(self._answers_all, lambda: self.takes_one_of_a_read)
        self.tears = Tearing(self._comes_back_whole)

    # --- what a protocol brings

    @abstractmethod
    def _own_request(self, control: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the control as a request with a new id of the suite's own."""

    def _comes_back_whole(self) -> bool:
        """Tell whether letters come back whole, each of which came in pieces.

        Where a protocol does not try it, they are taken not to.
        """
        return False

    # --- what all share

    def _open_controls(
        self, control: Mapping[str, Any], count: int, cut: Cut = None
    ) -> Sequence[Exchange[RequestType, LineType]]:
        """Send the control so often in one write; none where no subject runs."""
        if self._process is None:
            return ()
        messages = [self._own_request(control) for _ in range(count)]
        self._transmit(b"".join(map(written, messages)), cut, own=True)
        opened = [self._exchange_of(one["id"]) for one in messages]
        return [one for one in opened if one is not None]

    def _open_control(
        self, control: Mapping[str, Any]
    ) -> Exchange[RequestType, LineType] | None:
        """Send the control as a request of the suite's own; None where none runs."""
        return next(iter(self._open_controls(control, 1)), None)

    @property
    def _answers(self) -> bool:
        """Whether the latest process has answered anything yet."""
        return self._ledger.seen["frames"] > 0

    def _in_time(
        self, found: LineType | Missing, began: float | None
    ) -> LineType | Missing:
        """Take note of how long an answer took; the first of a process says nothing."""
        if not isinstance(found, Missing) and began is not None:
            self._came_after(found.time - began)
        return found

    def _nudged_seconds(self) -> float:
        """Return how long the answer to one more request is waited for."""
        if not (self._answers and self.patience.knows_answers):
            return NUDGED_SECONDS
        # What the check in hand asked for may have to be dealt with before.
        brief = self.patience.brief(NUDGED_BRIEFLY) + self._work_seconds()
        return min(NUDGED_SECONDS, brief)

    def _nudge(
        self,
        look: Callable[[], LineType | Missing | None],
        began: float | None,
        *,
        brief: bool = False,
    ) -> tuple[LineType | None, bool | None]:
        """Send the control; what comes with its answer was held back until then.

        Args:
            look: Returns what was waited for, or None while it is not there.
            began: When the wait began; None for the first answer of a process.
            brief: Whether it was waited for less than in full so far.

        Returns:
            What came, or None, and whether the control is answered; None where that
            is not known.
        """
        if self._control is None or self.patience.shortened or self._ledger.midline:
            return None, None
        if self.silences.is_deaf:
            return None, False
        nudged = time.monotonic()
        nudge = self._open_control(self._control)
        if nudge is None:
            return None, None
        self._prompts_sent += 1
        found: LineType | Missing | None = None

        def either() -> LineType | Missing | None:
            nonlocal found
            found = found or look()
            return found or nudge.response

        self._look_until(either, self._nudged_seconds())
        found = found or look()
        if found is None or isinstance(found, Missing):
            return None, nudge.answered
        waited = found.time - nudged
        is_late = waited > max(PROMPT_SECONDS, PROMPT_LATENCIES * self.patience.latency)
        # After a brief wait it may have been about to come: the next has all its time.
        if is_late or (brief and not self._held_back):
            # It was late, not held back: a subject that is slow gets its time.
            self.silences.forget()
            if is_late:
                self._in_time(found, began)
            return found, nudge.answered
        self._try_two()
        held = self._charged_as_held_back(found, reads=self.takes_one_of_a_read)
        self.note(held)
        return found, nudge.answered

    @property
    def takes_one_of_a_read(self) -> bool:
        """Whether two requests in one write brought one answer, however many were owed.

        It is tried once, and only where an answer was held back. A subject that does
        not flush gives as many answers as it got requests, or none.
        """
        return self._takes_one is True

    def _asked_at_once(
        self, control: Mapping[str, Any], count: int, cut: Cut = None
    ) -> Sequence[Exchange[RequestType, LineType]]:
        """Send the control so often in one write, and wait for all the answers."""
        sent = self._open_controls(control, count, cut)
        limit = self.patience.clause_limit(NUDGED_SECONDS)
        self.wait_for(lambda: all(one.answered for one in sent) or None, limit)
        return sent

    def _try_two(self) -> None:
        """See how many answers two requests in one write bring."""
        if self._takes_one is None and self._control is not None:
            self._takes_one = False
            came = self._ledger.seen["frames"]
            self._asked_at_once(self._control, 2)
            self._takes_one = self._ledger.seen["frames"] == came + 1

    @contextmanager
    def _uncharged(self) -> Generator[None]:
        """Ask something by the way: what monitors see of it is no check's matter."""
        ledger = self._ledger
        deviations, strays = list(ledger.deviations), list(ledger.strays)
        try:
            yield
        finally:
            ledger.deviations[:], ledger.strays[:] = deviations, strays

    def _answers_all(self, count: int, cut: Cut) -> bool:
        """Tell whether so many controls in one write are all answered."""
        if self._control is None or self._ledger.midline or self.silences.is_deaf:
            return False
        with self._uncharged():
            sent = self._asked_at_once(self._control, count, cut)
        return bool(sent) and all(one.answered for one in sent)


def is_late(found: object) -> bool:
    """Tell whether what was waited for did not come in time."""
    return isinstance(found, Missing) and found.timed_out
