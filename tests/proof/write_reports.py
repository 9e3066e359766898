"""Runs the proofs and writes their tables: ``python -m tests.proof.write_reports``.

Folders of protocols, such as ``host_v1``, may follow: all where none does.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial

from tests.proof.coverage import COVERAGE, coverage_text
from tests.proof.fuzzed import FUZZED, write_report
from tests.proof.joined import write_page
from tests.proof.matrix import checks_of, matrix_file, matrix_text, read_matrix
from tests.proof.matrix_table import matrix_table, matrix_table_file
from tests.proof.proof import all_proofs, load_proof
from tests.proof.run_matrix import run_matrix
from tests.proof.summary import SUMMARY, summary_text
from tests.proof.tables import (
    broken_cells,
    broken_report,
    broken_text,
    known_cells,
    null_cells,
    null_report,
    null_text,
    read_table,
)
from tests.proof.trial import try_broken, try_out, try_row

from wireproof_vectors import load_clauses

NULL_SECONDS = 1.0
"""Longest wait for an answer of a subject that gives none."""

PARTS = ("broken", "null", "matrix", "fuzz", "derived")


def broken_row(folder: str, every: int, name: str) -> Sequence[str]:
    """Run the suite on a broken subject and return its row."""
    proof = load_proof(folder)
    row = proof.broken[name]
    if every == 1:
        return broken_cells(proof, row, try_row(proof, row))
    offset = list(proof.broken).index(name)
    trial = try_broken(proof, row, every=every, offset=offset)
    return broken_cells(proof, row, trial)


def null_row(folder: str, name: str) -> Sequence[str]:
    """Run the suite on a null subject and return its row."""
    proof = load_proof(folder)
    command = proof.nulls.commands[name]
    return null_cells(name, try_out(proof, command, timeout=NULL_SECONDS))


def write_broken(
    folder: str, pool: Executor, *, only_new: bool, every: int = 1
) -> None:
    """Run the broken subjects of a protocol, and write their table.

    Args:
        folder: That of the protocol.
        pool: What runs them.
        only_new: Only those that the table does not have as they are.
        every: One vector in so many is run outside the clause that a subject breaks.
    """
    proof = load_proof(folder)
    path = broken_report(proof.protocol)
    known = {tuple(row[:4]): row for row in read_table(path)} if only_new else {}
    order = [clause.id for clause in load_clauses(proof.protocol)]
    names = sorted(
        proof.broken, key=lambda name: order.index(proof.broken[name].clause)
    )
    new = [name for name in names if known_cells(proof.broken[name]) not in known]
    rows = {n: known.get(known_cells(proof.broken[n])) for n in names}
    tried = pool.map(partial(broken_row, folder, every), new)
    # The table is written row by row: a run that is interrupted keeps what it has.
    for name, cells in zip(new, tried, strict=True):
        rows[name] = list(cells)
        path.write_text(broken_text(proof, filter(None, rows.values())))
    path.write_text(broken_text(proof, filter(None, rows.values())))


def write_nulls(folder: str, pool: Executor, *, only_new: bool) -> None:
    """Run the null subjects of a protocol, and write their table.

    Args:
        folder: That of the protocol.
        pool: What runs them.
        only_new: Only those that the table does not have with as many checks.
    """
    proof = load_proof(folder)
    path = null_report(proof.protocol)
    checks = str(len(checks_of(proof)))
    rows = [row for row in read_table(path) if row[2] == checks] if only_new else []
    known = {row[0].strip("`"): row for row in rows}
    names = list(proof.nulls.commands)
    new = [name for name in names if name not in known]
    found = dict(zip(new, pool.map(partial(null_row, folder), new), strict=True))
    path.write_text(null_text(proof, [found.get(n) or known[n] for n in names]))


def write_matrix(folder: str, pool: Executor, *, only_new: bool) -> None:
    """Run all subjects of a protocol that have to conform, and write their matrix."""
    proof = load_proof(folder)
    tried = run_matrix(folder, pool, only_new=only_new)
    matrix_file(proof.protocol).write_text(matrix_text(proof, tried))


def write_derived() -> None:
    """Write what is made of the other tables and the catalogue; no subject is run."""
    for proof in all_proofs().values():
        tried = read_matrix(proof.protocol)
        matrix_table_file(proof.protocol).write_text(matrix_table(proof, tried))
    COVERAGE.write_text(coverage_text())
    SUMMARY.write_text(summary_text())
    write_page()


def main() -> None:
    """Write what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", metavar="FOLDER", help="of a protocol")
    parser.add_argument("--part", action="append", choices=PARTS, help="only this one")
    parser.add_argument(
        "--new",
        action="store_true",
        help="run only what the tables do not have yet",
    )
    parser.add_argument(
        "--workers",
        type=int,
        # Much of the time they wait.
        default=2 * (os.cpu_count() or 1),
        help="subjects that are tried at once",
    )
    parser.add_argument(
        "--every",
        type=int,
        default=1,
        metavar="N",
        help="run one vector in N outside the clause that a broken subject breaks",
    )
    asked = parser.parse_args()
    parts = asked.part or PARTS
    with ProcessPoolExecutor(asked.workers) as pool:
        for folder in asked.folders or all_proofs():
            if "broken" in parts:
                write_broken(folder, pool, only_new=asked.new, every=asked.every)
            if "null" in parts:
                write_nulls(folder, pool, only_new=asked.new)
            if "matrix" in parts:
                write_matrix(folder, pool, only_new=asked.new)
            # What fuzzing finds is counted over all of a table: none of it is kept.
            if "fuzz" in parts and folder in FUZZED and not asked.new:
                write_report(folder)
    write_derived()


if __name__ == "__main__":
    main()
