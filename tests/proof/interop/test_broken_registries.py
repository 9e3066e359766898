from __future__ import annotations

import pytest
from tests.proof.interop.proof import PROOF
from tests.proof.interop.table import BROKEN
from tests.proof.trial import surprises, try_out

BRIDGED = [name for name, row in BROKEN.items() if row.bridged]
"""Those whose fault is seen through a driver as well."""

FIRST_BRIDGED = [name for name in PROOF.first.values() if name in BRIDGED][::4]


def assert_charged_rightly(name: str, every: int) -> None:
    row = BROKEN[name]

    trial = try_out(PROOF, row.driver, every=every, clause=row.clause)

    assert surprises(row, trial.results) == []
    assert trial.conformant is (row.level == "should")


@pytest.mark.parametrize("name", FIRST_BRIDGED)
def test_a_broken_registry_is_charged_through_a_driver_as_well(name: str) -> None:
    assert_charged_rightly(name, PROOF.every.broken)


@pytest.mark.sweep
@pytest.mark.parametrize("name", BRIDGED)
def test_a_broken_registry_is_charged_with_nothing_else_through_a_driver(
    name: str,
) -> None:
    assert_charged_rightly(name, 1)
