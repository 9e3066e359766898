"""How long a subject had a processor."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from wireproof.subjects import Computing
from wireproof.subjects._system import is_linux

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

needs_linux = pytest.mark.skipif(not is_linux(), reason="no other system tells")

WAITS = "import sys; print(flush=True); sys.stdin.read()"
COMPUTES = "print(flush=True)\nwhile True: pass"


@pytest.fixture
def started() -> Iterator[Callable[[str], subprocess.Popen[bytes]]]:
    """Start Python code that says a line once it is there; it is killed at the end."""
    running: list[subprocess.Popen[bytes]] = []

    def start(code: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            bufsize=0,
        )
        running.append(process)
        hear(process)
        return process

    yield start
    for process in running:
        with process:
            process.kill()


def hear(process: subprocess.Popen[bytes]) -> None:
    assert process.stdout is not None
    assert process.stdout.readline() == b"\n"


@needs_linux
def test_one_that_computes_has_a_processor(
    started: Callable[[str], subprocess.Popen[bytes]],
) -> None:
    waiting, computing = started(WAITS), started(COMPUTES)
    other, watch = Computing(waiting.pid), Computing(computing.pid)
    while (watch.seconds() or 0.0) < 0.05:
        pass
    assert other.seconds() == 0.0


@needs_linux
def test_nobody_computes_where_nothing_was_started() -> None:
    assert Computing(0).seconds() is None


def test_where_nothing_is_told_nobody_computes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WIREPROOF_PORTABLE", "1")
    assert Computing(os.getpid()).seconds() is None
