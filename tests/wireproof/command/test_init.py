"""From a program to a gate: what it speaks, the settings, the first checks."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from wireproof.command import USAGE_ERROR

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Command = Callable[..., subprocess.CompletedProcess[str]]


def test_a_host_gets_a_gate_that_pytest_alone_runs(
    command: Command, tmp_path: Path, tiny: str
) -> None:
    done = command("init", tiny)
    assert done.returncode == 0, done.stderr
    matcher = pytest.LineMatcher(done.stdout.splitlines())
    matcher.fnmatch_lines(
        [
            "*: host, host-v1: it answered init with ok",
            "conforms to the full profile: nothing broken (level wire, *",
            "written: pytest.ini",
            "written: .github/workflows/wireproof.yml",
            "next: python -m pytest runs all checks, of which these were the first *",
        ]
    )
    one = "host-v1/init/first-init"
    again = subprocess.run(
        [sys.executable, "-m", "pytest", one],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        text=True,
    )
    assert again.returncode == pytest.ExitCode.OK, again.stdout
    without = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:wireproof"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        text=True,
    )
    assert without.returncode == pytest.ExitCode.USAGE_ERROR
    assert "Missing required plugins: wireproof" in without.stderr


def test_lines_that_are_left_to_add_come_before_the_first_run(
    command: Command, tmp_path: Path, tiny: str
) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    done = command("init", tiny)
    assert done.returncode == 0, done.stderr
    assert "next: add the lines above; then python -m pytest runs" in done.stdout


def test_a_program_that_speaks_nothing_is_refused_and_nothing_is_written(
    command: Command, tmp_path: Path
) -> None:
    done = command("init", "true")
    assert done.returncode == USAGE_ERROR
    assert "ERROR: 'true' answered none of 4 requests" in done.stderr
    assert "an exec tool that needs args is told them: --exec-args" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_object_that_is_no_registry_is_refused_and_nothing_is_written(
    command: Command, tmp_path: Path
) -> None:
    done = command("init", "json:JSONDecoder")
    assert done.returncode == USAGE_ERROR
    assert "json:JSONDecoder is a JSONDecoder with none of the methods" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_what_a_program_says_instead_is_told(command: Command, tmp_path: Path) -> None:
    (tmp_path / "myhost").write_text("echo hello\necho 'no such module' >&2\n")
    done = command("init", "sh myhost")
    assert "; it wrote 'hello'. A host" in done.stderr
    assert done.stderr.endswith("the end of its stderr:\n  no such module\n")


def test_an_exec_tool_has_to_be_told_what_to_call_it_with(
    command: Command, tmp_path: Path
) -> None:
    done = command("init", f"{sys.executable} -m wireproof_reference exec tool")
    assert done.returncode == USAGE_ERROR
    assert "add --exec-args='{…}' with which a plain call succeeds" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["{", "[1]", ""])
def test_args_that_are_no_object_are_refused(
    command: Command, tmp_path: Path, text: str
) -> None:
    done = command("init", "true", f"--exec-args={text}")
    assert done.returncode == USAGE_ERROR
    assert f"--exec-args={text}: give a JSON object" in done.stderr
    assert list(tmp_path.iterdir()) == []
