"""Waiting for a subject: until what is looked for is there, or cannot come any more.

Theory of operation. Nothing runs by itself: whoever waits for something pumps the
subject until it is there, until it cannot come any more, or until the time is over, and
is told which. What a subject was ready to work and had no processor is no time that it
took: it is given that much more, and so is what the suite takes to read what came.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from contextlib import contextmanager
from typing import TYPE_CHECKING, Generic, TypeVar

from wireproof.line._conversation import Arrival
from wireproof.line._life import SubjectLife
from wireproof.line._outcome import Missing, MissingCause, no_answer_within
from wireproof.line._state import SessionState
from wireproof.subjects import Notice, Starvation

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from wireproof.subjects import SubjectProcess

WATCHED_SECONDS = 0.5
"""Waits that are as long are prolonged by what the subject had no processor."""

UNWATCHED_SECONDS = 0.1
"""How long a subject is waited for before one looks at what it does, which costs more
than most answers do."""

MOST_PROLONGED = 4.0
"""How many times as long a wait may become longer by it, and by what the suite took."""

LEAST_SECONDS = 0.02
"""What is no prolongation worth another look."""

ArrivalType = TypeVar("ArrivalType", bound=Arrival)
Found = TypeVar("Found")


class AwaitedSubject(SubjectLife, Generic[ArrivalType]):
    """One subject, over all its starts, and how it is waited for."""

    _taken: float = 0.0
    """Seconds that the suite took to read what came, over all starts: meanwhile a
    subject may have been kept from writing more."""

    # --- what a protocol brings

    @abstractmethod
    def pump(self, timeout: float) -> None:
        """Wait for anything to happen, and take it in.

        Args:
            timeout: Most seconds to wait; 0 takes only what is there.
        """

    @abstractmethod
    def _why_missing(self) -> Missing | None:
        """Tell why nothing more can come, or None where it can."""

    # --- hooks

    def _give_up_waiting(self, missing: Missing) -> str:
        """Take in that nothing more came; return what more there is to say of it."""
        return ""

    def _is_hopeless(self) -> bool:
        """Tell whether it is no use to wait for anything but what is there."""
        return False

    def _exit_seconds(self, within: float) -> float:
        """Return the seconds that a subject may take to exit."""
        return self.patience.clause_limit(within)

    def _exited(self) -> None:
        """Take in what a subject left when it exited."""

    # --- what all share

    def wait_for(
        self, look: Callable[[], Found | None], seconds: float
    ) -> Found | None:
        """Pump until ``look`` finds something; None where the time is over."""
        began, taken = time.monotonic(), self._taken
        while (found := look()) is None:
            ours = min(self._taken - taken, seconds * MOST_PROLONGED)
            left = began + seconds + ours - time.monotonic()
            if left <= 0 or self._is_hopeless():
                return None
            self.pump(left)
        return found

    @contextmanager
    def _taking_in(self) -> Generator[None]:
        """Read what came meanwhile: the time of it is none of the subject's."""
        began = time.monotonic()
        try:
            yield
        finally:
            self._taken += time.monotonic() - began

    def _look_until(
        self,
        look: Callable[[], ArrivalType | Missing | None],
        seconds: float,
        charged: float | None = None,
        told: float | None = None,
        notice: Notice | None = None,
    ) -> ArrivalType | Missing:
        """Wait until ``look`` finds something, or tell why it does not come.

        Args:
            look: Returns what is waited for, or None while it is not there.
            seconds: Most seconds to wait.
            charged: The seconds that a wait in vain is booked with; None for all.
            told: The seconds that it is told with; None for these.
            notice: What tells the user of the wait; None for one of its own.
        """
        charged = seconds if charged is None else charged
        wait = _Wait(seconds, self._process, lambda: self._taken)
        notice = notice or self._notice_of_wait(seconds)
        while (found := look()) is None:
            missing = self._why_missing()
            left = wait.left()
            if missing is None and left <= 0:
                # What came while the suite was busy is there, and not read yet.
                self.pump(0)
                if (found := look()) is not None:
                    return found
                self.patience.spent += charged
                waited = charged if told is None else told
                missing = Missing(MissingCause.TIMEOUT, no_answer_within(waited))
            if missing is not None:
                said = self._give_up_waiting(missing)
                # The end of the stream may have brought it.
                return look() or Missing(missing.cause, missing.text + said)
            self.pump(notice.due_in(min(left, wait.unwatched)))
        return found

    def _notice_of_wait(self, seconds: float) -> Notice:
        """Return what tells the user of a wait that may take so many seconds."""
        serves = self.state is SessionState.SERVING
        what = "an answer of" if serves else "the first answer of"
        return Notice(self._settings.tell, f"{what} {self.target.text}", seconds)

    def await_exit(self, within: float) -> int | Missing:
        """Wait until the subject ends by itself; return its exit status."""
        process = self._process
        if process is None:
            return Missing(MissingCause.EXITED, "it was not running")
        allowed = self._exit_seconds(within)
        status = self.wait_for(lambda: process.exit_status, allowed)
        if status is None:
            self.patience.spent += allowed
            self.outlasted += 1
            self.discard()
            return Missing(MissingCause.TIMEOUT, f"still running after {allowed:.1f} s")
        self._exited()
        return status


class _Wait:
    """The time of a wait, longer by what the subject could not work.

    It had no processor, or the suite had not read yet what it wrote.
    """

    def __init__(
        self,
        seconds: float,
        process: SubjectProcess | None,
        taken: Callable[[], float] = lambda: 0.0,
    ) -> None:
        """Begin.

        Args:
            seconds: How long it may take.
            process: The subject; None where it is not one of the suite's own.
            taken: Returns the seconds that the suite took to read what came.
        """
        self._began = time.monotonic()
        self._taken = taken
        self._taken_before = taken()
        self._seconds = seconds
        self._process = process if seconds >= WATCHED_SECONDS else None
        self._watch: Starvation | None = None
        self._prolonged = 0.0

    @property
    def unwatched(self) -> float:
        """How long it may be waited before ``left`` is asked for again."""
        if self._process is None or self._watch is not None:
            return self._seconds * (1.0 + MOST_PROLONGED)
        return UNWATCHED_SECONDS

    def left(self) -> float:
        """Return the seconds that are left; none or less where it is over."""
        passed = time.monotonic() - self._began
        most = self._seconds * MOST_PROLONGED
        ours = min(self._taken() - self._taken_before, most)
        left = self._seconds + self._prolonged + ours - passed
        if self._watch is None:
            if self._process is not None and passed >= UNWATCHED_SECONDS:
                self._watch = Starvation(self._process.pid)
            return left
        if left > 0:
            return left
        more = min(self._watch.seconds(), most) - self._prolonged
        if more < LEAST_SECONDS:
            return left
        self._prolonged += more
        return left + more
