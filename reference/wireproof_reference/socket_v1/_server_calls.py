"""How a server carries out calls: each is checked, run, and resolved once.

Theory of operation: each call has two tasks: one runs the tool, and one waits for the
end of the call or its deadline.  A call is resolved by whatever comes first: its tool,
a cancel, the deadline, the end of the connection or of the server.  What comes later is
dropped, so that a tool that ignores its signal delays nobody and never speaks after the
result (SOCK-C2, X1, X8).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

import anyio

from wireproof_reference._errors import EncodeError, LocalProtocolError
from wireproof_reference.socket_v1._context import AbortSignal, CallContext
from wireproof_reference.socket_v1._peer import Call, Peer
from wireproof_reference.socket_v1._server_records import ServerRecords
from wireproof_reference.socket_v1.core import (
    ERROR_CODES,
    CallResult,
    CancelToolCall,
    ServerMessage,
    ToolCall,
    ToolError,
    ToolEvent,
    ToolResult,
    event_flaw,
    redact_text,
    result_flaw,
)

if TYPE_CHECKING:
    from pathlib import Path

    from anyio.abc import TaskGroup

    from wireproof_reference.framing import JSON, JSONObject
    from wireproof_reference.socket_v1._home import Home
    from wireproof_reference.socket_v1._registry import ToolDefinition, ToolRegistry
    from wireproof_reference.socket_v1.core import Caller

DEFAULT_TOOL_TIMEOUT_MS: Final = 120_000
"""Milliseconds that a call may take, where neither it nor its tool says (SOCK-X5)."""

MAX_DEADLINE_MS: Final = 2**53
"""A deadline beyond this is never met anyway, and would overflow a float."""

MAX_CALLS: Final = 10_000
"""Calls that one connection may have in flight; more are refused, one by one."""

TRUSTED_CALLERS: Final = frozenset(("cli", "plugin"))
"""The callers that a client may claim to be (SOCK-I1)."""


class ServerCalls(ServerRecords):
    """The calls of a server, with the tools of a registry.

    Args:
        registry: The tools, and what was granted.
        path: Where the socket file is made.
        home: Where the log and the records go; nowhere where it is None.

    Attributes:
        shutting_down: Whether the end has begun.
    """

    _tasks: TaskGroup

    def __init__(
        self, registry: ToolRegistry, path: Path, home: Home | None = None
    ) -> None:
        super().__init__(path, home)
        self.registry = registry
        self.shutting_down = False

    def start_call(self, peer: Peer, message: ToolCall) -> None:
        """Refuse a call, or start the tasks that carry it out (SOCK-C8)."""
        call = Call(
            peer, message, self.make_context(peer, message), anyio.current_time()
        )
        # The context sends its events through the call that it belongs to.
        call.context = replace(call.context, emit=partial(self.emit, call))
        call.tool = self.registry.find(message.tool_name)
        peer.calls[message.request_id] = call
        refusal = self.refuse_call(call)
        if refusal is not None:
            self.resolve(call, refusal)
            return
        call.allowed = True
        self._tasks.start_soon(self.run_call, call)
        self._tasks.start_soon(self._watch_deadline, call)

    def downgrade(self, caller: Caller) -> Caller:
        """The caller that a client is believed to be (SOCK-I1)."""
        return caller if caller in TRUSTED_CALLERS else "cli"

    def make_context(self, peer: Peer, message: ToolCall) -> CallContext:
        """What the tool is given; what the client claims to be is no part of it."""
        info = message.client_info
        return CallContext(
            self.downgrade(info.caller),
            peer.session_id,
            AbortSignal(),
            _emit_nothing,
            info.cwd,
            info.space_id,
            info.tab_id,
        )

    def refuse_call(self, call: Call) -> ToolResult | None:
        """Why a call is not run, or None; the first check that fails (SOCK-C7)."""
        refusal = self.check_running(call) or self.check_tool(call)
        if refusal is not None or call.tool is None:
            return refusal
        return self.check_arguments(call, call.tool) or self.check_permission(
            call, call.tool
        )

    def check_running(self, call: Call) -> ToolResult | None:
        """Refuse a call that comes too late, or is one too many."""
        if self.shutting_down:
            return runtime_ends()
        if len(call.peer.calls) > MAX_CALLS:
            return ToolResult.failure(
                "TOOL_FAILED", f"more than {MAX_CALLS} calls are in flight"
            )
        return None

    def check_tool(self, call: Call) -> ToolResult | None:
        """Refuse a call of a tool that there is not (SOCK-C6)."""
        if call.tool is None:
            name = redact_text(call.message.tool_name)
            return ToolResult.failure("UNKNOWN_TOOL", f"unknown tool {name!r}")
        return None

    def check_arguments(self, call: Call, tool: ToolDefinition) -> ToolResult | None:
        """Refuse arguments that break the tool's schema (SOCK-C6)."""
        flaw = self.registry.argument_flaw(tool, call.message.arguments)
        return None if flaw is None else ToolResult.failure("VALIDATION_ERROR", flaw)

    def check_permission(self, call: Call, tool: ToolDefinition) -> ToolResult | None:
        """Refuse a tool that needs a grant which nobody gave (SOCK-I4, I7)."""
        missing = self.registry.missing_grants(tool)
        if not missing:
            return None
        detail = f"{tool.name} needs a grant for {', '.join(missing)}"
        return ToolResult.failure("PERMISSION_DENIED", detail)

    def deadline_ms(self, call: Call) -> int:
        """Milliseconds that a call may take (SOCK-X5, X10)."""
        if call.message.timeout_ms is not None:
            return call.message.timeout_ms
        if call.tool is not None and call.tool.timeout_ms is not None:
            return call.tool.timeout_ms
        return DEFAULT_TOOL_TIMEOUT_MS

    async def _watch_deadline(self, call: Call) -> None:
        # SOCK-X6
        seconds = min(self.deadline_ms(call), MAX_DEADLINE_MS) / 1000
        with anyio.CancelScope(deadline=call.started + seconds):
            await call.resolved.wait()
            return
        self.expire_call(call)

    async def run_call(self, call: Call) -> None:
        """Carry out a call that was allowed, and resolve it, whatever happens."""
        stream = call.peer.stream
        await stream.wait_for_room()
        # Of a peer that has gone, `handle_close` will resolve it.
        if call.tool is None or call.resolved.is_set() or stream.broken:
            return
        try:
            result = self.envelope(await self.run_tool(call.tool, call))
        except (Exception, SystemExit) as error:  # noqa: BLE001  # SOCK-C5
            result = self.tool_failed(call, error)
        except BaseException as error:
            # A tool may raise what is meant to end a task or a program; its call is
            # resolved all the same (SOCK-C1).
            self.resolve(call, self.tool_failed(call, error))
            raise
        self.resolve(call, result)

    async def run_tool(self, tool: ToolDefinition, call: Call) -> JSON | ToolResult:
        """Run the tool of a call."""
        return await tool.run(call.message.arguments, call.context)

    def envelope(self, returned: JSON | ToolResult) -> ToolResult:
        """The result that stands for what a tool returned (SOCK-C3, C4, C14)."""
        if not isinstance(returned, ToolResult):
            return ToolResult.success(returned)
        flaw = result_flaw(returned.json)
        if flaw is None:
            return returned
        return ToolResult.failure("TOOL_FAILED", f"the tool's {flaw}")

    def tool_failed(self, call: Call, error: BaseException) -> ToolResult:
        """The result that stands for what a tool raised (SOCK-C5)."""
        if not isinstance(error, ToolError):
            return ToolResult.failure("TOOL_FAILED", str(error))
        code = error.code if error.code in ERROR_CODES else "TOOL_FAILED"
        return ToolResult.failure(code, error.message, error.details)

    async def emit(self, call: Call, event: JSONObject) -> None:
        """Send an event of a call; waits where the client reads too slowly.

        Raises:
            LocalProtocolError: It is no event (SOCK-E1).
            EncodeError: JSON cannot hold it.
        """
        flaw = event_flaw(event)
        if flaw is not None:
            raise LocalProtocolError(flaw, clause="SOCK-E1")
        # SOCK-C2
        if not call.resolved.is_set():
            self.send(call.peer, ToolEvent(call.message.request_id, event))
        await call.peer.stream.wait_for_room()

    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        """Cancel a call of this client, if it is in flight (SOCK-X1, X3, X4)."""
        call = peer.calls.get(message.request_id)
        if call is not None:
            name = call.message.tool_name
            self.abort_call(
                call, ToolResult.failure("CANCELLED", f"{name} was cancelled")
            )

    def expire_call(self, call: Call) -> None:
        """End a call at its deadline (SOCK-X5, X7)."""
        detail = f"{call.message.tool_name} timed out after {self.deadline_ms(call)} ms"
        self.abort_call(call, ToolResult.failure("TIMEOUT", detail))

    def abort_call(self, call: Call, result: ToolResult) -> None:
        """End a call before its tool does, and tell the tool (SOCK-X1, X2, X9)."""
        self.resolve(call, result)
        call.context.signal.abort(str(result.error.get("message", "")))

    def resolve(self, call: Call, result: ToolResult) -> None:
        """Settle what came of a call; the first result stands (SOCK-C1)."""
        if call.resolved.is_set():
            return
        request_id = call.message.request_id
        try:
            data = self.encode(call.peer, CallResult(request_id, result))
        except EncodeError as error:
            result = ToolResult.failure("TOOL_FAILED", f"the result: {error}")
            data = self.encode(call.peer, CallResult(request_id, result))
        del call.peer.calls[request_id]
        call.resolved.set()
        if not call.peer.calls:
            call.peer.idle.set()
        self.audit(call, result)
        self.write(call.peer, data)

    def send(self, peer: Peer, message: ServerMessage) -> None:
        """Send a message to a client, now."""
        self.write(peer, self.encode(peer, message))

    def encode(self, peer: Peer, message: ServerMessage) -> bytes:
        """One line that stands for a message; the core checks that it may be sent."""
        return peer.connection.send(message)

    def write(self, peer: Peer, data: bytes) -> None:
        """Send bytes to a client."""
        peer.stream.write(data)


async def _emit_nothing(event: JSONObject) -> None:
    """Stands where no call is known yet."""


def runtime_ends() -> ToolResult:
    """The result of a call that the end of the server cuts off (SOCK-S1)."""
    return ToolResult.failure("RUNTIME_SHUTTING_DOWN", "the runtime is shutting down")
