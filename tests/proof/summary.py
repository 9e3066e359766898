"""What the published tables come to: a row for each protocol, and one of all."""

from __future__ import annotations

from collections.abc import Sequence

from tests.proof.fuzzed import fuzz_report
from tests.proof.matrix import Kind, checks_of, read_matrix, report_of
from tests.proof.proof import Proof, all_proofs
from tests.proof.tables import (
    NOT_CAUGHT,
    REPORTS,
    broken_report,
    heading,
    null_report,
    read_table,
    table,
)

from wireproof_vectors import load_clauses

SUMMARY = REPORTS / "summary.md"

COLUMNS = (
    "protocol",
    "clauses",
    "of them tried",
    "checks",
    "shipped programs that conform",
    "legal variants that conform",
    "broken subjects that are caught",
    "by fuzzing alone",
    "null subjects taken for conformant",
)

Share = tuple[int, int]
"""How many, and of how many."""


def shares(proof: Proof) -> Sequence[int | Share]:
    """Return the figures of a protocol, in the order of the columns."""
    clauses = [one for one in load_clauses(proof.protocol) if not one.withdrawn]
    broken = read_table(broken_report(proof.protocol))
    nulls = read_table(null_report(proof.protocol))
    return (
        len(clauses),
        sum(not one.excluded for one in clauses),
        len(checks_of(proof)),
        _conforming(proof, "shipped"),
        _conforming(proof, "legal"),
        (sum(row[4] != NOT_CAUGHT for row in broken), len(broken)),
        _fuzzed(proof),
        (sum(row[1] == "yes" for row in nulls), len(nulls)),
    )


def _conforming(proof: Proof, kind: Kind) -> Share:
    chosen = [one for one in read_matrix(proof.protocol) if one.kind == kind]
    return sum(one.conformant for one in report_of(proof, chosen)), len(chosen)


def _fuzzed(proof: Proof) -> Share:
    """Return what fuzzing alone convicts, of what some property tries."""
    path = fuzz_report(proof.protocol)
    rows = read_table(path) if path.exists() else []
    return sum(int(row[2]) for row in rows), sum(int(row[1]) for row in rows)


def summary_rows() -> Sequence[Sequence[str]]:
    """Return a row for each protocol, and one of all."""
    found = {proof.protocol: shares(proof) for proof in all_proofs().values()}
    together = [_added(column) for column in zip(*found.values(), strict=True)]
    return [
        (name, *map(_told, row)) for name, row in {**found, "all": together}.items()
    ]


def _added(column: Sequence[int | Share]) -> int | Share:
    pairs = [one if isinstance(one, tuple) else (one, -1) for one in column]
    first = sum(one for one, _ in pairs)
    return (first, sum(two for _, two in pairs)) if pairs[0][1] >= 0 else first


def _told(one: int | Share) -> str:
    if isinstance(one, int):
        return str(one)
    return f"{one[0]} of {one[1]}" if one[1] else "no property"


def summary_text() -> str:
    """Return the table."""
    text = """\
What the other tables come to. A broken subject is caught where the clause that it \
breaks is found broken; fuzzing alone is tried on those whose clause some property is \
about. Made by `nox -s reports`."""
    return heading("How the suite proves itself", text) + table(COLUMNS, summary_rows())
