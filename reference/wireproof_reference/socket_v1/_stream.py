"""A connected socket, for server and client, on asyncio or trio.

Theory of operation: see `WriteQueue` for what is written.  What is read waits in the
socket, so that a server takes no more than it can carry out.
"""

from __future__ import annotations

import select
from typing import TYPE_CHECKING, Final

import anyio

from wireproof_reference._writing import WriteQueue

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


class SocketStream(WriteQueue):
    """Reads and writes a socket; owns it.

    Args:
        connected: The socket.
        tasks: Where the task that writes the backlog is started.
    """

    def __init__(self, connected: socket.socket, tasks: TaskGroup) -> None:
        super().__init__(tasks, MAX_BACKLOG_BYTES)
        connected.settimeout(0)
        self._socket = connected
        self._poll = select.poll()
        self._poll.register(connected, 0)  # a hang-up is always reported

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

    async def wait_for_hangup(self) -> None:
        """Wait until the peer has closed the connection wholly."""
        while not self.hung_up:  # noqa: ASYNC110  # the system tells nobody
            await anyio.sleep(_HANGUP_SECONDS)

    def close(self) -> None:
        """Close the socket; what is not written is lost."""
        self._break()
        anyio.notify_closing(self._socket)
        self._socket.close()

    def _take(self, view: memoryview) -> memoryview:
        try:
            while view:
                view = view[self._socket.send(view) :]
        except BlockingIOError:
            pass
        return view

    async def _wait_writable(self) -> None:
        await anyio.wait_writable(self._socket)
