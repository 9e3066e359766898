"""All clients of the proof, how one is tried, and the rows of their report."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from tests.broken import (
    client_answer_faults,
    client_life_faults,
    client_request_faults,
    client_state_faults,
    client_variants,
)
from tests.broken.client_driver import ClientDriver
from tests.broken.client_subject import BROKEN_CLIENTS, LEGAL_CLIENTS, ClientSubject

from wireproof._patience import PURSE_SECONDS, Patience
from wireproof._verdicts import Result, Verdict
from wireproof.host_v1._client_suite import ClientSuite
from wireproof_reference.host_v1 import HostClient

MODULES = (
    client_request_faults,
    client_answer_faults,
    client_state_faults,
    client_life_faults,
    client_variants,
)
"""Imported for the clients that they enter."""

__all__ = [
    "BROKEN_CLIENTS",
    "CLIENT_COLUMNS",
    "LEGAL_CLIENTS",
    "MODULES",
    "REFERENCE",
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
        patience.wasted = PURSE_SECONDS
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


CLIENT_COLUMNS = ("Clause", "Client", "What it does", "Fails", "Hides", "Also allowed")
"""The heads of the columns of the report."""


def client_row(subject: ClientSubject, results: Iterable[Result]) -> list[str]:
    """Return the cells of a client's row in the report."""
    verdicts = [result.verdict for result in results]
    return [
        subject.clause or "none (legal)",
        subject.name,
        subject.does,
        str(sum(verdict in _BROKEN_VERDICTS for verdict in verdicts)),
        str(verdicts.count(Verdict.NOT_TESTABLE)),
        "; ".join(f"{clause}: {why}" for clause, why in subject.allows.items()),
    ]


def client_rows() -> list[list[str]]:
    """Try every client, and return the rows of the report."""
    subjects = (*BROKEN_CLIENTS.values(), *LEGAL_CLIENTS.values())
    return [client_row(subject, try_client(subject)) for subject in subjects]
