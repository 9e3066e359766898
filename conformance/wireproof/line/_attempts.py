"""Attempts at one check of a line protocol, and when it is tried once more.

A failure that may be one of time is tried again more slowly, one on a subject that had
served others once more alone; requests are sent ahead of their answers where the
subject is slow and keeps them apart.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, assert_never

from wireproof.checks import Attempt, Check, Result, Verdict
from wireproof.line._ahead import sent_ahead
from wireproof.line._outcome import Completed, Diverged, owes_answer
from wireproof.line._results import LineResults, SessionType
from wireproof.line._state import SessionState
from wireproof.line._steps import StepRunner
from wireproof.patterns import longest_delay
from wireproof.subjects import run_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.line._outcome import StepsOutcome

RETRY_SLOWER = 5
"""Factor for the times in a timing vector each time it is tried again."""

RETRY_SURE = 3
"""The same where its tools took so long that hardly any machine can be at fault."""

SURE_LATENCIES = 200
"""A timing vector that failed again is not tried a third time where its tools took so
many latencies: no machine that is busy by the way holds one up for so long.
"""

MOST_CONFIRMED = 5
"""Failures in a row on a new subject, after which no other is tried alone: each costs a
start and the same wait once more, and tells the same."""


PROVEN_LOST = 2
"""Subjects in a row that were lost to the first check that they served, after which
the next is started while this one serves."""


class LineAttempts(LineResults[SessionType]):
    """How checks are carried out on one subject, one at a time."""

    fenced_clauses: ClassVar[frozenset[str]]
    """Clauses of what must not come or not happen: their checks keep their fences."""

    owing_clause: ClassVar[str] = ""
    """The clause by which every request is answered, whatever came before it; empty
    where there is none."""

    _unfenced: Check | None = None
    """The check before, where nothing has proved yet how it ended."""

    _confirmed: int = 0
    """Failures in a row on a new subject."""

    _kept: bool = False
    """Whether the subject has failed and was kept all the same."""

    _lost: int = 0
    """Subjects in a row that were lost to the first check that they served."""

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

    def prepare(self, check: Check) -> None:
        """Take note that a check is about to be attempted."""

    def reconsider(
        self, check: Check, found: Attempt, again: Callable[[], Attempt]
    ) -> Attempt:
        """Return what an attempt comes to, where its verdict may be in doubt.

        Args:
            check: The check.
            found: What came of it.
            again: Carries out the same steps once more.
        """
        return found

    def came_too_late(
        self, steps: Sequence[Mapping[str, Any]], attempt: Attempt
    ) -> bool:
        """Tell whether a timing vector failed because the subject is slow.

        Args:
            steps: What was carried out.
            attempt: What came of it: another frame than was expected.
        """
        return False

    def attempt(
        self,
        check: Check,
        steps: Sequence[Mapping[str, Any]],
        *,
        time_scale: int = 1,
        begun: bool = False,
        spares_fence: bool = False,
    ) -> Attempt:
        """Carry out steps, and again where the verdict is in doubt.

        Args:
            check: What the steps belong to.
            steps: What to carry out.
            time_scale: Factor for the times that tools are asked to take.
            begun: Whether ``unmet`` has begun the check already.
            spares_fence: Whether its last answer may stand for the fence.
        """
        self.prepare(check)
        if not begun:
            self.session.begin()
        found = self._attempt(check, steps, time_scale, spares_fence=spares_fence)

        def again() -> Attempt:
            self.session.begin()
            return self._attempt(check, steps, time_scale)

        return self.reconsider(check, found, again)

    def _attempt(
        self,
        check: Check,
        steps: Sequence[Mapping[str, Any]],
        time_scale: int,
        *,
        spares_fence: bool = False,
    ) -> Attempt:
        """Carry out steps on the subject as it is, and judge what comes of them."""
        if (not_up := self.session.ensure_up()) is not None:
            return Attempt(self.not_up(check, not_up))
        self.session.checks_served += 1
        fresh = self.session.checks_served == 1
        if self._lost >= PROVEN_LOST:
            self.session.prepare_start(1)
        outcome = self._run_steps(steps, time_scale, spares_fence=spares_fence)
        outcome = self.settle(check, outcome, steps)
        result, is_lost = self.conclude(check, outcome, steps)
        if is_lost:
            self._kept = self._is_spared(outcome)
            if not self._kept:
                self.session.discard()
        kept = not is_lost or self._kept
        self._lost = 0 if kept else self._lost + fresh
        match outcome:
            case Completed(frames=frames):
                return Attempt(result, fresh=fresh, counted={"frames": frames})
            case Diverged(about_time=about_time, missing=missing, step=step):
                # What is left unanswered time after time does not come later.
                told = owes_answer(outcome) and self._is_kept
                about_time = about_time or (missing is not None and not told)
                return Attempt(
                    result,
                    about_time=about_time,
                    fresh=fresh,
                    step=step,
                    unanswered=outcome.request if owes_answer(outcome) else "",
                )
            case _:
                assert_never(outcome)

    def _run_steps(
        self, steps: Sequence[Mapping[str, Any]], time_scale: int, *, spares_fence: bool
    ) -> StepsOutcome:
        """Carry out steps, and learn what a frame takes where many came."""
        begun = time.monotonic()
        outcome = self.runner(time_scale).run(steps, spares_fence=spares_fence)
        if isinstance(outcome, Completed):
            self.patience.streamed(outcome.frames, time.monotonic() - begun)
        return outcome

    @property
    def _is_kept(self) -> bool:
        """Whether so much came again on a new subject that no other tells more."""
        return self._confirmed >= MOST_CONFIRMED

    def _is_spared(self, outcome: StepsOutcome) -> bool:
        """Tell whether a subject that failed or owes an answer is kept.

        While a failure is made smaller each try would cost a start. So would each check
        of a subject that fails in many: once some came again on a new one, it is not
        what it served before that makes it fail.
        """
        owes = owes_answer(outcome)
        if self.patience.shortened:
            return owes and self.session.lives_on()
        if not self._is_kept:
            return False
        gone = isinstance(outcome, Diverged) and outcome.missing is not None
        return (owes or not gone) and self.session.lives_on()

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
        apart = spares and self.keeps_apart and self.session.is_slow
        ahead = sent_ahead(steps) if apart else None
        if ahead is not None:
            result = self._try_ahead(check, ahead)
            if result is not None:
                return result
        begun = ahead is None
        kept = self._kept
        attempt = self.attempt(check, steps, begun=begun, spares_fence=spares)
        if self.session.unfenced:
            self._unfenced = check
        for _ in range(retry):
            if not (attempt.about_time or self.came_too_late(steps, attempt)):
                break
            # A busy machine may have held up what the steps measure: slower tools leave
            # more room. What is still in flight must not be taken for a part of the
            # next try.
            self.session.discard()
            scale *= RETRY_SURE if self._is_sure(steps, scale) else RETRY_SLOWER
            before, attempt = attempt, self._again(check, steps, attempt.result, scale)
            if attempt.unanswered and attempt.step == before.step:
                # Slower tools leave more room for what comes; nothing came again.
                break
            if self._is_sure(steps, scale):
                break
        result = attempt.result
        # What cannot be tested because of another clause is a failure of that one.
        fails = result.verdict in {Verdict.FAILED, Verdict.NOT_TESTABLE}
        if attempt.fresh and fails:
            self._confirmed += 1
        elif (
            result.verdict in {Verdict.FAILED, Verdict.WARNED}
            and self.session.state is not SessionState.GIVEN_UP
        ):
            result = self._try_alone(check, steps, attempt, scale, kept=kept)
        return result

    def _is_sure(self, steps: Sequence[Mapping[str, Any]], scale: int) -> bool:
        """Tell whether no machine that is busy by the way holds one up for so long."""
        sure = SURE_LATENCIES * self.session.patience.typical
        return scale * longest_delay(steps) >= sure

    def _try_ahead(
        self, check: Check, steps: Sequence[Mapping[str, Any]]
    ) -> Result | None:
        """Carry out a check with its requests sent first; None where that went wrong.

        A subject that did not keep them apart once is not asked so again: what that
        means is for the checks of requests without waiting to say.
        """
        session = self.session
        session.checks_served += 1
        outcome = self._run_steps(steps, 1, spares_fence=True)
        if isinstance(outcome, Completed) and not session.deviations:
            if session.unfenced:
                self._unfenced = check
            return self.conclude(check, outcome, steps)[0]
        self.keeps_apart = False
        session.discard()
        return None

    def _again(
        self,
        check: Check,
        steps: Sequence[Mapping[str, Any]],
        before: Result,
        scale: int,
    ) -> Attempt:
        return self.attempt(check, steps, time_scale=scale).after(before)

    def _try_alone(
        self,
        check: Check,
        steps: Sequence[Mapping[str, Any]],
        former: Attempt,
        scale: int,
        *,
        kept: bool,
    ) -> Result:
        """Try a failed vector on a subject that has served nothing else.

        The failure stands either way; what is learnt is whether one line shows it
        again or whether it takes what was sent before.

        Args:
            check: What the steps belong to.
            steps: What to carry out.
            former: What came of them.
            scale: Factor for the times that tools are asked to take.
            kept: Whether the subject had failed before and was kept: then it is in
                doubt once more.
        """
        failed = former.result
        enough = MOST_CONFIRMED * (2 if kept else 1)
        if self._confirmed >= enough:
            note = (
                "not tried again on a subject that was just started: the last "
                f"{enough} that were, warnings too, came to the same there"
            )
            return replace(failed, evidence={**failed.evidence, "untried": note})
        self.session.discard()
        self._kept = False
        again = self._again(check, steps, failed, scale).result
        if again.verdict is failed.verdict:
            self._confirmed += 1
            return again
        self._confirmed = 0
        # What is answered elsewhere and is not here is no matter of this check; where
        # another clause hides it elsewhere, that is not known.
        holds = again.verdict is not Verdict.NOT_TESTABLE
        note = (
            "it did not fail on a subject that had served nothing else; "
            "it takes what was sent before, or chance"
            if holds
            else f"one that had served nothing else did not get so far: {again.reason}"
        )
        must = failed.verdict is Verdict.FAILED and holds
        owes = self.owing_clause and must and (former.unanswered or failed.ended)
        return replace(
            failed,
            clauses=(self.owing_clause,) if owes else failed.clauses,
            evidence={**failed.evidence, "alone": note},
            reproduce=run_line(self.settings, ""),
            monitors=again.monitors,
        )

    def _goes_on(self, check: Check) -> bool:
        """Tell whether a check is carried out on the subject as it is."""
        if check.kind != "vector":
            return False
        data: Mapping[str, Any] = self.vectors[check.id].data
        apart = data.get("fresh") or data.get("bare") or "home" in check.needs
        return not apart and "launched" not in check.needs
