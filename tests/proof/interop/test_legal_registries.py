from __future__ import annotations

import sys

import pytest
from tests.proof.interop.proof import PROOF
from tests.proof.interop.table import LEGAL
from tests.proof.trial import complaints, try_out

from wireproof.checks import Verdict

BRIDGED = [name for name, row in LEGAL.items() if row.bridged]
"""Those that a driver can serve as well."""

OWN_WAYS = (sys.executable, "-m", "tests.proof.interop.legal_driver")


@pytest.mark.sweep
@pytest.mark.parametrize("name", BRIDGED)
def test_no_vector_fails_a_legal_registry_behind_a_driver(name: str) -> None:
    row = LEGAL[name]

    trial = try_out(PROOF, row.driver)

    assert complaints(row, trial.results) == []
    assert trial.clauses(Verdict.WARNED) <= set(row.warns)
    assert trial.conformant


@pytest.mark.parametrize(
    ("name", "every"),
    [
        ("slow", 30),
        ("one-in-ten-is-slow", 60),
        ("chatty", 5),
        ("backwards", 5),
        ("no-echo", 5),
        ("more", 5),
    ],
)
def test_a_driver_that_has_its_own_ways_is_not_failed(name: str, every: int) -> None:
    trial = try_out(PROOF, (*OWN_WAYS, name), every=every)

    assert [r.id for r in trial.results if r.verdict is Verdict.NOT_TESTABLE] == []
    assert trial.clauses(Verdict.FAILED, Verdict.WARNED, Verdict.HARNESS_ERROR) == set()
    assert trial.conformant
