from __future__ import annotations

import pytest
from tests.proof.hostile import left_behind
from tests.proof.hostile_run import run
from tests.proof.proof import Hostiles, all_proofs, load_proof

MOST_SECONDS = 120

DENSER = 3
"""The sweep runs so many times as many vectors."""

HOSTILE = [
    pytest.param(folder, proof.hostiles, name, id=f"{proof.protocol}-{name}")
    for folder, proof in all_proofs().items()
    for name in proof.hostiles.commands
]
"""The sweep tries all of them, and every run of the tests every eighteenth one."""

NAMES = ("folder", "hostiles", "name")


def assert_it_ends_and_leaves_nothing(
    folder: str, hostiles: Hostiles, name: str, *, denser: int
) -> None:
    every = load_proof(folder).every.hostile // denser
    report = run(folder, name, seconds=2 * MOST_SECONDS * denser, every=every)

    assert report["seconds"] < MOST_SECONDS * denser
    assert report["mebibytes"] < hostiles.most_mebibytes
    assert report["descriptors"] == 0
    assert report["files"] == []
    assert "harness error" not in report["verdicts"]
    assert report["conformant"] is (name in hostiles.sound)
    assert left_behind(report) == []


@pytest.mark.parametrize(NAMES, HOSTILE[::18])
def test_a_run_on_a_hostile_subject_ends_by_itself_and_leaves_nothing(
    folder: str, hostiles: Hostiles, name: str
) -> None:
    assert_it_ends_and_leaves_nothing(folder, hostiles, name, denser=1)


@pytest.mark.sweep
@pytest.mark.parametrize(NAMES, HOSTILE)
def test_no_vector_keeps_a_run_on_a_hostile_subject_from_its_end(
    folder: str, hostiles: Hostiles, name: str
) -> None:
    assert_it_ends_and_leaves_nothing(folder, hostiles, name, denser=DENSER)
