from __future__ import annotations

import os
import signal
import sys
from itertools import count
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from wireproof_reference import LocalProtocolError, RemoteProtocolError
from wireproof_reference._pipes import PipeReader
from wireproof_reference.framing import JSON, JSONObject
from wireproof_reference.host_v1 import (
    CallTimeout,
    Execution,
    HostClient,
    HostFailure,
    HostLost,
    Reply,
)

pytestmark = pytest.mark.anyio

REFERENCE = [sys.executable, "-m", "wireproof_reference", "host"]

PRELUDE = """
import json, os, signal, subprocess, sys

def read():
    line = sys.stdin.readline()
    return json.loads(line) if line else None

def write(request, **message):
    print(json.dumps({"v": 1, "id": request["id"], **message}), flush=True)

def succeed(request, value, **more):
    write(request, ok=True, result={"value": value, **more})

first = read()
"""
STATE = 'succeed(first, {"n": 0}, state={"n": 0})\n'


def script(body: str, start: str = STATE) -> list[str]:
    """A host in a few lines of Python, that has answered `init`."""
    return [sys.executable, "-S", "-E", "-c", PRELUDE + start + body]


ENVELOPE: JSONObject = {
    "type": "provider_native_tool_result",
    "format": "openai.chat_completions",
    "content": [{"type": "text", "text": "hi"}],
}


async def test_the_client_round_trips_the_state() -> None:
    async with HostClient(REFERENCE) as client:
        assert client.state == {"conformance_counter": 0}
        await client.execute("conformance_counter", {"by": 2})
        done = await client.execute("conformance_counter", {})
    assert done == Execution(
        (), {"success": True, "result": {"counter": 3}}, {"conformance_counter": 3}
    )
    assert client.state == {"conformance_counter": 3}


async def test_parts_become_chunks() -> None:
    seen: list[JSONObject] = []
    parts: list[JSON] = [{"n": 1}, {"n": 2}]
    async with HostClient(REFERENCE) as client:
        done = await client.execute(
            "conformance_stream", {"parts": parts}, on_chunk=seen.append
        )
    assert done.chunks == ({"part": {"n": 1}}, {"part": {"n": 2}})
    assert seen == list(done.chunks)


async def test_chunks_are_shown_as_they_come(tmp_path: Path) -> None:
    # The host goes on only when the first chunk was shown.
    body = """
request = read()
write(request, event={"type": "part", "payload": 1})
with open(request["params"]["arguments"]["fifo"]) as fifo: fifo.read()
write(request, event={"type": "log", "payload": 2})
write(request, event={"type": "part", "payload": None})
succeed(request, {"success": True, "result": None})
read()
"""
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    seen: list[JSONObject] = []

    def show(chunk: JSONObject) -> None:
        if not seen:
            fifo.write_text("go on")
        seen.append(chunk)

    async with HostClient(script(body)) as client:
        await client.execute("t", {"fifo": str(fifo)}, on_chunk=show)
    assert seen == [{"part": 1}, {"part": None}]


async def test_a_failure_is_an_error_with_its_fields() -> None:
    async with HostClient(REFERENCE) as client:
        with pytest.raises(HostFailure, match=r"^RuntimeError: boom$") as caught:
            await client.execute("conformance_throw", {"message": "boom"})
    assert caught.value.type == "RuntimeError"
    assert caught.value.detail == "boom"
    assert caught.value.stack is not None


async def test_a_request_sends_params_as_they_are() -> None:
    async with HostClient(REFERENCE, config={"a": 1}) as client:
        assert await client.request("required_tags", {}) == Reply(["conformance"], None)
        assert await client.request("required_tags", {"state": {"x": 1}}) == Reply(
            ["conformance"], {"x": 1}
        )
        assert client.state == {"x": 1}


async def test_many_calls_run_side_by_side() -> None:
    async with HostClient(REFERENCE) as client:
        outcomes = await client.execute_many(
            [
                ("conformance_sleep", {"ms": 30}),
                ("conformance_throw", {"message": "x"}),
                ("conformance_echo", {"value": 1}),
            ]
        )
        replies = await client.request_many([("required_tags", {}), ("nope", {})])
    slept, thrown, echoed = outcomes
    assert isinstance(slept, Execution)
    assert isinstance(thrown, HostFailure)
    assert isinstance(echoed, Execution)
    assert echoed.result == {"success": True, "result": {"value": 1}}
    assert replies[0] == Reply(["conformance"], None)
    assert isinstance(replies[1], HostFailure)


async def test_answers_are_matched_in_any_order() -> None:
    body = """
requests = [read() for _ in range(3)]
for request in reversed(requests):
    print("a stray line", flush=True)
    print(json.dumps({"v": 1, "id": "?", "ok": True, "result": {"value": 0}}))
    succeed(request, request["params"]["n"])
read()
"""
    async with HostClient(script(body)) as client:
        replies = await client.request_many([("m", {"n": n}) for n in range(3)])
    assert replies == [Reply(0, None), Reply(1, None), Reply(2, None)]


