from __future__ import annotations

import pytest
from tests.proof.socket_v1.null import ALMOST_NOTHING, EARNED, NOTHING
from tests.proof.socket_v1.trial import try_out

from wireproof.checks import Verdict

SEEN = (Verdict.PASSED, Verdict.RECORDED)

EVERY = 10
"""One vector of so many is run on every run of the tests."""


@pytest.mark.parametrize("name", NOTHING)
def test_a_server_that_does_nothing_passes_nothing(name: str) -> None:
    trial = try_out(NOTHING[name], timeout=1.0)

    assert trial.clauses(*SEEN, Verdict.HARNESS_ERROR) == set()
    assert not trial.conformant


def assert_nothing_is_earned(name: str, every: int) -> None:
    trial = try_out(ALMOST_NOTHING[name], timeout=1.0, every=every)

    assert trial.clauses(Verdict.PASSED) <= EARNED[name]
    assert trial.clauses(Verdict.HARNESS_ERROR) == set()
    assert not trial.conformant


@pytest.mark.parametrize("name", ALMOST_NOTHING)
def test_a_server_that_only_lists_earns_no_behaviour(name: str) -> None:
    assert_nothing_is_earned(name, EVERY)


@pytest.mark.sweep
@pytest.mark.parametrize("name", ALMOST_NOTHING)
def test_a_server_that_only_lists_earns_no_behaviour_in_a_whole_run(name: str) -> None:
    assert_nothing_is_earned(name, 1)
