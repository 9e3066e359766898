"""What the attempts at checks of a bridged subject come to, as results.

What differs is the subject's; what the driver does wrong is its own fault, but for an
op that the subject does not outlive.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from wireproof.checks import Difference, Result, Suite, Verdict, broken
from wireproof.operations._controls import Controls
from wireproof.operations._opening import is_in_process
from wireproof.operations._operations import carry_out_steps
from wireproof.operations._outcome import Differs, NotAnswered
from wireproof.operations._reproduction import Reproduction
from wireproof.subjects import DriverFault

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks import Check, SuiteInputs, Transcript
    from wireproof.operations._outcome import StepsOutcome
    from wireproof.subjects import Bridge

OUTLIVED = frozenset({"died", "hung"})
"""Faults of a driver that a subject may cause; a wrong line is the driver's own."""


class BridgedResults(Suite):
    """How results of checks on one subject are made.

    Attributes:
        noun: What a subject is called, such as ``registry``.
        in_process: Whether the subject is an object in Python, named as module:attr.
        bridge: The driver.
        patience: How long answers are waited for.
        vectors: The vectors behind the checks, by id.
        controls: For each op what shows that it does something.
    """

    noun: ClassVar[str]

    def __init__(
        self,
        bridge: Bridge,
        inputs: SuiteInputs,
    ) -> None:
        """Bind checks to a subject.

        Args:
            bridge: The driver, not yet started.
            inputs: What the suite is made of.
        """
        super().__init__(inputs.target, inputs.settings, inputs.checks)
        self.bridge = bridge
        self.patience = bridge.patience
        self.in_process = is_in_process(inputs.target.command)
        self.vectors = inputs.vectors
        controls = self.controls_in(inputs.setup)
        self.controls = Controls(bridge, controls, self.conduct)
        self._reproduction = Reproduction(inputs.target, inputs.settings, bridge)

    # --- what a protocol may bring

    def controls_in(
        self, setup: Mapping[str, Any]
    ) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """Return for each op what shows that it does something, from ``setup.json``."""
        found: Mapping[str, Sequence[Mapping[str, Any]]] = setup["controls"]
        return found

    def conduct(self, steps: Sequence[Mapping[str, Any]]) -> StepsOutcome:
        """Carry out steps on the driver, which is up.

        Args:
            steps: As they stand in a vector file.
        """
        return carry_out_steps(self.bridge, steps)

    # --- what all share

    @property
    def transcript(self) -> Transcript:
        """The traffic of the check in hand."""
        return self.bridge.transcript

    def discard(self) -> None:
        """End the driver at once; the next check starts a new one."""
        self.bridge.discard()

    def as_expected(
        self, check: Check, recorded: Mapping[str, str], count: int
    ) -> Result:
        """Return the result of a check in which every step went as it should."""
        verdict = Verdict.RECORDED if check.level == "may" else Verdict.PASSED
        seen = ", ".join(f"{op}: {label}" for op, label in recorded.items())
        evidence: dict[str, Any] = {"operations": count}
        if recorded:
            evidence["recorded"] = dict(recorded)
        return replace(self.result(check, verdict, seen), evidence=evidence)

    def differs(
        self, check: Check, outcome: Differs, step: Mapping[str, Any]
    ) -> Result:
        """Judge a value that is not what a step expects."""
        clause = step.get("clause")
        if clause is not None and clause not in check.clauses:
            # The step prepares what the check is about, and is another clause's.
            reason = f"not testable because of {clause}: {outcome.text}"
            result = self.result(check, Verdict.NOT_TESTABLE, reason)
            return replace(result, because=clause, differences=outcome.differences)
        sentence = step.get("failure")
        text = f"{sentence}: {outcome.text}" if sentence else outcome.text
        result = self.failed(check, text, outcome.differences)
        return replace(
            result,
            # Of a check of several clauses the step says which one it is about.
            clauses=check.clauses if clause is None else (clause,),
            evidence={"step": outcome.step},
            reproduce=self.reproduce_line(check, step),
        )

    def reproduce_line(self, check: Check, step: Mapping[str, Any]) -> str:
        """Return the line that shows again what a step of a check came to."""
        return self._reproduction.line(check, step)

    def failed(
        self, check: Check, text: str, differences: tuple[Difference, ...] = ()
    ) -> Result:
        """Return the result of a check whose clause was broken."""
        return replace(
            self.result(check, broken(check.level), text),
            differences=differences,
            stderr=self.bridge.stderr_tail,
            reproduce=self._reproduction.line(check),
        )

    def not_answered(
        self, check: Check, fault: DriverFault, step: Mapping[str, Any] | None = None
    ) -> Result:
        """Judge a driver that did not answer.

        Where the driver is the suite's own, or the op is one that must be outlived
        and is not, by itself either, it is the subject that died or hung; otherwise
        nothing is said of it.
        """
        stderr = self.bridge.stderr_tail
        reproduce = self._reproduction.line(check, step)
        if fault.cause == "misfit":
            return self.not_testable(check, fault.text)
        alone = step is not None and self._fails_alone(step, fault)
        if self.in_process or alone:
            process = f"the process of the {self.noun}"
            result = self.failed(check, fault.text.replace("the driver", process))
        else:
            text = f"{fault.text}: a fault of the driver, not a wrong answer"
            result = self.result(check, Verdict.NOT_TESTABLE, text)
        ended = self._ended(fault)
        return replace(result, stderr=stderr, reproduce=reproduce, ended=ended)

    def _ended(self, fault: DriverFault) -> str | None:
        """Say how the driver ended, whatever it was asked; None where it did not."""
        if fault.cause != "died":
            return None
        who = f"the process of the {self.noun}" if self.in_process else "the driver"
        return fault.text.replace("the driver", who).partition(" at ")[0]

    def _fails_alone(self, step: Mapping[str, Any], fault: DriverFault) -> bool:
        """Tell whether a new driver dies or hangs too where it has to outlive a step.

        A driver that fails after so many ops, whatever they are, says nothing of the
        subject: a new one answers a plain op, and then this one.
        """
        must = step.get("survives", False) and not self.in_process
        if not must or fault.cause not in OUTLIVED:
            return False
        if isinstance(self.bridge.ensure_up(), DriverFault):
            return False
        plain = self.controls.plain(step["op"])
        if isinstance(self.conduct(plain), NotAnswered):
            return False
        again = self.conduct([step])
        return isinstance(again, NotAnswered) and again.fault.cause in OUTLIVED

    def not_testable(self, check: Check, reason: str) -> Result:
        """Return the result of a check that proves nothing."""
        result = self.result(check, Verdict.NOT_TESTABLE, reason)
        return replace(result, reproduce=self._reproduction.line(check))

    def not_up(self, check: Check, fault: DriverFault) -> Result:
        """Return the result of a check whose driver did not come up."""
        return replace(
            self.result(check, Verdict.NOT_TESTABLE, fault.text),
            stderr=self.bridge.stderr_tail,
            reproduce=self._reproduction.start_line(),
            ended=self._ended(fault),
        )
