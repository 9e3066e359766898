"""A server under test: its process, its place, and the connections of a check."""

from __future__ import annotations

import contextlib
import os
import select
import time
from itertools import count
from typing import TYPE_CHECKING

from wireproof.checks import VectorDefect
from wireproof.judge import MAIN
from wireproof.patterns import exit_text
from wireproof.protocols.socket_v1._connection import (
    GONE,
    NOT_YET,
    Connection,
    remove_stale,
    try_connect,
)
from wireproof.subjects import awaited_end, peer_pid

if TYPE_CHECKING:
    import signal
    import socket
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from wireproof.protocols.socket_v1._place import Place
    from wireproof.run import Request, Sink
    from wireproof.subjects import SubjectProcess

CONNECT_POLL = 0.005
"""Seconds between two tries to connect to a server that is coming up."""

PROCESS_POLL = 0.02
"""Seconds between two looks at a process on a system without pidfd."""

GONE_SECONDS = 1.0
"""How long a server that serves may have no socket: one that puts another in its place
has none for a moment."""

BUSY_SECONDS = 5.0
"""How long one may have no room for a connection."""

START_SECONDS = 20.0
"""Seconds in which a server accepts its first connection."""

ENDING_SECONDS = 5.0
"""How long a server that was killed may take to be gone."""


