from __future__ import annotations

import pytest
from tests.proof.proof import Proof, all_proofs
from tests.proof.trial import try_out
from tests.proof.write_reports import NULL_SECONDS

from wireproof.checks import Verdict

SEEN = (Verdict.PASSED, Verdict.RECORDED)

PROOFS = all_proofs()

NOTHING = [
    pytest.param(proof, name, id=f"{proof.protocol}-{name}")
    for proof in PROOFS.values()
    for name in proof.nulls.nothing
]
"""The sweep tries all of them, and every run of the tests every fourth one."""

ALMOST_NOTHING = [
    pytest.param(proof, name, id=f"{proof.protocol}-{name}")
    for proof in PROOFS.values()
    for name in proof.nulls.almost_nothing
]
"""The sweep tries all of these, and every run of the tests every fifth one."""


def assert_nothing_passes(proof: Proof, name: str, every: int) -> None:
    """Try a subject that does nothing on every so many vectors."""
    command = proof.nulls.nothing[name]
    trial = try_out(proof, command, timeout=NULL_SECONDS, every=every)

    assert trial.clauses(*SEEN, Verdict.HARNESS_ERROR) == set()
    assert not trial.conformant


@pytest.mark.parametrize(("proof", "name"), NOTHING[::4])
def test_a_subject_that_does_nothing_passes_nothing(proof: Proof, name: str) -> None:
    assert_nothing_passes(proof, name, proof.every.nothing)


@pytest.mark.sweep
@pytest.mark.parametrize(("proof", "name"), NOTHING)
def test_a_subject_that_does_nothing_passes_nothing_in_a_whole_run(
    proof: Proof, name: str
) -> None:
    assert_nothing_passes(proof, name, 1)


def earned(proof: Proof, name: str, every: int) -> set[str]:
    """Try a subject that does almost nothing, and say what it earned."""
    command = proof.nulls.almost_nothing[name]
    trial = try_out(proof, command, timeout=NULL_SECONDS, every=every)

    assert trial.clauses(Verdict.HARNESS_ERROR) == set()
    assert not trial.conformant
    return trial.clauses(Verdict.PASSED) - proof.nulls.unearned


@pytest.mark.parametrize(("proof", "name"), ALMOST_NOTHING[::5])
def test_a_subject_that_does_almost_nothing_earns_no_more_than_that(
    proof: Proof, name: str
) -> None:
    allowed = proof.nulls.earned.get(name, frozenset())

    assert earned(proof, name, proof.every.almost_nothing) <= allowed


@pytest.mark.sweep
@pytest.mark.parametrize(("proof", "name"), ALMOST_NOTHING)
def test_a_subject_that_does_almost_nothing_earns_just_that_in_a_whole_run(
    proof: Proof, name: str
) -> None:
    assert earned(proof, name, 1) == proof.nulls.earned.get(name, frozenset())
