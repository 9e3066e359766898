"""The four messages of host-v1, the envelope of a result, and how each stands in JSON.

::

    request   {"v":1,"id":"<string>","method":"<snake_case>","params":{…}}
    success   {"v":1,"id":"<same>","ok":true,"result":{"value":<any>,"state":{…}?}}
    failure   {"v":1,"id":"<same>","ok":false,"error":{"type","detail","stack"?}}
    event     {"v":1,"id":"<same>","event":{"type":"<string>","payload":<any>}}
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias, TypeGuard, assert_never

from wireproof_reference.core import Flaw

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON, JSONObject

VERSION: Final = 1
"""The protocol version that every message carries as `v`."""

ENVELOPE_TYPE: Final = "provider_native_tool_result"
"""The `type` of an envelope."""

SUPPORTED_FORMATS: Final = ("openai.chat_completions", "openai.responses")
"""The formats whose `content` a client hands on as it is.

A tuple, for `in` must answer for a list or an object too, which have no hash.
"""


@dataclass(frozen=True, slots=True)
class Request:
    """The client asks for a method.

    Attributes:
        id: Names the exchange; any string.
        method: What is asked for, in snake_case.
        params: Its parameters.
    """

    id: str
    method: str
    params: JSONObject


@dataclass(frozen=True, slots=True)
class Success:
    """The final response to a request that was carried out.

    Attributes:
        id: The request's.
        value: What the method gives.
        state: The tool state afterwards, or None where the response has none.
    """

    id: str
    value: JSON
    state: JSONObject | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """The final response to a request that was not carried out.

    Attributes:
        id: The request's, or None where it could not be read.
        type: The kind of error, such as a class name.
        detail: What went wrong.
        stack: Where it went wrong, for whoever wrote the tool.
    """

    id: str | None
    type: str
    detail: str
    stack: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that a tool reports while it runs.

    Attributes:
        id: The request's.
        type: The kind of event; `part` is a piece of the result.
        payload: What is reported.
    """

    id: str
    type: str
    payload: JSON = None


HostMessage: TypeAlias = Success | Failure | Event
"""What a host sends."""


def message_to_json(message: Request | HostMessage) -> JSONObject:
    """The JSON object that stands for a message on the wire."""
    match message:
        case Request(id, method, params):
            return {"v": VERSION, "id": id, "method": method, "params": params}
        case Success(id, value, None):
            return {"v": VERSION, "id": id, "ok": True, "result": {"value": value}}
        case Success(id, value, state):
            result: JSONObject = {"value": value, "state": state}
            return {"v": VERSION, "id": id, "ok": True, "result": result}
        case Failure(id, type_, detail, stack):
            error: JSONObject = {"type": type_, "detail": detail}
            if stack is not None:
                error["stack"] = stack
            return {"v": VERSION, "id": id, "ok": False, "error": error}
        case Event(id, type_, payload):
            event: JSONObject = {"type": type_, "payload": payload}
            return {"v": VERSION, "id": id, "event": event}
        case _:  # pragma: no cover
            assert_never(message)


def is_version(value: JSON) -> bool:
    """Whether `v` is the integer 1; as JSON numbers, 1.0 is and true is not."""
    return not isinstance(value, bool) and value == VERSION


def is_envelope(value: JSON) -> TypeGuard[JSONObject]:
    """Whether a value is an explicit envelope in a supported format (HV1-O5, HV1-C6).

    Any other object from `format_tool_result` is compatibility text.
    """
    if not isinstance(value, dict) or value.get("type") != ENVELOPE_TYPE:
        return False
    return value.get("format") in SUPPORTED_FORMATS and "content" in value


def read_request(value: JSON) -> Request | Flaw:
    """Read what a client sent."""
    if not isinstance(value, dict):
        return Flaw("a request must be an object", None, "InvalidRequest")
    request_id = value.get("id")
    if not isinstance(request_id, str):
        return Flaw("id must be a string", None, "InvalidRequest")
    if not is_version(value.get("v")):
        return Flaw(f"v must be {VERSION}", request_id, "UnsupportedVersion")
    method = value.get("method")
    if not isinstance(method, str):
        return Flaw("method must be a string", request_id, "InvalidRequest")
    params = value.get("params", {})
    if not isinstance(params, dict):
        return Flaw("params must be an object", request_id, "InvalidParams")
    return Request(request_id, method, params)


def read_host_message(value: JSON) -> HostMessage | Flaw:
    """Read what a host sent."""
    if not isinstance(value, dict):
        return Flaw("a message must be an object")
    request_id = value.get("id")
    if not is_version(value.get("v")):
        readable_id = request_id if isinstance(request_id, str) else None
        return Flaw(f"v must be {VERSION}", readable_id, "UnsupportedVersion")
    # HV1-T8: a line that could not be read may be answered without its id.
    if request_id is None and value.get("ok") is False:
        return _read_failure(None, value)
    if not isinstance(request_id, str):
        return Flaw("id must be a string")
    # Null counts as absent here and below, under each key that may be left out.
    if value.get("event") is not None:
        return _read_event(request_id, value)
    if value.get("ok") is True:
        return _read_success(request_id, value)
    if value.get("ok") is False:
        return _read_failure(request_id, value)
    return Flaw("neither ok nor event", request_id)


def _read_event(request_id: str, message: JSONObject) -> Event | Flaw:
    # HV1-E1
    if any(message.get(key) is not None for key in ("ok", "result", "error")):
        return Flaw("an event must not be a response too", request_id)
    event = message["event"]
    if not isinstance(event, dict):
        return Flaw("event must be an object", request_id)
    event_type = event.get("type")
    if not isinstance(event_type, str):
        return Flaw("event.type must be a string", request_id)
    # HV1-E4
    if event_type == "part" and "payload" not in event:
        return Flaw("a part must have a payload", request_id)
    return Event(request_id, event_type, event.get("payload"))


def _read_success(request_id: str, message: JSONObject) -> Success | Flaw:
    # HV1-M4
    result = message.get("result")
    if not isinstance(result, dict) or "value" not in result:
        return Flaw("result must have a value", request_id)
    if message.get("error") is not None:
        return Flaw("a success must have no error", request_id)
    state = result.get("state")
    # HV1-C10: a state that is no object counts as none.
    return Success(
        request_id, result["value"], state if isinstance(state, dict) else None
    )


def _read_failure(request_id: str | None, message: JSONObject) -> Failure | Flaw:
    # HV1-M5
    error = message.get("error")
    if not isinstance(error, dict):
        return Flaw("error must be an object", request_id)
    error_type, detail = error.get("type"), error.get("detail")
    if not isinstance(error_type, str) or not isinstance(detail, str):
        return Flaw("error must have type and detail", request_id)
    stack = error.get("stack")
    if stack is not None and not isinstance(stack, str):
        return Flaw("stack must be a string", request_id)
    if message.get("result") is not None:
        return Flaw("a failure must have no result", request_id)
    return Failure(request_id, error_type, detail, stack)
