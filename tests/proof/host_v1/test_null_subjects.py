from __future__ import annotations

import pytest
from tests.proof.host_v1.null import ALMOST_NOTHING, EARNED, NOTHING, is_behaviour
from tests.proof.host_v1.trial import try_out

from wireproof.checks import Verdict

SEEN = (Verdict.PASSED, Verdict.RECORDED)


@pytest.mark.parametrize("name", NOTHING)
def test_a_subject_that_does_nothing_passes_nothing(name: str) -> None:
    trial = try_out(NOTHING[name], timeout=1.0)

    assert trial.clauses(*SEEN, Verdict.HARNESS_ERROR) == set()
    assert not trial.conformant


@pytest.mark.parametrize("name", ALMOST_NOTHING)
def test_a_subject_that_does_almost_nothing_earns_no_behaviour_pass(name: str) -> None:
    trial = try_out(ALMOST_NOTHING[name], timeout=1.0)
    earned = set(filter(is_behaviour, trial.clauses(Verdict.PASSED)))

    assert earned <= EARNED.get(name, set())
    assert trial.clauses(Verdict.HARNESS_ERROR) == set()
    assert not trial.conformant
