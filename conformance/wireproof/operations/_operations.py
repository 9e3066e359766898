"""The steps of an ``operation`` vector: ops carried out, answers compared."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from wireproof.checks import Difference, VectorDefect, Words
from wireproof.operations._outcome import (
    AsExpected,
    Differs,
    NotAnswered,
    NotOffered,
    StepsOutcome,
)
from wireproof.patterns import (
    difference_of,
    expand,
    in_words,
    is_object,
    json_equal,
    match,
    place_text,
)
from wireproof.subjects import Answer, DriverFault, Op

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.subjects import Bridge

SLACK_SECONDS = 1.0
"""Seconds beyond a limit that a busy machine may take."""

Step: TypeAlias = "Mapping[str, Any]"


def as_given(op: Op, answer: Answer) -> Answer:
    """Return an answer as it came."""
    return answer


def carry_out_steps(
    bridge: Bridge,
    steps: Sequence[Step],
    *,
    known: dict[str, Any] | None = None,
    seen_as: Callable[[Op, Answer], Answer | NotOffered] = as_given,
) -> StepsOutcome:
    """Carry out steps in order, up to the first that comes out otherwise.

    Args:
        bridge: The driver, which is up.
        steps: As they stand in a vector file.
        known: The values of names for ``$use``; what steps save is added.
        seen_as: How an answer is looked at: patterns are held to what it returns.

    Raises:
        VectorDefect: If a step cannot be carried out as it is written.
    """
    names: dict[str, Any] = {} if known is None else known
    recorded: dict[str, str] = {}
    at_once = _asked_at_once(steps, names)
    refused = False
    groups = [[step] for step in steps] if at_once is None else [list(steps)]
    place = 0
    for group in groups:
        try:
            ops = at_once or [op_of(step, names) for step in group]
        except VectorDefect:
            if not refused:
                raise
            # A refusal that the vector allows leaves nothing for this step to use.
            return AsExpected(recorded)
        seconds = max(step.get("limit_ms", 0) for step in group) / 1000
        answers = bridge.ask_all(ops, seconds=seconds)
        # One that is not answered has no outcome, nor have those after it.
        for step, op, answer in zip(group, ops, answers, strict=False):
            if isinstance(answer, DriverFault):
                return NotAnswered(place, answer)
            outcome = seen_as(op, answer)
            if isinstance(outcome, NotOffered):
                return outcome
            found = _compared(step, op, outcome, names, recorded)
            if isinstance(found, Differs):
                return replace(found, step=place)
            if found is not None:
                return found
            refused |= not outcome.ok and "error" in step
            place += 1
    return AsExpected(recorded)


def op_of(step: Step, names: Mapping[str, Any]) -> Op:
    """Return the op that a step asks for, its forms expanded."""
    echo = bool(step.get("keeps_input") or step.get("shares_nothing"))
    return Op(step["op"], expand(step.get("input", {}), names), echo)


def _asked_at_once(steps: Sequence[Step], names: Mapping[str, Any]) -> list[Op] | None:
    """Return the ops of steps; None where one uses what an earlier one has saved."""
    try:
        return [op_of(step, names) for step in steps]
    except VectorDefect:
        # Where no step has saved it, this is raised again when its turn has come.
        return None


def _compared(
    step: Step,
    op: Op,
    outcome: Answer,
    names: dict[str, Any],
    recorded: dict[str, str],
) -> Differs | NotOffered | None:
    if "record" in step:
        recorded[op.name] = _label(step["record"], outcome, names)
    limit = step.get("limit_ms")
    if limit is not None and outcome.seconds > limit / 1000 + SLACK_SECONDS:
        took = f"{op.name} took {outcome.seconds:.1f} s"
        wanted = Words(f"an answer within {limit / 1000:g} s")
        return Differs(0, took, (Difference("", wanted, Words(took)),))
    for key in step.get("if_told", ()):
        told = {"$somewhere": {key: {"$not": {"$absent": True}}}}
        if outcome.ok and match(told, outcome.value, {}, {}) is not None:
            return NotOffered(f"nothing in the answer to {op.name} has {key}")
    if (differs := _judged(step, op, outcome, names)) is not None:
        return differs
    if step.get("keeps_input"):
        if outcome.args is None:
            return NotOffered(
                "the driver does not tell its arguments afterwards (echo)"
            )
        if (difference := _changed(op, outcome.args)) is not None:
            text = f"{op.name} changed what it was given"
            return Differs(0, text, (difference,))
    if step.get("shares_nothing"):
        if outcome.shared is None:
            return NotOffered("the driver does not tell what its value shares")
        if outcome.shared:
            text = f"what {op.name} gave shares a mutable part with what it was given"
            return Differs(0, text)
    if "save" in step and outcome.ok:
        names[step["save"]] = outcome.value
    return None


def _judged(
    step: Step, op: Op, outcome: Answer, names: dict[str, Any]
) -> Differs | None:
    """Hold the outcome to ``expected`` and ``error``: to either, where both stand."""
    if not outcome.ok:
        return _refused(step, op, outcome)
    if "expected" not in step:
        if "error" not in step:
            return None
        text = f"{op.name} gave a value where it has to refuse"
        mentioned = ", ".join(step["error"]["mentions"])
        wanted = Words(f"an error that names {mentioned}" if mentioned else "an error")
        return Differs(0, text, (Difference("", wanted, outcome.value),))
    saved: dict[str, Any] = {}
    miss = match(step["expected"], outcome.value, names, saved)
    if miss is None:
        names.update(saved)
        return None
    place = miss.path or "the value itself"
    text = f"in what {op.name} gave, {place_text(miss, 'the value')}"
    return Differs(0, text, (replace(difference_of(miss), where=place),))


def _refused(step: Step, op: Op, outcome: Answer) -> Differs | None:
    if "error" in step:
        missing = [
            text for text in step["error"]["mentions"] if text not in outcome.refusal
        ]
        one_of = step["error"].get("one_of", [])
        if not missing and not one_of:
            return None
        if not missing and any(text in outcome.refusal for text in one_of):
            return None
        named = ", ".join(missing) or " or ".join(one_of)
        text = f"the error of {op.name} does not name {named}"
        wanted = Words(f"an error that names {named}")
        return Differs(0, text, (Difference("error", wanted, outcome.refusal),))
    if "expected" not in step and "record" in step:
        return None
    text = f"{op.name} refused: {outcome.refusal}"
    wanted = in_words(step.get("expected", Words("<a value>")))
    shown = Words(f"an error ({outcome.refusal})")
    return Differs(0, text, (Difference("", wanted, shown),))


def _label(labels: Mapping[str, Any], outcome: Answer, names: Mapping[str, Any]) -> str:
    if not outcome.ok:
        return "refused"
    for label, pattern in labels.items():
        if match(pattern, outcome.value, names, {}) is None:
            return label
    return "other"


def _changed(op: Op, args: Any) -> Difference | None:
    """Compare arguments with what they are afterwards: all of them, or the first."""
    name, first = next(iter(op.arguments.items()))
    if is_object(args) and name in args:
        told = {key: value for key, value in args.items() if key in op.arguments}
        wanted = {key: op.arguments[key] for key in told}
    else:
        told, wanted = args, first
    if json_equal(wanted, told):
        return None
    return Difference("the argument afterwards", wanted, told)
