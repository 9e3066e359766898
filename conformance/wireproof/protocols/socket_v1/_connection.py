"""One connection to a server under test: bytes out, bytes in, never blocking."""

from __future__ import annotations

import contextlib
import errno
import select
import socket
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

from wireproof.subjects import unread_by_peer

if TYPE_CHECKING:
    from collections.abc import Callable

READ_SIZE = 1 << 18
"""Most bytes taken at once."""

READS = {"nothing": 0, "little": 4096, "all": READ_SIZE}
"""The same for a client that does not read, or reads slowly."""

GONE = frozenset({errno.ENOENT, errno.ECONNREFUSED})
"""Why nobody can be reached where a socket was."""

NOT_YET = GONE | {errno.EAGAIN}
"""Why a server that is coming up, or has many waiting, cannot be reached yet."""


class Connection:
    """A connection.

    Attributes:
        name: What the steps call it.
        closed_by_server: Whether the server closed it.
        most_read: Most bytes taken at once; with 0 nothing is read.
        write_closed: Whether our side of it has been shut down.
    """

    def __init__(
        self,
        name: str,
        sock: socket.socket,
        on_data: Callable[[bytes, str], None],
    ) -> None:
        """Take over a socket that is connected and does not block.

        Args:
            name: What the steps call it.
            sock: The socket.
            on_data: Takes what came, and the name.
        """
        self.name = name
        self.closed_by_server = False
        self.most_read = READ_SIZE
        self.write_closed = False
        self._socket = sock
        self._on_data = on_data
        self._unsent: deque[memoryview] = deque()
        self._open = True

    @property
    def open(self) -> bool:
        """Whether frames can still come."""
        return self._open

    def fileno(self) -> int:
        """Return the number by which the system knows it."""
        return self._socket.fileno()

    @property
    def wanted(self) -> int:
        """What to wait for, as ``select.poll`` says it."""
        reading = select.POLLIN if self.most_read else 0
        return reading | (select.POLLOUT if self._unsent else 0)

    @property
    def unsent(self) -> int:
        """How many bytes wait to be written."""
        return sum(map(len, self._unsent))

    @property
    def all_read(self) -> bool:
        """Whether the server has read all that was sent, as far as it can be known."""
        if self._unsent:
            return False
        if not self._open:
            return True
        return unread_by_peer(self._socket) == 0

    def send(self, data: bytes) -> None:
        """Queue bytes and write what fits."""
        if self._open and not self.write_closed:
            self._unsent.append(memoryview(data))
            self.write()

    def write(self) -> None:
        """Write what fits."""
        while self._unsent:
            head = self._unsent[0]
            try:
                written = self._socket.send(head)
            except BlockingIOError:
                return
            except OSError:
                # It no longer reads; what it wrote before can still be read.
                self._unsent.clear()
                self.write_closed = True
                return
            if written == len(head):
                self._unsent.popleft()
            else:
                self._unsent[0] = head[written:]

    def read(self) -> None:
        """Take what is there."""
        try:
            data = self._socket.recv(self.most_read)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self._on_data(data, self.name)
        else:
            self.closed_by_server = True
            self._end()

    def await_unread(self, seconds: float) -> bool:
        """Wait until something has come that nobody has read yet.

        What a connection is closed with then is a reset for the other end.

        Args:
            seconds: Most seconds to wait.

        Returns:
            Whether something has.
        """
        if not self._open:
            return False
        poller = select.poll()
        poller.register(self._socket, select.POLLIN)
        return bool(poller.poll(seconds * 1000))

    def shut_down_writing(self) -> None:
        """End what the server reads."""
        self.write_closed = True
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Close it wholly."""
        if self._open:
            self._end()

    def _end(self) -> None:
        self._open = False
        self._unsent.clear()
        self._socket.close()


def try_connect(path: str) -> socket.socket | OSError:
    """Return a connected socket, or why there is none."""
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    sock.setblocking(False)  # noqa: FBT003 - the standard library's signature
    try:
        sock.connect(path)
    except OSError as error:
        sock.close()
        return error
    return sock


def is_gone(path: str) -> bool:
    """Return whether there is nobody where a socket was."""
    found = try_connect(path)
    if isinstance(found, OSError):
        return found.errno in GONE
    found.close()
    return False


def remove_stale(path: str) -> None:
    """Remove the socket file that a server left which was killed; no other file."""
    if not Path(path).is_socket():
        return
    found = try_connect(path)
    if isinstance(found, ConnectionRefusedError):
        Path(path).unlink(missing_ok=True)
    elif not isinstance(found, OSError):
        found.close()
