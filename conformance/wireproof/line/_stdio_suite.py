"""The checks of a line protocol on stdio: what a subject leaves unanswered is learnt.

A check that ended with a brief wait in vain is carried out again with waits in full
(``_silences``); a clause whose checks all deafen the subject is not tried for ever.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from wireproof.checks import AGAINST, Attempt, Result, Verdict
from wireproof.crossing import is_place
from wireproof.line._delays import delay_of
from wireproof.line._evidence import head
from wireproof.line._lifetime import Lifetime
from wireproof.line._outcome import Diverged, owes_answer
from wireproof.line._silences import MOST_DEAFENED
from wireproof.line._stdio_requests import StdioRequests
from wireproof.line._suite import LineSuite
from wireproof.line._torn import of_torn
from wireproof.subjects import pipe_line, run_line, shown_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.checks import Check, Deviation, SuiteInputs
    from wireproof.line._outcome import StepsOutcome
    from wireproof.subjects import Ending
    from wireproof_vectors import Vector

LONG_SECONDS = 60.0
"""A check whose frames would take a host longer than this is left out."""

PIPED = frozenset(
    {
        "send",
        "send_many",
        "send_raw",
        "expect",
        "expect_optional",
        "order",
        "fence",
        "close_input",
        "expect_exit",
    }
)
"""Steps that a pipe can show again; input is closed after all others that send."""

PROVEN_OUTLASTED = 2
"""Waits in vain for an exit after which a subject is not waited for any more."""

StdioType = TypeVar("StdioType", bound=StdioRequests[Any, Any, Any])


class StdioSuite(LineSuite[StdioType]):
    """All checks of a line protocol on one subject on stdio."""

    ending_steps = frozenset({"close_input"})

    lifetime_clause: ClassVar[str]
    """What a subject breaks that serves a few requests only, whatever it is asked."""

    def __init__(
        self, new_session: Callable[[], StdioType], inputs: SuiteInputs
    ) -> None:
        """Bind checks to a subject.

        Args:
            new_session: Opens a session with it, not yet begun.
            inputs: The checks, and what they take.
        """
        super().__init__(new_session(), inputs)
        self.lifetime = Lifetime(self.session, new_session, self.lifetime_clause)

    @abstractmethod
    def piped(
        self, steps: Sequence[Mapping[str, Any]], found: Sequence[Deviation]
    ) -> Sequence[bytes]:
        """Return what a pipe writes to show a failure, each with time for its answer.

        Args:
            steps: The steps that failed, all of which a pipe can show.
            found: What was found beside the frames of the check in hand.

        Returns:
            The writes; none where a pipe does not show it.
        """

    @abstractmethod
    def plain_request(self) -> bytes:
        """Return a plain valid request as a pipe writes it: the fence, for one."""

    @property
    def forwarded(self) -> Sequence[str] | None:
        """The only variables that the subject gets; None where it gets the user's."""
        return None

    def finish(self) -> list[Result]:
        """Stop the subject and return what the monitors have to say."""
        self.end_checks()
        last = self.session.stop()
        self.session.end_spares()
        self.monitors.report(last, None, "at the end of the run")
        controlled = self.session.controlled
        return self.monitors.results(self.session.seen, controlled=controlled)

    def run_vector(self, check: Check, vector: Vector) -> Result:
        """Carry out one vector, on a subject as fresh as it wants."""
        data: Mapping[str, Any] = vector.data
        if self._outlasts(data.get("steps", ())):
            clause = check.clauses[0]
            reason = (
                f"not testable because of {clause}: the {self.session.noun} did not "
                "exit when its stdin was closed, in the checks before this"
            )
            self.session.begin()
            return self.early(check, Verdict.NOT_TESTABLE, reason, clause)
        ended: list[Deviation] = []
        if data.get("fresh") and self.session.checks_served:
            ended = self.session.stop()
        if (result := self.unmet(check)) is not None:
            return result
        if data.get("bare"):
            ended = self.session.stop()
            if (not_up := self.session.start_bare()) is not None:
                return self.not_up(check, not_up)
        for found in ended:
            self.session.note(found)
        if is_place(data):
            return self.run_place(check, data)
        steps = data["steps"]
        if (result := self._too_long(check, steps)) is not None:
            return result
        result = self.try_vector(check, steps, data.get("retry", 0))
        if self.is_apart(check):
            self.discard()
        return result

    def holds_back_all(self, check: Check) -> Result | None:
        """Return the result of a check of what first kept the subject from coming up.

        All else is tried on one that was told to flush.
        """
        unflushed = self.session.unflushed
        if unflushed is None or self.session.charges.flushed not in check.clauses:
            return None
        result = self.not_up(check, unflushed)
        if unflushed.transcript is None:
            return result
        return replace(result, entries=unflushed.transcript.entries(), prelude=0)

    def _outlasts(self, steps: Sequence[Mapping[str, Any]]) -> bool:
        """Tell whether steps wait for an exit that was waited for in vain before."""
        if self.session.outlasted < PROVEN_OUTLASTED:
            return False
        return any("expect_exit" in step for step in steps)

    def _too_long(
        self, check: Check, steps: Sequence[Mapping[str, Any]]
    ) -> Result | None:
        """Leave out what a subject of this speed would need minutes for."""
        frames = max((step.get("times", 1) for step in steps), default=1)
        seconds = frames * self.patience.frame
        if frames == 1 or seconds <= LONG_SECONDS:
            return None
        noun = self.session.noun
        reason = f"{frames} frames would take this {noun} about {seconds:.0f} s"
        return self.early(check, Verdict.NOT_APPLICABLE, reason)

    def reproduction(
        self,
        check: Check,
        steps: Sequence[Mapping[str, Any]],
        found: Sequence[Deviation] = (),
        *,
        fenced: bool = False,
    ) -> str:
        """Return one line of shell that shows a failure again."""
        line = None
        shows = all(not PIPED.isdisjoint(step) for step in steps)
        writes = self.piped(steps, found) if shows else ()
        if writes:
            plain = [self.plain_request()] if fenced else []
            *before, last = [*writes, *plain]
            only = self.forwarded
            shown: Mapping[str, str | None] = (
                self.settings.shown_environment if only is None else {}
            )
            ending = self._ending(steps, found)
            # What shows that nothing is flushed is shown as it was seen.
            added: Mapping[str, str] = (
                {} if ending == "tell" else self.session.added_environment
            )
            line = pipe_line(
                last,
                self.target.command,
                folder=shown_folder(self.settings),
                environment={**shown, **added},
                forwarded=only,
                seconds=delay_of(steps),
                ending=ending,
                before=before,
            )
        return line or run_line(self.settings, check.argument)

    def _ending(
        self, steps: Sequence[Mapping[str, Any]], found: Sequence[Deviation]
    ) -> Ending:
        """Return how a pipe has to end for a fault to be seen."""
        if any("close_input" in step for step in steps):
            return "at-once"
        flushed = self.session.charges.flushed
        every = (*found, *self.session.deviations)
        return "tell" if any(one.clause == flushed for one in every) else "settle"

    def settle(
        self,
        check: Check,
        outcome: StepsOutcome,
        steps: Sequence[Mapping[str, Any]],
    ) -> StepsOutcome:
        """Charge a failure to what the subject does whatever it is asked, if to any."""
        if self.is_over(outcome, steps) or not isinstance(outcome, Diverged):
            return outcome
        whole = self.session.charges.whole
        if fault := self.session.reads.fault(outcome, steps, self.session.sent):
            return self.of_reading(check, outcome, whole, fault)
        outcome, is_torn = of_torn(outcome, whole, self.session.tears)
        if is_torn:
            return outcome
        if owes_answer(outcome) and (strays := self.session.strays()):
            # It may be the answer that was owed, under no id.
            outcome = replace(outcome, frame=head(strays[-1].line))
        return self.charge(check, outcome, steps)

    def charge(
        self, check: Check, outcome: Diverged, steps: Sequence[Mapping[str, Any]]
    ) -> Diverged:
        """Charge a failure to what came of all the steps, where that tells more."""
        return outcome

    def is_over(
        self, outcome: StepsOutcome, steps: Sequence[Mapping[str, Any]]
    ) -> bool:
        """Tell whether a check met with the end of a subject that serves no longer.

        Args:
            outcome: What came of its steps.
            steps: What was carried out.
        """
        missing = outcome.missing if isinstance(outcome, Diverged) else None
        if missing is None or any("close_input" in step for step in steps):
            return False
        deaf = missing.timed_out and self.session.silences.deafened
        if missing.ended is None and not deaf:
            return False
        fault = self.lifetime.fault()
        if fault is not None:
            self.session.note(fault)
        return fault is not None

    def carry_out(self, check: Check) -> Result:
        """Carry out one check, unless those before it tell all about its clause."""
        silences, clause = self.session.silences, check.clauses[0]
        silences.begin(clause)
        if (because := silences.hopeless(clause)) is not None:
            self.session.begin()
            reason = (
                f"not testable because of {because}: the last {MOST_DEAFENED} checks "
                f"of {clause} left a {self.session.noun} that answers nothing"
            )
            return self.early(check, Verdict.NOT_TESTABLE, reason, because)
        result = super().carry_out(check)
        broken = result.because or result.clauses[0]
        is_left = silences.deafened and result.verdict in (
            *AGAINST,
            Verdict.NOT_TESTABLE,
        )
        silences.count(clause, broken if is_left else None)
        return result

    def prepare(self, check: Check) -> None:
        """Take note that a check is about to be attempted."""
        self.session.silences.begin(check.clauses[0])

    def reconsider(
        self, check: Check, found: Attempt, again: Callable[[], Attempt]
    ) -> Attempt:
        """Try again where waits were too brief for the verdict."""
        silences, clause = self.session.silences, found.result.held_against
        if clause is None or self.patience.shortened:
            return found
        known = self.session.kinds.knows(found.unanswered) or silences.knows(clause)
        if silences.hasty and not known:
            # What it left unanswered before was another clause's matter: this may be an
            # answer that takes its time.
            self.session.discard()
            slowest = self.patience.slowest
            with silences.in_full():
                found = again().after(found.result)
            clause = found.result.held_against
            if clause is None:
                # What comes as quickly as ever was left out the time before.
                if self.patience.slowest > slowest:
                    silences.forget()
                return found
        if silences.vain:
            silences.shows(clause)
            self.session.kinds.left(found.unanswered)
        return found
