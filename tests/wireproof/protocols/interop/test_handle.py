from __future__ import annotations

import sys
from pathlib import Path

import pytest

from wireproof.checks import NoAnswer, Settings, Target
from wireproof.protocols.interop._handle import AdapterHandle
from wireproof.protocols.interop._opening import SERVER

SOURCE = """
class Subject:
    formats = ("own.format",)
    def sanitize_tool_call(self, call):
        if "dies" in call:
            import os; os._exit(3)
        if "raises" in call:
            raise ValueError("no such call")
        return [call]
"""


@pytest.fixture
def handle(tmp_path: Path) -> AdapterHandle:
    (tmp_path / "own.py").write_text(SOURCE)
    target = Target("interop", "own:Subject", (*SERVER, "own:Subject"), "it")
    return AdapterHandle(target, Settings(tmp_path))


def test_an_op_gives_its_value(handle: AdapterHandle) -> None:
    with handle:
        assert handle.ask("sanitize_tool_call", call={"é": 1}) == [{"é": 1}]


def test_a_registry_says_what_it_is(handle: AdapterHandle) -> None:
    with handle:
        assert handle.description.ops == {"sanitize_tool_call"}
        assert handle.description.formats == ("own.format",)


def test_a_refusal_is_raised_with_its_op(handle: AdapterHandle) -> None:
    with (
        handle,
        pytest.raises(
            NoAnswer, match=r"^sanitize_tool_call: ValueError: no such call$"
        ),
    ):
        handle.ask("sanitize_tool_call", call={"raises": 1})


def test_an_op_that_is_not_offered_is_refused(handle: AdapterHandle) -> None:
    with handle, pytest.raises(NoAnswer, match=r"^finalize: UnknownOp: "):
        handle.ask("finalize", state={})


def test_a_registry_that_dies_is_told_and_started_anew(handle: AdapterHandle) -> None:
    with handle:
        with pytest.raises(NoAnswer, match=r"^sanitize_tool_call: .* with status 3 at"):
            handle.ask("sanitize_tool_call", call={"dies": 1})
        assert handle.ask("sanitize_tool_call", call={}) == [{}]


def test_a_driver_that_does_not_come_up_is_told_with_its_stderr(
    tmp_path: Path,
) -> None:
    command = (sys.executable, "-c", "raise SystemExit('no configuration')")
    handle = AdapterHandle(Target("interop", "it", command, "it"), Settings(tmp_path))
    with pytest.raises(NoAnswer) as raised, handle:
        pass
    assert str(raised.value) == (
        "the driver ended with status 1 at describe\nno configuration"
    )


def test_a_driver_that_does_not_come_up_again_is_told_with_its_op(
    tmp_path: Path,
) -> None:
    (tmp_path / "own.py").write_text(
        SOURCE + "import pathlib\n"
        "if pathlib.Path('second').exists(): raise OSError('gone')\n"
        "pathlib.Path('second').touch()\n"
    )
    target = Target("interop", "own:Subject", (*SERVER, "own:Subject"), "it")
    with AdapterHandle(target, Settings(tmp_path)) as handle:
        with pytest.raises(NoAnswer):
            handle.ask("sanitize_tool_call", call={"dies": 1})
        with pytest.raises(NoAnswer, match=r"^sanitize_tool_call: .*OSError: gone$"):
            handle.ask("sanitize_tool_call", call={})


def test_the_end_of_the_block_leaves_no_process(handle: AdapterHandle) -> None:
    with handle:
        pass
    assert handle._bridge._process is None
