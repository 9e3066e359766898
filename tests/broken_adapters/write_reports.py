"""Runs the proof and writes its tables: ``tests/broken_adapters/write_reports.py``."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[2])

from tests.broken.write_reports import COLUMNS, table  # noqa: E402 - as above
from tests.broken_adapters.null import ALMOST_NOTHING, NOTHING  # noqa: E402
from tests.broken_adapters.table import BROKEN, AdapterRow  # noqa: E402
from tests.broken_adapters.trial import command_of, try_out  # noqa: E402
from tests.proof.trial import BROKEN_VERDICTS, ROOT  # noqa: E402

from wireproof._verdicts import Verdict  # noqa: E402
from wireproof_vectors import load_clauses  # noqa: E402

BROKEN_REPORT = ROOT / "reports" / "interop-broken.md"
NULL_REPORT = ROOT / "reports" / "interop-null.md"

BROKEN_HEAD = """\
# interop: each clause and the registries that break it

Each row is a registry that differs from the reference in one thing. The suite was run
on it: the verdict is that of the clause that it breaks, the last column names the
clauses that it breaks in the same breath.
Made by `python tests/broken_adapters/write_reports.py`.

| clause | level | registry | what it does | verdict | broken too |
| --- | --- | --- | --- | --- | --- |
"""

NULL_HEAD = """\
# interop: registries that do nothing

Drivers and registries that do nothing, or the same whatever is asked; the last ones
know the answers to the controls, and do one thing for all else.
Made by `python tests/broken_adapters/write_reports.py`.

| subject | conformant | passed | failed | warned | not testable | not applicable |
| --- | --- | --- | --- | --- | --- | --- |
"""


def known_cells(row: AdapterRow) -> tuple[str, str, str, str]:
    """Return the cells of a row that are known before the run."""
    return row.clause, row.level, f"`{row.name}`", row.does


def broken_row(name: str) -> Sequence[str]:
    """Run the suite on a broken registry and return its row."""
    row = BROKEN[name]
    trial = try_out(command_of(row))
    wanted = Verdict.FAILED if row.level == "must" else Verdict.WARNED
    caught = row.clause in trial.clauses(wanted)
    others = trial.clauses(*BROKEN_VERDICTS) - {row.clause}
    verdict = wanted if caught else "not caught"
    return (*known_cells(row), verdict, ", ".join(sorted(others)))


def null_row(name: str) -> Sequence[str]:
    """Run the suite on a null registry and return its row."""
    trial = try_out({**NOTHING, **ALMOST_NOTHING}[name], timeout=1.0)
    counts = Counter(result.verdict for result in trial.results)
    counts[Verdict.PASSED] += counts[Verdict.RECORDED]
    conformant = "yes" if trial.conformant else "no"
    return (f"`{name}`", conformant, *(str(counts[verdict]) for verdict in COLUMNS))


def main() -> None:
    """Run everything, two registries for each core, and write both tables."""
    order = [clause.id for clause in load_clauses("interop")]
    names = sorted(BROKEN, key=lambda name: order.index(BROKEN[name].clause))
    with ProcessPoolExecutor(2 * (os.cpu_count() or 1)) as pool:
        BROKEN_REPORT.write_text(table(BROKEN_HEAD, pool.map(broken_row, names)))
        nulls = [*NOTHING, *ALMOST_NOTHING]
        NULL_REPORT.write_text(table(NULL_HEAD, pool.map(null_row, nulls)))


if __name__ == "__main__":
    main()
