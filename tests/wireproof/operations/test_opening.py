from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from wireproof.checks import Settings, Target
from wireproof.operations._opening import (
    SERVER,
    is_in_process,
    names_object,
    open_bridge,
)
from wireproof.subjects import Answer, Bridge, Description, Op

SOURCE = """
import os, sys

class Subject:
    def look(self, call):
        told = os.environ
        return [os.getcwd(), sys.path[0], told.get("TOLD"), "SECRET" in told]
"""

ASK = Op("look", {"call": {}})


@pytest.fixture
def bridge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bridge]:
    monkeypatch.setenv("SECRET", "of the user's")
    (tmp_path / "own.py").write_text(SOURCE)
    target = Target("any", "own:Subject", (*SERVER, "own:Subject"), "it")
    bridge = open_bridge(target, Settings(tmp_path, {"TOLD": "yes"}), ["look", "other"])
    yield bridge
    bridge.stop()


def test_an_object_is_served_in_the_folder_with_the_variables_of_the_settings(
    bridge: Bridge, tmp_path: Path
) -> None:
    found = bridge.ensure_up()
    assert isinstance(found, Description)
    assert found.ops == {"look"}
    answer = bridge.ask(ASK)
    assert isinstance(answer, Answer)
    assert answer.value == [str(tmp_path), str(tmp_path), "yes", False]


def test_nothing_is_started_yet(bridge: Bridge) -> None:
    assert bridge.starts == 0


def test_the_time_limit_is_the_users(tmp_path: Path) -> None:
    target = Target("any", "x", (sys.executable, "-c", "input()"), "it")
    bridge = open_bridge(target, Settings(tmp_path, timeout=7.0), [])
    assert bridge.patience.starting() == 7.0


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
