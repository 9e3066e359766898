from __future__ import annotations

import pytest
from tests.proof.tool_contract.proof import PROOF
from tests.proof.tool_contract.table import BROKEN
from tests.proof.trial import is_caught, try_out

EVERY = 24
"""One vector of so many is run, beside those of the broken clause."""

MOST = 4
"""So many vectors of the clause are run by default: a driver's answers take longer."""

FIRST = list(PROOF.first.values())[::8]


def assert_caught(name: str, every: int, most: int | None) -> None:
    row = BROKEN[name]

    trial = try_out(
        PROOF,
        row.driver,
        every=every,
        clause=row.clause,
        most=most,
        shown_by=row.shown_by,
    )

    assert is_caught(row, trial)


@pytest.mark.parametrize("name", FIRST)
def test_a_broken_registry_fails_its_own_clause_through_a_driver(name: str) -> None:
    assert_caught(name, EVERY, MOST)


@pytest.mark.sweep
@pytest.mark.parametrize("name", BROKEN)
def test_every_broken_registry_fails_its_own_clause_through_a_driver(
    name: str,
) -> None:
    assert_caught(name, 1, None)
