from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import anyio
import pytest

from wireproof_reference._pipes import PipeReader
from wireproof_reference.framing import JSON, dumps, loads
from wireproof_reference.host_v1 import (
    EXIT_ANSWERED,
    EXIT_NOT_READ,
    Host,
    conformance_toolset,
    run_stdio,
    serve_fds,
    take_stdio,
)

HOST = [sys.executable, "-m", "wireproof_reference", "host"]


def request(method: str, params: JSON, request_id: str = "1") -> bytes:
    value: JSON = {"v": 1, "id": request_id, "method": method, "params": params}
    return dumps(value) + b"\n"


def tool_call(name: str, arguments: JSON, request_id: str = "1") -> bytes:
    params: JSON = {"tool_name": name, "arguments": arguments, "state": {}}
    return request("execute_tool", params, request_id)


def run(
    data: bytes | None,
    *arguments: str,
    command: list[str] = HOST,
    stdin: IO[bytes] | int | None = None,
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(  # our own interpreter
        [*command, *arguments],
        input=data,
        stdin=stdin,
        capture_output=True,
        check=True,
    )


@pytest.fixture(params=["asyncio", "trio"])
def backend(request: pytest.FixtureRequest) -> str:
    return f"--backend={request.param}"


def test_the_host_answers_and_exits_at_end_of_file(backend: str) -> None:
    done = run(request("required_tags", {}) + request("nope", {}, "2"), backend)
    assert done.stdout == (
        b'{"v":1,"id":"1","ok":true,"result":{"value":["conformance"]}}\n'
        b'{"v":1,"id":"2","ok":false,'
        b'"error":{"type":"UnknownMethod","detail":"unknown method \'nope\'"}}\n'
    )
    assert done.stderr == b""


def test_what_is_in_flight_at_end_of_file_is_finished(backend: str) -> None:
    data = tool_call("conformance_sleep", {"ms": 20})
    done = run(data + tool_call("conformance_echo", {"value": 1}, "2"), backend)
    assert [loads(line)["id"] for line in done.stdout.splitlines()] == ["2", "1"]  # type: ignore[index, call-overload]  # a response is an object


def test_a_print_goes_to_stderr(backend: str) -> None:
    done = run(tool_call("conformance_print", {"text": "hello"}), backend)
    assert done.stderr == b"hello\n"
    assert done.stdout.count(b"\n") == 1
    assert b"hello" not in done.stdout


def test_a_flood_on_stderr_does_not_hold_up_the_reply(backend: str) -> None:
    done = run(tool_call("conformance_stderr", {"size": 1 << 20}), backend)
    assert len(done.stderr) == 1 << 20
    assert b'"written":1048576' in done.stdout


@pytest.mark.parametrize("mebibytes", [1, 16])
def test_a_large_message_goes_both_ways(mebibytes: int, backend: str) -> None:
    text = "x" * (mebibytes << 20)
    done = run(tool_call("conformance_echo", {"value": text}), backend)
    assert len(done.stdout) > len(text)
    assert done.stdout.endswith(b'"}},"state":{}}}\n')


def test_a_file_and_no_input_are_read_too(tmp_path: Path, backend: str) -> None:
    path = tmp_path / "requests"
    path.write_bytes(request("required_tags", {}) * 3)
    with path.open("rb") as requests:
        done = run(None, backend, stdin=requests)
    assert done.stdout.count(b'"ok":true') == 3
    done = run(None, backend, stdin=subprocess.DEVNULL)
    assert done.stdout == b""


CHILDREN = """
import subprocess, sys
from dataclasses import replace
from wireproof_reference.host_v1 import conformance_toolset, run_stdio

def tags():
    print("printed")
    sys.__stdout__.write("written\\n")
    sys.__stdout__.flush()
    subprocess.run(["sh", "-c", "echo child; cat"], check=True)
    return ["stdin is " + repr(sys.stdin.read())]

sys.exit(run_stdio(replace(conformance_toolset(), required_tags=tags)))
"""


def test_nothing_but_the_protocol_reaches_the_client() -> None:
    command = [sys.executable, "-c", CHILDREN]
    done = run(request("required_tags", {}), command=command)
    assert (
        done.stdout
        == b'{"v":1,"id":"1","ok":true,"result":{"value":["stdin is \'\'"]}}\n'
    )
    assert done.stderr == b"printed\nwritten\nchild\n"


def test_a_host_that_nobody_reads_ends() -> None:
    with subprocess.Popen(  # our own interpreter
        HOST, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.close()
        process.stdin.write(request("required_tags", {}))
        process.stdin.flush()
        # Its input is still open.
        assert process.wait() == EXIT_NOT_READ


@pytest.fixture
def pipes() -> Iterator[tuple[int, int, int, int]]:
    requests, client_out = os.pipe()
    client_in, replies = os.pipe()
    yield requests, replies, client_in, client_out
    for fd in (requests, replies, client_in):
        os.close(fd)


@pytest.mark.anyio
async def test_a_host_serves_two_descriptors(pipes: tuple[int, int, int, int]) -> None:
    requests, replies, client_in, client_out = pipes
    statuses: list[int] = []

    async def serve() -> None:
        statuses.append(await serve_fds(conformance_toolset(), requests, replies))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(serve)
        os.write(client_out, request("required_tags", {}))
        assert b'"ok":true' in await PipeReader(client_in).receive()
        os.close(client_out)
    assert statuses == [EXIT_ANSWERED]


@pytest.mark.anyio
async def test_a_host_stops_when_nobody_reads() -> None:
    requests, client_out = os.pipe()
    client_in, replies = os.pipe()
    os.close(client_in)
    os.write(client_out, request("required_tags", {}))
    status = await serve_fds(conformance_toolset(), requests, replies)
    for fd in (requests, client_out, replies):
        os.close(fd)
    assert status == EXIT_NOT_READ


@contextmanager
def piped_stdio() -> Iterator[tuple[int, int]]:
    """Makes pipes of our own stdin and stdout; gives the client's ends."""
    stdout_object = sys.stdout
    kept = os.dup(0), os.dup(1)
    stdin, client_out = os.pipe()
    client_in, stdout = os.pipe()
    os.dup2(stdin, 0)
    os.dup2(stdout, 1)
    os.close(stdin)
    os.close(stdout)
    try:
        yield client_in, client_out
    finally:
        sys.stdout = stdout_object
        os.dup2(kept[0], 0)
        os.dup2(kept[1], 1)
        for fd in (*kept, client_in):
            os.close(fd)


def test_stdio_is_taken_for_good() -> None:
    with piped_stdio() as (client_in, client_out):
        taken_in, taken_out = take_stdio()
        os.write(client_out, b"request")
        assert os.read(0, 10) == b""
        assert os.read(taken_in, 10) == b"request"
        os.write(1, b"noise")
        os.write(taken_out, b"reply")
        assert os.read(client_in, 10) == b"reply"
        assert sys.stdout is sys.stderr
        for fd in (taken_in, taken_out, client_out):
            os.close(fd)


def test_a_program_serves_its_stdio() -> None:
    with piped_stdio() as (client_in, client_out):
        os.write(client_out, request("required_tags", {}))
        os.close(client_out)
        assert run_stdio(conformance_toolset(), Host) == EXIT_ANSWERED
        assert b'"ok":true' in os.read(client_in, 1000)
