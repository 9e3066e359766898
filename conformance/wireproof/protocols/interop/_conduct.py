"""How the steps of interop are carried out: ops, scenarios, the growth of time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.bridge import OperationOps, look_at_operation, unanswered
from wireproof.checks import Difference
from wireproof.judge import Look
from wireproof.protocols.interop._growth import look_at_growth, measure_growth
from wireproof.protocols.interop._ops import ACCUMULATE
from wireproof.protocols.interop._own_formats import exercise_formats

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks import Check
    from wireproof.run import Hands

    Step = Mapping[str, Any]

SCENARIO = "scenario"
"""The op that carries out a scenario in the registry's own process."""

GROWTH = "growth"
"""The step that measures how the time of sanitising grows."""

STEPS_OF_GROWTH: Mapping[str, Sequence[Step]] = {
    "interop/fuzz/sanitise-growth": [{"op": GROWTH, "survives": True}]
}
"""The steps of the property of that, by its id."""

FORMATS = "declared-formats"
"""The scenario, and the step, that exercises the formats which a registry declares."""


class RegistryOps(OperationOps):
    """The ops of one registry's driver: data in, data out, and nothing is kept."""

    keeps = False

    def carry_out(self, step: Step, hands: Hands) -> Any:
        """Carry out a step; return what it saw, as JSON."""
        if step["op"] not in {GROWTH, FORMATS}:
            return super().carry_out(step, hands)
        if step["op"] == GROWTH:
            seen = measure_growth(self, hands)
        else:
            described = self.described
            declared = described.formats if described is not None else ()
            seen = exercise_formats(
                declared,
                lambda op, given: self.told(
                    op, hands.carry(self.request(op, given), 0.0)
                ),
            )
        return {**seen, "is_in_process": self.is_in_process}

    def asked(
        self,
        step: Step,
        given: Mapping[str, Any],
        hands: Hands,
        seconds: float = 0.0,
    ) -> Any:
        """Ask an op; return what came of it, as it is looked at."""
        seen = super().asked(step, given, hands, seconds)
        if step["op"] == SCENARIO and "value" in seen:
            compared = seen["value"]["compared"]
            seen["evidence"] = {"compared": compared}
            if step["records"]:
                seen["choices"] = [[SCENARIO, {", ".join(compared): None}, None]]
        return seen


def look(
    step: Step, seen: Mapping[str, Any], names: Mapping[str, Any]
) -> Look | dict[str, Any]:
    """Return what is wrong with what a step saw, as `Rules.look` has it."""
    if step["op"] not in {GROWTH, FORMATS, SCENARIO}:
        return look_at_operation(step, seen, names)
    survives = bool(step.get("survives") or seen["is_in_process"])
    if found := unanswered(seen, is_charged=survives, again=False):
        return found
    if step["op"] == GROWTH:
        return look_at_growth(seen)
    if "error" in seen:
        return Look("scenario-raised", {"error": seen["error"]})
    value = seen["value"]
    if value["missing"]:
        return Look("needs-part", {"missing": value["missing"]}, applies=False)
    if value["wrong"]:
        shown = Difference(value["where"], value["expected"], value["actual"])
        fields = {"wrong": value["wrong"], "where": value["where"]}
        return Look("scenario-differs", fields, (shown,))
    return {}


def steps_of(check: Check) -> Sequence[Step]:
    """Return the steps of a scenario."""
    if check.name == FORMATS:
        return [{"op": FORMATS}]
    records = check.level == "may"
    return [{"op": SCENARIO, "input": {"name": check.name}, "records": records}]


def steps_of_stream(data: Mapping[str, Any]) -> Any:
    """Return the steps of a vector of a stream: it is accumulated in one."""
    given = {
        "target": data["provider"],
        "events": {"$literal": data["events"]},
        "ends": data["ends"],
    }
    judged = {key: data[key] for key in ("expected", "error", "record") if key in data}
    return [{"op": ACCUMULATE, "input": given, "survives": True, **judged}]
