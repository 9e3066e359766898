"""What a registry offers, and what of that a check needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.bridge import Offers
from wireproof.judge import Reason
from wireproof.patterns import is_array, is_object
from wireproof.protocols.tool_contract._ops import OPS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.bridge import Description
    from wireproof.checks import Check

    Step = Mapping[str, Any]


def _uses(feature: str, step: Step) -> bool:
    """Return whether a step uses the dashboard channel, or a field of the context."""
    given = step.get("input")
    if not is_object(given):
        return False
    if feature == "dashboard":
        return given.get("channel") == "dashboard"
    context = given.get("context")
    return is_object(context) and feature in context


def _lacking(
    check: Check, steps: Sequence[Step], described: Description
) -> Reason | None:
    """Return what a check needs beside ops: steps of tools, a unit of lengths."""
    clause = check.clauses[0]
    unit = check.needs.get("length_unit")
    if unit is not None and described.told.get("lengthUnit") != unit:
        return Reason("needs-length-unit", clause, {"unit": unit})
    offered = described.told.get("steps")
    if not is_array(offered):
        return None
    wanted = set(check.needs.get("steps", ())).union(*_steps_of_tools(steps))
    for name in sorted(wanted):
        if name not in offered:
            return Reason("needs-step", clause, {"step": name})
    return None


def _steps_of_tools(steps: Sequence[Step]) -> list[Step]:
    """Return the steps that the tools of a check have."""
    found: list[Step] = []
    for step in steps:
        tools: Any = step.get("input", {}).get("tools") if "op" in step else None
        for tool in tools if is_array(tools) else ():
            own: Any = tool.get("steps") if is_object(tool) else ()
            found += [one for one in own if is_object(one)]
    return found


OFFERS = Offers(OPS, uses=_uses, lacking=_lacking)
"""What a registry offers, or may leave out."""
