"""A call to a host, from its request to what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import anyio

from wireproof_reference._errors import RemoteProtocolError
from wireproof_reference.framing import JSONObject
from wireproof_reference.host_v1.core import HostError

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON
    from wireproof_reference.host_v1.core import Request


@dataclass(frozen=True, slots=True)
class Reply:
    """What a method gave.

    Attributes:
        value: Its value.
        state: The state that came with it, or None.
    """

    value: JSON
    state: JSONObject | None


@dataclass(frozen=True, slots=True)
class Execution:
    """What a tool gave.

    Attributes:
        chunks: `{"part": payload}` for each part that it streamed (HV1-C3).
        result: `{"success": true, "result": …}` or `{"success": false, "error": …}`.
        state: The client's state when the response had come.
    """

    chunks: tuple[JSONObject, ...]
    result: JSON
    state: JSONObject


@dataclass(frozen=True, slots=True)
class Answer:
    """A success, and the client's state when it had come."""

    reply: Reply
    client_state: JSONObject


Outcome: TypeAlias = Answer | HostError | RemoteProtocolError
"""What comes of a call; errors are not raised yet."""


@dataclass(slots=True, eq=False)
class Call:
    """A request in flight, and what has come for it.

    Attributes:
        request: The request.
        seconds: How long it may take.
        deadline: When that is over, by the clock of the event loop.
        chunks: What it has streamed.
        outcome: What came of it, or None so far.
        news: Set when something comes.
    """

    request: Request
    seconds: float
    deadline: float
    chunks: list[JSONObject] = field(default_factory=list[JSONObject])
    outcome: Outcome | None = None
    news: anyio.Event = field(default_factory=anyio.Event)

    def finish(self, outcome: Outcome) -> None:
        """Keep what came of it."""
        # An answer stands, even if the host is lost before the caller has seen it.
        if self.outcome is None:
            self.outcome = outcome
            self.news.set()

    def add_chunk(self, chunk: JSONObject) -> None:
        """Keep what it has streamed."""
        self.chunks.append(chunk)
        self.news.set()
