"""Repairs what a stream left of a call, before it is kept in history (INT-Z)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from wireproof_reference.interop.core._arguments import repaired
from wireproof_reference.interop.core._errors import MalformedCallError, shown

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON, JSONObject

_ABSENT = object()


def sanitize_tool_call(call: JSON) -> JSONObject:
    """A copy of a call whose arguments, if it is a function call, are a JSON object.

    Valid arguments are kept byte for byte, others become `{}`.  Raw input of custom
    calls, and whatever is no call, is left alone.  Never raises for a dict, whatever
    it holds (INT-Z5).

    Raises:
        MalformedCallError: It is not a dict.
    """
    if not isinstance(call, dict):
        raise MalformedCallError(f"a call must be an object, not {shown(call)}")
    kind = cast("object", call.get("type", _ABSENT))
    function = call.get("function")
    if _is(kind, "function") or (kind is _ABSENT and isinstance(function, dict)):
        return {**call, "function": _repaired(function)}
    if _is(kind, "function_call"):
        return {**call, "arguments": repaired(call.get("arguments"))}
    return {**call}


def _is(kind: object, name: str) -> bool:
    # Only texts are compared: some objects raise, or answer with no truth value.
    return isinstance(kind, str) and kind == name


def _repaired(function: JSON) -> JSONObject:
    members = function if isinstance(function, dict) else {}
    return {**members, "arguments": repaired(members.get("arguments"))}
