from __future__ import annotations

from pathlib import Path

from tests.broken.null import ALMOST_NOTHING, NOTHING
from tests.broken.table import BROKEN
from tests.broken.write_reports import BROKEN_REPORT, NULL_REPORT, known_cells


def rows(report: Path) -> list[list[str]]:
    lines = report.read_text().splitlines()
    table = [line for line in lines if line.startswith("| ")][2:]
    return [line.strip("| ").split(" | ") for line in table]


def test_the_table_of_broken_hosts_is_that_of_the_hosts_there_are() -> None:
    written = {tuple(row[:4]) for row in rows(BROKEN_REPORT)}

    assert written == {known_cells(subject) for subject in BROKEN.values()}


def test_every_broken_host_was_caught_when_the_table_was_made() -> None:
    verdicts = {(row[1], row[4].strip("| ")) for row in rows(BROKEN_REPORT)}

    assert verdicts == {("must", "failed"), ("should", "warned")}


def test_the_clauses_broken_too_are_those_that_a_row_allows() -> None:
    allowed = {name: set(one.allows) for name, one in BROKEN.items()}
    written = {
        row[2].strip("`"): {cell for cell in row[5].split(", ") if cell}
        for row in rows(BROKEN_REPORT)
        if len(row) > 5
    }

    assert {name for name, too in written.items() if not too <= allowed[name]} == set()


def test_the_table_of_null_subjects_is_that_of_the_subjects_there_are() -> None:
    written = [row[0].strip("`") for row in rows(NULL_REPORT)]

    assert written == [*NOTHING, *ALMOST_NOTHING]


def test_no_null_subject_was_conformant_and_the_named_ones_passed_nothing() -> None:
    found = {row[0].strip("`"): (row[1], row[2]) for row in rows(NULL_REPORT)}

    assert {conformant for conformant, _ in found.values()} == {"no"}
    assert {found[name][1] for name in NOTHING} == {"0"}
