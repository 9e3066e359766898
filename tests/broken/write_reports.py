"""Runs the proof and writes its tables: ``python tests/broken/write_reports.py``."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[2])

from tests.broken.null import ALMOST_NOTHING, NOTHING  # noqa: E402 - needs the line above
from tests.broken.table import BROKEN, Subject  # noqa: E402
from tests.broken.trial import (  # noqa: E402
    BROKEN_VERDICTS,
    ROOT,
    command_of,
    try_out,
)

from wireproof._verdicts import Verdict  # noqa: E402
from wireproof_vectors import load_clauses  # noqa: E402

REPORTS = ROOT / "reports"
BROKEN_REPORT = REPORTS / "host-v1-broken.md"
NULL_REPORT = REPORTS / "host-v1-null.md"

BROKEN_HEAD = """\
# host-v1: each clause and the hosts that break it

Each row is a host that differs from the reference in one thing. The suite was run on
it: the verdict is that of the clause that it breaks, the last column names the clauses
that it breaks in the same breath. Made by `python tests/broken/write_reports.py`.

| clause | level | host | what it does | verdict | broken too |
| --- | --- | --- | --- | --- | --- |
"""

NULL_HEAD = """\
# host-v1: subjects that do nothing, or the same whatever is asked

None conforms. The first seven pass nothing at all; the others pass what they do as they
should, and nothing beside. Made by `python tests/broken/write_reports.py`.

| subject | conformant | passed | failed | warned | not testable | not applicable |
| --- | --- | --- | --- | --- | --- | --- |
"""

COLUMNS = (
    Verdict.PASSED,
    Verdict.FAILED,
    Verdict.WARNED,
    Verdict.NOT_TESTABLE,
    Verdict.NOT_APPLICABLE,
)


def broken_row(name: str) -> Sequence[str]:
    """Run the suite on a broken host and return its row."""
    subject = BROKEN[name]
    trial = try_out(command_of(subject))
    wanted = Verdict.FAILED if subject.level == "must" else Verdict.WARNED
    caught = subject.clause in trial.clauses(wanted)
    others = trial.clauses(*BROKEN_VERDICTS) - {subject.clause}
    verdict = wanted if caught else "not caught"
    return (*known_cells(subject), verdict, ", ".join(sorted(others)))


def known_cells(subject: Subject) -> tuple[str, str, str, str]:
    """Return the cells of a row that are known before the run."""
    return subject.clause, subject.level, f"`{subject.name}`", subject.does


def null_row(name: str) -> Sequence[str]:
    """Run the suite on a null subject and return its row."""
    trial = try_out({**NOTHING, **ALMOST_NOTHING}[name], timeout=1.0)
    counts = Counter(result.verdict for result in trial.results)
    counts[Verdict.PASSED] += counts[Verdict.RECORDED]
    conformant = "yes" if trial.conformant else "no"
    return (f"`{name}`", conformant, *(str(counts[verdict]) for verdict in COLUMNS))


def table(head: str, rows: Iterable[Sequence[str]]) -> str:
    """Return a report with these rows."""
    cells = (" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows)
    return head + "".join(f"| {line} |\n" for line in cells)


def main() -> None:
    """Run everything, two subjects for each core, and write both tables."""
    order = [clause.id for clause in load_clauses("host-v1")]
    names = sorted(BROKEN, key=lambda name: order.index(BROKEN[name].clause))
    with ProcessPoolExecutor(2 * (os.cpu_count() or 1)) as pool:
        BROKEN_REPORT.write_text(table(BROKEN_HEAD, pool.map(broken_row, names)))
        nulls = [*NOTHING, *ALMOST_NOTHING]
        NULL_REPORT.write_text(table(NULL_HEAD, pool.map(null_row, nulls)))


if __name__ == "__main__":
    main()
