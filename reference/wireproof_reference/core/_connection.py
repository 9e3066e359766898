"""One end of a connection: bytes in, events out, and what is in flight.

Theory of operation: the decoder turns bytes into lines.  A line that holds a value goes
to `_receive_value`, any other to `_receive_unusable`, and what these make of it is the
event.  Each end of each protocol brings these two, its table of transitions, its table
of states, and a `send` that writes by `_dump`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar, assert_never

from wireproof_reference._errors import LocalProtocolError
from wireproof_reference.core._exchanges import Exchanges
from wireproof_reference.framing import (
    END_OF_INPUT,
    BadLine,
    BlankLine,
    EndOfInput,
    Frame,
    NeedData,
    Oversize,
    Unterminated,
    encode,
    why_unusable,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireproof_reference.core._exchanges import Transitions
    from wireproof_reference.framing import JSON, JSONObject, NdjsonDecoder

EventT = TypeVar("EventT")
StateT = TypeVar("StateT")


@dataclass(frozen=True, slots=True)
class Flaw:
    """Why a JSON value is not the message that it should be.

    Attributes:
        detail: What is wrong.
        id: The id that the value has, if it can be read.
        type: The kind of error that a host of host-v1 answers with.
    """

    detail: str
    id: str | None = None
    type: str = "InvalidMessage"


class Connection(ABC, Generic[EventT, StateT]):
    """What every end of a connection has.

    Args:
        decoder: Makes lines of the peer's bytes.
        transitions: What may follow what under an id.
        states: Where the connection stands, by whether the peer sends no more and
            whether anything is in flight.
    """

    def __init__(
        self,
        decoder: NdjsonDecoder,
        transitions: Transitions,
        states: Mapping[tuple[bool, bool], StateT],
    ) -> None:
        self._decoder = decoder
        self._exchanges = Exchanges(transitions)
        self._states = states
        self._ended = False

    @property
    def state(self) -> StateT:
        """Where the connection stands."""
        return self._states[self._ended, bool(self._exchanges)]

    @property
    def in_flight(self) -> frozenset[str]:
        """The ids of what waits for its answer."""
        return self._exchanges.in_flight

    def receive_data(self, data: bytes) -> None:
        """Take in bytes from the peer; call `next_event` afterwards."""
        self._decoder.receive_data(data)

    def receive_eof(self) -> None:
        """Take in the end of the peer's output; call `next_event` afterwards."""
        self._decoder.receive_eof()

    def next_event(self) -> EventT | EndOfInput | NeedData:
        """What has come next, in the order of the bytes."""
        event = self._decoder.next_event()
        match event:
            case Frame(value, line):
                return self._receive_value(value, line)
            case NeedData():
                return event
            case BadLine() | BlankLine() | Oversize() | Unterminated():
                return self._receive_unusable(*why_unusable(event))
            case EndOfInput():
                self._ended = True
                return END_OF_INPUT
            case _:  # pragma: no cover
                assert_never(event)

    def _dump(
        self,
        request_id: str,
        message: object,
        value: JSONObject,
        *,
        refusal: str,
        clause: str | None = None,
    ) -> bytes:
        """The bytes of a message that may come next under its id; it counts as sent."""
        if not self._exchanges.allows(request_id, type(message)):
            raise LocalProtocolError(refusal, clause=clause)
        data = encode(value)
        self._exchanges.advance(request_id, type(message))
        return data

    @abstractmethod
    def _receive_value(self, value: JSON, line: bytes) -> EventT:
        """Make an event of a line that holds a value."""

    @abstractmethod
    def _receive_unusable(self, line: bytes, why: str) -> EventT:
        """Make an event of a line that holds none."""
