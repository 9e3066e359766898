"""What a report comes to, in a few words: for the summary, the badge and the page."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from wireproof.checks import (
    LEVELS,
    Verdict,
    clause_verdicts,
    decided,
    is_against,
    is_conformant,
    totals,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof.checks import ClauseVerdict, Level, Result
    from wireproof.reporting._report import Report, SubjectReport


class Standing(Enum):
    """How good an answer is."""

    GOOD = "good"
    OPEN = "open"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found, in words.

    Attributes:
        text: The words, without the level.
        standing: How good it is.
    """

    text: str
    standing: Standing


def answer_of(subject: SubjectReport) -> Answer:
    """Say what a run comes to; a part of the checks shows no conformance."""
    checks = [one for one in subject.results if not one.by_monitor]
    hidden = any(one.verdict is Verdict.NOT_TESTABLE for one in checks)
    if not hidden and not decided(checks):
        return Answer("nothing was decided", Standing.BAD)
    if subject.partial and decided(checks) and not is_against(subject.results):
        warned = any(one.verdict is Verdict.WARNED for one in subject.results)
        return Answer("no MUST broken" if warned else "nothing broken", Standing.OPEN)
    if not is_conformant(subject.results):
        return Answer("NOT conformant", Standing.BAD)
    return Answer("conformant", Standing.GOOD)


def answer_of_all(report: Report) -> Answer:
    """Say what a report comes to, of all its subjects together."""
    answers = [answer_of(subject) for subject in report.subjects]
    if not answers:
        return Answer("nothing was tried", Standing.BAD)
    if len(answers) == 1:
        (subject,) = report.subjects
        tried = f"{subject.ran} of {subject.available} checks"
        added = tried if subject.partial else subject.level
        return Answer(f"{answers[0].text} ({added})", answers[0].standing)
    good = sum(one.standing is Standing.GOOD for one in answers)
    standings = {one.standing for one in answers}
    worst = Standing.BAD if Standing.BAD in standings else Standing.OPEN
    standing = Standing.GOOD if standings == {Standing.GOOD} else worst
    return Answer(f"{good} of {len(answers)} conformant", standing)


def counted(results: Sequence[Result]) -> dict[Level, dict[str, int]]:
    """Count verdicts by level, in the order in which they are told."""
    return {
        level: {one.value: row[one.value] for one in Verdict if one.value in row}
        for level, row in totals(results).items()
    }


AGAINST = frozenset(
    {"failed", "warned", "not testable", "known failure", "harness error"}
)
"""Verdicts of clauses of which something is wrong."""


def broken_clauses_of(subject: SubjectReport) -> Sequence[ClauseVerdict]:
    """Return the clauses of which something is wrong: the broken ones, MUSTs first."""
    levels: dict[str, Level] = {one.id: one.level for one in subject.catalogue}
    found = clause_verdicts(subject.results, levels)
    broken = [one for one in found if one.verdict.value in AGAINST]
    return sorted(
        broken,
        key=lambda one: (
            one.verdict is Verdict.NOT_TESTABLE,
            LEVELS.index(one.level),
            one.verdict is not Verdict.FAILED,
        ),
    )
