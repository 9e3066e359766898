"""What host-v1 is, without I/O: messages, and both ends of a connection."""

from wireproof_reference.core import ClientState, Flaw, Malformed, StrayLine
from wireproof_reference.host_v1.core._client_connection import (
    ClientConnection,
    ClientConnectionEvent,
)
from wireproof_reference.host_v1.core._client_errors import (
    CallTimeout,
    HostError,
    HostFailure,
    HostLost,
)
from wireproof_reference.host_v1.core._host_connection import (
    BadRequest,
    HostConnection,
    HostConnectionEvent,
    HostState,
)
from wireproof_reference.host_v1.core._messages import (
    ENVELOPE_TYPE,
    SUPPORTED_FORMATS,
    VERSION,
    Event,
    Failure,
    HostMessage,
    Request,
    Success,
    is_envelope,
    message_to_json,
    read_host_message,
    read_request,
)

__all__ = [
    "ENVELOPE_TYPE",
    "SUPPORTED_FORMATS",
    "VERSION",
    "BadRequest",
    "CallTimeout",
    "ClientConnection",
    "ClientConnectionEvent",
    "ClientState",
    "Event",
    "Failure",
    "Flaw",
    "HostConnection",
    "HostConnectionEvent",
    "HostError",
    "HostFailure",
    "HostLost",
    "HostMessage",
    "HostState",
    "Malformed",
    "Request",
    "StrayLine",
    "Success",
    "is_envelope",
    "message_to_json",
    "read_host_message",
    "read_request",
]
