from __future__ import annotations

import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any, cast
from urllib.parse import urlsplit

import anyio
import pytest
from anyio.abc import SocketAttribute, SocketStream
from tests.wireproof_reference.interop_streams import (
    CHAT_CALLS,
    CHAT_EVENTS,
    READ_FILE,
    RESPONSES_CALLS,
    RESPONSES_EVENTS,
    RESPONSES_ITEMS,
    USER,
    function_item,
)

from wireproof_reference import RemoteProtocolError
from wireproof_reference.framing import JSON, JSONObject, dumps, loads
from wireproof_reference.interop import compose_registry
from wireproof_reference.interop.providers import (
    ChatProvider,
    ProviderClient,
    Reply,
    RequestRefusedError,
    ResponsesProvider,
    StreamState,
    _client,
    _playback,
    execute_calls,
    failing_after,
    interleaved,
    playback,
    stream_bytes,
    with_empty_deltas,
    with_keep_alives,
    with_one_call_id,
)

pytestmark = pytest.mark.anyio

CHAT = stream_bytes(CHAT_EVENTS)
RESPONSES = stream_bytes(RESPONSES_EVENTS)
TEXT = stream_bytes([{**CHAT_EVENTS[0], "choices": []}, *CHAT_EVENTS[-1:]])


def state_of(*tools: JSON) -> JSONObject:
    return {"_tools": [*tools], "request": {"payload": {"model": "gpt-4.1"}}}


