"""The checks of a line protocol, bound to one subject: what all of them share.

A protocol brings a session, which holds the conversation and its ledger, and says what
a check needs, how one vector is run and how a failure is shown again.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, assert_never

from wireproof.checks import (
    Attempt,
    Check,
    ClauseText,
    Deviation,
    Level,
    Result,
    SubjectFacts,
    Suite,
    Verdict,
    broken,
)
from wireproof.crossing import run_place
from wireproof.line._ahead import sent_ahead
from wireproof.line._judgement import Judgement, judge
from wireproof.line._outcome import Completed, Diverged, MissingCause, NotUp
from wireproof.line._session import LineSession
from wireproof.line._steps import StepRunner
from wireproof.subjects import pytest_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks import Settings, Target, Transcript
    from wireproof.line._monitors import Monitors
    from wireproof.line._outcome import StepsOutcome
    from wireproof.subjects import Patience
    from wireproof_vectors import Vector

RETRY_SLOWER = 5
"""Factor for the times in a timing vector each time it is tried again."""


MOST_CONFIRMED = 5
"""Failures in a row that came again on a new subject, after which no other is tried
alone: each costs a start and the same wait once more, and tells the same."""

SessionType = TypeVar("SessionType", bound=LineSession[Any])


FORESEEN_CHECKS = 60
"""Checks before a start from which on a subject is started ahead for it: most
interpreters come up while so many are carried out."""

MOST_SPARES = 3
"""Subjects that are started ahead at a time: each takes memory while it waits."""

AGAINST = frozenset({Verdict.FAILED, Verdict.WARNED})
"""What the checks of a subject come to that has done something wrong."""


class LineSuite(Suite, Generic[SessionType]):
    """All checks of a line protocol on one subject.

    Attributes:
        session: The conversation.
        vectors: The vectors behind the checks, by id.
        monitors: What was found in frames over all checks.
        sources: The source of each clause.
    """

    fenced_clauses: ClassVar[frozenset[str]]
    """Clauses of what must not come or not happen: their checks keep their fences."""

    ending_steps: ClassVar[frozenset[str]]
    """Steps after which the next check needs a subject that is started for it."""

    def __init__(
        self,
        session: SessionType,
        target: Target,
        settings: Settings,
        checks: Sequence[Check],
        vectors: Mapping[str, Vector],
        toolset: Sequence[str],
        clauses: Sequence[ClauseText],
        monitors: Monitors,
    ) -> None:
        """Bind checks to a subject.

        Args:
            session: The conversation, not yet begun.
            target: The subject.
            settings: The user's options.
            checks: What there is to run.
            vectors: The vectors behind the checks, by id.
            toolset: The names of the tools that a subject at full level lists.
            clauses: The catalogue.
            monitors: Where what is found in frames is kept.
        """
        super().__init__(target, settings, checks)
        self.session = session
        self.vectors = vectors
        self.monitors = monitors
        self.sources = {clause.id: clause.source for clause in clauses}
        self._toolset = toolset
        self._unfenced: Check | None = None
        self._places: dict[str, int] = {}
        self._starts_foreseen: set[int] = set()
        self._confirmed = 0
        self._keeps_apart = True
        self._levels: dict[str, Level] = {clause.id: clause.level for clause in clauses}

    @property
    def patience(self) -> Patience:
        """How long answers are waited for."""
        return self.session.patience

    # --- what a protocol brings

    @abstractmethod
    def unmet(self, check: Check) -> Result | None:
        """Begin a check: start the subject, and see whether it offers what is needed.

        Returns:
            The result where the check cannot be carried out, else None.
        """

    @abstractmethod
    def run_vector(self, check: Check, vector: Vector) -> Result:
        """Carry out one vector."""

    @abstractmethod
    def run_property(self, check: Check) -> Result:
        """Fuzz one property."""

    @abstractmethod
    def reproduction(
        self,
        check: Check,
        steps: Sequence[Mapping[str, Any]],
        found: Sequence[Deviation] = (),
    ) -> str:
        """Return one line of shell that shows a failure again."""

    def runner(self, time_scale: int) -> StepRunner[SessionType]:
        """Return what carries out the steps of a check.

        Args:
            time_scale: Factor for the times that tools are asked to take.
        """
        return StepRunner(self.session, time_scale=time_scale)

    def settle(
        self,
        check: Check,
        outcome: StepsOutcome,
        steps: Sequence[Mapping[str, Any]],
    ) -> StepsOutcome:
        """Wait for what tells to which clause a failure is charged, and say so.

        What is judged afterwards is read from nobody any more.
        """
        return outcome

    # --- what all share

    @property
    def transcript(self) -> Transcript:
        """The traffic of the check in hand."""
        return self.session.transcript

    def discard(self) -> None:
        """End the subject at once; the next check starts a new one."""
        self.session.discard()

    def announce(self, checks: Sequence[Check]) -> None:
        """Take note of where in the order of checks a subject has to be started."""
        self._places = {check.id: place for place, check in enumerate(checks)}
        for place, check in enumerate(checks):
            if check.kind != "vector":
                continue
            data: Mapping[str, Any] = self.vectors[check.id].data
            if data.get("fresh") or data.get("bare"):
                self._starts_foreseen.add(place)
            if self._ends_subject(data["steps"]):
                self._starts_foreseen.add(place + 1)
        # Behind the last check nothing is started.
        self._starts_foreseen -= {0, len(checks)}

    def _ends_subject(self, steps: Sequence[Mapping[str, Any]]) -> bool:
        """Tell whether the subject has ended when the steps are over."""
        ended = False
        for step in steps:
            ended |= not self.ending_steps.isdisjoint(step)
            ended &= "restart" not in step
        return ended

    def carry_out(self, check: Check) -> Result:
        """Carry out one check, and start ahead what the next ones will need."""
        result = self._after_former(check)
        if (place := self._places.get(check.id)) is not None:
            near = range(place + 1, place + 1 + FORESEEN_CHECKS)
            count = len(self._starts_foreseen.intersection(near))
            self.session.prepare_start(min(count, MOST_SPARES))
        return result

    def _after_former(self, check: Check) -> Result:
        """Carry out one check, which may prove how the one before it ended."""
        former, self._unfenced = self._unfenced, None
        if former is None:
            return self._carry_out(check)
        found = self._left_by(former, fence=not self._goes_on(check))
        lost = self.session.lost
        result = self._carry_out(check)
        if not found and (result.verdict in AGAINST or self.session.lost > lost):
            # The subject may have been spoilt by the check before, whose fault this is.
            found = self._try_fenced(former)
            if found:
                result = self._carry_out(check)
        new = self.monitors.report(found, check.id)
        if not new:
            return result
        result = replace(
            result,
            monitors=(*result.monitors, *new),
            reproduce=result.reproduce
            or pytest_line(former.argument, self.settings.reproduce_options),
        )
        self.monitors.attach(new, result)
        return result

    def end_checks(self) -> None:
        """Prove how the last check ended, where nothing has proved it."""
        former, self._unfenced = self._unfenced, None
        if former is not None:
            self.monitors.report(self._left_by(former, fence=True), former.id)

    def _left_by(self, former: Check, *, fence: bool) -> Sequence[Deviation]:
        """Return what a check without a fence has left behind.

        Args:
            former: The check, which passed.
            fence: Whether to send the fence that it has left out.
        """
        session = self.session
        before = len(session.deviations)
        lives = session.serves and not (fence and session.fence() is not None)
        late = session.deviations[before:]
        return late if lives else (*late, *self._try_fenced(former))

    def _try_fenced(self, former: Check) -> Sequence[Deviation]:
        """Try a check again, alone and with its fence; return what it is charged with.

        Args:
            former: The check, which passed; what it left behind is in doubt.
        """
        self.session.discard()
        self.session.begin()
        data: Mapping[str, Any] = self.vectors[former.id].data
        result = self.attempt(former, data["steps"]).result
        if result.verdict not in AGAINST:
            return result.monitors
        text = f"after {former.id}: {result.reason}"
        own = Deviation(result.clauses[0], result.level, text)
        return (*result.monitors, own)

    def _goes_on(self, check: Check) -> bool:
        """Tell whether a check is carried out on the subject as it is."""
        if check.kind != "vector":
            return False
        data: Mapping[str, Any] = self.vectors[check.id].data
        apart = data.get("fresh") or data.get("bare") or "home" in check.needs
        return not apart and "launched" not in check.needs

    def _carry_out(self, check: Check) -> Result:
        if check.kind == "fuzz":
            return self.run_property(check)
        return self.run_vector(check, self.vectors[check.id])

    def facts(self) -> SubjectFacts:
        """Return what is known of the subject."""
        missing = tuple(
            tool
            for tool in self._toolset
            if self.session.controlled and tool not in self.session.tools
        )
        lacking = set(missing)
        return SubjectFacts(
            "wire" if missing or not self.session.controlled else "full",
            self.session.starts,
            sum(not lacking.isdisjoint(c.needs.get("tools", ())) for c in self.checks),
            missing,
            self.settings.fuzz_seed,
            round(self.session.patience.latency * 1000, 3),
        )

    def attempt(
        self,
        check: Check,
        steps: Sequence[Mapping[str, Any]],
        *,
        time_scale: int = 1,
        begun: bool = False,
        spares_fence: bool = False,
    ) -> Attempt:
        """Carry out steps on the subject as it is, and judge what comes of them.

        Args:
            check: What the steps belong to.
            steps: What to carry out.
            time_scale: Factor for the times that tools are asked to take.
            begun: Whether ``unmet`` has begun the check already.
            spares_fence: Whether its last answer may stand for the fence.
        """
        if not begun:
            self.session.begin()
        if (not_up := self.session.ensure_up()) is not None:
            return Attempt(self.not_up(check, not_up))
        self.session.checks_served += 1
        fresh = self.session.checks_served == 1
        outcome = self.runner(time_scale).run(steps, spares_fence=spares_fence)
        outcome = self.settle(check, outcome, steps)
        result, is_lost = self.conclude(check, outcome, steps)
        if is_lost and not self._is_spared(outcome):
            self.session.discard()
        match outcome:
            case Completed(frames=frames):
                return Attempt(result, fresh=fresh, counted={"frames": frames})
            case Diverged(about_time=about_time, missing=missing, step=step):
                about_time = about_time or missing is not None
                return Attempt(result, about_time=about_time, fresh=fresh, step=step)
            case _:
                assert_never(outcome)

    def _is_spared(self, outcome: StepsOutcome) -> bool:
        """Tell whether a subject that owes an answer is kept for the next try.

        While a failure is made smaller each try would cost a start.
        """
        timeout = (
            isinstance(outcome, Diverged)
            and outcome.missing is not None
            and outcome.missing.cause is MissingCause.TIMEOUT
        )
        return timeout and self.patience.shortened and self.session.lives_on()

    def try_vector(
        self, check: Check, steps: Sequence[Mapping[str, Any]], retry: int
    ) -> Result:
        """Carry out steps, more slowly and alone where that may tell more.

        Args:
            check: What the steps belong to; it has been begun.
            steps: What to carry out.
            retry: How often a failure that may be one of time is tried again.
        """
        scale = 1
        spares = self._goes_on(check) and self.fenced_clauses.isdisjoint(check.clauses)
        apart = spares and self._keeps_apart and self.session.is_slow
        ahead = sent_ahead(steps) if apart else None
        if ahead is not None:
            result = self._try_ahead(check, ahead)
            if result is not None:
                return result
        begun = ahead is None
        attempt = self.attempt(check, steps, begun=begun, spares_fence=spares)
        if self.session.unfenced:
            self._unfenced = check
        for _ in range(retry):
            if not attempt.about_time:
                break
            # A busy machine may have held up what the steps measure: slower tools leave
            # more room. What is still in flight must not be taken for a part of the
            # next try.
            self.session.discard()
            scale *= RETRY_SLOWER
            attempt = self._again(check, steps, attempt.result, scale)
        result = attempt.result
        if result.verdict is Verdict.FAILED and not attempt.fresh:
            result = self._try_alone(check, steps, result, scale)
        return result

    def _try_ahead(
        self, check: Check, steps: Sequence[Mapping[str, Any]]
    ) -> Result | None:
        """Carry out a check with its requests sent first; None where that went wrong.

        A subject that did not keep them apart once is not asked so again: what that
        means is for the checks of requests without waiting to say.
        """
        session = self.session
        session.checks_served += 1
        outcome = self.runner(1).run(steps, spares_fence=True)
        if isinstance(outcome, Completed) and not session.deviations:
            if session.unfenced:
                self._unfenced = check
            return self.conclude(check, outcome, steps)[0]
        self._keeps_apart = False
        session.discard()
        return None

    def run_place(self, check: Check, place: Mapping[str, Any]) -> Result:
        """Try a place with each value that may stand there.

        Args:
            check: The place as a check; it has been begun.
            place: The place as its file has it.
        """
        return run_place(self, check, place, self.session.tools)

    def lacks_tool(self, check: Check) -> Result | None:
        """Return the result of a check that needs a tool which is not listed."""
        for tool in check.needs.get("tools", ()):
            if tool not in self.session.tools:
                reason = f"it needs {tool}, which is not listed"
                result = self.early(check, Verdict.NOT_APPLICABLE, reason)
                return replace(result, evidence={"tools": [tool]})
        return None

    def _again(
        self,
        check: Check,
        steps: Sequence[Mapping[str, Any]],
        before: Result,
        scale: int,
    ) -> Attempt:
        after = self.attempt(check, steps, time_scale=scale)
        monitors = (*before.monitors, *after.result.monitors)
        return replace(after, result=replace(after.result, monitors=monitors))

    def _try_alone(
        self,
        check: Check,
        steps: Sequence[Mapping[str, Any]],
        failed: Result,
        scale: int,
    ) -> Result:
        """Try a failed vector on a subject that has served nothing else.

        The failure stands either way; what is learnt is whether one line shows it
        again or whether it takes what was sent before.
        """
        if self._confirmed >= MOST_CONFIRMED:
            note = (
                f"not tried: the last {MOST_CONFIRMED} failures came on a new subject"
            )
            return replace(failed, evidence={**failed.evidence, "alone": note})
        self.session.discard()
        again = self._again(check, steps, failed, scale).result
        if again.verdict is Verdict.FAILED:
            self._confirmed += 1
            return again
        self._confirmed = 0
        note = "it did not fail on a subject that had served nothing else"
        return replace(
            failed,
            evidence={**failed.evidence, "alone": note},
            reproduce=pytest_line("", self.settings.reproduce_options),
            monitors=again.monitors,
        )

    def conclude(
        self,
        check: Check,
        outcome: StepsOutcome,
        steps: Sequence[Mapping[str, Any]],
    ) -> tuple[Result, bool]:
        """Judge what came of steps, with what the monitors found in the session.

        Args:
            check: What the steps belong to.
            outcome: What came of them.
            steps: What was carried out.

        Returns:
            The result, and whether the subject may serve no other check.
        """
        clauses = check.clauses
        if isinstance(outcome, Diverged) and outcome.charged is not None:
            # What came tells more than the step that met it first. Where the check is a
            # MUST the clause counts as its own: it fails, charged to that clause. All
            # such clauses are MUSTs, so a SHOULD is not testable because of one.
            if check.level == "must":
                clauses = (*clauses, outcome.charged)
            outcome = replace(outcome, clause=outcome.charged)
        found = self.session.deviations
        explained = {id(one) for one in found if self._explains(check, one)}
        clause, level = check.clauses[0], check.level
        if explained and isinstance(outcome, Diverged) and outcome.clause is not None:
            rests_on = outcome.clause
            if self._levels[rests_on] != "must":
                # The step that failed asks for what no MUST asks for: neither may what
                # the monitor found of the same frame be charged as a MUST.
                clause, level = rests_on, self._levels[rests_on]
                outcome = replace(outcome, deviations=())
        # What a check itself is about is its own failure, not a monitor's by the way:
        # the monitor sees only the form that the fault takes on the wire.
        deviations = [
            replace(one, clause=clause, level=level) if id(one) in explained else one
            for one in found
        ]
        # Nor is it about an answer to the suite's own request, such as the fence: what
        # is wrong there is the monitor's alone, although their clause is the same.
        asked = self.session.asked
        about_it = [
            one
            for one in deviations
            if one.about is None or one.about in asked or one.clause not in clauses
        ]
        judgement = judge(clauses, check.level, outcome, about_it, self._levels)
        result = self._judged(check, judgement, outcome, steps)
        result = self._charge(
            check, result, [one for one in found if id(one) not in explained]
        )
        # A subject that failed a MUST, or that owes an answer, may be in any state:
        # what it does next says nothing about the next check.
        failed = judgement.subject_lost or judgement.verdict is Verdict.FAILED
        stale = isinstance(outcome, Diverged) and self.session.stale_after_failure
        return result, failed or stale

    def _charge(
        self, check: Check, result: Result, found: Sequence[Deviation]
    ) -> Result:
        """Hand what the monitors found to their own results; name what is new."""
        started = {id(one) for one in self.session.at_start}
        at_start = [one for one in found if id(one) in started]
        self._charge_start(check, result, at_start)
        new = self.monitors.report(
            (one for one in found if id(one) not in started), check.id
        )
        other = tuple(one for one in new if one.clause not in check.clauses)
        if new and result.reproduce is None:
            result = replace(result, reproduce=self.reproduction(check, [{"fence": 1}]))
        result = replace(result, monitors=other)
        self.monitors.attach(new, result)
        return result

    def _charge_start(
        self, check: Check, result: Result, found: Sequence[Deviation]
    ) -> None:
        """Hand over what was found while the subject was started.

        The check in hand is innocent of it: it fails by the monitor's own result.
        """
        new = self.monitors.report(found, None, "when the subject was started")
        if new:
            sent = (one.direction == "sent" and not one.own for one in result.entries)
            count = next((n for n, own in enumerate(sent) if own), len(result.entries))
            shown = replace(
                result,
                entries=result.entries[:count],
                prelude=0,
                reproduce=self.reproduction(check, [{"fence": 1}]),
            )
            self.monitors.attach(new, shown)

    def _explains(self, check: Check, found: Deviation) -> bool:
        """Tell whether a check itself is about what a monitor found."""
        vector = self.vectors.get(check.id)
        listed: Any = vector.data.get("explains", ()) if vector else ()
        if found.clause not in listed:
            return False
        return found.about is None or found.about in self.session.asked

    def _judged(
        self,
        check: Check,
        judgement: Judgement,
        outcome: StepsOutcome,
        steps: Sequence[Mapping[str, Any]],
    ) -> Result:
        evidence: dict[str, Any] = {}
        ended: str | None = None
        if isinstance(outcome, Completed):
            evidence["frames"] = outcome.frames
        elif outcome.missing is not None:
            ended = outcome.missing.ended
        if judgement.recorded:
            evidence["recorded"] = judgement.recorded
        result = replace(
            self.result(check, judgement.verdict, judgement.reason),
            clauses=(judgement.charged,) if judgement.charged else check.clauses,
            evidence=evidence,
            because=judgement.because,
            differences=judgement.differences,
            ended=ended,
        )
        if judgement.verdict is Verdict.PASSED and not self.session.deviations:
            return result
        return replace(
            result,
            stderr=self.session.stderr_tail,
            reproduce=self._line_of(check, outcome, steps),
        )

    def _line_of(
        self, check: Check, outcome: StepsOutcome, steps: Sequence[Mapping[str, Any]]
    ) -> str:
        """Return a line that shows a failure again, the plain request at the end too.

        A pipe holds only what the vector sends.
        """
        own = isinstance(outcome, Diverged) and outcome.at_fence
        if own and not any("fence" in step for step in steps):
            return pytest_line(check.argument, self.settings.reproduce_options)
        return self.reproduction(check, steps)

    # --- results

    def early(
        self, check: Check, verdict: Verdict, reason: str, because: str | None = None
    ) -> Result:
        """Conclude a check that could not be carried out."""
        result = replace(self.result(check, verdict, reason), because=because)
        return self._charge(check, result, self.session.deviations)

    def not_up(self, check: Check, not_up: NotUp) -> Result:
        own = [found for found in not_up.deviations if found.clause in check.clauses]
        if own:
            result = self.result(check, broken(own[0].level), own[0].text)
        else:
            because = next((found.clause for found in not_up.deviations), None)
            result = replace(
                self.result(check, Verdict.NOT_TESTABLE, not_up.text), because=because
            )
        result = replace(
            result,
            stderr=self.session.stderr_tail,
            reproduce=self.reproduction(check, [{"fence": True}], not_up.deviations),
            ended=not_up.ended,
        )
        if own and not result.entries and not_up.transcript is not None:
            # The subject is given up: what it was asked at its last start is shown.
            result = replace(result, entries=not_up.transcript.entries())
        return self._charge(check, result, not_up.deviations)
