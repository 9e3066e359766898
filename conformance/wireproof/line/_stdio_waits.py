"""How the answers of a subject on stdio are waited for.

Theory of operation. An answer that does not come is asked after once
(``_stdio_nudges``). Where a subject has left a few requests unanswered, they are waited
for briefly (``_silences``), and all its time only where it may be at work
(``_stdio_idle``).
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic

from wireproof.line._exchanges import LineType, RequestType
from wireproof.line._ledger import LedgerType
from wireproof.line._outcome import Missing
from wireproof.line._stdio_idle import StdioIdle
from wireproof.line._stdio_nudges import PROMPT_LATENCIES, is_late
from wireproof.subjects import (
    BRIEF_BYTES,
    KNOWN_LATENCIES,
    UNBUFFERED,
    first_silence,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wireproof.checks import Deviation, Settings, Target
    from wireproof.line._outcome import NotUp

PROVEN_HELD_BACK = 1
"""Answers held back after which one is asked after before it is waited for in full:
that one came after all the time, and at once when it was asked after.
"""

HELD_BACK_SECONDS = 0.03
"""How long a subject that is known to hold answers back is waited for before that."""

HELD_BACK_MIDLINE = 0.5
"""How long it is waited for at least where half a line keeps it from being asked."""

MANY_HELD_BACK = 20
"""Answers held back after which it is asked at once for each."""

HELD_BACK_BRIEFLY = 0.003
"""How long it is waited for then."""

MOST_HELD_BACK = 0.02
"""The same at the most, beside the time that its tools were asked to take."""

BRIEFLY = " (waits are brief by now)"
"""What is said of such a wait: its author would take it for all that there is."""

SURE_SECONDS = 1.0
"""How long an answer is waited for at least before its lack is ground for a verdict."""


class StdioWaits(
    StdioIdle[RequestType, LineType, LedgerType],
    Generic[RequestType, LineType, LedgerType],
):
    """One subject on stdio, over all its starts, and how long it is waited for.

    Attributes:
        unflushed: Why it did not come up before it was told to flush what it writes;
            None where it did.
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
        self.unflushed: NotUp | None = None
        self._flushes_if_told = False

    def _allowance(self) -> float:
        usual = super()._allowance()
        if self.silences.waits_in_full:
            # However much was spent on answers that never came.
            usual = max(usual, self._sure_seconds())
        if self._answers:
            return usual
        # It may still be starting, whatever it is asked first.
        return max(usual, self._first_answer())

    def _sure_seconds(self) -> float:
        """Return the seconds of a wait that is ground for a verdict, at least."""
        size, messages = self._load()
        return self.patience.allowance(
            clause_seconds=self._delay,
            size=size,
            messages=messages,
            floor=SURE_SECONDS,
        )

    def _first_answer(self) -> float:
        """Return the seconds allowed for the first answer of the latest process."""
        return self.patience.first_answer(self._start_seconds, self._timed_starts)

    def _await(
        self, look: Callable[[], LineType | Missing | None], seconds: float
    ) -> LineType | Missing:
        """Wait until ``look`` finds something.

        Args:
            look: Returns what was waited for, or None while it is not there.
            seconds: Most seconds to wait.
        """
        began = time.monotonic() if self._answers else None
        found = self._await_held_back(look, seconds, began)
        if found := found or self._await_briefly(look, seconds, began):
            return found
        found, waited = self._await_while_idle(look, seconds, began)
        if found is not None:
            return found
        return self._await_in_full(look, seconds - waited, began, waited=waited)

    def _await_held_back(
        self,
        look: Callable[[], LineType | Missing | None],
        seconds: float,
        began: float | None,
    ) -> LineType | Missing | None:
        """Wait for what may be held back, and ask after it; None where it is not."""
        if not self._holds_back:
            return None
        found = self._look_until(look, min(self._ready(), seconds), 0.0)
        if not is_late(found):
            return found
        if self._ledger.midline:
            # It cannot be asked after, and it was seen what it waits for.
            least = self.patience.brief(HELD_BACK_MIDLINE) + self._work_seconds()
            return self._look_until(look, min(least, seconds), 0.0)
        late, _ = self._nudge(look, began)
        return late

    @property
    def _holds_back(self) -> bool:
        """Whether an answer is asked after before it is waited for in full."""
        if self._held_back >= PROVEN_HELD_BACK:
            return True
        # What takes one line from each read and is still starting would be sent two.
        return self._held_lines >= PROVEN_HELD_BACK and self._answers

    def _ready(self) -> float:
        """Return the seconds after which an answer is asked after, if in vain so far.

        It is waited for in full all the same where asking does not bring it.
        """
        if self._held_back >= MANY_HELD_BACK:
            # What is asked too soon costs one more exchange, which is known by now.
            usual = max(HELD_BACK_BRIEFLY, PROMPT_LATENCIES * self.patience.typical)
            work = self._work_seconds() - self._delay
            return min(usual + work, MOST_HELD_BACK) + self._delay
        least = max(HELD_BACK_SECONDS, PROMPT_LATENCIES * self.patience.latency)
        return least + self._work_seconds()

    def _await_briefly(
        self,
        look: Callable[[], LineType | Missing | None],
        seconds: float,
        began: float | None,
    ) -> LineType | Missing | None:
        """Wait where requests are left unanswered; None where it has all its time."""
        brief = self._brief()
        if brief is None or brief >= seconds:
            return None
        found = self._look_while_it_answers(look, brief)
        if not (isinstance(found, Missing) and found.timed_out):
            return self._in_time(found, began)
        late, answers = self._nudge(look, began, brief=True)
        if late is not None:
            return late
        if answers or self.silences.expected:
            # It has time for what was asked later, or for nothing, as before.
            self.silences.add(control_answered=bool(answers), brief=True)
            return Missing(found.cause, found.text + BRIEFLY)
        return None

    def _brief(self) -> float | None:
        """Return the seconds for a subject that leaves requests unanswered, or None."""
        least = self.silences.limit(expected=self._rests_on_broken)
        if least is None:
            return None
        quick = self.patience.quick_seconds
        if quick is not None:
            least = min(least, quick)
        if not self._answers:
            # One that has answered nothing may still be starting.
            if not self.patience.start_spent:
                return None
            least = max(least, self._first_answer())
        brief = self.patience.brief(least, KNOWN_LATENCIES)
        size, messages = self._load()
        return brief + self.patience.work_seconds(
            self._delay, size // BRIEF_BYTES, messages
        )

    def _look_while_it_answers(
        self, look: Callable[[], LineType | Missing | None], brief: float
    ) -> LineType | Missing:
        """Wait briefly, and no longer for all else that was sent than it is answered.

        What takes one request after the other answers each in the time of its own tool.

        Args:
            look: Returns what was waited for, or None while it is not there.
            brief: Most seconds to wait.
        """
        _, messages = self._load()
        of_others = self._delay - self._longest_delay
        quiet = brief - self.patience.work_seconds(of_others, 0, messages)
        began, waited = time.monotonic(), 0.0
        while True:
            came = self._ledger.seen["frames"]
            least = min(quiet, brief - waited)
            found = self._look_until(look, least, told=waited + least)
            waited = time.monotonic() - began
            if (
                not is_late(found)
                or waited >= brief
                or self._ledger.seen["frames"] == came
            ):
                return found

    def _await_in_full(
        self,
        look: Callable[[], LineType | Missing | None],
        seconds: float,
        began: float | None,
        *,
        waited: float = 0.0,
    ) -> LineType | Missing:
        """Wait all the time, and ask after what did not come.

        Args:
            look: Returns what was waited for, or None while it is not there.
            seconds: Most seconds to wait.
            began: When the wait began; None for the first answer of a process.
            waited: Seconds that it was waited for before.
        """
        found = self._look_in_full(look, seconds, waited)
        if not is_late(found) or self._went_astray:
            return self._in_time(found, began)
        self.patience.spent += waited
        starting = not self._answers and seconds >= self._first_answer()
        late, answers = self._nudge(look, began)
        if late is not None:
            return late
        # One that has served before is not starting all the while.
        self.patience.start_spent |= starting and self.controlled
        if answers is not None:
            hurried = waited + seconds < self._sure_seconds()
            self.silences.add(control_answered=answers, brief=hurried)
        return found

    def _look_in_full(
        self,
        look: Callable[[], LineType | Missing | None],
        seconds: float,
        waited: float = 0.0,
    ) -> LineType | Missing:
        """Wait all the time; less of it for a subject that is seen not to flush."""
        if self._answers:
            return self._look_unless_astray(look, seconds, waited=waited)
        if self.controlled:
            return self._look_until(look, seconds)

        notice = self._notice_of_wait(seconds)
        found: LineType | Missing | None = None

        def speaks(within: float) -> bool:
            nonlocal found
            found = self._look_until(look, within, 0.0, notice=notice)
            return not is_late(found)

        silence = first_silence(
            self.target.command,
            bytes(self._asked_first),
            seconds,
            environment={**self._environment(), **self.added_environment},
            folder=self._settings.folder,
            speaks=speaks,
        )
        self._flushes_if_told |= silence is not None and silence.unbuffered
        if silence is None and found is not None:
            return found
        left, told = (silence.left, silence.seconds) if silence else (seconds, seconds)
        return self._look_until(look, left, told=told, notice=notice)

    def _overcome(self, not_up: NotUp) -> Deviation | None:
        held = [one for one in not_up.deviations if one.clause == self.charges.flushed]
        if not (held and self._flushes_if_told) or self.added_environment:
            return None
        self.added_environment = UNBUFFERED
        words = " ".join(f"{name}={value}" for name, value in UNBUFFERED.items())
        text = f"{held[0].text}; all else is tried with {words}, to see more than this"
        overcome = replace(held[0], text=text, hides=False)
        # What else came with it comes again.
        self.unflushed = replace(
            not_up, deviations=(overcome,), transcript=self.transcript
        )
        return overcome
