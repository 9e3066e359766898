from __future__ import annotations

import pytest
from tests.proof.proof import Proof, all_proofs
from tests.proof.trial import complaints, fuzz_row, try_row

from wireproof.checks import Verdict
from wireproof_vectors import load_properties

LEGAL = [
    pytest.param(proof, name, index, id=f"{proof.protocol}-{name}")
    for proof in all_proofs().values()
    for index, name in enumerate(proof.legal)
]
"""The sweep tries all of them, and every run of the tests every tenth one."""


def assert_nothing_is_charged(
    proof: Proof, name: str, *, every: int, offset: int
) -> None:
    row = proof.legal[name]

    trial = try_row(proof, row, every=every, offset=offset)

    assert complaints(row, trial.results) == []
    assert trial.clauses(Verdict.WARNED) <= set(row.warns)
    assert trial.conformant


@pytest.mark.parametrize(("proof", "name", "index"), LEGAL[::10])
def test_a_legal_subject_is_neither_failed_nor_warned_without_reason(
    proof: Proof, name: str, index: int
) -> None:
    assert_nothing_is_charged(proof, name, every=proof.every.legal, offset=index)


@pytest.mark.sweep
@pytest.mark.parametrize(("proof", "name", "index"), LEGAL)
def test_no_vector_fails_or_warns_a_legal_subject_without_reason(
    proof: Proof, name: str, index: int
) -> None:
    assert_nothing_is_charged(proof, name, every=1, offset=0)


@pytest.mark.sweep
@pytest.mark.parametrize(("proof", "name", "index"), LEGAL)
def test_no_property_fails_or_warns_a_legal_subject_without_reason(
    proof: Proof, name: str, index: int
) -> None:
    if not load_properties(proof.protocol):
        pytest.skip("the protocol has no fuzz properties")
    row = proof.legal[name]

    trial = fuzz_row(proof, row, seed=index)

    assert complaints(row, trial.results) == []
    assert trial.clauses(Verdict.WARNED) <= set(row.warns)
    assert trial.conformant
