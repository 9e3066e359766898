from __future__ import annotations

from collections import Counter

import pytest
from tests.proof.proof import Proof, all_proofs
from tests.proof.trial import is_caught, try_broken, try_row

PROOFS = all_proofs()

LEAST_WAYS = 3
"""In so many ways programs that mean well are seen to break a MUST."""

FIRST = [
    pytest.param(proof, name, index, id=f"{proof.protocol}-{name}")
    for proof in PROOFS.values()
    for index, name in enumerate(
        list(proof.first.values())[proof.every.must // 2 :: proof.every.must]
    )
]
"""Of a share of the MUSTs the first subject that breaks it; the sweep tries all."""

ALL = [
    pytest.param(proof, name, id=f"{proof.protocol}-{name}")
    for proof in PROOFS.values()
    for name in proof.broken
]

each_proof = pytest.mark.parametrize("proof", PROOFS.values(), ids=PROOFS)


@pytest.mark.parametrize(("proof", "name", "index"), FIRST)
def test_a_broken_subject_fails_its_own_clause(
    proof: Proof, name: str, index: int
) -> None:
    row = proof.broken[name]

    trial = try_broken(proof, row, every=proof.every.broken, offset=index)

    assert is_caught(row, trial)
    assert not trial.conformant


@pytest.mark.sweep
@pytest.mark.parametrize(("proof", "name"), ALL)
def test_every_broken_subject_fails_its_own_clause(proof: Proof, name: str) -> None:
    row = proof.broken[name]

    assert is_caught(row, try_row(proof, row))


@each_proof
def test_every_clause_that_binds_has_a_broken_subject(proof: Proof) -> None:
    assert {row.clause for row in proof.broken.values()} == proof.binding


@each_proof
def test_every_must_is_broken_as_a_must(proof: Proof) -> None:
    assert set(proof.first) == proof.musts


@each_proof
def test_every_must_is_broken_in_at_least_three_ways(proof: Proof) -> None:
    rows = proof.broken.values()
    ways = Counter(row.clause for row in rows if row.level == "must")

    assert [one for one in sorted(proof.musts) if ways[one] < LEAST_WAYS] == []