async def test_requests_are_messages_of_the_protocol() -> None:
    body = """
request = read()
succeed(request, [first, request])
read()
"""
    ids = count(1)
    client = HostClient(
        script(body), config={"c": 1}, new_id=lambda: f"call-{next(ids)}"
    )
    async with client:
        done = await client.execute("t", {"a": 1})
    assert done.result == [
        {"v": 1, "id": "call-1", "method": "init", "params": {"config": {"c": 1}}},
        {
            "v": 1,
            "id": "call-2",
            "method": "execute_tool",
            "params": {"tool_name": "t", "arguments": {"a": 1}, "state": {"n": 0}},
        },
    ]


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        ("text", "text"),
        (ENVELOPE, ENVELOPE),
        ({**ENVELOPE, "format": "other"}, None),
        ({"plain": [1]}, '{"plain":[1]}'),
        (5, "5"),
    ],
)
async def test_only_an_envelope_stays_structured(result: JSON, shown: JSON) -> None:
    body = """
request = read()
succeed(request, request["params"]["result"])
read()
"""
    async with HostClient(script(body)) as client:
        found = await client.format_tool_result(result)
    if shown is None:
        assert isinstance(found, str)
    else:
        assert found == shown


async def test_a_call_has_a_deadline_and_a_late_answer_is_nobodys() -> None:
    body = """
late = read()
request = read()
succeed(late, "late", state={"late": True})
succeed(request, "mine")
read()
"""
    async with HostClient(script(body)) as client:
        with pytest.raises(CallTimeout, match="m was not answered within"):
            await client.request("m", {}, within=0.01)
        assert await client.request("m", {}) == Reply("mine", None)
        assert client.state == {"n": 0}


async def test_many_calls_have_a_deadline_each() -> None:
    async with HostClient(script("read(); read(); read()")) as client:
        outcomes = await client.request_many([("m", {}), ("m", {})], within=0.01)
    assert [type(outcome) for outcome in outcomes] == [CallTimeout, CallTimeout]


@pytest.mark.parametrize(
    "answer",
    [
        'write(request, ok=False, error={"type": "E", "detail": "d"})',
        "succeed(request, 1)",
        "succeed(request, 1, state=None)",
        "succeed(request, 1, state=[1])",
    ],
)
async def test_the_state_stays_where_none_comes(answer: str) -> None:
    async with HostClient(script(f"request = read(); {answer}; read()")) as client:
        await client.request_many([("m", {})])
        assert client.state == {"n": 0}


async def test_an_answer_that_is_no_message_is_an_error() -> None:
    body = "request = read(); write(request, ok='yes'); read()"
    async with HostClient(script(body)) as client:
        with pytest.raises(RemoteProtocolError, match="neither ok nor event"):
            await client.request("m", {})


async def test_a_method_must_be_in_snake_case() -> None:
    async with HostClient(script("read()")) as client:
        with pytest.raises(LocalProtocolError):
            await client.request_many([("fine", {}), ("NotFine", {})])
        assert client._link._calls == {}


async def test_the_state_may_come_as_the_value_of_init() -> None:
    start = 'succeed(first, {"only": "value"})\n'
    async with HostClient(script("read()", start)) as client:
        assert client.state == {"only": "value"}


async def test_init_must_give_a_state() -> None:
    with pytest.raises(RemoteProtocolError, match="init gave no state"):
        async with HostClient(script("read()", "succeed(first, 5)\n")):
            pytest.fail("there is no state to work with")


async def test_a_program_that_is_not_there_is_lost(tmp_path: Path) -> None:
    with pytest.raises(HostLost, match="the host did not start"):
        async with HostClient([str(tmp_path / "nothing")]):
            pytest.fail("there is no host to work with")


async def test_death_fails_every_call_with_status_and_last_line() -> None:
    body = """
read(); read()
sys.stderr.write("first\\nlast words\\n\\n")
sys.exit(3)
"""
    async with HostClient(script(body)) as client:
        lost = await client.request_many([("m", {}), ("m", {})])
        again = await client.request_many([("m", {})])
    assert [str(outcome) for outcome in lost + again] == [
        "the host exited with status 3 after writing 'last words' to stderr"
    ] * 3


async def test_death_in_init_is_told() -> None:
    with pytest.raises(HostLost) as caught:
        async with HostClient(script("", "os.kill(os.getpid(), signal.SIGKILL)\n")):
            pytest.fail("there is no host to work with")
    assert caught.value.status == -signal.SIGKILL
    assert caught.value.last_line == ""


async def test_death_is_noticed_while_a_grandchild_holds_the_pipes() -> None:
    body = """
request = read()
print(subprocess.Popen(["sleep", "1000"]).pid, file=sys.stderr, flush=True)
other = read()
succeed(request, "before death")
os._exit(4)
"""
    async with HostClient(script(body)) as client:
        outcomes = await client.request_many([("m", {}), ("m", {})])
        grandchild = int(await stderr_of(client))
    reply, lost = outcomes
    assert reply == Reply("before death", None)
    assert isinstance(lost, HostLost)
    assert lost.status == 4
    assert lost.last_line == str(grandchild)
    await gone(grandchild)


