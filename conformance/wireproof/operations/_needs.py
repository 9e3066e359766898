"""What a check needs of a bridged subject, and what of that is not offered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.patterns import is_object

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from wireproof.checks import Check
    from wireproof.subjects import Description


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
) -> str:
    """Say what a check needs and the subject does not offer; empty where it does.

    Args:
        check: The check.
        steps: The steps of the vector behind it; none for another kind of check.
        described: What the driver says of the subject.
        targets: The targets that a subject may leave out.
    """
    for op in needed_ops(check, steps):
        if op not in described.ops:
            return f"it needs the op {op}, which is not offered"
    for name in check.needs.get("formats", ()):
        if name not in described.formats:
            return f"it needs the format {name}, which is not declared"
    if check.needs.get("half_pairs") and described.told.get("halfPairs") is not True:
        return "it needs halfPairs, half of a surrogate pair, which is not declared"
    if described.targets is not None:
        for name in sorted(_needed_targets(check, steps) & targets):
            if name not in described.targets:
                return f"it needs the target {name}, which is not offered"
    return ""


def _needed_targets(check: Check, steps: Sequence[Mapping[str, Any]]) -> set[str]:
    if check.kind != "vector":
        return set(check.needs.get("targets", ()))
    given = [step.get("input") for step in steps]
    asked = [one.get("target") for one in given if is_object(one)]
    return {name for name in asked if isinstance(name, str)}
