"""The tables in ``reports/``: what the suite said of each broken and null subject."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.proof.row import Row
from tests.proof.trial import BROKEN_VERDICTS, ROOT, Trial

from wireproof.checks import Verdict
from wireproof_vectors import load_clauses

REPORTS = ROOT / "reports"

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


def write_tables(
    protocol: str,
    heads: tuple[str, str],
    broken: Mapping[str, Row],
    broken_row: Callable[[str], Sequence[str]],
    nulls: Sequence[str],
    null_row: Callable[[str], Sequence[str]],
    *,
    at_once: int = 2,
) -> None:
    """Run everything, and write both tables.

    Args:
        protocol: Such as ``host-v1``.
        heads: What stands above the rows, of broken subjects and of null ones.
        broken: The broken subjects by name.
        broken_row: Tries one of them; of a module's own, for it goes to processes.
        nulls: The names of the null subjects.
        null_row: Tries one of them.
        at_once: Subjects for each core.
    """
    order = [clause.id for clause in load_clauses(protocol)]
    names = sorted(broken, key=lambda name: order.index(broken[name].clause))
    with ProcessPoolExecutor(at_once * (os.cpu_count() or 1)) as pool:
        rows = pool.map(broken_row, names)
        broken_report(protocol).write_text(table(heads[0], rows))
        null_report(protocol).write_text(table(heads[1], pool.map(null_row, nulls)))
