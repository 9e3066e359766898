"""The reference providers keep of every stream vector the calls that it expects."""

from collections.abc import Iterator
from typing import Any

import pytest

from wireproof._matching import match
from wireproof_reference.framing import EndOfInput, JSONObject, NeedData
from wireproof_reference.interop import DEFAULT_TOOL_INTEROP_REGISTRY
from wireproof_reference.interop.providers import (
    ChatAccumulator,
    ProviderStream,
    ResponsesAccumulator,
    stream_bytes,
    with_keep_alives,
    with_line_ends,
)
from wireproof_vectors import Vector, load_vectors

STREAMS = [vector for vector in load_vectors("interop") if vector.kind == "stream"]
ACCUMULATORS: dict[str, type[ChatAccumulator | ResponsesAccumulator]] = {
    "openai.chat_completions": ChatAccumulator,
    "openai.responses": ResponsesAccumulator,
}
EACH_STREAM = pytest.mark.parametrize("vector", STREAMS, ids=lambda v: v.id)


def sent(vector: Vector) -> bytes:
    data: Any = vector.data
    return stream_bytes(data["events"], data["ends"])


def kept(vector: Vector, pieces: Iterator[bytes]) -> list[JSONObject]:
    """The sanitised calls that are kept of a stream that comes in these pieces."""
    stream = ProviderStream(ACCUMULATORS[str(vector.data["provider"])]())
    for piece in pieces:
        stream.receive_data(piece)
        while not isinstance(stream.next_event(), NeedData):
            pass
    stream.receive_eof()
    while not isinstance(stream.next_event(), EndOfInput):
        pass
    calls = stream.accumulator.tool_calls()
    return [DEFAULT_TOOL_INTEROP_REGISTRY.sanitize_tool_call(call) for call in calls]


@EACH_STREAM
def test_a_stream_that_comes_whole_leaves_its_calls(vector: Vector) -> None:
    calls = kept(vector, iter([sent(vector)]))
    assert match(vector.data["expected"], calls, {}, {}) is None


@EACH_STREAM
def test_a_stream_that_is_cut_at_every_byte_leaves_its_calls(vector: Vector) -> None:
    pieces = (bytes([byte]) for byte in sent(vector))
    assert match(vector.data["expected"], kept(vector, pieces), {}, {}) is None


@EACH_STREAM
@pytest.mark.parametrize("end", [b"\r\n", b"\r"])
def test_the_line_ends_of_a_stream_do_not_matter(vector: Vector, end: bytes) -> None:
    data = with_line_ends(with_keep_alives(sent(vector)), end)
    assert match(vector.data["expected"], kept(vector, iter([data])), {}, {}) is None
