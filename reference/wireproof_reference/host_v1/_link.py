"""The link to a running host, and the calls in flight on it.

Theory of operation: three tasks live as long as the link.  One reads stdout and hands
each message to the call that waits for it; one keeps the end of stderr; one waits
for the process to exit.  A call waits for its answer, its deadline, or the loss of the
host, whichever comes first.  When the process has exited, what it wrote before is
read first, so that an answer is never lost to a death that came after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, assert_never

import anyio

from wireproof_reference._child import STATUS_GRACE, ChildProcess, StderrTail
from wireproof_reference._errors import RemoteProtocolError
from wireproof_reference._pipes import Drain, PipeWriter
from wireproof_reference.framing import EndOfInput, NeedData
from wireproof_reference.host_v1._calls import Answer, Call, Outcome, Reply
from wireproof_reference.host_v1.core import (
    CallTimeout,
    ClientConnection,
    Event,
    Failure,
    HostFailure,
    HostLost,
    Malformed,
    Request,
    StrayLine,
    Success,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from typing import Self

    from anyio.abc import TaskGroup

    from wireproof_reference.framing import JSONObject

_MAX_LAST_LINE: Final = 1000  # characters of it that an error shows


class HostProcess(ChildProcess):
    """A running host."""

    __slots__ = ()

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: Path | str | None = None,
    ) -> Self:
        """Start a host; its arguments are those of `ChildProcess.start`.

        Raises:
            HostLost: It could not be started.
        """
        try:
            return await super().start(command, env=env, cwd=cwd)
        except OSError as error:
            raise HostLost(f"did not start: {error}", None, "") from error


class HostLink:
    """A host that runs, and the calls in flight.

    Args:
        process: The host; `close` ends it.
        tasks: Where the three tasks run; the owner cancels them after `close`.

    Attributes:
        state: The latest tool state (HV1-C4).
    """

    def __init__(self, process: HostProcess, tasks: TaskGroup) -> None:
        self.state: JSONObject = {}
        self._process = process
        self._connection = ClientConnection()
        # The id of a failure may be None, though never of one that answers a call.
        self._calls: dict[str | None, Call] = {}
        self._loss: tuple[str, int | None, str] | None = None
        self._exited = anyio.Event()
        self._stdout = Drain(process.stdout, self._receive)
        self._stderr = StderrTail(process.stderr)
        self._writer = PipeWriter(
            process.stdin,
            tasks,
            lambda: tasks.start_soon(self._lose, "closed its stdin"),
        )
        tasks.start_soon(self._read_stdout)
        tasks.start_soon(self._read_stderr)
        tasks.start_soon(self._await_exit)

    @property
    def stderr_tail(self) -> bytes:
        """The last of what the host wrote to stderr."""
        return self._stderr.tail

    def start(self, request: Request, seconds: float) -> Call:
        """Send a request; what comes of it is in the call.

        Raises:
            LocalProtocolError: The protocol does not allow the request.
            EncodeError: JSON cannot hold its params.
        """
        call = Call(request, seconds, anyio.current_time() + seconds)
        if self._loss is not None:
            call.finish(HostLost(*self._loss))
            return call
        data = self._connection.send(request)
        self._calls[request.id] = call
        self._writer.write(data)
        return call

    async def finish(
        self, call: Call, on_chunk: Callable[[JSONObject], None] | None = None
    ) -> Outcome:
        """Wait for the answer, the deadline or the loss of the host."""
        shown = 0
        try:
            with anyio.CancelScope(deadline=call.deadline):
                while True:
                    while on_chunk is not None and shown < len(call.chunks):
                        on_chunk(call.chunks[shown])
                        shown += 1
                    if call.outcome is not None:
                        return call.outcome
                    call.news = anyio.Event()
                    await call.news.wait()
        finally:
            self.forget(call)
        return CallTimeout(call.request.method, call.seconds)

    def forget(self, call: Call) -> None:
        """Wait for a call no longer: a late answer is nobody's (HV1-C9)."""
        self._calls.pop(call.request.id, None)
        self._connection.forget(call.request.id)

    async def close(self, grace: float) -> None:
        """End the host: close its input, wait a little, kill what is left.

        Must not be cancelled.

        Args:
            grace: Seconds in which the host may exit by itself.
        """
        self._fail_calls("was ended by the client", None)
        await self._process.end(self._writer, grace)

    async def _read_stdout(self) -> None:
        await self._stdout.run()
        self._connection.receive_eof()
        await self._lose("closed its stdout")

    async def _read_stderr(self) -> None:
        await self._stderr.run()

    async def _await_exit(self) -> None:
        status = await self._process.process.wait()
        self._stdout.take_left()
        self._fail_calls("exited", status)
        self._exited.set()

    async def _lose(self, reason: str) -> None:
        """The host cannot be reached; its exit, if it comes soon, says more."""
        with anyio.move_on_after(STATUS_GRACE):
            await self._exited.wait()
        self._fail_calls(reason, None)

    def _fail_calls(self, reason: str, status: int | None) -> None:
        """Fail all calls, now and from now on; the first reason stands (HV1-C7)."""
        if self._loss is None:
            self._stderr.take_left()
            self._loss = (reason, status, self._last_line())
        for call in self._calls.values():
            call.finish(HostLost(*self._loss))

    def _last_line(self) -> str:
        lines = self.stderr_tail.decode(errors="replace").split("\n")
        filled = (line.strip() for line in reversed(lines) if line.strip())
        return next(filled, "")[:_MAX_LAST_LINE]

    def _receive(self, data: bytes) -> None:
        self._connection.receive_data(data)
        while True:
            event = self._connection.next_event()
            match event:
                case Success(request_id, value, state):
                    # HV1-C10: without one the state stays as it was.
                    if state is not None:
                        self.state = state
                    answer = Answer(Reply(value, state), self.state)
                    self._calls[request_id].finish(answer)
                case Failure(request_id, type_, detail, stack):
                    self._calls[request_id].finish(HostFailure(type_, detail, stack))
                case Event(request_id, type_, payload):
                    # HV1-C3
                    if type_ == "part":
                        self._calls[request_id].add_chunk({"part": payload})
                case Malformed(request_id, detail, _):
                    self._calls[request_id].finish(RemoteProtocolError(detail))
                case StrayLine():
                    pass
                case NeedData() | EndOfInput():
                    return
                case _:  # pragma: no cover
                    assert_never(event)
