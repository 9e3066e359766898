"""A call of a one-shot tool: a process from its start to its end.

Theory of operation: the process gets its input and the end of it; what it writes is
read beside that.  The call is over when the process exits, not when its pipes end, for
a grandchild may hold those open.  What is left of its group is killed then, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

import anyio

from wireproof_reference._child import StderrTail
from wireproof_reference._pipes import Drain, PipeWriter
from wireproof_reference.exec._process import start_tool
from wireproof_reference.exec.core import (
    BadAnswer,
    CallTimeout,
    Failure,
    Flaw,
    Result,
    ToolExited,
    ToolReported,
    read_oneshot_output,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireproof_reference._child import ChildProcess
    from wireproof_reference.exec.core import Binding
    from wireproof_reference.framing import JSON


class OneshotCall:
    """One call of a one-shot tool.

    Args:
        binding: The tool.
        data: All that it gets on stdin.
        timeout_ms: Milliseconds that it may take, its start included.
        max_output_bytes: Bytes that it may write to stdout (EXEC-R15).
    """

    def __init__(
        self, binding: Binding, data: bytes, timeout_ms: int, max_output_bytes: int
    ) -> None:
        self._binding = binding
        self._data = data
        self._timeout_ms = timeout_ms
        self._max_output_bytes = max_output_bytes
        self._stderr = ""
        self._output = bytearray()
        self._overflown = False
        self._scope = anyio.CancelScope()

    async def run(self, environ: Mapping[str, str]) -> JSON:
        """Start the process, and give its result.

        Raises:
            ExecError: The call has failed.
        """
        deadline = anyio.current_time() + self._timeout_ms / 1000
        process = await start_tool(self._binding, environ)
        try:
            self._scope.deadline = deadline
            status = await self._converse(process)
        finally:
            with anyio.CancelScope(shield=True):
                await process.kill()
            process.close()
        return self._conclude(status)

    async def _converse(self, process: ChildProcess) -> int | None:
        """Wait for the exit; None where it was not waited for any longer."""
        stdout = Drain(process.stdout, self._take_output)
        stderr = StderrTail(process.stderr)
        status: int | None = None
        with self._scope:
            async with anyio.create_task_group() as tasks:
                writer = PipeWriter(process.stdin, tasks, lambda: None)
                tasks.start_soon(self._feed, process, writer)
                tasks.start_soon(stdout.run)
                tasks.start_soon(stderr.run)
                status = await process.process.wait()
                tasks.cancel_scope.cancel()
        stderr.take_left()
        self._stderr = stderr.quote()
        if status is not None:
            stdout.take_left()
        return status

    async def _feed(self, process: ChildProcess, writer: PipeWriter) -> None:
        # EXEC-R4: a tool that does not read its input may answer all the same.
        writer.write(self._data)
        await writer.flush()
        process.close_stdin()

    def _take_output(self, data: bytes) -> None:
        self._output += data
        if len(self._output) > self._max_output_bytes:
            self._overflown = True
            self._output.clear()
            self._scope.cancel()

    def _conclude(self, status: int | None) -> JSON:
        tool, stderr = self._binding.name, self._stderr
        if self._overflown:
            detail = f"wrote more than {self._max_output_bytes} bytes to stdout"
            raise BadAnswer(tool, detail, stderr)
        if status is None:
            raise CallTimeout(tool, self._timeout_ms, stderr)
        if status != 0:
            raise ToolExited(tool, status, stderr)
        answer = read_oneshot_output(bytes(self._output))
        match answer:
            case Result(value):
                return value
            case Failure(message):
                raise ToolReported(tool, message)
            case Flaw(detail):
                raise BadAnswer(tool, detail, stderr)
            case _:  # pragma: no cover
                assert_never(answer)
