"""What a peer of socket-v1 sent: a message, or why it is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from wireproof_reference._members import Members, as_integer
from wireproof_reference.core import Flaw
from wireproof_reference.socket_v1.core._events import event_flaw
from wireproof_reference.socket_v1.core._messages import (
    CALLERS,
    PROTOCOL_VERSION,
    CallResult,
    CancelToolCall,
    ClientInfo,
    ClientMessage,
    ListTools,
    ServerMessage,
    ToolCall,
    ToolEvent,
    ToolsList,
    TransportError,
)
from wireproof_reference.socket_v1.core._results import ToolResult, result_flaw

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON, JSONObject


class _Unreadable(Exception):
    """A field of a message is not what it should be; becomes a `Flaw`."""


_READ: Final = Members(_Unreadable)


def _is_version(value: JSON) -> bool:
    """Whether `protocol` is the integer 1; 1.0 is and true is not."""
    return not isinstance(value, bool) and value == PROTOCOL_VERSION


def read_client_message(value: JSON) -> ClientMessage | Flaw:
    """Read what a client sent (SOCK-M2, M3, M5, M7, M9)."""
    if not isinstance(value, dict):
        return Flaw("a message must be an object")
    given_id = value.get("requestId")
    # SOCK-M6
    readable_id = given_id if isinstance(given_id, str) else None
    try:
        return _read_client_object(value)
    except _Unreadable as error:
        return Flaw(str(error), readable_id)


def _read_client_object(value: JSONObject) -> ClientMessage:
    # SOCK-M2, M3
    if not _is_version(value.get("protocol", PROTOCOL_VERSION)):
        raise _Unreadable(f"protocol must be {PROTOCOL_VERSION}")
    match value.get("type"):
        case "tool_call":
            return ToolCall(
                _READ.string(value, "requestId"),
                _READ.string(value, "toolName"),
                # SOCK-M9
                _READ.object(value, "arguments", {}),
                _read_info(value),
                _read_timeout(value),
            )
        case "list_tools":
            return ListTools(_read_info(value))
        case "cancel_tool_call":
            return CancelToolCall(_READ.string(value, "requestId"))
        case str():
            raise _Unreadable("type is unknown")
        case _:
            raise _Unreadable("type must be a string")


def _read_timeout(message: JSONObject) -> int | None:
    """`timeoutMs`, a positive integer."""
    if "timeoutMs" not in message:
        return None
    value = as_integer(message["timeoutMs"])
    if value is not None and value > 0:
        return value
    raise _Unreadable("timeoutMs must be a positive integer")


def _read_info(message: JSONObject) -> ClientInfo:
    """`clientInfo`; where it or its caller is absent the caller is `cli`."""
    info = _READ.object(message, "clientInfo", {})
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
        return Flaw("a message must be an object")
    given_id = value.get("requestId")
    readable_id = given_id if isinstance(given_id, str) else None
    try:
        return _read_server_object(value)
    except _Unreadable as error:
        return Flaw(str(error), readable_id)


def _read_server_object(value: JSONObject) -> ServerMessage:
    # SOCK-M4 is a SHOULD
    if not _is_version(value.get("protocol", PROTOCOL_VERSION)):
        raise _Unreadable(f"protocol must be {PROTOCOL_VERSION}")
    match value.get("type"):
        case "tools_list":
            return ToolsList(tuple(_read_tools(value)))
        case "tool_event":
            request_id = _READ.string(value, "requestId")
            event = _without_nulls(value.get("event"), "fraction")
            flaw = event_flaw(event)
            if flaw is not None:
                raise _Unreadable(flaw)
            return ToolEvent(request_id, cast("JSONObject", event))
        case "tool_result":
            request_id = _READ.string(value, "requestId")
            result = _without_nulls(value.get("result"), "meta", "diagnostics", "error")
            flaw = result_flaw(result)
            if flaw is not None:
                raise _Unreadable(flaw)
            return CallResult(request_id, ToolResult(cast("JSONObject", result)))
        case "error":
            has_id = value.get("requestId") is not None
            given_id = _READ.string(value, "requestId") if has_id else None
            code, text = _READ.string(value, "code"), _READ.string(value, "message")
            return TransportError(given_id, text, code)
        case _:
            raise _Unreadable("type is not one that a server sends")


def _without_nulls(value: JSON, *optional: str) -> JSON:
    """An object without optional keys that are null: these count as absent."""
    if not isinstance(value, dict):
        return value
    return {k: v for k, v in value.items() if v is not None or k not in optional}


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
        _READ.string(tool, name)
    if not isinstance(tool.get("inputSchema"), dict):
        raise _Unreadable("inputSchema must be an object")
    # A null counts as absent.
    if not isinstance(tool.get("capabilities"), list | None):
        raise _Unreadable("capabilities must be an array")
    return tool
