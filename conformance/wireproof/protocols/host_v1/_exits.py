"""Whether a host that has exited does so whatever it is asked.

A host that ends in the middle of a check has died of what the check sent, or it ends
after a while in any case. To tell the two apart another one is started, in a session of
its own, and asked nothing but plain valid requests, as many as the first was sent. One
that ends all the same would end in each of the checks to come, every time with another
clause to blame: it is given up, and all of it has the one cause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.checks import Deviation
from wireproof.line import NotUp
from wireproof.protocols.host_v1._session import HostSession

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from wireproof.checks import Settings
    from wireproof.line import Missing

MOST_REQUESTS = 200
"""Most plain requests that a host is asked for this."""

MOST_SECONDS = 5.0
"""Most seconds that they should take a host of the speed that was measured."""

MOST_TRIALS = 3
"""Hosts that are tried in a run: most of those that die have a reason in the check."""


class Exits:
    """What is known of how long one host lives.

    Attributes:
        answered: The plain requests that it answers before it ends, as far as known.
    """

    def __init__(
        self, session: HostSession, settings: Settings, setup: Mapping[str, Any]
    ) -> None:
        """Begin with nothing known.

        Args:
            session: The conversation.
            settings: The user's options.
            setup: The data of ``host_v1/setup.json``.
        """
        self._session = session
        self._settings = settings
        self._setup = setup
        self.answered = 0
        self._outlived = 0
        self._trials = 0

    def fault(self) -> Deviation | None:
        """Return what a host that has just ended is charged with, or None.

        Where it ends whatever it is asked, its session is given up.
        """
        session = self._session
        wanted = self._bounded(session.requests)
        if not session.has_ended or wanted <= self._outlived:
            return None
        if self._trials >= MOST_TRIALS:
            return None
        self._trials += 1
        found = self._try(wanted)
        if found is None:
            self._outlived = wanted
            return None
        self.answered, missing = found
        # No clause says that a host goes on running; what it owes is a response to each
        # request, and those that nobody reads any more get none.
        text = (
            f"{missing.text} after {self.answered} plain valid requests: "
            "the next one gets no response"
        )
        fault = Deviation("HV1-M3", "must", text, hides=True)
        session.give_up(NotUp(text, (fault,), ended=missing.ended))
        return fault

    def _bounded(self, count: int) -> int:
        latency = self._session.patience.latency
        fit = int(MOST_SECONDS / latency) if latency else MOST_REQUESTS
        return min(count, fit, MOST_REQUESTS)

    def _try(self, count: int) -> tuple[int, Missing] | None:
        """Ask another host as much; return how much it answered, and how it ended."""
        other = HostSession(self._session.target, self._settings, self._setup)
        other.patience = self._session.patience
        other.begin()
        try:
            if other.ensure_up() is not None:
                return None
            while other.requests <= count:
                missing = other.fence()
                if missing is not None and missing.ended is not None:
                    return other.seen["successes"], missing
            return None
        finally:
            self._session.starts += other.starts
            other.discard()
