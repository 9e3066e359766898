"""The reference client behind the bridge: `python -m wireproof_reference host-client`.

A call that fails is the value `{"error":{"type","detail"}}`.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, cast

import anyio

from wireproof_reference._backends import BACKENDS
from wireproof_reference._bridge import (
    Bridge,
    as_failure,
    run_together,
    serve_bridge,
)
from wireproof_reference._errors import LocalProtocolError, RemoteProtocolError
from wireproof_reference._stdio import take_stdio
from wireproof_reference.host_v1._client import HostClient
from wireproof_reference.host_v1.core import HostError, HostFailure

if TYPE_CHECKING:
    from contextlib import AsyncExitStack

    from wireproof_reference.framing import JSON, JSONObject


class ClientBridge(Bridge):
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
        ops = {
            "start": self._start,
            "request": self._request,
            "request_many": self._request_many,
            "execute": self._execute,
            "execute_many": self._execute_many,
            "format_result": self._format_result,
            "state": self._state,
            "close": self._close,
        }
        super().__init__("wireproof reference client", ops)

    async def _start(self, op: JSONObject) -> JSON:
        await self._clients.aclose()
        client = self._client_type(
            cast("list[str]", op["command"]),
            config=cast("JSONObject", op.get("config", {})),
        )
        try:
            self._client = await self._clients.enter_async_context(client)
        except (HostError, RemoteProtocolError) as error:
            return {"error": _failure(error)}
        return {"state": client.state}

    async def _request(self, op: JSONObject) -> JSON:
        method, params = cast("str", op["method"]), cast("JSONObject", op["params"])
        try:
            reply = await self._started().request(method, params)
        except (HostError, RemoteProtocolError) as error:
            return {"error": _failure(error)}
        if reply.state is None:
            return {"value": reply.value}
        return {"value": reply.value, "state": reply.state}

    async def _request_many(self, op: JSONObject) -> JSON:
        return await run_together(self._request, op["requests"])

    async def _execute(self, op: JSONObject) -> JSON:
        timeout_ms = cast("float | None", op.get("timeout_ms"))
        try:
            done = await self._started().execute(
                cast("str", op["tool_name"]),
                cast("JSONObject", op["arguments"]),
                within=None if timeout_ms is None else timeout_ms / 1000,
            )
        except (HostError, RemoteProtocolError) as error:
            return {"error": _failure(error)}
        return {"chunks": [*done.chunks], "result": done.result, "state": done.state}

    async def _execute_many(self, op: JSONObject) -> JSON:
        return await run_together(self._execute, op["calls"])

    async def _format_result(self, op: JSONObject) -> JSON:
        try:
            shown = await self._started().format_tool_result(op["result"])
        except (HostError, RemoteProtocolError) as error:
            return {"error": _failure(error)}
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


def _failure(error: HostError | RemoteProtocolError) -> JSONObject:
    if isinstance(error, HostFailure):
        # HV1-C5: in the host's own words.
        return {"type": error.type, "detail": error.detail}
    return as_failure(error)


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
    anyio.run(serve_bridge, *take_stdio(), ClientBridge, backend=backend)
    return 0
