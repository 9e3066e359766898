"""The server: carries out calls with the tools of a registry.

Theory of operation: each connection has a task that reads it.  How a call is carried
out stands in `_server_calls`, what is written down of it in `_server_records`.

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
from typing import TYPE_CHECKING, Final, assert_never

import anyio
import anyio.lowlevel
from anyio import TASK_STATUS_IGNORED

from wireproof_reference.framing import EndOfInput, NeedData
from wireproof_reference.socket_v1._listener import claim_socket
from wireproof_reference.socket_v1._peer import Peer
from wireproof_reference.socket_v1._server_calls import ServerCalls, runtime_ends
from wireproof_reference.socket_v1._stream import SocketStream
from wireproof_reference.socket_v1.core import (
    BadMessage,
    CancelToolCall,
    ClientMessage,
    ListTools,
    ServerConnection,
    ToolCall,
    ToolResult,
    ToolsList,
)

if TYPE_CHECKING:
    import socket
    from pathlib import Path

    from anyio.abc import TaskStatus

    from wireproof_reference.socket_v1._home import Home
    from wireproof_reference.socket_v1._registry import ToolRegistry

SHUTDOWN_SECONDS: Final = 1.0
"""How long clients are given to take their last results."""

# After so many messages the other clients have their turn.
_MESSAGES_AT_ONCE: Final = 64

# Too many open files, or too little memory for one more; it may pass.
_EXHAUSTED: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_EXHAUSTED_SECONDS: Final = 0.1


class SocketServer(ServerCalls):
    """Serves the tools of a registry on a socket.

    Args:
        registry: The tools, and what was granted.
        path: Where the socket file is made.
        home: Where the log and the records go; nowhere where it is None.

    Attributes:
        peers: The clients that are connected.
        stopped: Set when the end is over; a tool in a thread may still run.
    """

    def __init__(
        self, registry: ToolRegistry, path: Path, home: Home | None = None
    ) -> None:
        super().__init__(registry, path, home)
        self.peers: set[Peer] = set()
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
                    self._tasks = tasks
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

    # --- the end --------------------------------------------------------------

    async def shutdown(self) -> None:
        """End the calls in flight, and let clients take the results (SOCK-S1)."""
        self.shutting_down = True
        for peer in list(self.peers):
            for call in list(peer.calls.values()):
                self.abort_call(call, runtime_ends())
        with anyio.move_on_after(SHUTDOWN_SECONDS):
            for peer in list(self.peers):
                await peer.stream.flush()
