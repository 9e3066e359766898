"""The reference provider for chat completions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof_reference.interop.core import (
    CHAT,
    CHAT_CUSTOM,
    CHAT_FUNCTION,
    ToolInteropTarget,
    copied,
    get_registry_from_context,
)
from wireproof_reference.interop.providers.core._chat_accumulator import ChatAccumulator
from wireproof_reference.interop.providers.core._flow import (
    CallsById,
    core_result,
    plain_text,
    recalled,
    remember,
    with_sane_calls,
)
from wireproof_reference.interop.providers.core._members import (
    object_in,
    objects_in,
    text_in,
)
from wireproof_reference.interop.providers.core._provider import FlowProvider

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON, JSONObject
    from wireproof_reference.interop.core import ToolInteropRegistry
    from wireproof_reference.interop.providers.core._attachments import ReadAttachment
    from wireproof_reference.interop.providers.core._flow import Context


class ChatProvider(FlowProvider):
    """Prepares requests, and reads what comes of them, for chat completions.

    Args:
        custom_tools: Whether freeform tools are sent as such, or as functions.
        read_attachment: Gives the bytes that a reference stands for (INT-R8).
    """

    target = ToolInteropTarget(CHAT)
    path = "/chat/completions"
    history_key = "messages"

    def __init__(
        self,
        *,
        custom_tools: bool = False,
        read_attachment: ReadAttachment | None = None,
    ) -> None:
        # Freeform first: the first format that a tool can be converted to is taken.
        custom = [CHAT_CUSTOM] if custom_tools else []
        super().__init__([*custom, CHAT_FUNCTION], read_attachment)

    def new_accumulator(self) -> ChatAccumulator:
        """What takes in the chunks of one response."""
        return ChatAccumulator()

    def from_native_messages(
        self, native_messages: list[JSON], *, context: Context = None
    ) -> list[JSON]:
        """Turn messages of the provider into core ones (INT-Q8).

        Raises:
            InteropError: A call or a result cannot be read.
        """
        registry = get_registry_from_context(context)
        calls = CallsById()
        messages: list[JSON] = []
        for message in native_messages:
            if not isinstance(message, dict):
                messages.append(message)
            elif message.get("role") == "tool":
                messages += _core_result(message, calls, registry)
            else:
                core = _core_message(message, registry)
                calls.add(object_in(core, "metadata").get("tool_calls"))
                messages.append(core)
        return messages

    def attachment_part(self, media_type: str, url: str, name: str) -> JSONObject:
        """A part of a content, of an attachment's `data:` URL and id."""
        if media_type.startswith("image/"):
            return {"type": "image_url", "image_url": {"url": url}}
        return {"type": "file", "file": {"file_data": url, "filename": name}}

    def sane(self, message: JSON, registry: ToolInteropRegistry) -> JSON:
        """A native message whose calls may be kept."""
        if isinstance(message, dict) and isinstance(message.get("tool_calls"), list):
            return with_sane_calls(message, registry)
        return message

    def native_of(
        self, message: JSONObject, registry: ToolInteropRegistry
    ) -> list[JSON]:
        """The message of a core message that is no result."""
        return [_native_message(message, registry)]


def _core_message(message: JSONObject, registry: ToolInteropRegistry) -> JSONObject:
    core: JSONObject = {
        "role": message.get("role"),
        "content": _core_content(message),
    }
    if calls := objects_in(message, "tool_calls"):
        converted = registry.convert_tool_calls([*calls], CHAT)
        core["metadata"] = {"tool_calls": [*converted]}
    without_calls = {k: v for k, v in message.items() if k != "tool_calls"}
    remember(core, without_calls, _plain_message(core), CHAT)
    return core


def _core_content(message: JSONObject) -> JSON:
    content = message.get("content")
    # Only what the model wrote is a text in every case; parts of others are kept.
    if message.get("role") == "assistant":
        return plain_text(content)
    return copied(content)


def _core_result(
    message: JSONObject, calls: CallsById, registry: ToolInteropRegistry
) -> list[JSON]:
    call_id = text_in(message, "tool_call_id")
    return core_result(message.get("content"), call_id, calls, CHAT, registry)


def _plain_message(core: JSONObject) -> JSONObject:
    """What can be told of a native message, its calls aside, without a note."""
    content = copied(core.get("content"))
    # As the provider has it.
    if content == "" and object_in(core, "metadata").get("tool_calls"):
        content = None
    return {"role": core.get("role"), "content": content}


def _native_message(core: JSONObject, registry: ToolInteropRegistry) -> JSONObject:
    content_of = plain_text if core.get("role") == "assistant" else copied
    native = recalled(core, _plain_message(core), CHAT, content_of)
    calls = object_in(core, "metadata").get("tool_calls")
    if isinstance(calls, list) and calls:
        native["tool_calls"] = [*registry.convert_tool_calls(calls, CHAT)]
    return native
