"""Exec tools without I/O: what is sent, what is answered, how a call fails."""

from wireproof_reference.core import ClientState, Flaw, Malformed, StrayLine
from wireproof_reference.exec.core._binding import Binding, Mode
from wireproof_reference.exec.core._connection import (
    ToolConnection,
    ToolConnectionEvent,
)
from wireproof_reference.exec.core._errors import (
    BadAnswer,
    BadArguments,
    CallTimeout,
    ExecError,
    RuntimeClosed,
    ToolExited,
    ToolNotStarted,
    ToolReported,
    UnknownTool,
)
from wireproof_reference.exec.core._messages import (
    Answer,
    Execute,
    Failure,
    Result,
    oneshot_input,
    read_oneshot_output,
)

__all__ = [
    "Answer",
    "BadAnswer",
    "BadArguments",
    "Binding",
    "CallTimeout",
    "ClientState",
    "ExecError",
    "Execute",
    "Failure",
    "Flaw",
    "Malformed",
    "Mode",
    "Result",
    "RuntimeClosed",
    "StrayLine",
    "ToolConnection",
    "ToolConnectionEvent",
    "ToolExited",
    "ToolNotStarted",
    "ToolReported",
    "UnknownTool",
    "oneshot_input",
    "read_oneshot_output",
]