class ServerLink:
    """One server, launched or reached.

    Attributes:
        place: Where it lives.
        control: Returns a plain valid request.
        pid: The process that listens; 0 if that is not known.
        told_to_end: Whether it was asked to end.
        started_over: Whether a step has ended, doubled or replaced the server.
        numbers: Number the requests of steps that ask several times.
        offsets: Where the lines of the check in hand begin in the server's logs.
    """

    def __init__(
        self,
        place: Place,
        sink: Sink,
        start: Callable[[Place], SubjectProcess] | None,
        control: Callable[[], Request],
    ) -> None:
        """Start the server.

        Args:
            place: Where it lives.
            sink: Takes what happens.
            start: Starts a process of it in a place; None if it runs already.
            control: Returns a plain valid request.

        Raises:
            SubjectStartError: If the system cannot start it.
        """
        self.place = place
        self.control = control
        self.pid = 0
        self.told_to_end = self.started_over = False
        self.offsets: dict[Path, int] = {}
        self.numbers = count(1)
        self._sink = sink
        self._start = start
        self._named: dict[str, Connection] = {}
        self._current: Connection | None = None
        self._listener: int | None = None
        self.process = start(place) if start is not None else None

    # --- the interface of a link

    @property
    def exit_status(self) -> int | None:
        """The exit status of the process; None while it runs, or if it is another's."""
        return self.process.exit_status if self.process is not None else None

    @property
    def ended(self) -> bool:
        """Whether nothing more can come on the connection in hand."""
        if self._current is not None:
            return not self._current.open
        return self.exit_status is not None

    @property
    def input_open(self) -> bool:
        """Whether the server takes bytes on the connection in hand."""
        current = self._current
        if current is not None:
            return current.open and not current.write_closed
        # One that was told to end may end at any time.
        return self.exit_status is None and not self.told_to_end

    @property
    def unsent(self) -> int:
        """How many bytes wait to be written on the connection in hand."""
        return self._current.unsent if self._current is not None else 0

    @property
    def is_running(self) -> bool:
        """Whether the server runs."""
        return self.process is None or self.process.is_running

    def send(self, data: bytes) -> None:
        """Queue bytes on the connection in hand."""
        if self._current is not None:
            self._current.send(data)

    def close_input(self) -> None:
        """Shut down the write side of the connection in hand."""
        if self._current is not None:
            self._current.shut_down_writing()

    def input_consumed(self) -> bool:
        """Return whether the server has read all that was sent there."""
        return self._current is None or self._current.all_read

    def await_full_stdout(self, seconds: float) -> None:
        """Do nothing: the steps say themselves what is read of a connection."""

    def pump(self, timeout: float) -> bool:
        """Wait for anything to happen, and take it in."""
        poller = select.poll()
        known: dict[int, tuple[str, Connection]] = {}
        for name, one in self._named.items():
            if one.open:
                known[one.fileno()] = (name, one)
                poller.register(one.fileno(), one.wanted)
        process = self.process
        if process is not None:
            for number in process.watched:
                poller.register(number, select.POLLIN)
            if not process.has_exit_event:
                timeout = min(timeout, PROCESS_POLL)
        ready = poller.poll(max(0.0, timeout) * 1000)
        for number, events in ready:
            if number in known:
                self._move(*known[number], events)
        if process is not None:
            process.pump(0)
        return bool(ready)

    def stderr_tail(self) -> str:
        """Return the end of what the server wrote on stderr."""
        return self.process.stderr_tail() if self.process is not None else ""

    def release(self) -> None:
        """Close all connections; end a server that was launched, and remove its place.

        Safe to call more than once.
        """
        self.close_all()
        if self.process is not None:
            self.kill()
            remove_stale(self.place.socket)
        self.place.remove()

    # --- the process

    @property
    def launched(self) -> bool:
        """Whether the suite launches the server."""
        return self._start is not None

    def kill(self) -> None:
        """End the process and its group."""
        if self.process is not None:
            with awaited_end(self.pid, ENDING_SECONDS):
                # What was started may be a shell that stands before the server.
                self.process.release()

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the server, and to what it was started by.

        What the server has started is the server's to end.
        """
        process = self.process
        if process is None or process.exit_status is not None:
            return
        if self._listener is None:
            # Nobody knows which process of the group it is.
            os.killpg(process.pid, number)
            return
        for pid in {process.pid, self._listener}:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def start_again(self) -> None:
        """End the process and start another one in the same place.

        Raises:
            SubjectStartError: If the system cannot start it.
        """
        self.close_all()
        self.kill()
        self.told_to_end = False
        self.started_over = True
        self.process = self.begin_process(self.place)

    def begin_process(self, place: Place) -> SubjectProcess:
        """Start one more process of the server.

        Raises:
            SubjectStartError: If the system cannot start it.
        """
        if self._start is None:
            raise VectorDefect("a step starts a server without needs: launched")
        return self._start(place)

    def await_listening(self, seconds: float) -> str:
        """Wait until the server accepts a connection; return why it does not.

        It is kept: a server may serve its first connection and no other.
        """
        limit = time.monotonic() + seconds
        while isinstance(found := try_connect(self.place.socket), OSError):
            if self.exit_status is not None:
                return f"it exited with {exit_text(self.exit_status)}"
            if self.process is None or time.monotonic() >= limit:
                return f"no connection to {self.place.socket}: {found.strerror}"
            self.process.pump(CONNECT_POLL)
        self._listener = peer_pid(found)
        self.pid = self._listener or (self.process.pid if self.process else 0)
        self._opened(MAIN, found)
        return ""

    # --- connections

    @property
    def names(self) -> Sequence[str]:
        """The connections on which lines can be sent."""
        return [
            n for n, one in self._named.items() if one.open and not one.write_closed
        ]

    def turn(self, on: str) -> bool:
        """Take a connection in hand, opening it if there is none of that name."""
        if on not in self._named and not self._connect(on):
            return False
        self._current = self._named[on]
        return True

    def named(self, on: str) -> Connection | None:
        """Return the connection of that name, or None."""
        return self._named.get(on)

    def drop(self, on: str) -> None:
        """Close a connection and forget its name."""
        one = self._named.pop(on, None)
        if one is None:
            return
        was_open = one.open
        one.close()
        if self._current is one:
            self._current = None
        if was_open:
            self._sink.dropped(on)

    def close_all(self) -> None:
        """Close the connections of a check that has ended; nobody is told."""
        for one in self._named.values():
            one.close()
        self._named.clear()
        self._current = None

    def _connect(self, on: str) -> bool:
        began = time.monotonic()
        while isinstance(found := try_connect(self.place.socket), OSError):
            limit = GONE_SECONDS if found.errno in GONE else BUSY_SECONDS
            is_over = time.monotonic() - began >= limit
            if found.errno not in NOT_YET or is_over or self.exit_status is not None:
                return False
            self.pump(CONNECT_POLL)
        self._opened(on, found)
        return True

    def _opened(self, on: str, found: socket.socket) -> None:
        self._sink.opened(on)
        self._named[on] = Connection(on, found, self._sink.received)

    def _move(self, on: str, one: Connection, events: int) -> None:
        if events & select.POLLOUT:
            one.write()
        if one.open and one.most_read and events & ~select.POLLOUT:
            one.read()
        if one.closed_by_server:
            one.closed_by_server = False
            self._sink.closed(on)
