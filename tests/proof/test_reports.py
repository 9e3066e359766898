from __future__ import annotations

from pathlib import Path

import pytest
from tests.proof.proof import Proof, all_proofs
from tests.proof.tables import (
    broken_head,
    broken_report,
    known_cells,
    null_head,
    null_report,
)

PROOFS = all_proofs()

pytestmark = pytest.mark.parametrize("proof", PROOFS.values(), ids=PROOFS)


def broken(proof: Proof) -> list[list[str]]:
    return cells(broken_report(proof.protocol))


def nulls(proof: Proof) -> list[list[str]]:
    return cells(null_report(proof.protocol))


def cells(report: Path) -> list[list[str]]:
    lines = report.read_text().splitlines()
    table = [line for line in lines if line.startswith("| ")][2:]
    return [line.strip("| ").split(" | ") for line in table]


def test_the_table_of_broken_subjects_is_that_of_the_subjects_there_are(
    proof: Proof,
) -> None:
    assert {tuple(row[:4]) for row in broken(proof)} == {
        known_cells(row) for row in proof.broken.values()
    }


def test_every_broken_subject_was_caught_when_the_table_was_made(proof: Proof) -> None:
    verdicts = {(row[1], row[4].strip("| ")) for row in broken(proof)}

    assert verdicts == {("must", "failed"), ("should", "warned")}


def test_the_clauses_broken_too_are_those_that_a_row_allows(proof: Proof) -> None:
    allowed = {name: set(one.allows) for name, one in proof.broken.items()}
    written = {
        row[2].strip("`"): {cell for cell in row[5].split(", ") if cell}
        for row in broken(proof)
        if len(row) > 5
    }

    assert {name for name, too in written.items() if not too <= allowed[name]} == set()


def test_the_table_of_null_subjects_is_that_of_the_subjects_there_are(
    proof: Proof,
) -> None:
    written = [row[0].strip("`") for row in nulls(proof)]

    assert written == list(proof.nulls.commands)


def test_no_null_subject_was_conformant_and_the_named_ones_passed_nothing(
    proof: Proof,
) -> None:
    found = {row[0].strip("`"): (row[1], row[2]) for row in nulls(proof)}

    assert {conformant for conformant, _ in found.values()} == {"no"}
    assert {found[name][1] for name in proof.nulls.nothing} == {"0"}


def test_the_tables_begin_as_they_are_written(proof: Proof) -> None:
    assert broken_report(proof.protocol).read_text().startswith(broken_head(proof))
    assert null_report(proof.protocol).read_text().startswith(null_head(proof))
