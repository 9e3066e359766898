"""The tables in ``reports/``: what the suite said of each broken and null subject."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from textwrap import fill

from tests.proof.proof import Proof
from tests.proof.row import Row
from tests.proof.trial import BROKEN_VERDICTS, ROOT, Trial

from wireproof.checks import Verdict

REPORTS = ROOT / "reports"

BROKEN_COLUMNS = ("what it does", "verdict", "broken too")

COLUMNS = (
    Verdict.PASSED,
    Verdict.FAILED,
    Verdict.WARNED,
    Verdict.NOT_TESTABLE,
    Verdict.NOT_APPLICABLE,
)


def broken_report(protocol: str) -> Path:
    """Return where the table of a protocol's broken subjects is."""
    return REPORTS / f"{protocol}-broken.md"


def null_report(protocol: str) -> Path:
    """Return where the table of a protocol's null subjects is."""
    return REPORTS / f"{protocol}-null.md"


def broken_head(proof: Proof) -> str:
    """Return what stands above the rows of a protocol's broken subjects."""
    text = f"""\
Each row is a {proof.subject} that differs from the reference in one thing. The suite \
was run on it: the verdict is that of the clause that it breaks, the last column names \
the clauses that it breaks in the same breath."""
    columns = (
        "clause",
        "level",
        proof.subjects,
        "what it does",
        "verdict",
        "broken too",
    )
    title = f"{proof.protocol}: each clause and the {proof.subjects} that break it"
    return _head(title, text, columns)


def null_head(proof: Proof) -> str:
    """Return what stands above the rows of a protocol's null subjects."""
    columns = ("subject", "conformant", *COLUMNS)
    return _head(
        f"{proof.protocol}: subjects that do nothing", proof.null_text, columns
    )


def _head(title: str, text: str, columns: Sequence[str]) -> str:
    body = fill(f"{text} Made by `nox -s reports`.", width=88, break_on_hyphens=False)
    rule = " --- |" * len(columns)
    return f"# {title}\n\n{body}\n\n| {' | '.join(columns)} |\n|{rule}\n"


def known_cells(row: Row) -> tuple[str, str, str, str]:
    """Return the cells of a row that are known before the run."""
    return row.clause, row.level, f"`{row.name}`", row.does


def broken_cells(row: Row, trial: Trial) -> Sequence[str]:
    """Return a broken subject's row of the table."""
    wanted = Verdict.FAILED if row.level == "must" else Verdict.WARNED
    caught = row.clause in trial.clauses(wanted)
    others = trial.clauses(*BROKEN_VERDICTS) - {row.clause}
    verdict = wanted if caught else "not caught"
    return (*known_cells(row), verdict, ", ".join(sorted(others)))


def null_cells(name: str, trial: Trial) -> Sequence[str]:
    """Return a null subject's row of the table."""
    counts = Counter(result.verdict for result in trial.results)
    counts[Verdict.PASSED] += counts[Verdict.RECORDED]
    conformant = "yes" if trial.conformant else "no"
    return (f"`{name}`", conformant, *(str(counts[verdict]) for verdict in COLUMNS))


def table(head: str, rows: Iterable[Sequence[str]]) -> str:
    """Return a report with these rows."""
    cells = (" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows)
    return head + "".join(f"| {line} |\n" for line in cells)
