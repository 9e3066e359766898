"""A driver of a host client for the bridge: one op a line in, one answer a line out.

    python driver.py

A template for authors: put your own client in the place of the reference's.
`../README.md` explains the ops.
"""

import asyncio
import json
import sys
from contextlib import AsyncExitStack
from typing import Any

from wireproof_reference import RemoteProtocolError
from wireproof_reference.host_v1 import HostClient, HostError, HostFailure


class Driver:
    """The ops of one client at a time."""

    def __init__(self, clients: AsyncExitStack) -> None:
        self._clients = clients
        self._client: Any = None

    async def describe(self) -> Any:
        """Name the ops."""
        ops = [name for name in vars(Driver) if not name.startswith("_")]
        about = {"name": "reference client", "version": "1", "language": "Python"}
        return about | {"ops": [name for name in ops if name != "describe"]}

    async def start(self, command: list[str], config: Any = None) -> Any:
        """Start a host and call init."""
        client = HostClient(command, config=config or {})
        self._client = await self._clients.enter_async_context(client)
        return {"state": self._client.state}

    async def request(self, method: str, params: Any) -> Any:
        """Call a method."""
        reply = await self._client.request(method, params)
        shown = {"value": reply.value}
        return shown if reply.state is None else shown | {"state": reply.state}

    async def execute(
        self, tool_name: str, arguments: Any, timeout_ms: float | None = None
    ) -> Any:
        """Run a tool."""
        within = None if timeout_ms is None else timeout_ms / 1000
        done = await self._client.execute(tool_name, arguments, within=within)
        return {"chunks": done.chunks, "result": done.result, "state": done.state}

    async def request_many(self, requests: list[Any]) -> Any:
        """Call several methods at once."""
        return await asyncio.gather(*(outcome(self.request, one) for one in requests))

    async def execute_many(self, calls: list[Any]) -> Any:
        """Run several tools at once."""
        return await asyncio.gather(*(outcome(self.execute, one) for one in calls))

    async def format_result(self, result: Any) -> Any:
        """Have a result formatted."""
        shown = await self._client.format_tool_result(result)
        return {"text": shown} if isinstance(shown, str) else {"envelope": shown}

    async def state(self) -> Any:
        """Tell the state that the next call would carry."""
        return {"state": self._client.state}

    async def close(self) -> None:
        """End the host."""
        await self._clients.aclose()


async def outcome(op: Any, args: dict[str, Any]) -> Any:
    """Carry out an op; a call that fails is a value too."""
    try:
        return await op(**args)
    except HostFailure as error:
        return {"error": {"type": error.type, "detail": error.detail}}
    except (HostError, RemoteProtocolError) as error:
        return {"error": {"type": type(error).__name__, "detail": str(error)}}


async def main() -> None:
    """Answer one line after the other."""
    # Stdout belongs to the answers: what the client prints goes to stderr.
    answers, sys.stdout = sys.stdout, sys.stderr
    async with AsyncExitStack() as clients:
        driver = Driver(clients)
        while line := await asyncio.to_thread(sys.stdin.buffer.readline):
            args = json.loads(line)
            head, op = {"id": args.pop("id")}, getattr(driver, args.pop("op"))
            value = await outcome(op, args)
            text = json.dumps(head | {"ok": True, "value": value})
            print(text, file=answers, flush=True)


if len(sys.argv) > 1:
    sys.exit("usage: python driver.py")
asyncio.run(main())
