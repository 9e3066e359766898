"""What a tool returns: a success or a failure, and how either is read (TOOL-R1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON, JSONObject

INPUT_INVALID: Final = "input_invalid"
NOT_AVAILABLE: Final = "not_available"
EXECUTION_FAILED: Final = "execution_failed"
STALE_WRITE: Final = "STALE_WRITE"

CODES: Final = frozenset({INPUT_INVALID, NOT_AVAILABLE, EXECUTION_FAILED, STALE_WRITE})
"""The classes of errors."""


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
