from __future__ import annotations

import pytest
from tests.proof.interop.table import BROKEN
from tests.proof.interop.trial import command_of, try_out
from tests.proof.trial import surprises

from wireproof_vectors import load_clauses

EVERY = 12
"""Beside those of the clause, one vector of so many is run."""

FIRST = {
    row.clause: name for name, row in reversed(BROKEN.items()) if row.level == "must"
}
"""For each MUST the first registry that breaks it: every run of the tests tries it."""

BRIDGED = [name for name, row in BROKEN.items() if row.bridged]
"""Those whose fault is seen through a driver as well."""

FIRST_BRIDGED = [name for name in FIRST.values() if name in BRIDGED][::4]

REFERENCE_ONLY = {"INT-Q3"}
"""Streams are played to the reference alone, by the tests of its providers."""


def assert_charged_rightly(name: str, every: int, *, bridged: bool = False) -> None:
    row = BROKEN[name]

    trial = try_out(command_of(row, bridged=bridged), every=every, clause=row.clause)

    assert surprises(row, trial.results) == []
    assert trial.conformant is (row.level == "should")


@pytest.mark.parametrize("name", FIRST.values())
def test_a_broken_registry_is_charged_with_the_clause_that_it_breaks(name: str) -> None:
    assert_charged_rightly(name, EVERY)


@pytest.mark.parametrize("name", FIRST_BRIDGED)
def test_a_broken_registry_is_charged_through_a_driver_as_well(name: str) -> None:
    assert_charged_rightly(name, EVERY, bridged=True)


@pytest.mark.sweep
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_registry_is_charged_with_nothing_else(name: str) -> None:
    assert_charged_rightly(name, 1)


@pytest.mark.sweep
@pytest.mark.parametrize("name", BRIDGED)
def test_a_broken_registry_is_charged_with_nothing_else_through_a_driver(
    name: str,
) -> None:
    assert_charged_rightly(name, 1, bridged=True)


def test_every_clause_that_binds_has_a_broken_registry() -> None:
    clauses = load_clauses("interop")

    assert {one.id for one in clauses if one.level != "may"} == {
        row.clause for row in BROKEN.values()
    } | REFERENCE_ONLY


def test_every_must_is_broken_as_a_must() -> None:
    clauses = load_clauses("interop")

    assert {one.id for one in clauses if one.level == "must"} == {
        *FIRST,
        *REFERENCE_ONLY,
    }


def test_no_row_allows_its_own_clause() -> None:
    own = [name for name, one in BROKEN.items() if one.clause in one.allows]

    assert own == []


def test_every_row_allows_clauses_of_the_catalogue_only() -> None:
    known = {clause.id for clause in load_clauses("interop")}
    allowed = {clause for one in BROKEN.values() for clause in one.allows}

    assert allowed <= known
