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
from typing import TYPE_CHECKING, Final

import anyio
import anyio.lowlevel

from wireproof_reference._writing import WriteQueue

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

# What a dead process may have left in a pipe: the largest pipe that Linux allows.  More
# than that comes from a grandchild, and may never end.
_MAX_LEFT_BYTES: Final = 1024 * 1024


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


class Drain(PipeReader):
    """Reads what a process writes, and gives each piece of it to `take`."""

    def __init__(self, fd: int, take: Callable[[bytes], None]) -> None:
        super().__init__(fd)
        self._take = take

    async def run(self) -> None:
        """Read until the end of file, which a grandchild may hold off for ever."""
        while data := await self.receive():
            self._take(data)

    def take_left(self) -> None:
        """Take what a dead process left in the pipe, without waiting for its end."""
        left = 0
        while left < _MAX_LEFT_BYTES and (data := self.receive_nowait()):
            left += len(data)
            self._take(data)


class PipeWriter(WriteQueue):
    """Writes a descriptor in order, and keeps what it does not take yet.

    Args:
        fd: The descriptor; not closed.
        tasks: Where the task that writes the backlog is started.
        on_broken: Called once, when nobody reads any more; writes are dropped then.
    """

    def __init__(
        self, fd: int, tasks: TaskGroup, on_broken: Callable[[], object]
    ) -> None:
        super().__init__(tasks, MAX_BACKLOG_BYTES)
        self._fd = fd
        self._on_broken = on_broken
        self._poll = select.poll()
        self._poll.register(fd, select.POLLOUT)

    def _take(self, view: memoryview) -> memoryview:
        while view and self._poll.poll(0):
            view = view[os.write(self._fd, view[: select.PIPE_BUF]) :]
        return view

    async def _wait_writable(self) -> None:
        await anyio.wait_writable(self._fd)

    def _break(self) -> None:
        super()._break()
        self._on_broken()
