from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.broken import null as null_hosts
from tests.broken import write_reports as host_reports
from tests.broken.table import BROKEN as BROKEN_HOSTS
from tests.broken_adapters import null as null_registries
from tests.broken_adapters import write_reports as registry_reports
from tests.broken_adapters.table import BROKEN as BROKEN_REGISTRIES
from tests.broken_sockets import null as null_servers
from tests.broken_sockets import write_reports as server_reports
from tests.broken_sockets.table import BROKEN as BROKEN_SERVERS
from tests.proof.row import Row


@dataclass(frozen=True)
class Proof:
    """The rows of a protocol's proof, and the tables that were made from them."""

    rows: Mapping[str, Row]
    cells: set[tuple[str, ...]]
    broken: Path
    null: Path
    nothing: list[str]
    almost_nothing: list[str]


PROOFS = {
    "host-v1": Proof(
        BROKEN_HOSTS,
        {host_reports.known_cells(row) for row in BROKEN_HOSTS.values()},
        host_reports.BROKEN_REPORT,
        host_reports.NULL_REPORT,
        list(null_hosts.NOTHING),
        list(null_hosts.ALMOST_NOTHING),
    ),
    "socket-v1": Proof(
        BROKEN_SERVERS,
        {server_reports.known_cells(row) for row in BROKEN_SERVERS.values()},
        server_reports.BROKEN_REPORT,
        server_reports.NULL_REPORT,
        list(null_servers.NOTHING),
        list(null_servers.ALMOST_NOTHING),
    ),
    "interop": Proof(
        BROKEN_REGISTRIES,
        {registry_reports.known_cells(row) for row in BROKEN_REGISTRIES.values()},
        registry_reports.BROKEN_REPORT,
        registry_reports.NULL_REPORT,
        list(null_registries.NOTHING),
        list(null_registries.ALMOST_NOTHING),
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
