from __future__ import annotations

import pytest
from tests.proof.interop.proof import PROOF
from tests.proof.interop.table import BROKEN
from tests.proof.trial import is_caught, try_out

BRIDGED = [name for name, row in BROKEN.items() if row.bridged]
"""Those whose fault is seen through a driver as well."""

FIRST_BRIDGED = [name for name in PROOF.first.values() if name in BRIDGED][::4]


def assert_caught(name: str, every: int) -> None:
    row = BROKEN[name]

    trial = try_out(PROOF, row.driver, every=every, clause=row.clause)

    assert is_caught(row, trial)


@pytest.mark.parametrize("name", FIRST_BRIDGED)
def test_a_broken_registry_fails_its_own_clause_through_a_driver(name: str) -> None:
    assert_caught(name, PROOF.every.broken)


@pytest.mark.sweep
@pytest.mark.parametrize("name", BRIDGED)
def test_every_broken_registry_fails_its_own_clause_through_a_driver(
    name: str,
) -> None:
    assert_caught(name, 1)
