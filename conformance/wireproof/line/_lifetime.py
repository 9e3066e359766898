"""Whether a subject on stdio serves a few requests only, whatever it is asked.

A subject that ends in the middle of a check, or answers nothing any more, has stumbled
over what the check sent, or it does so after a while in any case. To tell the two apart
another one is started, in a session of its own, and asked nothing but plain valid
requests, as many as the first was sent. One that serves no longer all the same would
fail in each of the checks to come, every time with another clause to blame: it is given
up, and all of it has the one cause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.checks import Deviation
from wireproof.line._outcome import Missing, NotUp

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireproof.line._stdio_requests import StdioRequests

    Session = StdioRequests[Any, Any, Any]

MOST_REQUESTS = 200
"""Most plain requests that a subject is asked for this."""

MOST_SECONDS = 5.0
"""Most seconds that they should take a subject of the speed that was measured."""

MOST_TRIALS = 3
"""Subjects that are tried in a run: most of those that end have a reason in the check.
"""


class Lifetime:
    """What is known of how long one subject serves.

    Attributes:
        answered: The plain requests that it answers before it ends, as far as known.
    """

    def __init__(
        self, session: Session, new_session: Callable[[], Session], clause: str
    ) -> None:
        """Begin with nothing known.

        Args:
            session: The conversation.
            new_session: Opens another one with the same subject, not yet begun.
            clause: What a subject breaks that serves a few requests only.
        """
        self._session = session
        self._new_session = new_session
        self._clause = clause
        self.answered = 0
        self._outlived = 0
        self._trials = 0

    def fault(self) -> Deviation | None:
        """Return what a subject is charged with that has just ended, or None.

        Where it serves no longer whatever it is asked, its session is given up.
        """
        session = self._session
        wanted = self._bounded(session.requests)
        is_over = session.has_ended or session.silences.deafened
        if not is_over or wanted <= self._outlived:
            return None
        if self._trials >= MOST_TRIALS:
            return None
        self._trials += 1
        found = self._try(wanted)
        if found is None:
            self._outlived = wanted
            return None
        self.answered, missing = found
        # No clause says that it goes on running; what it owes is a response to each
        # request, and those that nobody reads any more get none.
        text = (
            f"{missing.text} after {self.answered} plain valid requests: "
            "the next one gets no response"
        )
        fault = Deviation(self._clause, "must", text, hides=True)
        session.give_up(NotUp(text, (fault,), ended=missing.ended))
        return fault

    def _bounded(self, count: int) -> int:
        latency = self._session.patience.latency
        fit = int(MOST_SECONDS / latency) if latency else MOST_REQUESTS
        return min(count, fit, MOST_REQUESTS)

    def _try(self, count: int) -> tuple[int, Missing] | None:
        """Ask another one as much; return how much it answered, and how it ended."""
        other = self._new_session()
        other.patience = self._session.patience
        other.added_environment = self._session.added_environment
        other.begin()
        try:
            if other.ensure_up() is not None:
                return None
            while other.requests <= count:
                answered = other.seen["frames"]
                missing = other.fence()
                if missing is None:
                    continue
                deaf = missing.timed_out and other.seen["frames"] == answered
                return (answered, missing) if missing.ended or deaf else None
            return None
        finally:
            self._session.starts += other.starts
            other.discard()
