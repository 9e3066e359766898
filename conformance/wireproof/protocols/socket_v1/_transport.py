"""What carries the bytes of a server under test: its connections, beside its process.

Theory of operation. A server is launched in a place of its own, or was running before.
Each check opens the connections that its steps name; all are closed at its end. Nothing
runs by itself: whoever waits for something pumps process and connections together until
it is there, until what it waits for cannot come any more, or until the time is over.
"""

from __future__ import annotations

import select
import signal
import time
from collections import Counter
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

from wireproof.checks import SubjectStartError
from wireproof.line import Cut, Missing, MissingCause, NotUp, SessionState, pieces
from wireproof.patterns import exit_text
from wireproof.protocols.socket_v1._connection import (
    GONE,
    NOT_YET,
    Connection,
    remove_stale,
    try_connect,
)
from wireproof.protocols.socket_v1._connections import Connections, move
from wireproof.protocols.socket_v1._descriptors import count_descriptors
from wireproof.protocols.socket_v1._ledger import MOST_NOISE, SocketLedger
from wireproof.protocols.socket_v1._server import ENDING_SECONDS, ServerProcess
from wireproof.subjects import memory_held, peer_pid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.checks import Deviation, Settings, Target
    from wireproof.protocols.socket_v1._ledger import SocketArrival
    from wireproof.protocols.socket_v1._place import Place
    from wireproof.subjects import SubjectProcess

MAIN = "main"
"""The connection that is meant where a step names none."""

CONNECT_POLL = 0.005
"""Seconds between two tries to connect to a server that is coming up."""

PROCESS_POLL = 0.02
"""Seconds between two looks at a process on a system without pidfd."""

GONE_SECONDS = 1.0
"""How long a server that served may have no socket: one that puts another in its place
has none for a moment."""

PIECE_SECONDS = 0.5
"""Most seconds to wait for the server to read a piece."""

READ_POLL = 0.0001
"""Seconds between two looks at whether it has."""

FLOOD = b"x" * (1 << 20)
"""What a line is made of that has no end: a mebibyte of it."""

FLOOD_SECONDS = 5.0
"""Most seconds to send such a line: a server may copy all of it at each read."""

STALLED_SECONDS = 1.0
"""Seconds in which nothing is read, after which nothing more of it is sent."""

MOST_DEVIATIONS = 1_000
"""Deviations kept of one check: a flood must not fill the memory."""


