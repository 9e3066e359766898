"""Whether a server refuses a call although its tool's schema allows the arguments.

One that reads schemas wrong refuses calls of every kind, and what those were to show is
no matter of the refusal.
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

_REFUSED = {
    "type": "tool_result",
    "result": {"ok": False, "error": {"code": VALIDATION_ERROR}},
}


def refused_though_valid(call: Mapping[str, Any], answer: Any) -> str:
    """Say that a call of the conformance toolset was refused that its schema allows.

    Args:
        call: The call.
        answer: The frame that answers it.

    Returns:
        An empty text where it was not refused as VALIDATION_ERROR, or rightly so.
    """
    tool, arguments = call.get("toolName"), call.get("arguments", {})
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


@cache
def _schemas() -> Mapping[str, Mapping[str, Any]]:
    return {tool.name: tool.parameters or {} for tool in load_toolset()}
