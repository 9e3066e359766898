"""FIFOs by which a supplied tool is told what to do."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from subprocess import DEVNULL

import pytest

from wireproof.protocols.exec_runtime._fifos import Fifos

DESCRIPTORS = Path("/proc/self/fd")


@pytest.mark.skipif(not DESCRIPTORS.is_dir(), reason="the system does not tell")
def test_a_place_that_cannot_be_made_leaves_nothing_open(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "1.ctl")
    before = len(list(DESCRIPTORS.iterdir()))
    with pytest.raises(FileExistsError):
        Fifos(tmp_path, 1)
    assert len(list(DESCRIPTORS.iterdir())) == before


def test_a_program_that_comes_when_all_is_over_waits_for_nobody(
    tmp_path: Path,
) -> None:
    fifos = Fifos(tmp_path, 1)
    fifos.close_all()
    late = ["sh", "-c", 'exec 4<"$0/1.ctl"', str(tmp_path)]
    # It would wait for ever for one that writes.
    assert subprocess.run(late, stderr=DEVNULL, timeout=30.0, check=False).returncode
