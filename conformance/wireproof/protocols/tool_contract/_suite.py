"""The checks of the tool contract, bound to one registry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.checks import Result, Verdict
from wireproof.operations import BridgedSuite
from wireproof.patterns import is_array, is_object
from wireproof.protocols.tool_contract._conduct import Conductor
from wireproof.protocols.tool_contract._ops import OPS, OPTIONAL_OPS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks import Check, SuiteInputs
    from wireproof.operations import StepsOutcome
    from wireproof.subjects import Bridge, Description


class ToolContractSuite(BridgedSuite):
    """All checks of the tool contract on one registry."""

    noun = "registry"
    full_ops = OPS
    optional_ops = OPTIONAL_OPS

    def __init__(self, bridge: Bridge, inputs: SuiteInputs) -> None:
        """Bind checks to a registry.

        Args:
            bridge: The driver, not yet started.
            inputs: What the suite is made of.
        """
        super().__init__(bridge, inputs)
        self._conductor = Conductor(bridge)

    def conduct(self, steps: Sequence[Mapping[str, Any]]) -> StepsOutcome:
        """Carry out steps on a registry that has none of their tools yet."""
        return self._conductor.carry_out(steps)

    def uses(self, feature: str, step: Mapping[str, Any]) -> bool:
        """Tell whether a step uses the dashboard channel, or a field of the context."""
        given: Any = step.get("input")
        if not is_object(given):
            return False
        context: Any = given.get("context")
        if feature == "dashboard":
            return given.get("channel") == "dashboard"
        return is_object(context) and feature in context

    def unmet_beside(
        self, check: Check, ops: Sequence[str], described: Description
    ) -> Result | None:
        """Return the result of a check that needs a step or a unit of another kind."""
        unit = check.needs.get("length_unit")
        if unit is not None and described.told.get("lengthUnit") != unit:
            text = f"it needs the lengthUnit {unit}, which is not declared"
            return self.result(check, Verdict.NOT_APPLICABLE, text)
        offered: Any = described.told.get("steps")
        if not is_array(offered):
            return None
        of_tools = _steps_of_tools(self._steps_of(check))
        wanted = set(check.needs.get("steps", ())).union(*of_tools)
        for name in sorted(wanted):
            if name not in offered:
                text = f"it needs tools with the step {name}, which is not offered"
                return self.result(check, Verdict.NOT_APPLICABLE, text)
        return None

    def reproduce_line(self, check: Check, step: Mapping[str, Any]) -> str:
        """Return the line for a check: ops rest on those before, and on files."""
        if self.in_process or self._conductor.scratch or "op" not in step:
            return self._reproduction.line(check)
        return super().reproduce_line(check, step)

    def run_scenario(self, check: Check) -> Result:
        """Carry out a scenario; this protocol has none."""
        return self.result(check, Verdict.HARNESS_ERROR, "there is no such scenario")

    def run_property(self, check: Check) -> Result:
        """Fuzz one property; its steps rest on those before, so none goes alone."""
        from wireproof.fuzzing import run_property
        from wireproof.protocols.tool_contract._fuzz_plans import strategy_of

        protocol = self.target.protocol
        return run_property(self, check, protocol, strategy_of(check), kind="operation")


def _steps_of_tools(
    steps: Sequence[Mapping[str, Any]],
) -> list[Mapping[str, Any]]:
    """Return the steps that the tools of a vector have."""
    found: list[Mapping[str, Any]] = []
    for step in steps:
        tools: Any = step.get("input", {}).get("tools") if "op" in step else None
        for tool in tools if is_array(tools) else ():
            own: Any = tool.get("steps") if is_object(tool) else ()
            found += [one for one in own if is_object(one)]
    return found
