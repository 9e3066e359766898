"""Whether a server refuses or ends a call for what is not so, whatever it is about.

One that reads schemas wrong refuses calls of every kind, and one whose deadlines stay
behind ends them; what those were to show is no matter of it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from wireproof.patterns import in_line, match
from wireproof_vectors import load_toolset

if TYPE_CHECKING:
    from collections.abc import Mapping

VALIDATES = "SOCK-C6"
"""The clause by which arguments are held to the tool's schema."""

MOST_SHOWN = 80
"""Most characters of the arguments that are shown."""

VALIDATION_ERROR = "VALIDATION_ERROR"
"""The code of a call that is refused for its arguments."""

TIMEOUT = "TIMEOUT"
"""The code of a call whose time was over."""

LIMITED = "conformance_limited"
"""The tool whose definition declares a timeout of its own."""


def _failed_with(code: str) -> Mapping[str, Any]:
    """Return the pattern of a result that is a failure of this code."""
    return {"type": "tool_result", "result": {"ok": False, "error": {"code": code}}}


_REFUSED, _EXPIRED = _failed_with(VALIDATION_ERROR), _failed_with(TIMEOUT)


def refused_though_valid(call: Mapping[str, Any], answer: Any) -> str:
    """Say that a call of the conformance toolset was refused that its schema allows.

    Args:
        call: The call.
        answer: The frame that answers it.

    Returns:
        An empty text where it was not refused as VALIDATION_ERROR, or rightly so.
    """
    # Absent arguments are what SOCK-M9 speaks of.
    tool, arguments = call.get("toolName"), call.get("arguments")
    if match(_REFUSED, answer, {}, {}) is not None:
        return ""
    if VALIDATION_ERROR in str(arguments):
        # It is what the tool was told to fail with.
        return ""
    schema = _schemas().get(tool) if isinstance(tool, str) else None
    if schema is None or match({"$schema": schema}, arguments, {}, {}) is not None:
        return ""
    said = answer["result"]["error"].get("message")
    return (
        f"a call of {tool} with {in_line(arguments, MOST_SHOWN)}, which its schema "
        f"allows, was refused as {VALIDATION_ERROR}: {said}"
    )


def ended_without_deadline(call: Mapping[str, Any], answer: Any) -> str:
    """Say that the time of a call was said to be over that was given none.

    Args:
        call: The call.
        answer: The frame that answers it.

    Returns:
        An empty text where it was not said, or the call or its tool has a deadline.
    """
    tool, arguments = call.get("toolName"), call.get("arguments", {})
    if match(_EXPIRED, answer, {}, {}) is not None:
        return ""
    if call.get("timeoutMs") is not None or tool == LIMITED:
        return ""
    if TIMEOUT in str(arguments) or tool not in _schemas():
        return ""
    said = answer["result"]["error"].get("message")
    return f"a call of {tool} without timeoutMs ended as {TIMEOUT}: {said}"


@cache
def _schemas() -> Mapping[str, Mapping[str, Any]]:
    return {tool.name: tool.parameters or {} for tool in load_toolset()}
