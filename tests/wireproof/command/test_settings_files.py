"""Settings are written where none are, and told where some are."""

from __future__ import annotations

import tomllib
from configparser import ConfigParser
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.command._settings_files import (
    LEFT_TO_FILL_IN,
    WORKFLOW,
    write_settings,
    write_workflow,
)

if TYPE_CHECKING:
    from pathlib import Path

YAML: Any = import_module("yaml")  # it has no stubs
SOURCE = "wireproof @ git+https://example.org/wireproof@v1"
SETTINGS = {"wireproof_exec": "./tool 'a \\ b'", "wireproof_exec_args": '{"a": "é"}'}


def test_without_any_settings_pytest_ini_is_written(tmp_path: Path) -> None:
    assert write_settings(tmp_path, SETTINGS) == ["written: pytest.ini"]
    parser = ConfigParser(interpolation=None)
    parser.read(tmp_path / "pytest.ini", "utf-8")
    assert dict(parser["pytest"]) == {
        "required_plugins": "\nwireproof",
        "wireproof_exec": "\n./tool 'a \\ b'",
        "wireproof_exec_args": '{"a": "é"}',
    }


@pytest.mark.parametrize("before", ["", "[project]\nname = 'x'", "a = 1\n"])
def test_a_project_without_a_word_of_pytest_gets_a_table(
    tmp_path: Path, before: str
) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text(before)
    told = write_settings(tmp_path, SETTINGS)
    assert told == ["added to pyproject.toml: [tool.pytest.ini_options]"]
    text = file.read_text("utf-8")
    assert text.startswith(before)
    assert tomllib.loads(text)["tool"]["pytest"]["ini_options"] == {
        "required_plugins": ["wireproof"],
        "wireproof_exec": ["./tool 'a \\ b'"],
        "wireproof_exec_args": '{"a": "é"}',
    }


@pytest.mark.parametrize(
    ("name", "before", "first"),
    [
        ("pyproject.toml", "[tool.pytest.ini_options]\n", "[tool.pytest.ini_options]"),
        ("pyproject.toml", "no toml", "[tool.pytest.ini_options]"),
        ("pytest.ini", "", "[pytest]"),
        ("pytest.toml", "", "[pytest]"),
        ("tox.ini", "[pytest]\n", "[pytest]"),
        ("setup.cfg", "[tool:pytest]\n", "[tool:pytest]"),
    ],
)
def test_settings_that_are_there_are_left_and_the_lines_are_told(
    tmp_path: Path, name: str, before: str, first: str
) -> None:
    file = tmp_path / name
    file.write_text(before)
    told = write_settings(tmp_path, SETTINGS)
    assert told[:2] == [f"to add to {name}, which is there:", f"  {first}"]
    lines = [line for line in told if line.startswith("  wireproof_exec =")]
    assert len(lines) == 1
    assert file.read_text() == before
    assert list(tmp_path.iterdir()) == [file]


def test_a_workflow_is_written_once(tmp_path: Path) -> None:
    assert write_workflow(tmp_path, SOURCE) == [f"written: {WORKFLOW}"]
    assert f'pip install "{SOURCE}"\n' in (tmp_path / WORKFLOW).read_text()
    (tmp_path / WORKFLOW).write_text("mine")
    assert write_workflow(tmp_path, SOURCE) == [f"left as it is: {WORKFLOW}"]
    assert (tmp_path / WORKFLOW).read_text() == "mine"


def test_at_gitlab_the_job_is_told(tmp_path: Path) -> None:
    (tmp_path / ".gitlab-ci.yml").write_text("test: {}\n")
    told = write_workflow(tmp_path, SOURCE)
    assert told[0] == "to add to .gitlab-ci.yml, which is there:"
    job = YAML.safe_load("\n".join(told[1:]))
    assert f'python -m pip install "{SOURCE}"' in job["wireproof"]["script"]


def test_a_line_is_left_to_fill_in_if_no_other_machine_can_install_it(
    tmp_path: Path,
) -> None:
    written, left = write_workflow(tmp_path, "")
    assert written == f"written: {WORKFLOW}"
    assert left == LEFT_TO_FILL_IN
    marked = [one for one in _lines(tmp_path / WORKFLOW) if "# FILL IN: " in one]
    assert len(marked) == 1


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines()
