"""The result of a tool: success or failure (TOOL-R1), how it is read and how cut."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON, JSONObject

INPUT_INVALID: Final = "input_invalid"
NOT_AVAILABLE: Final = "not_available"
EXECUTION_FAILED: Final = "execution_failed"
STALE_WRITE: Final = "STALE_WRITE"

CODES: Final = frozenset({INPUT_INVALID, NOT_AVAILABLE, EXECUTION_FAILED, STALE_WRITE})
"""The classes of errors."""

DEFAULT_TURN_BUDGET: Final = 80_000
"""Characters that the results of one turn may have together (TOOL-B1)."""


@dataclass(frozen=True, slots=True)
class Success:
    """What a call gave.

    Attributes:
        value: The text for the model.
        structured: The same as data, for callers that know its shape; None for none.
        cost_usd: What the call cost, in dollars; None where that is not told.
    """

    value: str
    structured: JSON = None
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a call gave nothing.

    Attributes:
        error: The text for the model.
        code: One of `CODES`.
    """

    error: str
    code: str = EXECUTION_FAILED


ToolResult: TypeAlias = Success | Failure


class MalformedResult(ValueError):
    """What a tool returned is neither a success nor a failure."""


def read_result(returned: object) -> ToolResult:
    """Read what a tool returned: one of the two types, or its JSON object.

    Raises:
        MalformedResult: If it is neither (TOOL-R3).
    """
    found: Any = returned
    match found:
        case Success(value=str(value)):
            return Success(value, found.structured, found.cost_usd)
        case {"ok": True, "value": str(value)}:
            return Success(value, found.get("structured"), found.get("cost_usd"))
        case Failure(error=str(error), code=code):
            return _known(error, code)
        case {"ok": False, "error": str(error), "code": code}:
            return _known(error, code)
        case _:
            text = f"the tool returned no result, but {_named(returned)}"
            raise MalformedResult(text)


def _known(error: str, code: object) -> Failure:
    if isinstance(code, str) and code in CODES:
        return Failure(error, code)
    raise MalformedResult(f"the tool failed with the unknown code {code}")


def _named(returned: object) -> str:
    match returned:
        case None:
            return "nothing"
        case Success() | {"ok": True}:
            return "a success without a text as its value"
        case Failure() | {"ok": False}:
            return "a failure without a text as its error, or without a code"
        case _:
            return f"a {type(returned).__name__}"


def result_as_json(result: ToolResult) -> JSONObject:
    """Give a result in its shape on the wire."""
    if isinstance(result, Failure):
        return {"ok": False, "error": result.error, "code": result.code}
    found: JSONObject = {"ok": True, "value": result.value}
    if result.structured is not None:
        found["structured"] = result.structured
    if result.cost_usd is not None:
        found["cost_usd"] = result.cost_usd
    return found


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
