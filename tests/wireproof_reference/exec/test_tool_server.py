from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from wireproof_reference.exec.tool import ToolError, _server
from wireproof_reference.exec.tool._rpc import answer_line

SERVER = [sys.executable, "-m", "wireproof_reference", "exec", "server"]


def tool(args: Any) -> Any:
    if "fail" in args:
        raise ToolError(args["fail"])
    if "throw" in args:
        raise RuntimeError(args["throw"])
    if "leave" in args:
        sys.exit(args["leave"])
    return args["value"]


def request(args: Any, **more: Any) -> bytes:
    message = {"jsonrpc": "2.0", "id": 1, "method": "execute", "params": {"args": args}}
    return json.dumps(message | more).encode()


def answer(line: bytes) -> Any:
    return json.loads(answer_line(tool, line))


def code(line: bytes) -> tuple[Any, int]:
    answered = answer(line)
    assert answered["jsonrpc"] == "2.0"
    assert isinstance(answered["error"]["message"], str)
    return answered["id"], answered["error"]["code"]


def test_a_call_is_answered_by_its_result() -> None:
    assert answer(request({"value": None})) == {
        "jsonrpc": "2.0",
        "id": 1,
        "result": None,
    }


@pytest.mark.parametrize(
    "number", ["7", '"7"', '""', "0", "-1", "12345678901234567890", "0.5", "null"]
)
def test_an_id_comes_back_unchanged(number: str) -> None:
    line = request({"value": 5}).replace(b'"id": 1', f'"id": {number}'.encode())
    assert answer_line(tool, line).startswith(
        b'{"jsonrpc":"2.0","id":%b,"result":5}' % number.encode()
    )


def test_a_reported_failure_keeps_its_words() -> None:
    assert answer(request({"fail": "model not loaded"}))["error"] == {
        "code": -32000,
        "message": "model not loaded",
    }


def test_an_uncaught_error_is_an_internal_one() -> None:
    assert code(request({"throw": "m"})) == (1, -32603)
    assert code(request({"leave": 3})) == (1, -32603)


def test_a_result_that_is_no_json_is_an_internal_error() -> None:
    answered = answer_line(lambda args: float("inf"), request({}))
    assert json.loads(answered)["error"]["code"] == -32603
    assert b"the result is no JSON" in answered


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"nope", (None, -32700)),
        (b'"\xff"', (None, -32700)),
        (b"5", (None, -32600)),
        (b"[]", (None, -32600)),
        (b"{}", (None, -32600)),
        (b'{"jsonrpc":"2.0","id":4}', (4, -32600)),
        (b'{"jsonrpc":"1.0","id":4,"method":"execute"}', (4, -32600)),
        (b'{"jsonrpc":"2.0","id":[4],"method":"execute"}', (None, -32600)),
        (b'{"jsonrpc":"2.0","id":true,"method":"execute"}', (None, -32600)),
        (b'{"jsonrpc":"2.0","id":4,"method":5}', (4, -32600)),
        (b'{"jsonrpc":"2.0","id":4,"method":"list"}', (4, -32601)),
        (b'{"jsonrpc":"2.0","id":4,"method":"execute"}', (4, -32602)),
        (b'{"jsonrpc":"2.0","id":4,"method":"execute","params":[1]}', (4, -32602)),
        (
            b'{"jsonrpc":"2.0","id":4,"method":"execute","params":{"args":1}}',
            (4, -32602),
        ),
    ],
)
def test_what_cannot_be_carried_out_has_the_standard_code(
    line: bytes, expected: tuple[Any, int]
) -> None:
    assert code(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b" \r\n",
        b'{"jsonrpc":"2.0","method":"execute","params":{"args":{"value":1}}}',
        b'{"jsonrpc":"2.0","method":"log"}',
        b'[{"jsonrpc":"2.0","method":"log"}]',
    ],
)
def test_blank_lines_and_notifications_are_not_answered(line: bytes) -> None:
    assert answer_line(tool, line) == b""


def test_a_batch_is_answered_by_an_array() -> None:
    batch = [
        request({"value": 1}),
        b'{"jsonrpc":"2.0","method":"log"}',
        b"7",
        request({"value": 2}, id="b"),
    ]
    answers = answer(b"[" + b",".join(batch) + b"]")
    assert [each["id"] for each in answers] == [1, None, "b"]


def test_state_lives_from_call_to_call_and_the_end_of_input_is_the_end() -> None:
    lines = [
        request({"tool": "conformance_counter"}),
        request({"tool": "conformance_throw", "arguments": {"message": "m"}}, id=2),
        request({"tool": "conformance_print", "arguments": {"text": "t"}}, id=3),
        request({"tool": "conformance_counter"}, id=4),
    ]
    done = subprocess.run(
        SERVER, input=b"\n".join(lines), capture_output=True, check=True
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["id"] for each in answers] == [1, 2, 3, 4]
    assert answers[0]["result"] == {"counter": 1}
    assert answers[3]["result"] == {"counter": 2}


def test_an_answer_comes_while_stdin_stays_open() -> None:
    with subprocess.Popen(
        SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(request({"tool": "conformance_counter"}) + b"\n")
        server.stdin.flush()
        line = server.stdout.readline()
    assert json.loads(line)["result"] == {"counter": 1}
    assert server.returncode == 0


def test_a_line_that_is_too_long_is_refused_and_skipped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_server, "MAX_LINE_BYTES", 10)
    read, write = os.pipe()
    with os.fdopen(read, "rb") as requests:
        os.write(write, b"0123456789\n0123456789a\n" + b"x" * 35 + b"\nshort\nlast")
        os.close(write)
        lines = list(_server._lines(requests))
    assert lines == [b"0123456789\n", None, None, b"short\n", b"last"]


def test_a_server_that_nobody_listens_to_exits_with_status_1() -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            SERVER, input=b"5\n", stdout=write, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (1, b"")
