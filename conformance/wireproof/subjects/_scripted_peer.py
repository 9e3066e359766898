"""The scripted program as the suite sees it: what it is told, and what it reports.

Theory of operation. A subject starts the program itself, so nothing is known of the
process here but what it says on its socket. A thread takes that in while the suite
waits for the subject; it only appends to lists and sets flags under one lock. The
program reports each thing before the subject can see the effect: when the subject has
its answer, the report of it is there or on its way. A program whose connection is
closed here exits.
"""

from __future__ import annotations

import json
import selectors
import socket
import sys
import threading
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Self

from wireproof.patterns import is_object

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import TracebackType

PROGRAM = Path(__file__).with_name("_scripted_program.py")

COMMAND = (sys.executable, "-I", "-S", str(PROGRAM))
"""Starts the program; the path of its socket comes after it."""

MOST_STARTS = 20
"""Starts that are heeded: one that starts it without end must not fill the memory."""

MOST_REPORTED = 1 << 24
"""Bytes of reports that are kept of one start; the program is left alone after that."""

READ_SIZE = 1 << 18


@dataclass(frozen=True, slots=True)
class Report:
    """One thing that the program reports.

    Attributes:
        time: When it was read, in seconds on the clock of the run.
        data: What it says; the program's module has the kinds.
    """

    time: float
    data: Mapping[str, Any]


@dataclass(slots=True)
class Playing:
    """One start of the program.

    Attributes:
        reports: What it reported, in order.
        waits: Whether its script waits for nothing more that the subject has to send.
        over: Whether it is gone.
    """

    reports: list[Report] = field(default_factory=list[Report])
    waits: bool = False
    over: bool = False
    _pending: bytearray = field(default_factory=bytearray)
    _size: int = 0

    def take_in(self, data: bytes) -> None:
        """Keep what came on its socket.

        Raises:
            ValueError: It is nothing that the program says; a subject may have found
                the socket.
        """
        self._size += len(data)
        self._pending += data
        if b"\n" not in data:
            return
        *lines, rest = self._pending.split(b"\n")
        self._pending = rest
        now = time.monotonic()
        for line in lines:
            said: Any = json.loads(line)
            if not is_object(said):
                raise ValueError("a report is an object")
            self.reports.append(Report(now, said))
            self.waits = self.waits or "waits" in said

    @property
    def full(self) -> bool:
        """Whether no more of it is kept."""
        return self._size > MOST_REPORTED


class ScriptedPeer:
    """A program for a subject to start, that plays a script; a context manager.

    Attributes:
        command: What the subject has to start.
        playings: Each start of it so far.
    """

    command: list[str]

    def __init__(self, scripts: Sequence[Sequence[Any]]) -> None:
        """Prepare.

        Args:
            scripts: What the first start of the program plays, the second, and so on;
                a start beyond them exits at once.
        """
        self.playings: list[Playing] = []
        self._connections: list[socket.socket] = []
        self._scripts = scripts
        self._news = threading.Condition()
        self._open = ExitStack()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        """Listen."""
        folder = self._open.enter_context(TemporaryDirectory(prefix="wp-"))
        path = str(Path(folder, "s"))  # a socket's path is short
        self.command = [*COMMAND, path]
        self._listener = self._open.enter_context(socket.socket(socket.AF_UNIX))
        self._listener.bind(path)
        self._listener.listen()
        self._wake, self._woken = socket.socketpair()
        self._open.enter_context(self._wake)
        self._open.enter_context(self._woken)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Listen no more; programs that still run exit."""
        self._wake.close()
        self._thread.join()
        self._open.close()

    def await_settled(self, seconds: float) -> bool:
        """Wait until the program that was started last has nothing more to do.

        Returns:
            Whether it was seen that it has not.
        """
        return self._await(lambda last: last.waits or last.over, seconds)

    def await_over(self, seconds: float) -> bool:
        """Wait until the program that was started last is gone.

        Returns:
            Whether it was seen to be.
        """
        return self._await(lambda last: last.over, seconds)

    def let_go(self) -> None:
        """End the programs that still run, those that read nothing any more too."""
        with self._news:
            for connection in self._connections:
                with suppress(OSError):  # it is gone already
                    connection.shutdown(socket.SHUT_WR)

    def _await(self, done: Callable[[Playing], bool], seconds: float) -> bool:
        with self._news:
            return self._news.wait_for(lambda: done(self.playings[-1]), seconds)

    def _serve(self) -> None:
        with selectors.DefaultSelector() as selector, ExitStack() as connections:
            selector.register(self._listener, selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            while True:
                for key, _ in selector.select():
                    if key.fileobj is self._woken:
                        return
                    if key.fileobj is self._listener:
                        self._accept(selector, connections)
                    else:
                        self._receive(selector, key)

    def _accept(self, selector: selectors.BaseSelector, connections: ExitStack) -> None:
        connection, _ = self._listener.accept()
        count = len(self.playings)
        if count >= MOST_STARTS:
            connection.close()
            return
        connections.enter_context(connection)
        playing = Playing()
        with self._news:
            self.playings.append(playing)
            self._connections.append(connection)
        if count < len(self._scripts):
            script = json.dumps(self._scripts[count]).encode() + b"\n"
            with suppress(OSError):  # a program may be killed as soon as it is there
                connection.sendall(script)
        else:
            connection.shutdown(socket.SHUT_WR)
        selector.register(connection, selectors.EVENT_READ, playing)

    def _receive(
        self, selector: selectors.BaseSelector, key: selectors.SelectorKey
    ) -> None:
        connection: Any = key.fileobj
        playing: Playing = key.data
        try:
            data: bytes = connection.recv(READ_SIZE)
        except OSError:  # it was killed
            data = b""
        with self._news:
            try:
                playing.take_in(data)
            except ValueError:
                data = b""
            if not data or playing.full:
                playing.over = True
                selector.unregister(connection)
                connection.close()
            self._news.notify_all()
