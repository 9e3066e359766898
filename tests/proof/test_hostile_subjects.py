from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from tests.proof.hostile import left_behind
from tests.proof.proof import Hostiles, all_proofs
from tests.proof.trial import ROOT

MOST_SECONDS = 120

HOSTILE = [
    pytest.param(folder, proof.hostiles, name, id=f"{proof.protocol}-{name}")
    for folder, proof in all_proofs().items()
    for name in proof.hostiles.commands
]


def run(folder: str, name: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.proof.hostile_run", folder, name],
        capture_output=True,
        cwd=ROOT,
        timeout=2 * MOST_SECONDS,
        check=True,
    )
    report: dict[str, Any] = json.loads(done.stdout)
    return report


@pytest.mark.parametrize(("folder", "hostiles", "name"), HOSTILE)
def test_a_run_on_a_hostile_subject_ends_by_itself_and_leaves_nothing(
    folder: str, hostiles: Hostiles, name: str
) -> None:
    report = run(folder, name)

    assert report["seconds"] < MOST_SECONDS
    assert report["mebibytes"] < hostiles.most_mebibytes
    assert report["descriptors"] == 0
    assert report["files"] == []
    assert "harness error" not in report["verdicts"]
    assert report["conformant"] is (name in hostiles.sound)
    assert left_behind(report) == []
