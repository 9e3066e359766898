"""How much of a result enters the context: caps, and the cut with its marker."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from wireproof_reference.tool_contract.core._results import Success

if TYPE_CHECKING:
    from wireproof_reference.tool_contract.core._results import ToolResult

DEFAULT_TURN_BUDGET: Final = 80_000
"""Characters that the results of one turn may have together (TOOL-B1)."""


def budget_of_call(turn_budget: int, calls: int) -> int:
    """The part of the turn's budget that each of its calls has (TOOL-B1)."""
    return turn_budget // max(calls, 1)


def cap_of(call_budget: int, max_result_chars: int | None) -> int:
    """The characters that a value may have; a tool only lowers them (TOOL-B2)."""
    if max_result_chars is None:
        return call_budget
    return max(0, min(call_budget, max_result_chars))


def truncated(result: ToolResult, cap: int) -> ToolResult:
    """Cut a value that is longer than its cap, and mark it (TOOL-B3 to B5).

    Lengths are code points, so no character is cut in half. Failures stay as they are
    (TOOL-B7).
    """
    if not isinstance(result, Success) or len(result.value) <= cap:
        return result
    total = len(result.value)
    marker = f"[truncated -- {total} chars total]"
    return replace(result, value=f"{result.value[:cap]}\n{marker}")
