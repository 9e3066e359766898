from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.broken.hostile_host import SUBJECTS

HERE = Path(__file__).parent
RUN = str(HERE / "hostile_run.py")
HOST = "hostile_host.py"

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


def left_behind(name: str) -> list[str]:
    """Return the processes of this subject that are still there."""
    found: list[str] = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().decode().split("\0")
        except OSError:
            continue
        if name in words and any(word.endswith(HOST) for word in words):
            found.append(entry.name)
    return found


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
    assert "harness error" not in report["verdicts"]
    assert report["conformant"] is (name in SOUND)
    assert left_behind(name) == []
