"""NDJSON tool socket, protocol version 1: server and client.

The cores, `ServerConnection` and `ClientConnection`, do no I/O.  `SocketServer` carries
out calls with a `ToolRegistry`, and `run_socket` makes a program of it.  `SocketClient`
connects to a server and calls its tools.
"""

from wireproof_reference.socket_v1._calls import AbortSignal, Call, CallContext
from wireproof_reference.socket_v1._client import (
    DEFAULT_WITHIN,
    RemoteCall,
    SocketClient,
)
from wireproof_reference.socket_v1._client_connection import (
    RESULT_LIMIT,
    ClientConnection,
    ClientConnectionEvent,
    ClientState,
    Malformed,
    StrayLine,
)
from wireproof_reference.socket_v1._client_errors import (
    CallTimeout,
    MessageRefused,
    ServerLost,
    SocketError,
    ToolCallFailed,
)
from wireproof_reference.socket_v1._events import (
    LogLevel,
    artifact,
    event_flaw,
    log,
    partial_text,
    progress,
)
from wireproof_reference.socket_v1._home import Home
from wireproof_reference.socket_v1._listener import (
    ClaimedSocket,
    SocketPathTaken,
    claim_socket,
)
from wireproof_reference.socket_v1._messages import (
    CALLERS,
    PROTOCOL_ERROR,
    PROTOCOL_VERSION,
    Caller,
    CallResult,
    CancelToolCall,
    ClientInfo,
    ClientMessage,
    Flaw,
    ListTools,
    ServerMessage,
    ToolCall,
    ToolEvent,
    ToolsList,
    TransportError,
    message_to_json,
    read_client_message,
    read_server_message,
)
from wireproof_reference.socket_v1._peer import Peer
from wireproof_reference.socket_v1._program import (
    EXIT_NOT_STARTED,
    EXIT_STOPPED,
    run_socket,
)
from wireproof_reference.socket_v1._redaction import (
    REDACTED,
    SECRET_KEYS,
    is_secret_key,
    redact_text,
    summarise,
)
from wireproof_reference.socket_v1._registry import (
    CAPABILITIES,
    NEED_GRANT,
    Capability,
    ToolDefinition,
    ToolRegistry,
)
from wireproof_reference.socket_v1._results import (
    ABSENT,
    ERROR_CODES,
    Absent,
    ErrorCode,
    ToolError,
    ToolResult,
    result_flaw,
)
from wireproof_reference.socket_v1._server import (
    DEFAULT_TOOL_TIMEOUT_MS,
    MAX_CALLS,
    MAX_DEADLINE_MS,
    SHUTDOWN_SECONDS,
    TRUSTED_CALLERS,
    SocketServer,
)
from wireproof_reference.socket_v1._server_connection import (
    FRAME_LIMIT,
    BadMessage,
    ServerConnection,
    ServerConnectionEvent,
    ServerState,
)
from wireproof_reference.socket_v1._stream import SocketStream
from wireproof_reference.socket_v1._toolset import conformance_registry

__all__ = [
    "ABSENT",
    "CALLERS",
    "CAPABILITIES",
    "DEFAULT_TOOL_TIMEOUT_MS",
    "DEFAULT_WITHIN",
    "ERROR_CODES",
    "EXIT_NOT_STARTED",
    "EXIT_STOPPED",
    "FRAME_LIMIT",
    "MAX_CALLS",
    "MAX_DEADLINE_MS",
    "NEED_GRANT",
    "PROTOCOL_ERROR",
    "PROTOCOL_VERSION",
    "REDACTED",
    "RESULT_LIMIT",
    "SECRET_KEYS",
    "SHUTDOWN_SECONDS",
    "TRUSTED_CALLERS",
    "AbortSignal",
    "Absent",
    "BadMessage",
    "Call",
    "CallContext",
    "CallResult",
    "CallTimeout",
    "Caller",
    "CancelToolCall",
    "Capability",
    "ClaimedSocket",
    "ClientConnection",
    "ClientConnectionEvent",
    "ClientInfo",
    "ClientMessage",
    "ClientState",
    "ErrorCode",
    "Flaw",
    "Home",
    "ListTools",
    "LogLevel",
    "Malformed",
    "MessageRefused",
    "Peer",
    "RemoteCall",
    "ServerConnection",
    "ServerConnectionEvent",
    "ServerLost",
    "ServerMessage",
    "ServerState",
    "SocketClient",
    "SocketError",
    "SocketPathTaken",
    "SocketServer",
    "SocketStream",
    "StrayLine",
    "ToolCall",
    "ToolCallFailed",
    "ToolDefinition",
    "ToolError",
    "ToolEvent",
    "ToolRegistry",
    "ToolResult",
    "ToolsList",
    "TransportError",
    "artifact",
    "claim_socket",
    "conformance_registry",
    "event_flaw",
    "is_secret_key",
    "log",
    "message_to_json",
    "partial_text",
    "progress",
    "read_client_message",
    "read_server_message",
    "redact_text",
    "result_flaw",
    "run_socket",
    "summarise",
]
