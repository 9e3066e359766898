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
    cast,
    get_args,
)

from wireproof_reference.socket_v1.core._events import event_flaw
from wireproof_reference.socket_v1.core._results import ToolResult, result_flaw

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON, JSONObject

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


@dataclass(frozen=True, slots=True)
class Flaw:
    """Why a JSON value is not the message that it should be.

    Attributes:
        request_id: The one that stands in it, where there is one.
        detail: What is wrong.
    """

    request_id: str | None
    detail: str


class _Unreadable(Exception):
    """A field of a message is not what it should be; becomes a `Flaw`."""


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


def _is_version(value: JSON) -> bool:
    """Whether `protocol` is the integer 1; 1.0 is and true is not."""
    return not isinstance(value, bool) and value == PROTOCOL_VERSION


def read_client_message(value: JSON) -> ClientMessage | Flaw:
    """Read what a client sent (SOCK-M2, M3, M5, M7, M9)."""
    if not isinstance(value, dict):
        return Flaw(None, "a message must be an object")
    given_id = value.get("requestId")
    # SOCK-M6
    readable_id = given_id if isinstance(given_id, str) else None
    try:
        return _read_client_object(value)
    except _Unreadable as error:
        return Flaw(readable_id, str(error))


def _read_client_object(value: JSONObject) -> ClientMessage:
    # SOCK-M2, M3
    if not _is_version(value.get("protocol", PROTOCOL_VERSION)):
        raise _Unreadable(f"protocol must be {PROTOCOL_VERSION}")
    match value.get("type"):
        case "tool_call":
            return ToolCall(
                _read_text(value, "requestId"),
                _read_text(value, "toolName"),
                # SOCK-M9
                _read_object(value, "arguments"),
                _read_info(value),
                _read_timeout(value),
            )
        case "list_tools":
            return ListTools(_read_info(value))
        case "cancel_tool_call":
            return CancelToolCall(_read_text(value, "requestId"))
        case str():
            raise _Unreadable("type is unknown")
        case _:
            raise _Unreadable("type must be a string")


def _read_text(message: JSONObject, name: str) -> str:
    value = message.get(name)
    if isinstance(value, str):
        return value
    raise _Unreadable(f"{name} must be a string")


def _read_object(message: JSONObject, name: str) -> JSONObject:
    value = message.get(name, {})
    if isinstance(value, dict):
        return value
    raise _Unreadable(f"{name} must be an object")


def _read_timeout(message: JSONObject) -> int | None:
    """`timeoutMs`, a positive integer; as a JSON number 5.0 is one."""
    if "timeoutMs" not in message:
        return None
    value = message["timeoutMs"]
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    raise _Unreadable("timeoutMs must be a positive integer")


def _read_info(message: JSONObject) -> ClientInfo:
    """`clientInfo`; where it or its caller is absent the caller is `cli`."""
    info = _read_object(message, "clientInfo")
    caller = info.get("caller", "cli")
    if caller not in CALLERS:
        raise _Unreadable(f"clientInfo.caller must be one of {', '.join(CALLERS)}")
    session_id = info.get("sessionId")
    return ClientInfo(
        caller,
        _read_place(info, "cwd"),
        # SOCK-I2: it is ignored, whatever it is.
        session_id if isinstance(session_id, str) else None,
        _read_place(info, "spaceId"),
        _read_place(info, "tabId"),
    )


def _read_place(info: JSONObject, name: str) -> str | None:
    """A text; null is as good as absent, for many clients write it so."""
    value = info.get(name)
    if value is None or isinstance(value, str):
        return value
    raise _Unreadable(f"clientInfo.{name} must be a string")


def read_server_message(value: JSON) -> ServerMessage | Flaw:
    """Read what a server sent (SOCK-M1, L1, C3, C14, E1)."""
    if not isinstance(value, dict):
        return Flaw(None, "a message must be an object")
    given_id = value.get("requestId")
    readable_id = given_id if isinstance(given_id, str) else None
    try:
        return _read_server_object(value)
    except _Unreadable as error:
        return Flaw(readable_id, str(error))


def _read_server_object(value: JSONObject) -> ServerMessage:
    # SOCK-M4 is a SHOULD
    if not _is_version(value.get("protocol", PROTOCOL_VERSION)):
        raise _Unreadable(f"protocol must be {PROTOCOL_VERSION}")
    match value.get("type"):
        case "tools_list":
            return ToolsList(tuple(_read_tools(value)))
        case "tool_event":
            request_id = _read_text(value, "requestId")
            event = value.get("event")
            flaw = event_flaw(event)
            if flaw is not None:
                raise _Unreadable(flaw)
            return ToolEvent(request_id, cast("JSONObject", event))
        case "tool_result":
            request_id = _read_text(value, "requestId")
            result = value.get("result")
            flaw = result_flaw(result)
            if flaw is not None:
                raise _Unreadable(flaw)
            return CallResult(request_id, ToolResult(cast("JSONObject", result)))
        case "error":
            given_id = _read_text(value, "requestId") if "requestId" in value else None
            code, text = _read_text(value, "code"), _read_text(value, "message")
            return TransportError(given_id, text, code)
        case _:
            raise _Unreadable("type is not one that a server sends")


def _read_tools(message: JSONObject) -> list[JSONObject]:
    """The descriptors (SOCK-L1)."""
    tools = message.get("tools")
    if not isinstance(tools, list):
        raise _Unreadable("tools must be an array")
    return [_read_descriptor(tool) for tool in tools]


def _read_descriptor(tool: JSON) -> JSONObject:
    if not isinstance(tool, dict):
        raise _Unreadable("a tool must be an object")
    for name in ("name", "description"):
        _read_text(tool, name)
    if not isinstance(tool.get("inputSchema"), dict):
        raise _Unreadable("inputSchema must be an object")
    if not isinstance(tool.get("capabilities", []), list):
        raise _Unreadable("capabilities must be an array")
    return tool
