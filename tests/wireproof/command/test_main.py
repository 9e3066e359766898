"""The command line: what is refused, and how."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import entry_points, version
from pathlib import Path

import pytest

from wireproof.command import USAGE_ERROR, main


def test_it_is_installed_under_its_name() -> None:
    (script,) = entry_points(group="console_scripts", name="wireproof")
    assert script.load() is main


def test_it_says_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"wireproof {version('wireproof')}\n"


def test_what_the_page_shows_is_in_help(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    listed = re.findall(r"^    (\w+) ", capsys.readouterr().out, re.MULTILINE)
    page = (Path(__file__).parents[3] / "docs" / "command.md").read_text()
    shown = re.findall(r"^\| `wireproof (\w+)", page, re.MULTILINE)
    assert set(shown) == set(listed)


@pytest.mark.parametrize("words", [[], ["chekc"], ["explain"]])
def test_a_wrong_command_line_is_wrong_usage(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == USAGE_ERROR == pytest.ExitCode.USAGE_ERROR
    assert "ERROR: " in capsys.readouterr().err


@pytest.mark.parametrize("words", [["check", "--help"], ["explain", "HV1-M2"]])
def test_a_reader_that_has_seen_enough_is_no_fault(words: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as nobody:
        done = subprocess.run(
            [sys.executable, "-m", "wireproof", *words],
            stdout=nobody,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_clause_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "HV1-M2"]) == 0
    assert capsys.readouterr().out.startswith("HV1-M2 MUST [document] ")


def test_a_clause_that_is_not_there_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["explain", "HV1-T66"]) == USAGE_ERROR
    expected = "ERROR: there is no clause 'HV1-T66'; did you mean HV1-T6 or "
    assert capsys.readouterr().err.startswith(expected)
