from __future__ import annotations

import pytest
from tests.proof.hostile import left_behind
from tests.proof.hostile_run import run
from tests.proof.proof import Hostiles, all_proofs

MOST_SECONDS = 120

HOSTILE = [
    pytest.param(folder, proof.hostiles, name, id=f"{proof.protocol}-{name}")
    for folder, proof in all_proofs().items()
    for name in proof.hostiles.commands
]


@pytest.mark.parametrize(("folder", "hostiles", "name"), HOSTILE)
def test_a_run_on_a_hostile_subject_ends_by_itself_and_leaves_nothing(
    folder: str, hostiles: Hostiles, name: str
) -> None:
    report = run(folder, name, seconds=2 * MOST_SECONDS)

    assert report["seconds"] < MOST_SECONDS
    assert report["mebibytes"] < hostiles.most_mebibytes
    assert report["descriptors"] == 0
    assert report["files"] == []
    assert "harness error" not in report["verdicts"]
    assert report["conformant"] is (name in hostiles.sound)
    assert left_behind(report) == []
