"""NDJSON tool host, protocol version 1: host and client.

The cores, `HostConnection` and `ClientConnection`, do no I/O.  `Host` carries out
requests with a `ToolPlugin`; `serve_stdio` and `run_stdio` run it on stdin and stdout.
`HostClient` starts a host and calls it.
"""

from wireproof_reference._stdio import take_stdio
from wireproof_reference.host_v1._calls import Execution, Reply
from wireproof_reference.host_v1._client import (
    CLOSE_GRACE,
    DEFAULT_WITHIN,
    HostClient,
)
from wireproof_reference.host_v1._host import CallContext, Host, Transport
from wireproof_reference.host_v1._link import HostProcess
from wireproof_reference.host_v1._methods import RequestRefused
from wireproof_reference.host_v1._plugin import ToolPlugin, tool_schema
from wireproof_reference.host_v1._stdio import (
    EXIT_ANSWERED,
    EXIT_NOT_READ,
    PipeTransport,
    run_stdio,
    serve_fds,
    serve_stdio,
)
from wireproof_reference.host_v1._toolset import conformance_toolset
from wireproof_reference.host_v1.core import (
    ENVELOPE_TYPE,
    SUPPORTED_FORMATS,
    VERSION,
    BadRequest,
    CallTimeout,
    ClientConnection,
    ClientConnectionEvent,
    ClientState,
    Event,
    Failure,
    Flaw,
    HostConnection,
    HostConnectionEvent,
    HostError,
    HostFailure,
    HostLost,
    HostMessage,
    HostState,
    Malformed,
    Request,
    StrayLine,
    Success,
    is_envelope,
    message_to_json,
    read_host_message,
    read_request,
)
from wireproof_reference.toolset import Tool, ToolContext, ToolFailure

__all__ = [
    "CLOSE_GRACE",
    "DEFAULT_WITHIN",
    "ENVELOPE_TYPE",
    "EXIT_ANSWERED",
    "EXIT_NOT_READ",
    "SUPPORTED_FORMATS",
    "VERSION",
    "BadRequest",
    "CallContext",
    "CallTimeout",
    "ClientConnection",
    "ClientConnectionEvent",
    "ClientState",
    "Event",
    "Execution",
    "Failure",
    "Flaw",
    "Host",
    "HostClient",
    "HostConnection",
    "HostConnectionEvent",
    "HostError",
    "HostFailure",
    "HostLost",
    "HostMessage",
    "HostProcess",
    "HostState",
    "Malformed",
    "PipeTransport",
    "Reply",
    "Request",
    "RequestRefused",
    "StrayLine",
    "Success",
    "Tool",
    "ToolContext",
    "ToolFailure",
    "ToolPlugin",
    "Transport",
    "conformance_toolset",
    "is_envelope",
    "message_to_json",
    "read_host_message",
    "read_request",
    "run_stdio",
    "serve_fds",
    "serve_stdio",
    "take_stdio",
    "tool_schema",
]
