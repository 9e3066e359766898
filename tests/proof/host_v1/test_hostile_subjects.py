from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.proof.host_v1.hostile_host import SUBJECTS
from tests.proof.hostile import left_behind

HERE = Path(__file__).parent
RUN = str(HERE / "hostile_run.py")

SOUND = frozenset(
    {
        "flood-stderr",
        "forks-without-end",
        "ignores-the-end",
        "starts-slowly",
        "stops-reading",
    }
)
"""Hosts that keep every MUST that they are tried on, whatever else they do."""

MOST_SECONDS = 120
MOST_MEBIBYTES = 300


@pytest.mark.parametrize("name", SUBJECTS)
def test_a_run_on_a_hostile_subject_ends_by_itself_and_leaves_nothing(
    name: str,
) -> None:
    done = subprocess.run(
        [sys.executable, RUN, name],
        capture_output=True,
        timeout=2 * MOST_SECONDS,
        check=True,
    )
    report: dict[str, Any] = json.loads(done.stdout)

    assert report["seconds"] < MOST_SECONDS
    assert report["mebibytes"] < MOST_MEBIBYTES
    assert report["descriptors"] == 0
    assert report["files"] == []
    assert "harness error" not in report["verdicts"]
    assert report["conformant"] is (name in SOUND)
    assert left_behind(report) == []
