"""How a call of an exec tool fails.

::

    WireproofReferenceError
    └── ExecError
        ├── ToolReported     the tool says that it has failed
        ├── CallTimeout      the tool did not answer in time
        ├── ToolExited       the process ended without an answer
        ├── BadAnswer        what it wrote is no answer
        ├── ToolNotStarted   the process could not be started
        ├── BadArguments     the arguments break the tool's schema; nothing was run
        ├── UnknownTool      nothing is bound to the name
        └── RuntimeClosed    the runtime was closed before there was an answer
"""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from wireproof_reference import _errors

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON


class ExecError(_errors.WireproofReferenceError):
    """A call has failed.

    Attributes:
        tool: The name of the tool.
        detail: What happened, in a few words.
        stderr: The end of what the process wrote to stderr; may be empty.
    """

    def __init__(self, tool: str, detail: str, stderr: str = "") -> None:
        self.tool = tool
        self.detail = detail
        self.stderr = stderr
        quoted = f"; its stderr ends with: {stderr}" if stderr else ""
        super().__init__(f"{tool} {detail}{quoted}")


class ToolReported(ExecError):
    """The tool says that it has failed (EXEC-R4).

    Attributes:
        message: What it says.
        code: The code that a server gives, or None.
        data: What else a server gives, or None.
    """

    def __init__(
        self, tool: str, message: str, code: int | None = None, data: JSON = None
    ) -> None:
        self.message = message
        self.code = code
        self.data = data
        super().__init__(tool, f"failed: {message}" if message else "failed")


class CallTimeout(_errors.CallTimeout, ExecError):
    """The tool did not answer in time, and was killed (EXEC-R8, EXEC-R20).

    Attributes:
        timeout_ms: How many milliseconds it had.
    """

    def __init__(self, tool: str, timeout_ms: int, stderr: str = "") -> None:
        self.timeout_ms = timeout_ms
        self.what, self.seconds = tool, timeout_ms / 1000
        ExecError.__init__(self, tool, f"timed out after {timeout_ms} ms", stderr)


class ToolExited(ExecError):
    """The process ended without an answer, or with another status than 0 (EXEC-R5).

    Attributes:
        status: Its exit status, negative for a signal.
    """

    def __init__(self, tool: str, status: int, stderr: str = "") -> None:
        self.status = status
        super().__init__(tool, _status_text(status), stderr)


class BadAnswer(ExecError):
    """What the process wrote is no answer (EXEC-R5, EXEC-R15)."""


class ToolNotStarted(ExecError):
    """The process could not be started (EXEC-R18).

    Attributes:
        command: The command of its binding.
    """

    def __init__(self, tool: str, command: str, why: str) -> None:
        self.command = command
        super().__init__(tool, f"cannot be started: {command!r}: {why}")


class BadArguments(ExecError):
    """The arguments break the tool's schema, or are no JSON; nothing was run."""


class UnknownTool(ExecError):
    """Nothing is bound to the name."""

    def __init__(self, tool: str) -> None:
        super().__init__(tool, "is bound to nothing")


class RuntimeClosed(ExecError):
    """The runtime, or the tool alone, was closed before the call had its answer."""

    def __init__(self, tool: str) -> None:
        super().__init__(tool, "was closed before it answered")


def _status_text(status: int) -> str:
    if status >= 0:
        return f"exited with status {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:  # a real-time signal has no name
        return f"was ended by signal {-status}"
