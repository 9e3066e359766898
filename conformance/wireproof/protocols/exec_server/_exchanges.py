"""Exchanges of a conversation with a server: each a request and what came for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from wireproof.protocols.exec_server._ids import is_own_key

if TYPE_CHECKING:
    from wireproof.checks import Deviation

REMEMBERED_IDS = 20_000
"""Finished requests whose ids are known again; older ones are forgotten."""

Kind = Literal["response", "none"]


@dataclass(frozen=True, slots=True)
class RpcArrival:
    """One frame or line that came from the server.

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


@dataclass(slots=True)
class Exchange:
    """A request and what came for it.

    Attributes:
        key: The key of its id.
        id: Its id.
        pieced: Whether the server may have read it in more than one piece.
        beside: Whether another one was in flight when it was sent.
        arrivals: Its responses, in the order in which they came.
        read: How many of them the check in hand has looked at.
        answered: Whether its response has come.
    """

    key: str
    id: Any
    pieced: bool
    beside: bool
    arrivals: list[RpcArrival] = field(default_factory=list[RpcArrival])
    read: int = 0
    answered: bool = False

    @property
    def response(self) -> RpcArrival | None:
        """The first response, or None while there is none."""
        return self.arrivals[0] if self.arrivals else None


class Exchanges:
    """The exchanges of one started server.

    Attributes:
        open: Those without a response, by the key of the id.
        known: Those that are settled.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self.open: dict[str, Exchange] = {}
        self.known: dict[str, Exchange] = {}
        self._recent: list[Exchange] = []

    def add(self, key: str, value: Any, *, pieced: bool) -> None:
        """Open the exchange of a request that was sent."""
        exchange = Exchange(key, value, pieced, beside=bool(self.open))
        self.open[key] = exchange
        self.known.pop(key, None)
        self._recent.append(exchange)

    def get(self, key: str) -> Exchange | None:
        """Return the latest exchange with this key, or None."""
        return self.open.get(key) or self.known.get(key)

    @property
    def only_open(self) -> Exchange | None:
        """The exchange that waits for its answer, if it is exactly one."""
        return next(iter(self.open.values())) if len(self.open) == 1 else None

    @property
    def asked(self) -> frozenset[str]:
        """The keys of the requests of the check in hand, the suite's own aside."""
        return frozenset(one.key for one in self._recent if not is_own_key(one.key))

    def overdue(self) -> None:
        """Leave the exchanges that nobody waits for; late answers are still theirs."""
        for key in list(self.open):
            self._settle(self.open.pop(key))

    def close(self, exchange: Exchange) -> None:
        """Take note that the response of an exchange has come."""
        exchange.answered = True
        if self.open.pop(exchange.key, None) is not None:
            self._settle(exchange)

    def forget(self) -> None:
        """Begin a new check: what came for the exchanges before has been looked at."""
        for exchange in self._recent:
            exchange.arrivals.clear()
        self._recent = list(self.open.values())

    def _settle(self, exchange: Exchange) -> None:
        self.known[exchange.key] = exchange
        if len(self.known) > REMEMBERED_IDS:
            del self.known[next(iter(self.known))]
