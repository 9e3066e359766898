"""A server on this machine that plays event streams, and records what it is sent.

Theory of operation: it answers one request after the other with the replies that it
was given, each on a connection of its own, and closes it.  A reply may be sent in
pieces, and be cut at any byte.  When no reply is left, requests are answered with 500.

    async with playback(Reply(stream_bytes(events))) as server:
        ...  # let a client stream from server.url
    server.requests[0].body
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import anyio
from anyio import BrokenResourceError, EndOfStream
from anyio.abc import SocketAttribute

from wireproof_reference._errors import JsonError, RemoteProtocolError
from wireproof_reference.framing import DEFAULT_LIMIT, NeedData, dumps, loads
from wireproof_reference.interop.providers.core import (
    LAST_CHUNK,
    Body,
    EndOfMessage,
    Head,
    HttpDecoder,
    chunk,
    response_head,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping

    from anyio.abc import SocketStream

    from wireproof_reference.framing import JSON

LOOPBACK: Final = "127.0.0.1"
"""Where it listens: nobody else's machine can reach it."""

EVENT_STREAM: Final = "text/event-stream"
"""The media type of a stream of events."""

_JSON_TYPE: Final = "application/json"


@dataclass(frozen=True, slots=True)
class Reply:
    """What a request is answered with.

    Attributes:
        body: The whole body, if nothing cuts it.
        cut_at: After so many bytes of it the connection ends; None for a whole one.
        piece_bytes: Bytes that are sent at once; None for all.
        chunked: Whether the body is chunked, or ends with the connection.
        status: The HTTP status.
        content_type: The media type of the body.
    """

    body: bytes
    cut_at: int | None = None
    piece_bytes: int | None = None
    chunked: bool = True
    status: int = 200
    content_type: str = EVENT_STREAM


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    """A request as it arrived.

    Attributes:
        start: Its request line.
        headers: By their names in lower case.
        data: The bytes of its body.
        body: The JSON value of those.
    """

    start: str
    headers: Mapping[str, str]
    data: bytes
    body: JSON


class PlaybackServer:
    """Plays replies.

    Args:
        replies: In the order in which they are played.
        port: Where it is reached.
        on_request: Called with each request, before it is answered.

    Attributes:
        url: What a client takes as its base URL.
        requests: What it was sent so far, in order.
    """

    def __init__(
        self,
        replies: tuple[Reply, ...],
        port: int,
        on_request: Callable[[ReceivedRequest], object],
    ) -> None:
        self.url = f"http://{LOOPBACK}:{port}/v1"
        self.requests: list[ReceivedRequest] = []
        self._replies = replies
        self._on_request = on_request

    async def handle(self, stream: SocketStream) -> None:
        """Answer the request of a connection, and end it."""
        async with stream:
            try:
                request = await _receive(stream)
            except (RemoteProtocolError, JsonError) as error:
                await _send(stream, _refusal(400, str(error)))
                return
            except BrokenResourceError:  # gone before it had asked
                return
            count = len(self.requests)
            self.requests.append(request)
            self._on_request(request)
            if count < len(self._replies):
                await _send(stream, self._replies[count])
            else:
                await _send(stream, _refusal(500, "no reply is left to be played"))


@asynccontextmanager
async def playback(
    *replies: Reply,
    port: int = 0,
    on_request: Callable[[ReceivedRequest], object] = lambda request: None,
) -> AsyncGenerator[PlaybackServer]:
    """Play replies to whoever asks, until left.

    Args:
        replies: In the order in which they are played.
        port: Where to listen; 0 for any that is free.
        on_request: Called with each request, before it is answered.
    """
    async with (
        await anyio.create_tcp_listener(
            local_host=LOOPBACK, local_port=port
        ) as listener,
        anyio.create_task_group() as tasks,
    ):
        port = listener.extra(SocketAttribute.local_port)  # noqa: S610 - not Django's
        server = PlaybackServer(replies, port, on_request)
        tasks.start_soon(listener.serve, server.handle)
        yield server
        tasks.cancel_scope.cancel()


async def _receive(stream: SocketStream) -> ReceivedRequest:
    decoder = HttpDecoder("request")
    head = Head("", {})
    data = bytearray()
    while True:
        event = decoder.next_event()
        match event:
            case NeedData():
                try:
                    decoder.receive_data(await stream.receive())
                except EndOfStream:
                    decoder.receive_eof()
            case Head():
                head = event
            case Body(piece):
                data += piece
                if len(data) > DEFAULT_LIMIT:
                    raise RemoteProtocolError("the request is too long")
            case EndOfMessage(whole):
                if not whole:
                    raise RemoteProtocolError("the request ended inside its body")
                body = bytes(data)
                return ReceivedRequest(head.start, head.headers, body, loads(body))


async def _send(stream: SocketStream, reply: Reply) -> None:
    whole = reply.cut_at is None
    body = reply.body[: reply.cut_at]
    step = reply.piece_bytes or max(1, len(body))
    try:
        await stream.send(
            response_head(reply.status, reply.content_type, chunked=reply.chunked)
        )
        for start in range(0, len(body), step):
            piece = body[start : start + step]
            await stream.send(chunk(piece) if reply.chunked else piece)
        if whole and reply.chunked:
            await stream.send(LAST_CHUNK)
    except BrokenResourceError:  # it wants no more
        return


def _refusal(status: int, message: str) -> Reply:
    error = {"error": {"message": message, "type": "playback"}}
    return Reply(dumps(error), status=status, content_type=_JSON_TYPE)
