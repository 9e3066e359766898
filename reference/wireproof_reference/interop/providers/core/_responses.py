"""The reference provider for the Responses API.

An assistant's turn is several items here and one message in core: items that are
neither message nor call (reasoning), then a message, then calls.  What is out of this
order begins another core message, so that the items come back in the order they had.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from wireproof_reference.interop.core import (
    CHAT,
    RESPONSES,
    RESPONSES_CUSTOM,
    RESPONSES_FUNCTION,
    ToolInteropTarget,
    copied,
    get_registry_from_context,
)
from wireproof_reference.interop.providers.core._flow import (
    CallsById,
    core_result,
    plain_text,
    recalled,
    remember,
)
from wireproof_reference.interop.providers.core._members import (
    object_in,
    objects_in,
    text_in,
)
from wireproof_reference.interop.providers.core._provider import FlowProvider
from wireproof_reference.interop.providers.core._responses_accumulator import (
    ResponsesAccumulator,
)

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON, JSONObject
    from wireproof_reference.interop.core import ToolInteropRegistry
    from wireproof_reference.interop.providers.core._attachments import ReadAttachment
    from wireproof_reference.interop.providers.core._flow import Context

_CALLS: Final = frozenset(("function_call", "custom_tool_call"))
_OUTPUTS: Final = frozenset(("function_call_output", "custom_tool_call_output"))

# Items of a turn that are neither message nor call, kept as they are.
_ITEMS_BEFORE: Final = "native_items"


class ResponsesProvider(FlowProvider):
    """Prepares requests, and reads what comes of them, for the Responses API.

    Args:
        custom_tools: Whether freeform tools are sent as such, or as functions.
        read_attachment: Gives the bytes that a reference stands for (INT-R8).
    """

    target = ToolInteropTarget(RESPONSES)
    path = "/responses"
    history_key = "input"

    def __init__(
        self,
        *,
        custom_tools: bool = True,
        read_attachment: ReadAttachment | None = None,
    ) -> None:
        custom = [RESPONSES_CUSTOM] if custom_tools else []
        super().__init__([RESPONSES_FUNCTION, *custom], read_attachment)

    def new_accumulator(self) -> ResponsesAccumulator:
        """What takes in the events of one response."""
        return ResponsesAccumulator()

    def from_native_messages(
        self, native_messages: list[JSON], *, context: Context = None
    ) -> list[JSON]:
        """Turn items of the provider into core messages (INT-Q8).

        Raises:
            InteropError: A call or a result cannot be read.
        """
        return _CoreMessages(get_registry_from_context(context)).of(native_messages)

    def attachment_part(self, media_type: str, url: str, name: str) -> JSONObject:
        """A part of a content, of an attachment's `data:` URL and id."""
        if media_type.startswith("image/"):
            return {"type": "input_image", "image_url": url, "detail": "auto"}
        return {"type": "input_file", "file_data": url, "filename": name}

    def sane(self, message: JSON, registry: ToolInteropRegistry) -> JSON:
        """An item that may be kept, where it is a call."""
        if isinstance(message, dict) and message.get("type") in _CALLS:
            return registry.sanitize_tool_call(message)
        return message

    def native_of(
        self, message: JSONObject, registry: ToolInteropRegistry
    ) -> list[JSON]:
        """The items of a core message that is no result."""
        if message.get("role") == "assistant":
            return _turn(message, registry)
        return [recalled(message, _plain_item(message), RESPONSES, copied)]


@dataclass(slots=True)
class _Turn:
    """An assistant's turn so far.

    Attributes:
        before: Items that are neither message nor call.
        message: The message item, or None.
        calls: The calls, chat-style.
    """

    before: list[JSON] = field(default_factory=list["JSON"])
    message: JSONObject | None = None
    calls: list[JSON] = field(default_factory=list["JSON"])

    def to_core(self) -> JSONObject:
        metadata: JSONObject = {}
        if self.before:
            metadata[_ITEMS_BEFORE] = copied(self.before)
        if self.calls:
            metadata["tool_calls"] = self.calls
        text = plain_text((self.message or {}).get("content"))
        core: JSONObject = {"role": "assistant", "content": text}
        if metadata:
            core["metadata"] = metadata
        if self.message is not None:
            remember(core, self.message, _plain_item(core), RESPONSES)
        return core


class _CoreMessages:
    """Gathers the items of a history into core messages."""

    def __init__(self, registry: ToolInteropRegistry) -> None:
        self._registry = registry
        self._calls = CallsById()
        self._messages: list[JSON] = []
        self._turn: _Turn | None = None  # the one that items still join

    def of(self, items: list[JSON]) -> list[JSON]:
        for item in items:
            if isinstance(item, dict) and _is_of_turn(item):
                self._join(item)
            else:
                self._end_turn()
                self._add(item)
        self._end_turn()
        return self._messages

    def _join(self, item: JSONObject) -> None:
        turn = self._turn
        is_call = item.get("type") in _CALLS
        if turn is None or (not is_call and (turn.message or turn.calls)):
            self._end_turn()
            turn = self._turn = _Turn()
        if is_call:
            converted = self._registry.convert_tool_calls([item], CHAT)
            self._calls.add([*converted])
            turn.calls += converted
        elif item.get("role") == "assistant":
            turn.message = item
        else:
            turn.before.append(item)

    def _end_turn(self) -> None:
        if self._turn is not None:
            self._messages.append(self._turn.to_core())
            self._turn = None

    def _add(self, item: JSON) -> None:
        if not isinstance(item, dict):
            self._messages.append(item)
        elif item.get("type") in _OUTPUTS:
            self._messages += self._result(item)
        else:
            core: JSONObject = {
                "role": item.get("role"),
                "content": copied(item.get("content")),
            }
            remember(core, item, _plain_item(core), RESPONSES)
            self._messages.append(core)

    def _result(self, item: JSONObject) -> list[JSON]:
        call_id = text_in(item, "call_id")
        messages = core_result(
            item.get("output"), call_id, self._calls, RESPONSES, self._registry
        )
        # The item itself says that the call was a custom one.
        if item.get("type") == "custom_tool_call_output":
            for message in messages:
                if isinstance(message, dict):
                    metadata = object_in(message, "metadata")
                    message["metadata"] = {**metadata, "payload_kind": "text"}
        return messages


def _is_of_turn(item: JSONObject) -> bool:
    if item.get("type") in _OUTPUTS:
        return False
    return item.get("role", "assistant") == "assistant"


def _plain_item(core: JSONObject) -> JSONObject:
    """What can be told of a message's item without a note."""
    return {"role": core.get("role"), "content": copied(core.get("content"))}


def _turn(core: JSONObject, registry: ToolInteropRegistry) -> list[JSON]:
    """The items of an assistant's core message."""
    metadata = object_in(core, "metadata")
    items: list[JSON] = [*copied(objects_in(metadata, _ITEMS_BEFORE))]
    plain = _plain_item(core)
    message = recalled(core, plain, RESPONSES, plain_text)
    calls = objects_in(metadata, "tool_calls")
    if core.get("content") or message != plain or not (calls or items):
        items.append(message)
    if calls:
        items += registry.convert_tool_calls([*calls], RESPONSES)
    return items
