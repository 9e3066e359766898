"""What must hold of one response, whatever it answers: HV1-M4 and HV1-M5.

A null under ``ok``, ``result``, ``error``, ``event`` or ``stack`` counts as absent:
languages with fixed records write it so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.line import must
from wireproof.patterns import in_line, is_object

if TYPE_CHECKING:
    from wireproof.checks import Deviation

_NULLABLE = ("ok", "result", "error", "event")

SHOWN_ID = 80
"""Characters of an id that go into a sentence."""


def has(value: dict[str, Any], key: str) -> bool:
    """Tell whether a key is there with something else than null."""
    return value.get(key) is not None


def nulls(value: dict[str, Any]) -> set[str]:
    """Return the keys of a message whose null counts as absent."""
    found = {key for key in _NULLABLE if key in value and value[key] is None}
    error = value.get("error")
    if is_object(error) and "stack" in error and error["stack"] is None:
        found.add("error.stack")
    return found


def shown(key: Any) -> str:
    """Return an id, or what stands in its place, as it is shown in a sentence."""
    return in_line(key, SHOWN_ID)


def is_response(value: dict[str, Any]) -> bool:
    """Tell whether a frame with ``event`` is meant as a response all the same."""
    event = value["event"]
    if is_object(event) and isinstance(event.get("type"), str):
        has_body = is_object(value.get("result")) or is_object(value.get("error"))
        return isinstance(value.get("ok"), bool) and has_body
    return has(value, "ok")


def response_faults(value: dict[str, Any], line: bytes) -> list[Deviation]:
    """Return what is wrong with the shape of a response."""
    ok = value.get("ok")
    if not isinstance(ok, bool):
        text = f"ok is {shown(ok)}, not a boolean" if has(value, "ok") else "no ok"
        return [must("HV1-M4", text, line)]
    return _success_faults(value, line) if ok else _failure_faults(value, line)


def _success_faults(value: dict[str, Any], line: bytes) -> list[Deviation]:
    found: list[Deviation] = []
    result = value.get("result")
    if not is_object(result) or "value" not in result:
        text = "ok is true, but result is not an object with the key value"
        if result == {}:
            # In some languages a value that is not there vanishes as it is written.
            text = "ok is true, but result has no key value; null is a value too"
        found.append(must("HV1-M4", text, line, where="/result"))
    if has(value, "error"):
        found.append(must("HV1-M4", "ok is true, and yet there is error", line))
    return found


def _failure_faults(value: dict[str, Any], line: bytes) -> list[Deviation]:
    found: list[Deviation] = []
    error = value.get("error")
    if (
        not is_object(error)
        or not isinstance(error.get("type"), str)
        or not isinstance(error.get("detail"), str)
    ):
        text = "ok is false, but error is not an object with strings type and detail"
        found.append(must("HV1-M5", text, line))
    elif has(error, "stack") and not isinstance(error["stack"], str):
        found.append(must("HV1-M5", "error.stack is not a string", line))
    if has(value, "result"):
        found.append(must("HV1-M5", "ok is false, and yet there is result", line))
    return found
