"""The host's end of a connection, without I/O.

    connection.receive_data(data)
    while (event := connection.next_event()) is not NEED_DATA:
        match event:
            case Request():
                ...  # carry it out; write(connection.send(Success(event.id, value)))
            case BadRequest():
                write(connection.send(event.answer))
            case EndOfInput():
                ...  # answer what is in flight, then exit with status 0

Whoever wants to read requests otherwise overrides `make_decoder` or `read_request`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias, assert_never

from wireproof_reference.core import Connection, Flaw
from wireproof_reference.framing import EndOfInput, NdjsonDecoder, encode
from wireproof_reference.host_v1.core._messages import (
    Event,
    Failure,
    HostMessage,
    Request,
    message_to_json,
    read_request,
)
from wireproof_reference.host_v1.core._transitions import HOST_TRANSITIONS

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON


@dataclass(frozen=True, slots=True)
class BadRequest:
    """A line that is not a request that can be carried out.

    Attributes:
        line: Its bytes, or the first of them.
        answer: What a host may answer.
    """

    line: bytes
    answer: Failure


HostConnectionEvent: TypeAlias = Request | BadRequest | EndOfInput
"""What a host is told by its connection."""


class HostState(Enum):
    """Where the connection stands."""

    OPEN = "open"
    FINISHING = "finishing"  # the client sends no more, and waits for answers
    FINISHED = "finished"


_STATES: Final = {
    # (the end of input was received, requests are in flight)
    (False, False): HostState.OPEN,
    (False, True): HostState.OPEN,
    (True, True): HostState.FINISHING,
    (True, False): HostState.FINISHED,
}


class HostConnection(Connection[Request | BadRequest, HostState]):
    """Reads requests and writes responses and events, in the order that is allowed."""

    def __init__(self) -> None:
        super().__init__(self.make_decoder(), HOST_TRANSITIONS, _STATES)

    def make_decoder(self) -> NdjsonDecoder:
        """The decoder for the client's bytes; blank lines are skipped (HV1-T6)."""
        return NdjsonDecoder()

    def read_request(self, value: JSON) -> Request | Flaw:
        """Read a JSON value as a request, or say why it is none."""
        return read_request(value)

    def send(self, message: HostMessage) -> bytes:
        """The bytes of a response or event, to be written at once.

        Raises:
            LocalProtocolError: No request with this id is in flight.
            EncodeError: JSON cannot hold the message; nothing has changed then.
        """
        request_id = message.id
        # HV1-T8: this answers a line that has no id to be in flight.
        if request_id is None:
            return encode(message_to_json(message))
        clause = "HV1-E1" if isinstance(message, Event) else "HV1-M3"
        refusal = f"no request with the id {request_id!r} is in flight"
        value = message_to_json(message)
        return self._dump(request_id, message, value, refusal=refusal, clause=clause)

    def _receive_value(self, value: JSON, line: bytes) -> Request | BadRequest:
        request = self.read_request(value)
        match request:
            case Request():
                self._exchanges.advance(request.id, Request)
                return request
            case Flaw(detail, request_id, type_):
                if request_id is not None:
                    self._exchanges.advance(request_id, Request)
                return BadRequest(line, Failure(request_id, type_, detail))
            case _:  # pragma: no cover
                assert_never(request)

    def _receive_unusable(self, line: bytes, why: str) -> BadRequest:
        # HV1-T7, HV1-T13, HV1-T14
        return BadRequest(line, Failure(None, "InvalidRequest", why))
