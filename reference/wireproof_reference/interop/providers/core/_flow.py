"""What both providers do alike: inject tools, and sanitise what a stream has left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from wireproof_reference.interop.core import (
    CORE,
    ENVELOPE,
    copied,
    get_schema_target_formats_from_context,
)
from wireproof_reference.interop.providers.core._members import (
    object_in,
    objects_in,
    objects_of,
    text_in,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wireproof_reference.framing import JSON, JSONObject
    from wireproof_reference.interop.core import ToolInteropRegistry, ToolInteropTarget

Context: TypeAlias = "Mapping[str, object] | None"
"""What core hands a provider with each request, or nothing outside of one."""

_NATIVE: Final = "native"


def with_tools(
    payload: JSONObject,
    state: JSONObject,
    target: ToolInteropTarget,
    accepted: list[str],
    *,
    registry: ToolInteropRegistry,
    context: Context,
) -> JSONObject:
    """A payload with the tools of the state, unless it has its own (INT-Q4, INT-Q11).

    The schemas in the state stay the authored ones (INT-Q5).
    """
    tools = state.get("_tools")
    if not isinstance(tools, list) or not tools or "tools" in payload:
        return payload
    formats = get_schema_target_formats_from_context(context)
    converted = registry.convert_schemas(tools, target, formats or accepted)
    # INT-Q7
    return {"tool_choice": "auto", **payload, "tools": [*converted]}


def with_payload(state: JSONObject, payload: JSONObject) -> JSONObject:
    """A state whose request has another payload."""
    return {**state, "request": {**object_in(state, "request"), "payload": payload}}


def with_sane_partial(state: JSONObject, registry: ToolInteropRegistry) -> JSONObject:
    """A state whose accumulated calls may be kept (INT-Q2)."""
    partial = object_in(state, "partial")
    if not isinstance(partial.get("tool_calls"), list):
        return state
    return {**state, "partial": with_sane_calls(partial, registry)}


def with_sane_metadata(
    message: JSONObject, registry: ToolInteropRegistry
) -> JSONObject:
    """A core message whose calls may be kept."""
    metadata = object_in(message, "metadata")
    if not isinstance(metadata.get("tool_calls"), list):
        return message
    return {**message, "metadata": with_sane_calls(metadata, registry)}


def with_sane_calls(holder: JSONObject, registry: ToolInteropRegistry) -> JSONObject:
    """An object whose `tool_calls` may be kept."""
    calls = objects_in(holder, "tool_calls")
    return {**holder, "tool_calls": [*map(registry.sanitize_tool_call, calls)]}


def without_own_keys(message: JSON) -> JSON:
    """A native message as a provider knows it: `_metadata` is no key of its own."""
    if not isinstance(message, dict) or "_metadata" not in message:
        return message
    return {key: value for key, value in message.items() if key != "_metadata"}


class CallsById:
    """The calls of a history so far: a result says only the id of its call."""

    def __init__(self) -> None:
        self._calls: dict[str, JSONObject] = {}

    def add(self, calls: JSON) -> None:
        """Take in chat-style calls."""
        for call in objects_of(calls):
            self._calls[text_in(call, "id") or text_in(call, "call_id")] = call

    def of(self, call_id: str) -> list[JSON]:
        """The call with an id, if there was one."""
        call = self._calls.get(call_id)
        return [] if call is None else [call]

    def tool_name(self, call_id: str) -> str:
        """The tool that was called, or nothing where that is not known."""
        call = self._calls.get(call_id, {})
        holders = (call, object_in(call, "function"), object_in(call, "custom"))
        return next(filter(None, (text_in(part, "name") for part in holders)), "")


def core_result(
    content: JSON,
    call_id: str,
    calls: CallsById,
    format_: str,
    registry: ToolInteropRegistry,
) -> list[JSON]:
    """The core tool message of a native result, so that it can be rebuilt."""
    envelope: JSONObject = {"type": ENVELOPE, "format": format_, "content": content}
    item: JSONObject = {
        "result": envelope if isinstance(content, list) else content,
        "tool_call_id": call_id,
        "tool_name": calls.tool_name(call_id),
    }
    return registry.convert_results([item], CORE, calls.of(call_id))


def plain_text(content: JSON) -> str:
    """The text of a message: itself, or its text parts."""
    if isinstance(content, str):
        return content
    return "".join(text_in(part, "text") for part in objects_of(content))


def remember(
    core: JSONObject, native: JSONObject, rebuilt: JSONObject, format_: str
) -> None:
    """Note in a core message what rebuilding its native one would miss (INT-Q10)."""
    missed: JSONObject = {
        key: copied(value)
        for key, value in native.items()
        if key not in rebuilt or rebuilt[key] != value
    }
    if missed:
        note: JSONObject = {"format": format_, "members": missed}
        core["metadata"] = {**object_in(core, "metadata"), _NATIVE: note}


def recalled(
    core: JSONObject,
    rebuilt: JSONObject,
    format_: str,
    content_of: Callable[[JSON], JSON],
) -> JSONObject:
    """A rebuilt message with what was noted of the native one.

    Args:
        core: The core message; where its content was changed since, that counts.
        rebuilt: What can be told of the native one without the note.
        format_: The provider's; the notes of others are of no use.
        content_of: What a native content is in core.
    """
    note = object_in(object_in(core, "metadata"), _NATIVE)
    if note.get("format") != format_:
        return rebuilt
    members = dict(object_in(note, "members"))
    if "content" in members and content_of(members["content"]) != core.get("content"):
        del members["content"]
    return {**rebuilt, **copied(members)}
