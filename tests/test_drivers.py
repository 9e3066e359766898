"""The example drivers of the bridge, as templates for authors in other languages."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.bridge import NODE_DRIVER, PYTHON_DRIVER, Driver

CALL = {"type": "custom_tool_call", "input": "\u2028 \U0001f600 \x00"}
SANITIZE = {"id": 1, "op": "sanitize_tool_call", "call": CALL}


@pytest.fixture(autouse=True)
def tiny_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))


@pytest.fixture(params=["node", "python"])
def command(request: pytest.FixtureRequest, node: str) -> list[str]:
    """Command line of each driver."""
    if request.param == "node":
        return [node, str(NODE_DRIVER)]
    return [sys.executable, str(PYTHON_DRIVER), "tiny_registry:Registry"]


@pytest.fixture
def driver(command: list[str]) -> Iterator[Driver]:
    with Driver(*command) as driver:
        yield driver


@pytest.fixture
def tiny() -> Iterator[Driver]:
    """Give the driver of the tiny registry."""
    command = [sys.executable, str(PYTHON_DRIVER), "tiny_registry:made"]
    with Driver(*command) as driver:
        yield driver


def test_texts_come_back_as_they_were(driver: Driver) -> None:
    assert driver.value("sanitize_tool_call", call=CALL) == CALL


def test_an_echo_gives_the_arguments(driver: Driver) -> None:
    answer = driver.ask("sanitize_tool_call", call=CALL, echo=True)
    assert answer == {"id": 1, "ok": True, "value": CALL, "args": {"call": CALL}}


def test_without_an_echo_there_are_no_arguments(driver: Driver) -> None:
    answer = driver.ask("sanitize_tool_call", call=CALL, echo=False)
    assert answer == {"id": 1, "ok": True, "value": CALL}


def test_an_op_that_fails_is_an_answer(driver: Driver) -> None:
    answer = driver.ask("inspect_schema", schema={}, echo=True)
    assert answer["ok"] is False
    assert set(answer["error"]) == {"type", "detail"}
    assert "schema" in answer["args"]


@pytest.mark.parametrize("op", ["bind", "constructor", "__init__", ""])
def test_an_op_that_is_not_offered_is_refused(driver: Driver, op: str) -> None:
    assert driver.error(op)["detail"] == f"there is no op {op}"


def test_a_driver_that_refused_lives_on(driver: Driver) -> None:
    driver.error("bind")
    assert driver.value("sanitize_tool_call", call=CALL) == CALL


def test_ops_are_answered_in_order(command: list[str]) -> None:
    lines = "".join(json.dumps({**SANITIZE, "id": n}) + "\n" for n in range(200))
    done = subprocess.run(
        command, input=lines.encode(), capture_output=True, check=True
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == list(range(200))


def test_a_long_line_is_read(driver: Driver) -> None:
    call = {"type": "custom_tool_call", "input": "é" * 2_000_000}
    assert driver.value("sanitize_tool_call", call=call) == call


def test_a_line_that_is_not_json_ends_the_driver(command: list[str]) -> None:
    lines = json.dumps(SANITIZE) + "\n" + "junk\n" + json.dumps(SANITIZE) + "\n"
    done = subprocess.run(
        command, input=lines.encode(), capture_output=True, check=False
    )
    assert done.returncode != 0
    assert b"the driver stops at a line that is not JSON: " in done.stderr
    assert done.stdout.count(b"\n") == 1


def test_the_end_of_input_ends_the_driver(command: list[str]) -> None:
    done = subprocess.run(command, input=b"", capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")


@pytest.mark.parametrize("attribute", ["Registry", "make", "made"])
def test_a_subject_is_found_or_made(attribute: str) -> None:
    spec = f"tiny_registry:{attribute}"
    with Driver(sys.executable, str(PYTHON_DRIVER), spec) as driver:
        described = driver.value("describe")
    assert described["name"] == spec
    assert described["ops"] == [
        "inspect_schema",
        "sanitize_tool_call",
        "inspect_result",
    ]


def test_a_subject_may_describe_itself() -> None:
    spec = "tiny_registry:Described"
    with Driver(sys.executable, str(PYTHON_DRIVER), spec) as driver:
        assert driver.value("describe") == {
            "name": "it",
            "version": "2",
            "language": "Python",
            "ops": [],
        }


def test_what_a_subject_prints_goes_to_stderr() -> None:
    command = [sys.executable, str(PYTHON_DRIVER), "tiny_registry:made"]
    done = subprocess.run(
        command,
        input=json.dumps(SANITIZE).encode() + b"\n",
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout) == {"id": 1, "ok": True, "value": CALL}
    assert done.stderr == b"a word of the subject\n"


def test_a_value_that_is_no_json_is_a_failure(tiny: Driver) -> None:
    assert tiny.error("inspect_result", result={})["type"] == "ValueError"


def test_an_argument_that_was_changed_is_told(tiny: Driver) -> None:
    answer: Any = tiny.ask("inspect_schema", schema={}, echo=True)
    assert answer["error"] == {"type": "ValueError", "detail": "no such schema"}
    assert answer["args"] == {"schema": {"changed": True}}


README = (NODE_DRIVER.parent.parent / "README.md").read_text()


def test_the_example_of_the_documentation_is_right(node: str) -> None:
    asked = re.findall(r"^ {4}> (.*)$", README, re.MULTILINE)
    told = re.findall(r"^ {4}< (.*)$", README, re.MULTILINE)
    with Driver(node, str(NODE_DRIVER)) as driver:
        answers = [driver.send(json.loads(line)) for line in asked]
    assert answers[:-1] == [json.loads(line) for line in told]
