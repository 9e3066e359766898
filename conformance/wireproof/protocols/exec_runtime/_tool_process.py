"""One process of a tool: what it was started with, what it got, whether it is gone.

Theory of operation. The process itself is a shell that the runtime starts; what it
tells and what it is told goes over FIFOs, which one thread of the suite watches. It is
``waiting`` until it has said who it is, then ``up``, and ``gone`` once the FIFO on
which it tells things has come to its end, whoever ended it.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wireproof.protocols.exec_runtime import _shell as shell
from wireproof.protocols.exec_runtime._fifos import Fifos
from wireproof.protocols.exec_runtime._first_environment import (
    inherited,
    listed_by_env,
    shown_by_system,
)
from wireproof.protocols.exec_runtime._seen import Child, Seen

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = list[tuple[int, Callable[[], None]]]

FLOOD_BYTES = 1 << 28
"""Bytes of a flood: far more than any runtime needs to hold."""

FLOOD_PIECE = b"x" * (1 << 16)

RELEASED = 70
"""Exit status of a process that the suite lets go."""


class ToolProcess:
    """A process of a tool, from before its start until after its end.

    Attributes:
        seen: What was seen of it.
        up: Whether it has said who it is.
        server: Whether each line of its input is a request.
    """

    def __init__(self, folder: Path, place: int, *, server: bool) -> None:
        """Make its place.

        Args:
            folder: The folder of the tool.
            place: Its number among the processes of the tool.
            server: Whether each line of its input is a request.
        """
        self.seen = Seen()
        self.up = False
        self.server = server
        self._folder = folder
        self._program = folder / "tool"
        self._place = place
        self._fifos = Fifos(folder, place)
        self._fields: list[str] = []
        self._pending = b""
        self._unsent = bytearray()
        self._relay = 0
        self._reads = False
        self._files = 0
        self._children = 0
        self._floods = False

    # --- what the thread watches

    @property
    def readable(self) -> Watched:
        """The descriptors to be read, each with what reads it."""
        found: Watched = []
        if not self.seen.gone:
            found.append((self._fifos.number("say"), self._hear))
        if self._relays:
            found.append((self._fifos.number("in"), self._take_input))
        for index, child in enumerate(self.seen.children):
            if not child.gone:
                number = self._fifos.number(f"{index}.life")
                found.append((number, self._look_at_child(index)))
        return found

    @property
    def writable(self) -> Watched:
        """The descriptors to be written to, each with what writes."""
        found: Watched = []
        if self._unsent and self.up and not self.seen.gone:
            found.append((self._fifos.number("ctl"), self._write))
        if self._floods:
            found.append((self._fifos.number("flood"), self._flood))
        return found

    # --- what a script does

    def tell(self, line: str) -> None:
        """Have the program carry out a line of shell."""
        if not self.seen.gone:
            self._unsent += line.encode() + b"\n"

    def read_input(self) -> None:
        """Begin to read stdin; nothing where that has begun."""
        if not self._reads and not self.seen.gone:
            self._reads = True
            self._fifos.hold("in")
            self.tell(shell.RELAY)

    def write(self, data: bytes, *, to_stderr: bool = False) -> None:
        """Have it write bytes."""
        where = " on stderr" if to_stderr else ""
        self.seen.note(f"wrote{where} {_shown(data)}", by_suite=True)
        if len(data) <= shell.LONGEST_INLINE:
            self.tell(shell.writing(data, to_stderr=to_stderr))
            return
        self._files += 1
        name = f"{self._place}.{self._files}.data"
        Path(self._folder, name).write_bytes(data)
        self.tell(shell.copying(name, to_stderr=to_stderr))

    def start_child(self, *, apart: bool = False) -> None:
        """Have it start a child that holds stdout and stderr.

        Args:
            apart: Whether it is a grandchild that nothing ties to the program.
        """
        self._fifos.hold(f"{self._children}.hold")
        self._fifos.hold(f"{self._children}.life")
        self.seen.note("starts a child that holds its stdout", by_suite=True)
        self.tell(f"n={self._children}; {shell.CHILD_APART if apart else shell.CHILD}")
        self._children += 1

    def start_flood(self) -> None:
        """Have it write without end."""
        self.seen.note("writes without end", by_suite=True)
        self._fifos.hold("flood")
        self.tell(shell.FLOOD)

    @property
    def floods(self) -> bool:
        """Whether its flood goes on, or is about to."""
        return not self.seen.gone and self._fifos.number("flood") >= 0

    @property
    def has_children(self) -> bool:
        """Whether all children that it was told to start are there."""
        return len(self.seen.children) == self._children

    def end(self, line: str) -> None:
        """Have it end by itself, by a line of shell."""
        self.seen.exits = True
        self.tell(line)

    def next_document(self) -> tuple[bool, Any]:
        """Take what its input holds next: a line of a server, else the whole input.

        Returns:
            Whether there is one, and its value; ``NO_JSON`` where it is none.
        """
        return self.seen.next_line() if self.server else self.seen.next_whole()

    def release(self) -> None:
        """Let go of it: it ends by itself, and so do its children."""
        if self.up:
            self.end(shell.exiting(RELEASED))
        self.release_children()

    def release_children(self) -> None:
        """Have its children and its flood end."""
        for index in range(self._children):
            self._fifos.close(f"{index}.hold")
        self._end_flood()

    def kill(self) -> None:
        """End all that is left of it, and close its place."""
        left = [child.pid for child in self.seen.children if not child.gone]
        if self._relays:
            left.append(self._relay)
        if self.up and not self.seen.gone:
            left.append(self.seen.pid)
        for pid in left:
            # Each holds the other end of a FIFO that has not ended: it is no stranger.
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        self._fifos.close_all()

    # --- what it tells

    @property
    def _relays(self) -> bool:
        return bool(self._relay) and self._fifos.number("in") >= 0

    def _hear(self) -> None:
        data = self._fifos.read("say")
        if data is None:
            return
        if not data:
            self._take_input()
            self.seen.gone = True
            ends = "ended by itself" if self.seen.exits else "was killed"
            self.seen.note(ends)
            self._unsent.clear()
            self._end_flood()
            self._fifos.close("say")
            self._fifos.close("ctl")
            return
        *fields, self._pending = (self._pending + data).split(b"\0")
        self._fields += [os.fsdecode(one) for one in fields]
        # It may be killed while it says who it is, and others may write in its place.
        with suppress(OSError, ValueError):
            if not self.up:
                self._introduce()
            if self.up:
                self._heed()

    def _introduce(self) -> None:
        """Take in what the program says first, once all of it is there."""
        pid, *rest = self._fields or [""]
        count = int(rest[0]) if rest else 0
        said = rest[1 + count :]
        if "end" not in said:
            return
        self.seen.pid = _process_id(pid)
        self.seen.arguments = rest[1 : 1 + count]
        if said[0] == "environment":
            path = Path(self._folder, f"{self._place}.env")
            self.seen.environment = listed_by_env(path)
        else:
            self.seen.environment = shown_by_system(Path("/proc", pid, "environ"))
            self.seen.descriptors = inherited(
                Path("/proc", pid, "fd"), said[: said.index("end")], self._program
            )
        self.seen.note(f"was started{_started_with(self.seen)}")
        self._fields = said[said.index("end") + 1 :]
        self.up = True
        self._fifos.take("say")
        self._fifos.take("ctl", to_write=True)

    def _heed(self) -> None:
        told = deque(self._fields)
        self._fields = []
        while told:
            match told.popleft():
                case "relay" if told:
                    self._relay = _process_id(told.popleft())
                    self._fifos.take("in")
                case "relayed" if told:
                    self.seen.ended = self.seen.ended or told.popleft() == "0"
                    if self.seen.ended:
                        self.seen.note("read the end of its stdin")
                case "child" if told:
                    child = Child(_process_id(told.popleft()))
                    self._fifos.take(f"{len(self.seen.children)}.life")
                    self.seen.children.append(child)
                case "flood":
                    self._fifos.take("flood", to_write=True)
                    self._floods = True
                case first:  # its second field is still to come
                    self._fields = [first]

    def _take_input(self) -> None:
        if not self._relays:
            return
        while data := self._fifos.read("in"):
            self.seen.note(f"read {_shown(data)}")
            self.seen.keep(data)
        if data is not None:
            self._fifos.close("in")
            self.tell(shell.RELAYED)

    def _look_at_child(self, index: int) -> Callable[[], None]:
        def look() -> None:
            if self._fifos.read(f"{index}.life") == b"":
                self.seen.children[index].gone = True
                self._fifos.close(f"{index}.life")

        return look

    # --- what it is told

    def _write(self) -> None:
        try:
            written = os.write(self._fifos.number("ctl"), self._unsent)
        except BlockingIOError:
            return
        except OSError:  # it is gone, which shows on another FIFO
            self._unsent.clear()
            return
        del self._unsent[:written]

    def _flood(self) -> None:
        try:
            written = os.write(self._fifos.number("flood"), FLOOD_PIECE)
        except BlockingIOError:
            return
        except OSError:  # nobody takes it any more
            written = 0
        self.seen.flooded += written
        if not written or self.seen.flooded >= FLOOD_BYTES:
            self._end_flood()

    def _end_flood(self) -> None:
        self._floods = False
        self._fifos.close("flood")


def _shown(data: bytes) -> str:
    return data.decode(errors="backslashreplace").replace("\n", "⏎")


def _started_with(seen: Seen) -> str:
    """Say what a process was started with, beside its script."""
    names = ", ".join(sorted(seen.environment))
    variables = f" with the variables {names}" if names else " with no variables"
    return f"{variables} and {seen.arguments}" if seen.arguments else variables


def _process_id(text: str) -> int:
    """Read a process id; nothing that a signal takes for many processes."""
    number = int(text)
    if number <= 1:
        raise ValueError(f"{number} is the id of no tool")
    return number