class SocketTransport(ServerProcess):
    """What carries the bytes of one server, over all its starts.

    Attributes:
        seen: How many frames came, by kind.
    """

    def __init__(
        self, target: Target, settings: Settings, setup: Mapping[str, Any]
    ) -> None:
        """Prepare; nothing is started yet."""
        super().__init__(target, settings, setup)
        self.seen: Counter[str] = Counter()
        self._connections = Connections(self._new_ledger, self._received)
        self._deviations: list[Deviation] = []
        self._start_limit = 0.0
        self._out_of_reach = False
        self._ranks = count()

    @property
    def deviations(self) -> Sequence[Deviation]:
        """What the monitors found since ``begin``."""
        return tuple(self._deviations)

    def note(self, found: Deviation) -> None:
        """Add a deviation, as far as there is room.

        Where frames are written into each other, what else is wrong with those of the
        check may come of it.
        """
        if found.mingles:
            self._deviations[:] = [one for one in self._deviations if one.mingles]
        elif any(one.mingles for one in self._deviations):
            return
        if len(self._deviations) < MOST_DEVIATIONS:
            self._deviations.append(found)

    def charge(self, found: Deviation, clause: str, text: str) -> None:
        """Charge what was found to another clause.

        Args:
            found: What a monitor found since ``begin``.
            clause: The clause.
            text: What is said of it then.
        """
        for place, one in enumerate(self._deviations):
            if one is found:
                self._deviations[place] = replace(one, clause=clause, text=text)

    # --- the server's life

    def _launch(self) -> NotUp | None:
        """Start the server and wait until it accepts a connection, or reach it."""
        self._out_of_reach = False
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
        notice = self._notice_of_wait(self._start_limit - time.monotonic())
        while True:
            found = try_connect(place.socket)
            if not isinstance(found, OSError):
                self._listener = peer_pid(found)
                self._pid = self._listener or process.pid
                # There may be servers that take no other.
                self._connections.adopt(MAIN, found)
                self.place()
                return None
            if process.exit_status is not None:
                ended = f"the server exited with {exit_text(process.exit_status)}"
                return NotUp(f"{ended} before it accepted", ended=ended)
            if time.monotonic() >= self._start_limit:
                return NotUp(f"the server accepts no connection: {found.strerror}")
            process.pump(notice.due_in(CONNECT_POLL))

    def stop(self) -> Sequence[Deviation]:
        """End the server politely, then for good, and remove its place."""
        self._connections.drop_all()
        process = self._process
        if process is not None and process.exit_status is None:
            process.close_input()
            self.signal(signal.SIGTERM)
            limit = time.monotonic() + ENDING_SECONDS
            while not process.ended and time.monotonic() < limit:
                process.pump(PROCESS_POLL)
        self.discard()
        return ()

    def _end(self) -> None:
        """End a launched server; the next one gets a new place."""
        self._connections.close()
        self.end_process()
        if self._place is not None:
            if self._own_path is not None:
                remove_stale(self._place.socket)
            self._place.remove()
            self._place = None

    # --- connections

    def connection(self, name: str) -> Connection | Missing:
        """Return the connection of that name, opening it where there is none."""
        known = self._connections.get(name)
        if known is not None:
            return known
        place = self.place()
        asked = time.monotonic()
        allowed = self.patience.allowance()
        if_gone = allowed
        if self.state is SessionState.SERVING:
            # It has come up before: this is no start, which may take its time.
            if_gone = min(allowed, self.patience.clause_limit(GONE_SECONDS))
        if self._out_of_reach:
            # Each step of a check has a connection: it is waited for once.
            allowed = if_gone = 0.0
        while True:
            found = try_connect(place.socket)
            if not isinstance(found, OSError):
                break
            limit = asked + (if_gone if found.errno in GONE else allowed)
            if found.errno not in NOT_YET or time.monotonic() >= limit:
                self._out_of_reach = True
                text = f"no connection to {place.socket}: {found.strerror}"
                return Missing(MissingCause.CLOSED, text)
            if self._process is not None and self._process.exit_status is not None:
                status = exit_text(self._process.exit_status)
                text = f"the server exited with {status}"
                return Missing(MissingCause.EXITED, text)
            self.pump(CONNECT_POLL)
        self._out_of_reach = False
        return self._connections.adopt(name, found)

    @property
    def lives_out_of_reach(self) -> bool:
        """Whether the server runs, and a connection to it was waited for in vain."""
        lives = self._process is not None and self._process.exit_status is None
        return self._out_of_reach and lives

    @property
    def connections(self) -> Sequence[Connection]:
        """The connections of the check in hand."""
        return self._connections.named

    @property
    def came(self) -> Mapping[str, Sequence[SocketArrival]]:
        """What came on the connections of the check in hand, by their names."""
        return {one.name: one.ledger.frames for one in self.connections}

    @property
    def ledgers(self) -> Sequence[SocketLedger]:
        """The ledgers of the check in hand, those of connections gone by included."""
        return self._connections.ledgers

    def drop(self, name: str) -> None:
        """Close a connection and forget its name."""
        self._connections.drop(name)

    def _new_ledger(self) -> SocketLedger:
        return SocketLedger(self.note, self.seen, lambda: next(self._ranks))

    def transmit(
        self, connection: Connection, data: bytes, cut: Cut, *, own: bool = False
    ) -> None:
        """Send bytes as one write, or in pieces that leave one by one.

        Args:
            connection: Where.
            data: The bytes.
            cut: Where they are cut, or None.
            own: Whether they are a request of the suite's own.
        """
        for piece in pieces(data, cut):
            moment = time.monotonic()
            connection.ledger.sent(piece, moment, own=own)
            line = self._label(connection, piece)
            self.transcript.add(moment, "sent", line, own=own)
            connection.send(piece)
            if cut is not None:
                # Or pieces would be joined again on their way.
                limit = moment + PIECE_SECONDS
                while not connection.all_read and time.monotonic() < limit:
                    self.pump(0)
                    time.sleep(READ_POLL)

    def flood(self, connection: Connection, mebibytes: int) -> int:
        """Send a line that has no end, as fast as it is read.

        It stops where the server answers, closes the connection or reads no more.

        Args:
            connection: Where.
            mebibytes: Most to send.

        Returns:
            The mebibytes that were written.
        """
        frames = len(connection.ledger.frames)
        limit = time.monotonic() + FLOOD_SECONDS
        for sent in range(mebibytes):
            moment = time.monotonic()
            connection.ledger.sent(FLOOD, moment, own=False)
            connection.send(FLOOD)
            until = min(limit, moment + self.patience.brief(STALLED_SECONDS))
            while connection.unsent and time.monotonic() < until:
                self.pump(until - time.monotonic())
            self.pump(0)
            answered = len(connection.ledger.frames) > frames
            if connection.unsent or connection.write_closed or answered:
                return sent
        return mebibytes

    def held(self) -> int | None:
        """Return the mebibytes that a launched server holds; None if not known."""
        return None if self._process is None else memory_held(self._process.pid)

    @property
    def server(self) -> int:
        """The process that listens."""
        return self._pid

    def descriptors(self) -> int | None:
        """Return how many descriptors a launched server holds; None if not known."""
        return count_descriptors(self._pid) if self._process is not None else None

    # --- waiting

    def pump(self, timeout: float) -> None:
        """Wait for anything to happen, and take it in.

        Args:
            timeout: Most seconds to wait; 0 takes only what is there.
        """
        poller = select.poll()
        known = self._connections.register(poller)
        process = self._process
        if process is not None:
            for number in process.watched:
                poller.register(number, select.POLLIN)
            if not process.has_exit_event:
                timeout = min(timeout, PROCESS_POLL)
        ready = poller.poll(max(0.0, timeout) * 1000)
        for number, events in ready:
            if number in known:
                move(known[number], events)
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
        with self._taking_in():
            for arrival in connection.ledger.received(data, moment):
                line = self._label(connection, arrival.line)
                own = arrival.own and not arrival.deviations
                self.transcript.add(moment, "received", line, own=own)

    def _label(self, connection: Connection, data: bytes) -> bytes:
        """Put the connection's name before its traffic, where it is not the usual."""
        if connection.name == MAIN:
            return data
        return f"[{connection.name}] ".encode() + data[:4096]
