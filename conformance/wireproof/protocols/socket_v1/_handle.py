"""A reached server for a user's own tests: messages, calls, cancelling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.checks import NoAnswer
from wireproof.line import LineHandle, Missing
from wireproof.protocols.socket_v1._connection import Connection
from wireproof.protocols.socket_v1._session import SocketSession
from wireproof_reference.framing import encode
from wireproof_vectors import load_setup

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireproof.checks import Settings, Target
    from wireproof.protocols.socket_v1._requests import Look


class PendingCall:
    """A call in flight."""

    def __init__(
        self, session: SocketSession, request_id: str, name: str, look: Look
    ) -> None:
        """Take over a call that has been sent."""
        self._session = session
        self._id = request_id
        self._name = name
        self._look = look

    @property
    def events(self) -> list[Any]:
        """The events that have come by now, in order."""
        self._session.pump(0)
        return self._session.events_of(self._id)

    def cancel(self) -> None:
        """Send ``cancel_tool_call``; what comes of the call is its ``result``."""
        connection = self._session.current()
        if isinstance(connection, Connection):
            message = {"type": "cancel_tool_call", "protocol": 1, "requestId": self._id}
            self._session.transmit(connection, encode(message), None)

    def result(self) -> Any:
        """Wait for the final frame and return its ``result``, the ToolResult.

        Raises:
            NoAnswer: If no answer comes, or an error frame.
        """
        __tracebackhide__ = True
        answer = self._session.wait_for_final(self._look)
        if isinstance(answer, Missing):
            raise NoAnswer(f"{self._name}: {answer.text}")
        if answer.kind != "tool_result":
            raise NoAnswer(f"{self._name}: {answer.value}")
        return answer.value["result"]


class SocketHandle(LineHandle[SocketSession]):
    """A server that was reached, to be used in a ``with`` block.

    Attributes:
        events: The events of the latest call, in the order in which they came.
    """

    def __init__(self, target: Target, settings: Settings) -> None:
        """Prepare; the server is launched or connected to on entering the block."""
        super().__init__(SocketSession(target, settings, load_setup("socket-v1")))

    @property
    def tools(self) -> Mapping[str, Any]:
        """The tools that the server listed, by name."""
        return self._session.tools

    def request(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Send a message and return its final frame, the whole JSON object.

        Args:
            message: Such as ``{"type": "list_tools", "protocol": 1}``; a call gets an
                id of its own.

        Raises:
            NoAnswer: If none comes.
        """
        __tracebackhide__ = True
        answer = self._session.ask(message)
        if isinstance(answer, Missing):
            raise NoAnswer(f"{message.get('type')}: {answer.text}")
        self.events = self._session.events_of(self._session.last_id)
        frame: dict[str, Any] = answer.value
        return frame

    def call(self, tool_name: str, arguments: Mapping[str, Any]) -> Any:
        """Call a tool and return the ``result`` of its frame, the ToolResult.

        Raises:
            NoAnswer: If no answer comes, or an error frame.
        """
        __tracebackhide__ = True
        pending = self.start(tool_name, arguments)
        result = pending.result()
        self.events = pending.events
        return result

    def start(self, tool_name: str, arguments: Mapping[str, Any]) -> PendingCall:
        """Send a call and return it while it is in flight.

        Raises:
            NoAnswer: If there is no connection.
        """
        __tracebackhide__ = True
        message = {
            "type": "tool_call",
            "protocol": 1,
            "toolName": tool_name,
            "arguments": dict(arguments),
        }
        look = self._session.put(message)
        if isinstance(look, Missing):
            raise NoAnswer(f"{tool_name}: {look.text}")
        return PendingCall(self._session, self._session.last_id, tool_name, look)
