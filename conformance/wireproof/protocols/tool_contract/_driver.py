"""How one registry is started and asked, and what it does not offer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.bridge import OperationDriver
from wireproof.judge import Reason
from wireproof.patterns import is_array, is_object
from wireproof.protocols.tool_contract._conduct import RegistryOps
from wireproof.protocols.tool_contract._ops import OPS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.checks import Check, SuiteInputs
    from wireproof.run import Answer, NotUp, Request
    from wireproof.subjects import Description

    Step = Mapping[str, Any]


class RegistryDriver(OperationDriver):
    """How one registry is started and asked."""

    ops: RegistryOps
    full_ops = OPS

    def __init__(self, inputs: SuiteInputs, environment: Mapping[str, str]) -> None:
        """Prepare; nothing is started."""
        ops = RegistryOps(inputs.target, inputs.settings, environment)
        super().__init__(inputs, ops)
        self.names = ops.names

    def begin(self, ask: Callable[[Request], Answer]) -> NotUp | None:
        """Ask the driver what it offers."""
        why = super().begin(ask)
        if self.described is not None:
            self.ops.can_reset = "reset" in self.described.ops
        return why

    def uses(self, feature: str, step: Step) -> bool:
        """Return whether a step uses the dashboard channel, or a field of context."""
        given = step.get("input")
        if not is_object(given):
            return False
        if feature == "dashboard":
            return given.get("channel") == "dashboard"
        context = given.get("context")
        return is_object(context) and feature in context

    def lacking_beside(
        self, check: Check, steps: Sequence[Step], described: Description
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
