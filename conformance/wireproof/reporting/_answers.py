"""Whether subjects conform, in a few words: for the summary, the badge, the page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from wireproof.checks import (
    Verdict,
    decided,
    is_against,
    is_conformant,
    of_document,
    totals,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof.checks import Level, Result
    from wireproof.reporting._report import Report, SubjectReport


class Standing(Enum):
    """How good an answer is."""

    GOOD = "good"
    OPEN = "open"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether a subject conforms, in words.

    Attributes:
        profile: What it is about: the document alone, or the full profile.
        text: The words, without the level.
        standing: How good it is.
    """

    profile: str
    text: str
    standing: Standing


DOCUMENT, FULL = "document", "full profile"
"""The profiles: the MUSTs of the document and its standard; all MUSTs."""


def answers_of(subject: SubjectReport) -> Sequence[Answer]:
    """Return an answer for each profile that a run covers."""
    document = _answer(DOCUMENT, subject, of_document(subject.results))
    if subject.sources == "document":
        return [document]
    return [document, _answer(FULL, subject, subject.results)]


def _answer(profile: str, subject: SubjectReport, results: Sequence[Result]) -> Answer:
    """Answer for one profile; a run of a part of the checks shows no conformance."""
    checks = [one for one in results if not one.by_monitor]
    hidden = any(one.verdict is Verdict.NOT_TESTABLE for one in checks)
    if not hidden and not decided(checks):
        return Answer(profile, "nothing was decided", Standing.BAD)
    if subject.partial and decided(checks) and not is_against(results):
        warned = any(one.verdict is Verdict.WARNED for one in results)
        text = "no MUST broken" if warned else "nothing broken"
        return Answer(profile, text, Standing.OPEN)
    if is_conformant(results):
        return Answer(profile, "yes", Standing.GOOD)
    mended = [
        replace(one, verdict=Verdict.PASSED)
        if one.verdict is Verdict.KNOWN_FAILURE
        else one
        for one in results
    ]
    known = ", for known failures alone" if is_conformant(mended) else ""
    return Answer(profile, f"no{known}", Standing.BAD)


def answer_of(subject: SubjectReport) -> Answer:
    """Return the answers for all profiles of a run in a few words, as one."""
    answers = answers_of(subject)
    text = ", ".join(f"{one.profile}: {one.text}" for one in answers)
    return Answer("all", text, answers[-1].standing)


def answer_of_all(report: Report) -> Answer:
    """Return the answers for all subjects of a report together."""
    if not report.subjects:
        return Answer("all", "nothing was tried", Standing.BAD)
    answers = [answer_of(subject) for subject in report.subjects]
    if len(answers) == 1:
        (subject,) = report.subjects
        tried = f"{subject.ran} of {subject.available} checks"
        added = tried if subject.partial else subject.level_text
        return replace(answers[0], text=f"{answers[0].text} ({added})")
    counted: dict[str, list[Standing]] = {}
    for subject in report.subjects:
        for one in answers_of(subject):
            counted.setdefault(one.profile, []).append(one.standing)
    text = ", ".join(
        f"{profile}: {found.count(Standing.GOOD)} of {len(found)}"
        for profile, found in counted.items()
    )
    standings = {one.standing for one in answers}
    worst = Standing.BAD if Standing.BAD in standings else Standing.OPEN
    standing = Standing.GOOD if standings == {Standing.GOOD} else worst
    return Answer("all", text, standing)


def counted(results: Sequence[Result]) -> dict[Level, dict[str, int]]:
    """Count verdicts by level, in the order in which they are told."""
    return {
        level: {one.value: row[one.value] for one in Verdict if one.value in row}
        for level, row in totals(results).items()
    }
