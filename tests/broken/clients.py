"""All clients of the proof, how one is tried, and the rows of their report."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from tests.broken import (
    client_answer_faults,
    client_format_faults,
    client_life_faults,
    client_request_faults,
    client_state_faults,
    client_variants,
)
from tests.broken.client_driver import ClientDriver
from tests.broken.client_subject import BROKEN_CLIENTS, LEGAL_CLIENTS, ClientSubject

from wireproof.checks import Result, Verdict
from wireproof.protocols.host_client._suite import ClientSuite
from wireproof.subjects import Patience
from wireproof.subjects._patience import BUDGET_SECONDS
from wireproof_reference.host_v1 import HostClient
from wireproof_vectors import load_clauses

MODULES = (
    client_request_faults,
    client_answer_faults,
    client_format_faults,
    client_state_faults,
    client_life_faults,
    client_variants,
)
"""Imported for the clients that they enter."""

__all__ = [
    "BROKEN_CLIENTS",
    "LEGAL_CLIENTS",
    "MODULES",
    "REFERENCE",
    "client_cells",
    "client_row",
    "client_rows",
    "client_surprises",
    "try_client",
]

REFERENCE = ClientSubject("reference", "is the reference", HostClient)

_BROKEN_VERDICTS = frozenset({Verdict.FAILED, Verdict.WARNED})


def try_client(
    subject: ClientSubject, backend: Literal["asyncio", "trio"] = "asyncio"
) -> list[Result]:
    """Run every vector on a client."""
    patience = Patience(None)
    if subject.hangs:
        patience.spent = BUDGET_SECONDS
    suite = ClientSuite(
        lambda: ClientDriver(subject.client), patience=patience, backend=backend
    )
    results = [suite.run(check) for check in suite.checks]
    return [*results, *suite.finish()]


def client_surprises(subject: ClientSubject, results: Iterable[Result]) -> list[str]:
    """Say what a broken client should not have led to.

    Its own clause must be broken in some check; every check that is broken, or that
    is not testable, must be so because of that clause or one that its row allows.
    """
    wanted = Verdict.FAILED if subject.level == "must" else Verdict.WARNED
    blamed = {subject.clause, *subject.allows}
    found: list[str] = []
    caught = False
    for result in results:
        own = blamed.intersection(result.clauses)
        caught = caught or (subject.clause in own and result.verdict is wanted)
        expected = (
            result.verdict is Verdict.PASSED
            or (result.verdict in _BROKEN_VERDICTS and own)
            or (result.verdict is Verdict.NOT_TESTABLE and result.because in blamed)
        )
        if not expected:
            found.append(f"{result.id} is {result.verdict} ({result.reason[:150]})")
    if not caught:
        found.insert(0, f"no check of {subject.clause} is {wanted}")
    return found


def client_cells(subject: ClientSubject) -> tuple[str, str, str, str]:
    """Return the cells of a row of the report that are known before the run."""
    return subject.clause, subject.level, f"`{subject.name}`", subject.does


def client_row(subject: ClientSubject, results: Iterable[Result]) -> tuple[str, ...]:
    """Return a row of the report: what the run of a broken client has shown."""
    wanted = Verdict.FAILED if subject.level == "must" else Verdict.WARNED
    broken = {
        clause: result.verdict
        for result in results
        if result.verdict in _BROKEN_VERDICTS
        for clause in result.clauses
    }
    caught = broken.pop(subject.clause, None) is wanted
    verdict = wanted.value if caught else "not caught"
    return (*client_cells(subject), verdict, ", ".join(sorted(broken)))


def client_rows() -> list[tuple[str, ...]]:
    """Try every broken client, and return the rows of the report by clause."""
    order = [clause.id for clause in load_clauses("host-v1")]
    subjects = sorted(
        BROKEN_CLIENTS.values(), key=lambda subject: order.index(subject.clause)
    )
    return [client_row(subject, try_client(subject)) for subject in subjects]
