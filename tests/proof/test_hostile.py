from __future__ import annotations

import subprocess
import sys
import uuid

from tests.proof.hostile import left_behind

OWN = f"one of {uuid.uuid4()}"
"""A value of the mark that no other worker's processes have."""

WAITS = (sys.executable, "-S", "-c", "print('up', flush=True); input()")


def test_a_process_of_a_run_that_is_still_there_is_found() -> None:
    report = {"mark": f"WIREPROOF_PROOF={OWN}"}
    with subprocess.Popen(
        WAITS,
        env={"WIREPROOF_PROOF": OWN},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert left_behind(report) == [process.pid]
    assert left_behind(report) == []


def test_a_process_of_another_run_is_not() -> None:
    with subprocess.Popen(
        WAITS,
        env={"WIREPROOF_PROOF": "another"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert left_behind({"mark": f"WIREPROOF_PROOF={OWN}"}) == []
