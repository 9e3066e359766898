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

ALMOST_NOTHING = [
    pytest.param(proof, name, id=f"{proof.protocol}-{name}")
    for proof in PROOFS.values()
    for name in proof.nulls.almost_nothing
]
"""The sweep tries all of them, and every run of the tests every third one."""


@pytest.mark.parametrize(("proof", "name"), NOTHING)
def test_a_subject_that_does_nothing_passes_nothing(proof: Proof, name: str) -> None:
    trial = try_out(
        proof,
        proof.nulls.nothing[name],
        timeout=NULL_SECONDS,
        every=proof.every.nothing,
    )

    assert trial.clauses(*SEEN, Verdict.HARNESS_ERROR) == set()
    assert not trial.conformant


def earned(proof: Proof, name: str, every: int) -> set[str]:
    """Try a subject that does almost nothing, and say what it earned."""
    command = proof.nulls.almost_nothing[name]
    trial = try_out(proof, command, timeout=NULL_SECONDS, every=every)

    assert trial.clauses(Verdict.HARNESS_ERROR) == set()
    assert not trial.conformant
    return trial.clauses(Verdict.PASSED) - proof.nulls.unearned


@pytest.mark.parametrize(("proof", "name"), ALMOST_NOTHING[::3])
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
