"""What the tool contract says, without any I/O."""

from wireproof_reference.tool_contract.core._filters import ToolFilter, mcp_server_of
from wireproof_reference.tool_contract.core._progress import (
    AUDIENCES,
    ProgressEvent,
    progress_event,
    visible_on,
)
from wireproof_reference.tool_contract.core._reducers import (
    Reducer,
    ReducerContext,
    ReducerRegistry,
    ReducerTaken,
)
from wireproof_reference.tool_contract.core._results import (
    CODES,
    DEFAULT_TURN_BUDGET,
    EXECUTION_FAILED,
    INPUT_INVALID,
    NOT_AVAILABLE,
    STALE_WRITE,
    Failure,
    MalformedResult,
    Success,
    ToolResult,
    budget_of_call,
    cap_of,
    read_result,
    result_as_json,
    truncated,
)
from wireproof_reference.tool_contract.core._untrusted import (
    sanitize_untrusted,
    wrap_untrusted,
)

__all__ = [
    "AUDIENCES",
    "CODES",
    "DEFAULT_TURN_BUDGET",
    "EXECUTION_FAILED",
    "INPUT_INVALID",
    "NOT_AVAILABLE",
    "STALE_WRITE",
    "Failure",
    "MalformedResult",
    "ProgressEvent",
    "Reducer",
    "ReducerContext",
    "ReducerRegistry",
    "ReducerTaken",
    "Success",
    "ToolFilter",
    "ToolResult",
    "budget_of_call",
    "cap_of",
    "mcp_server_of",
    "progress_event",
    "read_result",
    "result_as_json",
    "sanitize_untrusted",
    "truncated",
    "visible_on",
    "wrap_untrusted",
]
