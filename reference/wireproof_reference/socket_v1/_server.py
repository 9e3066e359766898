"""The server: carries out calls with the tools of a registry.

Theory of operation: each connection has a task that reads it, and each call two: one
runs the tool, and one waits for the end of the call or its deadline.  A call is
resolved once, by whatever comes first: its tool, a cancel, the deadline, the end of
the connection or of the server.  What comes later is dropped, so that a tool that
ignores its signal delays nobody and never speaks after the result (SOCK-C2, X1, X8).

Every step is a method of its own, and calls the others through `self`, so that a server
that does one thing differently overrides one method:

=======================  ============================================================
`make_connection`        the core that reads messages; see also its own two methods
`new_session_id`         the name of a new connection
`handle_message`         a message: answer it, or start the task that will
`handle_bad_message`     a line that is no message
`handle_eof`             the end of what a client sends
`handle_close`           the end of a connection
`list_tools`             the answer to `list_tools`
`start_call`             a call: refuse it, or start its tasks
`downgrade`              the caller that is believed
`make_context`           what the tool is given
`refuse_call`            the checks, in their order
`check_running`          the first check; then `check_tool`, `check_arguments` and
                         `check_permission`
`deadline_ms`            milliseconds that a call may take
`run_call`, `run_tool`   one call, and its tool alone
`envelope`               what a tool returned, as a result
`tool_failed`            what a tool raised, as a result
`emit`                   an event of a tool
`cancel_call`            `cancel_tool_call`
`expire_call`            the deadline of a call
`abort_call`             a call that ends before its tool
`resolve`                the one result of a call
`audit`, `audit_entry`   the line in the log about a call
`redact`                 a value as the log may show it
`publish`, `withdraw`    the records by which others find the server
`instance_record`        one of them
`shutdown`               the end of the server
`send`                   any message: encode and write
`encode`                 from message to bytes
`write`                  bytes to a client
=======================  ============================================================
"""

from __future__ import annotations

import errno
import os
import sys
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final, assert_never

import anyio
import anyio.lowlevel
from anyio import TASK_STATUS_IGNORED

from wireproof_reference._errors import EncodeError, LocalProtocolError
from wireproof_reference.framing import EndOfInput, NeedData
from wireproof_reference.socket_v1._context import AbortSignal, CallContext
from wireproof_reference.socket_v1._listener import claim_socket
from wireproof_reference.socket_v1._peer import Call, Peer
from wireproof_reference.socket_v1._stream import SocketStream
from wireproof_reference.socket_v1.core import (
    ERROR_CODES,
    BadMessage,
    CallResult,
    CancelToolCall,
    ClientMessage,
    ListTools,
    ServerConnection,
    ServerMessage,
    ToolCall,
    ToolError,
    ToolEvent,
    ToolResult,
    ToolsList,
    event_flaw,
    redact_text,
    result_flaw,
    summarise,
)

if TYPE_CHECKING:
    import socket
    from pathlib import Path

    from anyio.abc import TaskGroup, TaskStatus

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

SHUTDOWN_SECONDS: Final = 1.0
"""How long clients are given to take their last results."""

TRUSTED_CALLERS: Final = frozenset(("cli", "plugin"))
"""The callers that a client may claim to be (SOCK-I1)."""

# After so many messages the other clients have their turn.
_MESSAGES_AT_ONCE: Final = 64

# Too many open files, or too little memory for one more; it may pass.
_EXHAUSTED: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_EXHAUSTED_SECONDS: Final = 0.1


