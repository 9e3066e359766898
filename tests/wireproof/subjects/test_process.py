from __future__ import annotations

import os
import shlex
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from wireproof.subjects import (
    SubjectProcess,
    subject_environment,
)
from wireproof.subjects._system import SWITCH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PATIENCE = 20.0
"""Seconds after which a test gives up; none of them waits for a time to pass."""

PYTHON = (sys.executable, "-S", "-E", "-c")


class Heard:
    """A started process and what it wrote."""

    def __init__(self, *command: str, **variables: str) -> None:
        self.stdout = b""
        self.stderr = b""
        self.process = SubjectProcess(
            command,
            environment=subject_environment(variables),
            folder=Path.cwd(),
            on_stdout=self._on_stdout,
            on_stderr=self._on_stderr,
        )

    def _on_stdout(self, data: bytes) -> None:
        self.stdout += data

    def _on_stderr(self, data: bytes) -> None:
        self.stderr += data

    def until(self, done: Callable[[], bool]) -> None:
        limit = time.monotonic() + PATIENCE
        while not done() and time.monotonic() < limit:
            self.process.pump(0.05)
        assert done()

    def until_end(self) -> None:
        self.until(lambda: self.process.ended)


Start = type[Heard]


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Heard]]:
    started: list[Heard] = []

    def begin(*command: str, **variables: str) -> Heard:
        started.append(Heard(*command, **variables))
        return started[-1]

    yield begin
    for heard in started:
        heard.process.kill()


