"""Failures as workflow commands of GitHub Actions, which shows them beside the code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.checks import Verdict
from wireproof.reporting._escape import safe

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wireproof.checks import Result
    from wireproof.reporting._report import SubjectReport

SHOWN = 9
"""Failures that are told; GitHub shows ten of a step, and one says how many more."""

SHOWN_TEXT = 1_000
"""Characters of a reason."""

TOLD = frozenset({Verdict.FAILED, Verdict.HARNESS_ERROR})


def annotation_lines(subjects: Sequence[SubjectReport]) -> Iterator[str]:
    """Yield a command for each failure, in which nothing of a subject's is one."""
    failed = [
        (subject, result)
        for subject in subjects
        for result in subject.results
        if result.verdict in TOLD
    ]
    for subject, result in failed[:SHOWN]:
        yield _command(subject, result)
    if len(failed) > SHOWN:
        more = f"{len(failed) - SHOWN} more checks failed; the log has them"
        yield f"::error title=wireproof::{_data(more)}"


def _command(subject: SubjectReport, result: Result) -> str:
    title = f"{' '.join(result.clauses)} {result.id} [{subject.name}]"
    told = [result.title, f"{result.verdict}: {result.reason}"[:SHOWN_TEXT]]
    if result.reproduce:
        told.append(f"reproduce: {result.reproduce}")
    return f"::error title={_property(title)}::{_data(chr(10).join(told))}"


def _data(text: str) -> str:
    """Escape the text of a command, as GitHub's own toolkit does."""
    escaped = safe(text).replace("%", "%25")
    return escaped.replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape the value of a property of a command."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
