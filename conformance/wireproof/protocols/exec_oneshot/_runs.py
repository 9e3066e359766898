"""Runs of a one-shot tool, as many beside each other as there are cores, or more.

Theory of operation. Each run is a process of its own, and none needs another's outcome.
What a check asks for is started first; while it is waited for, the runs that the next
checks will ask for fill the cores that are left. Where runs are slow and keep no core
busy, as those of a tool that waits for something when it starts, more of them go on at
once. All is moved by whoever waits (``Pool.wait``), in one thread. A failure beside
other runs says little: it is tried again alone before it counts (``ToolSuite``).
"""

from __future__ import annotations

import resource
import select
import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wireproof.checks import SubjectStartError
from wireproof.line import Cut, pieces
from wireproof.subjects import SubjectProcess, cores, kill_strays, new_marker

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from wireproof.subjects import Patience

MOST_OUTPUT = 32 << 20
"""Bytes on stdout after which a run is ended: no clause asks for such an answer."""

PIECE_SECONDS = 0.5
"""Most seconds to wait for a tool to read one piece of its input."""

PIECE_POLL = 0.0002
"""Seconds between two looks at whether a piece has been read."""

PROVEN_LINGERING = 2
"""Runs that stayed after their object, after which others are waited for briefly."""

LINGERING_SECONDS = 0.3
"""How long these may stay behind the first byte of an object that is whole."""

UNSENT_POLL = 0.005
"""Seconds between two looks at a process that has not read all of its input."""

EXIT_POLL = 0.02
"""The same at processes whose end the system does not tell of."""

KNOWN_RUNS = 3
"""Runs that tell whether others are held up by them."""

SLOW_RUN_SECONDS = 0.5
"""How long a run takes on the average that is worth it."""

IDLE_SHARE = 0.2
"""The part of its time, at most, for which one keeps a core busy that waits."""

MOST_WAITING = 8
"""Such runs that go on at once."""

MOST_STDERR = 4_000
"""Bytes of stderr that are shown of one run."""


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
    cut: Cut = None
    delay: float = 0.0
    ending: float | None = None


@dataclass(slots=True, eq=False)
class Run:
    """One process, from its start to its end.

    Attributes:
        given: What it was given.
        started: When it was started, in seconds on the clock of the run.
        ended: When it was seen to have ended.
        status: Its exit status, negative for a signal; None where it had to be ended.
        output: What it wrote on stdout.
        stderr: The end of what it wrote on stderr.
        first_output: When the first byte came on stdout; 0 where none did.
        beside: Whether another run was going on at any time.
        flooded: Whether it was ended because it wrote without end.
        allowed: Seconds that it was given.
        problem: Why the system could not start it.
        held: Whether a child held its stdout open for longer than it may.
    """

    given: RunInput
    started: float = 0.0
    ended: float = 0.0
    status: int | None = None
    output: bytearray = field(default_factory=bytearray)
    stderr: str = ""
    first_output: float = 0.0
    beside: bool = False
    flooded: bool = False
    allowed: float = 0.0
    problem: str = ""
    held: bool = False
    process: SubjectProcess | None = None

    @property
    def is_over(self) -> bool:
        """Whether the process has ended, or could not be started."""
        return self.ended > 0

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.ended - self.started


