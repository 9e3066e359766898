"""The connections of one check, each by the name that its steps give it.

All are closed when the next check begins. Those of a check that ended without a fence
are listened to during one check more: what came late still shows.
"""

from __future__ import annotations

import select
import time
from typing import TYPE_CHECKING

from wireproof.protocols.socket_v1._connection import Connection

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Sequence

    from wireproof.protocols.socket_v1._ledger import SocketLedger


class Connections:
    """What is connected to one server."""

    def __init__(
        self,
        new_ledger: Callable[[], SocketLedger],
        on_data: Callable[[Connection, bytes], None],
    ) -> None:
        """Begin with none.

        Args:
            new_ledger: Makes the ledger of a connection.
            on_data: Called with what comes on one.
        """
        self._new_ledger = new_ledger
        self._on_data = on_data
        self._named: dict[str, Connection] = {}
        self._lingering: list[Connection] = []
        self._past: list[SocketLedger] = []

    @property
    def named(self) -> Sequence[Connection]:
        """The connections of the check in hand."""
        return tuple(self._named.values())

    @property
    def ledgers(self) -> Sequence[SocketLedger]:
        """The ledgers of the check in hand, those of connections gone by included."""
        return (*self._past, *(one.ledger for one in self._named.values()))

    def begin(self, *, linger: bool) -> None:
        """Begin a check: it has no connections yet.

        Args:
            linger: Whether those of the check before are listened to during this one.
        """
        self._close_lingering()
        if linger:
            for connection in self._named.values():
                connection.name = f"before: {connection.name}"
                self._lingering.append(connection)
            self._named.clear()
        self.drop_all()
        self._past.clear()

    def get(self, name: str) -> Connection | None:
        """Return the connection of that name, or None."""
        return self._named.get(name)

    def adopt(self, name: str, connected: socket.socket) -> Connection:
        """Let a socket that is connected be the connection of that name."""
        connection = Connection(name, connected, self._new_ledger(), self._on_data)
        self._named[name] = connection
        return connection

    def drop(self, name: str) -> None:
        """Close a connection and forget its name."""
        connection = self._named.pop(name, None)
        if connection is not None:
            _close(connection)
            self._past.append(connection.ledger)

    def drop_all(self) -> None:
        """Close the connections of the check in hand and forget their names."""
        for name in list(self._named):
            self.drop(name)

    def close(self) -> None:
        """Close every connection."""
        self._close_lingering()
        self.drop_all()

    def register(self, poller: select.poll) -> dict[int, Connection]:
        """Register what is open; return each by the number of its file."""
        known: dict[int, Connection] = {}
        for connection in (*self._named.values(), *self._lingering):
            if connection.open:
                known[connection.fileno()] = connection
                poller.register(connection.fileno(), connection.wanted)
        return known

    def _close_lingering(self) -> None:
        for connection in self._lingering:
            _close(connection)
        self._lingering.clear()


def move(connection: Connection, events: int) -> None:
    """Write and read what a connection is ready for.

    Args:
        connection: The connection.
        events: What ``select.poll`` says of it.
    """
    if events & select.POLLOUT:
        connection.write()
    if connection.open and connection.most_read and events & ~select.POLLOUT:
        connection.read()
    if connection.closed_by_server:
        connection.ledger.closed(time.monotonic(), by_server=True)


def _close(connection: Connection) -> None:
    connection.close()
    connection.ledger.closed(time.monotonic(), by_server=False)
