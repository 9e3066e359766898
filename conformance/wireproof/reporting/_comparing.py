"""Two reports compared: what became worse, what became better, what is new or gone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wireproof.checks import Verdict
from wireproof.reporting._display import clause_lines
from wireproof.reporting._escape import safe_line
from wireproof.reporting._layout import PLAIN, Layout

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wireproof.checks import ClauseText, Result
    from wireproof.reporting._report import Report, SubjectReport

WORSE = (
    Verdict.PASSED,
    Verdict.RECORDED,
    Verdict.NOT_APPLICABLE,
    Verdict.WARNED,
    Verdict.KNOWN_FAILURE,
    Verdict.NOT_TESTABLE,
    Verdict.FAILED,
    Verdict.HARNESS_ERROR,
)
"""Verdicts, the best first."""

FINE = frozenset({Verdict.PASSED, Verdict.RECORDED, Verdict.NOT_APPLICABLE})
"""Verdicts among which a change is neither a regression nor a fix."""

SHOWN_CHECKS = 5
"""Checks of a clause that are listed; the others are counted."""

SHOWN_TEXT = 200
"""Characters of a reason."""


@dataclass(frozen=True, slots=True)
class Change:
    """A check whose verdict differs.

    Attributes:
        before: Its result in the older report.
        after: Its result in the newer one.
    """

    before: Result
    after: Result


@dataclass(frozen=True, slots=True)
class SubjectComparison:
    """What became of one subject.

    Attributes:
        before: The subject in the older report.
        after: The subject in the newer one.
        regressions: Checks that became worse.
        fixes: Checks that became better.
        new: Checks that only the newer report has.
        gone: Checks that only the older one has.
    """

    before: SubjectReport
    after: SubjectReport
    regressions: Sequence[Change]
    fixes: Sequence[Change]
    new: Sequence[Result]
    gone: Sequence[Result]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What became of the subjects of a report.

    Attributes:
        subjects: Those that both reports have.
        new: Those that only the newer report has.
        gone: Those that only the older one has.
    """

    subjects: Sequence[SubjectComparison]
    new: Sequence[SubjectReport]
    gone: Sequence[SubjectReport]

    @property
    def has_regressions(self) -> bool:
        """Whether any check became worse."""
        return any(one.regressions for one in self.subjects)


def compare(before: Report, after: Report) -> Comparison:
    """Compare two reports.

    Subjects of one protocol and name are compared; where a protocol has one subject
    in each report these are, whatever their names.
    """
    pairs = list(_pairs(before.subjects, after.subjects))
    old = {id(one) for one, _ in pairs}
    new = {id(one) for _, one in pairs}
    return Comparison(
        [_compare(*pair) for pair in pairs],
        [one for one in after.subjects if id(one) not in new],
        [one for one in before.subjects if id(one) not in old],
    )


def _pairs(
    before: Sequence[SubjectReport], after: Sequence[SubjectReport]
) -> Iterator[tuple[SubjectReport, SubjectReport]]:
    for one in before:
        others = [other for other in after if other.protocol == one.protocol]
        alone = sum(other.protocol == one.protocol for other in before) == 1
        if alone and len(others) == 1:
            yield one, others[0]
        else:
            yield from ((one, other) for other in others if other.name == one.name)


def _compare(before: SubjectReport, after: SubjectReport) -> SubjectComparison:
    old = {result.id: result for result in before.results}
    new = {result.id: result for result in after.results}
    changes = [Change(old[name], new[name]) for name in new if name in old]
    return SubjectComparison(
        before,
        after,
        [one for one in changes if _step(one) > 0],
        [one for one in changes if _step(one) < 0],
        [result for name, result in new.items() if name not in old],
        [result for name, result in old.items() if name not in new],
    )


def _step(change: Change) -> int:
    """Return how much worse a check became; less than 0 where it became better."""
    before, after = change.before.verdict, change.after.verdict
    if before in FINE and after in FINE:
        return 0
    return WORSE.index(after) - WORSE.index(before)


def comparison_lines(found: Comparison, layout: Layout = PLAIN) -> Iterator[str]:
    """Yield what a comparison comes to, line by line."""
    for one in found.subjects:
        yield from _subject_lines(one, layout)
    for title, subjects in (("new", found.new), ("gone", found.gone)):
        for subject in subjects:
            yield f"{title} subject: {subject.protocol} {safe_line(subject.name)}"
    if not found.subjects:
        yield "no subject is in both reports"


def _subject_lines(one: SubjectComparison, layout: Layout) -> Iterator[str]:
    names = dict.fromkeys(safe_line(name.name) for name in (one.before, one.after))
    yield f"{one.after.protocol} {' → '.join(names)}"
    yield (
        f"  {_counted(len(one.regressions), 'regression')}, "
        f"{_counted(len(one.fixes), 'fix', 'fixes')}, "
        f"{_counted(len(one.new), 'new check')}, "
        f"{_counted(len(one.gone), 'check')} gone"
    )
    clauses = {clause.id: clause for clause in one.before.catalogue}
    clauses |= {clause.id: clause for clause in one.after.catalogue}
    yield from _change_lines("regressions", one.regressions, clauses, layout)
    yield from _change_lines("fixes", one.fixes, clauses, layout)
    for title, results in (("new", one.new), ("gone", one.gone)):
        if results:
            yield ""
            yield f"  {title}"
            for result in results[:SHOWN_CHECKS]:
                yield f"    {result.id}: {result.verdict}"
            yield from _more(len(results))


def _change_lines(
    title: str,
    changes: Sequence[Change],
    clauses: Mapping[str, ClauseText],
    layout: Layout,
) -> Iterator[str]:
    by_clause: dict[str, list[Change]] = {}
    for change in changes:
        name = next(iter(change.after.clauses), change.after.id)
        by_clause.setdefault(name, []).append(change)
    if changes:
        yield ""
        yield f"  {title}"
    for name, found in by_clause.items():
        text = clause_lines(clauses.get(name), name, None, layout.inside(4))
        yield from (f"    {line}" for line in text)
        for change in found[:SHOWN_CHECKS]:
            before, after = change.before.verdict, change.after.verdict
            told = change.after if _step(change) > 0 else change.before
            reason = safe_line(told.reason.partition("\n")[0])[:SHOWN_TEXT]
            why = f": {reason}" if reason else ""
            yield from layout.told(
                f"{change.after.id}: {before} → {after}{why}", "      "
            )
        yield from _more(len(found))


def _more(count: int) -> Iterator[str]:
    if count > SHOWN_CHECKS:
        yield f"      and {count - SHOWN_CHECKS} more"


def _counted(count: int, word: str, words: str = "") -> str:
    return f"{count} {word if count == 1 else words or f'{word}s'}"