class Pool:
    """The runs of one tool.

    Attributes:
        started: How many processes were started.
        limit: How many may run at once, but for those that have to.
    """

    def __init__(
        self,
        command: tuple[str, ...],
        environment: Mapping[str, str],
        folder: Path,
        patience: Patience,
    ) -> None:
        """Prepare; nothing is started.

        Args:
            command: The argument vector.
            environment: All the variables that a run gets.
            folder: Where it is started.
            patience: How long a run may take.
        """
        self.started = 0
        self.limit = self._cores = cores()
        self._finished = 0
        self._seconds = 0.0
        self._busy_before = _busy_seconds()
        self._command = command
        self._environment = environment
        self._folder = folder
        self._patience = patience
        self._marker = new_marker()
        self._waiting: deque[Run] = deque()
        self._active: list[Run] = []
        self._lingering = 0

    def with_environment(self, variables: Mapping[str, str]) -> Pool:
        """Return a pool of the same tool with other variables."""
        return Pool(self._command, variables, self._folder, self._patience)

    @property
    def has_room(self) -> bool:
        """Whether a run that is added now can start soon."""
        return len(self._active) + len(self._waiting) < self.limit

    def add(self, given: RunInput) -> Run:
        """Return a run that is started when there is room for it."""
        run = Run(given)
        self._waiting.append(run)
        return run

    def wait(self, wanted: Sequence[Run], *, together: bool = False) -> None:
        """Wait until runs are over, and let others go on beside them.

        Args:
            wanted: What is waited for; it is started before all others.
            together: Whether all of them are to run at once, and nothing else.
        """
        if together:
            self.drain()
        first = [run for run in wanted if run in self._waiting]
        for run in reversed(first):
            self._waiting.remove(run)
            self._waiting.appendleft(run)
        if together:
            for run in first:
                self._waiting.remove(run)
                self._start(run)
        while not all(run.is_over for run in wanted):
            self._fill()
            self._pump()

    def alone(self, given: RunInput) -> Run:
        """Carry out one run beside which there is no other."""
        self.drain()
        waiting, self._waiting = self._waiting, deque()
        run = self.add(given)
        self.wait([run])
        self._waiting = waiting
        return run

    def drain(self) -> None:
        """Wait until nothing runs; what has not been started is left waiting."""
        while self._active:
            self._pump()

    def end(self) -> None:
        """End whatever runs, and what runs have left behind."""
        self._waiting.clear()
        for run in list(self._active):
            self._over(run, None)
        if self.started:
            kill_strays(self._marker)

    def _fill(self) -> None:
        while self._waiting and len(self._active) < self.limit:
            self._start(self._waiting.popleft())

    def _start(self, run: Run) -> None:
        given = run.given
        run.started = time.monotonic()
        usual = self._patience.allowance(
            clause_seconds=given.delay, size=len(given.data)
        )
        known = self._patience.latency > 0
        run.allowed = usual if known else max(usual, self._patience.starting())

        def take(data: bytes) -> None:
            run.first_output = run.first_output or time.monotonic()
            if len(run.output) <= MOST_OUTPUT:
                run.output += data
            run.flooded = len(run.output) > MOST_OUTPUT

        self.started += 1
        try:
            run.process = SubjectProcess(
                self._command,
                environment=self._environment,
                folder=self._folder,
                on_stdout=take,
                on_stderr=_drained,
                marker=self._marker,
            )
        except SubjectStartError as error:
            run.problem = str(error)
            run.ended = run.started
            return
        self._active.append(run)
        for one in self._active if len(self._active) > 1 else ():
            one.beside = True
        for piece in pieces(given.data, given.cut):
            run.process.send(piece)
            if given.cut is not None:
                _await_consumption(run.process)
        run.process.close_input()

    def _pump(self) -> None:
        """Take in what has happened, waiting for it where nothing has."""
        now = time.monotonic()
        moved = False
        for run in list(self._active):
            process = _process(run)
            moved |= process.pump(0)
            if process.exit_status is not None:
                self._over(run, process.exit_status)
                moved = True
            elif run.flooded or now > self._limit(run):
                self._patience.spent += (now - run.started) * (not run.flooded)
                self._lingering += _is_whole(run)
                self._over(run, None)
                moved = True
        if not moved and self._active:
            self._sleep(now)

    def _limit(self, run: Run) -> float:
        """Return until when a run is waited for."""
        limit = run.started + run.allowed
        if self._lingering < PROVEN_LINGERING or not _is_whole(run):
            return limit
        brief = self._patience.brief(LINGERING_SECONDS)
        return min(limit, run.first_output + brief)

    def _sleep(self, now: float) -> None:
        """Wait until one of the processes does something, or its time is over."""
        poll = select.poll()
        seconds = min(self._limit(run) - now for run in self._active)
        for run in self._active:
            process = _process(run)
            for number in process.watched:
                poll.register(number, select.POLLIN)
            if process.unsent:
                seconds = min(seconds, UNSENT_POLL)
            elif not process.has_exit_event:
                seconds = min(seconds, EXIT_POLL)
        poll.poll(max(0.0, seconds) * 1000 + 1)

    def _over(self, run: Run, status: int | None) -> None:
        process = _process(run)
        run.status = status
        run.ended = time.monotonic()
        if status is not None and run.given.ending is not None:
            run.held = not process.stdout_ends(run.given.ending)
        process.release()
        run.stderr = process.stderr_tail()[-MOST_STDERR:]
        run.process = None
        self._active.remove(run)
        self._learn(run)

    def _learn(self, run: Run) -> None:
        """Let more runs go on at once where they are slow and keep no core busy."""
        self._finished += 1
        self._seconds += run.ended - run.started
        # Where another limit was set, there is a reason for it.
        if self.limit != self._cores or self._finished < KNOWN_RUNS:
            return
        is_slow = self._seconds >= SLOW_RUN_SECONDS * self._finished
        if is_slow and _busy_seconds() - self._busy_before < IDLE_SHARE * self._seconds:
            self.limit = max(self.limit, MOST_WAITING)


def _busy_seconds() -> float:
    """Return for how long processes that this one started kept cores busy."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _process(run: Run) -> SubjectProcess:
    if run.process is None:  # only runs that were started are active
        raise TypeError("the run has no process")
    return run.process


def _is_whole(run: Run) -> bool:
    """Tell whether a run has written something that ends as an object does."""
    return run.output.rstrip().endswith(b"}")


def _drained(data: bytes) -> None:
    """Take stderr, of which the process itself keeps the end."""


def _await_consumption(process: SubjectProcess) -> None:
    limit = time.monotonic() + PIECE_SECONDS
    while not process.input_consumed() and time.monotonic() < limit:
        process.pump(PIECE_POLL)
        if process.exit_status is not None:
            return
