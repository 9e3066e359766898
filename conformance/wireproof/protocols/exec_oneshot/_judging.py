"""What the outcome of runs means for the step that asked for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.checks import Deviation, Difference, Words
from wireproof.line import Diverged, Missing, MissingCause
from wireproof.patterns import (
    difference_of,
    exit_text,
    in_line,
    in_words,
    is_object,
    match,
    place_text,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireproof.protocols.exec_oneshot._output import Reading

FAILURE = Words("an error, or a status other than 0 with nothing on stdout")
"""What is expected of a call that has to fail."""

SHOWN_WORDS = 200
"""Characters of a tool's own words that go into a sentence."""


def diverged(
    pattern: Any, reading: Reading, names: dict[str, Any], clause: str | None
) -> Diverged | None:
    """Hold the object of a run to a pattern; return how it diverged, if it did.

    Args:
        pattern: What is expected of the object.
        reading: What the run came to.
        names: What ``$use`` may name; what the pattern keeps is added.
        clause: The clause without which the step says nothing, if it is not the
            check's own.
    """
    if reading.value is None:
        return _without_object(pattern, reading, clause)
    saved: dict[str, Any] = {}
    miss = match(pattern, reading.value, names, saved)
    if miss is None:
        names.update(saved)
        return None
    text = _swapped(pattern, reading.value) or place_text(miss, "the object")
    return Diverged(
        text,
        clause,
        differences=(difference_of(miss),),
        deviations=reading.found,
    )


def _without_object(
    pattern: Any, reading: Reading, clause: str | None = None
) -> Diverged:
    run = reading.run
    wanted = Difference("", in_words(pattern), Words(f"nothing ({reading.text})"))
    text = f"{reading.text}{_said(reading)}"
    missing: Missing | None = None
    if run.status is None and not run.problem and not run.flooded:
        missing = Missing(MissingCause.TIMEOUT, reading.text)
    elif not reading.found:
        missing = Missing(MissingCause.EXITED, reading.text)
    found = reading.found
    if reading.failed_wordless and is_object(pattern) and "error" in pattern:
        # It did fail, as it should: only the words are missing, which SHOULD be there.
        text = f"{reading.text}, where an error object is due{_said(reading)}"
        found = (Deviation("EXEC-O2", "should", text, hides=True), *found)
    return Diverged(text, clause, missing, (wanted,), found)


def _said(reading: Reading) -> str:
    """Return the last line of stderr, where a run failed without words on stdout."""
    lines = reading.run.stderr.strip().splitlines()
    if reading.found or not lines:
        return ""
    return f"; on stderr it said {in_line(lines[-1].strip(), SHOWN_WORDS)}"


def _swapped(pattern: Any, value: Mapping[str, Any]) -> str:
    """Say so where a result came for an error, or an error for a result."""
    if not is_object(pattern):
        return ""
    if "result" in pattern and "error" in value:
        words = in_line(value["error"], SHOWN_WORDS)
        return f"it answered with the error {words}, where a result is due"
    if "error" in pattern and "result" in value:
        result = in_line(value["result"])
        return f"it answered with the result {result}, where an error is due"
    return ""


def not_refused(reading: Reading, clause: str | None) -> Diverged | None:
    """Say how bad input was answered by something else than a refusal, if it was.

    It is refused by an ``error``, or by a status of failure with words on stderr.
    """
    value, run = reading.value, reading.run
    # What is wrong with each answer hides how bad input is answered; text on stdout,
    # such as a usage, is an answer of that kind only here.
    is_meant = value is not None or bytes(run.output).lstrip().startswith(b"{")
    hiding = reading.found if is_meant or run.status is None else ()
    wanted = Words("an error, or a status other than 0 with words on stderr")
    if value is not None and "result" in value:
        text = f"bad input was answered with the result {in_line(value['result'])}"
        shown = Difference("", wanted, value)
        return Diverged(text, clause, None, (shown,), hiding)
    if value is not None and isinstance(value.get("error"), str) and value["error"]:
        return None
    if run.status and run.stderr.strip():
        return None
    if run.status:
        text = f"bad input: it exited with {exit_text(run.status)}, nothing on stderr"
    else:
        text = f"bad input was not refused: {reading.text or 'no error was reported'}"
    missing = None
    if run.status is None and not run.flooded:
        missing = Missing(MissingCause.TIMEOUT, reading.text)
    seen = Words(reading.text or in_line(value))
    where = "/error" if value is not None and "error" in value else ""
    return Diverged(text, clause, missing, (Difference(where, wanted, seen),), hiding)


def not_failed(reading: Reading, clause: str | None = None) -> Diverged | None:
    """Say how a call that has to fail was answered with a result, if it was."""
    value = reading.value
    if value is None:
        if reading.failed_wordless:
            return None
        return _without_object(FAILURE, reading, clause)
    if "result" not in value:
        return None
    text = f"a failure was answered with the result {in_line(value['result'])}"
    shown = Difference("", FAILURE, value)
    return Diverged(text, clause, None, (shown,), reading.found)


def other_status(wanted: int, reading: Reading) -> Diverged | None:
    """Say that a run ended with another status than it should, if it did."""
    status = reading.run.status
    if status == wanted or status is None:
        return None
    text = f"it reported its error and ended with {exit_text(status)}, not {wanted}"
    return Diverged(text, differences=(Difference("exit status", wanted, status),))
