from __future__ import annotations

import sys
from pathlib import Path

import pytest

from wireproof.bridge import BridgedHandle, BridgeOps
from wireproof.checks import NoAnswer, Settings, Target
from wireproof.report import sentence
from wireproof.subjects import driver_command, driver_environment

SOURCE = """
class Subject:
    formats = ("own.format",)
    def look(self, call):
        if "dies" in call:
            import os; os._exit(3)
        if "raises" in call:
            raise ValueError("no such call")
        return [call]
"""


def open_handle(folder: Path, command: tuple[str, ...]) -> BridgedHandle:
    target = Target("any", "it", command, "it")
    settings = Settings(folder, timeout=5.0)
    environment = driver_environment(target, settings, ["look", "other"])
    return BridgedHandle(BridgeOps(target, settings, environment), sentence)


@pytest.fixture
def handle(tmp_path: Path) -> BridgedHandle:
    (tmp_path / "own.py").write_text(SOURCE)
    return open_handle(tmp_path, driver_command("own:Subject"))


def test_an_op_gives_its_value(handle: BridgedHandle) -> None:
    with handle:
        assert handle.ask("look", call={"é": 1}) == [{"é": 1}]


def test_a_subject_says_what_it_is(handle: BridgedHandle) -> None:
    with handle:
        assert handle.description.ops == {"look"}
        assert handle.description.formats == ("own.format",)


def test_a_refusal_is_raised_with_its_op(handle: BridgedHandle) -> None:
    with (
        handle,
        pytest.raises(NoAnswer, match=r"^look: ValueError: no such call$"),
    ):
        handle.ask("look", call={"raises": 1})


def test_an_op_that_is_not_offered_is_refused(handle: BridgedHandle) -> None:
    with handle, pytest.raises(NoAnswer, match=r"^other: UnknownOp: "):
        handle.ask("other", state={})


def test_a_subject_that_dies_is_told_and_started_anew(handle: BridgedHandle) -> None:
    with handle:
        with pytest.raises(NoAnswer, match=r"^look: .* with status 3 and did not"):
            handle.ask("look", call={"dies": 1})
        assert handle.ask("look", call={}) == [{}]


def test_a_driver_that_does_not_come_up_is_told_with_its_stderr(
    tmp_path: Path,
) -> None:
    command = (sys.executable, "-c", "raise SystemExit('no configuration')")
    handle = open_handle(tmp_path, command)
    with pytest.raises(NoAnswer) as raised, handle:
        pass
    assert str(raised.value) == (
        "the subject exited with status 1 before it answered anything\nno configuration"
    )


def test_a_driver_that_does_not_come_up_again_is_told_with_its_op(
    tmp_path: Path,
) -> None:
    (tmp_path / "own.py").write_text(
        SOURCE + "import pathlib\n"
        "if pathlib.Path('second').exists(): raise OSError('gone')\n"
        "pathlib.Path('second').touch()\n"
    )
    with open_handle(tmp_path, driver_command("own:Subject")) as handle:
        with pytest.raises(NoAnswer):
            handle.ask("look", call={"dies": 1})
        with pytest.raises(NoAnswer, match=r"^look: .*OSError: gone$"):
            handle.ask("look", call={})


def test_a_subject_that_does_not_answer_is_told_and_started_anew(
    tmp_path: Path,
) -> None:
    slow = SOURCE.replace("import os; os._exit(3)", "import time; time.sleep(600)")
    (tmp_path / "own.py").write_text(slow)
    with open_handle(tmp_path, driver_command("own:Subject")) as handle:
        with pytest.raises(NoAnswer, match=r"^look: .* was not answered within"):
            handle.ask("look", call={"dies": 1})
        assert handle.ask("look", call={}) == [{}]


def test_before_the_block_nothing_is_known_of_a_subject(handle: BridgedHandle) -> None:
    with pytest.raises(NoAnswer, match="on entering the block"):
        _ = handle.description
