from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from anyio.abc import SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream
from tests.wireproof_reference.socket_v1_serving import (
    LONG_MS,
    audit_lines,
    registry_of,
    serving,
)

from wireproof_reference import EncodeError, RemoteProtocolError
from wireproof_reference.framing import JSON, JSONObject, loads
from wireproof_reference.socket_v1 import (
    CallContext,
    CallTimeout,
    ClientInfo,
    MessageRefused,
    ServerLost,
    SocketClient,
    ToolCallFailed,
    ToolResult,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a name short enough for a socket in it."""
    return tmp_path_factory.mktemp("s")


@asynccontextmanager
async def calling(folder: Path) -> AsyncIterator[SocketClient]:
    """The reference server and a client of it."""
    async with serving(folder), SocketClient.connect(folder / "s") as client:
        yield client


@asynccontextmanager
async def scripted(folder: Path, *answers: bytes) -> AsyncIterator[SocketClient]:
    """A client of a server that answers each message with the next of some texts.

    `$` in a text stands for the `requestId`; after the last one it hangs up.
    """

    async def serve(stream: SocketStream) -> None:
        lines = BufferedByteReceiveStream(stream)
        async with stream:
            for answer in answers:
                try:
                    message = loads(await lines.receive_until(b"\n", 1000))
                except anyio.IncompleteRead:
                    return
                assert isinstance(message, dict)
                request_id = str(message.get("requestId")).encode()
                await stream.send(answer.replace(b"$", request_id))

    async with (
        await anyio.create_unix_listener(folder / "s") as listener,
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(listener.serve, serve)
        async with SocketClient(folder / "s", new_id=lambda: "7") as client:
            yield client
        tasks.cancel_scope.cancel()


async def test_tools_are_listed(folder: Path) -> None:
    async with calling(folder) as client:
        tools = await client.list_tools()
    assert [tool["name"] for tool in tools][:2] == [
        "conformance_echo",
        "conformance_fail",
    ]


async def test_a_call_comes_to_its_result(folder: Path) -> None:
    async with calling(folder) as client:
        result = await client.call("conformance_echo", {"value": [1]})
    assert result == ToolResult({"ok": True, "content": {"value": [1]}})
    assert result.content == {"value": [1]}


async def test_events_are_told_as_they_come(folder: Path) -> None:
    events: list[JSONObject] = []
    async with calling(folder) as client:
        await client.call(
            "conformance_stream", {"parts": [{}, {"a": 1}]}, on_event=events.append
        )
    assert events == [
        {"kind": "progress", "message": "{}"},
        {"kind": "progress", "message": '{"a":1}'},
    ]


async def test_events_can_be_iterated(folder: Path) -> None:
    async with calling(folder) as client:
        call = client.start_call("conformance_stream", {"parts": [{}, {}, {}]})
        assert [event["message"] async for event in call.events()] == ["{}"] * 3
        assert (await call.result()).content == {"count": 3}


async def test_a_failure_has_fields(folder: Path) -> None:
    async with calling(folder) as client:
        with pytest.raises(ToolCallFailed) as caught:
            await client.call(
                "conformance_fail",
                {"message": "no", "code": "PERMISSION_DENIED", "details": [1]},
            )
    assert caught.value.tool_name == "conformance_fail"
    assert caught.value.code == "PERMISSION_DENIED"
    assert caught.value.message == "no"
    assert caught.value.details == [1]
    assert caught.value.result.ok is False
    assert str(caught.value) == "conformance_fail: PERMISSION_DENIED: no"


async def test_calls_run_at_once(folder: Path) -> None:
    async with calling(folder) as client:
        slow = client.start_call("conformance_sleep", {"ms": LONG_MS})
        assert (await client.call("conformance_blob", {"size": 1})).content == "x"
        slow.cancel()
        with pytest.raises(ToolCallFailed) as caught:
            await slow.result()
    assert caught.value.code == "CANCELLED"


async def test_a_call_may_be_given_little_time(folder: Path) -> None:
    async with calling(folder) as client:
        with pytest.raises(ToolCallFailed) as caught:
            await client.call("conformance_sleep", {"ms": LONG_MS}, timeout_ms=1)
    assert caught.value.code == "TIMEOUT"


async def test_the_client_waits_no_longer_than_it_was_told(folder: Path) -> None:
    async with calling(folder) as client:
        with pytest.raises(CallTimeout) as caught:
            await client.call("conformance_sleep", {"ms": LONG_MS}, within=0.01)
        # The server was told, and what it answered disturbs nobody.
        again = await client.call("conformance_echo", {"value": 1})
    assert again.content == {"value": 1}
    assert caught.value.what == "conformance_sleep"
    assert caught.value.seconds == 0.01


async def test_a_wait_that_is_cancelled_cancels_the_call(folder: Path) -> None:
    started, aborted = anyio.Event(), anyio.Event()

    async def run(arguments: JSONObject, context: CallContext) -> JSON:
        started.set()
        await context.signal.wait()
        aborted.set()
        return None

    async with (
        serving(folder, registry_of(run)),
        SocketClient.connect(folder / "s") as client,
    ):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.call, "t")
            await started.wait()
            tasks.cancel_scope.cancel()
        with anyio.fail_after(20):
            await aborted.wait()


async def test_the_server_is_told_who_calls(folder: Path) -> None:
    info = ClientInfo("plugin", cwd="/c", space_id="p", tab_id="b")
    async with (
        serving(folder),
        SocketClient.connect(folder / "s", client_info=info) as client,
    ):
        first = (await client.call("conformance_context")).content
        second = (
            await client.call("conformance_context", client_info=ClientInfo("agent"))
        ).content
    assert isinstance(first, dict)
    assert first.pop("sessionId")
    assert first == {"caller": "plugin", "cwd": "/c", "spaceId": "p", "tabId": "b"}
    assert isinstance(second, dict)
    assert second["caller"] == "cli"
    assert [line["caller"] for line in audit_lines(folder)] == ["plugin", "cli"]


async def test_arguments_that_json_cannot_hold_are_not_sent(folder: Path) -> None:
    async with calling(folder) as client:
        with pytest.raises(EncodeError):
            await client.call("conformance_echo", {"value": float("nan")})


async def test_a_server_that_is_not_there_is_lost(folder: Path) -> None:
    with pytest.raises(ServerLost) as caught:
        async with SocketClient.connect(folder / "s"):
            pass
    assert caught.value.path == str(folder / "s")
    assert caught.value.reason == "cannot be reached: No such file or directory"


async def test_a_server_without_room_is_lost(folder: Path) -> None:
    with socket.socket(socket.AF_UNIX) as live, socket.socket(socket.AF_UNIX) as other:
        live.bind(str(folder / "s"))
        live.listen(0)
        other.connect(str(folder / "s"))
        with pytest.raises(ServerLost, match="has no room for one more connection"):
            async with SocketClient.connect(folder / "s", within=0.01):
                pass


async def test_a_server_that_hangs_up_is_lost(folder: Path) -> None:
    async with scripted(folder, b"log line\n") as client:
        with pytest.raises(ServerLost, match="closed the connection"):
            await client.call("t")
        with pytest.raises(ServerLost, match="closed the connection"):
            await client.call("t")
        with pytest.raises(ServerLost, match="closed the connection"):
            await client.list_tools()


async def test_a_list_that_is_waited_for_is_lost_too(folder: Path) -> None:
    async with scripted(folder, b"\n") as client:
        with pytest.raises(ServerLost, match="closed the connection"):
            await client.list_tools()


@pytest.mark.parametrize("request_id", [b"", b'"requestId":"7",'])
async def test_a_list_or_a_call_may_be_refused(request_id: bytes, folder: Path) -> None:
    answer = b'{"type":"error",' + request_id + b'"code":"C","message":"m"}\n'
    async with scripted(folder, answer, b"") as client:
        with pytest.raises(MessageRefused) as caught:
            await (client.call("t") if request_id else client.list_tools())
    assert caught.value.code == "C"
    assert caught.value.message == "m"


async def test_an_answer_that_is_no_message_is_told(folder: Path) -> None:
    answer = b'{"type":"tool_result","requestId":"$","result":{"ok":1}}\n'
    async with scripted(folder, answer, b"") as client:
        with pytest.raises(RemoteProtocolError, match=r"result\.ok must be a boolean"):
            await client.call("t")


async def test_an_error_about_nothing_is_skipped(folder: Path) -> None:
    answer = (
        b'{"type":"error","code":"C","message":"m"}\n'
        b'{"type":"tool_result","requestId":"$","result":{"ok":true}}\n'
    )
    async with scripted(folder, answer) as client:
        assert (await client.call("t")).content is None


async def test_a_list_that_comes_too_late_is_told_apart(folder: Path) -> None:
    first = b'{"type":"tools_list","tools":[]}\n'
    tool = b'{"name":"t","description":"","inputSchema":{}}'
    second = first + b'{"type":"tools_list","tools":[' + tool + b"]}\n"
    async with scripted(folder, b"\n", second, b"") as client:
        with pytest.raises(CallTimeout) as caught:
            await client.list_tools(within=0)
        assert len(await client.list_tools()) == 1
    assert caught.value.what == "list_tools"
