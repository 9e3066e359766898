"""A client that starts a host and calls it, on asyncio or trio.

    async with HostClient(["node", "host.mjs"], config={}) as client:
        done = await client.execute("search", {"query": "wire"})

Theory of operation: three tasks live as long as the client.  One reads stdout and hands
each message to the call that waits for it; one keeps the end of stderr; one waits
for the process to exit.  A call waits for its answer, its deadline, or the loss of the
host, whichever comes first.  When the process has exited, what it wrote before is
read first, so that an answer is never lost to a death that came after it.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias, assert_never

import anyio

from wireproof_reference._errors import RemoteProtocolError
from wireproof_reference._pipes import PipeReader, PipeWriter
from wireproof_reference.framing import EndOfInput, JSONObject, NeedData, dumps
from wireproof_reference.host_v1._client_connection import (
    ClientConnection,
    Malformed,
    StrayLine,
)
from wireproof_reference.host_v1._client_errors import (
    CallTimeout,
    HostError,
    HostFailure,
    HostLost,
)
from wireproof_reference.host_v1._envelope import is_envelope
from wireproof_reference.host_v1._messages import Event, Failure, Request, Success
from wireproof_reference.host_v1._process import HostProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from wireproof_reference.framing import JSON

DEFAULT_WITHIN: Final = 60.0
"""Seconds that a call may take unless told otherwise (HV1-C9)."""

CLOSE_GRACE: Final = 2.0
"""Seconds in which a host exits by itself when its input ends (HV1-T9)."""

# A host that closes stdout is mostly about to exit: so long its status is waited for.
_STATUS_GRACE: Final = 0.5

# What a dead host may have left in a pipe: the largest pipe that Linux allows.  More
# than that comes from a grandchild, and may never end.
_MAX_LEFT_BYTES: Final = 1024 * 1024

_STDERR_TAIL_BYTES: Final = 64 * 1024
_MAX_LAST_LINE: Final = 1000  # characters of it that an error shows


@dataclass(frozen=True, slots=True)
class Reply:
    """What a method gave.

    Attributes:
        value: Its value.
        state: The state that came with it, or None.
    """

    value: JSON
    state: JSONObject | None


@dataclass(frozen=True, slots=True)
class Execution:
    """What a tool gave.

    Attributes:
        chunks: `{"part": payload}` for each part that it streamed (HV1-C3).
        result: `{"success": true, "result": …}` or `{"success": false, "error": …}`.
        state: The client's state after it.
    """

    chunks: tuple[JSONObject, ...]
    result: JSON
    state: JSONObject


_Outcome: TypeAlias = Success | HostError | RemoteProtocolError


@dataclass(slots=True, eq=False)
class _Call:
    """A request in flight, and what has come for it."""

    request: Request
    seconds: float
    deadline: float
    chunks: list[JSONObject] = field(default_factory=list[JSONObject])
    outcome: _Outcome | None = None
    news: anyio.Event = field(default_factory=anyio.Event)

    def finish(self, outcome: _Outcome) -> None:
        # An answer stands, even if the host is lost before the call has seen it.
        if self.outcome is None:
            self.outcome = outcome
            self.news.set()

    def add_chunk(self, chunk: JSONObject) -> None:
        self.chunks.append(chunk)
        self.news.set()


def _new_id() -> str:
    return str(uuid.uuid4())


class HostClient:
    """Starts a host when entered, and ends it when left.

    Args:
        command: The program and its arguments; no shell is involved.
        config: What `init` is called with.
        within: Seconds that a call may take, where it does not say.
        grace: Seconds in which the host may exit by itself before it is killed.
        env: The host's whole environment; ours where it is None.
        cwd: The folder that it starts in; ours where it is None.
        new_id: Makes the id of each request, never the same twice.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        config: JSONObject | None = None,
        within: float = DEFAULT_WITHIN,
        grace: float = CLOSE_GRACE,
        env: Mapping[str, str] | None = None,
        cwd: Path | str | None = None,
        new_id: Callable[[], str] = _new_id,
    ) -> None:
        self._command = command
        self._config = config
        self._within = within
        self._grace = grace
        self._env = env
        self._cwd = cwd
        self._new_id = new_id
        self._connection = ClientConnection()
        # The id of a failure may be None, though never of one that answers a call.
        self._calls: dict[str | None, _Call] = {}
        self._state: JSONObject = {}
        self._stderr = b""
        self._lost: HostLost | None = None

    @property
    def state(self) -> JSONObject:
        """The latest tool state: what the next `execute` carries (HV1-C4)."""
        return self._state

    @property
    def stderr_tail(self) -> bytes:
        """The last of what the host wrote to stderr."""
        return self._stderr

    async def __aenter__(self) -> Self:
        """Start the host and call `init`.

        Raises:
            HostLost: It could not be started, or died.
            HostFailure: `init` failed.
            CallTimeout: `init` was not answered in time.
            RemoteProtocolError: `init` gave no state.
        """
        self._process = await HostProcess.start(
            self._command, env=self._env, cwd=self._cwd
        )
        self._tasks = await anyio.create_task_group().__aenter__()
        self._exited = anyio.Event()
        self._stdout = PipeReader(self._process.stdout)
        self._stderr_pipe = PipeReader(self._process.stderr)
        self._writer = PipeWriter(
            self._process.stdin,
            self._tasks,
            lambda: self._tasks.start_soon(self._lose, "closed its stdin"),
        )
        self._tasks.start_soon(self._read_stdout)
        self._tasks.start_soon(self._read_stderr)
        self._tasks.start_soon(self._await_exit)
        try:
            await self._init()
        except BaseException:
            await self._close()
            raise
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the host: close its input, wait a little, kill what is left."""
        await self._close()

    async def request(
        self, method: str, params: JSONObject, *, within: float | None = None
    ) -> Reply:
        """Call a method with params as they are.

        Args:
            method: Its name, in snake_case.
            params: What it is given; no state is added.
            within: Seconds that it may take, where not the client's own.

        Raises:
            HostFailure: The host answered with a failure.
            CallTimeout: The host did not answer in time.
            HostLost: The host died, or cannot be reached any more.
            RemoteProtocolError: The host's answer is no message.
            LocalProtocolError: The method is not in snake_case.
        """
        success = await self._finish(self._start(method, params, within))
        return Reply(success.value, success.state)

    async def execute(
        self,
        tool_name: str,
        arguments: JSONObject,
        *,
        within: float | None = None,
        on_chunk: Callable[[JSONObject], None] | None = None,
    ) -> Execution:
        """Run a tool with the client's current state.

        Args:
            tool_name: Its name.
            arguments: What it is given.
            within: Seconds that it may take, where not the client's own.
            on_chunk: Called with each chunk as it comes.

        Raises:
            HostFailure: The host answered with a failure.
            CallTimeout: The host did not answer in time.
            HostLost: The host died, or cannot be reached any more.
            RemoteProtocolError: The host's answer is no message.
        """
        call = self._start_tool(tool_name, arguments, within)
        return self._execution(call, await self._finish(call, on_chunk))

    async def request_many(
        self,
        requests: Iterable[tuple[str, JSONObject]],
        *,
        within: float | None = None,
    ) -> list[Reply | HostError | RemoteProtocolError]:
        """Call methods without waiting between them; a failed call is a value."""
        calls = (self._start(method, params, within) for method, params in requests)
        return [
            Reply(outcome.value, outcome.state)
            if isinstance(outcome, Success)
            else outcome
            for _, outcome in await self._outcomes(calls)
        ]

    async def execute_many(
        self,
        runs: Iterable[tuple[str, JSONObject]],
        *,
        within: float | None = None,
    ) -> list[Execution | HostError | RemoteProtocolError]:
        """Run tools side by side, each with the state of now; failures are values."""
        calls = (self._start_tool(name, args, within) for name, args in runs)
        return [
            self._execution(call, outcome) if isinstance(outcome, Success) else outcome
            for call, outcome in await self._outcomes(calls)
        ]

    async def format_tool_result(
        self, result: JSON, *, within: float | None = None
    ) -> str | JSONObject:
        """What the model is shown of a tool's result.

        Returns:
            Text, or an explicit envelope in a supported format as it is.  Anything else
            that the host gives becomes its JSON text (HV1-C6).

        Raises:
            HostError: As `request`.
        """
        params: JSONObject = {"result": result, "state": self._state}
        reply = await self.request("format_tool_result", params, within=within)
        if isinstance(reply.value, str) or is_envelope(reply.value):
            return reply.value
        return dumps(reply.value).decode()

    async def _init(self) -> None:
        config: JSONObject = {} if self._config is None else self._config
        reply = await self.request("init", {"config": config})
        if reply.state is None:
            # HV1-M6 lets a host leave the state out; the seed has it as the value.
            if not isinstance(reply.value, dict):
                raise RemoteProtocolError("init gave no state", clause="HV1-R1")
            self._state = reply.value

    def _start_tool(
        self, tool_name: str, arguments: JSONObject, within: float | None
    ) -> _Call:
        params: JSONObject = {
            "tool_name": tool_name,
            "arguments": arguments,
            "state": self._state,
        }
        return self._start("execute_tool", params, within)

    def _execution(self, call: _Call, success: Success) -> Execution:
        return Execution(tuple(call.chunks), success.value, self._state)

    def _start(self, method: str, params: JSONObject, within: float | None) -> _Call:
        """Send a request; what comes of it is in the call."""
        seconds = self._within if within is None else within
        request = Request(self._new_id(), method, params)
        call = _Call(request, seconds, anyio.current_time() + seconds)
        if self._lost is not None:
            call.finish(self._lost)
            return call
        data = self._connection.send(request)
        self._calls[request.id] = call
        self._writer.write(data)
        return call

    async def _finish(
        self, call: _Call, on_chunk: Callable[[JSONObject], None] | None = None
    ) -> Success:
        outcome = await self._outcome(call, on_chunk)
        if isinstance(outcome, Success):
            return outcome
        raise outcome

    async def _outcomes(self, calls: Iterable[_Call]) -> list[tuple[_Call, _Outcome]]:
        """Start all calls that are given, then wait for each."""
        started: list[_Call] = []
        try:
            for call in calls:
                started.append(call)  # noqa: PERF402  # keep those before an error
            return [(call, await self._outcome(call)) for call in started]
        finally:
            for call in started:
                self._forget(call)

    async def _outcome(
        self, call: _Call, on_chunk: Callable[[JSONObject], None] | None = None
    ) -> _Outcome:
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
            self._forget(call)
        return CallTimeout(call.request.method, call.seconds)

    def _forget(self, call: _Call) -> None:
        # HV1-C9: a late answer is nobody's.
        self._calls.pop(call.request.id, None)
        self._connection.forget(call.request.id)

    async def _read_stdout(self) -> None:
        while data := await self._stdout.receive():
            self._receive(data)
        self._connection.receive_eof()
        await self._lose("closed its stdout")

    async def _read_stderr(self) -> None:
        while data := await self._stderr_pipe.receive():
            self._keep_stderr(data)

    async def _await_exit(self) -> None:
        status = await self._process.process.wait()
        left = 0
        while left < _MAX_LEFT_BYTES and (data := self._stdout.receive_nowait()):
            left += len(data)
            self._receive(data)
        self._fail_calls("exited", status)
        self._exited.set()

    async def _lose(self, reason: str) -> None:
        """The host cannot be reached; its exit, if it comes soon, says more."""
        with anyio.move_on_after(_STATUS_GRACE):
            await self._exited.wait()
        self._fail_calls(reason, None)

    def _fail_calls(self, reason: str, status: int | None) -> None:
        if self._lost is None:
            left = 0
            while left < _MAX_LEFT_BYTES and (
                data := self._stderr_pipe.receive_nowait()
            ):
                left += len(data)
                self._keep_stderr(data)
            self._lost = HostLost(reason, status, self._last_line())
        for call in self._calls.values():
            call.finish(self._lost)

    def _keep_stderr(self, data: bytes) -> None:
        self._stderr = (self._stderr + data)[-_STDERR_TAIL_BYTES:]

    def _last_line(self) -> str:
        lines = self._stderr.decode(errors="replace").split("\n")
        filled = (line.strip() for line in reversed(lines) if line.strip())
        return next(filled, "")[:_MAX_LAST_LINE]

    def _receive(self, data: bytes) -> None:
        self._connection.receive_data(data)
        while True:
            event = self._connection.next_event()
            match event:
                case Success(request_id, _, state):
                    # HV1-C10: without one the state stays as it was.
                    if state is not None:
                        self._state = state
                    self._calls[request_id].finish(event)
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

    async def _close(self) -> None:
        """End the host, however this task itself is ending."""
        self._fail_calls("was ended by the client", None)
        try:
            with anyio.CancelScope(shield=True):
                with anyio.move_on_after(self._grace):
                    await self._writer.flush()
                    self._process.close_stdin()
                    # Not the event: where we are cancelled, nobody sets it any more.
                    await self._process.process.wait()
                await self._process.kill()
            self._tasks.cancel_scope.cancel()
            await self._tasks.__aexit__(None, None, None)
        finally:
            self._process.close()
