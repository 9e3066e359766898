from __future__ import annotations

import sys
from pathlib import Path

import pytest

from wireproof.bridge import BridgedHandle, BridgeOps
from wireproof.checks import Settings, Target
from wireproof.report import sentence
from wireproof.subjects import driver_environment, is_in_process, names_object
from wireproof.subjects._in_python import SERVER

SOURCE = """
import os, sys

class Subject:
    def look(self, call):
        told = os.environ
        return [os.getcwd(), sys.path[0], told.get("TOLD"), "SECRET" in told]
"""


def test_an_object_is_served_in_the_folder_with_the_variables_of_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "of the user's")
    (tmp_path / "own.py").write_text(SOURCE)
    target = Target("any", "own:Subject", (*SERVER, "own:Subject"), "it")
    settings = Settings(tmp_path, environment={"TOLD": "yes"})
    environment = driver_environment(target, settings, ["look", "other"])
    with BridgedHandle(BridgeOps(target, settings, environment), sentence) as handle:
        assert handle.description.ops == {"look"}
        found = handle.ask("look", call={})
    assert found == [str(tmp_path), str(tmp_path), "yes", False]


@pytest.mark.parametrize(
    ("command", "in_process"),
    [
        ((*SERVER, "own:it"), True),
        ([*SERVER, "own:it"], True),
        ((sys.executable, "driver.py", "own:it"), False),
        (("./driver",), False),
        ((), False),
    ],
)
def test_the_suites_own_driver_is_known_by_its_words(
    command: tuple[str, ...], *, in_process: bool
) -> None:
    assert is_in_process(command) is in_process


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("own:it", True),
        ("own.deep:it.deeper", True),
        ("own", False),
        ("own:", False),
        (":it", False),
        ("own:it\n", False),
        ("own:it x", False),
        ("own:it()", False),
    ],
)
def test_an_object_is_named_by_module_and_attribute(text: str, *, named: bool) -> None:
    assert names_object(text) is named
