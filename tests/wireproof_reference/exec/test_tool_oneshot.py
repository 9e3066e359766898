from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from wireproof_reference.exec.tool import ToolError
from wireproof_reference.exec.tool._oneshot import answer_input

TOOL = [sys.executable, "-m", "wireproof_reference", "exec", "tool"]


def run(tool: str, arguments: Any = None) -> subprocess.CompletedProcess[bytes]:
    request = {"args": {"tool": tool, "arguments": arguments or {}}}
    return subprocess.run(
        TOOL, input=json.dumps(request).encode(), capture_output=True, check=False
    )


def answer(data: bytes) -> Any:
    return json.loads(answer_input(lambda args: args["value"], data))


def failing(error: BaseException) -> Any:
    def tool(args: Any) -> Any:
        raise error

    return json.loads(answer_input(tool, b'{"args":{}}'))


@pytest.mark.parametrize(
    "data",
    [
        b'{"args":{"value":[1,null]}}',
        b' \n{\n"args":\n{"value":[1,null]}\n}\n\n',
        b'{"args":{"value":[1,null]},"more":1}',
    ],
)
def test_one_object_is_read_however_it_is_written(data: bytes) -> None:
    assert answer(data) == {"result": [1, None]}


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", "the input is not JSON"),
        (b"nope", "the input is not JSON"),
        (b'{"args":{}} {}', "the input is not JSON"),
        (b'{"args":{"value":NaN}}', "the input is not JSON: NaN is not JSON"),
        (b'{"args":{"value":1e999}}', "a number beyond the range of a double"),
        (b'{"args":"\xff"}', "the input is not JSON"),
        (b"[" * 100_000, "the input is not JSON: it nests too deep"),
        (b"[]", "the input must be an object with args"),
        (b"{}", "the input must be an object with args"),
        (b'{"args":[]}', "args must be an object"),
        (b'{"args":null}', "args must be an object"),
    ],
)
def test_bad_input_is_an_error(data: bytes, error: str) -> None:
    assert error in answer(data)["error"]


@pytest.mark.parametrize(
    "value", ["null", "false", "12345678901234567890", '"\\ud800"', '{"__proto__":0}']
)
def test_values_survive(value: str) -> None:
    data = f'{{"args":{{"value":{value}}}}}'.encode()
    assert answer(data) == {"result": json.loads(value)}


def test_a_reported_failure_keeps_its_words() -> None:
    assert failing(ToolError("model not loaded")) == {"error": "model not loaded"}


def test_an_error_is_never_empty() -> None:
    assert failing(ToolError("")) == {"error": "the tool failed"}


def test_an_uncaught_error_is_named_and_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert failing(KeyError("k")) == {"error": "KeyError: 'k'"}
    assert "Traceback" in capsys.readouterr().err


def test_leaving_by_exit_is_a_failure() -> None:
    assert failing(SystemExit(3)) == {"error": "SystemExit: 3"}


@pytest.mark.parametrize("result", [float("nan"), {1j}, "too deep"])
def test_a_result_that_is_no_json_is_an_error(result: Any) -> None:
    if result == "too deep":
        result = []
        for _ in range(100_000):
            result = [result]
    assert "error" in json.loads(answer_input(lambda args: result, b'{"args":{}}'))


def test_a_tool_answers_and_exits() -> None:
    done = run("conformance_return", {"value": [None]})
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b'{"result":[null]}\n'


def test_prints_go_to_stderr() -> None:
    done = run("conformance_print", {"text": "hello"})
    assert done.stdout == b'{"result":{"printed":true}}\n'
    assert done.stderr == b"hello\n"


def test_a_reported_error_exits_with_status_0() -> None:
    done = run("conformance_fail", {"message": "no"})
    assert (done.returncode, done.stdout) == (0, b'{"error":"no"}\n')


def test_a_tool_whose_answer_nobody_reads_exits_with_status_1() -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            TOOL, input=b"{}", stdout=write, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (1, b"")


def test_nothing_slow_is_imported() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *TOOL[1:]],
        input=b"{}",
        capture_output=True,
        check=True,
    )
    imported = {line.split(b"|")[-1].strip() for line in done.stderr.splitlines()}
    assert b"wireproof_reference.exec.tool" in imported
    assert not imported & {b"anyio", b"asyncio", b"dataclasses", b"orjson", b"yaml"}
