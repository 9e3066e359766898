"""The published matrix as tables in Markdown: subjects, and clauses beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tests.proof.matrix import Tried, report_of
from tests.proof.proof import Proof
from tests.proof.tables import REPORTS, heading, table

from wireproof.checks import ClauseVerdict, Verdict, clause_verdicts
from wireproof.reporting import SubjectReport
from wireproof_vectors import load_clauses

TOLD = (
    Verdict.PASSED,
    Verdict.RECORDED,
    Verdict.WARNED,
    Verdict.NOT_APPLICABLE,
    Verdict.FAILED,
    Verdict.NOT_TESTABLE,
    Verdict.HARNESS_ERROR,
)
"""The verdicts in the order in which they are counted."""

ALWAYS = TOLD[:4]
"""Those that have a column: no subject that conforms has another."""


def matrix_table_file(protocol: str) -> Path:
    """Return where the tables of a protocol's matrix are."""
    return REPORTS / f"{protocol}-matrix.md"


def matrix_table(proof: Proof, tried: Sequence[Tried]) -> str:
    """Return the tables of a protocol's matrix."""
    reports = report_of(proof, tried)
    conforming = sum(one.conformant for one in reports)
    text = f"""\
The programs that the project ships, and variants of the reference that choose \
otherwise where the clauses leave a choice: all have to conform. What each check said \
of each of them is in `{proof.protocol}-matrix.json`. Made by `nox -s reports`.

{conforming} of {len(tried)} subjects conform."""
    columns = (
        *("subject", "what it does otherwise", "conformant", "level"),
        *(verdict.value for verdict in ALWAYS),
        "clauses that it is warned of",
    )
    pairs = zip(tried, reports, strict=True)
    rows = [_subject_row(*pair) for pair in pairs]
    shipped = [one for one in tried if one.kind == "shipped"]
    by_clause = verdicts_by_clause(proof, tried)
    clauses = [
        (
            clause.id,
            clause.level,
            *(_one(by_clause[one.name].get(clause.id)) for one in shipped),
            told(
                by_clause[one.name][clause.id].verdict
                for one in tried
                if one.kind == "legal" and clause.id in by_clause[one.name]
            ),
        )
        for clause in load_clauses(proof.protocol)
        if any(clause.id in found for found in by_clause.values())
    ]
    head = ("clause", "level", *(one.name for one in shipped), "legal variants")
    title = f"{proof.protocol}: subjects that have to conform"
    return (
        heading(title, text)
        + table(columns, rows)
        + "\n## Clauses\n\nHow many checks of a clause each program passed; how many "
        "variants kept it.\n\n" + table(head, clauses)
    )


def _subject_row(one: Tried, report: SubjectReport) -> Sequence[str]:
    counts = Counter(one.verdicts.values())
    warned = {
        clause
        for result in report.results
        if result.verdict is Verdict.WARNED
        for clause in result.clauses
    }
    return (
        one.name if one.kind == "shipped" else f"`{one.name}`",
        one.does,
        "yes" if report.conformant else "no",
        one.level,
        *(str(counts[verdict]) for verdict in ALWAYS),
        ", ".join(sorted(warned)),
    )


def verdicts_by_clause(
    proof: Proof, tried: Sequence[Tried]
) -> Mapping[str, Mapping[str, ClauseVerdict]]:
    """Return of each subject what was said of each clause."""
    return {
        one.name: {
            found.id: found
            for found in clause_verdicts(
                report.results, {one.id: one.level for one in report.catalogue}
            )
        }
        for one, report in zip(tried, report_of(proof, tried), strict=True)
    }


def _one(found: ClauseVerdict | None) -> str:
    return f"{found.verdict} ({len(found.checks)})" if found else ""


def told(verdicts: Iterable[Verdict]) -> str:
    """Count verdicts in words."""
    counts = Counter(verdicts)
    return ", ".join(f"{counts[one]} {one}" for one in TOLD if counts[one])
