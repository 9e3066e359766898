from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import uuid
from collections.abc import Iterator

import pytest

from wireproof.subjects import _system
from wireproof.subjects._system import (
    SWITCH,
    awaited_end,
    exit_status,
    is_linux,
    kill_group,
    kill_marked,
    marked,
    open_pidfd,
    peer_pid,
    unread_by_peer,
    unread_in_pipe,
)

LONGEST = 20.0
"""Seconds after which a test gives up; none of them waits for a time to pass."""

only_linux = pytest.mark.skipif(not is_linux(), reason="only Linux tells it")


@pytest.fixture(params=["its own", "portable"], autouse=True)
def path(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Try all on the path of this system, and on the portable one."""
    if request.param == "portable":
        monkeypatch.setenv(SWITCH, "1")


@pytest.fixture
def waiting() -> Iterator[subprocess.Popen[bytes]]:
    """Start a program that waits for a line, as the leader of a group."""
    with subprocess.Popen(
        ["/bin/sh", "-c", "read line; exit 3"],
        stdin=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        yield process
        process.kill()


def test_a_process_that_runs_has_no_exit_status(
    waiting: subprocess.Popen[bytes],
) -> None:
    assert exit_status(waiting) is None


def test_the_exit_status_of_a_process_is_told(waiting: subprocess.Popen[bytes]) -> None:
    with awaited_end(waiting.pid, LONGEST):
        waiting.communicate(b"go\n")
    assert waiting.returncode == 3


@pytest.mark.parametrize(
    ("script", "status"), [("exit 4", 4), ("kill -TERM $$", -signal.SIGTERM)]
)
def test_the_status_of_what_ended_is_told_more_than_once(
    script: str, status: int
) -> None:
    with subprocess.Popen(["/bin/sh", "-c", script], start_new_session=True) as process:
        with awaited_end(process.pid, LONGEST):
            pass
        assert [exit_status(process), exit_status(process)] == [status, status]


def test_the_group_of_a_process_is_killed(waiting: subprocess.Popen[bytes]) -> None:
    kill_group(waiting)
    assert waiting.wait(LONGEST) == -signal.SIGKILL


def test_the_group_outlives_its_leader_and_is_killed() -> None:
    with subprocess.Popen(
        ["/bin/sh", "-c", "sleep 60 & exit 0"],
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        with awaited_end(process.pid, LONGEST):
            pass
        assert exit_status(process) == 0
        kill_group(process)
        assert process.stdout is not None
        # The child holds the pipe until it is killed.
        assert process.stdout.read() == b""


def test_the_group_of_a_stranger_with_the_same_id_is_not(
    waiting: subprocess.Popen[bytes],
) -> None:
    stranger: subprocess.Popen[bytes] = subprocess.Popen.__new__(subprocess.Popen)
    stranger.pid, stranger.returncode = waiting.pid, 0

    kill_group(stranger)

    waiting.communicate(b"go\n")
    assert waiting.returncode == 3


def test_the_end_of_a_stranger_is_waited_for() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", "input()"], stdin=subprocess.PIPE
    ) as process:
        with awaited_end(process.pid, LONGEST):
            process.kill()
        assert process.poll() == -signal.SIGKILL


def test_a_stranger_that_stays_is_not_waited_for_longer_than_told() -> None:
    with awaited_end(os.getpid(), 0.01):
        pass


@pytest.mark.parametrize("pid", [0, 2**22 + 1])
def test_no_process_is_nothing_to_wait_for(pid: int) -> None:
    with awaited_end(pid, LONGEST):
        pass


def test_processes_are_found_by_a_variable_and_killed() -> None:
    name = f"WIREPROOF_TEST={uuid.uuid4().hex}"
    variable, _, value = name.partition("=")
    with subprocess.Popen(
        [sys.executable, "-S", "-c", "print('up', flush=True); input()"],
        env={variable: value},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        assert marked(name) == [process.pid]
        kill_marked(name)
        assert process.wait(LONGEST) == -signal.SIGKILL
    assert marked(name) == []


@only_linux
def test_a_process_that_has_no_variables_yet_is_looked_at_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = f"WIREPROOF_TEST={uuid.uuid4().hex}"
    variable, _, value = name.partition("=")
    with subprocess.Popen(
        [sys.executable, "-S", "-c", "input()"],
        env={variable: value},
        stdin=subprocess.PIPE,
    ) as process:
        told = [b""]
        really = _system._variables

        def variables(pid: int) -> bytes | None:
            return told.pop() if pid == process.pid and told else really(pid)

        monkeypatch.setattr(_system, "_variables", variables)
        kill_marked(name)
        assert process.wait(LONGEST) == -signal.SIGKILL


def test_nothing_is_found_where_there_is_no_ps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, "1")
    monkeypatch.setenv("PATH", "")
    assert marked(f"WIREPROOF_TEST={uuid.uuid4().hex}") == []


def test_bsd_lists_variables_by_another_option(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []
    monkeypatch.setenv(SWITCH, "1")
    monkeypatch.setattr(sys, "platform", "darwin")

    def listed(*options: str) -> list[str]:
        asked.append(options)
        return []

    monkeypatch.setattr(_system, "_ps", listed)
    assert marked("A=1") == []
    assert asked == [("-A", "-E", "-ww", "-o", "pid=,command=")]


def test_the_portable_path_asks_for_no_pidfd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, "1")
    assert open_pidfd(os.getpid()) is None


@only_linux
def test_what_is_unread_in_a_pipe_is_told_on_linux_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(SWITCH, raising=False)
    ours, theirs = os.pipe()
    os.write(theirs, b"hello")
    found = [unread_in_pipe(theirs)]
    monkeypatch.setenv(SWITCH, "1")
    found.append(unread_in_pipe(theirs))
    os.close(ours)
    os.close(theirs)
    assert found == [5, 0]


@only_linux
def test_who_listens_and_what_it_left_is_told_on_linux_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(SWITCH, raising=False)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.send(b"hello")
        assert peer_pid(ours) == os.getpid()
        assert unread_by_peer(ours) > 0
        monkeypatch.setenv(SWITCH, "1")
        assert peer_pid(ours) is None
        assert unread_by_peer(ours) == 0


def test_what_is_unread_counts_as_read_where_nothing_is_open() -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    os.close(theirs)
    assert unread_in_pipe(theirs) == 0
