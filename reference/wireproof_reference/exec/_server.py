"""A server tool: one process for many calls, and a fresh one where it is lost.

Calls are carried out one after the other.  A process that has answered one call is in
step for the next; one that has not is killed, so that nothing of a failed call stands
in front of the answer to another (EXEC-R11).
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import anyio

from wireproof_reference.exec._process import shielded, start_tool
from wireproof_reference.exec._server_process import ServerProcess
from wireproof_reference.exec.core import (
    CallTimeout,
    Execute,
    Result,
    RuntimeClosed,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from anyio.abc import TaskGroup

    from wireproof_reference.exec._server_process import Outcome
    from wireproof_reference.exec.core import Binding
    from wireproof_reference.framing import JSON


class ToolServer:
    """A server tool, started by its first call.

    Args:
        binding: The tool.
        tasks: Where the task of each process runs.
        max_output_bytes: Bytes that it may write to stdout for a call.
    """

    def __init__(
        self, binding: Binding, tasks: TaskGroup, max_output_bytes: int
    ) -> None:
        self._binding = binding
        self._tasks = tasks
        self._max_output_bytes = max_output_bytes
        self._turn = anyio.Lock()
        self._starting = anyio.Lock()
        self._ids = count(1)
        self._process: ServerProcess | None = None
        self._closed = False

    async def call(
        self, args: JSON, timeout_ms: int, environ: Mapping[str, str]
    ) -> JSON:
        """Call the tool when its turn has come, and give its result.

        Args:
            args: The arguments.
            timeout_ms: Milliseconds that it may take, once it has its turn.
            environ: Our own environment, where a process is started (EXEC-R6).

        Raises:
            ExecError: The call has failed.
        """
        async with self._turn:
            outcome = await self._call(args, timeout_ms, environ)
        if isinstance(outcome, Result):
            return outcome.value
        raise outcome

    async def close(self, grace: float) -> None:
        """End its process; every call from now on fails.

        Args:
            grace: Seconds in which it may exit by itself.
        """
        self._closed = True
        async with self._starting:
            pass
        if self._process is not None:
            self._process.fail(RuntimeClosed(self._binding.name))
            await self._process.close(grace)

    async def _call(
        self, args: JSON, timeout_ms: int, environ: Mapping[str, str]
    ) -> Outcome:
        deadline = anyio.current_time() + timeout_ms / 1000
        reused = self._process is not None and self._process.usable
        while True:
            process = await self._usable_process(environ)
            outcome: Outcome | None = None
            try:
                with anyio.CancelScope(deadline=deadline):
                    outcome = await process.call(Execute(next(self._ids), args))
            except BaseException:
                # Whoever cancels a call wants its work to stop; it has no other way.
                await process.kill()
                raise
            if outcome is None:
                stderr = process.quote_stderr()
                await process.kill()
                return CallTimeout(self._binding.name, timeout_ms, stderr)
            # A process may exit between two calls before we learn of it.  It has done
            # nothing of a call that it did not read, so a fresh one may do it.
            if not (reused and process.unread):
                return outcome
            reused = False

    async def _usable_process(self, environ: Mapping[str, str]) -> ServerProcess:
        if self._process is not None:
            if self._process.usable:
                return self._process
            await self._process.kill()
        return await shielded(lambda: self._start(environ))

    async def _start(self, environ: Mapping[str, str]) -> ServerProcess:
        async with self._starting:
            if self._closed:
                raise RuntimeClosed(self._binding.name)
            started = await start_tool(self._binding, environ)
            process = ServerProcess(self._binding.name, started, self._max_output_bytes)
            await self._tasks.start(process.run)
            self._process = process
        return process
