from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.proof.host_v1 import null as null_hosts
from tests.proof.host_v1.table import BROKEN as BROKEN_HOSTS
from tests.proof.interop import null as null_registries
from tests.proof.interop.table import BROKEN as BROKEN_REGISTRIES
from tests.proof.row import Row
from tests.proof.socket_v1 import null as null_servers
from tests.proof.socket_v1.table import BROKEN as BROKEN_SERVERS
from tests.proof.tables import broken_report, known_cells, null_report


@dataclass(frozen=True)
class Proof:
    """The rows of a protocol's proof, and the tables that were made from them."""

    rows: Mapping[str, Row]
    cells: set[tuple[str, ...]]
    broken: Path
    null: Path
    nothing: list[str]
    almost_nothing: list[str]


def proof_of(
    protocol: str,
    rows: Mapping[str, Row],
    nothing: Iterable[str],
    almost_nothing: Iterable[str],
) -> Proof:
    return Proof(
        rows,
        {known_cells(row) for row in rows.values()},
        broken_report(protocol),
        null_report(protocol),
        list(nothing),
        list(almost_nothing),
    )


PROOFS = {
    "host-v1": proof_of(
        "host-v1", BROKEN_HOSTS, null_hosts.NOTHING, null_hosts.ALMOST_NOTHING
    ),
    "socket-v1": proof_of(
        "socket-v1", BROKEN_SERVERS, null_servers.NOTHING, null_servers.ALMOST_NOTHING
    ),
    "interop": proof_of(
        "interop",
        BROKEN_REGISTRIES,
        null_registries.NOTHING,
        null_registries.ALMOST_NOTHING,
    ),
}

pytestmark = pytest.mark.parametrize("proof", PROOFS.values(), ids=PROOFS)


def cells(report: Path) -> list[list[str]]:
    lines = report.read_text().splitlines()
    table = [line for line in lines if line.startswith("| ")][2:]
    return [line.strip("| ").split(" | ") for line in table]


def test_the_table_of_broken_subjects_is_that_of_the_subjects_there_are(
    proof: Proof,
) -> None:
    assert {tuple(row[:4]) for row in cells(proof.broken)} == proof.cells


def test_every_broken_subject_was_caught_when_the_table_was_made(proof: Proof) -> None:
    verdicts = {(row[1], row[4].strip("| ")) for row in cells(proof.broken)}

    assert verdicts == {("must", "failed"), ("should", "warned")}


def test_the_clauses_broken_too_are_those_that_a_row_allows(proof: Proof) -> None:
    allowed = {name: set(one.allows) for name, one in proof.rows.items()}
    written = {
        row[2].strip("`"): {cell for cell in row[5].split(", ") if cell}
        for row in cells(proof.broken)
        if len(row) > 5
    }

    assert {name for name, too in written.items() if not too <= allowed[name]} == set()


def test_the_table_of_null_subjects_is_that_of_the_subjects_there_are(
    proof: Proof,
) -> None:
    written = [row[0].strip("`") for row in cells(proof.null)]

    assert written == [*proof.nothing, *proof.almost_nothing]


def test_no_null_subject_was_conformant_and_the_named_ones_passed_nothing(
    proof: Proof,
) -> None:
    found = {row[0].strip("`"): (row[1], row[2]) for row in cells(proof.null)}

    assert {conformant for conformant, _ in found.values()} == {"no"}
    assert {found[name][1] for name in proof.nothing} == {"0"}
