"""What carries the bytes of a server under test: its process, its connections.

Theory of operation. A server is launched in a place of its own, or was running before.
Each check opens the connections that its steps name; all are closed at its end. Nothing
runs by itself: whoever waits for something pumps process and connections together until
it is there, until what it waits for cannot come any more, or until the time is over.
"""

from __future__ import annotations

import os
import select
import signal
import time
from collections import Counter
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wireproof.checks import SubjectStartError
from wireproof.line import Cut, LineSession, Missing, MissingCause, NotUp, pieces
from wireproof.patterns import exit_text
from wireproof.protocols.socket_v1._connection import (
    NOT_YET,
    Connection,
    remove_stale,
    try_connect,
)
from wireproof.protocols.socket_v1._ledger import (
    MOST_NOISE,
    SocketArrival,
    SocketLedger,
)
from wireproof.protocols.socket_v1._place import HOME, Place, is_launched
from wireproof.protocols.socket_v1._settings import SocketSettings
from wireproof.subjects import (
    SubjectProcess,
    awaited_end,
    peer_pid,
    subject_environment,
)

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.checks import Deviation, Settings, Target

MAIN = "main"
"""The connection that is meant where a step names none."""

CONNECT_POLL = 0.005
"""Seconds between two tries to connect to a server that is coming up."""

PROCESS_POLL = 0.02
"""Seconds between two looks at a process on a system without pidfd."""

ENDING_SECONDS = 5.0
"""How long a launched server may take to end once it is asked to."""

PIECE_SECONDS = 0.5
"""Most seconds to wait for the server to read a piece."""

READ_POLL = 0.0001
"""Seconds between two looks at whether it has."""

MOST_DEVIATIONS = 1_000
"""Deviations kept of one check: a flood must not fill the memory."""


