"""The server's end of a connection, without I/O.

    connection.receive_data(data)
    while (event := connection.next_event()) is not NEED_DATA:
        match event:
            case ListTools():
                write(connection.send(ToolsList(tools)))
            case ToolCall():
                ...  # run it; write(connection.send(CallResult(event.request_id, …)))
            case CancelToolCall():
                ...  # resolve that call, if it is in flight
            case BadMessage():
                write(connection.send(event.answer))
            case EndOfInput():
                ...  # answer what is in flight, then close

Whoever wants to read messages otherwise overrides `make_decoder` or `read_message`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from wireproof_reference.core import Connection, Flaw
from wireproof_reference.framing import EndOfInput, NdjsonDecoder, encode
from wireproof_reference.socket_v1.core._messages import (
    CallResult,
    CancelToolCall,
    ClientMessage,
    ServerMessage,
    ToolCall,
    ToolEvent,
    TransportError,
    message_to_json,
)
from wireproof_reference.socket_v1.core._reading import read_client_message
from wireproof_reference.socket_v1.core._transitions import SERVER_TRANSITIONS

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON

FRAME_LIMIT: Final = 8 * 1024 * 1024
"""Bytes that a frame may have, without its line feed (SOCK-F5, F6)."""


@dataclass(frozen=True, slots=True)
class BadMessage:
    """A line that is not a message that can be carried out.

    Attributes:
        line: Its bytes, or the first of them.
        answer: What a server answers.
    """

    line: bytes
    answer: TransportError


ServerConnectionEvent: TypeAlias = ClientMessage | BadMessage | EndOfInput
"""What a server is told by its connection."""


class ServerState(Enum):
    """Where the connection stands."""

    OPEN = "open"
    FINISHING = "finishing"  # the client sends no more, and waits for results
    FINISHED = "finished"


_STATES: Final = {
    # (the end of input was received, calls are in flight)
    (False, False): ServerState.OPEN,
    (False, True): ServerState.OPEN,
    (True, True): ServerState.FINISHING,
    (True, False): ServerState.FINISHED,
}


class ServerConnection(Connection[ClientMessage | BadMessage, ServerState]):
    """Reads messages, and writes events and results in the order that is allowed.

    Args:
        limit: Bytes that a frame may have, without its line feed.
    """

    def __init__(self, limit: int = FRAME_LIMIT) -> None:
        super().__init__(self.make_decoder(limit), SERVER_TRANSITIONS, _STATES)

    def make_decoder(self, limit: int) -> NdjsonDecoder:
        """The decoder for the client's bytes; blank lines are skipped (SOCK-F3)."""
        return NdjsonDecoder(limit)

    def read_message(self, value: JSON) -> ClientMessage | Flaw:
        """Read a JSON value as a message, or say why it is none."""
        return read_client_message(value)

    def send(self, message: ServerMessage) -> bytes:
        """The bytes of a message, to be written at once.

        Raises:
            LocalProtocolError: It is an event or a result of no call in flight.
            EncodeError: JSON cannot hold the message; nothing has changed then.
        """
        value = message_to_json(message)
        if not isinstance(message, ToolEvent | CallResult):
            return encode(value)
        clause = "SOCK-C2" if isinstance(message, ToolEvent) else "SOCK-C1"
        refusal = f"no call with the id {message.request_id!r} is in flight"
        return self._dump(
            message.request_id, message, value, refusal=refusal, clause=clause
        )

    def _receive_value(self, value: JSON, line: bytes) -> ClientMessage | BadMessage:
        message = self.read_message(value)
        match message:
            case Flaw(detail, request_id):
                return BadMessage(line, TransportError(request_id, detail))
            case ToolCall(request_id) | CancelToolCall(request_id):
                if not self._exchanges.allows(request_id, type(message)):
                    # SOCK-C10
                    detail = "a call with this requestId is in flight"
                    return BadMessage(line, TransportError(request_id, detail))
                self._exchanges.advance(request_id, type(message))
                return message
            case _:
                return message

    def _receive_unusable(self, line: bytes, why: str) -> BadMessage:
        # SOCK-F4, F5, F7
        return BadMessage(line, TransportError(None, why))
