"""The client's end of a connection, without I/O.

    write(connection.send(Request(new_id(), "execute_tool", params)))
    ...
    connection.receive_data(data)
    while (event := connection.next_event()) is not NEED_DATA:
        ...

What is reported beside messages, `ClientEnd` says.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias, assert_never

from wireproof_reference._errors import LocalProtocolError
from wireproof_reference.core import ClientEnd, Flaw, Malformed, StrayLine
from wireproof_reference.framing import EndOfInput, NdjsonDecoder
from wireproof_reference.host_v1.core._messages import (
    Event,
    Failure,
    HostMessage,
    Request,
    Success,
    message_to_json,
    read_host_message,
    read_request,
)
from wireproof_reference.host_v1.core._transitions import CLIENT_TRANSITIONS

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON

_METHOD: Final = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")

ClientConnectionEvent: TypeAlias = HostMessage | Malformed | StrayLine | EndOfInput
"""What a client is told by its connection."""


class ClientConnection(ClientEnd[HostMessage]):
    """Writes requests, and reads what answers them."""

    def __init__(self) -> None:
        super().__init__(NdjsonDecoder(), CLIENT_TRANSITIONS)

    def send(self, request: Request) -> bytes:
        """The bytes of a request, to be written at once.

        Raises:
            LocalProtocolError: The id is in flight, the method is not in snake_case, or
                the host sends no more.
            EncodeError: JSON cannot hold the params; nothing has changed then.
        """
        if self._ended:
            raise LocalProtocolError("the host sends no more")
        if not _METHOD.fullmatch(request.method):
            detail = f"the method {request.method!r} is not in snake_case"
            raise LocalProtocolError(detail, clause="HV1-C1")
        refusal, value = f"the id {request.id!r} is in flight", message_to_json(request)
        return self._dump(request.id, request, value, refusal=refusal, clause="HV1-C1")

    def _receive_value(
        self, value: JSON, line: bytes
    ) -> HostMessage | Malformed | StrayLine:
        message = read_host_message(value)
        match message:
            case Success(request_id) | Event(request_id):
                pass
            case Failure(request_id) | Flaw(id=request_id):
                if request_id is None:
                    return StrayLine(line, "no id")
            case _:  # pragma: no cover
                assert_never(message)
        if isinstance(message, Flaw):
            if isinstance(read_request(value), Request):
                # HV1-C8: a host that echoes its input sends back ids in flight too.
                return StrayLine(line, "a request")
            if request_id not in self._exchanges.in_flight:
                return StrayLine(line, message.detail)
            self.forget(request_id)
            return Malformed(request_id, message.detail, line)
        if not self._exchanges.allows(request_id, type(message)):
            return StrayLine(line, f"no request with the id {request_id!r}")
        self._exchanges.advance(request_id, type(message))
        return message
