"""The report in Markdown, for the summary of a job and for comments.

What a subject said stands in code spans only: there it makes no link, mentions nobody
and begins no markup.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from wireproof.checks import LEVELS, Verdict
from wireproof.reporting._answers import (
    Standing,
    answer_of,
    answer_of_all,
    broken_clauses_of,
    counted,
)
from wireproof.reporting._causes import causes
from wireproof.reporting._clause_pages import published_pages
from wireproof.reporting._display import count_checks
from wireproof.reporting._escape import safe_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wireproof.checks import Result
    from wireproof.reporting._report import Report, SubjectReport

SHOWN_CLAUSES = 40
"""Clauses of a subject that are listed; the others are counted."""

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
    against = broken_clauses_of(subject)
    if not against:
        return
    by_id = {result.id: result for result in subject.results}
    yield ""
    yield f"### {code(subject.name)} ({subject.protocol})"
    yield from _first(subject)
    # What rests on a broken clause is no second failure.
    broken = [one for one in against if one.verdict is not Verdict.NOT_TESTABLE]
    if not broken:
        yield from _hidden(subject)
        return
    yield ""
    yield "| clause | level | verdict | checks | first of them | why |"
    yield "| --- | --- | --- | --- | --- | --- |"
    shown: list[Result] = []
    for clause in broken[:SHOWN_CLAUSES]:
        checks = [by_id[one] for one in clause.checks]
        same = [one for one in checks if one.verdict is clause.verdict]
        first = next((one for one in same if not one.by_monitor), same[0])
        shown.append(first)
        cells = [
            clause.id,
            clause.level.upper(),
            clause.verdict.value,
            f"{len(same)} of {len(checks)}",
            code(first.id),
            code(_cut(first.reason)),
        ]
        yield f"| {' | '.join(cells)} |"
    if len(broken) > SHOWN_CLAUSES:
        yield ""
        yield f"and {len(broken) - SHOWN_CLAUSES} more clauses"
    yield from _hidden(subject)
    yield ""
    page = published_pages(subject.protocol, "CLAUSE")
    yield f"Read on: `wireproof explain CLAUSE`{f', or <{page}>' if page else ''}."
    yield from _reproductions(shown)


def _first(subject: SubjectReport) -> Iterator[str]:
    """Tell what hides the rest, if one thing does."""
    common, shared = causes(subject.results)
    if common is not None:
        yield ""
        count = count_checks(len(common.results))
        yield f"First of all: {code(common.text)}, in {count}."
    for one in shared:
        yield ""
        begin = "Then" if common is not None or one is not shared[0] else "First of all"
        count = count_checks(len(one.results))
        yield f"{begin}: {code(_cut(one.raised.what))}, {one.told} in {count}."


def _hidden(subject: SubjectReport) -> Iterator[str]:
    """Count the checks that could not be tried, by what kept them from it."""
    hidden = Counter(
        (one.because, "" if one.because else one.reason)
        for one in subject.results
        if one.verdict is Verdict.NOT_TESTABLE and not one.by_monitor
    )
    for (clause, reason), count in hidden.most_common(SHOWN_LINES):
        yield ""
        checks = count_checks(count)
        if clause:
            verb = "rests" if count == 1 else "rest"
            yield f"Not testable: {checks} {verb} on {clause}."
        else:
            yield f"Not testable: {checks}: {code(_cut(reason))}"


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
