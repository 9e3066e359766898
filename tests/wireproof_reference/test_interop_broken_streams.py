"""The vectors of kind `stream` catch what providers get wrong (INT-Q2, INT-Q3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pytest
from tests.wireproof_reference.interop_streams import take_in

from wireproof.patterns import match
from wireproof_reference.interop import CHAT, DEFAULT_TOOL_INTEROP_REGISTRY, RESPONSES
from wireproof_reference.interop.providers import (
    ChatProvider,
    ResponsesProvider,
    stream_bytes,
)
from wireproof_vectors import Vector, load_vectors

PROVIDERS: dict[str, ChatProvider | ResponsesProvider] = {
    CHAT: ChatProvider(),
    RESPONSES: ResponsesProvider(),
}
STREAMS = [
    v for v in load_vectors("interop") if "events" in v.data and "expected" in v.data
]


def accumulated(vector: Vector, events: list[Any]) -> list[Any]:
    ends: Literal["done", "cut"] = "cut" if vector.data["ends"] == "cut" else "done"
    provider = PROVIDERS[str(vector.data["provider"])]
    accumulator = provider.new_accumulator()
    stream, _ = take_in(accumulator, stream_bytes(events, ends))
    return [*stream.accumulator.tool_calls()]


def sanitised(calls: list[Any]) -> list[Any]:
    return [DEFAULT_TOOL_INTEROP_REGISTRY.sanitize_tool_call(call) for call in calls]


def events_of(vector: Vector) -> list[Any]:
    events: Any = vector.data["events"]
    return [*events]


def changed(value: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """Change each object in an event, the innermost first."""
    if isinstance(value, list):
        return [changed(one, change) for one in value]
    if not isinstance(value, dict):
        return value
    return change({key: changed(one, change) for key, one in value.items()})


def as_one_call(vector: Vector) -> list[Any]:
    """Take what comes for every call as one call's."""

    def change(found: dict[str, Any]) -> dict[str, Any]:
        one: dict[str, Any] = {"index": 0, "output_index": 0}
        one |= {"item_id": "one", "call_id": "one", "id": "one"}
        return {**found, **{key: one[key] for key in one.keys() & found.keys()}}

    return sanitised(accumulated(vector, changed(events_of(vector), change)))


def without_last_event_but_one(vector: Vector) -> list[Any]:
    """Lose a piece shortly before the end."""
    events = events_of(vector)
    return sanitised(accumulated(vector, [*events[:-2], *events[-1:]]))


def backwards(vector: Vector) -> list[Any]:
    """Put pieces in front of those that came before."""
    return sanitised(accumulated(vector, events_of(vector)[::-1]))


def as_they_are(vector: Vector) -> list[Any]:
    """Keep the fragment of a stream that was cut."""
    return accumulated(vector, events_of(vector))


def right(vector: Vector) -> list[Any]:
    return sanitised(accumulated(vector, events_of(vector)))


def caught(provider: str, kept: Callable[[Vector], list[Any]]) -> list[str]:
    return [
        vector.id
        for vector in STREAMS
        if vector.data["provider"] == provider
        and match(vector.data["expected"], kept(vector), {}, {}) is not None
    ]


@pytest.mark.parametrize("provider", [CHAT, RESPONSES])
@pytest.mark.parametrize(
    "kept", [as_one_call, without_last_event_but_one, backwards, as_they_are]
)
def test_some_stream_catches_a_provider_that_accumulates_wrongly(
    provider: str, kept: Callable[[Vector], list[Any]]
) -> None:
    assert caught(provider, kept) != []


@pytest.mark.parametrize("provider", [CHAT, RESPONSES])
def test_no_stream_catches_one_that_accumulates_rightly(provider: str) -> None:
    assert caught(provider, right) == []
