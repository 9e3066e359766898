"""The client's end of a connection, without I/O.

    write(connection.send(ToolCall(new_id(), "search", {"query": "wire"})))
    ...
    connection.receive_data(data)
    while (event := connection.next_event()) is not NEED_DATA:
        ...

What is reported beside messages, `ClientEnd` says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias, assert_never

from wireproof_reference._errors import LocalProtocolError
from wireproof_reference.core import ClientEnd, Flaw, Malformed, StrayLine
from wireproof_reference.framing import EndOfInput, NdjsonDecoder, encode
from wireproof_reference.socket_v1.core._messages import (
    CallResult,
    CancelToolCall,
    ClientMessage,
    ListTools,
    ServerMessage,
    ToolCall,
    ToolEvent,
    ToolsList,
    TransportError,
    message_to_json,
)
from wireproof_reference.socket_v1.core._reading import read_server_message
from wireproof_reference.socket_v1.core._transitions import CLIENT_TRANSITIONS

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON

RESULT_LIMIT: Final = 64 * 1024 * 1024
"""Bytes that a frame from the server may have; a result may outgrow a request."""

ClientConnectionEvent: TypeAlias = ServerMessage | Malformed | StrayLine | EndOfInput
"""What a client is told by its connection."""


class ClientConnection(ClientEnd[ServerMessage]):
    """Writes messages, and reads what answers them.

    Args:
        limit: Bytes that a frame from the server may have, without its line feed.
    """

    def __init__(self, limit: int = RESULT_LIMIT) -> None:
        super().__init__(NdjsonDecoder(limit), CLIENT_TRANSITIONS)
        self._lists = 0

    @property
    def lists_in_flight(self) -> int:
        """How many `list_tools` wait for their list."""
        return self._lists

    def send(self, message: ClientMessage) -> bytes:
        """The bytes of a message, to be written at once.

        Raises:
            LocalProtocolError: The id of a call is in flight, that of a cancel is not,
                or the server sends no more.
            EncodeError: JSON cannot hold the arguments; nothing has changed then.
        """
        if self._ended:
            raise LocalProtocolError("the server sends no more")
        value = message_to_json(message)
        match message:
            case ListTools():
                data = encode(value)
                self._lists += 1
                return data
            case ToolCall(id_):
                refusal, clause = f"the id {id_!r} is in flight", "SOCK-C10"
                return self._dump(id_, message, value, refusal=refusal, clause=clause)
            case CancelToolCall(id_):
                refusal = f"the id {id_!r} is not in flight"
                return self._dump(id_, message, value, refusal=refusal)
            case _:  # pragma: no cover
                assert_never(message)

    def _receive_value(
        self, value: JSON, line: bytes
    ) -> ServerMessage | Malformed | StrayLine:
        message = read_server_message(value)
        match message:
            case ToolsList():
                if not self._lists:
                    return StrayLine(line, "no list was asked for")
                self._lists -= 1
                return message
            case TransportError(request_id):
                # It may answer a message that was no call.
                if request_id is not None and request_id in self._exchanges:
                    self._exchanges.advance(request_id, TransportError)
                return message
            case Flaw(detail, request_id):
                if request_id is None or request_id not in self._exchanges:
                    return StrayLine(line, detail)
                self.forget(request_id)
                return Malformed(request_id, detail, line)
            case ToolEvent(request_id) | CallResult(request_id):
                if not self._exchanges.allows(request_id, type(message)):
                    return StrayLine(line, f"no call with the id {request_id!r}")
                self._exchanges.advance(request_id, type(message))
                return message
            case _:  # pragma: no cover
                assert_never(message)
