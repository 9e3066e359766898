"""Waits on a subject on stdio that end early where nothing more is to come.

Theory of operation. An answer may have come under another id; then it is waited for
no longer than it may be late. A subject that was quick so far and that is seen to do
nothing has nothing in hand: what it computes, loads or starts shows
(``Idleness``). How long it has to do nothing hangs on what else tells
that it left the answer out.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Generic

from wireproof.line._exchanges import LineType, RequestType
from wireproof.line._ledger import LedgerType
from wireproof.line._outcome import Missing, MissingCause, no_answer_within
from wireproof.line._stdio_nudges import StdioNudges, is_late
from wireproof.line._waits import UNWATCHED_SECONDS
from wireproof.subjects import FLOOR_SECONDS, KNOWN_LATENCIES, Idleness

if TYPE_CHECKING:
    from collections.abc import Callable

ASTRAY_SECONDS = 0.5
"""How long an answer is waited for where as many came for no request that waits."""

MANY_ASTRAY = 4
"""Waits of which it was so after which it is waited for briefly."""

ASTRAY_BRIEFLY = 0.05
"""How long it is waited for then at least, once as many have come."""

SURELY_IDLE = 2.0
"""How many times as long one is waited for that nothing else tells of than that it has
nothing in hand."""

RAISED = re.compile(
    rb"^Traceback \(most|^Exception in thread |^thread '.*' .*panicked at "
    rb"|^\s+at \S.*:\d+\)?$|^panic: "
    rb"|^\s+from \S.*:\d+:in |^#<Thread:.* terminated with exception ",
    re.MULTILINE,
)
"""How an exception begins, or a call of its trace, in languages in wide use."""


class StdioIdle(
    StdioNudges[RequestType, LineType, LedgerType],
    Generic[RequestType, LineType, LedgerType],
):
    """One subject on stdio, over all its starts, and what ends a wait for it early."""

    _astray: int = 0
    """Waits in which as many answers went elsewhere."""

    def _await_while_idle(
        self,
        look: Callable[[], LineType | Missing | None],
        seconds: float,
        began: float | None,
    ) -> tuple[LineType | Missing | None, float]:
        """Wait while it cannot be told that nothing is done.

        Args:
            look: Returns what was waited for, or None while it is not there.
            seconds: Most seconds to wait.
            began: When the wait began; None for the first answer of a process.

        Returns:
            What came of it, None where it has all its time; and the seconds that it
            was waited for.
        """
        short = self._idle_seconds
        if self._process is None or short is None or short >= seconds:
            return None, 0.0
        found = self._look_until(look, UNWATCHED_SECONDS, 0.0)
        if not is_late(found):
            return self._in_time(found, began), UNWATCHED_SECONDS
        watch, taken = Idleness(self._process.pid), self._taken
        waited = UNWATCHED_SECONDS
        for until in (short, SURELY_IDLE * short):
            if until >= seconds:
                break
            # It is booked as in vain only where it ends the wait.
            found = self._look_unless_astray(look, until - waited, 0.0, waited=waited)
            waited = until
            if not is_late(found) or self._went_astray:
                return self._in_time(found, began), waited
            if self._taken > taken or not watch.was_idle():
                # What is kept from writing by what was not read yet does nothing too.
                break
            surely = until > short
            if not self._has_nothing_in_hand(surely=surely):
                continue
            late, answers = self._nudge(look, began)
            if late is not None:
                return late, waited
            if answers or self._was_in_vain:
                self.patience.spent += waited
                self.silences.add(control_answered=bool(answers), brief=False)
                return found, waited
            break
        return None, waited

    def _look_until_idle(
        self, look: Callable[[], LineType | Missing | None], seconds: float
    ) -> LineType | Missing:
        """Wait until ``look`` finds something, or nothing was done for long.

        It is not asked after, and what does not come is not booked.

        Args:
            look: Returns what was waited for, or None while it is not there.
            seconds: Most seconds to wait.
        """
        short = self._idle_seconds
        surely = seconds if short is None else SURELY_IDLE * short
        found = self._look_until(look, min(UNWATCHED_SECONDS, seconds), 0.0)
        if not is_late(found):
            return found
        if self._process is None or surely >= seconds:
            return self._look_until(look, seconds - UNWATCHED_SECONDS, 0.0)
        watch, taken = Idleness(self._process.pid), self._taken
        found = self._look_until(look, surely - UNWATCHED_SECONDS, 0.0)
        is_over = self._taken == taken and watch.was_idle()
        if not is_late(found) or is_over:
            return found
        return self._look_until(look, seconds - surely, 0.0)

    @property
    def _idle_seconds(self) -> float | None:
        """How long one that does nothing is waited for; None where few answers came."""
        usual = self.patience.idle_seconds if self._answers else None
        return None if usual is None else usual + self._work_seconds()

    def _has_nothing_in_hand(self, *, surely: bool) -> bool:
        """Tell whether what is awaited of one that does nothing is not to come.

        Args:
            surely: Whether it has done nothing for so long that little else is needed.
        """
        if surely:
            return self._has_at_hand or self._was_in_vain
        sure = SURELY_IDLE * (self.patience.idle_seconds or FLOOR_SECONDS)
        has_left_out = self.patience.spent >= sure and self._has_at_hand
        return self._has_raised or has_left_out

    @property
    def _has_raised(self) -> bool:
        """Whether an exception was written on stderr since something was sent last.

        One that was logged before may be that of a call which was answered.
        """
        return self.transcript.has_on_stderr(RAISED, self._sent_at)

    @property
    def _was_in_vain(self) -> bool:
        """Whether as much as a wait in full has passed in vain before."""
        return self.patience.spent >= FLOOR_SECONDS

    @property
    def _has_at_hand(self) -> bool:
        """Whether it has answered each tool and method that is waited for before.

        What was never asked for may have to be fetched or connected, which takes a
        while in which nothing is done here.
        """
        exchanges = self._ledger.exchanges
        asked = {one.request.kind for one in exchanges.open.values()}
        return asked <= exchanges.kinds_answered

    def _look_unless_astray(
        self,
        look: Callable[[], LineType | Missing | None],
        seconds: float,
        charged: float | None = None,
        *,
        waited: float = 0.0,
    ) -> LineType | Missing:
        """Wait all the time, unless as many answers have soon gone elsewhere.

        Args:
            look: Returns what was waited for, or None while it is not there.
            seconds: Most seconds to wait.
            charged: The seconds that a wait in vain is booked with; None for all.
            waited: Seconds that it was waited for before.
        """
        came: list[LineType | Missing] = []

        def comes() -> bool | None:
            if not came and (one := look()) is not None:
                came.append(one)
            return bool(came) or None

        def comes_or_went() -> bool | None:
            return comes() or self._went_astray or None

        known = self._astray >= MANY_ASTRAY
        least = ASTRAY_BRIEFLY if known else ASTRAY_SECONDS
        brief = self.patience.brief(least, KNOWN_LATENCIES)
        briefly = min(brief + self._work_seconds(), seconds)
        began = time.monotonic()
        if known and self.wait_for(comes_or_went, briefly):
            briefly = min(time.monotonic() - began + brief, briefly)
        if self.wait_for(comes, briefly - (time.monotonic() - began)):
            return came[0]
        if self._went_astray:
            self._astray += 1
            text = f"{no_answer_within(briefly)}; as many came under other ids"
            return Missing(MissingCause.TIMEOUT, text)
        charged = seconds if charged is None else charged
        return self._look_until(look, seconds - briefly, charged, waited + seconds)

    @property
    def _went_astray(self) -> bool:
        """Whether as many answers went elsewhere as requests wait for theirs."""
        waiting = len(self._ledger.exchanges.open)
        return 0 < waiting <= self._ledger.misdirected
