"""The reference client behind the bridge: `python -m wireproof_reference host-client`.

A test harness in any language drives a client through it: `{"id":n,"op":str,…}` a line
on stdin, `{"id":n,"ok":true,"value":…}` or `{"id":n,"ok":false,"error":{…}}` a line on
stdout, in order.  A call that fails is a value, `{"error":{"type","detail"}}`; only an
op that cannot be carried out is a failure of the bridge.
"""

from __future__ import annotations

import sys
from contextlib import AsyncExitStack
from importlib.metadata import version
from typing import TYPE_CHECKING, Final, cast

import anyio

from wireproof_reference._errors import LocalProtocolError, RemoteProtocolError
from wireproof_reference._pipes import PipeReader, PipeWriter
from wireproof_reference._stdio import take_stdio
from wireproof_reference.framing import (
    EndOfInput,
    Frame,
    NdjsonDecoder,
    NeedData,
    encode,
)
from wireproof_reference.host_v1._client import HostClient
from wireproof_reference.host_v1._stdio import BACKENDS
from wireproof_reference.host_v1.core import HostError, HostFailure

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from wireproof_reference.framing import JSON, JSONObject

# How an op fails that cannot be carried out as it is written.
_REFUSALS: Final = (KeyError, TypeError, ValueError, LocalProtocolError)


class ClientBridge:
    """Carries out ops on one client at a time.

    Args:
        clients: Holds the client, and ends it at the latest when it is closed itself.
        client_type: What is started.
    """

    def __init__(
        self, clients: AsyncExitStack, client_type: type[HostClient] = HostClient
    ) -> None:
        self._clients = clients
        self._client_type = client_type
        self._client: HostClient | None = None
        self._ops: dict[str, Callable[[JSONObject], Awaitable[JSON]]] = {
            "describe": self._describe,
            "start": self._start,
            "request": self._request,
            "request_many": self._request_many,
            "execute": self._execute,
            "execute_many": self._execute_many,
            "format_result": self._format_result,
            "state": self._state,
            "close": self._close,
        }

    async def answer(self, message: JSON) -> JSON:
        """Carry out one op, and give the bridge's answer to it."""
        request = message if isinstance(message, dict) else {}
        try:
            value = await self._ops[cast("str", request["op"])](request)
        except _REFUSALS as error:
            return {"id": request.get("id"), "ok": False, "error": _describe(error)}
        return {"id": request.get("id"), "ok": True, "value": value}

    async def _describe(self, op: JSONObject) -> JSON:
        return {
            "name": "wireproof reference client",
            "version": version("wireproof"),
            "language": "Python",
            "ops": [name for name in self._ops if name != "describe"],
        }

    async def _start(self, op: JSONObject) -> JSON:
        await self._clients.aclose()
        client = self._client_type(
            cast("list[str]", op["command"]),
            config=cast("JSONObject", op.get("config", {})),
        )
        try:
            self._client = await self._clients.enter_async_context(client)
        except (HostError, RemoteProtocolError) as error:
            return {"error": _describe(error)}
        return {"state": client.state}

    async def _request(self, op: JSONObject) -> JSON:
        method, params = cast("str", op["method"]), cast("JSONObject", op["params"])
        try:
            reply = await self._started().request(method, params)
        except (HostError, RemoteProtocolError) as error:
            return {"error": _describe(error)}
        if reply.state is None:
            return {"value": reply.value}
        return {"value": reply.value, "state": reply.state}

    async def _request_many(self, op: JSONObject) -> JSON:
        return await _together(self._request, op["requests"])

    async def _execute(self, op: JSONObject) -> JSON:
        timeout_ms = cast("float | None", op.get("timeout_ms"))
        try:
            done = await self._started().execute(
                cast("str", op["tool_name"]),
                cast("JSONObject", op["arguments"]),
                within=None if timeout_ms is None else timeout_ms / 1000,
            )
        except (HostError, RemoteProtocolError) as error:
            return {"error": _describe(error)}
        return {"chunks": [*done.chunks], "result": done.result, "state": done.state}

    async def _execute_many(self, op: JSONObject) -> JSON:
        return await _together(self._execute, op["calls"])

    async def _format_result(self, op: JSONObject) -> JSON:
        try:
            shown = await self._started().format_tool_result(op["result"])
        except (HostError, RemoteProtocolError) as error:
            return {"error": _describe(error)}
        return {"text": shown} if isinstance(shown, str) else {"envelope": shown}

    async def _state(self, op: JSONObject) -> JSON:
        return {"state": self._started().state}

    async def _close(self, op: JSONObject) -> JSON:
        await self._clients.aclose()
        self._client = None
        return None

    def _started(self) -> HostClient:
        if self._client is None:
            raise LocalProtocolError("no host was started")
        return self._client


async def _together(run: Callable[[JSONObject], Awaitable[JSON]], ops: JSON) -> JSON:
    """Start all ops, in their order, and give their outcomes in that order."""
    calls = cast("list[JSONObject]", ops)
    outcomes: list[JSON] = [None] * len(calls)
    refusals: list[Exception] = []

    async def keep(index: int) -> None:
        try:
            outcomes[index] = await run(calls[index])
        except _REFUSALS as error:
            refusals.append(error)

    async with anyio.create_task_group() as tasks:
        for index in range(len(calls)):
            tasks.start_soon(keep, index)
    if refusals:
        raise refusals[0]
    return outcomes


def _describe(error: Exception) -> JSONObject:
    if isinstance(error, HostFailure):
        # HV1-C5: in the host's own words.
        return {"type": error.type, "detail": error.detail}
    return {"type": type(error).__name__, "detail": str(error)}


async def serve_bridge(
    stdin: int,
    stdout: int,
    open_bridge: Callable[[AsyncExitStack], ClientBridge] = ClientBridge,
) -> None:
    """Answer ops over two descriptors until the input ends."""
    decoder = NdjsonDecoder()
    reader = PipeReader(stdin)
    async with anyio.create_task_group() as tasks, AsyncExitStack() as clients:
        writer = PipeWriter(stdout, tasks, tasks.cancel_scope.cancel)
        bridge = open_bridge(clients)
        while not isinstance(event := decoder.next_event(), EndOfInput):
            if isinstance(event, NeedData):
                if data := await reader.receive():
                    decoder.receive_data(data)
                else:
                    decoder.receive_eof()
            else:
                message = event.value if isinstance(event, Frame) else None
                writer.write(encode(await bridge.answer(message)))
        await writer.flush()


def main(arguments: list[str]) -> int:
    """Serve the bridge on stdin and stdout.

    Returns:
        The exit status, 2 where the arguments are wrong.
    """
    backend = BACKENDS.get(tuple(arguments))
    if backend is None:
        sys.stderr.write(
            "usage: python -m wireproof_reference host-client "
            "[--backend=asyncio|trio]\n"
        )
        return 2
    anyio.run(serve_bridge, *take_stdio(), backend=backend)
    return 0
