"""The checks of exec-oneshot, bound to one tool."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.checks import (
    Attempt,
    Check,
    Result,
    SubjectFacts,
    Verdict,
)
from wireproof.crossing import is_place, run_place
from wireproof.line import Completed, Diverged, MissingCause, must
from wireproof.protocols.exec_oneshot._inputs import inputs_of
from wireproof.protocols.exec_oneshot._judging import (
    diverged,
    not_failed,
    not_refused,
    other_status,
)
from wireproof.protocols.exec_oneshot._output import Reading, read
from wireproof.protocols.exec_oneshot._results import ToolResults

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks import SuiteInputs
    from wireproof.line import StepsOutcome
    from wireproof.protocols.exec_oneshot._runs import Run


class ToolSuite(ToolResults):
    """All checks of exec-oneshot on one tool."""

    def __init__(self, inputs: SuiteInputs) -> None:
        """Bind checks to a tool; nothing is started yet."""
        super().__init__(inputs)
        self._seen: Counter[str] = Counter()
        self._next: list[str] = []
        self._ahead: dict[str, list[list[Run]]] = {}

    # --- what is asked of every suite

    def announce(self, checks: Sequence[Check]) -> None:
        """Take note of the order of checks: their runs fill the cores that are left."""
        plain = [check for check in checks if check.kind == "vector"]
        self._next = [one.id for one in plain if not is_place(self._data(one))]
        self._next.reverse()

    def discard(self) -> None:
        """Forget what runs ahead of its check; each run is a process of its own."""
        self._ahead.clear()

    def finish(self) -> Sequence[Result]:
        """End what runs and return the results of the monitors."""
        self._pool.end()
        return self.monitors.results(self._seen, controlled=self._opening.controlled)

    def facts(self) -> SubjectFacts:
        """Return what is known of the tool."""
        full = self._opening.controlled and self._subject.toolset
        lacking = sum("tools" in check.needs for check in self.checks)
        return SubjectFacts(
            "full" if full else "wire",
            self._pool.started,
            0 if self._subject.toolset else lacking,
            (),
            self.settings.fuzz_seed,
            round(self.patience.latency * 1000, 3),
        )

    def carry_out(self, check: Check) -> Result:
        """Carry out one check, whatever its kind."""
        if check.kind == "fuzz":
            return self._run_property(check)
        if (result := self.unmet(check)) is not None:
            return result
        data = self._data(check)
        if is_place(data):
            return run_place(self, check, data)
        return self._try(check, data["steps"])

    def unmet(self, check: Check) -> Result | None:
        """Begin a check; return its result where it cannot be carried out."""
        self._begin()
        if (problem := self._opening.problem()) is not None:
            self._show(problem.readings)
            return self._not_up(check, problem.text, problem.found)
        self._names = {
            "args": self._opening.arguments,
            "candidates": self._subject.candidates,
        }
        if self._opening.wants_newline and check.clauses[0] != "EXEC-O1":
            # That is EXEC-O1, which has checks of its own: the others go on with one.
            self._names["written"] = {"after": "\n"}
        if "binding" in check.needs and self._subject.binding is None:
            reason = "the tool is no binding of a runtime configuration"
            return self.result(check, Verdict.NOT_APPLICABLE, reason)
        if "reads" in check.needs and self._opening.ignores_input:
            reason = (
                "its answer is the same without any input: whether it reads stdin "
                "cannot be seen"
            )
            return self.result(check, Verdict.NOT_APPLICABLE, reason)
        tools = check.calls
        if tools and not self._subject.toolset:
            reason = f"it needs {tools[0]}: --exec-toolset says that the tool has it"
            result = self.result(check, Verdict.NOT_APPLICABLE, reason)
            return replace(result, evidence={"tools": [*tools]})
        for tool in tools:
            if (fault := self._opening.tool_fault(tool)) is not None:
                self._show(fault.readings)
                return self._not_up(check, fault.text, fault.found)
        return None

    def attempt(
        self,
        check: Check,
        steps: Sequence[Mapping[str, Any]],
        *,
        begun: bool = False,
    ) -> Attempt:
        """Carry out the runs of steps and judge what comes of them."""
        if not begun:
            self._begin()
        outcome = self._carry_out_steps(check, steps, alone=False)
        beside = any(reading.run.beside for reading in self._readings)
        if isinstance(outcome, Diverged) and beside and not _together(steps):
            outcome = self._alone(check, steps)
        result = self._concluded(check, steps, outcome)
        if isinstance(outcome, Completed):
            return Attempt(result, counted={"runs": outcome.frames})
        missing = outcome.missing
        late = missing is not None and missing.cause is MissingCause.TIMEOUT
        return Attempt(result, about_time=late, step=outcome.step)

    # --- one attempt

    def _data(self, check: Check) -> Mapping[str, Any]:
        return self.vectors[check.id].data

    def _try(self, check: Check, steps: Sequence[Mapping[str, Any]]) -> Result:
        return self.attempt(check, steps, begun=True).result

    def _carry_out_steps(
        self, check: Check, steps: Sequence[Mapping[str, Any]], *, alone: bool
    ) -> StepsOutcome:
        names = dict(self._names)
        ahead = self._ahead.pop(check.id, None)
        if check.id in self._next:
            self._next.remove(check.id)
        groups: list[list[Run]] = []
        if not alone:
            groups = ahead or self._added(steps)
            self._foresee()
        for place, step in enumerate(steps):
            if alone:
                runs = [self._pool.alone(one) for one in inputs_of(step, names)]
            else:
                runs = groups[place]
                self._pool.wait(runs, together="run_many" in step)
            readings = [self._take(run, step) for run in runs]
            if (found := _step_outcome(step, readings, names)) is not None:
                text = found.text
                if "failure" in step:
                    text = f"{step['failure']}: {text}"
                return replace(found, text=text, step=place)
        recorded: dict[str, str] = {}
        return Completed(recorded, len(self._readings))

    def _added(self, steps: Sequence[Mapping[str, Any]]) -> list[list[Run]]:
        """Hand the runs of steps to the pool; those that run at once come later."""
        return [
            [self._pool.add(given) for given in inputs_of(step, self._names)]
            for step in steps
        ]

    def _foresee(self) -> None:
        """Fill the cores that are left with runs of the checks that come next."""
        while self._pool.has_room and self._next:
            name = self._next[-1]
            steps: Any = self.vectors[name].data["steps"]
            if _together(steps) or not self._is_certain(name):
                return
            self._next.pop()
            self._ahead[name] = self._added(steps)

    def _is_certain(self, name: str) -> bool:
        """Tell whether a check will be carried out as it is."""
        needs: Any = self.vectors[name].data.get("needs", {})
        # What is written behind an object depends on the check in hand.
        usual = not self._opening.wants_newline
        return usual and (self._subject.toolset or not needs)

    def _take(self, run: Run, step: Mapping[str, Any]) -> Reading:
        """Read what a run came to, and watch it where its input was good."""
        reading = read(run)
        self._readings.append(reading)
        self._show([reading])
        self._deviations += reading.untidy
        if "refused" not in step and not {"fails", "expect"} <= step.keys():
            self._deviations += reading.found
        elif run.status == 0 and reading.value is not None:
            # Bad input may end otherwise; where an object answers it, it is one.
            own = [one for one in reading.found if one.clause == "EXEC-O3"]
            self._deviations += own
        self._seen["frames"] += 1
        if reading.value is not None:
            self._seen["objects"] += 1
            self._seen["results"] += "result" in reading.value
        return reading

    def _alone(self, check: Check, steps: Sequence[Mapping[str, Any]]) -> StepsOutcome:
        """Try steps again with no other run beside them."""
        before = list(self._readings)
        self._begin()
        outcome = self._carry_out_steps(check, steps, alone=True)
        if isinstance(outcome, Completed):
            # It is the other run that made the difference: that is EXEC-O9, and what
            # is run from here on is run alone.
            self._pool.limit = 1
            failed = next((one for one in before if not one.succeeded), before[-1])
            seen = failed.text or "another outcome than alone"
            text = f"a run beside another one failed, which alone does not: {seen}"
            self._deviations.append(must("EXEC-O9", text, failed.run.output))
        return outcome

    def _run_property(self, check: Check) -> Result:
        """Fuzz one property."""
        from wireproof.fuzzing import run_property
        from wireproof.protocols.exec_oneshot._fuzz_checks import PREFIX
        from wireproof.protocols.exec_oneshot._fuzz_plans import STRATEGIES

        strategy = STRATEGIES[check.id.removeprefix(PREFIX)]
        return run_property(self, check, check.id.split("/")[0], strategy, kind="run")


def _together(steps: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether runs of a check are to go on at once."""
    return any("run_many" in step for step in steps)


def _step_outcome(
    step: Mapping[str, Any], readings: Sequence[Reading], names: dict[str, Any]
) -> Diverged | None:
    """Judge the runs of one step; return how the first diverged, if any did."""
    clause = step.get("clause")
    if "refused" in step or "fails" in step:
        look = not_refused if "refused" in step else not_failed
        first = look(readings[0], clause)
        if first is not None and "expect" in step:
            # Either will do; output that is no JSON is then what the check is about.
            first = diverged(step["expect"], readings[0], names, clause)
            first = first and replace(first, deviations=())
    else:
        each = [step["expect"]] * len(readings) if "expect" in step else []
        patterns = step.get("expect_each", each)
        found = (
            diverged(pattern, reading, names, clause)
            for pattern, reading in zip(patterns, readings, strict=True)
        )
        first = next((one for one in found if one is not None), None)
    if first is not None:
        return first
    if any(one.run.held for one in readings):
        return Diverged("a child of the tool held stdout open after the tool exited")
    return other_status(step["status"], readings[0]) if "status" in step else None
