"""The runtime: bindings by their names, and calls of them, on asyncio or trio.

    async with ExecRuntime([Binding("add", "./add.py")]) as runtime:
        total = await runtime.call("add", {"a": 1, "b": 2})

Theory of operation: each call of a one-shot tool is a process of its own, and all may
run at once; calls of a server tool take turns.  Leaving the block ends every process.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

import anyio

from wireproof_reference._errors import EncodeError
from wireproof_reference._schemas import ArgumentSchema
from wireproof_reference.exec._oneshot import OneshotCall
from wireproof_reference.exec._server import ToolServer
from wireproof_reference.exec.core import (
    BadArguments,
    Binding,
    ExecError,
    RuntimeClosed,
    UnknownTool,
    oneshot_input,
)
from wireproof_reference.framing import DEFAULT_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import TracebackType
    from typing import Self

    from wireproof_reference.framing import JSON

DEFAULT_TIMEOUT_MS: Final = 30_000
"""Milliseconds that a call may take where its binding does not say (EXEC-R10)."""

CLOSE_GRACE: Final = 2.0
"""Seconds in which a server tool may exit by itself when its input ends (EXEC-R13)."""

MAX_OUTPUT_BYTES: Final = DEFAULT_LIMIT
"""Bytes that a tool may write to stdout for one call (EXEC-R15)."""


class ExecRuntime:
    """Runs exec tools; ends all their processes when it is left.

    Args:
        bindings: The tools, more of which `bind` adds.
        default_timeout_ms: Milliseconds that a call may take where its binding does not
            say.
        grace: Seconds in which a server tool may exit by itself.
        max_output_bytes: Bytes that a tool may write to stdout for one call.
        environ: Where the values of the variables come from, read at each start of a
            process.

    Attributes:
        default_timeout_ms: As above; may be changed.
    """

    def __init__(
        self,
        bindings: Iterable[Binding] = (),
        *,
        default_timeout_ms: int = DEFAULT_TIMEOUT_MS,
        grace: float = CLOSE_GRACE,
        max_output_bytes: int = MAX_OUTPUT_BYTES,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self.default_timeout_ms = default_timeout_ms
        self._grace = grace
        self._max_output_bytes = max_output_bytes
        self._environ = environ
        self._bindings = {binding.name: binding for binding in bindings}
        self._schemas: dict[str, ArgumentSchema] = {}
        self._servers: dict[str, ToolServer] = {}
        self._calls: set[anyio.CancelScope] = set()
        self._closed = False

    @property
    def bindings(self) -> tuple[Binding, ...]:
        """What can be called."""
        return tuple(self._bindings.values())

    async def __aenter__(self) -> Self:
        """Open the runtime; nothing is started yet."""
        self._tasks = await anyio.create_task_group().__aenter__()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the runtime."""
        await self.close()

    async def close(self) -> None:
        """End all processes: close the input of servers, wait a little, kill.

        For the task that opened the runtime; a second time does nothing.
        """
        if self._closed:
            return
        self._closed = True
        for scope in self._calls:
            scope.cancel()
        with anyio.CancelScope(shield=True):
            await self._close_servers(self._servers.values())
        await self._tasks.__aexit__(None, None, None)

    async def bind(self, binding: Binding) -> None:
        """Add a tool, or put another in the place of one of the same name."""
        former = self._servers.pop(binding.name, None)
        self._schemas.pop(binding.name, None)
        self._bindings[binding.name] = binding
        if former is not None:
            await self._close_servers([former])

    async def call(self, tool: str, args: JSON) -> JSON:
        """Call a tool, and give its result.

        Raises:
            ExecError: The call has failed; `core/_errors.py` has the kinds.
        """
        binding = self._bindings.get(tool)
        if binding is None:
            raise UnknownTool(tool)
        if self._closed:
            raise RuntimeClosed(tool)
        data = self._checked(binding, args)
        timeout_ms = binding.timeout_ms or self.default_timeout_ms
        if binding.runtime == "server":
            return await self._server(binding).call(args, timeout_ms, self._environ)
        oneshot = OneshotCall(binding, data, timeout_ms, self._max_output_bytes)
        with anyio.CancelScope() as scope:
            self._calls.add(scope)
            try:
                return await oneshot.run(self._environ)
            finally:
                self._calls.remove(scope)
        raise RuntimeClosed(tool)

    async def call_many(
        self, calls: Iterable[tuple[str, JSON]]
    ) -> list[JSON | ExecError]:
        """Start all calls together; a call that fails is a value."""
        started = list(calls)
        outcomes: list[JSON | ExecError] = [None] * len(started)

        async def keep(index: int, tool: str, args: JSON) -> None:
            try:
                outcomes[index] = await self.call(tool, args)
            except ExecError as error:
                outcomes[index] = error

        async with anyio.create_task_group() as tasks:
            for index, (tool, args) in enumerate(started):
                tasks.start_soon(keep, index, tool, args)
        return outcomes

    def _checked(self, binding: Binding, args: JSON) -> bytes:
        """What a one-shot tool is given, once the arguments are known to be right."""
        try:
            data = oneshot_input(args)
        except EncodeError as error:
            raise BadArguments(binding.name, f"was not called: {error}") from error
        if binding.parameters is not None:
            schema = self._schemas.get(binding.name)
            if schema is None:
                schema = ArgumentSchema(binding.parameters)
                self._schemas[binding.name] = schema
            # EXEC-Y4
            if flaw := schema.flaw(args):
                raise BadArguments(binding.name, f"was not called: {flaw}")
        return data

    def _server(self, binding: Binding) -> ToolServer:
        server = self._servers.get(binding.name)
        if server is None:
            server = ToolServer(binding, self._tasks, self._max_output_bytes)
            self._servers[binding.name] = server
        return server

    async def _close_servers(self, servers: Iterable[ToolServer]) -> None:
        async with anyio.create_task_group() as tasks:
            for server in servers:
                tasks.start_soon(server.close, self._grace)
