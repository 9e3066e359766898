from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

LINUX = sys.platform == "linux"

SUBJECT = """\
#!/bin/sh
(setsid sh -c 'echo $$ > {stray}; exec sleep 600') &
echo $$ > {leader}
exec {python} -m wireproof_reference host
"""


def awaited(path: Path, process: subprocess.Popen[bytes]) -> int:
    """Return the process id in a file, once it is there."""
    while not (path.exists() and path.read_text().strip()):
        assert process.poll() is None
        os.sched_yield()
    return int(path.read_text())


@pytest.mark.skipif(not LINUX, reason="strays are found in /proc")
def test_a_killed_run_leaves_no_subject_and_no_child_of_one(tmp_path: Path) -> None:
    program = tmp_path / "host.sh"
    stray, leader = tmp_path / "stray", tmp_path / "leader"
    text = SUBJECT.format(stray=stray, leader=leader, python=sys.executable)
    program.write_text(text)
    program.chmod(0o755)
    run = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", f"--host={program}"],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    ends = [os.pidfd_open(awaited(path, run)) for path in (stray, leader)]

    run.send_signal(signal.SIGKILL)
    run.wait()

    for end in ends:
        # Readable once the process has ended; the test's own limit is that of the run.
        os.set_blocking(end, False)
        assert select.select([end], [], [], 30.0)[0]
        os.close(end)
