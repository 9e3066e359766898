"""What a check needs of a bridged subject, and what of that is not offered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from wireproof.patterns import is_array, is_object

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from wireproof.checks import Check
    from wireproof.subjects import Description

Uses: TypeAlias = "Callable[[str, Mapping[str, Any]], bool]"
"""Tells whether a step uses a feature that a subject may lack."""


def needed_ops(check: Check, steps: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the ops that a check needs: those of its steps, or what it says itself.

    Args:
        check: The check.
        steps: The steps of the vector behind it; none for another kind of check.
    """
    if check.kind == "vector":
        return list(dict.fromkeys(step["op"] for step in steps if "op" in step))
    return list(check.needs.get("ops", ()))


def not_offered(
    check: Check,
    steps: Sequence[Mapping[str, Any]],
    described: Description,
    targets: AbstractSet[str],
    uses: Uses,
) -> str:
    """Say what a check needs and the subject does not offer; empty where it does.

    Args:
        check: The check.
        steps: The steps of the vector behind it; none for another kind of check.
        described: What the driver says of the subject.
        targets: The targets that a subject may leave out.
        uses: Whether a step uses a feature.
    """
    for op in needed_ops(check, steps):
        if op not in described.ops:
            return f"it needs the op {op}, which is not offered"
    for name in check.needs.get("formats", ()):
        if name not in described.formats:
            return f"it needs the format {name}, which is not declared"
    if check.needs.get("half_pairs") and described.told.get("halfPairs") is not True:
        return "it needs halfPairs, half of a surrogate pair, which is not declared"
    for name in check.needs.get("features", ()):
        if name in described.lacks:
            return _lacked(name)
    if check.kind == "scenario":
        for op in needed_ops(check, steps) or [""]:
            for name in sorted(targets & set(check.needs.get("targets", ()))):
                if not described.offers_target(op, name):
                    return f"it needs the target {name}, which is not offered"
    problems = (step_not_offered(step, described, targets, uses) for step in steps)
    return next(filter(None, problems), "")


def step_not_offered(
    step: Mapping[str, Any],
    described: Description,
    targets: AbstractSet[str],
    uses: Uses,
) -> str:
    """Say what a step needs and the subject does not offer; empty where it does."""
    given = step.get("input")
    name: Any = given.get("target") if is_object(given) else None
    is_optional = isinstance(name, str) and name in targets
    if is_optional and not described.offers_target(step["op"], name):
        return f"it needs the target {name}, which is not offered"
    lacked = (name for name in described.lacks if uses(name, step))
    return next(map(_lacked, lacked), "")


def offered_steps(
    steps: Sequence[Mapping[str, Any]], lacking: Sequence[str]
) -> dict[int, Mapping[str, Any]]:
    """Return the steps that can be carried out, by their place among all.

    A step that uses a value saved by one that cannot is left out with it.

    Args:
        steps: All steps.
        lacking: For each what it needs and the subject does not offer.
    """
    kept: dict[int, Mapping[str, Any]] = {}
    lost: set[Any] = set()
    for place, step in enumerate(steps):
        if not lacking[place] and not lost.intersection(named(step, "$use")):
            kept[place] = step
        else:
            lost.update(named(step, "$save"), [step.get("save")])
    return kept


def _lacked(name: str) -> str:
    return f"it needs {name}, which the subject lacks"


def named(value: Any, form: str) -> Iterator[str]:
    """Yield the names that a form has, wherever it stands in a step."""
    if is_object(value):
        name = value.get(form)
        if isinstance(name, str):
            yield name
        value = list(value.values())
    if is_array(value):
        for one in value:
            yield from named(one, form)
