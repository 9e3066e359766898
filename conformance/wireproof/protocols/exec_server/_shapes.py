"""What must hold of one response, whatever it answers: EXEC-S2 and EXEC-S4."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.line import must
from wireproof.patterns import in_line, is_object

if TYPE_CHECKING:
    from wireproof.checks import Deviation

SHOWN_ID = 80
"""Characters of an id that go into a sentence."""


def shown(value: Any) -> str:
    """Return an id, or what stands in its place, as it is shown in a sentence."""
    return in_line(value, SHOWN_ID)


def response_faults(
    value: dict[str, Any], line: bytes, about: str | None
) -> list[Deviation]:
    """Return what is wrong with a response.

    Args:
        value: The response, without nulls that count as absent.
        line: Its line.
        about: The key of the request that it answers, or None.
    """
    found: list[Deviation] = []
    version = value.get("jsonrpc")
    if version != "2.0":
        said = shown(version) if "jsonrpc" in value else "absent"
        text = f'jsonrpc is {said}, not "2.0"'
        found.append(must("EXEC-S2", text, line, about=about, where="/jsonrpc"))
    if "result" in value and "error" in value:
        text = "a response has both result and error"
        found.append(must("EXEC-S2", text, line, about=about))
    if "result" not in value and "error" not in value:
        text = "a response has neither result nor error"
        found.append(must("EXEC-S2", text, line, about=about))
    if "error" in value and (text := _error_fault(value["error"])):
        found.append(must("EXEC-S4", text, line, about=about, where="/error"))
    return found


def _error_fault(error: Any) -> str:
    if not is_object(error):
        return f"error is {in_line(error)}, not an object with code and message"
    code, message = error.get("code"), error.get("message")
    is_whole = isinstance(code, int) or (isinstance(code, float) and code.is_integer())
    if isinstance(code, bool) or not is_whole:
        said = in_line(code) if "code" in error else "absent"
        return f"the code of an error is {said}, not an integer"
    if not isinstance(message, str):
        said = in_line(message) if "message" in error else "absent"
        return f"the message of an error is {said}, not a string"
    return ""
