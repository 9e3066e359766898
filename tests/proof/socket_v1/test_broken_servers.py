from __future__ import annotations

import pytest
from tests.proof.socket_v1.table import BROKEN
from tests.proof.socket_v1.trial import command_of, try_out
from tests.proof.trial import surprises

from wireproof_vectors import load_clauses

EVERY = 10
"""Beside those of the clause, one vector of so many is run."""

FIRST = {
    row.clause: name for name, row in reversed(BROKEN.items()) if row.level == "must"
}
"""For each MUST the first server that breaks it: every run of the tests tries it."""


def assert_charged_rightly(name: str, every: int) -> None:
    row = BROKEN[name]

    trial = try_out(command_of(row), every=every, clause=row.clause)

    assert surprises(row, trial.results) == []
    assert trial.conformant is (row.level == "should")


@pytest.mark.parametrize("name", FIRST.values())
def test_a_broken_server_is_charged_with_the_clause_that_it_breaks(name: str) -> None:
    assert_charged_rightly(name, EVERY)


@pytest.mark.sweep
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_server_is_charged_with_nothing_else(name: str) -> None:
    assert_charged_rightly(name, 1)


def test_every_clause_that_binds_has_a_broken_server() -> None:
    clauses = load_clauses("socket-v1")

    assert {one.id for one in clauses if one.level != "may"} == {
        row.clause for row in BROKEN.values()
    }


def test_every_must_is_broken_as_a_must() -> None:
    clauses = load_clauses("socket-v1")

    assert {one.id for one in clauses if one.level == "must"} == set(FIRST)


def test_no_row_allows_its_own_clause() -> None:
    own = [name for name, one in BROKEN.items() if one.clause in one.allows]

    assert own == []


def test_every_row_allows_clauses_of_the_catalogue_only() -> None:
    known = {clause.id for clause in load_clauses("socket-v1")}
    allowed = {clause for one in BROKEN.values() for clause in one.allows}

    assert allowed <= known
