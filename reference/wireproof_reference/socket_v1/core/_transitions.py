"""What may follow what under the id of a call, on each side.

A call ends with one result, or with an error where the server could make nothing of it.
Ids are scoped to their connection (SOCK-C9).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wireproof_reference.core import Phase
from wireproof_reference.socket_v1.core._messages import (
    CallResult,
    CancelToolCall,
    ToolCall,
    ToolEvent,
    TransportError,
)

if TYPE_CHECKING:
    from wireproof_reference.core import Transitions

CLIENT_TRANSITIONS: Final[Transitions] = {
    (Phase.IDLE, ToolCall): +1,
    (Phase.IN_FLIGHT, CancelToolCall): 0,
    (Phase.IN_FLIGHT, ToolEvent): 0,
    (Phase.IN_FLIGHT, CallResult): -1,
    (Phase.IN_FLIGHT, TransportError): -1,
}
"""The client's side: an error under the id of a call says that it is not run."""

SERVER_TRANSITIONS: Final[Transitions] = {
    (Phase.IDLE, ToolCall): +1,
    # SOCK-X3: it has no effect, and is no fault.
    (Phase.IDLE, CancelToolCall): 0,
    (Phase.IN_FLIGHT, CancelToolCall): 0,
    (Phase.IN_FLIGHT, ToolEvent): 0,
    (Phase.IN_FLIGHT, CallResult): -1,
    # SOCK-C10, M6: it answers another message with this id, never the call.
    (Phase.IDLE, TransportError): 0,
    (Phase.IN_FLIGHT, TransportError): 0,
}
"""The server's side: a second call under an id in flight is no step (SOCK-C10)."""
