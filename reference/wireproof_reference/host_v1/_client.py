"""A client that starts a host and calls it, on asyncio or trio.

    async with HostClient(["node", "host.mjs"], config={}) as client:
        done = await client.execute("search", {"query": "wire"})

Theory of operation: the client owns the tool state.  Each `execute` carries the latest,
and each success that brings one replaces it.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Final

import anyio

from wireproof_reference._errors import RemoteProtocolError
from wireproof_reference.framing import dumps
from wireproof_reference.host_v1._calls import (
    Answer,
    Call,
    Execution,
    Outcome,
    Reply,
)
from wireproof_reference.host_v1._link import HostLink, HostProcess
from wireproof_reference.host_v1.core import Request, is_envelope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from wireproof_reference.framing import JSON, JSONObject
    from wireproof_reference.host_v1.core import HostError

DEFAULT_WITHIN: Final = 60.0
"""Seconds that a call may take unless told otherwise (HV1-C9)."""

CLOSE_GRACE: Final = 2.0
"""Seconds in which a host exits by itself when its input ends (HV1-T9)."""


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

    @property
    def state(self) -> JSONObject:
        """The latest tool state: what the next `execute` carries (HV1-C4)."""
        return self._link.state

    @property
    def stderr_tail(self) -> bytes:
        """The last of what the host wrote to stderr."""
        return self._link.stderr_tail

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
        self._link = self._open_link()
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
        answer = await self._finish(self._start(method, params, within))
        return answer.reply

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
        return _execution(call, await self._finish(call, on_chunk))

    async def request_many(
        self,
        requests: Iterable[tuple[str, JSONObject]],
        *,
        within: float | None = None,
    ) -> list[Reply | HostError | RemoteProtocolError]:
        """Call methods without waiting between them; a failed call is a value."""
        calls = (self._start(method, params, within) for method, params in requests)
        return [
            outcome.reply if isinstance(outcome, Answer) else outcome
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
            _execution(call, outcome) if isinstance(outcome, Answer) else outcome
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
        params: JSONObject = {"result": result, "state": self.state}
        reply = await self.request("format_tool_result", params, within=within)
        if isinstance(reply.value, str) or is_envelope(reply.value):
            return reply.value
        return dumps(reply.value).decode()

    def _open_link(self) -> HostLink:
        return HostLink(self._process, self._tasks)

    async def _init(self) -> None:
        config: JSONObject = {} if self._config is None else self._config
        reply = await self.request("init", {"config": config})
        if reply.state is None:
            # HV1-M6 lets a host leave the state out; the seed has it as the value.
            if not isinstance(reply.value, dict):
                raise RemoteProtocolError("init gave no state", clause="HV1-R1")
            self._link.state = reply.value

    def _start_tool(
        self, tool_name: str, arguments: JSONObject, within: float | None
    ) -> Call:
        params: JSONObject = {
            "tool_name": tool_name,
            "arguments": arguments,
            "state": self.state,
        }
        return self._start("execute_tool", params, within)

    def _start(self, method: str, params: JSONObject, within: float | None) -> Call:
        seconds = self._within if within is None else within
        return self._link.start(Request(self._new_id(), method, params), seconds)

    async def _finish(
        self, call: Call, on_chunk: Callable[[JSONObject], None] | None = None
    ) -> Answer:
        outcome = await self._link.finish(call, on_chunk)
        if isinstance(outcome, Answer):
            return outcome
        raise outcome

    async def _outcomes(self, calls: Iterable[Call]) -> list[tuple[Call, Outcome]]:
        """Start all calls that are given, then wait for each."""
        started: list[Call] = []
        try:
            for call in calls:
                started.append(call)  # noqa: PERF402  # keep those before an error
            return [(call, await self._link.finish(call)) for call in started]
        finally:
            for call in started:
                self._link.forget(call)

    async def _close(self) -> None:
        """End the host, however this task itself is ending."""
        try:
            with anyio.CancelScope(shield=True):
                await self._link.close(self._grace)
            self._tasks.cancel_scope.cancel()
            await self._tasks.__aexit__(None, None, None)
        finally:
            self._process.close()


def _execution(call: Call, answer: Answer) -> Execution:
    return Execution(tuple(call.chunks), answer.reply.value, answer.client_state)
