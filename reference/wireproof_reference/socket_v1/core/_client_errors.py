"""How a call to a server fails.

::

    WireproofReferenceError
    ├── SocketError
    │   ├── ToolCallFailed    the call came to a result that is a failure
    │   ├── MessageRefused    the server could make nothing of our message
    │   ├── CallTimeout       the server did not answer in time
    │   └── ServerLost        the server cannot be reached, or not any more
    └── ProtocolError
        └── RemoteProtocolError    the server's answer is no message
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from wireproof_reference import _errors

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON
    from wireproof_reference.socket_v1.core._results import ErrorCode, ToolResult


class SocketError(_errors.WireproofReferenceError):
    """A call has failed for a reason that lies with the server or its tool."""


class ToolCallFailed(SocketError):
    """The call came to a result that is a failure.

    Attributes:
        tool_name: What was called.
        code: Why it failed.
        message: What went wrong, in the server's or the tool's words.
        details: More about it, or None.
        result: The whole envelope.
    """

    def __init__(self, tool_name: str, result: ToolResult) -> None:
        self.tool_name = tool_name
        self.code = cast("ErrorCode", result.error["code"])
        self.message = cast("str", result.error["message"])
        self.details: JSON = result.error.get("details")
        self.result = result
        super().__init__(f"{tool_name}: {self.code}: {self.message}")


class MessageRefused(SocketError):
    """The server could make nothing of our message (SOCK-M8).

    Attributes:
        code: The code, in the server's words.
        message: What was wrong, in the server's words.
    """

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        self.message = message
        super().__init__(f"{code}: {message}")


class CallTimeout(_errors.CallTimeout, SocketError):
    """The server did not answer in the time that we wait."""


class ServerLost(SocketError):
    """The server cannot be reached, or not any more.

    Attributes:
        path: The socket.
        reason: What happened, in a few words.
    """

    def __init__(self, path: str, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"the server at {path} {reason}")