class SocketTransport(LineSession[SocketArrival]):
    """What carries the bytes of one server, over all its starts.

    Attributes:
        launched: Whether the suite launches the server.
        seen: How many frames came, by kind.
    """

    def __init__(
        self, target: Target, settings: Settings, setup: Mapping[str, Any]
    ) -> None:
        """Prepare; nothing is started yet.

        Args:
            target: The server's command, or the path of its socket.
            settings: The user's options.
            setup: The data of ``socket_v1/setup.json``.
        """
        super().__init__(target, settings, setup)
        own_path = settings.of(SocketSettings).path
        named = is_launched(target.command)
        # What runs already is reached by the path of a socket that is there.
        runs = own_path is None or Path(target.command[0]).is_socket()
        self.launched = named or not runs
        self._own_path = None if named or runs else own_path
        self.seen: Counter[str] = Counter()
        self._place: Place | None = None
        self._spare_places: dict[int, Place] = {}
        self._connections: dict[str, Connection] = {}
        self._lingering: list[Connection] = []
        self._past: list[SocketLedger] = []
        self._deviations: list[Deviation] = []
        self._pid = 0
        self._start_limit = 0.0
        self._ranks = count()

    @property
    def deviations(self) -> Sequence[Deviation]:
        """What the monitors found since ``begin``."""
        return tuple(self._deviations)

    @property
    def knows_home(self) -> bool:
        """Whether it is known where the server's files are."""
        return self._names_home or self._settings.of(SocketSettings).home is not None

    def note(self, found: Deviation) -> None:
        """Add a deviation, as far as there is room."""
        if len(self._deviations) < MOST_DEVIATIONS:
            self._deviations.append(found)

    @property
    def _names_home(self) -> bool:
        words = (*self.target.command, self._own_path or "")
        return any(HOME in word for word in words)

    # --- the server's life

    def place(self) -> Place:
        """Return where the server lives, making it where there is none yet."""
        if self._place is None:
            self._place = self._new_place()
        self.names |= {
            "socket_path": self._place.socket,
            "scratch": str(self._place.scratch),
            "home": str(self._place.home or ""),
            "pid": self._pid,
        }
        return self._place

    def _new_place(self) -> Place:
        path = None if self.launched else self.target.command[0]
        home = self._settings.of(SocketSettings).home
        place = Place(path, home, names=self._names_home)
        if self._own_path is not None:
            (chosen,) = place.fill([self._own_path])
            place.socket = str(Path(self._settings.folder, chosen))
        return place

    def prepare_start(self, count: int) -> None:
        """Start one more server ahead, in a place that it shares with no other."""
        home = self._settings.of(SocketSettings).home
        if self.launched and home is None and self._own_path is None:
            super().prepare_start(count)

    def _start_spare(self) -> SubjectProcess:
        place = self._new_place()
        try:
            spare = self.start_process(place)
        except SubjectStartError:
            place.remove()
            raise
        self.starts += 1
        self._spare_places[spare.pid] = place
        return spare

    def _end_spare(self, spare: SubjectProcess) -> None:
        super()._end_spare(spare)
        self._spare_places.pop(spare.pid).remove()

    def _launch(self) -> NotUp | None:
        """Start the server and wait until it accepts a connection, or reach it."""
        self._start_limit = time.monotonic() + self.patience.starting()
        # One that is started again stays in its place; a spare has a place of its own.
        if self._place is None and (spare := self._take_spare()) is not None:
            self._process = spare
            self._place = self._spare_places.pop(spare.pid)
            return self._await_listening(spare, self.place())
        self.starts += 1
        if not self.launched:
            reached = self.connection(MAIN)
            return NotUp(reached.text) if isinstance(reached, Missing) else None
        place = self.place()
        if self._own_path is not None and self._process is None:
            there = try_connect(place.socket)
            if not isinstance(there, OSError):
                there.close()
                text = (
                    f"another server listens at {place.socket} already; stop it first"
                )
                return NotUp(text)
        try:
            self._process = self.start_process(place)
        except SubjectStartError as error:
            return NotUp(str(error))
        self.place()
        return self._await_listening(self._process, place)

    def _await_listening(self, process: SubjectProcess, place: Place) -> NotUp | None:
        while True:
            found = try_connect(place.socket)
            if not isinstance(found, OSError):
                self._pid = peer_pid(found) or process.pid
                # There may be servers that take no other.
                self._adopt(MAIN, found)
                self.place()
                return None
            if process.exit_status is not None:
                ended = f"the server exited with {exit_text(process.exit_status)}"
                return NotUp(f"{ended} before it accepted", ended=ended)
            if time.monotonic() >= self._start_limit:
                return NotUp(f"the server accepts no connection: {found.strerror}")
            process.pump(CONNECT_POLL)

    def start_process(self, place: Place) -> SubjectProcess:
        """Start the server's command in a place.

        Raises:
            SubjectStartError: If the system cannot start it.
        """
        environment = subject_environment(
            {"HOME": str(place.user_home), **self._settings.environment}
        )
        return SubjectProcess(
            place.fill(self.target.command),
            environment=environment,
            folder=self._settings.folder,
            on_stdout=self._note_output,
            on_stderr=self._note_output,
        )

    @property
    def process(self) -> SubjectProcess | None:
        """The launched server's process."""
        return self._process

    def stop(self) -> None:
        """End the server politely, then for good, and remove its place."""
        self.close_connections()
        process = self._process
        if process is not None and process.exit_status is None:
            process.close_input()
            self.signal(signal.SIGTERM)
            limit = time.monotonic() + ENDING_SECONDS
            while not process.ended and time.monotonic() < limit:
                process.pump(PROCESS_POLL)
        self.discard()

    def _end(self) -> None:
        """End a launched server; the next one gets a new place."""
        self.close_lingering()
        self.close_connections()
        self.end_process()
        if self._place is not None:
            if self._own_path is not None:
                remove_stale(self._place.socket)
            self._place.remove()
            self._place = None

    def end_process(self) -> None:
        """Kill the process and all that it started."""
        if self._process is not None:
            with awaited_end(self._pid, ENDING_SECONDS):
                # What was started may be a shell that stands before the server.
                self._process.kill()
            self._last_stderr = self._process.stderr_tail()
            self._process = None
            self._pid = 0

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the server, and to what it was started by."""
        process = self._process
        if process is not None and process.exit_status is None:
            os.killpg(process.pid, number)

    # --- connections

    def connection(self, name: str) -> Connection | Missing:
        """Return the connection of that name, opening it where there is none."""
        known = self._connections.get(name)
        if known is not None:
            return known
        place = self.place()
        limit = time.monotonic() + self.patience.allowance()
        while True:
            found = try_connect(place.socket)
            if not isinstance(found, OSError):
                break
            if found.errno not in NOT_YET or time.monotonic() >= limit:
                text = f"no connection to {place.socket}: {found.strerror}"
                return Missing(MissingCause.CLOSED, text)
            if self._process is not None and self._process.exit_status is not None:
                status = exit_text(self._process.exit_status)
                text = f"the server exited with {status}"
                return Missing(MissingCause.EXITED, text)
            self.pump(CONNECT_POLL)
        return self._adopt(name, found)

    def _adopt(self, name: str, connected: socket.socket) -> Connection:
        """Let a socket that is connected be the connection of that name."""
        ledger = SocketLedger(self.note, self.seen, lambda: next(self._ranks))
        connection = Connection(name, connected, ledger, self._received)
        self._connections[name] = connection
        return connection

    @property
    def connections(self) -> Sequence[Connection]:
        """The connections of the check in hand."""
        return tuple(self._connections.values())

    @property
    def ledgers(self) -> Sequence[SocketLedger]:
        """The ledgers of the check in hand, those of connections gone by included."""
        return (*self._past, *(one.ledger for one in self._connections.values()))

    def drop(self, name: str) -> None:
        """Close a connection and forget its name."""
        connection = self._connections.pop(name, None)
        if connection is not None:
            connection.close()
            connection.ledger.closed(time.monotonic(), by_server=False)
            self._past.append(connection.ledger)

    def close_connections(self) -> None:
        """Close every connection."""
        for name in list(self._connections):
            self.drop(name)

    def let_linger(self) -> None:
        """Listen to the connections of a check without a fence for one check more."""
        for connection in self._connections.values():
            connection.name = f"before: {connection.name}"
            self._lingering.append(connection)
        self._connections.clear()

    def close_lingering(self) -> None:
        """Close the connections of the check before."""
        for connection in self._lingering:
            connection.close()
            connection.ledger.closed(time.monotonic(), by_server=False)
        self._lingering.clear()

    def transmit(self, connection: Connection, data: bytes, cut: Cut) -> None:
        """Send bytes as one write, or in pieces that leave one by one."""
        for piece in pieces(data, cut):
            moment = time.monotonic()
            connection.ledger.sent(piece, moment)
            self.transcript.add(moment, "sent", self._label(connection, piece))
            connection.send(piece)
            if cut is not None:
                # Or pieces would be joined again on their way.
                limit = moment + PIECE_SECONDS
                while not connection.all_read and time.monotonic() < limit:
                    self.pump(0)
                    time.sleep(READ_POLL)

    # --- waiting

    def pump(self, timeout: float) -> None:
        """Wait for anything to happen, and take it in.

        Args:
            timeout: Most seconds to wait; 0 takes only what is there.
        """
        poller = select.poll()
        known: dict[int, Connection] = {}
        for connection in (*self._connections.values(), *self._lingering):
            if connection.open:
                known[connection.fileno()] = connection
                poller.register(connection.fileno(), connection.wanted)
        process = self._process
        if process is not None:
            for number in process.watched:
                poller.register(number, select.POLLIN)
            if not process.has_exit_event:
                timeout = min(timeout, PROCESS_POLL)
        ready = poller.poll(max(0.0, timeout) * 1000)
        for number, events in ready:
            if number in known:
                _move(known[number], events)
        if process is not None:
            process.pump(0)

    def wait_for_slowly(
        self, look: Callable[[], bool | None], seconds: float, pause: float
    ) -> bool:
        """Pump, and look once in a while, for what no frame announces."""
        limit = time.monotonic() + seconds
        while not look():
            left = limit - time.monotonic()
            if left <= 0:
                return False
            self.pump(min(left, pause))
        return True

    def why_not(self, connection: Connection) -> Missing | None:
        """Tell why nothing more can come on a connection, or None where it can."""
        if connection.ledger.noise > MOST_NOISE:
            text = f"more than {MOST_NOISE} frames came that answer nothing"
            return Missing(MissingCause.FLOODED, text)
        if connection.open:
            return None
        process = self._process
        if process is not None and process.exit_status is not None:
            status = exit_text(process.exit_status)
            return Missing(MissingCause.EXITED, f"the server exited with {status}")
        return Missing(MissingCause.CLOSED, "the server closed the connection")

    def _received(self, connection: Connection, data: bytes) -> None:
        moment = time.monotonic()
        for arrival in connection.ledger.received(data, moment):
            line = self._label(connection, arrival.line)
            self.transcript.add(moment, "received", line)

    def _label(self, connection: Connection, data: bytes) -> bytes:
        """Put the connection's name before its traffic, where it is not the usual."""
        if connection.name == MAIN:
            return data
        return f"[{connection.name}] ".encode() + data[:4096]

    def _note_output(self, data: bytes) -> None:
        self.transcript.add(time.monotonic(), "stderr", data)


def _move(connection: Connection, events: int) -> None:
    """Write and read what a connection is ready for."""
    if events & select.POLLOUT:
        connection.write()
    if connection.open and events & ~select.POLLOUT:
        connection.read()
    if connection.closed_by_server:
        connection.ledger.closed(time.monotonic(), by_server=True)
