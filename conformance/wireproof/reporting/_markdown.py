"""The report in Markdown, for the summary of a job and for comments.

What a subject said stands in code spans only: there it makes no link, mentions nobody
and begins no markup.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wireproof.checks import LEVELS, Verdict
from wireproof.report import explain
from wireproof.reporting._answers import (
    Standing,
    answer_of,
    answer_of_all,
    counted,
)
from wireproof.reporting._clause_pages import published_pages
from wireproof.reporting._display import count_checks
from wireproof.reporting._escape import safe_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wireproof.checks import Result
    from wireproof.report import Cause
    from wireproof.reporting._report import Report, SubjectReport

SHOWN_CAUSES = 40
"""Causes of a subject that are listed; the others are counted."""

SHOWN_NAMES = 3
"""Clauses of one cause that are named; the others are counted."""

RESTS = "↳ "
"""What stands before a clause that rests on the one above."""

SHOWN_LINES = 5
"""Lines that reproduce a failure, of one subject."""

SHOWN_TEXT = 300
"""Characters of a reason."""

SIGNS = {Standing.GOOD: "✅", Standing.OPEN: "🟡", Standing.BAD: "❌"}


def dump_markdown(report: Report) -> str:
    """Return a report as Markdown."""
    return "\n".join(_lines(report)) + "\n"


def code(text: str) -> str:
    """Return a text as a code span that nothing in it can end."""
    shown = safe_line(text).replace("|", "\\|")
    runs: list[str] = re.findall("`+", shown)
    ticks = "`" * (max(map(len, runs), default=0) + 1)
    space = " " if shown.startswith("`") or shown.endswith("`") or not shown else ""
    return f"{ticks}{space}{shown}{space}{ticks}"


def _lines(report: Report) -> Iterator[str]:
    answer = answer_of_all(report)
    yield f"## {SIGNS[answer.standing]} wireproof: {answer.text}"
    yield ""
    yield "| subject | protocol | answer | level | checks | MUST | SHOULD | MAY |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for subject in report.subjects:
        yield _row(subject)
    for subject in report.subjects:
        yield from _broken(subject)
    yield ""
    started = report.started_at.strftime("%Y-%m-%d %H:%M UTC")
    yield f"wireproof {report.suite_version}, {started}, {report.duration_s:.1f} s" + (
        "; the run was interrupted" if report.interrupted else ""
    )


def _row(subject: SubjectReport) -> str:
    answer = answer_of(subject)
    counts = counted(subject.results)
    cells = [
        code(subject.name),
        subject.protocol,
        f"{SIGNS[answer.standing]} {answer.text}",
        subject.level_text,
        f"{subject.ran} of {subject.available}",
        *(
            ", ".join(f"{n} {verdict}" for verdict, n in counts[level].items())
            or "none"
            for level in LEVELS
        ),
    ]
    return f"| {' | '.join(cells)} |"


def _broken(subject: SubjectReport) -> Iterator[str]:
    causes = explain(subject.results, subject.catalogue)
    if not causes:
        return
    yield ""
    yield f"### {code(subject.name)} ({subject.protocol})"
    broken = [one for one in causes if one.verdict is not Verdict.NOT_TESTABLE]
    rows = [row for one in broken for row in _cause(one)]
    if rows:
        yield ""
        yield "| clause | level | verdict | checks | first of them | why |"
        yield "| --- | --- | --- | --- | --- | --- |"
        yield from rows[:SHOWN_CAUSES]
    if len(rows) > SHOWN_CAUSES:
        yield ""
        yield f"and {len(rows) - SHOWN_CAUSES} more causes"
    yield from _untried(causes)
    if broken:
        yield ""
        page = published_pages(subject.protocol, "CLAUSE")
        yield f"Read on: `wireproof explain CLAUSE`{f', or <{page}>' if page else ''}."
        yield from _reproductions([one.shown for one in broken])


def _cause(cause: Cause, mark: str = "") -> Iterator[str]:
    """Yield the row of a cause, then those of the causes that rest on it."""
    named = [*cause.clauses[:SHOWN_NAMES]]
    if len(cause.clauses) > SHOWN_NAMES:
        named.append(f"{len(cause.clauses) - SHOWN_NAMES} more")
    where = f" ({cause.raised.where})" if cause.raised and cause.raised.where else ""
    cells = [
        f"{mark}{', '.join(named)}",
        cause.shown.level.upper(),
        cause.verdict.value,
        str(len(cause.results)),
        code(cause.shown.id),
        code(_cut(cause.text + where)),
    ]
    yield f"| {' | '.join(cells)} |"
    for one in cause.under:
        yield from _cause(one, RESTS)


def _untried(causes: Sequence[Cause]) -> Iterator[str]:
    """Count the checks that could not be tried, by what prevented it."""
    for cause in causes:
        is_untried = cause.verdict is Verdict.NOT_TESTABLE
        found = cause.results if is_untried else cause.untried
        checks = sum(not one.by_monitor for one in found)
        if not checks:
            continue
        yield ""
        if is_untried:
            yield f"Not testable: {count_checks(checks)}: {code(_cut(cause.text))}"
        else:
            names = ", ".join(cause.clauses[:SHOWN_NAMES])
            yield f"Not testable because of {names}: {count_checks(checks)}."


def _reproductions(shown: Sequence[Result]) -> Iterator[str]:
    failed = [one for one in shown if one.verdict is Verdict.FAILED and one.reproduce]
    if not failed:
        return
    yield ""
    yield "<details><summary>See it again</summary>"
    for one in failed[:SHOWN_LINES]:
        yield ""
        yield f"{code(one.id)}:"
        yield ""
        # An indented block ends at no mark that a line could hold.
        yield f"    {safe_line(one.reproduce or '')}"
    yield ""
    yield "</details>"


def _cut(text: str) -> str:
    first = text.partition("\n")[0]
    return first if len(first) <= SHOWN_TEXT else f"{first[:SHOWN_TEXT]}…"
