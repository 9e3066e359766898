"""Writing that never waits, for front ends of every protocol.

Theory of operation: `write` writes at once what the other side takes, and a task writes
the rest as it is taken.  Whoever makes much to write calls `wait_for_room` first, so
that a peer that reads slowly slows down its own work and nobody else's.  When nobody
reads any more, what is left and all that comes is dropped.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from anyio.abc import TaskGroup


class WriteQueue(ABC):
    """Writes in order, and keeps what is not taken yet.

    Args:
        tasks: Where the task that writes the backlog is started.
        max_backlog_bytes: Above so many unwritten bytes `wait_for_room` waits.
    """

    def __init__(self, tasks: TaskGroup, max_backlog_bytes: int) -> None:
        self._tasks = tasks
        self._max_backlog_bytes = max_backlog_bytes
        self._backlog: deque[memoryview] = deque()
        self._backlog_bytes = 0
        self._progress = anyio.Event()
        self._turn = anyio.Lock()
        self._broken = False

    @property
    def backlog_bytes(self) -> int:
        """Bytes that have not been taken yet."""
        return self._backlog_bytes

    @property
    def broken(self) -> bool:
        """Whether nothing that is written arrives any more."""
        return self._broken

    def write(self, data: bytes) -> None:
        """Write at once what is taken, and the rest as it is taken."""
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
        if self._backlog_bytes <= self._max_backlog_bytes:
            return
        # One by one: thousands may wait, and the first will use the room up.
        async with self._turn:
            await self._wait_for_backlog(self._max_backlog_bytes)

    async def flush(self) -> None:
        """Wait until everything is written, or nobody reads any more."""
        await self._wait_for_backlog(0)

    @abstractmethod
    def _take(self, view: memoryview) -> memoryview:
        """Write without waiting; return what is left.

        Raises:
            OSError: Nobody reads any more.
        """

    @abstractmethod
    async def _wait_writable(self) -> None:
        """Wait until something would be taken.

        Raises:
            OSError: Nobody reads any more.
            anyio.ClosedResourceError: Our own end was closed meanwhile.
        """

    def _break(self) -> None:
        self._broken = True
        self._backlog.clear()
        self._backlog_bytes = 0
        self._tell_progress()

    def _tell_progress(self) -> None:
        self._progress.set()
        self._progress = anyio.Event()

    async def _wait_for_backlog(self, size: int) -> None:
        while self._backlog_bytes > size:
            await self._progress.wait()

    def _write_now(self, view: memoryview) -> memoryview:
        try:
            return self._take(view)
        except OSError:
            self._break()
            return memoryview(b"")

    async def _write_backlog(self) -> None:
        while self._backlog:
            try:
                await self._wait_writable()
            except (OSError, anyio.ClosedResourceError):
                self._break()
            if not self._backlog:
                return
            rest = self._write_now(self._backlog[0])
            if not self._backlog:
                return
            self._backlog_bytes -= len(self._backlog[0]) - len(rest)
            self._backlog[0] = rest
            if not rest:
                self._backlog.popleft()
            self._tell_progress()
