"""How the answers of a subject on stdio are waited for.

Theory of operation. An answer that does not come is asked after once: a subject that
does not flush gives it together with the next one. Where a subject has left a few
requests unanswered, they are waited for briefly (``_silences``).
"""

from __future__ import annotations

import re
import time
from abc import abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic

from wireproof.line._exchanges import LineType, RequestType
from wireproof.line._ledger import LedgerType
from wireproof.line._outcome import Missing, MissingCause
from wireproof.line._silences import Silences
from wireproof.line._stdio_faults import StdioFaults
from wireproof.subjects import (
    BRIEF_BYTES,
    FLOOR_SECONDS,
    KNOWN_LATENCIES,
    UNBUFFERED,
    Idleness,
    Patience,
    first_silence,
)
from wireproof_reference.framing import encode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.checks import Deviation, Settings, Target
    from wireproof.line._exchanges import Exchange
    from wireproof.line._outcome import NotUp

NUDGED_SECONDS = 1.0
"""How long an answer that did not come is waited for after one more request."""

ASTRAY_SECONDS = 0.5
"""How long an answer is waited for where as many came for no request that waits."""

MANY_ASTRAY = 4
"""Waits of which it was so after which it is waited for briefly."""

ASTRAY_BRIEFLY = 0.05
"""How long it is waited for then at least, once as many have come."""

NUDGED_BRIEFLY = 0.3
"""The same at least, where enough answers have told how long they take."""

PROMPT_SECONDS = 0.02
"""An answer that comes so soon after one more request was ready before it."""

PROMPT_LATENCIES = 5
"""The same, in latencies of a trivial exchange."""

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

UNWATCHED_SECONDS = 0.1
"""How long a subject is waited for before one looks at what it does, which costs more
than most answers do."""

SURELY_IDLE = 2.0
"""How many times as long one is waited for that nothing else tells of than that it has
nothing in hand."""

RAISED = re.compile(
    rb"^Traceback \(most|^Exception in thread |^thread '.*' .*panicked at "
    rb"|^\s+at \S.*:\d+\)?$|^panic: ",
    re.MULTILINE,
)
"""How an exception begins, or a call of its trace, in languages in wide use."""

BRIEFLY = " (waits are brief by now)"
"""What is said of such a wait: its author would take it for all that there is."""

SURE_SECONDS = 1.0
"""How long an answer is waited for at least before its lack is ground for a verdict."""

BUDGET_SECONDS = 8.0
"""What may be spent on answers that never came before all waits are short: no more than
a run on a correct subject takes."""


