"""The seven messages of socket-v1, and how each stands in JSON.

::

    list_tools        {"type","protocol":1,"clientInfo"?:{…}}
    tool_call         {"type","protocol":1,"requestId","toolName","arguments":{…},
                       "clientInfo"?:{…},"timeoutMs"?:n}
    cancel_tool_call  {"type","protocol":1,"requestId"}
    tools_list        {"type","protocol":1,"tools":[…]}
    tool_event        {"type","protocol":1,"requestId","event":{"kind",…}}
    tool_result       {"type","protocol":1,"requestId","result":{"ok",…}}
    error             {"type","protocol":1,"requestId"?,"code","message"}
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import (
    TYPE_CHECKING,
    Final,
    Literal,
    TypeAlias,
    assert_never,
    get_args,
)

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON, JSONObject
    from wireproof_reference.socket_v1.core._results import ToolResult

PROTOCOL_VERSION: Final = 1
"""The protocol version that every message may carry as `protocol`."""

PROTOCOL_ERROR: Final = "PROTOCOL_ERROR"
"""The code of every `error`."""

Caller: TypeAlias = Literal["cli", "renderer", "agent", "plugin", "internal"]
"""Who calls a tool."""

CALLERS: Final[tuple[Caller, ...]] = get_args(Caller)


@dataclass(frozen=True, slots=True)
class ClientInfo:
    """What a client says about itself; nobody has to believe it.

    Attributes:
        caller: Who calls.
        cwd: The folder that the caller works in.
        session_id: The session that the caller claims.
        space_id: The space that the caller works in.
        tab_id: The tab that the caller works in.
    """

    caller: Caller = "cli"
    cwd: str | None = None
    session_id: str | None = None
    space_id: str | None = None
    tab_id: str | None = None


@dataclass(frozen=True, slots=True)
class ListTools:
    """The client asks which tools there are.

    Attributes:
        client_info: Who asks.
    """

    client_info: ClientInfo = ClientInfo()


@dataclass(frozen=True, slots=True)
class ToolCall:
    """The client calls a tool.

    Attributes:
        request_id: Names the call on this connection.
        tool_name: The tool.
        arguments: What it is given.
        client_info: Who calls.
        timeout_ms: Milliseconds that the call may take, or None.
    """

    request_id: str
    tool_name: str
    arguments: JSONObject = field(default_factory=dict[str, "JSON"])
    client_info: ClientInfo = ClientInfo()
    timeout_ms: int | None = None


@dataclass(frozen=True, slots=True)
class CancelToolCall:
    """The client wants a call to end now.

    Attributes:
        request_id: The call's.
    """

    request_id: str


@dataclass(frozen=True, slots=True)
class ToolsList:
    """The tools that there are.

    Attributes:
        tools: Their descriptors: name, description, inputSchema, capabilities.
    """

    tools: tuple[JSONObject, ...]


@dataclass(frozen=True, slots=True)
class ToolEvent:
    """Something that a tool reports while it runs.

    Attributes:
        request_id: The call's.
        event: What is reported; its `kind` says what else is in it.
    """

    request_id: str
    event: JSONObject


@dataclass(frozen=True, slots=True)
class CallResult:
    """The end of a call, on the wire a `tool_result`.

    Attributes:
        request_id: The call's.
        result: What came of it.
    """

    request_id: str
    result: ToolResult


@dataclass(frozen=True, slots=True)
class TransportError:
    """The server could make nothing of a message, on the wire an `error`.

    Attributes:
        request_id: The one that stood in the message, where there was one.
        message: What was wrong.
        code: Always `PROTOCOL_ERROR` where the server keeps to the protocol.
    """

    request_id: str | None
    message: str
    code: str = PROTOCOL_ERROR


ClientMessage: TypeAlias = ListTools | ToolCall | CancelToolCall
"""What a client sends."""

ServerMessage: TypeAlias = ToolsList | ToolEvent | CallResult | TransportError
"""What a server sends."""


def message_to_json(message: ClientMessage | ServerMessage) -> JSONObject:
    """The JSON object that stands for a message on the wire."""
    match message:
        case ListTools(info):
            return _frame("list_tools", clientInfo=_info_to_json(info))
        case ToolCall(request_id, tool_name, arguments, info, timeout_ms):
            frame = _frame(
                "tool_call",
                requestId=request_id,
                toolName=tool_name,
                arguments=arguments,
                clientInfo=_info_to_json(info),
            )
            if timeout_ms is not None:
                frame["timeoutMs"] = timeout_ms
            return frame
        case CancelToolCall(request_id):
            return _frame("cancel_tool_call", requestId=request_id)
        case ToolsList(tools):
            return _frame("tools_list", tools=list(tools))
        case ToolEvent(request_id, event):
            return _frame("tool_event", requestId=request_id, event=event)
        case CallResult(request_id, result):
            return _frame("tool_result", requestId=request_id, result=result.json)
        case TransportError(None, text, code):
            return _frame("error", code=code, message=text)
        case TransportError(request_id, text, code):
            return _frame("error", requestId=request_id, code=code, message=text)
        case _:  # pragma: no cover
            assert_never(message)


def _frame(type_: str, **fields: JSON) -> JSONObject:
    return {"type": type_, "protocol": PROTOCOL_VERSION, **fields}


def _info_to_json(info: ClientInfo) -> JSONObject:
    fields: JSONObject = {
        "caller": info.caller,
        "cwd": info.cwd,
        "sessionId": info.session_id,
        "spaceId": info.space_id,
        "tabId": info.tab_id,
    }
    return {name: value for name, value in fields.items() if value is not None}
