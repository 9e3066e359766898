"""The checks of a line protocol, one after the other: what all of them share.

A protocol brings a session, which holds the conversation and its ledger, and says what
a check needs, how one vector is run and how a failure is shown again.
"""

from __future__ import annotations

import contextlib
from abc import abstractmethod
from dataclasses import replace
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from wireproof.checks import (
    AGAINST,
    Check,
    Deviation,
    Result,
    SubjectFacts,
    VectorDefect,
    Verdict,
)
from wireproof.crossing import run_place
from wireproof.line._attempts import LineAttempts
from wireproof.line._letters import LETTERS, is_about_letters, is_garbled
from wireproof.line._results import SessionType
from wireproof.subjects import run_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from hypothesis.strategies import SearchStrategy

    from wireproof.fuzzing import DrawnAhead, Example
    from wireproof.line._outcome import Diverged
    from wireproof_vectors import Vector

FORESEEN_CHECKS = 60
"""Checks before a start from which on a subject is started ahead for it: most
interpreters come up while so many are carried out."""

WORTH_DRAWING_AHEAD = 3
"""Properties from which on it pays to start a process that draws their examples."""

MOST_SPARES = 3
"""Subjects that are started ahead at a time: each takes memory while it waits."""


class LineSuite(LineAttempts[SessionType]):
    """All checks of a line protocol on one subject."""

    ending_steps: ClassVar[frozenset[str]]
    """Steps after which the next check needs a subject that is started for it."""

    plans: ClassVar[str]
    """The module of the strategies that examples are drawn from, by property."""

    apart_clauses: ClassVar[frozenset[str]]
    """Clauses of requests that are sent together: a subject that breaks one is asked
    for one value after the other where values are many."""

    _places: Mapping[str, int] = MappingProxyType({})
    """The place of each check in their order, by its id."""

    _clauses_tried: AbstractSet[str] = frozenset()
    """The clauses that vectors of the run are charged to."""

    _starts_foreseen: frozenset[int] = frozenset()
    """Places at which a subject has to be started."""

    _drawn: DrawnAhead | None = None
    """The examples that are drawn while vectors are carried out."""

    _garbles: bool | None = None
    """Whether plain letters come back as others; None where nothing has shown it."""

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

    # --- what all share

    def announce(self, checks: Sequence[Check]) -> None:
        """Take note of where in the order of checks a subject has to be started.

        Examples are drawn from now on where a core is left to do it.
        """
        self._places = {check.id: place for place, check in enumerate(checks)}
        vectors = [check for check in checks if check.kind == "vector"]
        self._clauses_tried = {
            clause for check in vectors for clause in check.clauses[:1]
        }
        starts: set[int] = set()
        for place, check in enumerate(checks):
            if check.kind != "vector":
                continue
            data: Mapping[str, Any] = self.vectors[check.id].data
            if data.get("fresh") or data.get("bare"):
                starts.add(place)
            if self._ends_subject(data["steps"]):
                starts.add(place + 1)
        # Behind the last check nothing is started.
        self._starts_foreseen = frozenset(starts - {0, len(checks)})
        fuzzed = [check.name for check in checks if check.kind == "fuzz"]
        if self.settings.spare_core and len(fuzzed) >= WORTH_DRAWING_AHEAD:
            self._draw_ahead(fuzzed)

    def _draw_ahead(self, names: Sequence[str]) -> None:
        from wireproof.fuzzing import DrawnAhead

        settings = self.settings
        # Without room for one more process each property is drawn when it is fuzzed.
        with contextlib.suppress(OSError):
            self._drawn = DrawnAhead(
                self.plans, names, examples=settings.fuzz, seed=settings.fuzz_seed
            )

    def tries(self, clause: str) -> bool:
        """Tell whether vectors of the run are charged to a clause."""
        return clause in self._clauses_tried

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
        if result.verdict in AGAINST and is_about_letters(result):
            result = self._in_other_letters(result)
        if check.kind == "vector" and result.verdict in (
            *AGAINST,
            Verdict.NOT_TESTABLE,
        ):
            broken = result.because or result.clauses[0]
            self._broken.add(broken)
            self.keeps_apart &= broken not in self.apart_clauses
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
            reproduce=result.reproduce or run_line(self.settings, former.argument),
        )
        self.monitors.attach(new, result)
        return result

    def end_checks(self) -> None:
        """Prove how the last check ended, where nothing has proved it."""
        if self._drawn is not None:
            self._drawn.end()
        former, self._unfenced = self._unfenced, None
        if former is not None:
            self.monitors.report(self._left_by(former, fence=True), former.id)

    def _in_other_letters(self, result: Result) -> Result:
        """Charge what an encoding does to all texts to the clause that is about texts.

        Args:
            result: Of a check that failed by text beyond ASCII alone.
        """
        letters = next((one for one in self.checks if one.id.endswith(LETTERS)), None)
        if letters is None or letters.clauses[0] in result.clauses:
            return result
        if self._garbles is None:
            self._garbles = self._garbled(letters)
        if not self._garbles:
            return result
        cause = letters.clauses[0]
        reason = f"not testable because of {cause}: {result.reason}"
        return replace(
            result, verdict=Verdict.NOT_TESTABLE, reason=reason, because=cause
        )

    def _garbled(self, letters: Check) -> bool:
        """Tell whether plain letters come back as others; tried once in a run."""
        if not set(letters.calls).issubset(self.session.tools):
            return False
        self.session.discard()
        self.session.begin()
        data: Mapping[str, Any] = self.vectors[letters.id].data
        result = self.attempt(letters, data["steps"]).result
        self.session.discard()
        return result.verdict in AGAINST and is_garbled(result)

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

    def of_reading(
        self, check: Check, outcome: Diverged, clause: str, fault: str
    ) -> Diverged:
        """Rest what is missing on the clause of reading, where that is why.

        Args:
            check: What the outcome is of.
            outcome: What it came to.
            clause: The clause of reading.
            fault: How the subject reads.
        """
        text = f"{fault}: {outcome.text}"
        if check.kind == "fuzz":
            # A property is charged to what an example breaks, whatever that is.
            return replace(outcome, charged=clause, text=text)
        return replace(outcome, clause=clause, text=text)

    def run_property(self, check: Check) -> Result:
        """Fuzz one property."""
        from wireproof.fuzzing import run_property, sparing

        def spared(plan: Example) -> Example:
            return sparing(plan, self.session.tools)

        ahead = self._drawn.of(check.name) if self._drawn is not None else ()
        strategies: Mapping[str, SearchStrategy[Example]]
        strategies = import_module(self.plans).STRATEGIES
        return run_property(
            self,
            check,
            self.target.protocol,
            strategies[check.name].map(spared),
            ahead=[(number, spared(plan)) for number, plan in ahead],
        )

    def run_scenario(self, check: Check) -> Result:
        """Carry out what no vector tells; most line protocols have no such check."""
        raise VectorDefect(f"there is no scenario {check.id}")

    def _carry_out(self, check: Check) -> Result:
        if check.kind == "fuzz":
            return self.run_property(check)
        if check.kind == "scenario":
            return self.run_scenario(check)
        if check.level == "may" and (broken := self.told.intersection(check.clauses)):
            # What it does beyond a clause tells nothing of one that does less.
            self.session.begin()
            reason = f"it asks for more than {min(broken)}, which does not hold"
            return self.early(check, Verdict.NOT_APPLICABLE, reason)
        return self.run_vector(check, self.vectors[check.id])

    def facts(self) -> SubjectFacts:
        """Return what is known of the subject."""
        # What a subject lists may be read where the answer is not as it should be: its
        # author mends both at a time.
        knows_tools = self.session.controlled or bool(self.session.tools)
        missing = tuple(
            tool
            for tool in self.toolset
            if knows_tools and tool not in self.session.tools
        )
        lacking = set(missing)
        return SubjectFacts(
            "wire" if missing or not self.session.controlled else "full",
            self.session.starts,
            sum(not lacking.isdisjoint(c.calls) for c in self.checks),
            missing,
            self.settings.fuzz_seed,
            round(self.session.patience.latency * 1000, 3),
            own_tools=tuple(self._own_tools()),
        )

    def _own_tools(self) -> Sequence[str]:
        """Return the tools that no check calls: nobody here knows what they do."""
        called = {tool for check in self.checks for tool in check.calls}
        known = called.union(self.toolset)
        return [tool for tool in self.session.tools if tool not in known]

    def run_place(self, check: Check, place: Mapping[str, Any]) -> Result:
        """Try a place with each value that may stand there.

        Args:
            check: The place as a check; it has been begun.
            place: The place as its file has it.
        """
        return run_place(self, check, place, self.session.tools)

    def lacks_tool(self, check: Check) -> Result | None:
        """Return the result of a check that needs a tool which is not listed."""
        needed = check.calls
        lacking = [tool for tool in needed if tool not in self.session.tools]
        if not lacking:
            return None
        reason = f"it needs {lacking[0]}, which is not listed"
        result = self.early(check, Verdict.NOT_APPLICABLE, reason)
        return replace(result, evidence={"tools": lacking})
