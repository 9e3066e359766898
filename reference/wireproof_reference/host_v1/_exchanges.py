"""Which requests are in flight, and what may follow what.

Theory of operation: an exchange begins with a request, goes on with events, and ends
with one response.  An id is idle, or in flight one or more times; what a message does
to it stands in a table, one for each side.  A step that the table does not have is an
error, whose owner depends on who sent the message.

Only a host meets an id in flight twice: a client must not send it so (HV1-C1), but a
host answers every request that it gets (HV1-M3).
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from wireproof_reference.host_v1._messages import Event, Failure, Request, Success

if TYPE_CHECKING:
    from collections.abc import Mapping

MessageType: TypeAlias = type[Request | Success | Failure | Event]
"""What the tables know of a message."""


class Phase(Enum):
    """Where an id stands."""

    IDLE = "idle"
    IN_FLIGHT = "in flight"


Transitions: TypeAlias = "Mapping[tuple[Phase, MessageType], int]"
"""From phase and message to the change in how often the id is in flight."""

CLIENT_TRANSITIONS: Final[Transitions] = {
    (Phase.IDLE, Request): +1,
    (Phase.IN_FLIGHT, Event): 0,
    (Phase.IN_FLIGHT, Success): -1,
    (Phase.IN_FLIGHT, Failure): -1,
}
"""The client's side: an id is in flight once (HV1-C1)."""

HOST_TRANSITIONS: Final[Transitions] = {
    **CLIENT_TRANSITIONS,
    (Phase.IN_FLIGHT, Request): +1,
}
"""The host's side: it answers whatever was asked (HV1-M3)."""


class Exchanges:
    """The ids in flight on one connection.

    Args:
        transitions: The table of the side that we are.
    """

    __slots__ = ("_in_flight", "_transitions")

    def __init__(self, transitions: Transitions) -> None:
        self._transitions = transitions
        self._in_flight: dict[str, int] = {}

    @property
    def in_flight(self) -> frozenset[str]:
        """The ids of requests without a response yet."""
        return frozenset(self._in_flight)

    def __bool__(self) -> bool:
        return bool(self._in_flight)

    def phase(self, request_id: str) -> Phase:
        """Where an id stands now."""
        return Phase.IN_FLIGHT if request_id in self._in_flight else Phase.IDLE

    def allows(self, request_id: str, message: MessageType) -> bool:
        """Whether such a message may come next under this id."""
        return (self.phase(request_id), message) in self._transitions

    def advance(self, request_id: str, message: MessageType) -> None:
        """Take the step that `allows` allowed."""
        change = self._transitions[self.phase(request_id), message]
        count = self._in_flight.get(request_id, 0) + change
        if count:
            self._in_flight[request_id] = count
        else:
            del self._in_flight[request_id]

    def forget(self, request_id: str) -> None:
        """Wait for this id no longer; what still comes under it is stray."""
        self._in_flight.pop(request_id, None)
