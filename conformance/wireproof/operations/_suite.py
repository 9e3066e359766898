"""The checks of a protocol of operations, bound to one bridged subject.

A protocol brings its ops, their controls, the scenarios that no vector can tell and
what its fuzz properties draw.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, assert_never

from wireproof.checks import (
    AGAINST,
    HELD,
    Attempt,
    Result,
    SubjectFacts,
    Verdict,
)
from wireproof.crossing import (
    is_place,
    run_place,
    without_why,
)
from wireproof.operations._controls import is_own_control
from wireproof.operations._misfits import misfit_results
from wireproof.operations._needs import (
    needed_ops,
    not_offered,
    offered_steps,
    step_not_offered,
)
from wireproof.operations._outcome import (
    AsExpected,
    Differs,
    NotAnswered,
    NotOffered,
)
from wireproof.operations._results import BridgedResults
from wireproof.subjects import DriverFault, run_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypothesis.strategies import SearchStrategy

    from wireproof.checks import Check
    from wireproof.fuzzing import Example
    from wireproof.subjects import Description


ALONE_SECONDS = 5.0
"""Seconds of a run that may be spent on seeing failures again on a new subject."""

REMEMBERS = (
    "a new {noun} does it right: something is kept of what other checks asked, or it "
    "fails by chance"
)
"""What is said of a failure that is not seen again."""


class BridgedSuite(BridgedResults):
    """All checks of a protocol of operations on one subject.

    Attributes:
        full_ops: The ops that a subject at full level offers.
        optional_ops: Further ones that it may offer.
        targets: The targets of ops that a subject may leave out.
    """

    full_ops: ClassVar[tuple[str, ...]]
    optional_ops: ClassVar[tuple[str, ...]] = ()
    targets: ClassVar[frozenset[str]] = frozenset()

    _described: Description | None = None
    """What the driver says of the subject; None while it has not come up."""

    _controlled: bool = False
    """Whether any op was ever seen to do what it should."""

    _uncontrolled: dict[str, str]
    """Why what an op does right in the check in hand proves nothing, by the op."""

    _asked_first: tuple[int, str] = (0, "")
    """The driver that is there, and the check for which it was started."""

    _alone: frozenset[str] = frozenset()
    """Clauses whose failure was seen again on a new subject."""

    _alone_seconds: float = 0.0
    """Seconds that were spent on that."""

    # --- what a protocol brings

    @abstractmethod
    def run_scenario(self, check: Check) -> Result:
        """Carry out a scenario; ``unmet`` has found nothing that is in its way."""

    @abstractmethod
    def run_property(self, check: Check) -> Result:
        """Fuzz one property; ``unmet`` has found nothing that is in its way."""

    def unmet_beside(
        self, check: Check, ops: Sequence[str], described: Description
    ) -> Result | None:
        """Return the result of a check that needs more than ops, where that is not met.

        Args:
            check: The check, begun.
            ops: The ops that it needs, all of which are offered.
            described: What the driver says of the subject.
        """
        return None

    def steps_in(self, data: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """Return the steps of a vector."""
        found: Sequence[Mapping[str, Any]] = data["steps"]
        return found

    def uses(self, feature: str, step: Mapping[str, Any]) -> bool:
        """Tell whether a step uses a feature that a subject may lack.

        Args:
            feature: Its name, as ``lacks`` of ``describe`` has it.
            step: The step, as it stands in the file.
        """
        return False

    def control_missing(self, op: str) -> str | DriverFault:
        """Say why an op proves nothing, or return an empty text where it does."""
        return self.controls.missing(op)

    # --- what all share

    def finish(self) -> list[Result]:
        """Stop the driver, and return what its answers do wrong, if anything."""
        self.bridge.stop()
        return misfit_results(self.target.protocol, self.bridge)

    def facts(self) -> SubjectFacts:
        """Return what is known of the subject."""
        offered = self._described.ops if self._described else frozenset[str]()
        full = self._controlled and offered.issuperset(self.full_ops)
        return SubjectFacts(
            "full" if full else "wire",
            self.bridge.starts,
            0,
            (),
            self.settings.fuzz_seed,
            round(self.patience.latency * 1000, 3),
            lacks=self._described.lacks if self._described else (),
        )

    def carry_out(self, check: Check) -> Result:
        """Carry out one check, of any of the three kinds."""
        self._uncontrolled = {}
        self.patience.begin(check.clauses[0])
        result = self._tried(check)
        if self._asked_first[0] != self.bridge.pid:
            self._asked_first = (self.bridge.pid, check.id)
        if check.kind == "vector" and result.verdict in AGAINST:
            result = self._seen_alone(check, result)
        steps = self._steps_of(check)
        for op, missing in self._uncontrolled.items() if result.verdict in HELD else ():
            if not is_own_control(op, steps):
                # An op that changes nothing rightly keeps nothing rightly either.
                return self.not_testable(check, missing)
        return result

    def _seen_alone(self, check: Check, result: Result) -> Result:
        """See a failure again on a new subject, once for each clause.

        One that does it right there remembers other checks: a line for this check alone
        would show nothing.
        """
        clause = result.clauses[0]
        known = clause in self._alone or self._alone_seconds > ALONE_SECONDS
        if known or self._asked_first[1] == check.id:
            return result
        began = time.monotonic()
        with self.bridge.aside():
            again = self._tried(check)
        self._alone_seconds += time.monotonic() - began
        if again.verdict not in HELD:
            self._alone |= {clause}
            return result
        # Nor is the value at fault, whatever other programs do to it.
        told = without_why(result.reason)
        reason = f"{told} ({REMEMBERS.format(noun=self.noun)})"
        return replace(result, reason=reason, reproduce=run_line(self.settings))

    def _tried(self, check: Check) -> Result:
        if (result := self.unmet(check)) is not None:
            return result
        if check.kind == "scenario":
            return self.run_scenario(check)
        if check.kind == "fuzz":
            return self.run_property(check)
        data = self.vectors[check.id].data
        if is_place(data):
            return run_place(self, check, data)
        return self.attempt(check, self._steps_of(check), begun=True).result

    def unmet(self, check: Check) -> Result | None:
        """Begin a check: see whether the subject offers what it needs.

        An op without a control is carried out all the same where the subject is more
        than an empty shell: a wrong answer is one, a right one counts for nothing.

        Returns:
            The result where the check cannot be carried out, else None.
        """
        self.bridge.begin()
        if isinstance(described := self.bridge.ensure_up(), DriverFault):
            return self.not_up(check, described)
        self._described = described
        steps = self._steps_of(check)
        reason = not_offered(check, steps, described, self.targets, self.uses)
        if not reason and check.needs.get("in_process") and not self.in_process:
            reason = f"it needs a {self.noun} in Python, named as module:attr"
        if reason:
            return self.result(check, Verdict.NOT_APPLICABLE, reason)
        ops = needed_ops(check, steps)
        if not ops:
            # A scenario needs no op, but a subject that does something.
            known = (*self.full_ops, *self.optional_ops)
            ops = [op for op in known if op in described.ops][:1]
        if (result := self.unmet_beside(check, ops, described)) is not None:
            return result
        for op in ops:
            missing = self.control_missing(op)
            if isinstance(missing, DriverFault):
                return self.not_answered(check, missing)
            if not missing:
                self._controlled = True
                continue
            offered = [op for op in self.full_ops if op in described.ops]
            if not self.controls.any_right(offered):
                return self.not_testable(check, missing)
            self._uncontrolled[op] = missing
        self.bridge.begin()
        return None

    def attempt(
        self, check: Check, steps: Sequence[Mapping[str, Any]], *, begun: bool = False
    ) -> Attempt:
        """Carry out steps on the subject as it is, and judge what comes of them.

        Args:
            check: What the steps belong to.
            steps: What to carry out.
            begun: Whether ``unmet`` has begun the check already.
        """
        if not begun:
            self.bridge.begin()
        if isinstance(described := self.bridge.ensure_up(), DriverFault):
            return Attempt(self.not_up(check, described))
        offered = dict(enumerate(steps))
        if check.kind == "fuzz":
            lacking = [
                step_not_offered(step, described, self.targets, self.uses)
                for step in steps
            ]
            offered = offered_steps(steps, lacking)
            if not offered:
                reason = next(filter(None, lacking))
                return Attempt(self.result(check, Verdict.NOT_APPLICABLE, reason))
        places = list(offered)
        outcome = self.conduct(list(offered.values()))
        match outcome:
            case AsExpected(recorded=recorded):
                result = self.as_expected(check, recorded, len(offered))
                return Attempt(result, counted={"operations": len(offered)})
            case NotOffered(text=text):
                return Attempt(self.result(check, Verdict.NOT_APPLICABLE, text))
            case NotAnswered(fault=fault):
                place = places[outcome.step]
                result = self.not_answered(check, fault, steps[place])
                return Attempt(replace(result, evidence={"step": place}), step=place)
            case Differs():
                place = places[outcome.step]
                result = self.differs(check, outcome, steps[place])
                return Attempt(result, step=place)
            case _:
                assert_never(outcome)

    def fuzz_property(self, check: Check, strategy: SearchStrategy[Example]) -> Result:
        """Draw examples of a property, each a list of steps, and judge them."""
        from wireproof.operations._fuzz import fuzz_operations

        return fuzz_operations(self, check, self.target.protocol, strategy)

    def _steps_of(self, check: Check) -> Sequence[Mapping[str, Any]]:
        """Return the steps of the vector behind a check; none where there is none."""
        if check.kind != "vector":
            return ()
        return self.steps_in(self.vectors[check.id].data)
