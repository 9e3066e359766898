"""A reached server for a user's own tests: messages, calls, cancelling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.checks import NoAnswer
from wireproof.patterns import is_object
from wireproof.run import EngineHandle

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wireproof.conversation import Key
    from wireproof.judge import Reason
    from wireproof.protocols.socket_v1._driver import SocketDriver
    from wireproof.run import Request, Runner


class PendingCall:
    """A call in flight."""

    def __init__(self, handle: SocketHandle, request: Request, key: Key) -> None:
        """Take over a call that has been sent."""
        self._handle = handle
        self._request = request
        self._key = key

    @property
    def events(self) -> list[Any]:
        """The events that have come by now, in order."""
        return self._handle.events_of(self._request)

    def cancel(self) -> None:
        """Send ``cancel_tool_call``; what comes of the call is its ``result``."""
        request_id = self._request.message["requestId"]
        message = {"type": "cancel_tool_call", "protocol": 1, "requestId": request_id}
        self._handle.put(self._request._replace(message=message))

    def result(self) -> Any:
        """Wait for the final frame and return its ``result``, the ToolResult.

        Raises:
            NoAnswer: If no answer comes, or an error frame.
        """
        __tracebackhide__ = True
        frame = self._handle.answer_to(self._request, self._key)
        if frame["type"] != "tool_result":
            raise NoAnswer(f"{self._request.message['toolName']}: {frame}")
        return frame["result"]


class SocketHandle(EngineHandle):
    """A server that was reached, to be used in a ``with`` block.

    Attributes:
        events: The events of the latest call, in the order in which they came.
    """

    def __init__(
        self, driver: SocketDriver, runner: Runner, sentence: Callable[[Reason], str]
    ) -> None:
        """Prepare; the server is launched or connected to on entering the block."""
        super().__init__(runner, sentence)
        self._driver = driver
        self.events: list[Any] = []

    @property
    def tools(self) -> Mapping[str, Any]:
        """The tools that the server listed, by name."""
        return self._driver.tools

    def request(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Send a message and return its final frame, the whole JSON object.

        Args:
            message: Such as ``{"type": "list_tools", "protocol": 1}``; a call gets an
                id of its own.

        Raises:
            NoAnswer: If none comes.
        """
        __tracebackhide__ = True
        request = self._driver.any_request(message)
        frame: dict[str, Any] = self.answer_to(request, self.put(request))
        self.events = self.events_of(request)
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
        request = self._driver.any_request(message)
        return PendingCall(self, request, self.put(request))

    def put(self, request: Request) -> Key:
        """Send a request and do not wait for its answer.

        Raises:
            NoAnswer: If there is no connection.
        """
        __tracebackhide__ = True
        key = self._runner.put(request)
        if key is None:
            raise NoAnswer(f"{_name(request)}: the server cannot be reached")
        return key

    def answer_to(self, request: Request, key: Key) -> Any:
        """Wait for the final frame of a request that was put.

        Raises:
            NoAnswer: If none comes.
        """
        __tracebackhide__ = True
        return self._value(self._runner.answer_to(request, key), _name(request))

    def events_of(self, request: Request) -> list[Any]:
        """Return the events of a call that have come by now, in order."""
        key = request.message.get("requestId")
        return [
            frame["event"]
            for sent, frame in self._runner.log
            if is_object(sent) and sent.get("requestId") == key and "event" in frame
        ]


def _name(request: Request) -> str:
    name: str = request.message.get("toolName", request.message["type"])
    return name
