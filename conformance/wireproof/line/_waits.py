"""Waiting for a subject: until what is looked for is there, or cannot come any more.

Theory of operation. Nothing runs by itself: whoever waits for something pumps the
subject until it is there, until it cannot come any more, or until the time is over, and
is told which.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from typing import TYPE_CHECKING, Generic, TypeVar

from wireproof.line._conversation import Arrival
from wireproof.line._life import SubjectLife
from wireproof.line._outcome import Missing, MissingCause
from wireproof.line._state import SessionState
from wireproof.subjects import Notice

if TYPE_CHECKING:
    from collections.abc import Callable

ArrivalType = TypeVar("ArrivalType", bound=Arrival)
Found = TypeVar("Found")


class AwaitedSubject(SubjectLife, Generic[ArrivalType]):
    """One subject, over all its starts, and how it is waited for."""

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
        limit = time.monotonic() + seconds
        while (found := look()) is None:
            left = limit - time.monotonic()
            if left <= 0 or self._is_hopeless():
                return None
            self.pump(left)
        return found

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
        limit = time.monotonic() + seconds
        notice = notice or self._notice_of_wait(seconds)
        while (found := look()) is None:
            missing = self._why_missing()
            left = limit - time.monotonic()
            if missing is None and left <= 0:
                self.patience.spent += charged
                waited = charged if told is None else told
                missing = Missing(
                    MissingCause.TIMEOUT, f"no answer within {waited:.1f} s"
                )
            if missing is not None:
                said = self._give_up_waiting(missing)
                # The end of the stream may have brought it.
                return look() or Missing(missing.cause, missing.text + said)
            self.pump(notice.due_in(left))
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
