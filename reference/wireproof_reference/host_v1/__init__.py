"""NDJSON tool host, protocol version 1: host and client.

The cores, `HostConnection` and `ClientConnection`, do no I/O.  `Host` carries out
requests with a `ToolPlugin`; `serve_stdio` and `run_stdio` run it on stdin and stdout.
"""

from wireproof_reference.host_v1._envelope import (
    ENVELOPE_TYPE,
    SUPPORTED_FORMATS,
    is_envelope,
)
from wireproof_reference.host_v1._host import CallContext, Host, Transport
from wireproof_reference.host_v1._host_connection import (
    BadRequest,
    HostConnection,
    HostConnectionEvent,
    HostState,
)
from wireproof_reference.host_v1._messages import (
    VERSION,
    Event,
    Failure,
    Flaw,
    HostMessage,
    Request,
    Success,
    message_to_json,
    read_host_message,
    read_request,
)
from wireproof_reference.host_v1._methods import RequestRefused
from wireproof_reference.host_v1._plugin import ToolPlugin, tool_schema
from wireproof_reference.host_v1._stdio import (
    EXIT_ANSWERED,
    EXIT_NOT_READ,
    PipeTransport,
    run_stdio,
    serve_fds,
    serve_stdio,
    take_stdio,
)
from wireproof_reference.host_v1._toolset import conformance_toolset
from wireproof_reference.toolset import Tool, ToolContext, ToolFailure

__all__ = [
    "ENVELOPE_TYPE",
    "EXIT_ANSWERED",
    "EXIT_NOT_READ",
    "SUPPORTED_FORMATS",
    "VERSION",
    "BadRequest",
    "CallContext",
    "Event",
    "Failure",
    "Flaw",
    "Host",
    "HostConnection",
    "HostConnectionEvent",
    "HostMessage",
    "HostState",
    "PipeTransport",
    "Request",
    "RequestRefused",
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
