"""Causes as workflow commands of GitHub Actions, which shows them beside the code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.checks import Verdict
from wireproof.report import explain
from wireproof.reporting._display import count_checks, more_rest
from wireproof.reporting._escape import safe

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wireproof.checks import Result
    from wireproof.report import Cause
    from wireproof.reporting._report import SubjectReport

SHOWN = 9
"""Causes that are told; GitHub shows ten of a step, and one says how many more."""

SHOWN_TEXT = 1_000
"""Characters of a reason."""


def annotation_lines(subjects: Sequence[SubjectReport]) -> Iterator[str]:
    """Yield a command for each cause, in which nothing of a subject's is one."""
    told = [
        _command(subject, cause)
        for subject in subjects
        for root in explain(subject.results, subject.catalogue)
        for cause in (root, *root.under)
        if cause.verdict is Verdict.FAILED
    ]
    told += [
        _fault(subject, result)
        for subject in subjects
        for result in subject.results
        if result.verdict is Verdict.HARNESS_ERROR
    ]
    yield from told[:SHOWN]
    if len(told) > SHOWN:
        more = f"{len(told) - SHOWN} more causes; the log has them"
        yield f"::error title=wireproof::{_data(more)}"


def _command(subject: SubjectReport, cause: Cause) -> str:
    shown = cause.shown
    title = f"{' '.join(cause.clauses)} {shown.id} [{subject.name}]"
    text = cause.text[:SHOWN_TEXT]
    told = [shown.title, f"failed in {count_checks(len(cause.results))}: {text}"]
    if more := len(cause.resting) + len(cause.untried):
        told.append(f"mend this first: {more_rest(more)} on it")
    if shown.reproduce:
        told.append(f"reproduce: {shown.reproduce}")
    return f"::error title={_property(title)}::{_data(chr(10).join(told))}"


def _fault(subject: SubjectReport, result: Result) -> str:
    title = f"{result.id} [{subject.name}]"
    told = f"{result.title}\n{result.verdict}: {result.reason[:SHOWN_TEXT]}"
    return f"::error title={_property(title)}::{_data(told)}"


def _data(text: str) -> str:
    """Escape the text of a command, as GitHub's own toolkit does."""
    escaped = safe(text).replace("%", "%25")
    return escaped.replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape the value of a property of a command."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
