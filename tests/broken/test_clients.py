from __future__ import annotations

from typing import Literal

import pytest
from tests.broken.client_subject import ClientSubject
from tests.broken.clients import (
    BROKEN_CLIENTS,
    LEGAL_CLIENTS,
    REFERENCE,
    client_cells,
    client_row,
    client_surprises,
    try_client,
)
from tests.broken.write_client_report import CLIENT_REPORT

from wireproof.checks import Result, Verdict, is_conformant
from wireproof_vectors import load_clauses


def not_passed(results: list[Result]) -> list[str]:
    return [
        f"{one.id} is {one.verdict} ({one.reason})"
        for one in results
        if one.verdict is not Verdict.PASSED
    ]


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_the_reference_passes_all(backend: Literal["asyncio", "trio"]) -> None:
    results = try_client(REFERENCE, backend)
    assert not_passed(results) == []
    assert is_conformant(results)


@pytest.mark.parametrize("subject", LEGAL_CLIENTS.values(), ids=LEGAL_CLIENTS.keys())
def test_a_legal_client_passes_all(subject: ClientSubject) -> None:
    assert not_passed(try_client(subject)) == []


@pytest.mark.parametrize("subject", BROKEN_CLIENTS.values(), ids=BROKEN_CLIENTS.keys())
def test_a_broken_client_is_charged_with_its_own_clause(subject: ClientSubject) -> None:
    results = try_client(subject)
    assert client_surprises(subject, results) == []
    assert is_conformant(results) is (subject.level == "should")


def test_every_clause_of_the_client_side_has_a_broken_client() -> None:
    levels = {
        clause.id: clause.level
        for clause in load_clauses("host-v1")
        if clause.id.startswith("HV1-C")
    }
    broken = {subject.clause: subject.level for subject in BROKEN_CLIENTS.values()}
    assert broken == levels


@pytest.mark.parametrize(
    ("clause", "verdict", "shown"),
    [
        ("HV1-C1", Verdict.FAILED, ("failed", "")),
        ("HV1-C1", Verdict.WARNED, ("not caught", "")),
        ("HV1-C1", Verdict.NOT_TESTABLE, ("not caught", "")),
        ("HV1-C2", Verdict.FAILED, ("not caught", "HV1-C2")),
    ],
)
def test_a_row_of_the_report_says_what_was_caught(
    clause: str, verdict: Verdict, shown: tuple[str, str]
) -> None:
    subject = BROKEN_CLIENTS["raw-line-feeds"]
    known = ("HV1-C1", "must", "`raw-line-feeds`")
    result = Result("v", (clause,), "must", "seed", verdict)
    assert client_row(subject, [result]) == (*known, subject.does, *shown)


def test_the_report_has_a_row_for_each_broken_client_that_was_caught() -> None:
    caught = {"must": "failed", "should": "warned"}
    lines = CLIENT_REPORT.read_text().splitlines()
    assert {line for line in lines if line.startswith("| HV1")} == {
        f"| {' | '.join(client_cells(subject))} | {caught[subject.level]} |  |"
        for subject in BROKEN_CLIENTS.values()
    }
