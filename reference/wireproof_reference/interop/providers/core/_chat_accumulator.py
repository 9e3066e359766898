"""Puts together a chat completion that comes in chunks.

Theory of operation: a delta belongs to the call under its `index`; the `id` tells two
calls apart that share one.  Providers differ in what they leave out and repeat:

- The id comes with the first delta of a call, with a later one, or with each.
- Some give each call the index 0: a new id with a name begins a new call.
- Some give each delta of a call an id of its own, without a name: the index counts.
- Some give no index: the id counts, and without either the call that came last.
- A name may come in pieces; one that is all there already is a repetition.

Two calls under two indexes are two calls, even where their ids are the same.
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
from wireproof_reference.interop.providers.core._stream import Delta, Failed

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON, JSONObject

# Texts of a message that comes in pieces; what else a delta holds is not replayed.
_TEXTS: Final = ("content", "refusal")

_OWN_KEYS: Final = frozenset(("index", "id", "type", "function", "custom"))

# What holds the payload of a call: {"function": {"arguments"}}, {"custom": {"input"}}.
_PAYLOAD_KEYS: Final = {"function": "arguments", "custom": "input"}


@dataclass(slots=True)
class _Call:
    """A call so far.

    Attributes:
        index: Where it stands among the calls.
        id: Its id, or nothing yet.
        kind: Its type, or nothing yet.
        name: The tool's name, or what has come of it.
        pieces: Its payload.
        value: A payload that is not a text, in place of the pieces.
        extras: What else its deltas hold; some providers want it back.
    """

    index: int | None
    id: str = ""
    kind: str = ""
    name: str = ""
    pieces: list[str] = field(default_factory=list[str])
    value: JSON = None
    extras: JSONObject = field(default_factory=dict[str, "JSON"])

    def receive(self, delta: JSONObject) -> None:
        self.id = self.id or text_in(delta, "id")
        kind = "custom" if "custom" in delta else ""
        self.kind = text_in(delta, "type") or self.kind or kind
        for key in delta.keys() - _OWN_KEYS:
            self.extras[key] = delta[key]
        for holder, key in _PAYLOAD_KEYS.items():
            part = object_in(delta, holder)
            name = text_in(part, "name")
            if name != self.name:
                self.name += name
            payload = part.get(key)
            if isinstance(payload, str):
                self.pieces.append(payload)
            elif payload is not None:
                self.value = payload

    def to_json(self) -> JSONObject:
        kind = self.kind or "function"
        holder = "custom" if kind == "custom" else "function"
        payload = joined(self.pieces) if self.value is None else self.value
        part: JSONObject = {"name": self.name, _PAYLOAD_KEYS[holder]: payload}
        identity: JSONObject = {"id": self.id} if self.id else {}
        return {**identity, "type": kind, holder: part, **self.extras}


class ChatAccumulator:
    """Takes in the chunks of one chat completion; of its choices, the first."""

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._by_index: dict[int, list[_Call]] = {}
        self._by_id: dict[str, _Call] = {}
        self._by_both: dict[tuple[int, str], _Call] = {}
        self._texts: dict[str, list[str]] = {key: [] for key in _TEXTS}
        self._finished = False

    @property
    def finished(self) -> bool:
        """Whether a `finish_reason` has come: not every provider sends `[DONE]`."""
        return self._finished

    def receive(self, value: JSONObject) -> Delta | Failed:
        """Take in a chunk."""
        error = value.get("error")
        if error:
            return Failed(error if isinstance(error, dict) else {"message": error})
        for choice in objects_in(value, "choices"):
            if index_in(choice, "index") in (None, 0):
                self._receive_choice(choice)
        return Delta(value)

    def tool_calls(self) -> list[JSONObject]:
        """The calls so far, by index.

        One without a name is left out: it can be neither run nor sent back.
        """
        told = [call for call in self._calls if call.name]
        # Calls without an index stay in the order in which they came.
        last = max(self._by_index, default=0) + 1
        told.sort(key=lambda call: last if call.index is None else call.index)
        return [call.to_json() for call in told]

    def native_messages(self) -> list[JSONObject]:
        """The assistant's message so far, or none where nothing came."""
        texts = {key: joined(pieces) for key, pieces in self._texts.items() if pieces}
        calls = self.tool_calls()
        if not calls and not any(texts.values()):
            return []
        message: JSONObject = {"role": "assistant", "content": None, **texts}
        if calls:
            message["tool_calls"] = [*calls]
        return [message]

    def partial(self) -> JSONObject:
        """What belongs into `state["partial"]`."""
        content = joined(self._texts["content"])
        return {"content": content, "tool_calls": [*self.tool_calls()]}

    def _receive_choice(self, choice: JSONObject) -> None:
        if text_in(choice, "finish_reason"):
            self._finished = True
        delta = object_in(choice, "delta")
        for key, pieces in self._texts.items():
            if piece := text_in(delta, key):
                pieces.append(piece)
        for part in objects_in(delta, "tool_calls"):
            call = self._call_of(part)
            call.receive(part)
            if call.id:
                self._by_id[call.id] = call
                if call.index is not None:
                    self._by_both[call.index, call.id] = call

    def _call_of(self, delta: JSONObject) -> _Call:
        """The call that a delta belongs to, or a new one."""
        index = index_in(delta, "index")
        call_id = text_in(delta, "id")
        is_named = any(text_in(object_in(delta, key), "name") for key in _PAYLOAD_KEYS)
        if index is None:
            return self._unindexed(call_id, is_named=is_named) or self._begin(None)
        calls = self._by_index.setdefault(index, [])
        if (index, call_id) in self._by_both:
            return self._by_both[index, call_id]
        if calls and not (call_id and calls[-1].id and is_named):
            return calls[-1]
        known = self._by_id.get(call_id)
        if known is not None and known.index is None:
            known.index = index
            calls.append(known)
            return known
        call = self._begin(index)
        calls.append(call)
        return call

    def _unindexed(self, call_id: str, *, is_named: bool) -> _Call | None:
        if call_id:
            return self._by_id.get(call_id)
        if not self._calls or (is_named and self._calls[-1].name):
            return None
        return self._calls[-1]

    def _begin(self, index: int | None) -> _Call:
        call = _Call(index)
        self._calls.append(call)
        return call
