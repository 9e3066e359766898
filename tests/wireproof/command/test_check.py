"""A run without a Python project: in a folder that takes no part in it."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Command = Callable[..., subprocess.CompletedProcess[str]]

ONE = "host-v1/messages/version-of-a-success"


@pytest.fixture
def host(tmp_path: Path, tiny: str) -> str:
    """Return a host that is named by a relative path."""
    script = tmp_path / "myhost"
    script.write_text(f'#!/bin/sh\nexec {tiny} "$@"\n')
    script.chmod(0o755)
    return "./myhost"


def test_relative_paths_start_where_it_is_called(
    command: Command, tmp_path: Path, host: str
) -> None:
    done = command("check", f"--host={host}", ONE, "--compat-report=report.json")
    assert done.returncode == pytest.ExitCode.OK, done.stdout
    assert "warning" not in done.stdout
    report = json.loads((tmp_path / "report.json").read_bytes())
    assert report["subjects"][0]["target"] == "./myhost"


def test_the_exit_status_is_that_of_the_run(command: Command, host: str) -> None:
    done = command("check", f"--host={host} wrong-version", ONE)
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert f"\nFAILED {ONE} - in the response to get_tool_sc" in done.stdout


@pytest.mark.parametrize("workers", [(), ("-n", "1")])
def test_a_line_that_runs_a_check_again_is_of_this_command_and_works_when_pasted(
    command: Command, tmp_path: Path, host: str, workers: tuple[str, ...]
) -> None:
    long = "host-v1/transport/one-byte-a-write"
    options = ["--fuzz=0", "--subject-timeout=0.5"]
    done = command("check", f"--host={host} dies-of-two", *options, long, *workers)
    (line,) = [one for one in done.stdout.splitlines() if one.startswith("  wireproof")]
    assert line.startswith(f"  wireproof check {long} '--host=./myhost dies-of-two' ")
    again = subprocess.run(
        ["sh", "-c", line],  # noqa: S607 - as a user's shell does it
        cwd=tmp_path,
        capture_output=True,
        check=False,
        text=True,
    )
    assert again.returncode == pytest.ExitCode.TESTS_FAILED
    assert f"FAILED {long} - get_tool_schemas was not answered" in again.stdout


def test_what_comes_next_is_of_this_command(command: Command) -> None:
    # The vectors of a tool server are few and quick: one run is over soon.
    done = command("check", "--exec-server=reference", "--fuzz=0")
    line = "wireproof check '--exec-server=reference' --compat-report=report.json"
    assert done.stdout.count(f"next: keep it so in CI: {line}") == 1


def test_a_command_line_that_cannot_be_used_is_refused_by_this_name(
    command: Command,
) -> None:
    done = command("check", "--no-such-option")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "wireproof check: error: unrecognized arguments" in done.stderr


def test_nothing_of_the_folder_takes_part_and_nothing_is_left_there(
    command: Command, tmp_path: Path, host: str
) -> None:
    (tmp_path / "conftest.py").write_text("raise RuntimeError('not asked')")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n")
    (tmp_path / "test_own.py").write_text("def test_own(): assert 0")
    before = sorted(tmp_path.iterdir())
    done = command("check", f"--host={host}", ONE, "-n", "2")
    assert done.returncode == pytest.ExitCode.OK, done.stdout
    assert "1 passed" in done.stdout
    assert sorted(tmp_path.iterdir()) == before


def test_a_run_without_a_subject_is_refused(command: Command, tmp_path: Path) -> None:
    (tmp_path / "test_own.py").write_text("def test_own(): pass")
    done = command("check")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "ERROR: name a subject by one of --host, --socket, " in done.stderr


def test_what_there_is_can_be_listed_without_a_subject(command: Command) -> None:
    done = command("check", "--list-vectors", "-k", "first-init")
    assert done.returncode == pytest.ExitCode.OK
    assert done.stdout.startswith("host-v1/init/first-init ")
