"""What the tests of socket-v1 over real sockets share."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
from anyio.abc import SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream

from wireproof_reference.framing import JSON, JSONObject, dumps, loads
from wireproof_reference.socket_v1 import (
    CallContext,
    Capability,
    Home,
    SocketServer,
    ToolDefinition,
    ToolRegistry,
    ToolResult,
    conformance_registry,
)

LONG_MS = 60_000
"""A sleep that no test waits for."""

MAX_FRAME_BYTES = 64 * 1024 * 1024


class Wire:
    """A client that sends and sees the frames as they are."""

    def __init__(self, stream: SocketStream) -> None:
        self.stream = stream
        self._buffered = BufferedByteReceiveStream(stream)

    async def send_bytes(self, data: bytes) -> None:
        await self.stream.send(data)

    async def send(self, *messages: JSON) -> None:
        await self.stream.send(b"".join(dumps(m) + b"\n" for m in messages))

    async def receive(self) -> JSONObject:
        with anyio.fail_after(20):
            line = await self._buffered.receive_until(b"\n", MAX_FRAME_BYTES)
        value = loads(line)
        assert isinstance(value, dict)
        return value

    async def call(self, name: str, arguments: JSON = None, **more: JSON) -> JSONObject:
        """Call a tool; its result must be the next frame."""
        await self.send(tool_call(name, arguments, **more))
        frame = await self.receive()
        assert frame["type"] == "tool_result", frame
        assert isinstance(frame["result"], dict)
        return frame["result"]

    async def ended(self) -> bool:
        with anyio.fail_after(20):
            try:
                return not await self._buffered.receive(1)
            except (anyio.EndOfStream, anyio.BrokenResourceError):
                return True


def tool_call(
    name: str, arguments: JSON = None, request_id: str = "1", /, **more: JSON
) -> JSONObject:
    return {
        "type": "tool_call",
        "protocol": 1,
        "requestId": request_id,
        "toolName": name,
        "arguments": {} if arguments is None else arguments,
        **more,
    }


def cancel(request_id: str = "1") -> JSONObject:
    return {"type": "cancel_tool_call", "protocol": 1, "requestId": request_id}


def failure(code: str, message: str) -> JSON:
    return {"ok": False, "error": {"code": code, "message": message}}


def success(content: JSON) -> JSON:
    return {"ok": True, "content": content}


def result(value: JSON, request_id: str = "1") -> JSON:
    return {
        "type": "tool_result",
        "protocol": 1,
        "requestId": request_id,
        "result": value,
    }


def error(message: str, request_id: str | None = None) -> JSON:
    frame: JSONObject = {
        "type": "error",
        "protocol": 1,
        "code": "PROTOCOL_ERROR",
        "message": message,
    }
    return frame if request_id is None else {**frame, "requestId": request_id}


def registry_of(
    run: Callable[[JSONObject, CallContext], object],
    *capabilities: Capability,
    schema: JSONObject | None = None,
    timeout_ms: int | None = None,
    grants: tuple[Capability, ...] = (),
) -> ToolRegistry:
    """A registry with one tool, `t`."""

    async def run_it(arguments: JSONObject, context: CallContext) -> JSON | ToolResult:
        return await run(arguments, context)  # type: ignore[misc, no-any-return]  # a coroutine

    tool = ToolDefinition(
        "t", "A tool.", schema or {}, run_it, capabilities, timeout_ms
    )
    return ToolRegistry([tool], grants=grants)


@asynccontextmanager
async def serving(
    folder: Path,
    registry: ToolRegistry | None = None,
    server_class: type[SocketServer] = SocketServer,
) -> AsyncIterator[SocketServer]:
    """A server on `folder/s` with the home `folder/home`."""
    server = server_class(
        registry or conformance_registry(), folder / "s", Home(folder / "home")
    )
    async with anyio.create_task_group() as tasks:
        await tasks.start(server.serve)
        yield server
        server.stop()


@asynccontextmanager
async def connected(folder: Path) -> AsyncIterator[Wire]:
    async with await anyio.connect_unix(folder / "s") as stream:
        yield Wire(stream)


@asynccontextmanager
async def trying(
    folder: Path,
    registry: ToolRegistry | None = None,
    server_class: type[SocketServer] = SocketServer,
) -> AsyncIterator[Wire]:
    """A server and a client of it."""
    async with serving(folder, registry, server_class), connected(folder) as wire:
        yield wire


def audit_lines(folder: Path) -> list[JSONObject]:
    lines = (folder / "home" / "audit.jsonl").read_bytes().splitlines()
    return [line for line in map(loads, lines) if isinstance(line, dict)]
