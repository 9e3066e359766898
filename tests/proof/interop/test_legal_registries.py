from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.proof.interop.table import LEGAL
from tests.proof.interop.trial import command_of, try_out
from tests.proof.trial import complaints

from wireproof.checks import Verdict

EVERY = 5
"""One vector of so many is run on every run of the tests."""

BRIDGED = [name for name, row in LEGAL.items() if row.bridged]
"""Those that a driver can serve as well."""


def assert_nothing_is_charged(name: str, every: int, *, bridged: bool = False) -> None:
    row = LEGAL[name]

    trial = try_out(command_of(row, bridged=bridged), every=every)

    assert complaints(row, trial.results) == []
    assert trial.clauses(Verdict.WARNED) <= set(row.allows)
    assert trial.conformant


@pytest.mark.parametrize("name", LEGAL)
def test_a_legal_registry_is_not_failed(name: str) -> None:
    assert_nothing_is_charged(name, EVERY)


@pytest.mark.sweep
@pytest.mark.parametrize("name", LEGAL)
def test_no_vector_fails_or_warns_a_legal_registry_without_reason(name: str) -> None:
    assert_nothing_is_charged(name, 1)


@pytest.mark.sweep
@pytest.mark.parametrize("name", BRIDGED)
def test_no_vector_fails_a_legal_registry_behind_a_driver(name: str) -> None:
    assert_nothing_is_charged(name, 1, bridged=True)


@pytest.mark.parametrize("name", ["slow", "chatty", "backwards", "no-echo", "more"])
def test_a_driver_that_has_its_own_ways_is_not_failed(name: str) -> None:
    trial = try_out(driver_of(name), every=30 if name == "slow" else 5)

    assert [r.id for r in trial.results if r.verdict is Verdict.NOT_TESTABLE] == []
    assert trial.clauses(Verdict.FAILED, Verdict.WARNED, Verdict.HARNESS_ERROR) == set()
    assert trial.conformant


def driver_of(name: str) -> tuple[str, ...]:
    return (sys.executable, str(Path(__file__).with_name("legal_driver.py")), name)
