"""Streams one turn from a provider, on asyncio or trio.

Theory of operation: the provider prepares the request and names the accumulator, the
bytes of the answer go through the cores, and `finalize` sanitises what came of it
before it joins the history.  A connection that breaks, or falls silent for long, is a
stream that was cut: what came before is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol
from urllib.parse import urlsplit

import anyio
from anyio import BrokenResourceError, EndOfStream

from wireproof_reference._errors import RemoteProtocolError, WireproofReferenceError
from wireproof_reference.framing import EndOfInput, NeedData, dumps
from wireproof_reference.interop.providers.core import (
    Accumulator,
    Body,
    EndOfMessage,
    Failed,
    Head,
    HttpDecoder,
    ProviderStream,
    StreamState,
    object_in,
    request_bytes,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from anyio.abc import SocketStream

    from wireproof_reference.framing import JSON, JSONObject
    from wireproof_reference.interop.providers.core import Context

IDLE_SECONDS: Final = 60.0
"""After so long without a byte a stream is taken for cut, unless told otherwise."""

MAX_RESPONSE_BYTES: Final = 256 * 1024 * 1024
"""Bytes that one response may have: many times the longest that models write."""

_MAX_REFUSAL_BYTES: Final = 64 * 1024  # of an error's body, which is shown to someone
_HTTP_PORT: Final = 80


class StreamingProvider(Protocol):
    """What the client asks of a provider."""

    @property
    def path(self) -> str:
        """Where requests go, under the base URL."""
        ...

    def new_accumulator(self) -> Accumulator:
        """What takes in the events of one response."""
        ...

    def initialize_request(
        self,
        native_messages: list[JSON],
        state: JSONObject,
        *,
        context: Context = None,
    ) -> tuple[list[JSON], JSONObject]:
        """Put what the request needs into `state["request"]["payload"]`."""
        ...

    def from_native_messages(
        self, native_messages: list[JSON], *, context: Context = None
    ) -> list[JSON]:
        """Turn the provider's messages into core ones."""
        ...

    def finalize(
        self,
        final_messages: list[JSON],
        native_messages: list[JSON],
        state: JSONObject,
        *,
        context: Context = None,
    ) -> tuple[list[JSON], list[JSON], JSONObject]:
        """Make what a stream left fit to be kept in history."""
        ...


class RequestRefusedError(WireproofReferenceError):
    """The provider answered with an error instead of a stream.

    Attributes:
        status: The status line.
        body: The body, or the start of it.
    """

    def __init__(self, status: str, body: bytes) -> None:
        self.status = status
        self.body = body
        super().__init__(f"{status}: {body.decode(errors='replace')}")


@dataclass(frozen=True, slots=True)
class Turn:
    """What came of a request.

    Attributes:
        outcome: Whether the stream finished, failed, or was cut.
        error: What the provider said where it failed, else None.
        messages: The core messages of the response.
        native_messages: The history with the response, fit to be sent again.
        state: The state with the request, and with `partial`.
    """

    outcome: StreamState
    error: JSONObject | None
    messages: list[JSON]
    native_messages: list[JSON]
    state: JSONObject


class ProviderClient:
    """Asks a provider, and reads the streams that it answers with.

    Args:
        provider: Knows the wire format.
        base_url: Where it is, such as `http://127.0.0.1:8000/v1`; plain HTTP.
        idle_seconds: After so long without a byte a stream is taken for cut.

    Raises:
        ValueError: The URL is not an HTTP one.
    """

    def __init__(
        self,
        provider: StreamingProvider,
        base_url: str,
        *,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        url = urlsplit(base_url)
        if url.scheme != "http" or url.hostname is None:
            raise ValueError(f"not the URL of an HTTP server: {base_url!r}")
        self._provider = provider
        self._host = url.hostname
        self._port = url.port or _HTTP_PORT
        self._path = url.path.rstrip("/") + provider.path
        self._idle_seconds = idle_seconds

    async def turn(
        self,
        native_messages: list[JSON],
        state: JSONObject,
        *,
        context: Context = None,
    ) -> Turn:
        """Send a history, and add what the provider streams.

        Args:
            native_messages: The history, in the provider's format.
            state: With the authored tools under `_tools`, and what the request's
                payload is to hold otherwise.
            context: The request's.

        Raises:
            InteropError: A tool cannot be converted, or what came cannot be read.
            RequestRefusedError: The provider answered with an error.
            RemoteProtocolError: The answer is not HTTP.
            OSError: There is nobody to ask.
        """
        provider = self._provider
        history, state = provider.initialize_request(
            native_messages, state, context=context
        )
        stream = ProviderStream(provider.new_accumulator())
        error = await self._stream(stream, {**_payload(state), "stream": True})
        state = {**state, "partial": stream.accumulator.partial()}
        _, added, state = provider.finalize(
            [], [*stream.accumulator.native_messages()], state, context=context
        )
        whole = [*history, *added]
        messages = provider.from_native_messages(added, context=context)
        return Turn(stream.state, error, messages, whole, state)

    async def _stream(
        self, stream: ProviderStream, payload: JSONObject
    ) -> JSONObject | None:
        """Send the payload, and take in the answer; returns the provider's error."""
        error: JSONObject | None = None
        async with await anyio.connect_tcp(self._host, self._port) as connection:
            host = f"{self._host}:{self._port}"
            await connection.send(request_bytes(host, self._path, dumps(payload)))
            async for data in self._body(connection):
                stream.receive_data(data)
                error = _drain(stream) or error
        stream.receive_eof()
        return _drain(stream) or error

    async def _body(self, connection: SocketStream) -> AsyncGenerator[bytes]:
        decoder = HttpDecoder("response")
        status = ""
        refusal = b""
        size = 0
        while True:
            event = decoder.next_event()
            match event:
                case NeedData():
                    await self._receive(connection, decoder)
                case Head(start):
                    status = start.partition(" ")[2]
                case Body(data) if status.startswith("200"):
                    size += len(data)
                    if size > MAX_RESPONSE_BYTES:
                        raise RemoteProtocolError("the response is too long")
                    yield data
                case Body(data):
                    refusal = (refusal + data)[:_MAX_REFUSAL_BYTES]
                case EndOfMessage():
                    break
        if not status.startswith("200"):
            raise RequestRefusedError(status, refusal)

    async def _receive(self, connection: SocketStream, decoder: HttpDecoder) -> None:
        with anyio.move_on_after(self._idle_seconds):
            try:
                decoder.receive_data(await connection.receive())
            except (EndOfStream, BrokenResourceError):
                decoder.receive_eof()
            return
        decoder.receive_eof()


def _payload(state: JSONObject) -> JSONObject:
    return object_in(object_in(state, "request"), "payload")


def _drain(stream: ProviderStream) -> JSONObject | None:
    """Take in all that has come; returns the provider's error, if it is among it."""
    error: JSONObject | None = None
    while not isinstance(event := stream.next_event(), NeedData | EndOfInput):
        if isinstance(event, Failed):
            error = event.error
    return error
