"""FIFOs by which a supplied tool is told what to do."""

from __future__ import annotations

import os
from pathlib import Path

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
