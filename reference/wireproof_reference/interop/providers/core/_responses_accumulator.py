"""Puts together a response of the Responses API that comes in events.

Theory of operation: an item is announced by `response.output_item.added`, comes in
deltas, and is replaced as a whole by `response.output_item.done`.  An event belongs to
the item under its `output_index`; ids tell two items apart that share one.  Ids
alone will not do: some providers give each event an `item_id` of its own.  An item
that the end of the response holds, and no event announced, is taken from there.

An item that was never done is kept if it is a call or a message, with the status
`incomplete`.  One of another kind (reasoning, say) is of no use in pieces.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from wireproof_reference.interop.providers.core._members import (
    index_in,
    joined,
    object_in,
    objects_in,
    text_in,
)
from wireproof_reference.interop.providers.core._stream import Delta, Failed, Finished

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON, JSONObject

_PAYLOAD_KEYS: Final = {"function_call": "arguments", "custom_tool_call": "input"}

# The type of the item that each event is about.
_CALL_DELTAS: Final = {
    "response.function_call_arguments.delta": "function_call",
    "response.custom_tool_call_input.delta": "custom_tool_call",
}
_CALL_DONES: Final = {
    "response.function_call_arguments.done": "function_call",
    "response.custom_tool_call_input.done": "custom_tool_call",
}
_TEXT_DELTAS: Final = {
    "response.output_text.delta": "output_text",
    "response.refusal.delta": "refusal",
}
_ITEMS: Final = frozenset(("response.output_item.added", "response.output_item.done"))
_ENDS: Final = frozenset(("response.completed", "response.incomplete"))


@dataclass(slots=True)
class _Item:
    """An item so far.

    Attributes:
        index: Where it stands in the output.
        value: As it was announced, or is when done; empty before that.
        done: Whether `value` is the whole of it.
        kind: What its deltas say that it is.
        pieces: The payload of a call.
        parts: The pieces of a message's parts, by `content_index` and type.
    """

    index: int | None
    value: JSONObject = field(default_factory=dict[str, "JSON"])
    done: bool = False
    kind: str = ""
    pieces: list[str] = field(default_factory=list[str])
    parts: dict[tuple[int, str], list[str]] = field(
        default_factory=dict[tuple[int, str], list[str]]
    )

    def is_same(self, item: JSONObject) -> bool:
        """Whether an item under the same index is this one."""
        if not self.value:
            return True
        for key in ("call_id", "id"):
            mine, other = text_in(self.value, key), text_in(item, key)
            if mine and mine == other:
                return True
            if key == "call_id" and (mine or other):
                return False
        return not self.done and self.value.get("type") == item.get("type")

    def to_json(self) -> JSONObject | None:
        """The item as far as it came; None where that is of no use."""
        kind = text_in(self.value, "type") or self.kind
        if kind in _PAYLOAD_KEYS:
            return self._call(kind, _PAYLOAD_KEYS[kind])
        if self.done:
            return self.value
        if kind == "message" and any(map(any, self.parts.values())):
            content = [_part(kind, pieces) for (_, kind), pieces in self._ordered()]
            return self._incomplete({"role": "assistant", "content": [*content]}, kind)
        return None

    def _call(self, kind: str, key: str) -> JSONObject | None:
        if self.done:
            is_whole = text_in(self.value, key) or not self.pieces
            return self.value if is_whole else {**self.value, key: joined(self.pieces)}
        # Without a name it can be neither run nor sent back.
        if not text_in(self.value, "name"):
            return None
        if not self.pieces:
            return self._incomplete({key: self.value.get(key, "")}, kind)
        return self._incomplete({key: joined(self.pieces)}, kind)

    def _incomplete(self, members: JSONObject, kind: str) -> JSONObject:
        value: JSONObject = {"type": kind, **self.value, **members}
        if "status" in value:
            value["status"] = "incomplete"
        return value

    def _ordered(self) -> list[tuple[tuple[int, str], list[str]]]:
        return sorted(self.parts.items())


class ResponsesAccumulator:
    """Takes in the events of one response."""

    def __init__(self) -> None:
        self._items: list[_Item] = []
        self._by_index: dict[int, list[_Item]] = {}
        self._by_id: dict[str, _Item] = {}
        self._finished = False

    @property
    def finished(self) -> bool:
        """Whether the response was said to be completed, or incomplete."""
        return self._finished

    def receive(self, value: JSONObject) -> Delta | Finished | Failed:
        """Take in an event."""
        kind = text_in(value, "type")
        if kind in _CALL_DELTAS:
            item = self._item_of(value, _CALL_DELTAS[kind])
            if piece := text_in(value, "delta"):
                item.pieces.append(piece)
        elif kind in _CALL_DONES:
            item_kind = _CALL_DONES[kind]
            item = self._item_of(value, item_kind)
            if whole := text_in(value, _PAYLOAD_KEYS[item_kind]):
                item.pieces = [whole]
        elif kind in _TEXT_DELTAS:
            item = self._item_of(value, "message")
            place = index_in(value, "content_index") or 0, _TEXT_DELTAS[kind]
            item.parts.setdefault(place, []).append(text_in(value, "delta"))
        elif kind in _ITEMS:
            done = kind == "response.output_item.done"
            self._take(index_in(value, "output_index"), value, done=done)
        elif kind in _ENDS:
            self._take_output(object_in(value, "response"))
            self._finished = True
            return Finished()
        elif kind == "response.failed":
            return Failed(object_in(object_in(value, "response"), "error"))
        elif kind == "error" or value.get("error"):
            return Failed(object_in(value, "error") or value)
        return Delta(value)

    def tool_calls(self) -> list[JSONObject]:
        """The calls so far, in the order of the output."""
        return [
            item for item in self.native_messages() if item.get("type") in _PAYLOAD_KEYS
        ]

    def native_messages(self) -> list[JSONObject]:
        """The items so far, in the order of the output."""
        # Items without an index stay in the order in which they came.
        last = max(self._by_index, default=0) + 1
        ordered = sorted(
            self._items, key=lambda item: last if item.index is None else item.index
        )
        values = (item.to_json() for item in ordered)
        return [value for value in values if value is not None]

    def partial(self) -> JSONObject:
        """What belongs into `state["partial"]`."""
        texts = [
            text_in(part, "text")
            for item in self.native_messages()
            if item.get("type") == "message"
            for part in objects_in(item, "content")
        ]
        return {"content": "".join(texts), "tool_calls": [*self.tool_calls()]}

    def _item_of(self, event: JSONObject, kind: str) -> _Item:
        """The item that a delta belongs to, or a new one."""
        index = index_in(event, "output_index")
        item_id = text_in(event, "item_id")
        known = self._by_id.get(item_id)
        if known is not None and (index is None or index == known.index):
            return known
        if index is not None and self._by_index.get(index):
            return self._by_index[index][-1]
        item = known or self._begin(index)
        item.kind = kind
        if item_id:
            self._by_id[item_id] = item
        return item

    def _take(self, index: int | None, event: JSONObject, *, done: bool) -> None:
        """Take in an item that is announced or done."""
        value = object_in(event, "item")
        if not value:
            return
        item = self._announced(index, value) or self._begin(index)
        if done or not item.done:
            item.value = value
            item.done = item.done or done
        for key in ("call_id", "id"):
            if name := text_in(value, key):
                self._by_id[name] = item

    def _announced(self, index: int | None, value: JSONObject) -> _Item | None:
        if index is not None:
            items = reversed(self._by_index.get(index, ()))
            return next((item for item in items if item.is_same(value)), None)
        keys = (text_in(value, "id"), text_in(value, "call_id"))
        return next((self._by_id[key] for key in keys if key in self._by_id), None)

    def _take_output(self, response: JSONObject) -> None:
        """Take in what the end of the response holds, and its events did not."""
        for index, value in enumerate(objects_in(response, "output")):
            known = self._by_index.get(index)
            if known and known[-1].done:
                continue
            ids = (text_in(value, "call_id"), text_in(value, "id"))
            if not known and any(self._by_id.get(key) for key in ids):
                continue
            self._take(index, {"item": value}, done=True)

    def _begin(self, index: int | None) -> _Item:
        item = _Item(index)
        self._items.append(item)
        if index is not None:
            self._by_index.setdefault(index, []).append(item)
        return item


def _part(kind: str, pieces: list[str]) -> JSONObject:
    if kind == "refusal":
        return {"type": kind, "refusal": joined(pieces)}
    return {"type": kind, "text": joined(pieces), "annotations": []}
