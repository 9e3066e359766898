"""What one call came to, held to what a vector expects of it.

A call comes to ``{"result": …}`` or ``{"error": …}``; a null beside the other counts
as absent, and an error is clear if it has a text in it, whatever its form.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from wireproof.checks import Difference, Words
from wireproof.judge import Look
from wireproof.patterns import (
    difference_of,
    in_line,
    in_words,
    is_array,
    is_object,
    match,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """What a call came to.

    Attributes:
        result: Its result; None if it failed.
        error: What its failure says; None if it did not fail.
    """

    result: Any = None
    error: str | None = None


def call_outcome(value: Any) -> CallOutcome | None:
    """Read what a driver tells of a call; None if it is no outcome."""
    if not is_object(value):
        return None
    if value.get("error") is not None:
        return CallOutcome(None, "\n".join(_texts(value["error"])))
    if "result" in value:
        return CallOutcome(value["result"])
    if "error" in value:
        return CallOutcome(None, "")
    return None


def look_at_call(expectation: Mapping[str, Any], value: Any) -> Look | None:
    """Hold the outcome of a call to ``expected`` and ``error``: to either, if both.

    Args:
        expectation: A step, or the part of one that is about this call.
        value: What the driver told.
    """
    found = call_outcome(value)
    if found is None:
        wanted = Words("an object with result or error")
        return Look("call-unclear", {}, (Difference("", wanted, value),))
    if found.error is not None:
        failure = _look_at_failure(expectation, found.error)
        # It may have met with a limit that is short.
        return failure and failure._replace(of_pace="expected" in expectation)
    if "expected" not in expectation:
        if "error" not in expectation:
            return None
        difference = Difference("", Words("an error"), {"result": found.result})
        return Look("call-with-a-result", {}, (difference,))
    miss = match(expectation["expected"], found.result, {}, {})
    if miss is None:
        return None
    shown = replace(difference_of(miss), where=miss.path or "the value itself")
    return Look("call-differs", {"miss": miss, "where": miss.path}, (shown,))


def _look_at_failure(expectation: Mapping[str, Any], error: str) -> Look | None:
    if not error.strip() and not expectation.get("error", {}).get("wordless"):
        # A failure has a clear reason, which the model gets to read.
        wanted = Words("an error with a text")
        difference = Difference("error", wanted, Words("an error without any"))
        return Look("call-wordless", {}, (difference,))
    if "error" in expectation:
        missing = [
            choices
            for choices in expectation["error"].get("mentions", ())
            if not any(text in error for text in _choices(choices))
        ]
        if not missing:
            return None
        named = " or ".join(map(in_line, _choices(missing[0])))
        difference = Difference("error", Words(f"an error that holds {named}"), error)
        return Look("call-error-lacks", {"named": named}, (difference,))
    if "expected" not in expectation:
        return None
    wanted = in_words(expectation["expected"])
    difference = Difference("", wanted, Words(f"an error ({error})"))
    return Look("call-failed", {"error": error}, (difference,))


def _choices(given: str | Sequence[str]) -> Sequence[str]:
    return [given] if isinstance(given, str) else given


def _texts(value: Any) -> Iterator[str]:
    """Yield all texts in an error, in their order."""
    if isinstance(value, str):
        yield value
    elif is_object(value):
        for one in value.values():
            yield from _texts(one)
    elif is_array(value):
        for one in value:
            yield from _texts(one)
