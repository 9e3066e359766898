"""The built-in call formats, and the adapters between them (INT-C).

Arguments are read only to be inspected: a call that is converted keeps their text.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from wireproof_reference.framing import EncodeError
from wireproof_reference.interop.core._arguments import dump_object, load_object
from wireproof_reference.interop.core._copying import copied
from wireproof_reference.interop.core._errors import MalformedCallError, shown
from wireproof_reference.interop.core._model import (
    CallInspection,
    ToolCallAccessor,
    ToolCallAdapter,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireproof_reference.framing import JSON, JSONObject

CHAT: Final = "openai.chat_completions"
RESPONSES: Final = "openai.responses"


class _Call(NamedTuple):
    """What both formats say of a call.

    `payload` is the arguments of a function as they are written, or the raw input.
    """

    call_id: str
    name: str
    custom: bool
    payload: str | JSONObject


def _is_chat(call: JSON) -> bool:
    if not isinstance(call, dict):
        return False
    if "type" in call:
        return call["type"] in ("function", "custom")
    return isinstance(call.get("function"), dict)  # as for INT-Z12


def _is_responses(call: JSON) -> bool:
    return isinstance(call, dict) and call.get("type") in (
        "function_call",
        "custom_tool_call",
    )


def _read_chat(call: JSON) -> _Call:
    members = call if isinstance(call, dict) else {}
    kind = "custom" if members.get("type") == "custom" else "function"
    body = members.get(kind)
    if not isinstance(body, dict):
        detail = f"{kind} must be an object, not {shown(body)}"
        raise MalformedCallError(detail, format=CHAT)
    return _read(CHAT, members.get("id"), body, custom=kind == "custom")


def _read_responses(call: JSON) -> _Call:
    members = call if isinstance(call, dict) else {}
    custom = members.get("type") == "custom_tool_call"
    return _read(RESPONSES, members.get("call_id"), members, custom=custom)


def _read(format_: str, call_id: JSON, body: JSONObject, *, custom: bool) -> _Call:
    name = body.get("name")
    if not isinstance(name, str):
        detail = f"the name in a call must be a text, not {shown(name)}"
        raise MalformedCallError(detail, format=format_)
    if not isinstance(call_id, str):
        detail = f"the id of a call must be a text, not {shown(call_id)}"
        raise MalformedCallError(detail, format=format_, tool=name)
    payload = body.get("input" if custom else "arguments")
    if isinstance(payload, str) or (isinstance(payload, dict) and not custom):
        return _Call(call_id, name, custom, payload)
    what = "input of a call must be a text" if custom else "arguments must be JSON text"
    detail = f"the {what}, not {shown(payload)}"
    raise MalformedCallError(detail, format=format_, tool=name)


def _arguments_text(format_: str, call: _Call) -> str:
    if isinstance(call.payload, str):
        return call.payload  # INT-C4
    try:
        return dump_object(call.payload)  # INT-C10
    except EncodeError as error:
        detail = f"the arguments have no JSON text: {error.detail}"
        raise MalformedCallError(detail, format=format_, tool=call.name) from error


def _arguments_object(format_: str, call: _Call) -> JSONObject:
    if not isinstance(call.payload, str):
        return copied(call.payload)  # INT-C10
    try:
        return load_object(call.payload)
    except ValueError as error:
        detail = f"the arguments are not a JSON object: {error}"
        raise MalformedCallError(detail, format=format_, tool=call.name) from error


def _inspect(
    format_: str, read: Callable[[JSON], _Call], keys: frozenset[str], item: JSON
) -> CallInspection:
    call = read(item)
    extras = item if isinstance(item, dict) else {}
    return CallInspection(
        call_id=call.call_id,
        tool_name=call.name,
        payload=call.payload if call.custom else _arguments_object(format_, call),
        payload_kind="text" if call.custom else "object",
        payload_format=format_,
        payload_metadata={
            key: copied(value) for key, value in extras.items() if key not in keys
        },
    )


def _chat_to_responses(item: JSON) -> JSONObject:
    call = _read_chat(item)
    if call.custom:
        return {
            "type": "custom_tool_call",
            "call_id": call.call_id,
            "name": call.name,
            "input": call.payload,  # INT-C5
        }
    return {
        "type": "function_call",
        "call_id": call.call_id,
        "name": call.name,
        "arguments": _arguments_text(CHAT, call),
    }


def _responses_to_chat(item: JSON) -> JSONObject:
    call = _read_responses(item)
    if call.custom:
        return {
            "id": call.call_id,
            "type": "custom",
            "custom": {"name": call.name, "input": call.payload},  # INT-C5
        }
    arguments = _arguments_text(RESPONSES, call)
    return {
        "id": call.call_id,
        "type": "function",
        "function": {"name": call.name, "arguments": arguments},
    }


_CHAT_KEYS: Final = frozenset(("id", "type", "function", "custom"))
_RESPONSES_KEYS: Final = frozenset(("type", "call_id", "name", "arguments", "input"))

CALL_ACCESSORS: Final = (
    ToolCallAccessor(CHAT, _is_chat, partial(_inspect, CHAT, _read_chat, _CHAT_KEYS)),
    ToolCallAccessor(
        RESPONSES,
        _is_responses,
        partial(_inspect, RESPONSES, _read_responses, _RESPONSES_KEYS),
    ),
)
"""What knows the formats of the table in the protocol's text."""

CALL_ADAPTERS: Final = (
    ToolCallAdapter(CHAT, RESPONSES, _chat_to_responses),
    ToolCallAdapter(RESPONSES, CHAT, _responses_to_chat),
)
"""What turns them into each other."""