def alive(pid: int) -> bool:
    """Tell whether a process runs; one that only waits to be reaped does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in {"Z", "X"}


def gone(pid: int) -> bool:
    limit = time.monotonic() + PATIENCE
    while alive(pid) and time.monotonic() < limit:
        os.sched_yield()
    return not alive(pid)


def test_a_subject_gets_only_the_usual_variables(
    monkeypatch: pytest.MonkeyPatch, start: Callable[..., Heard]
) -> None:
    monkeypatch.setenv("API_TOKEN", "secret")
    monkeypatch.setenv("TZ", "UTC")
    heard = start("env", EXTRA="given")
    heard.until_end()
    names = {line.partition(b"=")[0] for line in heard.stdout.splitlines()}
    assert {b"PATH", b"TZ", b"EXTRA", b"WIREPROOF_SUBJECT"} <= names
    assert b"API_TOKEN" not in names


def test_what_is_sent_is_read_and_what_is_written_is_taken(
    start: Callable[..., Heard],
) -> None:
    heard = start("cat")
    heard.process.send(b"one\n")
    heard.process.send(b"two\n")
    heard.until(lambda: heard.stdout == b"one\ntwo\n")
    assert heard.process.exit_status is None
    assert heard.process.input_open


def test_a_megabyte_goes_through_both_ways(start: Callable[..., Heard]) -> None:
    heard = start("cat")
    data = bytes(range(256)) * 16_384
    heard.process.send(data)
    heard.process.close_input()
    assert not heard.process.input_open
    heard.until_end()
    assert heard.stdout == data
    assert heard.process.exit_status == 0


def test_stdout_is_left_unread_until_its_pipe_is_full(
    start: Callable[..., Heard],
) -> None:
    heard = start(*PYTHON, "import sys; sys.stdout.write('a' * 300_000)")
    heard.process.await_full_stdout(PATIENCE)
    assert heard.stdout == b""
    heard.until_end()
    assert len(heard.stdout) == 300_000


def test_a_subject_that_says_little_is_not_waited_for_once_it_has_ended(
    start: Callable[..., Heard],
) -> None:
    heard = start(*PYTHON, "print('done')")
    heard.process.await_full_stdout(PATIENCE)
    assert heard.stdout == b"done\n"


def test_bytes_that_the_pipe_does_not_take_at_once_wait(
    start: Callable[..., Heard],
) -> None:
    heard = start(*PYTHON, "import signal; signal.pause()")
    heard.process.send(b"a" * (4 << 20))
    assert heard.process.unsent
    assert not heard.process.input_consumed()
    heard.process.kill()
    assert not heard.process.unsent


def test_what_was_queued_is_written_before_the_input_is_closed(
    start: Callable[..., Heard],
) -> None:
    heard = start("wc", "-c")
    heard.process.send(b"a" * (4 << 20))
    heard.process.close_input()
    heard.until_end()
    assert heard.stdout.strip() == b"4194304"


def test_nothing_is_sent_once_the_input_is_closed(start: Callable[..., Heard]) -> None:
    heard = start("cat")
    heard.process.close_input()
    heard.process.send(b"late\n")
    heard.until_end()
    assert heard.stdout == b""


def test_a_subject_that_closed_its_stdin_is_written_to_in_vain(
    start: Callable[..., Heard],
) -> None:
    heard = start("sh", "-c", "exec 0<&-; echo closed; exec sleep 60")
    heard.until(lambda: heard.stdout == b"closed\n")
    heard.process.send(b"x")
    assert not heard.process.input_open
    assert not heard.process.unsent
    assert heard.process.input_consumed()


def test_it_is_known_when_the_subject_has_read_all(start: Callable[..., Heard]) -> None:
    heard = start("sh", "-c", "read go; echo went; exec cat >&2")
    heard.process.send(b"go\n")
    heard.until(heard.process.input_consumed)
    heard.until(lambda: heard.stdout == b"went\n")
    heard.process.send(b"more")
    heard.until(heard.process.input_consumed)


@pytest.mark.parametrize(
    ("script", "status"),
    [("exit 0", 0), ("exit 3", 3), ("kill -TERM $$", -15), ("kill -KILL $$", -9)],
)
def test_the_exit_status_is_told_and_a_signal_is_negative(
    start: Callable[..., Heard], script: str, status: int
) -> None:
    heard = start("sh", "-c", script)
    heard.until_end()
    assert heard.process.exit_status == status
    assert heard.process.stdout_closed
    assert not heard.process.pump(PATIENCE)


def test_what_it_wrote_last_is_read_when_it_has_exited(
    start: Callable[..., Heard],
) -> None:
    heard = start("sh", "-c", "head -c 300000 /dev/zero; echo end >&2")
    heard.until_end()
    assert heard.stdout == b"\0" * 300_000
    assert heard.stderr == b"end\n"


def test_a_child_that_keeps_the_pipes_open_does_not_keep_us(
    start: Callable[..., Heard],
) -> None:
    heard = start("sh", "-c", "sleep 60 & echo out; echo $! >&2")
    heard.until_end()
    assert heard.stdout == b"out\n"
    assert heard.process.exit_status == 0
    heard.process.kill()
    assert gone(int(heard.stderr))


def test_stdout_may_end_before_the_process(start: Callable[..., Heard]) -> None:
    heard = start("sh", "-c", "echo out; exec 1>&-; exec sleep 60")
    heard.until(lambda: heard.process.stdout_closed)
    assert heard.stdout == b"out\n"
    assert heard.process.exit_status is None
    assert not heard.process.ended


def test_of_stderr_the_end_is_kept_and_all_is_counted(
    start: Callable[..., Heard],
) -> None:
    heard = start(
        "sh", "-c", "head -c 1000000 /dev/zero >&2; printf 'the \\377end' >&2"
    )
    heard.until_end()
    assert heard.process.stderr_size == 1_000_008
    assert heard.process.stderr_tail() == "\0" * 16_376 + "the \\xffend"


def test_a_flood_on_stderr_does_not_block_the_answer(
    start: Callable[..., Heard],
) -> None:
    heard = start("sh", "-c", "head -c 3000000 /dev/zero >&2; echo answer; exec cat")
    heard.until(lambda: heard.stdout == b"answer\n")
    assert len(heard.process.stderr_tail()) == 16_384


def test_killing_takes_the_whole_process_group(start: Callable[..., Heard]) -> None:
    heard = start("sh", "-c", "sleep 60 & echo $!; wait")
    heard.until(lambda: b"\n" in heard.stdout)
    child = int(heard.stdout)
    assert alive(child)
    heard.process.kill()
    assert gone(child)
    assert gone(heard.process.pid)
    assert heard.process.exit_status == -9


def test_killing_takes_those_that_ignore_signals(start: Callable[..., Heard]) -> None:
    heard = start(
        "sh", "-c", "trap '' TERM INT HUP; echo up; while :; do sleep 60; done"
    )
    heard.until(lambda: heard.stdout == b"up\n")
    heard.process.kill()
    assert gone(heard.process.pid)


def test_killing_takes_children_that_left_the_group(
    start: Callable[..., Heard],
) -> None:
    code = (
        "import os, signal\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    os.write(1, str(os.getpid()).encode() + b'\\n')\n"
        "    os.closerange(0, 3)\n"
        "signal.pause()\n"
    )
    heard = start(*PYTHON, code)
    heard.until(lambda: b"\n" in heard.stdout)
    child = int(heard.stdout)
    assert os.getpgid(child) == child
    heard.process.kill()
    assert gone(child)


def test_killing_twice_and_after_the_end_is_safe(start: Callable[..., Heard]) -> None:
    heard = start("true")
    heard.until_end()
    heard.process.kill()
    heard.process.kill()
    assert heard.process.exit_status == 0


def test_a_process_that_is_gone_leaves_no_open_files(
    start: Callable[..., Heard],
) -> None:
    before = {entry.name for entry in Path("/proc/self/fd").iterdir()}
    heard = start("cat")
    heard.process.kill()
    assert {entry.name for entry in Path("/proc/self/fd").iterdir()} <= before


def test_the_user_is_not_interrupted_by_signals_of_the_subjects_group(
    start: Callable[..., Heard],
) -> None:
    heard = start("sh", "-c", "kill -TERM 0; exec cat")
    heard.until_end()
    assert heard.process.exit_status == -signal.SIGTERM


def test_without_pidfd_the_end_is_seen_as_well(
    start: Callable[..., Heard], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SWITCH, "1")
    heard = start("sh", "-c", "read line; echo got $line; exit 4")
    heard.process.send(b"it\n")
    heard.until_end()
    assert heard.stdout == b"got it\n"
    assert heard.process.exit_status == 4


def test_without_pidfd_in_the_kernel_the_end_is_seen_as_well(
    start: Callable[..., Heard], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(pid: int) -> int:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(os, "pidfd_open", refuse)
    heard = start("sh", "-c", "exit 5")
    heard.until_end()
    assert heard.process.exit_status == 5


def test_a_subject_is_started_in_its_folder(tmp_path: Path) -> None:
    heard = bytearray()
    process = SubjectProcess(
        ("/bin/sh", "-c", "pwd -P"),
        environment={},
        folder=tmp_path,
        on_stdout=heard.extend,
        on_stderr=print,
    )
    limit = time.monotonic() + PATIENCE
    while not process.ended and time.monotonic() < limit:
        process.pump(0.05)
    process.kill()
    assert bytes(heard) == f"{tmp_path.resolve()}\n".encode()


def test_arguments_reach_the_subject_unharmed(start: Callable[..., Heard]) -> None:
    words = ["a b", "$HOME", "'", '"', "*", "", "é"]
    heard = start(*shlex.split(shlex.join(["printf", "%s\\n", *words])))
    heard.until_end()
    assert heard.stdout == "a b\n$HOME\n'\n\"\n*\n\né\n".encode()
