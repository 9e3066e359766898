from __future__ import annotations

import pytest
from tests.proof.tool_contract.proof import PROOF
from tests.proof.tool_contract.table import BROKEN
from tests.proof.trial import breaks_a_must, surprises, try_out

EVERY = 24
"""One vector of so many is run, beside those of the broken clause."""

MOST = 4
"""So many vectors of the clause are run by default: a driver's answers take longer."""

FIRST = list(PROOF.first.values())[::8]


def assert_charged_rightly(name: str, every: int, most: int | None) -> None:
    row = BROKEN[name]

    trial = try_out(
        PROOF,
        row.driver,
        every=every,
        clause=row.clause,
        most=most,
        shown_by=row.shown_by,
    )

    assert surprises(row, trial.results) == []
    assert trial.conformant is not breaks_a_must(PROOF, row, trial)


@pytest.mark.parametrize("name", FIRST)
def test_a_broken_registry_is_charged_through_a_driver_as_well(name: str) -> None:
    assert_charged_rightly(name, EVERY, MOST)


@pytest.mark.sweep
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_registry_is_charged_with_nothing_else_through_a_driver(
    name: str,
) -> None:
    assert_charged_rightly(name, 1, None)
