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

from wireproof._patience import Patience
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
    "LEGAL_CLIENTS",
    "MODULES",
    "REFERENCE",
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
    patience.hurried = subject.hangs
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


def client_rows() -> list[list[str]]:
    """Return the rows of the report: clause, client, what it does, what was found."""
    rows: list[list[str]] = []
    for subject in (*BROKEN_CLIENTS.values(), *LEGAL_CLIENTS.values()):
        results = try_client(subject)
        broken = [one.id for one in results if one.verdict in _BROKEN_VERDICTS]
        hidden = [one for one in results if one.verdict is Verdict.NOT_TESTABLE]
        rows.append(
            [
                subject.clause or "(legal)",
                subject.name,
                subject.does,
                str(len(broken)),
                str(len(hidden)),
                ", ".join(subject.allows) or "",
            ]
        )
    return rows
