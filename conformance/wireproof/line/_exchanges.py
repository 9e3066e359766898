"""Exchanges of a conversation on stdio: each a request and what came for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wireproof.checks import Deviation

REMEMBERED_IDS = 20_000
"""Finished requests whose ids are known again; older ones are forgotten."""

Kind = Literal["event", "response", "none"]


@dataclass(frozen=True, slots=True)
class LineArrival:
    """One frame or line that came from the subject.

    Attributes:
        time: When, in seconds on the clock of the run.
        kind: What it was taken for; ``none`` where it belongs to nothing.
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


class LineRequest(Protocol):
    """A line that is a request."""

    @property
    def key(self) -> str:
        """What its exchange is known by: its id, or what stands for it."""
        ...

    @property
    def id(self) -> Any:
        """Its id."""
        ...

    @property
    def pieced(self) -> bool:
        """Whether the subject may have read it in more than one piece."""
        ...

    @property
    def kind(self) -> str:
        """The tool that it calls, or its method where it calls none."""
        ...


LineType = TypeVar("LineType", bound=LineArrival)
RequestType = TypeVar("RequestType", bound=LineRequest)


@dataclass(slots=True)
class Exchange(Generic[RequestType, LineType]):
    """A request and what came for it.

    Attributes:
        request: The request.
        beside: Whether another one was in flight when it was sent; for a request of a
            check one of the suite's own, such as a fence, does not count.
        again: Whether a request with its id was answered before.
        arrivals: Its events and responses, in the order in which they came.
        answered: Whether its response has come.
        read: How many arrivals the check in hand has looked at.
    """

    request: RequestType
    beside: bool
    again: bool = False
    arrivals: list[LineType] = field(default_factory=list[LineType])
    answered: bool = False
    read: int = 0

    @property
    def key(self) -> str:
        """What it is known by."""
        return self.request.key

    @property
    def response(self) -> LineType | None:
        """The first response, or None while there is none."""
        return next((one for one in self.arrivals if one.kind == "response"), None)


class Exchanges(Generic[RequestType, LineType]):
    """The exchanges of one started subject.

    Attributes:
        open: Those without a response, by their key.
        known: Those that are settled, by their key.
        kinds_answered: The kinds of requests of which one had its response.
    """

    def __init__(self, is_own: Callable[[str], bool]) -> None:
        """Begin with none.

        Args:
            is_own: Tells whether a key is that of one of the suite's own requests.
        """
        self.open: dict[str, Exchange[RequestType, LineType]] = {}
        self.known: dict[str, Exchange[RequestType, LineType]] = {}
        self.kinds_answered: set[str] = set()
        self._is_own = is_own
        self._recent: list[Exchange[RequestType, LineType]] = []

    def add(self, request: RequestType) -> None:
        """Open the exchange of a request that was sent."""
        own = self._is_own(request.key)
        beside = any(own or not self._is_own(key) for key in self.open)
        before = self.known.pop(request.key, None)
        again = before is not None and before.answered
        exchange: Exchange[RequestType, LineType] = Exchange(request, beside, again)
        self.open[request.key] = exchange
        self._recent.append(exchange)

    def get(self, key: str) -> Exchange[RequestType, LineType] | None:
        """Return the latest exchange with this key, or None."""
        return self.open.get(key) or self.known.get(key)

    @property
    def only_open(self) -> Exchange[RequestType, LineType] | None:
        """The exchange that waits for its answer, if it is exactly one."""
        return next(iter(self.open.values())) if len(self.open) == 1 else None

    @property
    def asked(self) -> Sequence[RequestType]:
        """The requests of the check in hand, the suite's own aside."""
        return [one.request for one in self._recent if not self._is_own(one.key)]

    @property
    def uses_again(self) -> bool:
        """Whether the check in hand uses an id that was answered before."""
        return any(one.again for one in self._recent if not self._is_own(one.key))

    def overdue(self) -> None:
        """Leave the exchanges that nobody waits for; late answers are still theirs."""
        for key in list(self.open):
            self._settle(self.open.pop(key))

    def close(self, exchange: Exchange[RequestType, LineType]) -> None:
        """Take note that the response of an exchange has come."""
        exchange.answered = True
        self.kinds_answered.add(exchange.request.kind)
        if self.open.pop(exchange.key, None) is not None:
            self._settle(exchange)

    def forget(self) -> None:
        """Begin a new check: what came for the exchanges before has been looked at."""
        for exchange in self._recent:
            exchange.arrivals.clear()
        self._recent = list(self.open.values())

    def _settle(self, exchange: Exchange[RequestType, LineType]) -> None:
        self.known[exchange.key] = exchange
        if len(self.known) > REMEMBERED_IDS:
            del self.known[next(iter(self.known))]
