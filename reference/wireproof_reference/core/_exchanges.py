"""Which ids are in flight on a connection, and what may follow what.

Theory of operation: an exchange begins with a request, goes on with events, and ends
with one answer.  An id is idle, or in flight one or more times; what a message does to
it stands in a table that each side of each protocol has.  A step that the table does
not have is an error, whose owner depends on who sent the message.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping


class Phase(Enum):
    """Where an id stands."""

    IDLE = "idle"
    IN_FLIGHT = "in flight"


Transitions: TypeAlias = "Mapping[tuple[Phase, type[object]], int]"
"""From phase and kind of message to the change in how often the id is in flight."""


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
        """The ids of requests without an answer yet."""
        return frozenset(self._in_flight)

    def __bool__(self) -> bool:
        return bool(self._in_flight)

    def __contains__(self, request_id: str) -> bool:
        return request_id in self._in_flight

    def phase(self, request_id: str) -> Phase:
        """Where an id stands now."""
        return Phase.IN_FLIGHT if request_id in self._in_flight else Phase.IDLE

    def allows(self, request_id: str, message: type[object]) -> bool:
        """Whether such a message may come next under this id."""
        return (self.phase(request_id), message) in self._transitions

    def advance(self, request_id: str, message: type[object]) -> None:
        """Take the step that `allows` allowed."""
        change = self._transitions[self.phase(request_id), message]
        count = self._in_flight.get(request_id, 0) + change
        if count:
            self._in_flight[request_id] = count
        else:
            self.forget(request_id)

    def forget(self, request_id: str) -> None:
        """Wait for this id no longer; what still comes under it is stray."""
        self._in_flight.pop(request_id, None)