class SocketServer:
    """Serves the tools of a registry on a socket.

    Args:
        registry: The tools, and what was granted.
        path: Where the socket file is made.
        home: Where the log and the records go; nowhere where it is None.

    Attributes:
        peers: The clients that are connected.
        shutting_down: Whether the end has begun.
        stopped: Set when the end is over; a tool in a thread may still run.
    """

    def __init__(
        self, registry: ToolRegistry, path: Path, home: Home | None = None
    ) -> None:
        self.registry = registry
        self.path = path
        self.home = home
        self.peers: set[Peer] = set()
        self.shutting_down = False
        self.stopped = anyio.Event()
        self._stopping = anyio.Event()

    async def serve(
        self, *, task_status: TaskStatus[None] = TASK_STATUS_IGNORED
    ) -> None:
        """Serve until `stop` is called; started when clients may connect.

        Raises:
            SocketPathTaken: The path of the socket cannot be had.
            OSError: The home cannot be written.
        """
        with claim_socket(self.path) as claimed:
            try:
                # Whoever can connect must find the records too.
                self.publish()
                listener = claimed.listen()
                async with anyio.create_task_group() as tasks:
                    self._tasks: TaskGroup = tasks
                    tasks.start_soon(self._accept, listener)
                    task_status.started()
                    await self._stopping.wait()
                    await self.shutdown()
                    tasks.cancel_scope.cancel()
            finally:
                self.withdraw()
                self.stopped.set()

    def stop(self) -> None:
        """Begin the end; `serve` returns soon."""
        self._stopping.set()

    # --- connections ----------------------------------------------------------

    async def _accept(self, listener: socket.socket) -> None:
        while True:
            await anyio.wait_readable(listener)
            try:
                connected, _ = listener.accept()
            except (BlockingIOError, ConnectionAbortedError):
                continue
            except OSError as error:
                if error.errno not in _EXHAUSTED:
                    raise
                await anyio.sleep(_EXHAUSTED_SECONDS)
                continue
            self._tasks.start_soon(self.serve_peer, connected)

    async def serve_peer(self, connected: socket.socket) -> None:
        """Serve one client until it has gone."""
        stream = SocketStream(connected, self._tasks)
        peer = Peer(stream, self.make_connection(), self.new_session_id())
        self.peers.add(peer)
        try:
            while data := await stream.receive():
                peer.connection.receive_data(data)
                await self.handle_messages(peer)
            await self.handle_eof(peer)
        finally:
            self.peers.discard(peer)
            self.handle_close(peer)
            stream.close()

    def make_connection(self) -> ServerConnection:
        """The core that turns bytes into messages and messages into bytes."""
        return ServerConnection()

    def new_session_id(self) -> str:
        """The name of a new connection, which nobody can guess (SOCK-I2)."""
        return os.urandom(24).hex()

    async def handle_messages(self, peer: Peer) -> None:
        """Answer what the connection has found in its input."""
        handled = 0
        while not isinstance(event := peer.connection.next_event(), NeedData):
            match event:
                case EndOfInput():
                    return
                case BadMessage():
                    self.handle_bad_message(peer, event)
                case _:
                    self.handle_message(peer, event)
            handled += 1
            if handled % _MESSAGES_AT_ONCE == 0:
                await anyio.lowlevel.checkpoint()
            await peer.stream.wait_for_room()

    def handle_message(self, peer: Peer, message: ClientMessage) -> None:
        """Answer a message, or start the tasks that will."""
        match message:
            case ListTools():
                self.send(peer, self.list_tools(peer))
            case ToolCall():
                self.start_call(peer, message)
            case CancelToolCall():
                self.cancel_call(peer, message)
            case _:  # pragma: no cover
                assert_never(message)

    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        """Answer a line that is no message (SOCK-F4, M2, M5)."""
        self.send(peer, bad.answer)

    async def handle_eof(self, peer: Peer) -> None:
        """Take in the end of what a client sends; what is in flight goes on.

        Unless the client has gone wholly: then nobody waits for it (SOCK-C12, C13).
        """
        peer.connection.receive_eof()
        await self.handle_messages(peer)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._finish_calls, peer, tasks.cancel_scope)
            await peer.stream.wait_for_hangup()
            tasks.cancel_scope.cancel()

    async def _finish_calls(self, peer: Peer, done: anyio.CancelScope) -> None:
        while peer.calls:
            peer.idle = anyio.Event()
            await peer.idle.wait()
        await peer.stream.flush()
        done.cancel()

    def handle_close(self, peer: Peer) -> None:
        """Take in the end of a connection: its calls are aborted (SOCK-C12)."""
        for call in list(peer.calls.values()):
            self.abort_call(
                call, ToolResult.failure("CANCELLED", "the connection was closed")
            )

    # --- listing --------------------------------------------------------------

    def list_tools(self, peer: Peer) -> ToolsList:
        """The answer to `list_tools` (SOCK-L1)."""
        return ToolsList(tuple(tool.descriptor() for tool in self.registry.tools))

    # --- calls ----------------------------------------------------------------

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
            return _shutting_down()
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

    # --- audit and discovery --------------------------------------------------

    def audit(self, call: Call, result: ToolResult) -> None:
        """Write the line about a call (SOCK-A1)."""
        if self.home is None:
            return
        try:
            self.home.append_audit(self.audit_entry(call, result))
        except OSError as error:
            # The call is carried out already; no client can mend a full disk.
            sys.stderr.write(f"cannot write the audit log: {error}\n")

    def audit_entry(self, call: Call, result: ToolResult) -> JSONObject:
        """What the log says about a call (SOCK-A3)."""
        message = call.message
        duration_ms = (anyio.current_time() - call.started) * 1000
        entry: JSONObject = {
            "time": self.now().isoformat(),
            "requestId": redact_text(message.request_id),
            "sessionId": call.context.session_id,
            "caller": call.context.caller,
            "toolName": redact_text(message.tool_name),
            "capabilities": list(call.tool.capabilities) if call.tool else [],
            "decision": "allow" if call.allowed else "deny",
            "durationMs": round(duration_ms, 3),
            "arguments": self.redact(message.arguments),
            "result": self.redact(result.json),
        }
        return entry

    def redact(self, value: JSON) -> JSON:
        """A value as the log may show it (SOCK-A2)."""
        return summarise(value)

    def now(self) -> datetime:
        """The time of day."""
        return datetime.now(UTC)

    def publish(self) -> None:
        """Leave the records by which others find the server (SOCK-D1, D2)."""
        if self.home is not None:
            self.home.create()
            self.home.reap_instances()
            self.home.write_config(self.path)
            self.home.write_instance(os.getpid(), self.instance_record(self.home))

    def instance_record(self, home: Home) -> JSONObject:
        """What `instances/<pid>.json` says (SOCK-D2)."""
        return {
            "pid": os.getpid(),
            "socketPath": str(self.path),
            "userDataPath": str(home.folder),
            "startedAt": self.now().isoformat(),
        }

    def withdraw(self) -> None:
        """Remove what `publish` left about this process (SOCK-D2)."""
        if self.home is not None:
            self.home.remove_instance(os.getpid())

    # --- the end --------------------------------------------------------------

    async def shutdown(self) -> None:
        """End the calls in flight, and let clients take the results (SOCK-S1)."""
        self.shutting_down = True
        for peer in list(self.peers):
            for call in list(peer.calls.values()):
                self.abort_call(call, _shutting_down())
        with anyio.move_on_after(SHUTDOWN_SECONDS):
            for peer in list(self.peers):
                await peer.stream.flush()

    # --- output ---------------------------------------------------------------

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


def _shutting_down() -> ToolResult:
    return ToolResult.failure("RUNTIME_SHUTTING_DOWN", "the runtime is shutting down")
