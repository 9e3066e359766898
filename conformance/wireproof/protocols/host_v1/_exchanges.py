"""Exchanges of a conversation with a host: each a request and what came for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from wireproof.line import OWN_ID
from wireproof.patterns import is_object

if TYPE_CHECKING:
    from wireproof.checks import Deviation
    from wireproof.protocols.host_v1._sent import SentRequest

REMEMBERED_IDS = 20_000
"""Finished requests whose ids are known again; older ones are forgotten."""

Kind = Literal["event", "response", "none"]


@dataclass(frozen=True, slots=True)
class HostArrival:
    """One frame or line that came from the host.

    Attributes:
        time: When, in seconds on the clock of the run.
        kind: What it was taken for.
        value: Its JSON value; None where it has none.
        line: Its bytes, without the line feed.
        deviations: What the monitors found in it.
        rank: Its place among all frames: several may come at the same time.
    """

    time: float
    kind: Kind
    value: Any
    line: bytes
    deviations: tuple[Deviation, ...] = ()
    rank: int = 0

    @property
    def event_type(self) -> str | None:
        """The type of an event; None for any other frame."""
        if self.kind != "event":
            return None
        event = self.value.get("event")
        found = event.get("type") if is_object(event) else None
        return found if isinstance(found, str) else None


@dataclass(slots=True)
class Exchange:
    """A request and what came for it.

    Attributes:
        request: The request.
        arrivals: Its events and responses, in the order in which they came.
        beside: Whether another one was in flight when it was sent.
        answered: Whether its response has come.
        read: How many arrivals the check in hand has looked at.
    """

    request: SentRequest
    beside: bool
    arrivals: list[HostArrival] = field(default_factory=list[HostArrival])
    answered: bool = False
    read: int = 0

    @property
    def id(self) -> str:
        """The request's id."""
        return self.request.id

    @property
    def method(self) -> str:
        """The request's method."""
        return self.request.method

    @property
    def response(self) -> HostArrival | None:
        """The first response, or None while there is none."""
        return next((a for a in self.arrivals if a.kind == "response"), None)


class Exchanges:
    """The exchanges of one started host.

    Attributes:
        open: Those without a response, by id.
        known: Those that are settled, by id.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self.open: dict[str, Exchange] = {}
        self.known: dict[str, Exchange] = {}
        self._recent: list[Exchange] = []

    def add(self, request: SentRequest) -> None:
        """Open the exchange of a request that was sent."""
        exchange = Exchange(request, beside=bool(self.open))
        self.open[request.id] = exchange
        self.known.pop(request.id, None)
        self._recent.append(exchange)

    def get(self, request_id: str) -> Exchange | None:
        """Return the latest exchange with this id, or None."""
        return self.open.get(request_id) or self.known.get(request_id)

    @property
    def only_open(self) -> Exchange | None:
        """The exchange that waits for its answer, if it is exactly one."""
        return next(iter(self.open.values())) if len(self.open) == 1 else None

    @property
    def asked(self) -> frozenset[str]:
        """The ids of the requests of the check in hand, the suite's own aside."""
        return frozenset(
            one.id for one in self._recent if not one.id.startswith(OWN_ID)
        )

    def asked_for(self, method: str) -> bool:
        """Tell whether the check in hand sent a request of this method."""
        return any(
            exchange.method == method and not exchange.id.startswith(OWN_ID)
            for exchange in self._recent
        )

    def overdue(self) -> None:
        """Leave the exchanges that nobody waits for; late answers are still theirs."""
        for request_id in list(self.open):
            self._settle(self.open.pop(request_id))

    def close(self, exchange: Exchange) -> None:
        """Take note that the response of an exchange has come."""
        exchange.answered = True
        if self.open.pop(exchange.id, None) is not None:
            self._settle(exchange)

    def forget(self) -> None:
        """Begin a new check: what came for the exchanges before has been looked at."""
        for exchange in self._recent:
            exchange.arrivals.clear()
        self._recent = list(self.open.values())

    def _settle(self, exchange: Exchange) -> None:
        self.known[exchange.id] = exchange
        if len(self.known) > REMEMBERED_IDS:
            del self.known[next(iter(self.known))]
