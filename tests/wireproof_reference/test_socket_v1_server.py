from __future__ import annotations

import os
import socket
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest
from tests.wireproof_reference.socket_v1_serving import (
    LONG_MS,
    Wire,
    audit_lines,
    cancel,
    connected,
    error,
    failure,
    registry_of,
    result,
    serving,
    success,
    tool_call,
    trying,
)

from wireproof_reference.framing import JSON, JSONObject, loads
from wireproof_reference.socket_v1 import (
    MAX_CALLS,
    Call,
    CallContext,
    SocketPathTaken,
    SocketServer,
    ToolError,
    ToolResult,
    conformance_registry,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a name short enough for a socket in it."""
    return tmp_path_factory.mktemp("s")


# --- messages -------------------------------------------------------------------


async def test_the_tools_are_listed(folder: Path) -> None:
    async with trying(folder) as wire:
        await wire.send({"type": "list_tools"})
        frame = await wire.receive()
    tools = frame["tools"]
    assert isinstance(tools, list)
    assert tools[0] == {
        "name": "conformance_echo",
        "description": "Return the value unchanged.",
        "inputSchema": {
            "type": "object",
            "properties": {"value": {"description": "Any JSON value, null included."}},
            "required": ["value"],
        },
        "capabilities": ["read-only"],
    }
    assert len(tools) == 17


async def test_bad_lines_are_answered_and_the_connection_lives(folder: Path) -> None:
    async with trying(folder) as wire:
        await wire.send_bytes(b'junk\n\r\n"\xff"\n[]\n')
        await wire.send({**tool_call("conformance_echo"), "protocol": 2})
        frames = [await wire.receive() for _ in range(4)]
        assert frames == [
            error("not-json: expecting value"),
            error("not-utf8: invalid start byte"),
            error("a message must be an object"),
            error("protocol must be 1", "1"),
        ]
        assert await wire.call("conformance_echo", {"value": 1}) == success(
            {"value": 1}
        )


async def test_a_frame_may_have_eight_mebibytes_and_no_more(folder: Path) -> None:
    frame = (
        b'{"type":"tool_call","requestId":"1","toolName":"conformance_echo",'
        b'"arguments":{"value":1}}'
    )
    size = 8 * 1024 * 1024
    async with trying(folder) as wire:
        await wire.send_bytes(frame.ljust(size) + b"\n")
        assert await wire.receive() == result(success({"value": 1}))
        await wire.send_bytes(frame.ljust(size + 1) + b"\n")
        assert await wire.receive() == error("a line of 8388609 bytes is too long")
        assert await wire.call("conformance_echo", {"value": 2}) == success(
            {"value": 2}
        )


async def test_a_message_is_read_byte_by_byte(folder: Path) -> None:
    async with trying(folder) as wire:
        for byte in b'{"type":"list_tools","clientInfo":{"caller":"plugin"}}\r\n':
            await wire.send_bytes(bytes((byte,)))
        assert (await wire.receive())["type"] == "tools_list"


# --- calls ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("conformance_echo", {"value": None}, success({"value": None})),
        ("conformance_echo", {"value": 2**70}, success({"value": 2**70})),
        ("conformance_counter", {"by": 5.0}, success({"counter": 5})),
        ("conformance_blob", {"size": 3}, success("xxx")),
        ("conformance_throw", {"message": "boom"}, failure("TOOL_FAILED", "boom")),
        ("conformance_fail", {"message": "no"}, failure("TOOL_FAILED", "no")),
        (
            "conformance_fail",
            {"message": "no", "code": "CANCELLED", "details": None},
            {
                "ok": False,
                "error": {"code": "CANCELLED", "message": "no", "details": None},
            },
        ),
        (
            "conformance_fail",
            {"message": "no", "code": "MY_OWN"},
            failure("TOOL_FAILED", "no"),
        ),
        (
            "conformance_envelope",
            {"envelope": {"ok": True, "meta": {"a": 1}, "diagnostics": []}},
            {"ok": True, "meta": {"a": 1}, "diagnostics": []},
        ),
        (
            "conformance_envelope",
            {"envelope": {"ok": "yes"}},
            failure("TOOL_FAILED", "the tool's result.ok must be a boolean"),
        ),
        ("nope", {}, failure("UNKNOWN_TOOL", "unknown tool 'nope'")),
        (
            "conformance_echo",
            {},
            failure(
                "VALIDATION_ERROR", 'arguments must satisfy {"required":["value"]}'
            ),
        ),
        (
            "conformance_sleep",
            {"ms": "hunter2"},
            failure("VALIDATION_ERROR", 'ms must satisfy {"type":"integer"}'),
        ),
        (
            "conformance_privileged",
            {"path": "/nowhere/at/all"},
            failure(
                "PERMISSION_DENIED",
                "conformance_privileged needs a grant for writes-files",
            ),
        ),
        (
            "conformance_privileged",
            {"path": 1},
            failure("VALIDATION_ERROR", 'path must satisfy {"type":"string"}'),
        ),
    ],
)
async def test_a_call_comes_to_its_result(
    tool: str, arguments: JSON, expected: JSON, folder: Path
) -> None:
    async with trying(folder) as wire:
        assert await wire.call(tool, arguments) == expected


async def test_arguments_may_be_absent(folder: Path) -> None:
    message = tool_call("conformance_counter")
    del message["arguments"]
    async with trying(folder) as wire:
        await wire.send(message)
        assert await wire.receive() == result(success({"counter": 1}))


async def test_events_come_before_the_result_and_in_order(folder: Path) -> None:
    async with trying(folder) as wire:
        await wire.send(tool_call("conformance_stream", {"parts": [{"a": 1}, {}]}))
        frames = [await wire.receive() for _ in range(3)]
    assert [frame.get("event") for frame in frames] == [
        {"kind": "progress", "message": '{"a":1}'},
        {"kind": "progress", "message": "{}"},
        None,
    ]
    assert frames[2] == result(success({"count": 2}))


async def test_every_kind_of_event_is_sent(folder: Path) -> None:
    async def run(arguments: JSONObject, context: CallContext) -> JSON:
        await context.progress("half", 0.5)
        await context.log("warn", "careful")
        await context.partial_text("some")
        await context.artifact("text/plain", name="n", data_base64="eA==", path="/p")
        return None

    async with trying(folder, registry_of(run)) as wire:
        await wire.send(tool_call("t"))
        assert [(await wire.receive())["event"] for _ in range(4)] == [
            {"kind": "progress", "message": "half", "fraction": 0.5},
            {"kind": "log", "level": "warn", "message": "careful"},
            {"kind": "partial_text", "text": "some"},
            {
                "kind": "artifact",
                "mimeType": "text/plain",
                "name": "n",
                "dataBase64": "eA==",
                "path": "/p",
            },
        ]


async def test_an_event_that_is_none_fails_its_tool(folder: Path) -> None:
    async def run(arguments: JSONObject, context: CallContext) -> JSON:
        await context.progress(fraction=2)
        return None

    async with trying(folder, registry_of(run)) as wire:
        assert await wire.call("t") == failure(
            "TOOL_FAILED",
            "event.fraction of progress is not what it must be (SOCK-E1)",
        )


async def test_a_result_that_json_cannot_hold_is_a_failure(folder: Path) -> None:
    async def run(arguments: JSONObject, context: CallContext) -> JSON:
        return float("nan")

    async with trying(folder, registry_of(run)) as wire:
        assert await wire.call("t") == failure(
            "TOOL_FAILED", "the result: nan has no JSON text"
        )


async def test_a_tool_that_wants_to_exit_fails(folder: Path) -> None:
    async def run(arguments: JSONObject, context: CallContext) -> JSON:
        raise SystemExit("bye")

    async with trying(folder, registry_of(run)) as wire:
        assert await wire.call("t") == failure("TOOL_FAILED", "bye")
        assert await wire.call("t") == failure("TOOL_FAILED", "bye")


async def test_a_slow_call_holds_up_no_fast_one(folder: Path) -> None:
    async with trying(folder) as wire:
        await wire.send(
            tool_call("conformance_sleep", {"ms": LONG_MS}, "slow"),
            tool_call("conformance_echo", {"value": 1}, "fast"),
        )
        assert await wire.receive() == result(success({"value": 1}), "fast")


async def test_two_connections_may_use_one_id(folder: Path) -> None:
    async with trying(folder) as first, connected(folder) as second:
        await first.send(tool_call("conformance_sleep", {"ms": LONG_MS}))
        assert await second.call("conformance_echo", {"value": 1}) == success(
            {"value": 1}
        )
        await second.send(cancel())
        await second.send({"type": "list_tools"})
        assert (await second.receive())["type"] == "tools_list"
        await first.send({"type": "list_tools"}, cancel())
        assert (await first.receive())["type"] == "tools_list"
        assert await first.receive() == result(
            failure("CANCELLED", "conformance_sleep was cancelled")
        )


async def test_an_id_in_flight_is_refused_and_its_call_goes_on(folder: Path) -> None:
    async with trying(folder) as wire:
        await wire.send(
            tool_call("conformance_sleep", {"ms": LONG_MS}),
            tool_call("conformance_echo", {"value": 1}),
            cancel(),
        )
        assert await wire.receive() == error(
            "a call with this requestId is in flight", "1"
        )
        assert await wire.receive() == result(
            failure("CANCELLED", "conformance_sleep was cancelled")
        )


async def test_a_call_too_many_is_refused(folder: Path) -> None:
    class Narrow(SocketServer):
        def check_running(self, call: Call) -> ToolResult | None:
            if len(call.peer.calls) <= 2:
                return None
            call.peer.calls |= {str(n): call for n in range(MAX_CALLS)}
            refusal = super().check_running(call)
            for n in range(MAX_CALLS):
                del call.peer.calls[str(n)]
            return refusal

    sleep: JSON = {"ms": LONG_MS}
    async with trying(folder, server_class=Narrow) as wire:
        await wire.send(
            tool_call("conformance_sleep", sleep, "a"),
            tool_call("conformance_sleep", sleep, "b"),
            tool_call("conformance_sleep", sleep, "c"),
        )
        assert await wire.receive() == result(
            failure("TOOL_FAILED", "more than 10000 calls are in flight"), "c"
        )


# --- cancel, timeout, close -----------------------------------------------------


@pytest.mark.parametrize("ignore", [False, True])
async def test_a_cancelled_call_resolves_at_once(ignore: bool, folder: Path) -> None:  # noqa: FBT001
    async with trying(folder) as wire:
        arguments: JSON = {"ms": LONG_MS, "ignore_cancel": ignore}
        await wire.send(tool_call("conformance_sleep", arguments))
        await wire.send({"type": "list_tools"})
        await wire.receive()
        await wire.send(cancel(), cancel())
        assert await wire.receive() == result(
            failure("CANCELLED", "conformance_sleep was cancelled")
        )
        aborted = 0 if ignore else 1
        counts: JSON = {"aborted": aborted, "waits": 0}
        assert await wire.call("conformance_aborts") == success(counts)


@pytest.mark.parametrize("ignore", [False, True])
async def test_a_call_that_takes_too_long_resolves(ignore: bool, folder: Path) -> None:  # noqa: FBT001
    async with trying(folder) as wire:
        arguments: JSON = {"ms": LONG_MS, "ignore_cancel": ignore}
        assert await wire.call("conformance_sleep", arguments, timeoutMs=5) == failure(
            "TIMEOUT", "conformance_sleep timed out after 5 ms"
        )


async def test_a_tool_has_a_timeout_of_its_own(folder: Path) -> None:
    async with trying(folder) as wire:
        assert await wire.call("conformance_limited", {"ms": LONG_MS}) == failure(
            "TIMEOUT", "conformance_limited timed out after 500 ms"
        )
        assert await wire.call(
            "conformance_limited", {"ms": 510}, timeoutMs=LONG_MS
        ) == success({"slept_ms": 510})


@pytest.mark.parametrize("timeout_ms", [2**31, 2**53 - 1, 10**400])
async def test_a_long_deadline_is_long(timeout_ms: int, folder: Path) -> None:
    async with trying(folder) as wire:
        assert await wire.call(
            "conformance_sleep", {"ms": 20}, timeoutMs=timeout_ms
        ) == success({"slept_ms": 20})


async def test_a_tool_that_goes_on_disturbs_nothing(folder: Path) -> None:
    started, go_on, done = anyio.Event(), anyio.Event(), anyio.Event()

    async def run(arguments: JSONObject, context: CallContext) -> JSON:
        if arguments:
            return None
        started.set()
        await go_on.wait()
        assert context.signal.aborted
        assert context.signal.reason == "t was cancelled"
        await context.partial_text("too late")
        done.set()
        return "too late"

    async with trying(folder, registry_of(run)) as wire:
        await wire.send(tool_call("t"))
        await started.wait()
        await wire.send(cancel())
        assert await wire.receive() == result(failure("CANCELLED", "t was cancelled"))
        go_on.set()
        await done.wait()
        assert await wire.call("t", {"fence": 1}) == success(None)


async def test_a_tool_that_returns_when_aborted_does_not_succeed(folder: Path) -> None:
    started = anyio.Event()

    async def run(arguments: JSONObject, context: CallContext) -> JSON:
        started.set()
        await context.signal.wait()
        return "fine"

    async with trying(folder, registry_of(run)) as wire:
        await wire.send(tool_call("t"))
        await started.wait()
        await wire.send(cancel(), tool_call("nope", None, "2"))
        assert await wire.receive() == result(failure("CANCELLED", "t was cancelled"))
        assert (await wire.receive())["requestId"] == "2"


async def test_a_closed_connection_aborts_its_calls(folder: Path) -> None:
    started, aborted = anyio.Event(), anyio.Event()

    async def run(arguments: JSONObject, context: CallContext) -> JSON:
        started.set()
        await context.signal.wait()
        aborted.set()
        return None

    async with serving(folder, registry_of(run)) as server:
        async with connected(folder) as wire:
            await wire.send(tool_call("t"))
            await started.wait()
        with anyio.fail_after(20):
            await aborted.wait()
        assert [line["result"] for line in audit_lines(folder)] == [
            failure("CANCELLED", "the connection was closed")
        ]
        async with connected(folder) as wire:
            assert await wire.call("nope") == failure(
                "UNKNOWN_TOOL", "unknown tool 'nope'"
            )
            assert len(server.peers) == 1


async def test_a_client_that_closed_its_write_side_gets_its_results(
    folder: Path,
) -> None:
    async with trying(folder) as wire:
        await wire.send(tool_call("conformance_sleep", {"ms": 20}))
        await wire.stream.send_eof()
        assert await wire.receive() == result(success({"slept_ms": 20}))
        assert await wire.ended()


async def test_a_client_that_closes_the_rest_later_aborts_its_calls(
    folder: Path,
) -> None:
    aborted = anyio.Event()

    async def run(arguments: JSONObject, context: CallContext) -> JSON:
        await context.partial_text("here")
        await context.signal.wait()
        aborted.set()
        return None

    async with serving(folder, registry_of(run)):
        async with connected(folder) as wire:
            await wire.send(tool_call("t"))
            await wire.stream.send_eof()
            assert (await wire.receive())["type"] == "tool_event"
        with anyio.fail_after(20):
            await aborted.wait()


# --- peers ----------------------------------------------------------------------


async def test_a_client_that_does_not_read_harms_nobody(folder: Path) -> None:
    async with trying(folder) as wire, connected(folder) as silent:
        size = 1024 * 1024
        calls = [
            tool_call("conformance_blob", {"size": size}, str(n)) for n in range(20)
        ]
        await silent.send(*calls)
        for value in range(50):
            assert await wire.call("conformance_echo", {"value": value}) == success(
                {"value": value}
            )
        ids = [(await silent.receive())["requestId"] for _ in calls]
        assert sorted(map(str, ids)) == sorted(str(n) for n in range(20))


async def test_little_is_kept_for_a_client_that_does_not_read(folder: Path) -> None:
    size = 1024 * 1024
    async with serving(folder) as server, connected(folder) as silent:
        await silent.send(
            *(tool_call("conformance_blob", {"size": size}, str(n)) for n in range(99))
        )
        async with connected(folder) as wire:
            for _ in range(50):
                await wire.call("conformance_echo", {"value": 1})
        assert sum(peer.stream.backlog_bytes for peer in server.peers) < 3 * size


async def test_a_client_that_asks_and_does_not_read_is_not_read(folder: Path) -> None:
    question: JSON = {"type": "list_tools"}
    async with serving(folder) as server, connected(folder) as silent:
        await silent.send(*[question] * 2000)
        async with connected(folder) as wire:
            for _ in range(50):
                await wire.call("conformance_echo", {"value": 1})
        kept = sum(peer.stream.backlog_bytes for peer in server.peers)
        assert 1024 * 1024 < kept < 1100 * 1024
        for _ in range(2000):
            assert (await silent.receive())["type"] == "tools_list"


async def test_what_waits_for_a_client_that_leaves_is_not_run(folder: Path) -> None:
    runs = []

    async def run(arguments: JSONObject, context: CallContext) -> JSON:
        runs.append(arguments)
        return "x" * 1024 * 1024

    async with serving(folder, registry_of(run)) as server, connected(folder) as wire:
        async with connected(folder) as silent:
            await silent.send(*(tool_call("t", None, str(n)) for n in range(20)))
            while len(runs) < 2:
                await wire.call("nope")
        with anyio.fail_after(20):
            while len(server.peers) > 1:
                await wire.call("nope")
        assert len(runs) < 5
        assert len(audit_lines(folder)) >= 20


async def test_a_client_that_floods_and_leaves_harms_nobody(folder: Path) -> None:
    async with trying(folder) as wire:
        async with connected(folder) as flood:
            await flood.send_bytes(b"junk\n" * 1000)
        assert await wire.call("conformance_echo", {"value": 1}) == success(
            {"value": 1}
        )


async def test_many_connections_and_calls_are_served(folder: Path) -> None:
    async def try_one(number: int) -> None:
        async with connected(folder) as wire:
            assert await wire.call("conformance_echo", {"value": number}) == success(
                {"value": number}
            )

    async with serving(folder), anyio.create_task_group() as tasks:
        for number in range(100):
            tasks.start_soon(try_one, number)


async def test_many_calls_at_once_on_one_connection_are_served(folder: Path) -> None:
    calls = [tool_call("conformance_echo", {"value": n}, str(n)) for n in range(500)]
    async with trying(folder) as wire:
        await wire.send(*calls)
        frames = [await wire.receive() for _ in calls]
    assert {str(frame["requestId"]) for frame in frames} == {str(n) for n in range(500)}


# --- identity and permission ----------------------------------------------------


@pytest.mark.parametrize(
    ("claimed", "believed"),
    [
        ("cli", "cli"),
        ("plugin", "plugin"),
        ("renderer", "cli"),
        ("agent", "cli"),
        ("internal", "cli"),
    ],
)
async def test_a_caller_is_downgraded(
    claimed: str, believed: str, folder: Path
) -> None:
    info: JSON = {
        "caller": claimed,
        "cwd": "/c",
        "sessionId": "mine",
        "spaceId": "p",
        "tabId": "b",
    }
    async with trying(folder) as wire:
        answer = await wire.call("conformance_context", clientInfo=info)
    content = answer["content"]
    assert isinstance(content, dict)
    assert content.pop("sessionId") != "mine"
    assert content == {"caller": believed, "cwd": "/c", "spaceId": "p", "tabId": "b"}


async def session_id(wire: Wire) -> str:
    content = (await wire.call("conformance_context"))["content"]
    assert isinstance(content, dict)
    assert content["caller"] == "cli"
    return str(content["sessionId"])


async def test_a_connection_has_a_session_of_its_own(folder: Path) -> None:
    async with trying(folder) as first, connected(folder) as second:
        ids = {await session_id(first), await session_id(second)}
        assert await session_id(first) in ids
        assert [len(name) for name in ids] == [48, 48]


async def test_a_claim_gives_no_permission(folder: Path) -> None:
    path = folder / "file"
    info: JSON = {"caller": "internal", "sessionId": "root"}
    async with trying(folder) as wire:
        answer = await wire.call(
            "conformance_privileged", {"path": str(path)}, clientInfo=info
        )
    assert answer["ok"] is False
    assert not path.exists()


async def test_a_grant_gives_permission(folder: Path) -> None:
    path = folder / "file"
    async with trying(folder, conformance_registry(grants=["writes-files"])) as wire:
        assert await wire.call(
            "conformance_privileged", {"path": str(path)}
        ) == success({"written": str(path)})
    assert path.read_bytes() == b""


# --- audit and discovery --------------------------------------------------------


async def test_a_call_is_in_the_log_without_its_secrets(folder: Path) -> None:
    secret: JSON = {"value": [{"API-Key": "s3cret"}, "Bearer s3cret", "x" * 70000]}
    async with trying(folder) as wire:
        await wire.call("conformance_echo", secret, clientInfo={"caller": "agent"})
        (line,) = audit_lines(folder)
        session = await session_id(wire)
    value: JSON = {
        "value": [{"API-Key": "[redacted]"}, "Bearer [redacted]", "[70000 characters]"]
    }
    assert isinstance(line.pop("durationMs"), float)
    assert isinstance(line.pop("time"), str)
    assert line == {
        "requestId": "1",
        "sessionId": session,
        "caller": "cli",
        "toolName": "conformance_echo",
        "capabilities": ["read-only"],
        "decision": "allow",
        "arguments": value,
        "result": {"ok": True, "content": value},
    }


@pytest.mark.parametrize(
    ("tool", "arguments", "decision", "code"),
    [
        ("conformance_privileged", {"path": "/x"}, "deny", "PERMISSION_DENIED"),
        ("conformance_throw", {"message": "m"}, "allow", "TOOL_FAILED"),
        ("conformance_sleep", {"ms": "x"}, "deny", "VALIDATION_ERROR"),
        ("nope", {}, "deny", "UNKNOWN_TOOL"),
    ],
)
async def test_a_call_that_fails_is_in_the_log(
    tool: str, arguments: JSON, decision: str, code: str, folder: Path
) -> None:
    async with trying(folder) as wire:
        await wire.call(tool, arguments)
    (line,) = audit_lines(folder)
    assert line["decision"] == decision
    assert isinstance(line["result"], dict)
    assert isinstance(line["result"]["error"], dict)
    assert line["result"]["error"]["code"] == code


async def test_a_log_that_cannot_be_written_stops_no_call(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with trying(folder) as wire:
        (folder / "home" / "audit.jsonl").mkdir()
        assert await wire.call("conformance_echo", {"value": 1}) == success(
            {"value": 1}
        )
    assert capsys.readouterr().err.startswith("cannot write the audit log: ")


async def test_a_server_can_be_found_while_it_lives(folder: Path) -> None:
    record = folder / "home" / "instances" / f"{os.getpid()}.json"
    async with serving(folder):
        config = loads((folder / "home" / "config.json").read_bytes())
        assert config == {"socketPath": str(folder / "s")}
        written = loads(record.read_bytes())
        assert isinstance(written, dict)
        assert isinstance(written.pop("startedAt"), str)
        assert written == {
            "pid": os.getpid(),
            "socketPath": str(folder / "s"),
            "userDataPath": str(folder / "home"),
        }
        assert (folder / "s").stat().st_mode & 0o777 == 0o600
        assert (folder / "home").stat().st_mode & 0o777 == 0o700
    assert not record.exists()
    assert not (folder / "s").exists()


async def test_a_server_needs_no_home(folder: Path) -> None:
    server = SocketServer(conformance_registry(), folder / "s")
    async with anyio.create_task_group() as tasks:
        await tasks.start(server.serve)
        async with connected(folder) as wire:
            assert await wire.call("conformance_blob", {"size": 1}) == success("x")
        server.stop()
    assert not (folder / "home").exists()


async def test_a_live_socket_is_not_taken_over(folder: Path) -> None:
    async with trying(folder) as wire:
        with pytest.raises(SocketPathTaken, match="a live server listens there"):
            await SocketServer(conformance_registry(), folder / "s").serve()
        assert await wire.call("conformance_blob", {"size": 1}) == success("x")


async def test_a_stale_socket_is_taken_over(folder: Path) -> None:
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(folder / "s"))
    async with trying(folder) as wire:
        assert await wire.call("conformance_blob", {"size": 1}) == success("x")


# --- the end --------------------------------------------------------------------


async def test_the_end_resolves_what_is_in_flight(folder: Path) -> None:
    async with serving(folder) as server, connected(folder) as wire:
        arguments: JSON = {"ms": LONG_MS, "ignore_cancel": True}
        await wire.send(tool_call("conformance_sleep", arguments))
        await wire.send({"type": "list_tools"})
        await wire.receive()
        server.stop()
        assert await wire.receive() == result(
            failure("RUNTIME_SHUTTING_DOWN", "the runtime is shutting down")
        )
        assert await wire.ended()
        await server.stopped.wait()
        assert not (folder / "s").exists()


async def test_a_call_that_comes_too_late_is_refused(folder: Path) -> None:
    async with serving(folder) as server, connected(folder) as wire:
        server.shutting_down = True
        assert await wire.call("nope") == failure(
            "RUNTIME_SHUTTING_DOWN", "the runtime is shutting down"
        )


async def test_a_client_that_does_not_read_does_not_hold_up_the_end(
    folder: Path,
) -> None:
    async with serving(folder) as server, connected(folder) as silent:
        await silent.send(tool_call("conformance_blob", {"size": 1 << 22}))
        async with connected(folder) as wire:
            await wire.call("conformance_blob", {"size": 1})
        server.stop()
        with anyio.fail_after(20):
            await server.stopped.wait()


# --- another server -------------------------------------------------------------


async def test_a_step_can_be_overridden(folder: Path) -> None:
    class Shouting(SocketServer):
        def envelope(self, returned: JSON | ToolResult) -> ToolResult:
            return ToolResult.success("LOUD")

        def new_session_id(self) -> str:
            return "one"

    async with trying(folder, server_class=Shouting) as wire:
        assert await wire.call("conformance_blob", {"size": 1}) == success("LOUD")


async def test_a_tool_chooses_its_error(folder: Path) -> None:
    async def run(arguments: JSONObject, context: CallContext) -> JSON:
        raise ToolError("PERMISSION_DENIED", "not you", {"who": "you"})

    async with trying(folder, registry_of(run)) as wire:
        assert await wire.call("t") == {
            "ok": False,
            "error": {
                "code": "PERMISSION_DENIED",
                "message": "not you",
                "details": {"who": "you"},
            },
        }
