"""The tool contract: a registry of tools, and what is made of their results.

`ToolRegistry.execute_parallel` carries out the calls of a turn at once; `READ_FILE` and
`WRITE_FILE` are two tools to begin with.
"""

from wireproof_reference.tool_contract._context import (
    AbortSignal,
    ReadRecord,
    ToolContext,
)
from wireproof_reference.tool_contract._files import READ_FILE, WRITE_FILE
from wireproof_reference.tool_contract._registry import (
    ABORT_GRACE,
    Call,
    CallOutcome,
    NameTaken,
    ToolRegistry,
)
from wireproof_reference.tool_contract._subject import ToolContractSubject, subject
from wireproof_reference.tool_contract._tool import Tool
from wireproof_reference.tool_contract.core import (
    CODES,
    DEFAULT_TURN_BUDGET,
    Failure,
    MalformedResult,
    ProgressEvent,
    Reducer,
    ReducerContext,
    ReducerRegistry,
    ReducerTaken,
    Success,
    ToolFilter,
    ToolResult,
    progress_event,
    sanitize_untrusted,
    visible_on,
    wrap_untrusted,
)

__all__ = [
    "ABORT_GRACE",
    "CODES",
    "DEFAULT_TURN_BUDGET",
    "READ_FILE",
    "WRITE_FILE",
    "AbortSignal",
    "Call",
    "CallOutcome",
    "Failure",
    "MalformedResult",
    "NameTaken",
    "ProgressEvent",
    "ReadRecord",
    "Reducer",
    "ReducerContext",
    "ReducerRegistry",
    "ReducerTaken",
    "Success",
    "Tool",
    "ToolContext",
    "ToolContractSubject",
    "ToolFilter",
    "ToolRegistry",
    "ToolResult",
    "progress_event",
    "sanitize_untrusted",
    "subject",
    "visible_on",
    "wrap_untrusted",
]
