"""The checks of interop, bound to one registry."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.checks import Difference, Verdict
from wireproof.operations import BridgedSuite
from wireproof.patterns import is_object
from wireproof.protocols.interop._ops import ACCUMULATE, OPS, PROVIDER_OPS
from wireproof.protocols.interop._own_formats import OWN_FORMATS, run_own_formats
from wireproof.protocols.interop._property import PREFIX
from wireproof.protocols.interop._provider_controls import ProviderControls
from wireproof.protocols.interop._sanitise_checks import GROWTH
from wireproof.protocols.interop._scenarios import op_for
from wireproof.protocols.interop._shapes import TARGETS, is_of, objects_in
from wireproof.subjects import DriverFault

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks import Check, Result, SuiteInputs
    from wireproof.subjects import Bridge, Description


class InteropSuite(BridgedSuite):
    """All checks of interop on one registry."""

    noun = "registry"
    full_ops = OPS
    optional_ops = (*PROVIDER_OPS, ACCUMULATE)
    targets = TARGETS

    def __init__(self, bridge: Bridge, inputs: SuiteInputs) -> None:
        """Bind checks to a registry.

        Args:
            bridge: The driver, not yet started.
            inputs: What the suite is made of.
        """
        super().__init__(bridge, inputs)
        controls = inputs.setup["controls"]
        of_provider = {op: controls[op] for op in PROVIDER_OPS if op in controls}
        self._provider = ProviderControls(bridge, of_provider, self.conduct)

    def controls_in(
        self, setup: Mapping[str, Any]
    ) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """Return the controls of the ops that are not a provider's."""
        controls = super().controls_in(setup)
        known = (*OPS, ACCUMULATE)
        return {op: controls[op] for op in known if op in controls}

    def steps_in(self, data: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """Return the steps of a vector; a stream is accumulated in one."""
        if "events" not in data:
            return super().steps_in(data)
        given = {
            "target": data["provider"],
            "events": {"$literal": data["events"]},
            "ends": data["ends"],
        }
        judged = {k: data[k] for k in ("expected", "error", "record") if k in data}
        return [{"op": ACCUMULATE, "input": given, "survives": True, **judged}]

    def uses(self, feature: str, step: Mapping[str, Any]) -> bool:
        """Tell whether a step uses a feature that a registry may lack."""
        given: Any = step.get("input")
        if feature == "target_formats":
            return is_object(given) and feature in given
        return any(is_of(feature, one) for one in objects_in(given))

    def unmet_beside(
        self, check: Check, ops: Sequence[str], described: Description
    ) -> Result | None:
        """Return the result of a check that needs a provider of another format."""
        if not set(ops) & set(PROVIDER_OPS):
            return None
        found = self._provider.format(described.ops)
        if isinstance(found, DriverFault):
            return self.not_answered(check, found)
        wanted = check.needs.get("provider")
        if found and wanted and found != wanted:
            text = f"it needs a provider of {wanted}; this one is of {found}"
            return self.result(check, Verdict.NOT_APPLICABLE, text)
        return None

    def control_missing(self, op: str) -> str | DriverFault:
        """Say why an op proves nothing, or return an empty text where it does."""
        if op in PROVIDER_OPS:
            return self._provider.missing(op)
        return super().control_missing(op)

    def run_scenario(self, check: Check) -> Result:
        """Carry out a scenario, most of them in the registry's own process."""
        if check.id == OWN_FORMATS.id:
            return run_own_formats(self, check)
        answer = self.bridge.ask(op_for(check))
        if isinstance(answer, DriverFault):
            return self.not_answered(check, answer)
        if not answer.ok:
            return self.failed(check, f"the scenario raised {answer.refusal}")
        value: Any = answer.value
        if value["missing"]:
            text = f"it needs {value['missing']}, which the registry has not"
            return self.result(check, Verdict.NOT_APPLICABLE, text)
        if value["wrong"]:
            shown = Difference(value["where"], value["expected"], value["actual"])
            return self.failed(check, value["wrong"], (shown,))
        result = self.result(check, Verdict.PASSED)
        if check.level == "may":
            seen = ", ".join(value["compared"])
            result = self.result(check, Verdict.RECORDED, seen)
        return replace(result, evidence={"compared": value["compared"]})

    def run_property(self, check: Check) -> Result:
        """Fuzz one property; the growth of time is one of its own."""
        if check.id == GROWTH:
            from wireproof.protocols.interop._growth import run_growth

            return run_growth(self, check)
        from wireproof.protocols.interop._fuzz_plans import STRATEGIES

        return self.fuzz_property(check, STRATEGIES[check.id.removeprefix(PREFIX)])
