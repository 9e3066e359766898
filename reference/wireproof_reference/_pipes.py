"""Byte streams over plain file descriptors, for front ends of every protocol.

Theory of operation: a descriptor that we were given (our own stdin and stdout) may be
shared with whoever started us, so it is never switched to non-blocking.  Instead it is
touched only when the system says that it is ready: a read then takes what is there,
and a write of at most `PIPE_BUF` bytes does not block.  A descriptor that cannot be
waited for (a regular file, `/dev/null`) is always ready.
"""

from __future__ import annotations

import os
import select
from collections import deque
from typing import TYPE_CHECKING, Final

import anyio
import anyio.lowlevel

if TYPE_CHECKING:
    from collections.abc import Callable

    from anyio.abc import TaskGroup

READ_BYTES: Final = 64 * 1024
"""Bytes taken by one read: what a pipe holds on Linux."""

MAX_BACKLOG_BYTES: Final = 32 * 1024 * 1024
"""Above so many unwritten bytes `PipeWriter.wait_for_room` waits.

Twice the largest message we promise to handle.  A peer that sends much before it reads
anything is served up to here; one that never reads cannot fill the memory.
"""


class PipeReader:
    """Reads a descriptor; does not close it."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._poll = select.poll()
        self._poll.register(fd, select.POLLIN)

    async def receive(self) -> bytes:
        """What has arrived, at least one byte; nothing at end of file."""
        try:
            await anyio.wait_readable(self._fd)
            # Another task may have taken it meanwhile.
            while not self._poll.poll(0):
                await anyio.wait_readable(self._fd)
        except PermissionError:  # a file that cannot be waited for
            await anyio.lowlevel.checkpoint()
        return os.read(self._fd, READ_BYTES)

    def receive_nowait(self) -> bytes:
        """What has arrived by now; nothing where there is nothing more yet."""
        return os.read(self._fd, READ_BYTES) if self._poll.poll(0) else b""


class PipeWriter:
    """Writes a descriptor in order, and keeps what it does not take yet.

    Args:
        fd: The descriptor; not closed.
        tasks: Where the task that writes the backlog is started.
        on_broken: Called once, when nobody reads any more; writes are dropped then.
    """

    def __init__(
        self, fd: int, tasks: TaskGroup, on_broken: Callable[[], object]
    ) -> None:
        self._fd = fd
        self._tasks = tasks
        self._on_broken = on_broken
        self._poll = select.poll()
        self._poll.register(fd, select.POLLOUT)
        self._backlog: deque[memoryview] = deque()
        self._backlog_bytes = 0
        self._progress = anyio.Event()
        self._broken = False

    def write(self, data: bytes) -> None:
        """Write at once what the descriptor takes, and the rest as it takes it."""
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
        await self._wait_for_backlog(MAX_BACKLOG_BYTES)

    async def flush(self) -> None:
        """Wait until everything is written, or nobody reads any more."""
        await self._wait_for_backlog(0)

    async def _wait_for_backlog(self, size: int) -> None:
        while self._backlog_bytes > size:
            await self._progress.wait()

    def _write_now(self, view: memoryview) -> memoryview:
        try:
            while view and self._poll.poll(0):
                view = view[os.write(self._fd, view[: select.PIPE_BUF]) :]
        except OSError:  # a pipe without a reader, or a device gone away
            self._broken = True
            self._backlog.clear()
            self._backlog_bytes = 0
            self._on_broken()
            return memoryview(b"")
        return view

    async def _write_backlog(self) -> None:
        while self._backlog:
            await anyio.wait_writable(self._fd)
            rest = self._write_now(self._backlog[0])
            if self._backlog:  # not broken
                self._backlog_bytes -= len(self._backlog[0]) - len(rest)
                self._backlog[0] = rest
                if not rest:
                    self._backlog.popleft()
            self._progress.set()
            self._progress = anyio.Event()
