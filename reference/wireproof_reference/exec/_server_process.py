"""The running process of a server tool, and the call in flight on it.

Theory of operation: one task lives as long as the process.  It reads what the process
writes, between calls too, and waits for its exit; whatever ends it, it kills what is
left of the group and closes the pipes.  A call gets its answer, a flaw under its own
id, or the loss of the process, whichever comes first; lines that answer nothing in
flight are skipped (EXEC-R12).
"""

from __future__ import annotations

import fcntl
import termios
from typing import TYPE_CHECKING, Final, TypeAlias, assert_never

import anyio

from wireproof_reference._child import STATUS_GRACE, StderrTail
from wireproof_reference._pipes import Drain, PipeWriter
from wireproof_reference.exec.core import (
    BadAnswer,
    ClientState,
    ExecError,
    Failure,
    Malformed,
    Result,
    RuntimeClosed,
    StrayLine,
    ToolConnection,
    ToolExited,
    ToolReported,
)
from wireproof_reference.framing import EndOfInput, NeedData

if TYPE_CHECKING:
    from anyio.abc import TaskStatus

    from wireproof_reference._child import ChildProcess
    from wireproof_reference.exec.core import Execute

# In front of an answer: a banner and log lines have hundreds, a flood has no end.
_MAX_STRAY_LINES: Final = 10_000

Outcome: TypeAlias = Result | ExecError
"""What comes of a call; errors are not raised yet."""


class ServerProcess:
    """A process of a server tool.

    Args:
        tool: Its name.
        process: The process; `run` ends it.
        max_output_bytes: Bytes that it may write to stdout from one call to the next.

    Attributes:
        lost: Why it can be called no more, or None.
        unread: Whether it is lost before it has read the call in flight.
        ended: Set when it is gone, and all that it started.
    """

    def __init__(self, tool: str, process: ChildProcess, max_output_bytes: int) -> None:
        self.lost: ExecError | None = None
        self.unread = False
        self.ended = anyio.Event()
        self._tool = tool
        self._process = process
        self._max_output_bytes = max_output_bytes
        self._output_bytes = 0
        self._stray_lines = 0
        self._connection = ToolConnection(max_output_bytes)
        self._stdout = Drain(process.stdout, self._receive)
        self._stderr = StderrTail(process.stderr)
        self._scope = anyio.CancelScope()
        self._called = False
        self._outcome: Outcome | None = None
        self._news = anyio.Event()
        self._writer: PipeWriter

    @property
    def usable(self) -> bool:
        """Whether it can be called."""
        return self.lost is None and self._connection.state is ClientState.OPEN

    async def run(self, *, task_status: TaskStatus[None]) -> None:
        """Read what the process writes, until it is over or is killed."""
        try:
            with self._scope:
                async with anyio.create_task_group() as tasks:
                    # Who does not read may answer or exit all the same.
                    stdin = self._process.stdin
                    self._writer = PipeWriter(stdin, tasks, lambda: None)
                    tasks.start_soon(self._read_stdout)
                    tasks.start_soon(self._stderr.run)
                    task_status.started()
                    status = await self._process.process.wait()
                    self._take_exit(status)
                    tasks.cancel_scope.cancel()
        finally:
            with anyio.CancelScope(shield=True):
                await self._process.kill()
            self._lose(RuntimeClosed(self._tool))
            self._process.close()
            self.ended.set()

    async def call(self, call: Execute) -> Outcome:
        """Send a call, and wait for what comes of it; the caller has the deadline."""
        if self.lost is not None:
            return self.lost
        self._output_bytes, self._stray_lines, self._outcome = 0, 0, None
        self._writer.write(self._connection.send(call))
        # One that never reads may answer all the same (EXEC-R4), but not a second time.
        if self._writer.broken and self._called:
            self.unread = True
            self._fault("closed its stdin")
        self._called = True
        return await self._awaited_outcome()

    def quote_stderr(self) -> str:
        """The last words that it wrote to stderr."""
        if not self.ended.is_set():
            self._stderr.take_left()
        return self._stderr.quote()

    def fail(self, error: ExecError) -> None:
        """End the call in flight, if there is one, by an error of ours."""
        self._finish(error)

    async def kill(self) -> None:
        """Kill the process and what it started; return when all are gone."""
        self._scope.cancel()
        with anyio.CancelScope(shield=True):
            await self.ended.wait()

    async def close(self, grace: float) -> None:
        """Close its input, wait a little, kill what is left (EXEC-R13).

        Args:
            grace: Seconds in which it may exit by itself.
        """
        if not self.ended.is_set():
            await self._process.end(self._writer, grace)
        await self.kill()

    async def _awaited_outcome(self) -> Outcome:
        while self._outcome is None:
            await self._news.wait()
        return self._outcome

    async def _read_stdout(self) -> None:
        await self._stdout.run()
        self._connection.receive_eof()
        self._take_events()
        await anyio.sleep(STATUS_GRACE)
        self._fault("closed its stdout")

    def _take_exit(self, status: int) -> None:
        self._stdout.take_left()
        if self._process.stdin_open:
            left = self._writer.backlog_bytes > 0 or _holds(self._process.stdin)
            self.unread = left
        self._lose(ToolExited(self._tool, status, self.quote_stderr()))

    def _fault(self, detail: str) -> None:
        """Call it no more: who broke the protocol once is out of step (EXEC-R11)."""
        self._lose(BadAnswer(self._tool, detail, self.quote_stderr()))
        self._scope.cancel()

    def _lose(self, error: ExecError) -> None:
        if self.lost is None:
            self.lost = error
        self._finish(error)

    def _finish(self, outcome: Outcome) -> None:
        # An answer stands, even if the process is lost before the caller has seen it.
        if self._outcome is None:
            self._outcome = outcome
            self._news.set()
            self._news = anyio.Event()

    def _receive(self, data: bytes) -> None:
        self._output_bytes += len(data)
        if self._output_bytes > self._max_output_bytes:
            self._fault(f"wrote more than {self._max_output_bytes} bytes to stdout")
            return
        self._connection.receive_data(data)
        self._take_events()

    def _take_events(self) -> None:
        while True:
            event = self._connection.next_event()
            match event:
                case Result():
                    self._finish(event)
                case Failure(message, _, code, more):
                    self._finish(ToolReported(self._tool, message, code, more))
                case Malformed(_, detail, _):
                    self._fault(detail)
                case StrayLine():
                    self._stray_lines += 1
                    if self._stray_lines > _MAX_STRAY_LINES:
                        self._fault(f"wrote {_MAX_STRAY_LINES} lines, and no answer")
                        return
                case NeedData() | EndOfInput():
                    return
                case _:  # pragma: no cover
                    assert_never(event)


def _holds(pipe: int) -> bool:
    """Whether our end of a pipe holds what nobody has read.

    Linux tells; elsewhere it may seem empty, or be no pipe that can be asked.
    """
    try:
        held = fcntl.ioctl(pipe, termios.FIONREAD, bytes(4))
    except OSError:
        return False
    return held != bytes(4)
