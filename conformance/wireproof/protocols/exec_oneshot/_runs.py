"""Runs of a one-shot tool: one process each, several at once if a step asks for it."""

from __future__ import annotations

import select
import time
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from wireproof.checks import SubjectStartError
from wireproof.judge import Ran, RunEnd
from wireproof.subjects import SubjectProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Literal

MOST_OUTPUT = 32 << 20
"""Bytes on stdout after which a run is ended: no clause asks for such an answer."""

PIECE_SECONDS = 0.5
"""Most seconds to wait for a tool to read one piece of its input."""

PIECE_POLL = 0.0002
"""Seconds between two looks at whether a piece has been read."""

POLL = 0.005
"""Seconds between two looks at a process whose end the system does not tell of, or that
has not read all of its input."""

MOST_STDERR = 4_000
"""Characters of stderr that are kept of one run."""


@dataclass(frozen=True, slots=True)
class RunInput:
    """What one run is given.

    Attributes:
        data: The bytes on its stdin.
        cut: Where they are cut, each piece read before the next is written.
        delay: Seconds that the tool was asked to take.
        ending: Seconds after its exit in which its stdout has to end; None for any.
    """

    data: bytes
    cut: Literal["every-byte"] | Sequence[int] = ()
    delay: float = 0.0
    ending: float | None = None


class Program:
    """A program that is started for each run.

    Attributes:
        environment: All the variables that a run gets.
        started: How many processes were started.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        folder: Path,
        marker: str,
    ) -> None:
        """Prepare; nothing is started.

        Args:
            command: The argument vector.
            environment: All the variables that a run gets.
            folder: Where it is started.
            marker: By which what runs have left behind is known.
        """
        self.environment = environment
        self.started = 0
        self._command = tuple(command)
        self._folder = folder
        self._marker = marker

    def run(
        self,
        inputs: Sequence[RunInput],
        seconds: Callable[[RunInput], float],
        *,
        own: bool = False,
    ) -> list[Ran]:
        """Carry out runs, all at once, and wait for their ends.

        Args:
            inputs: What each is given.
            seconds: How long a run with such an input may take.
            own: Whether they are the runner's own.
        """
        runs = [_Run(self, given, seconds(given)) for given in inputs]
        while active := [run for run in runs if not run.is_over]:
            moved = [run.pump() for run in active]
            if not any(moved):
                _sleep(active)
        return [run.result(own=own) for run in runs]

    def with_environment(self, variables: Mapping[str, str]) -> Program:
        """Return the same program with other variables."""
        return Program(self._command, variables, self._folder, self._marker)

    def start(self, on_stdout: Callable[[bytes], None]) -> SubjectProcess:
        """Start one process.

        Raises:
            SubjectStartError: If the system cannot start it.
        """
        self.started += 1
        return SubjectProcess(
            self._command,
            environment=self.environment,
            folder=self._folder,
            on_stdout=on_stdout,
            on_stderr=_drained,
            marker=self._marker,
        )


class _Run:
    """One run while it goes on."""

    def __init__(self, program: Program, given: RunInput, seconds: float) -> None:
        self.given = given
        self.output = bytearray()
        self.began = self.over_at = time.monotonic()
        self.limit = self.began + seconds
        self.ended: RunEnd | None = None
        self.status: int | None = None
        self.held = False
        self.stderr = ""
        try:
            self.process = program.start(self._take)
        except SubjectStartError as error:
            self.ended, self.stderr = "not-started", error.detail
            return
        for piece in _pieces(given):
            self.process.send(piece)
            if given.cut:
                self._await_read()
        self.process.close_input()

    @property
    def is_over(self) -> bool:
        return self.ended is not None

    def _take(self, data: bytes) -> None:
        if len(self.output) <= MOST_OUTPUT:
            self.output += data

    def _await_read(self) -> None:
        limit = time.monotonic() + PIECE_SECONDS
        process = self.process
        while not process.input_consumed() and time.monotonic() < limit:
            process.pump(PIECE_POLL)
            if process.exit_status is not None:
                return

    def pump(self) -> bool:
        """Take in what has happened; return whether anything has."""
        has_moved = self.process.pump(0)
        if self.process.exit_status is not None:
            self._end("exited")
        elif len(self.output) > MOST_OUTPUT:
            self._end("flooded")
        elif time.monotonic() > self.limit:
            self._end("silent")
        return has_moved or self.is_over

    def _end(self, how: RunEnd) -> None:
        process = self.process
        self.ended, self.over_at = how, time.monotonic()
        if how == "exited":
            self.status = process.exit_status
            if self.given.ending is not None:
                self.held = not process.stdout_ends(self.given.ending)
        process.release()
        self.stderr = process.stderr_tail()[-MOST_STDERR:]

    def result(self, *, own: bool) -> Ran:
        return Ran(
            0.0,
            self.given.data,
            bytes(self.output),
            self.stderr,
            self.ended or "silent",
            self.status,
            self.over_at - self.began,
            self.held,
            own,
        )


def _pieces(given: RunInput) -> Iterator[bytes]:
    """Yield the input in the pieces in which it is written, none of them empty."""
    data, cut = given.data, given.cut
    places = range(1, len(data)) if cut == "every-byte" else sorted(map(int, cut))
    for begin, end in pairwise((0, *places, len(data))):
        if begin < end:
            yield data[begin:end]


def _sleep(active: Sequence[_Run]) -> None:
    """Wait until one of the processes does something, or its time is over."""
    poll = select.poll()
    seconds = min(run.limit for run in active) - time.monotonic()
    for run in active:
        for number in run.process.watched:
            poll.register(number, select.POLLIN)
        if run.process.unsent or not run.process.has_exit_event:
            seconds = min(seconds, POLL)
    poll.poll(max(0.0, seconds) * 1000 + 1)


def _drained(data: bytes) -> None:
    """Take stderr, of which the process itself keeps the end."""
