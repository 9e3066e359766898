from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.broken_sockets.hostile_server import SUBJECTS

RUN = str(Path(__file__).with_name("hostile_run.py"))

MOST_SECONDS = 120
MOST_MEBIBYTES = 300


def left_behind(name: str) -> list[str]:
    """Return the processes of this server that are still there."""
    found: list[str] = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().decode().split("\0")
        except OSError:
            continue
        if name in words and any(word.endswith("hostile_server.py") for word in words):
            found.append(entry.name)
    return found


@pytest.mark.parametrize("name", SUBJECTS)
def test_a_run_on_a_hostile_server_ends_by_itself_and_leaves_nothing(
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
    assert not report["conformant"]
    assert left_behind(name) == []