class StdioRequests(
    StdioFaults[RequestType, LineType, LedgerType],
    Generic[RequestType, LineType, LedgerType],
):
    """What is asked of one subject on stdio, and how long it is waited for.

    Attributes:
        silences: What it has left unanswered.
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
        self.patience = Patience(settings.timeout, budget=BUDGET_SECONDS)
        self.silences = Silences()
        self.unflushed: NotUp | None = None
        self._takes_one: bool | None = None
        self._astray = 0
        self._flushes_if_told = False

    # --- what a protocol brings

    @abstractmethod
    def _own_request(self, control: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the control as a request with a new id of the suite's own."""

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

    def _final(self, key: str) -> LineType | None:
        exchange = self._exchange_of(key)
        return exchange.response if exchange else None

    def _owes_nothing(self) -> bool:
        return not self._ledger.exchanges.open

    def _is_idle(self) -> bool:
        return self._owes_nothing() and not self._delay and not self._size >> 16

    def _open_controls(
        self, control: Mapping[str, Any], count: int
    ) -> Sequence[Exchange[RequestType, LineType]]:
        """Send the control so often in one write; none where no subject runs."""
        if self._process is None:
            return ()
        messages = [self._own_request(control) for _ in range(count)]
        self._transmit(b"".join(map(encode, messages)), None, own=True)
        opened = [self._exchange_of(one["id"]) for one in messages]
        return [one for one in opened if one is not None]

    def _open_control(
        self, control: Mapping[str, Any]
    ) -> Exchange[RequestType, LineType] | None:
        """Send the control as a request of the suite's own; None where none runs."""
        return next(iter(self._open_controls(control, 1)), None)

    def _answer_to(
        self, exchange: Exchange[RequestType, LineType] | None, seconds: float
    ) -> LineType | Missing:
        """Wait for the response of a request of the suite's own."""
        if exchange is None:
            return Missing(MissingCause.EXITED, "it was not running")
        found: LineType | Missing = self._await(lambda: exchange.response, seconds)
        return found

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
        found = (
            self._await_held_back(look, seconds, began) if self._holds_back else None
        )
        return (
            found
            or self._await_briefly(look, seconds, began)
            or self._await_while_idle(look, seconds, began)
        )

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
        if not _is_late(found):
            return found
        if self._ledger.midline:
            # It cannot be asked after, and it was seen what it waits for.
            least = self.patience.brief(HELD_BACK_MIDLINE) + self._work_seconds()
            return self._look_until(look, min(least, seconds), 0.0)
        late, _ = self._nudge(look, began)
        return late

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

    def _await_while_idle(
        self,
        look: Callable[[], LineType | Missing | None],
        seconds: float,
        began: float | None,
    ) -> LineType | Missing:
        """Wait in full, unless nothing is done and what is asked later is answered.

        What a subject that was quick so far computes, loads or starts is seen: one that
        does none of it has nothing in hand.
        """
        usual = self.patience.idle_seconds if self._answers else None
        short = 0.0 if usual is None else usual + self._work_seconds()
        if self._process is None or not 0 < short < seconds:
            return self._await_in_full(look, seconds, began)
        found = self._look_until(look, UNWATCHED_SECONDS, 0.0)
        if not _is_late(found):
            return self._in_time(found, began)
        watch = Idleness(self._process.pid)
        waited = UNWATCHED_SECONDS
        for until in (short, SURELY_IDLE * short):
            if until >= seconds:
                break
            # It is booked as in vain only where it ends the wait.
            found = self._look_unless_astray(look, until - waited, 0.0, waited=waited)
            waited = until
            if not _is_late(found) or self._went_astray:
                return self._in_time(found, began)
            if not watch.was_idle():
                break
            surely = until > short
            if not self._has_nothing_in_hand(surely=surely):
                continue
            late, answers = self._nudge(look, began)
            if late is not None:
                return late
            if answers or (surely and self._was_in_vain):
                self.patience.spent += waited
                self.silences.add(control_answered=bool(answers), brief=False)
                return found
            break
        return self._await_in_full(look, seconds - waited, began, waited=waited)

    @property
    def _has_raised(self) -> bool:
        """Whether an exception was written on stderr since something was sent last.

        One that was logged before may be that of a call which was answered.
        """
        return self.transcript.has_on_stderr(RAISED, self._sent_at)

    def _look_until_idle(
        self, look: Callable[[], LineType | Missing | None], seconds: float
    ) -> LineType | Missing:
        """Wait until ``look`` finds something, or nothing is done for long.

        It is not asked after, and what is not to come is not booked.
        """
        usual = self.patience.idle_seconds if self._answers else None
        surely = None if usual is None else SURELY_IDLE * usual + self._work_seconds()
        found = self._look_until(look, min(UNWATCHED_SECONDS, seconds), 0.0)
        if not _is_late(found) or self._process is None:
            return found
        left = seconds - UNWATCHED_SECONDS
        if surely is None or surely >= seconds:
            return self._look_until(look, left, 0.0)
        watch = Idleness(self._process.pid)
        found = self._look_until(look, surely - UNWATCHED_SECONDS, 0.0)
        if not _is_late(found) or watch.was_idle():
            return found
        return self._look_until(look, seconds - surely, 0.0)

    def _has_nothing_in_hand(self, *, surely: bool) -> bool:
        """Tell whether what is awaited of one that does nothing is not to come.

        Args:
            surely: Whether it has done nothing for so long that little else is needed.
        """
        if surely:
            return self._has_tools or self._was_in_vain
        sure = SURELY_IDLE * (self.patience.idle_seconds or FLOOR_SECONDS)
        has_left_out = self.patience.spent >= sure and self._has_tools
        return self._has_raised or has_left_out

    @property
    def _was_in_vain(self) -> bool:
        """Whether as much as a wait in full has passed in vain before."""
        return self.patience.spent >= FLOOR_SECONDS

    @property
    def _has_tools(self) -> bool:
        """Whether it has answered each tool that is waited for.

        One that was never called may have to be fetched or connected, which takes a
        while in which nothing is done here.
        """
        exchanges = self._ledger.exchanges
        called = {one.request.tool for one in exchanges.open.values()} - {None}
        return called <= exchanges.tools_answered

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
        if not _is_late(found) or self._went_astray:
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
            text = f"no answer within {briefly:.1f} s; as many came under other ids"
            return Missing(MissingCause.TIMEOUT, text)
        charged = seconds if charged is None else charged
        return self._look_until(look, seconds - briefly, charged, waited + seconds)

    @property
    def _went_astray(self) -> bool:
        """Whether as many answers went elsewhere as requests wait for theirs."""
        waiting = len(self._ledger.exchanges.open)
        return 0 < waiting <= self._ledger.misdirected

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
            return not _is_late(found)

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
                not _is_late(found)
                or waited >= brief
                or self._ledger.seen["frames"] == came
            ):
                return found

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

    @property
    def _holds_back(self) -> bool:
        """Whether an answer is asked after before it is waited for in full."""
        if self._held_back >= PROVEN_HELD_BACK:
            return True
        # What takes one line from each read and is still starting would be sent two.
        return self._held_lines >= PROVEN_HELD_BACK and self._answers

    def _in_time(
        self, found: LineType | Missing, began: float | None
    ) -> LineType | Missing:
        """Take note of how long an answer took; the first of a process says nothing."""
        if not isinstance(found, Missing) and began is not None:
            self._came_after(found.time - began)
        return found

    @property
    def _answers(self) -> bool:
        """Whether the latest process has answered anything yet."""
        return self._ledger.seen["frames"] > 0

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

    def _try_two(self) -> None:
        """See how many answers two requests in one write bring."""
        if self._takes_one is None and self._control is not None:
            self._takes_one = False
            came = self._ledger.seen["frames"]
            sent = self._open_controls(self._control, 2)
            limit = self.patience.clause_limit(NUDGED_SECONDS)
            self.wait_for(lambda: all(one.answered for one in sent) or None, limit)
            self._takes_one = self._ledger.seen["frames"] == came + 1


def _is_late(found: object) -> bool:
    """Tell whether what was waited for did not come in time."""
    return isinstance(found, Missing) and found.timed_out
