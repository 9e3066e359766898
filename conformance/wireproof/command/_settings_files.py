"""The files that ``wireproof init`` writes: pytest's settings, and a workflow for CI.

Nothing that is there is changed but a ``pyproject.toml`` without a word about pytest,
to which a table is added at its end. Else the lines are told.
"""

from __future__ import annotations

import json
import re
import tomllib
from configparser import ConfigParser
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

WORKFLOW = ".github/workflows/wireproof.yml"
"""Where the workflow goes."""

WORKFLOW_TEXT = """\
name: wireproof
on:
  push:
  pull_request:
permissions:
  contents: read
jobs:
  conformance:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.13"
      # Build the subject here, if it has to be built.
%(fill_in)s      - run: python -m pip install "%(requirement)s"
      - run: python -m pytest --compat-report=wireproof.json
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: wireproof
          path: wireproof.json
"""

GITLAB_TEXT = """\
wireproof:
  image: python:3.13
  script:
%(fill_in)s    - python -m pip install "%(requirement)s"
    - python -m pytest --compat-report=wireproof.json
  artifacts:
    when: always
    paths: [wireproof.json]
"""

FILL_IN = "FILL IN"
"""Marks the line of a file that only the user can complete."""

LEFT_TO_FILL_IN = (
    f"to complete: the line marked {FILL_IN}: this wireproof was installed from a "
    "folder without a remote, which CI does not have"
)
"""The line of output if the file has such a line."""

_EXAMPLE = "such as wireproof @ git+https://HOST/OWNER/wireproof@COMMIT"

TO_ADD = "to add to"
"""What a line begins with after which others stand that the user has to add."""

OWN_FILES = ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini")
"""Files of pytest's own, which go before all others even where they are empty."""


def write_settings(folder: Path, settings: Mapping[str, str]) -> list[str]:
    """Write pytest's settings, or say what to add to those that are there.

    Args:
        folder: The user's folder.
        settings: Their values, by name.

    Returns:
        What was done, or is left to do, line by line.
    """
    # Without the plugin pytest would pass over its settings with a warning.
    settings = {"required_plugins": "wireproof", **settings}
    for name in OWN_FILES:
        if (folder / name).is_file():
            is_toml = name.endswith(".toml")
            lines = _toml(settings, "pytest") if is_toml else _ini(settings, "pytest")
            return _to_add(name, lines)
    pyproject = folder / "pyproject.toml"
    if pyproject.is_file():
        text = pyproject.read_text(encoding="utf-8")
        lines = _toml(settings, "tool.pytest.ini_options")
        if _speaks_of_pytest(text):
            return _to_add(pyproject.name, lines)
        with pyproject.open("a", encoding="utf-8") as file:
            space = "" if text.endswith("\n") or not text else "\n"
            file.write(f"{space}\n" + "\n".join(lines) + "\n")
        return [f"added to {pyproject.name}: [tool.pytest.ini_options]"]
    for name, section in (("tox.ini", "pytest"), ("setup.cfg", "tool:pytest")):
        parser = ConfigParser(interpolation=None, strict=False)
        # A file that is not there is read as an empty one.
        parser.read(folder / name, "utf-8")
        if parser.has_section(section):
            return _to_add(name, _ini(settings, section))
    (folder / "pytest.ini").write_text(
        "\n".join(_ini(settings, "pytest")) + "\n", encoding="utf-8"
    )
    return ["written: pytest.ini"]


def workflow_text(template: str, requirement: str) -> str:
    """Return a workflow that installs wireproof.

    Args:
        template: WORKFLOW_TEXT or GITLAB_TEXT.
        requirement: The argument of pip; empty if only this machine has it, which
            leaves one marked line to fill in.
    """
    (indent,) = re.findall(r"^%\(fill_in\)s( *)", template, re.MULTILINE)
    mark = f"{indent}# {FILL_IN}: where CI installs wireproof from, {_EXAMPLE}\n"
    return template % {
        "fill_in": "" if requirement else mark,
        "requirement": requirement or FILL_IN,
    }


def write_workflow(folder: Path, requirement: str) -> list[str]:
    """Write a workflow for CI where there is none, or say what to add.

    Args:
        folder: The user's folder.
        requirement: The argument of pip that installs this wireproof; empty if no
            other machine can have it.

    Returns:
        What was done, or is left to do, line by line.
    """
    left = [] if requirement else [LEFT_TO_FILL_IN]
    if (folder / ".gitlab-ci.yml").is_file():
        text = workflow_text(GITLAB_TEXT, requirement)
        return [*_to_add(".gitlab-ci.yml", text.splitlines()), *left]
    path = folder / WORKFLOW
    if path.exists():
        return [f"left as it is: {WORKFLOW}"]
    path.parent.mkdir(parents=True, exist_ok=True)
    text = workflow_text(WORKFLOW_TEXT, requirement)
    path.write_text(text, encoding="utf-8")
    return [f"written: {WORKFLOW}", *left]


def _speaks_of_pytest(text: str) -> bool:
    try:
        tool = tomllib.loads(text).get("tool", {})
    except tomllib.TOMLDecodeError:
        return True
    return "pytest" in tool


def _to_add(name: str, lines: Sequence[str]) -> list[str]:
    return [f"{TO_ADD} {name}, which is there:", *(f"  {line}" for line in lines)]


def _toml(settings: Mapping[str, str], table: str) -> list[str]:
    # A JSON string is a TOML string.
    lines = [f"{name} = {_toml_value(name, text)}" for name, text in settings.items()]
    return [f"[{table}]", *lines]


def _toml_value(name: str, text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return quoted if name in PLAIN else f"[{quoted}]"


PLAIN = frozenset({"wireproof_exec_args", "wireproof_exec_toolset"})
"""The settings that are no lists."""


def _ini(settings: Mapping[str, str], section: str) -> list[str]:
    lines = [f"[{section}]"]
    for name, text in settings.items():
        lines += [f"{name} = {text}"] if name in PLAIN else [f"{name} =", f"    {text}"]
    return lines
