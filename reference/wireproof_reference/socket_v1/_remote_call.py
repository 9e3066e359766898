"""A call in flight: what has come of it, and who waits for it."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Protocol, TypeAlias

import anyio

from wireproof_reference._errors import RemoteProtocolError
from wireproof_reference.socket_v1.core import (
    CallTimeout,
    SocketError,
    ToolCall,
    ToolCallFailed,
    ToolResult,
    ToolsList,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from wireproof_reference.framing import JSONObject

Outcome: TypeAlias = ToolResult | ToolsList | SocketError | RemoteProtocolError
"""What comes of a message; errors are not raised yet."""


class Pending:
    """A message that waits for its answer.

    Attributes:
        events: What has come before the answer and was not taken yet.
        outcome: The answer, or None so far.
    """

    def __init__(self) -> None:
        self.events: deque[JSONObject] = deque()
        self.outcome: Outcome | None = None
        self._news = anyio.Event()

    def add_event(self, event: JSONObject) -> None:
        """Take in an event."""
        self.events.append(event)
        self._tell()

    def finish(self, outcome: Outcome) -> None:
        """Take in the answer."""
        # An answer stands, even if the server is lost before anyone has seen it.
        if self.outcome is None:
            self.outcome = outcome
            self._tell()

    async def wait(self) -> None:
        """Wait until there is something to take."""
        while not self.events and self.outcome is None:
            await self._news.wait()

    def _tell(self) -> None:
        self._news.set()
        self._news = anyio.Event()


class CallingClient(Protocol):
    """Whoever has sent a call."""

    def cancel(self, request_id: str) -> None:
        """Tell the server to end a call; nothing happens where it is over."""

    def forget(self, request_id: str) -> None:
        """Wait for a call no longer: what still comes of it is nobody's."""


class RemoteCall:
    """A call in flight; take its events, then its result.

    Attributes:
        request_id: Names the call on its connection.
        tool_name: What is called.
    """

    def __init__(
        self, client: CallingClient, message: ToolCall, pending: Pending, within: float
    ) -> None:
        self.request_id = message.request_id
        self.tool_name = message.tool_name
        self._client = client
        self._pending = pending
        self._within = within
        self._deadline = anyio.current_time() + within

    async def events(self) -> AsyncIterator[JSONObject]:
        """The events as they come, until the call is over.

        Raises:
            CallTimeout: The call did not end in time.
        """
        while await self._wait():
            yield self._pending.events.popleft()

    async def result(
        self, on_event: Callable[[JSONObject], None] | None = None
    ) -> ToolResult:
        """Wait for the result.

        Args:
            on_event: Called with each event that was not taken yet, as it comes.

        Raises:
            ToolCallFailed: The call failed.
            MessageRefused: The server could make nothing of it.
            CallTimeout: It did not end in time; the server was told to cancel it.
            ServerLost: The connection is closed.
            RemoteProtocolError: The server's answer is no message.
        """
        while await self._wait():
            event = self._pending.events.popleft()
            if on_event is not None:
                on_event(event)
        match self._pending.outcome:
            case ToolResult(ok=True) as result:
                return result
            case ToolResult() as result:
                raise ToolCallFailed(self.tool_name, result)
            case SocketError() | RemoteProtocolError() as error:
                raise error
            case _:  # pragma: no cover  # no other outcome is given to a call
                raise AssertionError

    def cancel(self) -> None:
        """Tell the server to end the call; its result says that it did."""
        self._client.cancel(self.request_id)

    async def _wait(self) -> bool:
        """Wait for an event; false when the call is over and all were taken."""
        try:
            with anyio.CancelScope(deadline=self._deadline):
                await self._pending.wait()
                return bool(self._pending.events)
        except BaseException:
            self._give_up()
            raise
        self._give_up()
        raise CallTimeout(self.tool_name, self._within)

    def _give_up(self) -> None:
        self._client.cancel(self.request_id)
        self._client.forget(self.request_id)
