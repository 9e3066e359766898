"""The tables in ``reports/``: what the suite said of each broken and null subject."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from textwrap import fill

from tests.proof.proof import Proof
from tests.proof.row import Row
from tests.proof.trial import BROKEN_VERDICTS, ROOT, Trial, is_caught

from wireproof.checks import Verdict
from wireproof.protocols import protocol_for
from wireproof.report import explain

REPORTS = ROOT / "reports"

NOT_CAUGHT = "not caught"
"""The verdict of a subject whose clause no check found broken."""

CELLS = re.compile(r"(?<!\\) \| ")
"""What stands between the cells of a row."""

COLUMNS = (
    Verdict.PASSED,
    Verdict.FAILED,
    Verdict.WARNED,
    Verdict.NOT_TESTABLE,
    Verdict.NOT_APPLICABLE,
)

BROKEN_COLUMNS = (
    "clause",
    "level",
    "subject",
    "what it does",
    "verdict",
    "also failed or warned",
    "in the first cause",
)

FIRST = BROKEN_COLUMNS.index("in the first cause")
"""The last column, which the tables of the old engine do not have."""

NULL_COLUMNS = ("subject", "conformant", "checks", *COLUMNS)


def broken_report(protocol: str) -> Path:
    """Return where the table of a protocol's broken subjects is."""
    return REPORTS / f"{protocol}-broken.md"


def null_report(protocol: str) -> Path:
    """Return where the table of a protocol's null subjects is."""
    return REPORTS / f"{protocol}-null.md"


def broken_text(proof: Proof, rows: Iterable[Sequence[str]]) -> str:
    """Return the table of a protocol's broken subjects."""
    rows = list(rows)
    caught = sum(row[4] != NOT_CAUGHT for row in rows)
    clauses = len({row[0] for row in rows})
    told = Counter(row[FIRST] for row in rows if len(row) > FIRST)
    columns = BROKEN_COLUMNS if told else BROKEN_COLUMNS[:FIRST]
    text = f"""\
Each row is a {proof.subject} that differs from the reference in one thing. The suite \
was run on it: the verdict is that of the clause that it breaks. Beside it stand the \
other clauses of which a check failed or warned then. Made by `nox -s reports`.

{caught} of {len(rows)} {proof.subjects} are caught. They break {clauses} clauses."""
    if told:
        share = f"{told['yes']} of {told.total()} runs"
        text += f"\n\nIn {share} the first cause that is shown is of the clause."
    title = f"{proof.protocol}: each clause and the {proof.subjects} that break it"
    return heading(title, text) + table(columns, rows)


def null_text(proof: Proof, rows: Iterable[Sequence[str]]) -> str:
    """Return the table of a protocol's null subjects."""
    text = f"{proof.null_text} Made by `nox -s reports`."
    title = f"{proof.protocol}: subjects that do nothing"
    return heading(title, text) + table(NULL_COLUMNS, rows)


def heading(title: str, text: str) -> str:
    """Return a title and the paragraphs below it, in lines."""
    paragraphs = (
        fill(one, width=88, break_on_hyphens=False) for one in text.split("\n\n")
    )
    return f"# {title}\n\n" + "".join(f"{one}\n\n" for one in paragraphs)


def known_cells(row: Row) -> tuple[str, str, str, str]:
    """Return the cells of a row that are known before the run."""
    return row.clause, row.level, f"`{row.name}`", row.does


def broken_cells(proof: Proof, row: Row, trial: Trial) -> Sequence[str]:
    """Return a broken subject's row of the table."""
    wanted = Verdict.FAILED if row.level == "must" else Verdict.WARNED
    others = trial.clauses(*BROKEN_VERDICTS) - {row.clause}
    verdict = wanted if is_caught(row, trial) else NOT_CAUGHT
    catalogue = protocol_for(proof.option).clauses()
    first = explain(trial.results, catalogue)[:1]
    shown = "yes" if any(row.clause in cause.clauses for cause in first) else "no"
    return (*known_cells(row), verdict, ", ".join(sorted(others)), shown)


def null_cells(name: str, trial: Trial) -> Sequence[str]:
    """Return a null subject's row of the table."""
    counts = Counter(result.verdict for result in trial.results)
    counts[Verdict.PASSED] += counts[Verdict.RECORDED]
    conformant = "yes" if trial.conformant else "no"
    checks = sum(not result.by_monitor for result in trial.results)
    told = (str(counts[verdict]) for verdict in COLUMNS)
    return (f"`{name}`", conformant, str(checks), *told)


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    rule = " --- |" * len(columns)
    cells = (" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows)
    lines = "".join(f"| {line} |\n" for line in cells)
    return f"| {' | '.join(columns)} |\n|{rule}\n{lines}"


def read_table(path: Path) -> list[list[str]]:
    """Return the rows of all tables in a file."""
    return [
        [cell.replace("\\|", "|") for cell in CELLS.split(line[2:-2])]
        for text in path.read_text().split(" --- |\n")[1:]
        for line in text.partition("\n\n")[0].splitlines()
    ]
