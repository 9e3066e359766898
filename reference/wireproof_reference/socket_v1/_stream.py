"""A connected socket, for server and client, on asyncio or trio.

Theory of operation: `write` never waits: the socket takes what it takes, and a task
writes the rest as it can.  Whoever makes much to write calls `wait_for_room` first,
so that a peer that reads slowly slows down its own work and nobody else's.
"""

from __future__ import annotations

import select
from collections import deque
from typing import TYPE_CHECKING, Final

import anyio

if TYPE_CHECKING:
    import socket

    from anyio.abc import TaskGroup

READ_BYTES: Final = 64 * 1024
"""Bytes taken by one read: a fair share, for other peers wait meanwhile."""

MAX_BACKLOG_BYTES: Final = 1024 * 1024
"""Above so many unwritten bytes `wait_for_room` waits."""

# A peer that closed only its write side looks readable for ever; nothing but a look
# now and then shows that it has gone.
_HANGUP_SECONDS: Final = 0.05


class SocketStream:
    """Reads and writes a socket; owns it.

    Args:
        connected: The socket.
        tasks: Where the task that writes the backlog is started.
    """

    def __init__(self, connected: socket.socket, tasks: TaskGroup) -> None:
        connected.settimeout(0)
        self._socket = connected
        self._tasks = tasks
        self._poll = select.poll()
        self._poll.register(connected, 0)  # a hang-up is always reported
        self._backlog: deque[memoryview] = deque()
        self._backlog_bytes = 0
        self._progress = anyio.Event()
        self._turn = anyio.Lock()
        self._broken = False

    @property
    def backlog_bytes(self) -> int:
        """Bytes that the socket has not taken yet."""
        return self._backlog_bytes

    @property
    def broken(self) -> bool:
        """Whether nothing that is written arrives any more."""
        return self._broken

    @property
    def hung_up(self) -> bool:
        """Whether the peer has gone wholly, not closed its write side only."""
        return self._broken or bool(self._poll.poll(0))

    async def receive(self) -> bytes:
        """What has arrived, at least one byte; nothing at the end, however it came."""
        while self._socket.fileno() >= 0:
            try:
                await anyio.wait_readable(self._socket)
                return self._socket.recv(READ_BYTES)
            except BlockingIOError:
                continue
            except (OSError, anyio.ClosedResourceError):
                break
        return b""

    def write(self, data: bytes) -> None:
        """Write at once what the socket takes, and the rest as it takes it."""
        if self._broken:
            return
        if self._backlog:
            self._backlog.append(memoryview(data))
            self._backlog_bytes += len(data)
            return
        rest = self._write_now(memoryview(data))
        if rest:
            self._backlog.append(rest)
            self._backlog_bytes = len(rest)
            self._tasks.start_soon(self._write_backlog)

    async def wait_for_room(self) -> None:
        """Wait until the backlog is small enough to accept more work."""
        if self._backlog_bytes <= MAX_BACKLOG_BYTES:
            return
        # One by one: thousands may wait, and the first will use the room up.
        async with self._turn:
            while self._backlog_bytes > MAX_BACKLOG_BYTES:
                await self._progress.wait()

    async def flush(self) -> None:
        """Wait until everything is written, or the peer has gone."""
        while self._backlog_bytes:
            await self._progress.wait()

    async def wait_for_hangup(self) -> None:
        """Wait until the peer has closed the connection wholly."""
        while not self.hung_up:  # noqa: ASYNC110  # the system tells nobody
            await anyio.sleep(_HANGUP_SECONDS)

    def close(self) -> None:
        """Close the socket; what is not written is lost."""
        self._break()
        anyio.notify_closing(self._socket)
        self._socket.close()

    def _break(self) -> None:
        self._broken = True
        self._backlog.clear()
        self._backlog_bytes = 0
        self._progress.set()

    def _write_now(self, view: memoryview) -> memoryview:
        try:
            while view:
                view = view[self._socket.send(view) :]
        except BlockingIOError:
            return view
        except OSError:  # nobody reads any more
            self._break()
        return memoryview(b"")

    async def _write_backlog(self) -> None:
        while self._backlog:
            try:
                await anyio.wait_writable(self._socket)
            except (OSError, anyio.ClosedResourceError):
                self._break()
                return
            if not self._backlog:
                return
            rest = self._write_now(self._backlog[0])
            if self._broken:
                return
            self._backlog_bytes -= len(self._backlog[0]) - len(rest)
            self._backlog[0] = rest
            if not rest:
                self._backlog.popleft()
            self._progress.set()
            self._progress = anyio.Event()
