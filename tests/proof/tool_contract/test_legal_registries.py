from __future__ import annotations

import pytest
from tests.proof.tool_contract.proof import PROOF
from tests.proof.tool_contract.table import LEGAL
from tests.proof.trial import complaints, try_out

EVERY = 24
"""One vector of so many is run on each by default."""


def assert_nothing_is_charged(name: str, every: int, offset: int) -> None:
    row = LEGAL[name]

    trial = try_out(PROOF, row.driver, every=every, offset=offset)

    assert complaints(row, trial.results) == []
    assert trial.conformant


@pytest.mark.parametrize("name", ["utf-16", "no-model-text", "without-reset"])
def test_a_legal_registry_behind_a_driver_is_not_failed(name: str) -> None:
    assert_nothing_is_charged(name, EVERY, len(name))


@pytest.mark.sweep
@pytest.mark.parametrize("name", LEGAL)
def test_no_vector_fails_a_legal_registry_behind_a_driver(name: str) -> None:
    assert_nothing_is_charged(name, 1, 0)
