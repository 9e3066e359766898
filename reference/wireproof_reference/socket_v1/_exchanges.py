"""Which calls are in flight on a connection, and what may follow what.

Theory of operation: a call begins with a `tool_call`, goes on with events, and ends
with one result, or with an error where the server could make nothing of it.  An id is
idle or in flight; what a message does to it stands in a table, one for each side.  A
step that the table does not have is an error, whose owner depends on who sent the
message.  Ids are scoped to their connection (SOCK-C9).
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from wireproof_reference.socket_v1._messages import (
    CallResult,
    CancelToolCall,
    ToolCall,
    ToolEvent,
    TransportError,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

CallMessage: TypeAlias = (
    ToolCall | CancelToolCall | ToolEvent | CallResult | TransportError
)
"""The messages that belong to a call."""


class Phase(Enum):
    """Where an id stands."""

    IDLE = "idle"
    IN_FLIGHT = "in flight"


Transitions: TypeAlias = "Mapping[tuple[Phase, type[CallMessage]], Phase]"
"""From phase and message to the next phase."""

CLIENT_TRANSITIONS: Final[Transitions] = {
    (Phase.IDLE, ToolCall): Phase.IN_FLIGHT,
    (Phase.IN_FLIGHT, CancelToolCall): Phase.IN_FLIGHT,
    (Phase.IN_FLIGHT, ToolEvent): Phase.IN_FLIGHT,
    (Phase.IN_FLIGHT, CallResult): Phase.IDLE,
    (Phase.IN_FLIGHT, TransportError): Phase.IDLE,
}
"""The client's side: an error under the id of a call says that it is not run."""

SERVER_TRANSITIONS: Final[Transitions] = {
    (Phase.IDLE, ToolCall): Phase.IN_FLIGHT,
    # SOCK-X3: it has no effect, and is no fault.
    (Phase.IDLE, CancelToolCall): Phase.IDLE,
    (Phase.IN_FLIGHT, CancelToolCall): Phase.IN_FLIGHT,
    (Phase.IN_FLIGHT, ToolEvent): Phase.IN_FLIGHT,
    (Phase.IN_FLIGHT, CallResult): Phase.IDLE,
    # SOCK-C10, M6: it answers another message with this id, never the call.
    (Phase.IDLE, TransportError): Phase.IDLE,
    (Phase.IN_FLIGHT, TransportError): Phase.IN_FLIGHT,
}
"""The server's side: a second call under an id in flight is no step (SOCK-C10)."""


class Exchanges:
    """The ids in flight on one connection.

    Args:
        transitions: The table of the side that we are.
    """

    __slots__ = ("_in_flight", "_transitions")

    def __init__(self, transitions: Transitions) -> None:
        self._transitions = transitions
        self._in_flight: set[str] = set()

    @property
    def in_flight(self) -> frozenset[str]:
        """The ids of calls without a result yet."""
        return frozenset(self._in_flight)

    def __bool__(self) -> bool:
        return bool(self._in_flight)

    def __contains__(self, request_id: str) -> bool:
        return request_id in self._in_flight

    def allows(self, request_id: str, message: type[CallMessage]) -> bool:
        """Whether such a message may come next under this id."""
        return (self._phase(request_id), message) in self._transitions

    def advance(self, request_id: str, message: type[CallMessage]) -> None:
        """Take the step that `allows` allowed."""
        phase = self._transitions[self._phase(request_id), message]
        if phase is Phase.IN_FLIGHT:
            self._in_flight.add(request_id)
        else:
            self._in_flight.discard(request_id)

    def forget(self, request_id: str) -> None:
        """Wait for this id no longer; what still comes under it is stray."""
        self._in_flight.discard(request_id)

    def _phase(self, request_id: str) -> Phase:
        return Phase.IN_FLIGHT if request_id in self._in_flight else Phase.IDLE
