"""What a frame that differs means, in a sentence; and what one that did not come.

The sentence is made of the request and of the place that differs: success where a
failure is due, a failure where success is due, and else the value that should not be.
A step may bring a sentence of its own under ``failure``, which holds whatever differs;
it is put before this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.patterns import in_line, is_object, place_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.patterns import Mismatch

SHOWN_NAME = 50
"""Characters of the name of a method or of a tool that go into a sentence."""

SHOWN_ERROR = 200
"""Characters of an error that go into a sentence."""

WRAPPED = (
    "; its result looks like a whole answer itself, with success and error or result: "
    "was it wrapped twice?"
)
"""What is said of an answer that stands in another one."""

_OUTCOMES = (("ok",), ("result", "ok"), ("result", "value", "success"))
"""Where frames say whether a call succeeded, from the outside in."""


def request_text(message: Any) -> str:
    """Name a request as a sentence has it: its method or type, and the tool."""
    if not is_object(message):
        return "the request"
    kind = message.get("method", message.get("type"))
    params = message.get("params")
    tool = message.get(
        "toolName", params.get("tool_name") if is_object(params) else None
    )
    words = [_name(word) for word in (kind, tool) if word is not None]
    return " ".join(words) or "the request"


def _name(word: Any) -> str:
    if isinstance(word, str) and word.isidentifier() and len(word) <= SHOWN_NAME:
        return word
    return in_line(word, SHOWN_NAME)


def is_displaced(pattern: Any, value: Any) -> bool:
    """Tell whether the response came where an event was expected."""
    return (
        is_object(pattern)
        and is_object(value)
        and "event" in pattern
        and "event" not in value
    )


def is_intruding(pattern: Any, value: Any) -> bool:
    """Tell whether an event came where the response was expected."""
    return is_object(pattern) and "event" not in pattern and _is_event(value)


def _is_event(frame: Any) -> bool:
    """Tell whether a frame carries an event; one that is null counts as absent."""
    return is_object(frame) and frame.get("event") is not None


def mismatch_text(pattern: Any, value: Any, miss: Mismatch, request: str) -> str:
    """Say what it means that a frame is not what was expected.

    Args:
        pattern: What was expected.
        value: The frame.
        miss: The first place that differs.
        request: What the frame answers, as ``request_text`` names it; empty where
            that is not known.
    """
    name, to = request or "the request", f" to {request}" if request else ""
    if is_displaced(pattern, value) and _succeeded(value) is False:
        return f"{name} was answered with a failure: {_failure_text(value)}"
    if is_displaced(pattern, value):
        return f"the response{to} came where an event was expected"
    if is_intruding(pattern, value):
        return f"an event came where the response{to} was expected"
    if pattern == {"$one_of": []}:
        return f"a frame came that nothing asked for: {in_line(value)}"
    if miss.path == "/type" and is_object(value) and value.get("type") == "error":
        told = _error_text(value, "code", "message")
        return f"{name} was answered with an error frame: {told}"
    wanted, found = _asks(pattern), _succeeded(value)
    if wanted is False and found is True and (place := _left_open(pattern, value)):
        return f"{name} was answered without {place}, where false is due"
    if wanted is False and found is True:
        text = f"{name} was answered with success, where a failure is due"
        return f"{text}{WRAPPED}" if _is_wrapped(value) else text
    if wanted is True and found is False:
        return f"{name} was answered with a failure: {_failure_text(value)}"
    if not request:
        return place_text(miss)
    frame = "an event of" if _is_event(value) else "the answer to"
    return f"in {frame} {request}, {place_text(miss)}"


def missing_text(pattern: Any, why: str, request: str) -> str:
    """Say what it means that an expected frame did not come.

    Args:
        pattern: What was expected.
        why: Why the wait for it ended.
        request: What it would answer; empty where that is not known.
    """
    if is_object(pattern) and "event" in pattern:
        return f"no event of {request or 'a request'} came: {why}"
    return f"{request or 'what was sent'} was not answered: {why}"


def _asks(pattern: Any) -> bool | None:
    """Return whether a pattern asks for success; None where it leaves it open."""
    if is_object(pattern) and "$one_of" in pattern:
        choices: Sequence[Any] = pattern["$one_of"]
        asked = {_asks(choice) for choice in choices}
        return asked.pop() if len(asked) == 1 else None
    return _succeeded(pattern)


def _succeeded(frame: Any) -> bool | None:
    """Return whether a frame says success, at the innermost place that says it."""
    said: bool | None = None
    for path in _OUTCOMES:
        found = _at(frame, path)
        if isinstance(found, bool):
            said = found
            if not found:
                break
    return said


def _left_open(pattern: Any, frame: Any) -> str:
    """Return where a frame does not say what a pattern asks for; "" for nowhere."""
    choices = pattern.get("$one_of", [pattern]) if is_object(pattern) else [pattern]
    for path in reversed(_OUTCOMES):
        if any(isinstance(_at(choice, path), bool) for choice in choices):
            return "" if isinstance(_at(frame, path), bool) else ".".join(path)
    return ""


def _at(value: Any, path: Sequence[str]) -> Any:
    """Return what stands at a path of keys; None where nothing does."""
    for key in path:
        value = value.get(key) if is_object(value) else None
    return value


def _is_wrapped(frame: Any) -> bool:
    """Tell whether the result of a call is an answer of the same shape as its own."""
    found = _at(frame, ("result", "value", "result"))
    if not is_object(found) or not isinstance(found.get("success"), bool):
        return False
    return bool({"error", "result"} & found.keys())


def _failure_text(frame: Any) -> str:
    """Return what a failure says of itself: code or type, and text."""
    result = frame.get("result")
    inner = result.get("value") if is_object(result) else None
    for holder in (inner, result, frame):
        error = holder.get("error") if is_object(holder) else None
        if is_object(error):
            return _error_text(error)
        if error is not None:
            return in_line(error, SHOWN_ERROR)
    return "without an error"


def _error_text(error: Mapping[str, Any], *keys: str) -> str:
    words = [error.get(key) for key in keys or ("type", "code", "detail", "message")]
    return ": ".join(word[:SHOWN_ERROR] for word in words if isinstance(word, str))
