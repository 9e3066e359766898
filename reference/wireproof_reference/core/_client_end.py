"""The client's end of a connection of any line protocol, without I/O.

Only what answers something in flight is reported as a message.  Anything else is
stray: a log line, an answer that came too late, a message under an id never used.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeVar

from wireproof_reference.core._connection import Connection

if TYPE_CHECKING:
    from wireproof_reference.core._exchanges import Transitions
    from wireproof_reference.framing import NdjsonDecoder

MessageT = TypeVar("MessageT")


@dataclass(frozen=True, slots=True)
class Malformed:
    """What should answer something in flight, and is no message; that is over.

    Attributes:
        request_id: The id of what is over.
        detail: What is wrong with the answer.
        line: Its bytes.
    """

    request_id: str
    detail: str
    line: bytes


@dataclass(frozen=True, slots=True)
class StrayLine:
    """A line that answers nothing in flight, to be skipped (HV1-C8).

    Attributes:
        line: Its bytes, or the first of them.
        detail: Why it is stray.
    """

    line: bytes
    detail: str


class ClientState(Enum):
    """Where the connection stands."""

    OPEN = "open"
    ENDED = "ended"  # the peer sends no more


_STATES: Final = {
    # (the peer sends no more, something is in flight)
    (False, False): ClientState.OPEN,
    (False, True): ClientState.OPEN,
    (True, True): ClientState.ENDED,
    (True, False): ClientState.ENDED,
}


class ClientEnd(Connection[MessageT | Malformed | StrayLine, ClientState]):
    """What the client's end has, whatever it sends.

    Args:
        decoder: Makes lines of the peer's bytes.
        transitions: What may follow what under an id.
    """

    def __init__(self, decoder: NdjsonDecoder, transitions: Transitions) -> None:
        super().__init__(decoder, transitions, _STATES)

    def forget(self, request_id: str) -> None:
        """Wait for this id no longer: what still comes under it is stray (HV1-C9)."""
        self._exchanges.forget(request_id)

    def _receive_unusable(self, line: bytes, why: str) -> StrayLine:
        return StrayLine(line, why)
