"""The provider's own published types and client, as oracles of what is played."""

from __future__ import annotations

from random import Random
from types import ModuleType
from typing import Any, cast

import anyio.to_thread
import pytest
from tests.published import published
from tests.wireproof_reference.interop_streams import (
    CHAT_CALLS,
    CHAT_EVENTS,
    RESPONSES_EVENTS,
    RESPONSES_ITEMS,
)

from wireproof_reference.framing import JSONObject
from wireproof_reference.interop.providers import (
    Reply,
    failing_after,
    interleaved,
    playback,
    stream_bytes,
    with_empty_deltas,
    with_keep_alives,
    with_line_ends,
    with_one_call_id,
    with_repeated_ids,
)

pytestmark = pytest.mark.usefixtures("openai")

CHAT_STREAMS = {
    "good": CHAT_EVENTS,
    "interleaved": interleaved(CHAT_EVENTS, Random(1)),  # noqa: S311
    "one call id": with_one_call_id(CHAT_EVENTS, "same"),
    "repeated ids": with_repeated_ids(CHAT_EVENTS),
    "empty deltas": with_empty_deltas(CHAT_EVENTS),
}
RESPONSES_STREAMS = {
    "good": RESPONSES_EVENTS,
    "interleaved": interleaved(RESPONSES_EVENTS, Random(1)),  # noqa: S311
    "one call id": with_one_call_id(RESPONSES_EVENTS, "same"),
    "empty deltas": with_empty_deltas(RESPONSES_EVENTS),
    "failing": failing_after(RESPONSES_EVENTS, 11, "overloaded"),
}


def chat(openai: ModuleType, url: str) -> list[Any]:
    with (
        openai.DefaultHttpxClient(trust_env=False) as http,
        openai.OpenAI(
            base_url=url, api_key="none", max_retries=0, http_client=http
        ) as client,
        client.chat.completions.create(
            model="gpt-4.1",
            messages=[{"role": "user", "content": "What is in them?"}],
            stream=True,
        ) as stream,
    ):
        return list(stream)


def responses(openai: ModuleType, url: str) -> list[Any]:
    with (
        openai.DefaultHttpxClient(trust_env=False) as http,
        openai.OpenAI(
            base_url=url, api_key="none", max_retries=0, http_client=http
        ) as client,
        client.responses.create(
            model="gpt-4.1", input="What is in them?", stream=True
        ) as stream,
    ):
        return list(stream)


@pytest.mark.parametrize("events", CHAT_STREAMS.values(), ids=CHAT_STREAMS)
def test_chunks_have_their_published_form(events: list[JSONObject]) -> None:
    for event in events:
        published("chat chunk").validate_python(event, strict=True)


@pytest.mark.parametrize("events", RESPONSES_STREAMS.values(), ids=RESPONSES_STREAMS)
def test_events_have_their_published_form(events: list[JSONObject]) -> None:
    for event in events:
        published("responses event").validate_python(event)


ALTERED = {
    "good": stream_bytes(CHAT_EVENTS),
    "keep-alives": with_keep_alives(stream_bytes(CHAT_EVENTS)),
    "CR LF": with_line_ends(stream_bytes(CHAT_EVENTS), b"\r\n"),
}


@pytest.mark.anyio
@pytest.mark.parametrize("chunked", [True, False], ids=["chunked", "to the end"])
@pytest.mark.parametrize("stream", ALTERED.values(), ids=ALTERED)
async def test_the_published_client_reads_a_chat_stream(
    openai: ModuleType, stream: bytes, *, chunked: bool
) -> None:
    async with playback(Reply(stream, chunked=chunked, piece_bytes=7)) as server:
        chunks = await anyio.to_thread.run_sync(chat, openai, server.url)
    assert [chunk.to_dict() for chunk in chunks] == CHAT_EVENTS
    (request,) = server.requests
    assert request.start == "POST /v1/chat/completions HTTP/1.1"
    assert cast("dict[str, Any]", request.body)["messages"] == [
        {"role": "user", "content": "What is in them?"}
    ]


@pytest.mark.anyio
async def test_the_published_client_reads_a_responses_stream(
    openai: ModuleType,
) -> None:
    async with playback(Reply(stream_bytes(RESPONSES_EVENTS))) as server:
        events = await anyio.to_thread.run_sync(responses, openai, server.url)
    assert [event.to_dict() for event in events] == RESPONSES_EVENTS
    assert server.requests[0].start == "POST /v1/responses HTTP/1.1"


@pytest.mark.anyio
async def test_the_published_client_sees_that_a_chunked_stream_was_cut(
    openai: ModuleType,
) -> None:
    stream = stream_bytes(CHAT_EVENTS)
    async with playback(Reply(stream, cut_at=500)) as server:
        with pytest.raises(openai.APIConnectionError):
            await anyio.to_thread.run_sync(chat, openai, server.url)


@pytest.mark.anyio
async def test_the_published_client_sees_an_error_in_the_stream(
    openai: ModuleType,
) -> None:
    stream = stream_bytes(failing_after(CHAT_EVENTS, 4, "overloaded"))
    async with playback(Reply(stream)) as server:
        with pytest.raises(openai.APIError, match="overloaded"):
            await anyio.to_thread.run_sync(chat, openai, server.url)


@pytest.mark.anyio
async def test_the_published_client_is_refused_where_no_reply_is_left(
    openai: ModuleType,
) -> None:
    async with playback() as server:
        with pytest.raises(openai.InternalServerError, match="no reply is left"):
            await anyio.to_thread.run_sync(chat, openai, server.url)


def test_the_expected_calls_are_those_of_the_published_client(
    openai: ModuleType,
) -> None:
    state = openai.lib.streaming.chat.ChatCompletionStreamState()
    for event in CHAT_EVENTS:
        state.handle_chunk(published("chat chunk").validate_python(event))
    message = state.get_final_completion().choices[0].message.to_dict()
    calls = cast("list[dict[str, Any]]", message["tool_calls"])
    kept = [
        {
            "id": call["id"],
            "type": call["type"],
            "function": {key: call["function"][key] for key in ("name", "arguments")},
        }
        for call in calls
    ]
    assert kept == CHAT_CALLS


def test_the_expected_items_are_those_of_the_published_response() -> None:
    event = published("responses event").validate_python(RESPONSES_EVENTS[-1])
    assert event.type == "response.completed"
    assert [item.to_dict() for item in event.response.output] == RESPONSES_ITEMS
