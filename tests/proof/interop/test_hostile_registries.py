from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.proof.hostile import left_behind
from tests.proof.interop.hostile_run import SUBJECTS

RUN = str(Path(__file__).with_name("hostile_run.py"))

MOST_SECONDS = 120
MOST_MEBIBYTES = 600

HARMLESS = {
    "floods-stderr",
    "ignores-the-end",
    "child-holds-the-pipes",
    "FloodsStdout",
    "FloodsStderr",
    "LeavesAChild",
    "IgnoresTheEnd",
}
"""Those whose answers are right for all that."""

DRIVERS_FAULT = {"dies", "hangs", "wrong-id", "no-json", "closes-stdout"}
SUBJECTS_FAULT = {"ExitsAtOnce", "Segfaults", "Loops", "Overflows", "ExitsPolitely"}


def run(name: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, RUN, name],
        capture_output=True,
        timeout=2 * MOST_SECONDS,
        check=True,
    )
    report: dict[str, Any] = json.loads(done.stdout)
    return report


@pytest.mark.parametrize("name", SUBJECTS)
def test_a_run_on_a_hostile_subject_ends_by_itself_and_leaves_nothing(
    name: str,
) -> None:
    report = run(name)

    assert report["seconds"] < MOST_SECONDS
    assert report["mebibytes"] < MOST_MEBIBYTES
    assert report["descriptors"] == 0
    assert report["files"] == []
    assert "harness error" not in report["verdicts"]
    assert report["conformant"] is (name in HARMLESS)
    assert left_behind(report) == []


@pytest.mark.parametrize("name", sorted(DRIVERS_FAULT))
def test_the_fault_of_a_driver_is_not_charged_to_its_registry(name: str) -> None:
    report = run(name)

    assert "failed" not in report["verdicts"]
    assert any("a fault of the driver" in reason for reason in report["reasons"])


@pytest.mark.parametrize("name", sorted(SUBJECTS_FAULT))
def test_what_a_registry_does_to_its_process_is_charged_to_it(name: str) -> None:
    report = run(name)

    assert report["verdicts"]["failed"] > 0
