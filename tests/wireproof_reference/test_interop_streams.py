"""The vectors of kind `stream`, each played through the provider that it is about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, cast

import pytest
from tests.wireproof_reference.interop_streams import take_in

from wireproof.patterns import match
from wireproof_reference.framing import JSON, JSONObject, loads
from wireproof_reference.interop import CHAT, RESPONSES
from wireproof_reference.interop.providers import (
    ChatProvider,
    ResponsesProvider,
    stream_bytes,
    with_empty_deltas,
    with_keep_alives,
    with_line_ends,
)
from wireproof_vectors import Vector, load_vectors

PROVIDERS: dict[str, ChatProvider | ResponsesProvider] = {
    CHAT: ChatProvider(),
    RESPONSES: ResponsesProvider(),
}
STREAMS = [vector for vector in load_vectors("interop") if vector.kind == "stream"]
CALLS = ("function_call", "custom_tool_call")

each_stream = pytest.mark.parametrize("vector", STREAMS, ids=lambda vector: vector.id)


def events_of(vector: Vector) -> list[JSONObject]:
    return cast("list[JSONObject]", vector.data["events"])


def stream_of(vector: Vector) -> bytes:
    ends: Literal["done", "cut"] = "cut" if vector.data["ends"] == "cut" else "done"
    return stream_bytes(events_of(vector), ends)


def retained(vector: Vector, *pieces: bytes) -> list[JSONObject]:
    """The calls that are kept of a stream, in `partial` and in history alike."""
    provider = PROVIDERS[str(vector.data["provider"])]
    accumulator = take_in(provider.new_accumulator(), *pieces)[0].accumulator
    native: list[JSON] = [*accumulator.native_messages()]
    state: JSONObject = {"partial": accumulator.partial()}
    _, native, state = provider.finalize([], native, state)
    partial = cast("JSONObject", state["partial"])
    calls = cast("list[JSONObject]", partial["tool_calls"])
    assert calls == [*calls_in(cast("list[JSONObject]", native))]
    return calls


def calls_in(native: list[JSONObject]) -> Iterator[JSONObject]:
    for message in native:
        if message.get("type") in CALLS:
            yield message
        yield from cast("list[JSONObject]", message.get("tool_calls", []))


def assert_sound(call: JSONObject) -> None:
    """Arguments of a function call are an object, the input of a custom one a text."""
    holder = cast("JSONObject", call.get("function") or call.get("custom") or call)
    assert holder["name"]
    if "input" in holder:
        assert isinstance(holder["input"], str)
    else:
        assert isinstance(loads(str(holder["arguments"]).encode()), dict)


@each_stream
def test_a_stream_leaves_what_its_vector_says(vector: Vector) -> None:
    calls = retained(vector, stream_of(vector))
    wanted = vector.data.get("expected", {"$type": "array"})
    assert match(wanted, calls, {}, {}) is None


@each_stream
def test_pieces_of_one_byte_change_nothing(vector: Vector) -> None:
    stream = stream_of(vector)
    pieces = [stream[i : i + 1] for i in range(len(stream))]
    assert retained(vector, *pieces) == retained(vector, stream)


@each_stream
def test_a_stream_cut_at_any_byte_leaves_sound_calls(vector: Vector) -> None:
    stream = stream_of(vector)
    for size in range(len(stream)):
        for call in retained(vector, stream[:size]):
            assert_sound(call)


@each_stream
def test_what_surrounds_the_deltas_changes_nothing(vector: Vector) -> None:
    stream = stream_of(vector)
    calls = retained(vector, stream)
    assert retained(vector, with_keep_alives(stream)) == calls
    assert retained(vector, with_line_ends(stream, b"\r\n")) == calls
    assert retained(vector, with_line_ends(stream, b"\r")) == calls
    longer = stream_bytes(with_empty_deltas(events_of(vector)), "cut")
    assert retained(vector, longer) == calls
