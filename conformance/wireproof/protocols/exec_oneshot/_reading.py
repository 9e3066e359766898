"""What a run of a one-shot tool wrote, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from wireproof.checks import Difference, Words
from wireproof.judge import Look, Watched
from wireproof.patterns import difference_of, in_words, is_object, match
from wireproof.protocols._exec_tools import KEYS, null_companion, plain
from wireproof.protocols.exec_oneshot._salvage import (
    foreign_word,
    is_json,
    salvage,
    why_no_json,
)
from wireproof.protocols.exec_oneshot.rules import WORDLESS
from wireproof_reference.framing import JsonError, loads

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wireproof.judge import Ran

    Fault: TypeAlias = tuple[str, dict[str, Any]]

FAILURE = Words("an error, or a status other than 0 with nothing on stdout")
"""What is expected of a call that has to fail."""

REFUSAL = Words("an error, or a status other than 0 with words on stderr")
"""What is expected of bad input."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a run wrote.

    Attributes:
        value: Its object, without nulls that count as absent; None if there is none.
        why: Why there is none: a kind of fault, and its fields.
        faults: What else is wrong with it.
        untidy: What should not be there and changes nothing.
        wordless: Whether it ended with a status of failure and wrote nothing.
    """

    value: dict[str, Any] | None
    why: Fault | None = None
    faults: tuple[Fault, ...] = ()
    untidy: tuple[Fault, ...] = ()
    wordless: bool = False

    @property
    def all_faults(self) -> tuple[Fault, ...]:
        """Everything that breaks a MUST."""
        if self.why is None or self.wordless:
            return self.faults
        return (self.why, *self.faults)


def read(run: Ran) -> Reading:
    """Return what a run wrote."""
    said = {"stderr": run.stderr, "seconds": run.seconds, "status": run.status}
    match run.ended:
        case "not-started":
            return Reading(None, ("not-started", {"detail": run.stderr}))
        case "flooded":
            return Reading(None, ("run-flooded", {"mebibytes": len(run.wrote) >> 20}))
        case "silent":
            is_silent = not run.wrote.strip()
            return Reading(
                None, ("run-unanswered" if is_silent else "run-unended", said)
            )
        case "exited":
            pass
    if not run.wrote.strip():
        return Reading(None, ("wrote-nothing", said), wordless=bool(run.status))
    try:
        value = loads(run.wrote)
    except JsonError as error:
        return _salvaged(run, error)
    if not is_object(value):
        return Reading(None, ("output-no-object", {"value": value}))
    return _judged(run, value, ())


def _salvaged(run: Ran, error: JsonError) -> Reading:
    """Look for the object in an output that is more, or less, than one."""
    data = run.wrote
    is_meant = data.lstrip().startswith(b"{")
    if error.reason == "too-deep" and is_meant:
        # Deeper than is looked into: it proves nothing.
        return Reading(None, ("output-too-deep", {}))
    if error.reason == "not-utf8":
        return Reading(None, ("output-not-utf8", {}))
    salvaged = salvage(data)
    objects = list(salvaged.values) if salvaged else []
    if not objects:
        detail = why_no_json(data) if is_meant else ""
        return Reading(None, ("output-not-json", {"detail": detail}))
    if len(objects) > 1:
        return Reading(None, ("output-several", {"count": len(objects)}))
    rest = list(salvaged.rest) if salvaged else []
    if not rest and is_json(data):
        return _judged(run, objects[0], ())
    if not rest:
        return Reading(None, ("output-not-json", {"detail": foreign_word(data)}))
    text = rest[0].decode()
    return _judged(run, objects[0], (("output-beside", {"text": text}),))


def _judged(run: Ran, value: dict[str, Any], found: tuple[Fault, ...]) -> Reading:
    bare = plain(value)
    faults = [*found, *_shape_faults(value, bare)]
    if run.status and "error" not in bare:
        faults.append(("result-and-status", {"status": run.status}))
    untidy: tuple[Fault, ...] = ()
    if key := null_companion(value):
        untidy = (("null-companion", {"key": key}),)
    return Reading(bare, None, tuple(faults), untidy)


def _shape_faults(value: dict[str, Any], bare: dict[str, Any]) -> Iterator[Fault]:
    has = KEYS & bare.keys()
    if len(has) > 1:
        yield "object-both", {}
    elif not has:
        yield "object-neither", {"keys": [*value][:5]}
    elif "error" in has and not (isinstance(bare["error"], str) and bare["error"]):
        yield "object-error", {"error": bare["error"]}


# --- what the judge asks


def watch(step: Mapping[str, Any], run: Ran) -> Watched:
    """Return what monitors see in a run, as `Rules.watch` has it."""
    reading = read(run)
    faults = [*reading.untidy]
    if "refused" not in step and not {"fails", "expect"} <= step.keys():
        faults += reading.all_faults
    elif run.status == 0 and reading.value is not None:
        # Bad input may end otherwise; if an object answers it, it is one.
        faults += [one for one in reading.faults if one[0].startswith("object-")]
    kinds: list[str] = []
    if reading.value is not None:
        kinds = ["objects", "results"][: 1 + ("result" in reading.value)]
    return Watched(kinds, faults)


def look(
    step: Mapping[str, Any], runs: Sequence[Ran], names: Mapping[str, Any]
) -> Look | dict[str, Any]:
    """Return what is wrong with the runs of a step, as `Rules.look` has it."""
    saved: dict[str, Any] = {}
    if "refused" in step or "fails" in step:
        found = (_not_refused if "refused" in step else _not_failed)(runs[0])
        if found is not None and "expect" in step:
            # Either will do.
            found = _differs(step["expect"], runs[0], names, saved)
    else:
        each = [step["expect"]] * len(runs) if "expect" in step else []
        pairs = zip(step.get("expect_each", each), runs, strict=True)
        failures = (_differs(one, run, names, saved) for one, run in pairs)
        found = next((one for one in failures if one is not None), None)
    if found is None and any(run.held for run in runs):
        found = Look("stdout-held", {})
    status = runs[0].status
    if found is None and "status" in step and status not in {step["status"], None}:
        wanted = step["status"]
        shown = Difference("exit status", wanted, status)
        fields = {"status": status, "wanted": wanted}
        found = Look("status-of-an-error", fields, (shown,))
    return saved if found is None else found


def _differs(
    pattern: Any, run: Ran, names: Mapping[str, Any], saved: dict[str, Any]
) -> Look | None:
    reading = read(run)
    value = reading.value
    if value is None:
        return _without_object(pattern, reading)
    if (miss := match(pattern, value, {**names, **saved}, saved)) is None:
        return None
    shown = (difference_of(miss),)
    if is_object(pattern) and "result" in pattern and "error" in value:
        return Look("error-for-a-result", {"error": value["error"]}, shown)
    if is_object(pattern) and "error" in pattern and "result" in value:
        return Look("result-for-an-error", {"result": value["result"]}, shown)
    return Look("mismatch", {"miss": miss, "request": None, "where": miss.path}, shown)


def _without_object(pattern: Any, reading: Reading) -> Look:
    kind, fields = reading.why or ("wrote-nothing", {})
    wanted = in_words(pattern) if not isinstance(pattern, Words) else pattern
    shown = (Difference("", wanted, Words("no object")),)
    if reading.wordless and is_object(pattern) and "error" in pattern:
        # It did fail, as it should: only the words are missing.
        return Look("wordless", fields, shown, WORDLESS)
    return Look(kind, dict(fields), shown)


def _not_refused(run: Ran) -> Look | None:
    """Return how bad input was answered by something else than a refusal, if it was.

    It is refused by an ``error``, or by a status of failure with words on stderr.
    """
    reading = read(run)
    value = reading.value
    if value is not None and "result" in value:
        shown = (Difference("", REFUSAL, value),)
        return Look("bad-input-with-a-result", {"result": value["result"]}, shown)
    if value is not None and isinstance(value.get("error"), str) and value["error"]:
        return None
    if run.status and run.stderr.strip():
        return None
    seen = Words("no object") if value is None else value
    shown = (Difference("", REFUSAL, seen),)
    if run.status:
        return Look("bad-input-wordless", {"status": run.status}, shown)
    kind, fields = reading.why or ("", {})
    if kind in {"run-unanswered", "run-unended"}:
        return Look(kind, dict(fields), shown)
    return Look("bad-input-not-refused", {"why": kind, **fields}, shown)


def _not_failed(run: Ran) -> Look | None:
    """Return how a call that has to fail was answered with a result, if it was."""
    reading = read(run)
    value = reading.value
    if value is None:
        return None if reading.wordless else _without_object(FAILURE, reading)
    if "result" not in value:
        return None
    shown = (Difference("", FAILURE, value),)
    return Look("failure-with-a-result", {"result": value["result"]}, shown)
