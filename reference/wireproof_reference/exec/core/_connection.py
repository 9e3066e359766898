"""The runtime's end of a connection to a server tool, without I/O.

    write(connection.send(Execute(next(ids), args)))
    ...
    connection.receive_data(data)
    while (event := connection.next_event()) is not NEED_DATA:
        ...

What is reported beside answers, `ClientEnd` says: an answer under an id that is not in
flight is stray, so that no call ever gets that of another (EXEC-R11).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias, assert_never

from wireproof_reference._errors import LocalProtocolError
from wireproof_reference.core import ClientEnd, Flaw, Malformed, Phase, StrayLine
from wireproof_reference.exec.core._messages import (
    Execute,
    Failure,
    Result,
    execute_to_json,
    read_response,
)
from wireproof_reference.framing import DEFAULT_LIMIT, EndOfInput, NdjsonDecoder

if TYPE_CHECKING:
    from wireproof_reference.core import Transitions
    from wireproof_reference.framing import JSON

ToolConnectionEvent: TypeAlias = Result | Failure | Malformed | StrayLine | EndOfInput
"""What a runtime is told by its connection to a server tool."""

_TRANSITIONS: Final[Transitions] = {
    (Phase.IDLE, Execute): +1,
    (Phase.IN_FLIGHT, Result): -1,
    (Phase.IN_FLIGHT, Failure): -1,
}


class ToolConnection(ClientEnd[Result | Failure]):
    """Writes calls, and reads what answers them.

    Args:
        limit: Bytes that a line of the tool may have.
    """

    def __init__(self, limit: int = DEFAULT_LIMIT) -> None:
        # A flood of blank lines is one of stray lines.
        super().__init__(NdjsonDecoder(limit, blank_lines="report"), _TRANSITIONS)

    def send(self, call: Execute) -> bytes:
        """The bytes of a call, to be written at once.

        Raises:
            LocalProtocolError: The id is in flight, or the tool sends no more.
            EncodeError: JSON cannot hold the arguments; nothing has changed then.
        """
        if self._ended:
            raise LocalProtocolError("the tool sends no more")
        refusal, value = f"the id {call.id} is in flight", execute_to_json(call)
        return self._dump(str(call.id), call, value, refusal=refusal, clause="EXEC-R2")

    def _receive_value(
        self, value: JSON, line: bytes
    ) -> Result | Failure | Malformed | StrayLine:
        message = read_response(value)
        if message.id is None:
            return self._receive_without_id(message, line)
        request_id = str(message.id)
        if request_id not in self._exchanges:
            return StrayLine(line, f"no call with the id {request_id}")
        match message:
            case Flaw(detail):
                self.forget(request_id)
                return Malformed(request_id, detail, line)
            case Result() | Failure():
                self._exchanges.advance(request_id, type(message))
                return message
            case _:  # pragma: no cover
                assert_never(message)

    def _receive_without_id(
        self, message: Result | Failure | Flaw, line: bytes
    ) -> Malformed | StrayLine:
        in_flight = self._exchanges.in_flight
        # A server that cannot read a request answers so, and answers it no more.
        if isinstance(message, Failure) and len(in_flight) == 1:
            (request_id,) = in_flight
            self.forget(request_id)
            detail = f"could not read the call: {message.message}"
            return Malformed(request_id, detail, line)
        return StrayLine(line, "no id")
