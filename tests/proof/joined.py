"""The published page: the matrix of all protocols, and every table beside it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from tests.proof import coverage, summary
from tests.proof.matrix import read_matrix, report_of
from tests.proof.proof import all_proofs
from tests.proof.tables import (
    BROKEN_COLUMNS,
    NULL_COLUMNS,
    broken_report,
    null_report,
    read_table,
)
from tests.proof.trial import ROOT

from wireproof.reporting import Report
from wireproof.reporting._html import Table, dump_page

PAGE = ROOT / "dist" / "reports.html"

ABOUT = "Made by `nox -s reports` of the tables in reports/, without fuzzing."


def joined_page() -> str:
    """Return the page, which depends on the tables and the catalogue alone."""
    found = [
        subject
        for proof in all_proofs().values()
        for subject in report_of(proof, read_matrix(proof.protocol))
    ]
    # The page shows no time: it would differ with each run.
    report = Report(found, datetime.fromtimestamp(0, UTC), 0.0)
    return dump_page(report, ABOUT, list(_tables()), details=False)


def _tables() -> Iterator[Table]:
    yield Table(
        "summary",
        "How the suite proves itself",
        "What the other tables come to.",
        summary.COLUMNS,
        read_table(summary.SUMMARY),
    )
    yield Table(
        "coverage",
        "What tries each clause",
        "And why nothing tries the others.",
        coverage.COLUMNS,
        read_table(coverage.COVERAGE),
    )
    yield Table(
        "broken",
        "Broken subjects",
        "Each differs from the reference in one thing, and breaks the clause.",
        BROKEN_COLUMNS,
        [
            (*row, *[""] * (len(BROKEN_COLUMNS) - len(row)))
            for proof in all_proofs().values()
            for row in read_table(broken_report(proof.protocol))
        ],
    )
    yield Table(
        "null",
        "Null subjects",
        "They do nothing, or the same whatever is asked: none conforms.",
        ("protocol", *NULL_COLUMNS),
        [
            (proof.protocol, *row)
            for proof in all_proofs().values()
            for row in read_table(null_report(proof.protocol))
        ],
    )


def write_page(path: Path = PAGE) -> None:
    """Write the page."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(joined_page())
