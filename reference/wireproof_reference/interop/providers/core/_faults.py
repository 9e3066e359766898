"""Streams as providers have sent them on bad days, made of good ones.

Each function takes the events of a stream, JSON objects as they stand in `data:`, and
gives new ones; `stream_bytes` writes them, and two more alter what is written.
The streams of both providers are known by their events.
"""

from __future__ import annotations

from collections import deque
from copy import deepcopy
from typing import TYPE_CHECKING, Final, Literal

from wireproof_reference.framing import dumps
from wireproof_reference.interop.providers.core._event_stream import (
    ServerSentEvent,
    encode_event,
)
from wireproof_reference.interop.providers.core._members import (
    index_in,
    object_in,
    objects_in,
    text_in,
)
from wireproof_reference.interop.providers.core._stream import DONE_DATA

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from wireproof_reference.framing import JSONObject

KEEP_ALIVE: Final = b": keep-alive\n\n"
"""A comment, which a proxy sends so that the connection is not closed."""


def stream_bytes(
    events: Sequence[JSONObject], ends: Literal["done", "cut"] = "done"
) -> bytes:
    """A stream as the provider sends it.

    Args:
        events: Chunks of a chat completion, or events of the Responses API.
        ends: Whether a chat stream has its `[DONE]`; the other kind has none.
    """
    pieces = [
        encode_event(ServerSentEvent(dumps(event), text_in(event, "type")))
        for event in events
    ]
    if ends == "done" and not any("type" in event for event in events):
        pieces.append(encode_event(ServerSentEvent(DONE_DATA)))
    return b"".join(pieces)


def with_keep_alives(stream: bytes) -> bytes:
    """A comment before each event and after the last."""
    return KEEP_ALIVE + stream.replace(b"\n\n", b"\n\n" + KEEP_ALIVE)


def with_line_ends(stream: bytes, end: bytes) -> bytes:
    """Other line ends: CR LF, or CR alone."""
    return stream.replace(b"\n", end)


def interleaved(events: Sequence[JSONObject], random: Random) -> list[JSONObject]:
    """Deltas of several calls mixed; those of one call keep their order."""
    mixed: list[JSONObject] = []
    waiting: dict[int, deque[JSONObject]] = {}
    for event in events:
        index = _call_index(event)
        if index is None:
            mixed += _drawn(waiting, random)
            mixed.append(event)
        else:
            waiting.setdefault(index, deque()).append(event)
    return _renumbered([*mixed, *_drawn(waiting, random)])


def with_one_call_id(events: Sequence[JSONObject], call_id: str) -> list[JSONObject]:
    """Every call has the same id."""
    changed = deepcopy([*events])
    for event in changed:
        for call in _chat_calls(event):
            if "id" in call:
                call["id"] = call_id
        response_items = objects_in(object_in(event, "response"), "output")
        for item in (object_in(event, "item"), *response_items):
            if "call_id" in item:
                item["call_id"] = call_id
    return changed


def with_repeated_ids(events: Sequence[JSONObject]) -> list[JSONObject]:
    """Each delta of a chat stream says the id and name of its call again."""
    changed = deepcopy([*events])
    heads: dict[int | None, tuple[str, str]] = {}
    for event in changed:
        for call in _chat_calls(event):
            function = object_in(call, "function")
            index = index_in(call, "index")
            head = text_in(call, "id"), text_in(function, "name")
            call["id"], function["name"] = heads.setdefault(index, head)
    return changed


def with_empty_deltas(events: Sequence[JSONObject]) -> list[JSONObject]:
    """After each delta of a call, one that adds nothing."""
    longer: list[JSONObject] = []
    for event in events:
        longer.append(event)
        if _call_index(event) is not None and "delta" in event:
            longer.append({**event, "delta": ""})
        for call in _chat_calls(event):
            empty: JSONObject = {"function": {"arguments": ""}}
            # A provider that gives no index gives none here either.
            empty |= {key: call[key] for key in ("index",) if key in call}
            longer.append(_with_delta(event, {}))
            longer.append(_with_delta(event, {"tool_calls": [empty]}))
    return _renumbered(longer)


def failing_after(
    events: Sequence[JSONObject], count: int, message: str
) -> list[JSONObject]:
    """The first events, then the provider's error."""
    error: JSONObject = {"error": {"message": message, "type": "server_error"}}
    if any("type" in event for event in events):
        error = {
            "type": "error",
            "code": "server_error",
            "message": message,
            "param": None,
            "sequence_number": count,
        }
    return [*events[:count], error]


def _with_delta(chunk: JSONObject, delta: JSONObject) -> JSONObject:
    choice: JSONObject = {"index": 0, "delta": delta, "finish_reason": None}
    return {**chunk, "choices": [choice]}


def _chat_calls(event: JSONObject) -> list[JSONObject]:
    return [
        call
        for choice in objects_in(event, "choices")
        for call in objects_in(object_in(choice, "delta"), "tool_calls")
    ]


def _call_index(event: JSONObject) -> int | None:
    """The one call that an event is about."""
    if "output_index" in event:
        return index_in(event, "output_index")
    indexes = {index_in(call, "index") for call in _chat_calls(event)}
    return indexes.pop() if len(indexes) == 1 else None


def _drawn(waiting: dict[int, deque[JSONObject]], random: Random) -> list[JSONObject]:
    """Empty the queues in some order."""
    drawn: list[JSONObject] = []
    while waiting:
        index = random.choice(sorted(waiting))
        drawn.append(waiting[index].popleft())
        if not waiting[index]:
            del waiting[index]
    return drawn


def _renumbered(events: list[JSONObject]) -> list[JSONObject]:
    """The numbers that the Responses API gives the events of a stream."""
    return [
        {**event, "sequence_number": number} if "sequence_number" in event else event
        for number, event in enumerate(events)
    ]