def body_of(request: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", request.body)


def emptied(call: JSONObject) -> JSONObject:
    return {**call, "function": {"name": "read_file", "arguments": "{}"}}


@asynccontextmanager
async def answering(*pieces: bytes, silent: bool = False) -> AsyncIterator[str]:
    """The base URL of a server that answers anything with some bytes."""

    async def answer(stream: SocketStream) -> None:
        async with stream:
            await stream.receive()
            for piece in pieces:
                await stream.send(piece)
            if silent:
                await anyio.sleep_forever()

    async with (
        await anyio.create_tcp_listener(local_host="127.0.0.1") as listener,
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(listener.serve, answer)
        port = listener.extra(SocketAttribute.local_port)  # noqa: S610
        yield f"http://127.0.0.1:{port}/v1/"
        tasks.cancel_scope.cancel()


async def test_a_replayed_chat_request_holds_the_sanitised_call() -> None:
    cut_at = CHAT.index(b'\\"path\\":') + 40
    async with playback(Reply(CHAT, cut_at=cut_at), Reply(TEXT)) as server:
        client = ProviderClient(ChatProvider(), server.url)
        turn = await client.turn([USER], state_of(READ_FILE))
        assert turn.outcome is StreamState.CUT
        calls = turn.messages[0]["metadata"]["tool_calls"]  # type: ignore[index, call-overload]
        results = execute_calls(cast("list[JSON]", calls), {"read_file": str})
        history = turn.native_messages + ChatProvider().to_native_messages(results)
        await client.turn(history, turn.state)
    first, replayed = server.requests
    assert b'{\\"path\\"' not in replayed.data
    assert body_of(first)["messages"] == [USER]
    assert body_of(replayed)["messages"] == [
        USER,
        {"role": "assistant", "content": None, "tool_calls": [emptied(CHAT_CALLS[0])]},
        {
            "role": "tool",
            "content": "{}",
            "tool_call_id": "call_1",
        },
    ]


async def test_a_replayed_responses_request_holds_the_sanitised_call() -> None:
    cut_at = RESPONSES.index(b'{\\"path\\":') + 100
    async with playback(Reply(RESPONSES, cut_at=cut_at), Reply(RESPONSES)) as server:
        client = ProviderClient(ResponsesProvider(), server.url)
        turn = await client.turn([USER], state_of(READ_FILE))
        assert turn.outcome is StreamState.CUT
        await client.turn(turn.native_messages, turn.state)
    replayed = server.requests[1]
    assert b'{\\"path\\"' not in replayed.data
    assert body_of(replayed)["input"] == [
        USER,
        RESPONSES_ITEMS[0],
        function_item("incomplete", 1, "{}"),
    ]


async def test_a_chat_stream_cut_all_along_is_replayed_soundly() -> None:
    replies = [Reply(CHAT, cut_at=size) for size in range(0, len(CHAT), 7)]
    async with playback(*replies, Reply(TEXT)) as server:
        client = ProviderClient(ChatProvider(), server.url)
        history: list[JSON] = [USER]
        for _ in replies:
            history = (await client.turn(history, state_of())).native_messages
        await client.turn(history, state_of())
    for message in body_of(server.requests[-1])["messages"][1:]:
        for call, whole in zip(message["tool_calls"], CHAT_CALLS, strict=False):
            assert call in (whole, emptied(whole))


async def test_a_responses_stream_cut_all_along_is_replayed_soundly() -> None:
    replies = [Reply(RESPONSES, cut_at=size) for size in range(0, len(RESPONSES), 37)]
    async with playback(*replies, Reply(RESPONSES)) as server:
        client = ProviderClient(ResponsesProvider(), server.url)
        history: list[JSON] = [USER]
        for _ in replies:
            history = (await client.turn(history, state_of())).native_messages
        await client.turn(history, state_of())
    items = body_of(server.requests[-1])["input"]
    arguments = [item["arguments"] for item in items if "arguments" in item]
    assert set(arguments) == {"{}", '{"path": "a.md"}', '{"path": "é😀.md"}'}


FAULTS = {
    "byte by byte": Reply(CHAT, piece_bytes=1),
    "to the end": Reply(CHAT, chunked=False),
    "keep-alives": Reply(with_keep_alives(CHAT), piece_bytes=100),
    "empty deltas": Reply(stream_bytes(with_empty_deltas(CHAT_EVENTS))),
    "interleaved": Reply(stream_bytes(interleaved(CHAT_EVENTS, Random(1)))),  # noqa: S311
    "no last chunk": Reply(CHAT, cut_at=len(CHAT)),
}


@pytest.mark.parametrize("reply", FAULTS.values(), ids=FAULTS)
async def test_a_fault_that_costs_nothing_changes_nothing(reply: Reply) -> None:
    async with playback(reply) as server:
        turn = await ProviderClient(ChatProvider(), server.url).turn([USER], state_of())
    assert turn.outcome is StreamState.FINISHED
    assert turn.native_messages == [
        USER,
        {"role": "assistant", "content": None, "tool_calls": CHAT_CALLS},
    ]
    assert turn.state["partial"] == {"content": "", "tool_calls": CHAT_CALLS}


async def test_calls_with_one_id_are_both_kept() -> None:
    stream = stream_bytes(with_one_call_id(CHAT_EVENTS, "same"))
    async with playback(Reply(stream)) as server:
        turn = await ProviderClient(ChatProvider(), server.url).turn([USER], state_of())
    assert turn.messages == [
        {
            "role": "assistant",
            "content": "",
            "metadata": {"tool_calls": [{**one, "id": "same"} for one in CHAT_CALLS]},
        }
    ]


async def test_an_error_keeps_the_calls_that_came_before_it() -> None:
    events = failing_after(RESPONSES_EVENTS, 12, "overloaded")
    async with playback(Reply(stream_bytes(events))) as server:
        client = ProviderClient(ResponsesProvider(), server.url)
        turn = await client.turn([USER], state_of())
    assert turn.outcome is StreamState.FAILED
    assert turn.error is not None
    assert turn.error["message"] == "overloaded"
    assert turn.native_messages == [
        USER,
        *RESPONSES_ITEMS[:2],
        function_item("incomplete", 2, "{}"),
    ]


async def test_all_calls_of_a_turn_are_told_to_core() -> None:
    async with playback(Reply(RESPONSES)) as server:
        client = ProviderClient(ResponsesProvider(), server.url)
        turn = await client.turn([USER], state_of())
    custom = {"name": "apply_patch", "input": RESPONSES_CALLS[2]["input"]}
    (message,) = turn.messages
    assert isinstance(message, dict)
    assert message["content"] == "Let me look."
    assert message["metadata"]["tool_calls"] == [  # type: ignore[index, call-overload]
        *CHAT_CALLS,
        {"id": "call_3", "type": "custom", "custom": custom},
    ]


async def test_the_tools_are_sent_as_the_context_wants_them() -> None:
    context = {
        "core": {},
        "config": {},
        "tool_interop": {
            "registry": compose_registry(),
            "schema_target_formats": ["openai.responses.function"],
        },
    }
    async with playback(Reply(RESPONSES)) as server:
        client = ProviderClient(ResponsesProvider(), server.url)
        await client.turn([USER], state_of(READ_FILE), context=context)
    assert body_of(server.requests[0]) == {
        "model": "gpt-4.1",
        "tools": [{"type": "function", "strict": False, **READ_FILE["function"]}],  # type: ignore[dict-item]
        "tool_choice": "auto",
        "input": [USER],
        "stream": True,
    }
    assert server.requests[0].headers["content-type"] == "application/json"


async def test_an_error_instead_of_a_stream_is_raised() -> None:
    error = b'{"error": {"message": "slow down"}}'
    reply = Reply(error, status=429, content_type="application/json")
    async with playback(reply) as server:
        client = ProviderClient(ChatProvider(), server.url)
        with pytest.raises(RequestRefusedError, match="slow down") as caught:
            await client.turn([USER], state_of())
    assert caught.value.status.startswith("429")
    assert caught.value.body == error


async def test_a_stream_that_falls_silent_is_cut() -> None:
    head = b"HTTP/1.1 200 OK\r\n\r\n"
    async with answering(head + CHAT[:900], silent=True) as url:
        client = ProviderClient(ChatProvider(), url, idle_seconds=0.2)
        turn = await client.turn([USER], state_of())
    assert turn.outcome is StreamState.CUT
    assert turn.messages != []


async def test_a_server_that_says_nothing_is_no_http_server() -> None:
    async with answering() as url:
        with pytest.raises(RemoteProtocolError, match="before the end of the head"):
            await ProviderClient(ChatProvider(), url).turn([USER], state_of())


async def test_an_answer_that_never_ends_is_not_read_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_client, "MAX_RESPONSE_BYTES", 1_000)
    head = b"HTTP/1.1 200 OK\r\n\r\n"
    async with answering(head + b":" * 1_000) as url:
        turn = await ProviderClient(ChatProvider(), url).turn([USER], state_of())
        assert turn.messages == []
    async with answering(head + b":" * 1_001) as url:
        with pytest.raises(RemoteProtocolError, match="too long"):
            await ProviderClient(ChatProvider(), url).turn([USER], state_of())


async def test_nobody_to_ask_is_an_error() -> None:
    async with playback() as server:
        url = server.url
    with pytest.raises(OSError, match="connect"):
        await ProviderClient(ChatProvider(), url).turn([USER], state_of())


@pytest.mark.parametrize("url", ["https://127.0.0.1/v1", "127.0.0.1:80", "http:///v1"])
async def test_only_http_is_spoken(url: str) -> None:
    with pytest.raises(ValueError, match="not the URL of an HTTP server"):
        ProviderClient(ChatProvider(), url)


async def connected(url: str) -> SocketStream:
    return await anyio.connect_tcp("127.0.0.1", urlsplit(url).port or 0)


async def ask(url: str, request: bytes) -> bytes:
    answer = b""
    async with await connected(url) as stream:
        await stream.send(request)
        await stream.send_eof()
        async for data in stream:
            answer += data
    return answer


BAD_REQUESTS = [
    b"POST /v1 HTTP/1.1\r\nContent-Length: 9\r\n\r\n{}",
    b"POST /v1 HTTP/1.1\r\nContent-Length: 1\r\n\r\n{",
    b"POST /v1 HTTP/1.1\r\n",
    b"hello\r\n\r\n",
]


@pytest.mark.parametrize("request_", BAD_REQUESTS)
async def test_a_request_that_cannot_be_read_is_refused(request_: bytes) -> None:
    async with playback(Reply(b"data: 1\n\n")) as server:
        answer = await ask(server.url, request_)
        assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\n")
        # It costs no reply, and the server lives.
        good = (
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
        )
        assert (await ask(server.url, good)).endswith(b"9\r\ndata: 1\n\n\r\n0\r\n\r\n")
    assert [request.body for request in server.requests] == [{}]


async def test_a_request_that_is_too_long_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_playback, "DEFAULT_LIMIT", 2)
    head = b"POST / HTTP/1.1\r\nContent-Length: "
    async with playback(Reply(b"data: 1\n\n")) as server:
        assert (await ask(server.url, head + b"3\r\n\r\n{ }")).startswith(
            b"HTTP/1.1 400 "
        )
        assert (await ask(server.url, head + b"2\r\n\r\n{}")).startswith(
            b"HTTP/1.1 200 "
        )


async def test_a_client_that_is_gone_before_it_asks_does_not_end_the_server() -> None:
    async with playback(Reply(b"data: 1\n\n")) as server:
        async with await connected(server.url) as stream:
            # The connection is reset, not closed.
            raw = stream.extra(SocketAttribute.raw_socket)  # noqa: S610
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        answer = await ask(
            server.url, b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}"
        )
    assert answer.startswith(b"HTTP/1.1 200 ")


async def test_a_client_that_goes_away_does_not_end_the_server() -> None:
    body = dumps({"x": "y" * 1_000})
    async with playback(Reply(b"x" * 10_000_000), Reply(b"data: 1\n\n")) as server:
        async with await connected(server.url) as stream:
            head = f"POST / HTTP/1.1\r\nContent-Length: {len(body)}\r\n\r\n"
            await stream.send(head.encode() + body)
            await stream.receive(1)
        answer = await ask(
            server.url, b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}"
        )
    assert answer.endswith(b"data: 1\n\n\r\n0\r\n\r\n")
    assert loads(server.requests[0].data) == {"x": "y" * 1_000}
