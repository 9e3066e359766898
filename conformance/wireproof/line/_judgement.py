"""From what happened in a check to its verdict, and to whom a fault is charged.

A deviation is charged to the clause that the check is about. What a monitor found is
charged to the monitor's own clause; a check that it kept from seeing what it came for
is not testable because of that clause, neither passed nor failed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from wireproof.checks import Deviation, Difference, Level, Verdict, broken
from wireproof.line._outcome import Completed, Diverged, MissingCause

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from wireproof.line._outcome import StepsOutcome


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with its reasons.

    Attributes:
        verdict: What was found.
        reason: Why, in a sentence without a full stop; empty for a plain pass.
        because: The clause whose failure hides this check's, or None.
        differences: What was expected and what came.
        recorded: Behaviour seen, by the name of the exchange.
        subject_lost: Whether the subject has to be started anew.
        charged: The one of the check's clauses that was broken, where it is known.
        frame: The beginning of what shows it; empty where no frame does.
    """

    verdict: Verdict
    reason: str = ""
    because: str | None = None
    differences: tuple[Difference, ...] = ()
    recorded: dict[str, str] = field(default_factory=dict[str, str])
    subject_lost: bool = False
    charged: str | None = None
    frame: str = ""


def judge(
    clauses: Collection[str],
    level: Level,
    outcome: StepsOutcome,
    deviations: Sequence[Deviation],
    levels: Mapping[str, Level] = MappingProxyType({}),
) -> Judgement:
    """Judge a check by the outcome of its steps and by what the monitors found.

    Args:
        clauses: What the check is charged to.
        level: The level of the part that it tries.
        outcome: What its steps came to.
        deviations: All deviations that monitors found while it ran.
        levels: The level of each clause of the catalogue.
    """
    lost = isinstance(outcome, Diverged) and outcome.missing is not None
    own = [found for found in deviations if found.clause in clauses]
    if level == "must" and isinstance(outcome, Diverged):
        own = [found for found in own if found.level == "must"]
    if own:
        # A monitor that saw the check's own clause broken is proof enough, whatever
        # the steps came to.
        differences = outcome.differences if isinstance(outcome, Diverged) else ()
        verdict = broken(own[0].level)
        return Judgement(
            verdict,
            own[0].text,
            None,
            differences,
            subject_lost=lost,
            charged=own[0].clause,
            frame=own[0].evidence,
        )
    if isinstance(outcome, Completed):
        recorded = dict(outcome.recorded)
        verdict = Verdict.RECORDED if level == "may" else Verdict.PASSED
        reason = ", ".join(f"{key}: {label}" for key, label in recorded.items())
        return Judgement(verdict, reason, None, (), recorded)
    hidden, bound = _hidden_by(clauses, outcome, deviations, levels)
    if hidden is not None and level == "must" and bound != "must":
        # A MUST that speaks of what only a SHOULD asks for has nothing to say here.
        why = f"it builds on {hidden}, which does not hold and is no MUST"
        reason = f"{why}: {outcome.text}"
        return Judgement(Verdict.NOT_APPLICABLE, reason, hidden, (), subject_lost=lost)
    if hidden is not None:
        # That the check did not see what it came for has a cause that is charged
        # already: neither a pass nor a second failure for the same fault.
        reason = f"not testable because of {hidden}: {outcome.text}"
        return Judgement(
            Verdict.NOT_TESTABLE,
            reason,
            hidden,
            outcome.differences,
            subject_lost=lost,
        )
    if level == "may":
        # A choice cannot be broken: what the subject did instead is what is recorded.
        seen = {"outcome": f"not handled: {outcome.text}"}
        return Judgement(
            Verdict.RECORDED, outcome.text, None, outcome.differences, seen, lost
        )
    return Judgement(
        broken(level),
        outcome.text,
        None,
        outcome.differences,
        subject_lost=lost,
        charged=outcome.clause,
        frame=outcome.frame,
    )


def _hidden_by(
    clauses: Collection[str],
    outcome: Diverged,
    deviations: Sequence[Deviation],
    levels: Mapping[str, Level],
) -> tuple[str | None, Level]:
    """Return the clause whose failure explains the outcome, or None, and its level.

    What is wrong with the very frame comes first, then what lost frames in this
    check, then the clause that the step itself names.
    """
    for found in outcome.deviations:
        # Where only a part of the frame is wrong, what differs elsewhere is no matter
        # of that: a result that is wrong is not excused by a state that is missing.
        if found.explains(outcome.differences):
            return found.clause, found.level
    # A frame that came in full and differs is not explained by frames that were lost.
    mingled = any(found.mingles for found in deviations)
    if mingled or outcome.displaced or outcome.missing is not None:
        hiding = next((found for found in deviations if found.hides), None)
        if hiding is not None:
            return hiding.clause, hiding.level
    # The flood itself is a deviation, and nothing can be heard beside it.
    if outcome.missing is not None and outcome.missing.cause is MissingCause.FLOODED:
        for found in deviations[:1]:
            return found.clause, found.level
        return None, "must"
    if outcome.clause is not None and outcome.clause not in clauses:
        return outcome.clause, levels.get(outcome.clause, "must")
    return None, "must"
