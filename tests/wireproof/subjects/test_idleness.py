"""Tests of telling whether a subject works on something."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from wireproof.subjects import Computing, Idleness, Starvation
from wireproof.subjects._system import is_linux

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

needs_linux = pytest.mark.skipif(not is_linux(), reason="no other system tells")

WAITS = "import sys; print(flush=True); sys.stdin.read()"
COMPUTES = "print(flush=True)\nwhile True: pass"
STARTS_ANOTHER = (
    "import subprocess, sys; print(flush=True); sys.stdin.readline()\n"
    "subprocess.Popen([sys.executable, '-c', 'input()'], stdin=subprocess.PIPE)\n"
    "print(flush=True); sys.stdin.read()"
)


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


def until(watch: Idleness, *, idle: bool) -> None:
    """Look at it until it is seen to be idle, or not to be; the run's limit ends it."""
    while watch.was_idle() is not idle:
        pass


@needs_linux
def test_what_waits_for_its_input_is_idle(
    started: Callable[[str], subprocess.Popen[bytes]],
) -> None:
    until(Idleness(started(WAITS).pid), idle=True)


@needs_linux
def test_what_computes_is_not_idle(
    started: Callable[[str], subprocess.Popen[bytes]],
) -> None:
    watch = Idleness(started(COMPUTES).pid)
    until(watch, idle=False)
    assert not watch.was_idle()


@needs_linux
def test_what_starts_another_program_is_not_idle(
    started: Callable[[str], subprocess.Popen[bytes]],
) -> None:
    process = started(STARTS_ANOTHER)
    watch = Idleness(process.pid)
    assert process.stdin is not None
    process.stdin.write(b"\n")
    hear(process)
    assert not watch.was_idle()


def test_what_is_gone_is_not_idle(
    started: Callable[[str], subprocess.Popen[bytes]],
) -> None:
    process = started(WAITS)
    watch = Idleness(process.pid)
    process.kill()
    process.wait()
    assert not watch.was_idle()


def test_nothing_is_idle_where_the_system_is_mute(
    started: Callable[[str], subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WIREPROOF_PORTABLE", "1")
    assert not Idleness(started(WAITS).pid).was_idle()


def tells_of_waiting() -> bool:
    """Tell whether the kernel counts how long threads wait for a processor."""
    try:
        ran, *_ = Path("/proc/self/schedstat").read_text().split()
    except OSError:
        return False
    return int(ran) > 0


@pytest.mark.skipif(not tells_of_waiting(), reason="this kernel does not tell")
def test_one_that_shares_a_processor_is_seen_to_wait_for_it(
    started: Callable[[str], subprocess.Popen[bytes]],
) -> None:
    processor = min(os.sched_getaffinity(0))
    sharing = f"import os; os.sched_setaffinity(0, [{processor}])\n{COMPUTES}"
    one, _ = started(sharing), started(sharing)
    watch = Starvation(one.pid)
    while watch.seconds() < 0.05:
        pass


@needs_linux
def test_one_that_has_nothing_to_do_waits_for_no_processor(
    started: Callable[[str], subprocess.Popen[bytes]],
) -> None:
    waiting, computing = started(WAITS), started(COMPUTES)
    watch, other = Starvation(waiting.pid), Idleness(computing.pid)
    until(other, idle=False)
    assert watch.seconds() == 0.0


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


def test_where_nothing_is_told_nothing_was_waited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WIREPROOF_PORTABLE", "1")
    assert Starvation(os.getpid()).seconds() == 0.0
    assert Computing(os.getpid()).seconds() is None
