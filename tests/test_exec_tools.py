"""The example tools in each language, in both modes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

TOOLS = Path(__file__).parent.parent / "reference" / "tools"


@pytest.fixture(params=["python", "node"])
def command(request: pytest.FixtureRequest, node: str) -> list[str]:
    """Command line of each toolset that has both modes."""
    if request.param == "node":
        return [node, str(TOOLS / "node" / "toolset.mjs")]
    return [sys.executable, str(TOOLS / "python" / "toolset.py")]


@pytest.fixture
def shell() -> list[str]:
    if shutil.which("jq") is None:
        pytest.skip("there is no jq")
    return ["sh", str(TOOLS / "sh" / "toolset.sh")]


def run(command: list[str], data: bytes) -> Any:
    done = subprocess.run(command, input=data, capture_output=True, check=True)
    return json.loads(done.stdout)


def call(command: list[str], tool: str, **arguments: Any) -> Any:
    args = {"tool": f"conformance_{tool}", "arguments": arguments}
    return run(command, json.dumps({"args": args}).encode())


def request(tool: str, number: Any = 1, **arguments: Any) -> Any:
    args = {"tool": f"conformance_{tool}", "arguments": arguments}
    return {
        "jsonrpc": "2.0",
        "id": number,
        "method": "execute",
        "params": {"args": args},
    }


def serve(command: list[str], *messages: Any) -> Any:
    """Give what answers each of the messages, by its id."""
    lines = [json.dumps(message).encode() for message in messages]
    done = subprocess.run(
        [*command, "--server"],
        input=b"\n".join(lines),
        capture_output=True,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return {answer["id"]: answer for answer in answers}


def test_a_one_shot_tool_gives_values_as_they_are(command: list[str]) -> None:
    value: Any = [None, False, 0.5, "\u2028 \U0001f600 \x00", {"__proto__": {}, "": []}]
    assert call(command, "return", value=value) == {"result": value}


def test_a_one_shot_tool_prints_to_stderr(command: list[str]) -> None:
    assert call(command, "print", text="t") == {"result": {"printed": True}}


def test_a_one_shot_tool_reports_its_failure(command: list[str]) -> None:
    assert call(command, "fail", message="no") == {"error": "no"}


def test_a_fault_of_a_one_shot_tool_has_words(command: list[str]) -> None:
    assert "boom" in call(command, "throw", message="boom")["error"]


def test_bad_input_of_a_one_shot_tool_has_words(command: list[str]) -> None:
    assert set(run(command, b"{}")) == {"error"}


def test_a_server_lives_through_whatever_comes(command: list[str]) -> None:
    answers = serve(
        command,
        request("counter", 1),
        request("throw", "a", message="boom"),
        request("fail", 0.5, message="no"),
        {"jsonrpc": "2.0", "method": "execute", "params": {"args": {}}},
        request("print", -1, text="t"),
        {"jsonrpc": "2.0", "id": 3, "method": "list"},
        {"jsonrpc": "2.0", "id": 4, "method": "execute"},
        {"jsonrpc": "2.0", "id": 5},
        [],
        request("counter", 12345678901234567890),
    )
    assert list(answers) == [1, "a", 0.5, -1, 3, 4, 5, None, 12345678901234567890]
    assert answers[1]["result"] == {"counter": 1}
    assert "boom" in answers["a"]["error"]["message"]
    assert answers[0.5]["error"]["message"] == "no"
    assert answers[-1]["result"] == {"printed": True}
    codes = [answers[number]["error"]["code"] for number in (3, 4, 5, None)]
    assert codes == [-32601, -32602, -32600, -32600]
    assert answers[12345678901234567890]["result"] == {"counter": 2}


def test_a_server_answers_a_batch_by_an_array(command: list[str]) -> None:
    notification = {"jsonrpc": "2.0", "method": "list"}
    batch = [request("counter", 1), notification, request("counter", 2)]
    answers = run([*command, "--server"], json.dumps(batch).encode())
    assert [answer["id"] for answer in answers] == [1, 2]


def test_a_tool_in_sh_does_the_same(shell: list[str]) -> None:
    value: Any = [None, False, 0.5, "\u2028 \U0001f600 \x00", {"__proto__": {}, "": []}]
    assert call(shell, "return", value=value) == {"result": value}
    assert call(shell, "fail", message="no\n") == {"error": "no\n"}
    assert call(shell, "print", text="$HOME") == {"result": {"printed": True}}
    assert call(shell, "env", names=["PATH"]) == {
        "result": {"PATH": os.environ["PATH"]}
    }
    assert set(run(shell, b'{"args":{}}{}')) == {"error"}
