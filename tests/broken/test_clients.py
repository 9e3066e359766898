from __future__ import annotations

from typing import Literal

import pytest
from tests.broken.client_subject import ClientSubject
from tests.broken.clients import (
    BROKEN_CLIENTS,
    LEGAL_CLIENTS,
    REFERENCE,
    client_row,
    client_surprises,
    try_client,
)

from wireproof._verdicts import Result, Verdict, is_conformant
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


def test_a_row_of_the_report_counts_what_was_found() -> None:
    subject = BROKEN_CLIENTS["raw-line-feeds"]
    verdicts = (Verdict.PASSED, Verdict.FAILED, Verdict.WARNED, Verdict.NOT_TESTABLE)
    results = [Result("v", ("HV1-C1",), "must", "seed", one) for one in verdicts]
    assert client_row(subject, results) == [
        "HV1-C1",
        "raw-line-feeds",
        "does not escape line feeds in strings",
        "2",
        "1",
        "",
    ]
