"""The checks of exec-runtime on one driver, one after the other."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, assert_never

from wireproof.checks import HELD as HELD_VERDICTS
from wireproof.checks import (
    Attempt,
    Result,
    SubjectFacts,
    Suite,
    Verdict,
    broken,
)
from wireproof.crossing import is_place, run_place
from wireproof.operations import AsExpected, misfit_results
from wireproof.patterns import in_line
from wireproof.protocols.exec_runtime._conduct import Conduct
from wireproof.protocols.exec_runtime._controls import Controls, modes_of
from wireproof.protocols.exec_runtime._looks import (
    count_descriptors,
    notes_of,
    seen_of,
)
from wireproof.protocols.exec_runtime._needs import BASIC, is_short
from wireproof.protocols.exec_runtime._ops import OPS
from wireproof.protocols.exec_runtime._outcome import (
    Differs,
    NotAnswered,
    StepsOutcome,
)
from wireproof.protocols.exec_runtime._supplied_tools import SuppliedTools
from wireproof.subjects import DriverFault, run_line
from wireproof.subjects._system import is_linux

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from wireproof.checks import Check, SuiteInputs, Transcript
    from wireproof.protocols.exec_runtime._tool import Tool
    from wireproof.subjects import Bridge

ENDS_THE_RUNTIME = frozenset({"close", "load", "set_default_timeout"})
"""Ops after which the runtime is not what it was: a new one is started."""

SLOWER = (3, 5)
"""Factors for all times in a check that failed for want of time, tried again."""

AMPLE_SECONDS = 2.0
"""A limit that no call needs that comes to its end at once: where such a call fails,
one slower trial decides, and where its limit is twice as long, one at the same speed.
"""

MOST_CONFIRMED = 2
"""Failures that were no matter of time after all: no other is then tried again."""

PROVEN_OVERRUNS = 2
"""Calls that went on so, after which no other is waited for that long: its tool is let
go soon."""

QUICK_SECONDS = 1.0
"""Seconds of an attempt that is always tried again: that costs little, and what has
a short limit may fail on a busy machine."""

OVERLAPPING = "overlapping"
"""Evidence: how many calls were in flight at the server of the one that is wrong."""

SHOWN_LINE = 100
"""Characters of a line that are shown in a sentence."""

GARBLED = "garbled"
"""Evidence: a line that a server was sent, and that is no request."""

EARLY = "failed_early"
"""Evidence: which call failed long before its limit."""

QUIET = frozenset({"", "bind", "setenv", "set_default_timeout"})
"""Ops that start no tool."""

DEFAULT_LIMIT = "EXEC-R10"
"""What a runtime breaks that says of itself that it has no default limit."""

_BROKEN = frozenset({Verdict.FAILED, Verdict.WARNED})

ENDING_SECONDS = 0.2
"""How long the end of one-shot tools is waited for before a failure is told."""


@dataclass(slots=True)
class Lessons:
    """What was learnt of a runtime, by all drivers that are tried beside each other.

    They write it from threads of their own; where two do at once, one more failure is
    tried again.

    Attributes:
        confirmed: Failures that were no matter of time.
        overruns: Calls that went on after their limits by seconds, until their tools
            were let go.
        lingers: Whether its processes were waited for in vain.
    """

    confirmed: int = 0
    overruns: int = 0
    lingers: bool = False


class OneRuntime(Suite):
    """All checks of exec-runtime on one driver.

    Attributes:
        bridge: The driver.
        patience: How long answers are waited for.
        processes: How many processes of tools were started.
        offered: The ops that the driver offers, once it has said so.
    """

    def __init__(
        self,
        bridge: Bridge,
        inputs: SuiteInputs,
        parents: Collection[str],
        lessons: Lessons,
    ) -> None:
        """Bind checks to a driver.

        Args:
            bridge: The driver, not yet started.
            inputs: What the suite is made of.
            parents: The names of the driver's variables.
            lessons: What is learnt of the runtime; others may add to it.
        """
        super().__init__(inputs.target, inputs.settings, inputs.checks)
        setup = inputs.setup
        self.bridge = bridge
        self.patience = bridge.patience
        self.processes = 0
        self.offered: frozenset[str] = frozenset()
        self._vectors = inputs.vectors
        self._parents = parents
        self._controls = Controls(setup["controls"], self._carry_out_steps)
        self._does = setup["does"]
        self._trivial: Sequence[Mapping[str, Any]] = setup["controls"]["exec"]
        self._warm = 0
        self._serial = 0
        self._lessons = lessons
        self._lingered = False
        self._failed_limit = 0.0
        self._uncontrolled = ""
        self._former: Check | None = None
        self._served_by = 0
        self._died_idle = False
        self._evidence: Mapping[str, Any] = {}

    @property
    def transcript(self) -> Transcript:
        """The traffic of the check in hand."""
        return self.bridge.transcript

    def discard(self) -> None:
        """End the driver at once; the next check starts a new one."""
        self.bridge.discard()

    def finish(self) -> list[Result]:
        """Stop the driver, and return what its answers do wrong, if anything."""
        self.bridge.stop()
        return misfit_results(self.target.protocol, self.bridge)

    def facts(self) -> SubjectFacts:
        """Return what is known of the runtime."""
        full = self.offered.issuperset(OPS) and not self._controls.missing(())
        latency = round(self.patience.latency * 1000, 3)
        return SubjectFacts(
            "full" if full else "wire",
            self.bridge.starts,
            0,
            (),
            self.settings.fuzz_seed,
            latency,
        )

    def carry_out(self, check: Check) -> Result:
        """Carry out one check, of any of the kinds."""
        self.patience.begin(check.clauses[0])
        if (result := self.unmet(check)) is not None:
            return result
        result = self._tried(check)
        if self._uncontrolled and result.verdict not in _BROKEN:
            # What is done wrong is seen, even where no plain call succeeds; what seems
            # to be right proves nothing then.
            return self._without_control(check)
        return result

    def _tried(self, check: Check) -> Result:
        former, self._former = self._former, None
        if check.kind == "fuzz":
            return self._fuzz(check)
        data = self._vectors[check.id].data
        if is_place(data):
            return run_place(self, check, data)
        self._former = former
        return self._try(check, self._steps_of(check))

    def unmet(self, check: Check) -> Result | None:
        """Begin a check: see whether the runtime offers what it needs.

        Returns:
            The result where the check cannot be carried out, else None.
        """
        self.bridge.begin()
        if isinstance(described := self.bridge.ensure_up(), DriverFault):
            return self._with_help(
                self.result(check, Verdict.NOT_TESTABLE, described.text), check
            )
        self.offered = described.ops
        told = described.told
        if DEFAULT_LIMIT in check.clauses and told.get("default_timeout_ms", 0) is None:
            reason = "describe says that the runtime has no default limit"
            return self._with_help(
                self.result(check, broken(check.level), reason), check
            )
        if lacking := _lacking(check, told, self.bridge.pid):
            return self.result(check, Verdict.NOT_APPLICABLE, lacking)
        steps = self._steps_of(check)
        ops = [step["op"] for step in steps if "op" in step]
        needed = [*check.needs.get("ops", ()), *ops]
        if missing := [op for op in needed if op not in described.ops]:
            reason = f"it needs the op {missing[0]}, which is not offered"
            if DEFAULT_LIMIT in check.clauses and "default_timeout_ms" not in told:
                reason = f"{reason}; no default limit was stated"
            return self.result(check, Verdict.NOT_APPLICABLE, reason)
        modes = check.needs.get("modes") or modes_of(steps)
        self._uncontrolled = self._controls.missing(modes)
        is_basic = not set(BASIC).isdisjoint(check.clauses) and is_short(steps)
        if self._uncontrolled and not is_basic:
            return self._without_control(check)
        self.bridge.begin()
        return None

    def attempt(
        self,
        check: Check,
        steps: Sequence[Mapping[str, Any]],
        *,
        begun: bool = False,
        time_scale: int = 1,
    ) -> Attempt:
        """Carry out steps once, and judge what comes of them.

        Args:
            check: What they belong to.
            steps: The steps.
            begun: Whether ``unmet`` has begun the check already.
            time_scale: Factor for all times in them.
        """
        if not begun:
            self.bridge.begin()
        self._failed_limit = 0.0
        outcome = self._carry_out_steps(steps, time_scale)
        self._died_idle = died_idle(outcome, steps)
        match outcome:
            case AsExpected(recorded=recorded):
                result = self._as_expected(check, recorded)
                return Attempt(result, counted={"operations": len(steps)})
            case Differs():
                self._note_overlapping(outcome)
                result = self._differs(check, outcome, steps[outcome.step])
                return Attempt(result, outcome.about_time, step=outcome.step)
            case NotAnswered(fault=fault, step=place):
                self._note_overlapping(outcome)
                result = self._not_answered(check, fault, steps[place])
                hung = fault.cause == "hung"
                request = str(steps[place].get("op", "")) if hung else ""
                return Attempt(result, hung, step=place, unanswered=request)
            case _:
                assert_never(outcome)

    # --- steps

    def _try(self, check: Check, steps: Sequence[Mapping[str, Any]]) -> Result:
        """Carry out a check; one that fails for want of time again, and slower.

        A call whose limit is ample is no slower for it.
        """
        began = time.monotonic()
        former, self._former = self._former_here(), check
        attempt = self.attempt(check, steps, begun=True)
        if former is not None and self._died_idle:
            found, attempt = attempt.result, self.attempt(check, steps)
            if attempt.result.verdict in HELD_VERDICTS:
                return self._ended_by(former, check, found)
        self._served_by = self.bridge.starts
        if attempt.result.verdict not in _BROKEN or not attempt.about_time:
            return attempt.result
        quick = time.monotonic() - began < QUICK_SECONDS
        if self._lessons.confirmed >= MOST_CONFIRMED and not quick:
            return attempt.result
        first, lingered = attempt.result, self._lingered
        # A process that stays does so at any speed, and so does a call.
        stays = lingered or bool(attempt.unanswered)
        limit = self._failed_limit
        factors = SLOWER[:1] if stays or limit >= AMPLE_SECONDS else SLOWER
        if limit >= 2 * AMPLE_SECONDS:
            factors = (1,)
        for factor in factors:
            attempt = self.attempt(check, steps, time_scale=factor)
            if attempt.result.verdict not in _BROKEN:
                return attempt.result
        self._lessons.confirmed += factors != (1,)
        if lingered:
            self._lessons.lingers = True
        return first

    def _former_here(self) -> Check | None:
        """Return the vector before, where the same process of the driver served it."""
        former = self._former if self.bridge.starts == self._served_by else None
        # Of a MAY nothing can be broken.
        return None if former is None or former.level == "may" else former

    def _ended_by(self, former: Check, check: Check, found: Result) -> Result:
        """Charge the end of a runtime to the check that asked for what ended it.

        Args:
            former: That check; it had its answers.
            check: The one in hand, which a fresh runtime passes.
            found: What came of it on the one that ended.
        """
        return replace(
            found,
            verdict=broken(former.level),
            clauses=former.clauses[:1],
            level=former.level,
            source=former.source,
            because=None,
            reason=f"{found.reason}, before it was asked to call: {former.id} ended it",
            reproduce=run_line(self.settings, former.argument, check.argument),
        )

    def _carry_out_steps(
        self, steps: Sequence[Mapping[str, Any]], time_scale: int = 1
    ) -> StepsOutcome:
        if isinstance(described := self.bridge.ensure_up(), DriverFault):
            return NotAnswered(described)
        if self.bridge.starts != self._warm:
            # The first ops after a start are taken for trivial: they have to be.
            self._conducted(self._trivial)
            if isinstance(described := self.bridge.ensure_up(), DriverFault):
                return NotAnswered(described)
            self._warm = self.bridge.starts
        return self._conducted(steps, time_scale)

    def _conducted(
        self, steps: Sequence[Mapping[str, Any]], time_scale: int = 1
    ) -> StepsOutcome:
        self._serial += 1
        with SuppliedTools(self._does, time_scale) as tools:
            conduct = Conduct(
                self.bridge,
                tools,
                serial=str(self._serial),
                parents=self._parents,
                time_scale=time_scale,
                # Where no plain call succeeds, what hangs has been waited for.
                hurried=self._lessons.lingers or bool(self._uncontrolled),
                overran=self._lessons.overruns >= PROVEN_OVERRUNS,
            )
            outcome = conduct.carry_out(steps)
            self._lessons.overruns += conduct.overruns
            self._lingered = conduct.lingered
            self._failed_limit = (
                0.0
                if isinstance(outcome, AsExpected)
                else conduct.limit_of(steps[outcome.step])
            )
            self.processes += tools.started
            self._evidence = {"processes": tools.started}
            if not isinstance(outcome, AsExpected):
                self._evidence = {
                    **self._evidence,
                    "tools": {
                        name: seen_of(tool) for name, tool in conduct.supplied.items()
                    },
                }
                if conduct.early:
                    self._evidence = {**self._evidence, EARLY: conduct.early}
                if garbled := _garbled(conduct.supplied.values()):
                    self._evidence = {**self._evidence, GARBLED: garbled}
                self._tell_of(conduct, tools)
        if any(step.get("op") in ENDS_THE_RUNTIME for step in steps):
            self.bridge.stop()
        return outcome

    def _note_overlapping(self, outcome: Differs | NotAnswered) -> None:
        if outcome.overlapping:
            self._evidence = {**self._evidence, OVERLAPPING: outcome.overlapping}

    def _tell_of(self, conduct: Conduct, tools: SuppliedTools) -> None:
        """Show among the traffic what the tools saw and did."""
        once = [one for one in conduct.supplied.values() if not one.server]
        # One that answers is about to end: what it does last is on its way.
        tools.await_that(
            lambda: all(seen.gone for one in once for seen in one.seen), ENDING_SECONDS
        )
        notes = [
            note
            for name, tool in conduct.supplied.items()
            for note in notes_of(name, tool)
        ]
        for note in sorted(notes):
            text = f"({note.text})".encode(errors="backslashreplace")
            self.transcript.add(
                note.time, "sent" if note.by_suite else "received", text
            )

    def _steps_of(self, check: Check) -> Sequence[Mapping[str, Any]]:
        if check.kind != "vector":
            return ()
        steps: Any = self._vectors[check.id].data["steps"]
        found: Sequence[Mapping[str, Any]] = steps
        return found

    def _fuzz(self, check: Check) -> Result:
        from wireproof.fuzzing import run_property
        from wireproof.protocols.exec_runtime._fuzz_plans import PLANS

        plan = PLANS[check.name]
        return run_property(self, check, self.target.protocol, plan, kind="runtime")

    # --- results

    def _as_expected(self, check: Check, recorded: Mapping[str, str]) -> Result:
        verdict = Verdict.RECORDED if check.level == "may" else Verdict.PASSED
        evidence = dict(self._evidence)
        if recorded:
            evidence["recorded"] = dict(recorded)
        seen = ", ".join(recorded.values())
        return replace(self.result(check, verdict, seen), evidence=evidence)

    def _differs(
        self, check: Check, outcome: Differs, step: Mapping[str, Any]
    ) -> Result:
        text = outcome.text
        if "failure" in step:
            text = f"{step['failure']}: {text}"
        clause = outcome.clause or step.get("clause")
        result = self._charged(check, text, clause)
        result = replace(result, differences=outcome.differences)
        return self._with_help(result, check)

    def _charged(self, check: Check, text: str, clause: str | None) -> Result:
        """Charge what is wrong to the clause of its step, where it names one."""
        if clause is None:
            return self.result(check, broken(check.level), text)
        if clause in check.clauses:
            result = self.result(check, broken(check.level), text)
            return replace(result, clauses=(clause,))
        # The step prepares what the check is about, and is another clause's.
        reason = f"not testable because of {clause}: {text}"
        result = self.result(check, Verdict.NOT_TESTABLE, reason)
        return replace(result, because=clause)

    def _not_answered(
        self, check: Check, fault: DriverFault, step: Mapping[str, Any]
    ) -> Result:
        """Judge a driver that did not answer.

        A runtime that hangs or dies at what a tool does is at fault; a driver that
        speaks out of step says nothing of it, but for one whose answer has no end or
        is no JSON where the output of the tool is so.
        """
        is_of_tool = step.get("bounded") or step.get("relayed")
        if fault.cause == "misfit":
            untold = self.result(check, Verdict.NOT_TESTABLE, fault.text)
            return self._with_help(untold, check)
        if fault.cause == "out of step" and not is_of_tool:
            text = f"{fault.text}: a fault of the driver, not a wrong answer"
            return self._with_help(
                self.result(check, Verdict.NOT_TESTABLE, text), check
            )
        text = fault.text.replace("the driver", "the runtime", 1)
        return self._with_help(self._charged(check, text, step.get("clause")), check)

    def _without_control(self, check: Check) -> Result:
        """Return the result of a check on a runtime whose plain calls fail."""
        result = self.result(check, Verdict.NOT_TESTABLE, self._uncontrolled)
        result = self._with_help(result, check)
        return replace(result, evidence={**result.evidence, "control": "failed"})

    def _with_help(self, result: Result, check: Check) -> Result:
        """Add what helps to find the fault: what the tools saw, the end of stderr."""
        evidence = {
            key: value if isinstance(value, int) else in_line(value, 2_000)
            for key, value in self._evidence.items()
        }
        return replace(
            result,
            evidence={**evidence, **result.evidence},
            stderr=self.bridge.stderr_tail,
            reproduce=run_line(self.settings, check.argument),
        )


def _garbled(supplied: Iterable[Tool]) -> str:
    """Return a line that one of the servers was sent and that is no request, or ""."""
    seen = (one for tool in supplied if tool.server for one in tool.seen)
    line = next((one.garbled for one in seen if one.garbled), b"")
    shown = line[:SHOWN_LINE].decode(errors="backslashreplace")
    return f"{shown}…" if len(line) > SHOWN_LINE else shown


def _lacking(check: Check, told: Mapping[str, Any], pid: int) -> str:
    """Say what a check needs beside ops and is not there, or return an empty text."""
    if check.needs.get("half_pairs") and told.get("halfPairs") is not True:
        return "it needs halfPairs, half of a surrogate pair, which is not declared"
    pid = told.get("pid", pid)
    if check.needs.get("linux") and not (is_linux() and count_descriptors(pid)):
        return f"it needs Linux, and a look at the descriptors of process {pid}"
    return ""


def died_idle(outcome: StepsOutcome, steps: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether a driver ended before the steps in hand had asked for any call.

    What it was asked before may be what it ended of.
    """
    match outcome:
        case NotAnswered(fault=DriverFault(cause="died"), step=place):
            asked = [str(step.get("op", "")) for step in steps[: place + 1]]
            return all(op in QUIET for op in asked)
        case _:
            return False
