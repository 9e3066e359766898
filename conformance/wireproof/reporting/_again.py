"""The line that shows a failure again, and why the suite runs where a pipe does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.report import is_by_suite

if TYPE_CHECKING:
    from wireproof.checks import Result

FUZZ = "fuzz"
"""The group of the checks that are fuzz properties, in every protocol."""

LONG_BYTES = 1_500
"""Bytes from which on no line of shell is made of what was sent."""

MANY_MESSAGES = 12
"""Messages from which on none is."""


def again_lines(result: Result) -> list[str]:
    """Return the line that shows a result again, under a title."""
    if not result.reproduce:
        return []
    return [f"reproduce{why_by_suite(result)}", f"  {result.reproduce}"]


def is_by_fuzzing(result: Result) -> bool:
    """Tell whether a result is that of a fuzz property."""
    return result.id.split("/")[1:2] == [FUZZ]


def why_by_suite(result: Result) -> str:
    """Return in brackets why the line runs the suite, or "" where it does not."""
    if not is_by_suite(result):
        return ""
    sent = [
        one
        for one in result.entries[result.prelude :]
        if one.direction == "sent" and not one.own
    ]
    if sum(one.size for one in sent) > LONG_BYTES:
        why = "what is sent is too long for a line of shell"
    elif len(sent) >= MANY_MESSAGES:
        why = f"{len(sent)} messages are too many for a line of shell"
    elif is_by_fuzzing(result):
        why = "the fuzzer draws what is sent"
    else:
        why = "it takes more than a pipe into the subject"
    # How small an example is made hangs on the time that is left for it.
    other = "; it may end at another example" if is_by_fuzzing(result) else ""
    return f" (by the suite: {why}{other})"
