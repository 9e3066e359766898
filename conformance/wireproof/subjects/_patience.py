"""How long an answer is waited for.

A fixed limit is wrong on some machine, so the subject's own speed sets it: a clause's
time or the floor, or twenty times the latency of a trivial exchange where that is
more. Waiting in vain is paid from a budget; a subject that has used it up is waited
for less long, so that a run on a subject that answers nothing ends too. So is one that
was waited for in vain in a few checks of the same clause.
"""

from __future__ import annotations

from collections import Counter, deque

START_SECONDS = 30.0
"""For the first answer of a subject: interpreters, caches and JITs warm up."""

FLOOR_SECONDS = 5.0
"""For any other answer, on a machine that may be busy with other things."""

LATER_SECONDS = 2.0
"""The floor of a subject that is known to be quick, once it was waited for in full and
in vain: what it leaves out does not come, and what it answers comes at once."""


KNOWN_ANSWERS = 20
"""Answers that tell whether a subject is quick."""

QUICK_FACTOR = 50.0
"""How many times the slowest of them that floor is at least."""

SHORT_SECONDS = 1.0
"""The floor once the budget is spent."""

SHRINKING_SECONDS = 0.2
"""The floor while a failure is made smaller, and once far more than the budget is
spent: what is missed then costs nothing."""

FAR_MORE = 1.5
"""How many times the budget that is."""

BUDGET_SECONDS = 30.0
"""What a run may spend on answers that never came before its waits are short."""

PROVEN_VAIN = 2
"""Checks of a clause that were waited for in vain before the others of the clause are
waited for less long: they tell the same."""

KNOWN_STARTS = 2
"""Starts that tell how long it takes to come up."""


SLOWEST_START_FACTOR = 4.0
"""How many times its slowest start a subject is given for the first answer, once the
time of a start was spent in vain."""

LATENCY_FACTOR = 20.0
"""From the specification: how many latencies of a trivial exchange are allowed."""


CAP_SECONDS = 60.0
"""Longest wait for one answer."""

SECONDS_PER_MEBIBYTE = 1.0
"""Added for each MiB that a message carries."""


SLOWEST_FACTOR = 2.0
"""How many times the slowest answer so far a brief wait lasts at least."""

LATENCIES_PER_MESSAGE = 2.0
"""Added for each message that may have to be dealt with before: hosts may be serial."""

RECENT = 20
"""Trivial exchanges that the latency is taken from."""


RECENT_ANSWERS = 200
"""Answers that the slowest is taken from: a busy moment is forgotten."""


class Patience:
    """The limits of one subject, as learnt in the run.

    Attributes:
        spent: Seconds spent waiting for answers that did not come.
        shortened: Whether the short floor is used although the budget is not spent:
            a failure is being made smaller, and has been waited for in full before.
        shrinking: Seconds spent looking for smaller failures.
    """

    def __init__(
        self, timeout: float | None, *, budget: float = BUDGET_SECONDS
    ) -> None:
        """Begin with nothing learnt.

        Args:
            timeout: The user's own limit, in seconds, or None.
            budget: Seconds that may be spent on answers that never came before waits
                are short.
        """
        self.spent = 0.0
        self.shortened = False
        self.shrinking = 0.0
        self._answers: deque[float] = deque(maxlen=RECENT_ANSWERS)
        self._timeout = timeout
        self._budget = budget
        self._recent: deque[float] = deque(maxlen=RECENT)
        self._clause = ""
        self._before = 0.0
        self._vain: Counter[str] = Counter()

    def begin(self, clause: str) -> None:
        """Begin a check.

        Args:
            clause: The clause that it is charged to.
        """
        self._vain[self._clause] += self.spent > self._before
        self._clause, self._before = clause, self.spent

    @property
    def latency(self) -> float:
        """The slowest of the latest trivial exchanges, in seconds; 0 before any."""
        return max(self._recent, default=0.0)

    @property
    def quickest(self) -> float:
        """The quickest of the latest trivial exchanges, in seconds; 0 before any."""
        return min(self._recent, default=0.0)

    def starting(self) -> float:
        """Return the seconds allowed for the first answer."""
        if self._timeout is not None:
            return self._timeout
        if self.latency:
            return START_SECONDS
        return START_SECONDS if self.spent < self._budget else FLOOR_SECONDS

    def allowance(
        self,
        *,
        clause_seconds: float = 0.0,
        size: int = 0,
        messages: int = 0,
        floor: float | None = None,
    ) -> float:
        """Return the seconds allowed for one answer.

        Args:
            clause_seconds: The time that a clause states, or that tools were asked
                to take.
            size: Bytes that the exchange carries.
            messages: How many messages may have to be dealt with before.
            floor: Least seconds to allow, or None for the usual.
        """
        if floor is None:
            floor = self._floor()
        if self._timeout is not None:
            floor = min(floor, self._timeout)
        learnt = max(floor, LATENCY_FACTOR * self.latency)
        cap = CAP_SECONDS if self._timeout is None else self._timeout
        extra = self.work_seconds(clause_seconds, size, messages)
        return min(learnt, cap) + extra

    def work_seconds(
        self, clause_seconds: float, size: int, messages: int = 0
    ) -> float:
        """Return the seconds allowed beside the usual, as ``allowance`` adds them."""
        carried = size / (1 << 20) * SECONDS_PER_MEBIBYTE
        return (
            clause_seconds + carried + messages * LATENCIES_PER_MESSAGE * self.latency
        )

    def _floor(self) -> float:
        if self.shortened:
            return SHRINKING_SECONDS
        known = self._clause and self._vain[self._clause] >= PROVEN_VAIN
        if self.spent < self._budget and not known:
            return self._later_floor()
        far_more = self.spent >= FAR_MORE * self._budget
        short = SHRINKING_SECONDS if far_more else SHORT_SECONDS
        # What a subject leaves out is no ground to call late what it is slow with.
        return min(FLOOR_SECONDS, max(short, self._slow_answer()))

    def _later_floor(self) -> float:
        """Return the usual floor, or that after a wait in full that was in vain."""
        if self.spent < FLOOR_SECONDS or not self.knows_answers:
            return FLOOR_SECONDS
        return min(FLOOR_SECONDS, max(LATER_SECONDS, QUICK_FACTOR * self.slowest))

    @property
    def knows_answers(self) -> bool:
        """Whether enough answers came to tell how long they take."""
        return len(self._answers) >= KNOWN_ANSWERS

    @property
    def slowest(self) -> float:
        """The slowest of the latest answers, in seconds; 0 before any."""
        return max(self._answers, default=0.0)

    def _slow_answer(self) -> float:
        """Return the seconds in which all that came lately would have come."""
        return SLOWEST_FACTOR * self.slowest

    def clause_limit(self, seconds: float) -> float:
        """Return a clause's own limit, widened by the latency that was measured."""
        return max(seconds, LATENCY_FACTOR * self.latency)

    def brief(self, seconds: float, latencies: float = LATENCY_FACTOR) -> float:
        """Return the seconds of a brief wait, in which all that came so far would come.

        Args:
            seconds: What it lasts at least.
            latencies: How many latencies it lasts at least.
        """
        return max(seconds, latencies * self.latency, self._slow_answer())

    def came_after(self, seconds: float) -> None:
        """Take note of how long an answer took, beside the work that was asked for."""
        self._answers.append(seconds)

    def measured(self, seconds: float) -> None:
        """Take note of a trivial exchange."""
        self._recent.append(seconds)
