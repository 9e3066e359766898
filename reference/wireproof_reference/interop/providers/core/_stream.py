"""One streamed response of a provider, without I/O: what every provider has in common.

Theory of operation: the decoder turns bytes into server-sent events, each of which
holds one JSON object; the provider's accumulator takes it in and says whether the
response goes on, is finished, or has failed.  Whatever cannot be used is stray, and
the stream goes on: a bad event must not cost the calls that came whole.  A stream
that ends before the response is finished is cut; what was accumulated by then stays.

    stream.receive_data(data)
    while (event := stream.next_event()) is not NEED_DATA:
        ...
    calls = stream.accumulator.tool_calls()  # not sanitised yet
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias, assert_never

from wireproof_reference._errors import JsonError
from wireproof_reference.framing import (
    DEFAULT_LIMIT,
    END_OF_INPUT,
    EndOfInput,
    NeedData,
    loads,
)
from wireproof_reference.interop.providers.core._event_stream import (
    EventStreamDecoder,
    OversizeEvent,
    ServerSentEvent,
    UnfinishedEvent,
)

if TYPE_CHECKING:
    from wireproof_reference.framing import JSONObject

DONE_DATA: Final = b"[DONE]"
"""The data of the event that ends a chat stream; the one that is not JSON."""


@dataclass(frozen=True, slots=True)
class Delta:
    """An event that the accumulator has taken in.

    Attributes:
        value: The JSON object of the event.
    """

    value: JSONObject


@dataclass(frozen=True, slots=True)
class Finished:
    """The provider says that the response is finished."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The provider says that the response has failed.

    Attributes:
        error: The error object, as the provider has it.
    """

    error: JSONObject


@dataclass(frozen=True, slots=True)
class StrayEvent:
    """Something in the stream that cannot be used, and was passed over.

    Attributes:
        data: The data of the event; nothing where it was too long or unfinished.
        detail: Why it is stray.
    """

    data: bytes
    detail: str


StreamEvent: TypeAlias = Delta | Finished | Failed | StrayEvent | EndOfInput
"""What is told of a stream."""


class StreamState(Enum):
    """Where a stream stands."""

    OPEN = "open"
    FINISHED = "finished"
    FAILED = "failed"
    CUT = "cut"  # it ended before the response was finished


_TRANSITIONS: Final[dict[tuple[StreamState, type[StreamEvent]], StreamState]] = {
    (StreamState.OPEN, Delta): StreamState.OPEN,
    (StreamState.OPEN, Finished): StreamState.FINISHED,
    (StreamState.OPEN, Failed): StreamState.FAILED,
    (StreamState.OPEN, EndOfInput): StreamState.CUT,
    (StreamState.FINISHED, EndOfInput): StreamState.FINISHED,
    (StreamState.FAILED, EndOfInput): StreamState.FAILED,
    (StreamState.CUT, EndOfInput): StreamState.CUT,
}


class Accumulator(Protocol):
    """Puts together what one provider streams."""

    @property
    def finished(self) -> bool:
        """Whether a stream that ended now would be whole."""
        ...

    def receive(self, value: JSONObject) -> Delta | Finished | Failed:
        """Take in the JSON object of one event."""
        ...

    def tool_calls(self) -> list[JSONObject]:
        """The calls so far in the provider's format; not sanitised yet."""
        ...

    def native_messages(self) -> list[JSONObject]:
        """What the response so far adds to history; not sanitised yet."""
        ...

    def partial(self) -> JSONObject:
        """What belongs into `state["partial"]`: `content` and `tool_calls`."""
        ...


class ProviderStream:
    """Reads one streamed response.

    Args:
        accumulator: The provider's, for this response alone.
        limit: Bytes that one event may have.

    Attributes:
        accumulator: What has been put together so far.
    """

    def __init__(self, accumulator: Accumulator, limit: int = DEFAULT_LIMIT) -> None:
        self.accumulator = accumulator
        self._decoder = EventStreamDecoder(limit)
        self._state = StreamState.OPEN

    @property
    def state(self) -> StreamState:
        """Where the stream stands."""
        return self._state

    def receive_data(self, data: bytes) -> None:
        """Take in bytes from the provider; call `next_event` afterwards.

        Raises:
            LocalProtocolError: The end of file was already received.
        """
        self._decoder.receive_data(data)

    def receive_eof(self) -> None:
        """Take in the end of the response; call `next_event` afterwards."""
        self._decoder.receive_eof()

    def next_event(self) -> StreamEvent | NeedData:
        """What comes next, in the order of the bytes."""
        event = self._decoder.next_event()
        match event:
            case ServerSentEvent(data):
                return self._receive(data)
            case NeedData():
                return event
            case OversizeEvent(size):
                return StrayEvent(b"", f"an event of {size} bytes is too long")
            case UnfinishedEvent():
                return StrayEvent(b"", "the stream ended inside an event")
            case EndOfInput():
                if self._state is StreamState.OPEN and self.accumulator.finished:
                    self._advance(Finished)
                self._advance(EndOfInput)
                return END_OF_INPUT
            case _:  # pragma: no cover
                assert_never(event)

    def _receive(self, data: bytes) -> Delta | Finished | Failed | StrayEvent:
        if self._state is not StreamState.OPEN:
            return StrayEvent(data, f"the response has already {self._state.value}")
        if data == DONE_DATA:
            self._advance(Finished)
            return Finished()
        try:
            value = loads(data)
        except JsonError as error:
            return StrayEvent(data, str(error))
        if not isinstance(value, dict):
            return StrayEvent(data, "not a JSON object")
        event = self.accumulator.receive(value)
        self._advance(type(event))
        return event

    def _advance(self, event: type[Delta | Finished | Failed | EndOfInput]) -> None:
        self._state = _TRANSITIONS[self._state, event]
