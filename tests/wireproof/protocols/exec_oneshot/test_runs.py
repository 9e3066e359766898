"""Runs of a one-shot tool: what each wrote, and how it ended."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from wireproof.judge import Ran
from wireproof.protocols.exec_oneshot._runs import Program, RunInput
from wireproof.subjects import kill_strays, new_marker


def run(
    script: str, *inputs: RunInput, seconds: float = 60.0, command: str = "sh"
) -> list[Ran]:
    marker = new_marker()
    variables = {"PATH": os.environ["PATH"]}
    program = Program((command, "-c", script), variables, Path.cwd(), marker)
    try:
        return program.run(inputs or [RunInput(b"{}")], lambda _: seconds)
    finally:
        kill_strays(marker)


@pytest.mark.parametrize(
    ("script", "held"),
    [
        ("echo {}; sleep 60 &", True),
        ("echo {}; sleep 60 > /dev/null &", False),
        ("echo {}; sleep 0.01 &", False),
    ],
    ids=["holds", "lets-go", "ends-soon"],
)
def test_a_child_that_holds_stdout_is_seen_after_the_exit(
    script: str, *, held: bool
) -> None:
    (found,) = run(script, RunInput(b"{}", ending=0.2))
    assert (found.status, found.wrote, found.held) == (0, b"{}\n", held)


def test_a_run_has_what_it_was_given_and_what_it_wrote() -> None:
    (found,) = run("cat; echo no >&2; exit 3", RunInput(b"abc", cut=[1]))
    assert (found.data, found.wrote, found.stderr) == (b"abc", b"abc", "no\n")
    assert (found.ended, found.status) == ("exited", 3)


def test_runs_go_on_at_once(tmp_path: Path) -> None:
    # Each end of a named pipe waits for the other.
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    script = f"read word; if [ $word = one ]; then cat {pipe}; else echo >{pipe}; fi"
    found = run(script, RunInput(b"one\n"), RunInput(b"two\n"))
    assert [one.ended for one in found] == ["exited", "exited"]


def test_a_run_that_does_not_end_is_ended() -> None:
    (found,) = run("exec sleep 600", seconds=0.1)
    assert (found.ended, found.status) == ("silent", None)


def test_a_run_that_writes_without_end_is_ended() -> None:
    (found,) = run("exec cat /dev/zero")
    assert found.ended == "flooded"


def test_a_program_that_is_not_there_is_no_crash() -> None:
    (found,) = run("", command="./no-such-program")
    assert found.ended == "not-started"
    assert found.stderr.startswith("no such file")
