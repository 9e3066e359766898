"""What the attempts at checks of a line protocol come to, as results.

Judging asks the subject nothing: everything it rests on has been gathered before. What
monitors found beside a check is handed to their own results here.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from wireproof.checks import (
    Check,
    Deviation,
    Level,
    Result,
    Suite,
    Verdict,
    broken,
)
from wireproof.line._judgement import Judgement, charged_clauses, judge
from wireproof.line._monitors import Monitors
from wireproof.line._outcome import Completed, Diverged, NotUp
from wireproof.line._session import OWN_ID, LineSession
from wireproof.patterns import without_strings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from wireproof.checks import SuiteInputs, Transcript
    from wireproof.line._outcome import StepsOutcome
    from wireproof.subjects import Patience

SessionType = TypeVar("SessionType", bound=LineSession[Any])


class LineResults(Suite, Generic[SessionType]):
    """How results of checks on one subject are made.

    Attributes:
        session: The conversation.
        vectors: The vectors behind the checks, by id.
        toolset: The names of the tools that a subject at full level lists.
        monitors: What was found in frames over all checks.
        sources: The source of each clause.
    """

    monitored: ClassVar[Sequence[str]]
    """Clauses that are checked on every frame and so have a result of their own."""

    needs_seen: ClassVar[Mapping[str, str]]
    """Those that hold of some frames only, and of which."""

    own_faults: ClassVar[frozenset[str]] = frozenset()
    """What monitors find that is no matter of a check, whatever it explains."""

    def __init__(self, session: SessionType, inputs: SuiteInputs) -> None:
        """Bind checks to a subject.

        Args:
            session: The conversation, not yet begun.
            inputs: The checks, and what they take.
        """
        target, clauses = inputs.target, inputs.clauses
        super().__init__(target, inputs.settings, inputs.checks)
        self.session = session
        self.session.broken = self._broken = set[str]()
        self._by_the_way: set[tuple[str, str]] = set()
        self.vectors = inputs.vectors
        self.toolset = inputs.toolset
        self.monitors = Monitors(
            target.protocol, self.monitored, self.needs_seen, clauses
        )
        self.sources = {clause.id: clause.source for clause in clauses}
        self._setup = inputs.setup
        self._levels: dict[str, Level] = {clause.id: clause.level for clause in clauses}

    @property
    def patience(self) -> Patience:
        """How long answers are waited for."""
        return self.session.patience

    @property
    def transcript(self) -> Transcript:
        """The traffic of the check in hand."""
        return self.session.transcript

    def discard(self) -> None:
        """End the subject at once; the next check starts a new one."""
        self.session.discard()

    @abstractmethod
    def reproduction(
        self,
        check: Check,
        steps: Sequence[Mapping[str, Any]],
        found: Sequence[Deviation] = (),
        *,
        fenced: bool = False,
    ) -> str:
        """Return one line of shell that shows a failure again.

        Args:
            check: What failed.
            steps: Its steps.
            found: What was found beside the frames of the check in hand.
            fenced: Whether it is the plain valid request after them that failed.
        """

    def early(
        self, check: Check, verdict: Verdict, reason: str, because: str | None = None
    ) -> Result:
        """Conclude a check that could not be carried out."""
        result = replace(self.result(check, verdict, reason), because=because)
        return self._charge(check, result, self.session.deviations)

    def not_up(self, check: Check, not_up: NotUp) -> Result:
        # What the suite alone has asked for is no matter of a check.
        own = [
            found
            for found in not_up.deviations
            if found.breaks(check.clauses, check.level) and found.about != OWN_ID
        ]
        if own:
            result = replace(
                self.result(check, broken(own[0].level), own[0].text),
                clauses=(own[0].clause,),
            )
        else:
            because = next((found.clause for found in not_up.deviations), None)
            result = replace(
                self.result(check, Verdict.NOT_TESTABLE, not_up.text), because=because
            )
        result = replace(
            result,
            stderr=self.session.stderr_tail,
            reproduce=self.reproduction(
                check, [{"fence": True}], own or not_up.deviations
            ),
            ended=not_up.ended,
        )
        if own and not result.entries and not_up.transcript is not None:
            # The subject is given up: what it was asked at its last start is shown.
            result = replace(result, entries=not_up.transcript.entries())
        return self._charge(check, result, not_up.deviations)

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
        # What a step itself names is not what the check is about.
        named = outcome.clause if isinstance(outcome, Diverged) else None
        if isinstance(outcome, Diverged) and outcome.charged is not None:
            # What came tells more than the step that met it first. Where the check is a
            # MUST the clause counts as its own: it fails, charged to that clause. All
            # such clauses are MUSTs, so a SHOULD is not testable because of one.
            if check.level == "must":
                clauses = (*clauses, outcome.charged)
            outcome = replace(outcome, clause=outcome.charged)
        found = self.session.deviations
        if check.level == "may":
            # What a choice leads to is recorded, and breaks no other clause.
            found = self.session.at_start
        self._take_note(self.session.at_start)
        explained = {
            id(one)
            for one in found
            if one.clause != named and self._explains(check, one)
        }
        # What a check may cause says nothing of what the subject does anyhow.
        self._take_note(one for one in found if one.clause not in check.explains)
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
        # It came up after what was seen at its start: that has lost nothing since.
        started = {id(one) for one in self.session.at_start}
        found_now = [
            replace(one, hides=False) if id(one) in started else one for one in found
        ]
        deviations = [
            replace(one, clause=clause, level=level) if id(before) in explained else one
            for before, one in zip(found, found_now, strict=True)
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
            line = self.reproduction(check, [{"fence": 1}], new)
            result = replace(result, reproduce=line)
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
            self.monitors.attach(new, self._at_start(check, result, new))

    def _at_start(
        self, check: Check, result: Result, found: Sequence[Deviation]
    ) -> Result:
        """Return a result as it stood when the subject was started."""
        sent = (one.direction == "sent" and not one.own for one in result.entries)
        count = next((n for n, own in enumerate(sent) if own), len(result.entries))
        shown = [one for one in result.entries[:count] if not one.own]
        last = result.entries.index(shown[-1]) if shown else count - 1
        # The line sends what the start does, and nothing of the check in hand.
        own, self.session.sent = self.session.sent, []
        try:
            line = self.reproduction(check, [{"fence": 1}], found)
        finally:
            self.session.sent = own
        return replace(
            result,
            entries=result.entries[: last + 1],
            prelude=0,
            stderr="",
            reproduce=line,
        )

    def _take_note(self, found: Iterable[Deviation]) -> None:
        """Take note of what a subject does where nothing of the kind is tried."""
        self._by_the_way.update(map(_kind_of, found))

    def is_apart(self, check: Check) -> bool:
        """Tell whether a check only records, on a subject of its own."""
        vector = self.vectors.get(check.id) if check.level == "may" else None
        return vector is not None and bool(vector.data.get("fresh"))

    def _explains(self, check: Check, found: Deviation) -> bool:
        """Tell whether a check itself is about what a monitor found."""
        if self.is_apart(check):
            return True
        if found.mingles or found.clause not in check.explains:
            return False
        if found.level != "must" and check.level == "must":
            return False
        if found.text in self.own_faults or _kind_of(found) in self._by_the_way:
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
        if judgement.frame:
            evidence["line"] = judgement.frame
        if judgement.recorded:
            evidence["recorded"] = judgement.recorded
        result = replace(
            self.result(check, judgement.verdict, judgement.reason),
            clauses=charged_clauses(check, judgement),
            evidence=evidence,
            because=judgement.because,
            differences=judgement.differences,
            ended=ended,
        )
        if judgement.verdict is Verdict.PASSED and not self.session.deviations:
            return result
        return replace(
            result,
            stderr=self._stderr_of(outcome),
            reproduce=self._line_of(check, outcome, steps),
        )

    def _stderr_of(self, outcome: StepsOutcome) -> str:
        """Return the end of what was written on stderr, as far as it may tell why.

        Why nothing came may have been written long before; why it was wrong was not.
        """
        tail = self.session.stderr_tail
        if isinstance(outcome, Diverged) and outcome.missing is not None:
            return tail
        written = tail.encode()
        left = max(0, len(written) - self.session.transcript.stderr_size)
        return written[left:].decode(errors="replace")

    def _line_of(
        self, check: Check, outcome: StepsOutcome, steps: Sequence[Mapping[str, Any]]
    ) -> str:
        """Return a line that shows a failure again."""
        fenced = isinstance(outcome, Diverged) and outcome.at_fence
        found = self.session.deviations
        return self.reproduction(check, steps, found, fenced=fenced)


def _kind_of(found: Deviation) -> tuple[str, str]:
    """Say what was found, whatever the id or value was that it was found at."""
    return found.clause, without_strings(found.text)
