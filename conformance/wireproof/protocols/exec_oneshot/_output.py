"""What a run of a one-shot tool wrote and how it ended, and what is wrong with it.

Theory of operation. The object is found as far as it can be recognised, so that one
fault does not hide the others: a log line in front of it breaks EXEC-O4 and no more. A
run that ends with a status of its own and writes nothing has
failed without words; whether that is a fault, what it was given decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wireproof.checks import Deviation
from wireproof.exec_tools import KEYS, null_companion, plain
from wireproof.line import foreign_word, head, is_json, must, salvage, why_no_json
from wireproof.patterns import exit_text, in_line, is_object
from wireproof_reference.framing import JsonError, loads

if TYPE_CHECKING:
    from wireproof.protocols.exec_oneshot._runs import Run


@dataclass(frozen=True, slots=True)
class Reading:
    """What a run came to.

    Attributes:
        run: The run.
        value: Its object, without nulls that count as absent; None where there is none.
        found: What is wrong with it.
        text: Why there is no object, as a clause of a sentence; empty where there is.
        untidy: What SHOULD not be there and changes nothing.
    """

    run: Run
    value: dict[str, Any] | None
    found: tuple[Deviation, ...] = ()
    text: str = ""
    untidy: tuple[Deviation, ...] = ()

    @property
    def succeeded(self) -> bool:
        """Whether it is a plain success without a fault."""
        return self.value is not None and "result" in self.value and not self.found

    @property
    def failed_wordless(self) -> bool:
        """Whether it ended with a status of failure and wrote nothing."""
        return bool(self.run.status) and not self.run.output.strip()


def read(run: Run) -> Reading:
    """Return what a run came to."""
    data = bytes(run.output)
    if (broken := _unended(run)) is not None:
        return broken
    if not data.strip():
        return _nothing(run)
    try:
        value = loads(data)
    except JsonError as error:
        return _salvaged(run, data, error)
    if not is_object(value):
        text = f"stdout holds {_kind(value)}, not one JSON object"
        return Reading(run, None, (must("EXEC-O2", text, data),), text)
    return _judged(run, value, data, ())


def _unended(run: Run) -> Reading | None:
    """Return the reading of a run that had to be ended, or could not be started."""
    if run.problem:
        return Reading(run, None, (), run.problem)
    if run.flooded:
        text = f"it wrote more than {len(run.output) >> 20} MiB on stdout"
    elif run.status is not None:
        return None
    elif run.output.strip():
        text = f"it wrote to stdout and did not exit within {run.allowed:.1f} s"
    else:
        text = f"it neither answered nor exited within {run.allowed:.1f} s"
    return Reading(run, None, (must("EXEC-O2", text, run.output),), text)


def _nothing(run: Run) -> Reading:
    status = run.status or 0
    ended = f"it exited with {exit_text(status)} and wrote nothing on stdout"
    if status < 0:
        ended = f"it ended by {exit_text(status)} and wrote nothing on stdout"
    found = () if status else (must("EXEC-O2", ended, b""),)
    return Reading(run, None, found, ended)


def _salvaged(run: Run, data: bytes, error: JsonError) -> Reading:
    """Look for the object in an output that is more, or less, than one."""
    salvaged = salvage(data, KEYS, frozenset())
    objects = list(salvaged.values) if salvaged else []
    if error.reason == "too-deep" and data.lstrip().startswith(b"{"):
        # Deeper than is looked into: it proves nothing.
        return Reading(run, None, (), "its object nests too deep to be looked into")
    if error.reason == "not-utf8":
        text = "stdout is not UTF-8"
        return Reading(run, None, (must("EXEC-O2", text, data, hides=True),), text)
    if not objects:
        text = "stdout is not a JSON object"
        if data.lstrip().startswith(b"{"):
            text = f"{text}: {why_no_json(data)}"
        return Reading(run, None, (must("EXEC-O2", text, data, hides=True),), text)
    if len(objects) > 1:
        text = f"stdout holds {len(objects)} JSON objects, not one"
        return Reading(run, None, (must("EXEC-O2", text, data, hides=True),), text)
    rest = list(salvaged.rest) if salvaged else []
    if not rest and is_json(data):
        return _judged(run, objects[0], data, ())
    if not rest:
        text = f"stdout is not JSON: {foreign_word(data)}"
        return Reading(run, None, (must("EXEC-O2", text, data, hides=True),), text)
    text = f"beside the object stands on stdout {in_line(rest[0].decode())}"
    return _judged(run, objects[0], data, (must("EXEC-O4", text, data),))


def _judged(
    run: Run, value: dict[str, Any], data: bytes, found: tuple[Deviation, ...]
) -> Reading:
    wrong = [*found, *_shape_faults(value, data)]
    status = run.status or 0
    bare = plain(value)
    if status and "error" not in bare:
        text = f"it reported a result and ended with {exit_text(status)}, not with 0"
        wrong.append(must("EXEC-O5", text, data))
    untidy: tuple[Deviation, ...] = ()
    if key := null_companion(value):
        text = f"{key} is null beside its partner, where it should be absent"
        untidy = (Deviation("EXEC-O3", "should", text, head(data)),)
    return Reading(run, bare, tuple(wrong), untidy=untidy)


def _shape_faults(value: dict[str, Any], data: bytes) -> list[Deviation]:
    bare = plain(value)
    has = KEYS & bare.keys()
    if len(has) > 1:
        text = "the object has both result and error"
        return [must("EXEC-O3", text, data)]
    if not has:
        keys = ", ".join(map(in_line, list(value)[:5])) or "no keys"
        text = f"the object has neither result nor error (it has {keys})"
        return [must("EXEC-O3", text, data)]
    if "result" in has:
        return []
    error = bare["error"]
    if not isinstance(error, str):
        text = f"error is {_kind(error)}, {in_line(error)}, not a string"
        return [must("EXEC-O3", text, data, where="/error")]
    if not error:
        return [must("EXEC-O3", "error is the empty string", data)]
    return []


def _kind(value: Any) -> str:
    """Name the kind of a JSON value, with its article."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "an object" if is_object(value) else "an array"
