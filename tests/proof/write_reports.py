"""Runs the proofs and writes their tables: ``python -m tests.proof.write_reports``.

Folders of protocols, such as ``host_v1``, may follow: all where none does.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from tests.proof.proof import all_proofs, load_proof
from tests.proof.tables import (
    broken_cells,
    broken_head,
    broken_report,
    null_cells,
    null_head,
    null_report,
    table,
)
from tests.proof.trial import try_out, try_row

from wireproof_vectors import load_clauses

NULL_SECONDS = 1.0
"""Longest wait for an answer of a subject that gives none."""

AT_ONCE = 2
"""Subjects for each core: much of the time they wait."""


def broken_row(folder: str, name: str) -> Sequence[str]:
    """Run the suite on a broken subject and return its row."""
    proof = load_proof(folder)
    row = proof.broken[name]
    return broken_cells(row, try_row(proof, row))


def null_row(folder: str, name: str) -> Sequence[str]:
    """Run the suite on a null subject and return its row."""
    proof = load_proof(folder)
    command = proof.nulls.commands[name]
    return null_cells(name, try_out(proof, command, timeout=NULL_SECONDS))


def write_tables(folder: str) -> None:
    """Run all broken and null subjects of a protocol, and write both tables."""
    proof = load_proof(folder)
    order = [clause.id for clause in load_clauses(proof.protocol)]
    names = sorted(
        proof.broken, key=lambda name: order.index(proof.broken[name].clause)
    )
    with ProcessPoolExecutor(AT_ONCE * (os.cpu_count() or 1)) as pool:
        broken = pool.map(partial(broken_row, folder), names)
        nulls = pool.map(partial(null_row, folder), proof.nulls.commands)
        broken_report(proof.protocol).write_text(table(broken_head(proof), broken))
        null_report(proof.protocol).write_text(table(null_head(proof), nulls))


if __name__ == "__main__":
    for one in sys.argv[1:] or all_proofs():
        write_tables(one)