async def test_what_a_dead_host_wrote_is_read_before_calls_fail(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    body = """
request = read()
succeed(request, 1)
print("bye", file=sys.stderr, flush=True)
os._exit(5)
"""
    client = HostClient(script(body))
    receive = PipeReader.receive
    stdout_reads = iter(["the answer to init"])

    async def receive_once(reader: PipeReader) -> bytes:
        if reader is not client._link._stdout or not next(stdout_reads, None):
            await anyio.sleep_forever()
        return await receive(reader)

    monkeypatch.setattr(PipeReader, "receive", receive_once)
    async with client:
        outcomes = await client.request_many([("m", {}), ("m", {})])
    reply, lost = outcomes
    assert reply == Reply(1, None)
    assert isinstance(lost, HostLost)
    assert (lost.status, lost.last_line) == (5, "bye")


def is_alive(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


async def gone(pid: int) -> None:
    """Waits until a process that was killed is not there, or only as a zombie."""
    while is_alive(pid):
        await anyio.lowlevel.checkpoint()


async def stderr_of(client: HostClient) -> str:
    """Waits until the host has written a line to stderr."""
    while not client.stderr_tail.endswith(b"\n"):
        await anyio.lowlevel.checkpoint()
    return client.stderr_tail.decode()


async def test_a_host_that_closes_stdout_is_lost() -> None:
    body = "read(); os.close(1); read()"
    async with HostClient(script(body)) as client:
        with pytest.raises(HostLost, match=r"^the host closed its stdout$") as caught:
            await client.request("m", {})
    assert caught.value.status is None


async def test_a_host_that_closes_stdin_is_lost() -> None:
    body = 'os.close(0); print("deaf", file=sys.stderr, flush=True); signal.pause()'
    async with HostClient(script(body), grace=0.01) as client:
        assert await stderr_of(client) == "deaf\n"
        with pytest.raises(HostLost, match=r"the host closed its stdin after .*deaf"):
            await client.request("m", {})


async def test_a_host_that_stays_is_killed() -> None:
    body = """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(os.getpid(), file=sys.stderr, flush=True)
succeed(read(), None)
while True: signal.pause()
"""
    async with HostClient(script(body), grace=0.01) as client:
        await client.request("m", {})
        pid = int(await stderr_of(client))
    await gone(pid)


async def test_a_client_that_was_left_calls_nobody() -> None:
    async with HostClient(script("read()")) as client:
        pass
    with pytest.raises(HostLost, match="was ended by the client"):
        await client.request("m", {})


async def test_leaving_fails_the_calls_of_other_tasks() -> None:
    outcomes: list[object] = []

    async def call(client: HostClient) -> None:
        outcomes.extend(await client.request_many([("m", {})]))

    async with (
        anyio.create_task_group() as tasks,
        HostClient(script("read(); read()")) as client,
    ):
        tasks.start_soon(call, client)
        await anyio.wait_all_tasks_blocked()
    assert [str(outcome) for outcome in outcomes] == [
        "the host was ended by the client"
    ]


async def test_an_error_in_the_body_is_raised_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError):
        async with HostClient(script("read()")):
            raise ZeroDivisionError


async def test_a_cancelled_call_is_forgotten() -> None:
    async with HostClient(REFERENCE, grace=0.01) as client:
        with anyio.move_on_after(0.01):
            await client.execute("conformance_sleep", {"ms": 60_000})
        assert client._link._calls == {}
        assert await client.request("required_tags", {}) == Reply(["conformance"], None)


async def test_a_cancelled_client_ends_its_host() -> None:
    pids: list[int] = []
    body = (
        "print(os.getpid(), file=sys.stderr, flush=True); succeed(read(), None); read()"
    )
    with anyio.CancelScope() as scope:
        async with HostClient(script(body)) as client:
            await client.request("m", {})
            pids.append(int(await stderr_of(client)))
            scope.cancel()
            await anyio.sleep_forever()
    await gone(pids[0])


async def test_environment_and_folder_are_given(tmp_path: Path) -> None:
    body = 'succeed(read(), [os.getcwd(), os.environ.get("ONLY")]); read()'
    async with HostClient(script(body), env={"ONLY": "this"}, cwd=tmp_path) as client:
        reply = await client.request("m", {})
    assert reply.value == [str(tmp_path), "this"]


@pytest.mark.parametrize("mebibytes", [1, 16])
async def test_large_messages_go_both_ways(mebibytes: int) -> None:
    text = "x" * (mebibytes << 20)
    async with HostClient(REFERENCE) as client:
        done = await client.execute("conformance_echo", {"value": text})
    assert done.result == {"success": True, "result": {"value": text}}


async def test_a_flood_on_stderr_is_drained_and_bounded() -> None:
    async with HostClient(REFERENCE) as client:
        done = await client.execute("conformance_stderr", {"size": 1 << 20})
        assert done.result == {"success": True, "result": {"written": 1 << 20}}
        assert set(client.stderr_tail) <= set(b"x")
        assert len(client.stderr_tail) <= 64 * 1024
