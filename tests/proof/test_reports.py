"""What is published in ``reports/`` is what the catalogue and the subjects give now.

`python -m tests.proof.write_reports --new FOLDER` brings the files of a protocol up to
date; without `--new` it runs everything.
"""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest
from tests.conforming_subjects import SHIPPED
from tests.proof.coverage import COVERAGE, coverage_text
from tests.proof.joined import joined_page
from tests.proof.matrix import (
    Tried,
    checks_of,
    ids_of,
    matrix_file,
    matrix_text,
    read_matrix,
    shipped_of,
)
from tests.proof.matrix_table import matrix_table, matrix_table_file
from tests.proof.proof import Proof, all_proofs
from tests.proof.run_matrix import run_matrix
from tests.proof.summary import SUMMARY, summary_text
from tests.proof.tables import (
    broken_report,
    broken_text,
    known_cells,
    null_report,
    null_text,
    read_table,
)
from tests.proof.trial import ROOT

from wireproof.checks import Verdict
from wireproof.protocols import protocol_for
from wireproof_vectors import load_clauses

PROOFS = all_proofs()

LARGEST_PAGE = 3_000_000
"""Bytes of the page that joins all tables."""

of_each = pytest.mark.parametrize("proof", PROOFS.values(), ids=PROOFS)


def broken(proof: Proof) -> list[list[str]]:
    return read_table(broken_report(proof.protocol))


def nulls(proof: Proof) -> list[list[str]]:
    return read_table(null_report(proof.protocol))


@of_each
def test_the_table_of_broken_subjects_is_that_of_the_subjects_there_are(
    proof: Proof,
) -> None:
    assert {tuple(row[:4]) for row in broken(proof)} == {
        known_cells(row) for row in proof.broken.values()
    }


@of_each
def test_every_broken_subject_was_caught_when_the_table_was_made(proof: Proof) -> None:
    verdicts = {(row[1], row[4]) for row in broken(proof)}

    assert verdicts == {("must", "failed"), ("should", "warned")}


@of_each
def test_the_other_clauses_that_failed_are_those_of_the_catalogue(
    proof: Proof,
) -> None:
    known = {clause.id for clause in load_clauses(proof.protocol)}
    written = {one for row in broken(proof) for one in row[5].split(", ") if one}

    assert written <= known


@of_each
def test_the_table_of_null_subjects_is_that_of_the_subjects_there_are(
    proof: Proof,
) -> None:
    written = [row[0].strip("`") for row in nulls(proof)]

    assert written == list(proof.nulls.commands)


@of_each
def test_the_null_subjects_were_tried_on_the_checks_that_there_are(
    proof: Proof,
) -> None:
    assert {row[2] for row in nulls(proof)} == {str(len(checks_of(proof)))}


@of_each
def test_no_null_subject_was_conformant_and_the_named_ones_passed_nothing(
    proof: Proof,
) -> None:
    found = {row[0].strip("`"): (row[1], row[3]) for row in nulls(proof)}

    assert {conformant for conformant, _ in found.values()} == {"no"}
    assert {found[name][1] for name in proof.nulls.nothing} == {"0"}


@of_each
def test_the_tables_are_written_as_their_rows_say(proof: Proof) -> None:
    assert broken_report(proof.protocol).read_text() == broken_text(
        proof, broken(proof)
    )
    assert null_report(proof.protocol).read_text() == null_text(proof, nulls(proof))


@of_each
def test_the_matrix_has_the_subjects_and_checks_that_there_are(proof: Proof) -> None:
    document: Any = json.loads(matrix_file(proof.protocol).read_text())

    assert [(one["name"], one["does"]) for one in document["subjects"]] == [
        *((name, "") for name in shipped_of(proof)),
        *((name, row.does) for name, row in proof.legal.items()),
    ]
    assert list(document["checks"]) == list(ids_of(proof, read_matrix(proof.protocol)))


@of_each
def test_every_subject_of_the_matrix_was_tried_on_every_check(proof: Proof) -> None:
    tried = read_matrix(proof.protocol)
    ids = set(ids_of(proof, tried))

    assert [
        (one.name, sorted(ids - one.verdicts.keys()))
        for one in tried
        if ids - one.verdicts.keys()
    ] == []


@of_each
def test_every_subject_of_the_matrix_conforms(proof: Proof) -> None:
    allowed = {name: row.warns.keys() for name, row in proof.legal.items()}
    clauses = {check.id: set(check.clauses) for check in checks_of(proof)}
    harmless = {Verdict.PASSED, Verdict.RECORDED, Verdict.NOT_APPLICABLE}
    entry = protocol_for(proof.option)

    def is_expected(one: Tried, name: str, verdict: Verdict) -> bool:
        if one.kind == "shipped":
            return verdict.value in SHIPPED[one.name].verdicts
        blamed = clauses.get(name, {name.rpartition("/")[2]})
        if verdict is Verdict.NOT_TESTABLE:
            # A step of it names a SHOULD that the subject does not keep.
            steps = (entry.describe(name) or {}).get("steps", ())
            blamed = {step["clause"] for step in steps if "clause" in step}
        elif verdict is not Verdict.WARNED:
            return verdict in harmless
        return not allowed[one.name].isdisjoint(blamed)

    assert [
        (one.name, name, verdict)
        for one in read_matrix(proof.protocol)
        for name, verdict in one.verdicts.items()
        if not is_expected(one, name, verdict)
    ] == []


@of_each
def test_the_tables_of_the_matrix_are_made_of_its_data(proof: Proof) -> None:
    tried = read_matrix(proof.protocol)

    assert matrix_file(proof.protocol).read_text() == matrix_text(proof, tried)
    assert matrix_table_file(proof.protocol).read_text() == matrix_table(proof, tried)


@pytest.mark.sweep
@pytest.mark.parametrize("folder", PROOFS)
def test_the_matrix_is_what_a_run_gives(folder: str) -> None:
    proof = PROOFS[folder]
    with ProcessPoolExecutor() as pool:
        tried = run_matrix(folder, pool)

    assert matrix_file(proof.protocol).read_text() == matrix_text(proof, tried)


def test_the_coverage_of_clauses_is_that_of_the_catalogue() -> None:
    assert COVERAGE.read_text() == coverage_text()


def test_the_summary_is_that_of_the_tables() -> None:
    assert SUMMARY.read_text() == summary_text()


def test_the_page_that_joins_them_has_all_and_nothing_of_this_machine() -> None:
    page = joined_page()

    assert [
        clause.id
        for p in PROOFS.values()
        for clause in p.clauses
        if f'"{clause.id}"' not in page
    ] == []
    assert [
        row.name
        for p in PROOFS.values()
        for row in p.broken.values()
        if f"`{row.name}`" not in page
    ] == []
    assert str(ROOT) not in page
    assert len(page) < LARGEST_PAGE
