"""What a tool is, and what it is given; no protocol's own words in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from wireproof_reference._errors import WireproofReferenceError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from wireproof_reference.framing import JSON, JSONObject


class ToolFailure(WireproofReferenceError):
    """A tool reports that it could not do what was asked.

    Any other exception that leaves a tool is a fault of the tool.

    Attributes:
        message: Exactly what the caller is told.
        code: A code, for a protocol that has one.
        details: More about it, for a protocol that has room for that.
    """

    def __init__(
        self, message: str, *, code: str = "TOOL_FAILED", details: JSON = None
    ) -> None:
        self.message = message
        self.code = code
        self.details = details
        super().__init__(message)


class ToolContext(Protocol):
    """What a running tool may use of the protocol that called it."""

    @property
    def state(self) -> JSONObject:
        """The tool state; a change to it is kept as the protocol keeps state."""
        ...

    async def emit(self, payload: JSON) -> None:
        """Send one event of this call to the caller, now."""
        ...


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that a host offers.

    Attributes:
        name: What it is called by.
        description: A sentence for whoever chooses among tools.
        parameters: JSON Schema of its arguments.
        run: Takes the arguments and the context, and returns the result.
    """

    name: str
    description: str
    parameters: JSONObject
    run: Callable[[JSONObject, ToolContext], Awaitable[JSON]]
