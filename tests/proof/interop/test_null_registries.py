from __future__ import annotations

import pytest
from tests.proof.interop.null import ALMOST_NOTHING, EARNED, NOTHING
from tests.proof.interop.trial import try_out

from wireproof.checks import Verdict

SEEN = (Verdict.PASSED, Verdict.RECORDED)

EVERY = 10
"""One vector of so many is run on every run of the tests."""


@pytest.mark.parametrize("name", NOTHING)
def test_a_registry_that_does_nothing_passes_nothing(name: str) -> None:
    trial = try_out(NOTHING[name], timeout=1.0, every=EVERY)

    assert trial.clauses(*SEEN, Verdict.HARNESS_ERROR) == set()
    assert not trial.conformant


@pytest.mark.parametrize("name", ALMOST_NOTHING)
def test_a_registry_that_knows_the_controls_earns_what_it_does_and_no_more(
    name: str,
) -> None:
    trial = try_out(ALMOST_NOTHING[name], timeout=1.0)

    assert trial.clauses(Verdict.PASSED) == EARNED[name]
    assert trial.clauses(Verdict.HARNESS_ERROR) == set()
    assert not trial.conformant
