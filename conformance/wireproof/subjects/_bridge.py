"""The bridge: ops for a driver, the small program around a subject in any language.

Theory of operation. One JSON object a line goes to the driver's stdin, one comes back
on its stdout, in the same order. What a subject does wrong is an answer: a value that
differs or a refusal. What the driver does wrong is a ``DriverFault``: it dies, says
nothing in time, or answers out of step; it is then ended, and started anew for the
next check. A driver that does not come up twice in a row, or that answers nothing in
between many faults, is not tried again.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.checks import SubjectStartError, Transcript
from wireproof.patterns import exit_text
from wireproof.subjects._bridge_messages import (
    Answer,
    Description,
    DriverFault,
    Op,
    Outcome,
    answer_of,
    description_of,
    encoded,
    misfit,
)
from wireproof.subjects._misfits import misfit_in
from wireproof.subjects._notice import Notice
from wireproof.subjects._process import SubjectProcess
from wireproof.subjects._unflushed import first_silence

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence
    from pathlib import Path

    from wireproof.subjects._patience import Patience

LONGEST_LINE = 1 << 25
"""Bytes after which a line of a driver counts as one without end."""

AT_ONCE = 256
"""Ops that are sent ahead to a driver that takes them."""

MOST_STARTS = 2
"""Starts in a row that may fail."""

MOST_FAULTS = 20
"""Faults in a row, no op answered between them, after which a driver is given up: one
that fails at a single op is asked others in between."""

MEASURED = 3
"""Ops after a start whose time is taken for that of a trivial exchange: a suite begins
with its controls."""

LEAVING_SECONDS = 2.0
"""How long a driver may take to end once its input is closed."""

PROVEN_LINGERING = 2
"""Drivers that closed their stdout and did not end in that time, after which the next
ones are waited for briefly."""

LINGERING_SECONDS = 0.1
"""How long these may take."""


class Bridge:
    """A driver, over all its starts.

    Attributes:
        transcript: The traffic since the last ``begin``.
        patience: How long answers are waited for.
        starts: How often the driver was started.
        sent: What was written since the last ``begin``, the describing aside.
        misfit: The first answer that did not fit the bridge, as a fault; None so far.
    """

    def __init__(
        self,
        command: tuple[str, ...],
        *,
        folder: Path,
        environment: Mapping[str, str],
        patience: Patience,
        takes_many: bool = False,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        """Prepare; nothing is started.

        Args:
            command: The driver's argument vector.
            folder: Where it is started.
            environment: All its variables.
            patience: How long answers are waited for.
            takes_many: Whether ops may be sent before the one before is answered.
            tell: Says something to the user while an answer is waited for, or None.
        """
        self.command = command
        self.patience = patience
        self.starts = 0
        self.sent: list[bytes] = []
        self.misfit: DriverFault | None = None
        self.transcript = Transcript(time.monotonic())
        self._folder = folder
        self._environment = environment
        self._takes_many = takes_many
        self._tell = tell
        self._process: SubjectProcess | None = None
        self._described: Description | None = None
        self._lines: list[bytes] = []
        self._pending = bytearray()
        self._number = 0
        self._failed: DriverFault | None = None
        self._failures = 0
        self._faults = 0
        self._unmeasured = 0
        self._lingering = 0
        self._stderr = ""

    @property
    def pid(self) -> int:
        """The driver's process id, which is that of its group; 0 where none runs."""
        return self._process.pid if self._process else 0

    @property
    def stderr_tail(self) -> str:
        """The end of what the driver wrote on stderr."""
        return self._process.stderr_tail() if self._process else self._stderr

    def begin(self) -> None:
        """Begin a check: nothing is left of the one before."""
        self.transcript = Transcript(time.monotonic())
        self.sent = []

    def ensure_up(self) -> Description | DriverFault:
        """See to it that the driver runs, and return what it says of itself."""
        if self._process is not None and self._described is not None:
            return self._described
        given_up = self._failures >= MOST_STARTS or self._faults >= MOST_FAULTS
        if self._failed is not None and given_up:
            return self._failed
        found = self._start()
        if isinstance(found, DriverFault):
            self._failed = found
            # Nobody waits twice for one that says nothing all the time of a start.
            self._failures += MOST_STARTS if found.cause == "hung" else 1
            self.discard()
        else:
            self._described = found
            self._failures = 0
        return found

    def ask(self, op: Op, *, seconds: float = 0.0, measured: bool = True) -> Outcome:
        """Carry out one op.

        Args:
            op: The op.
            seconds: Seconds that it may take beside the usual.
            measured: Whether it may tell how long a trivial exchange takes.
        """
        return self.ask_all([op], seconds=seconds, measured=measured)[0]

    def ask_all(
        self, ops: Sequence[Op], *, seconds: float = 0.0, measured: bool = True
    ) -> list[Outcome]:
        """Carry out ops in order; after a fault of the driver no further one.

        Args:
            ops: The ops.
            seconds: Seconds that each may take beside the usual.
            measured: Whether they may tell how long a trivial exchange takes.
        """
        outcomes: list[Outcome] = []
        step = AT_ONCE if self._takes_many else 1
        for start in range(0, len(ops), step):
            numbers = self._send(ops[start : start + step])
            for number, op in zip(numbers, ops[start:], strict=False):
                outcome = self._awaited(number, op.name, seconds, timed=op.timed)
                outcomes.append(outcome)
                if isinstance(outcome, DriverFault):
                    if outcome.cause == "misfit":
                        # It is in step: what was sent ahead is answered too.
                        continue
                    self._failed = outcome
                    self._faults += 1
                    return outcomes
                self._faults = 0
                self.patience.came_after(outcome.seconds - seconds)
                if self._unmeasured and measured:
                    self._unmeasured -= 1
                    self.patience.measured(outcome.seconds)
        return outcomes

    @contextmanager
    def aside(self) -> Generator[None]:
        """Talk to a new driver meanwhile; the one that was there goes on after it.

        It does not count among the starts.
        """
        starts = self.starts
        kept = self._process, self._described, self._lines, self._pending
        traffic = self.transcript, self.sent
        faults = self._failed, self._failures, self._faults
        self._process, self._described = None, None
        self._lines, self._pending = [], bytearray()
        self.begin()
        try:
            yield
        finally:
            self.discard()
            self._process, self._described, self._lines, self._pending = kept
            self.transcript, self.sent = traffic
            self._failed, self._failures, self._faults = faults
            self.starts = starts

    def discard(self) -> None:
        """End the driver at once; the next check starts a new one."""
        if self._process is not None:
            self._process.kill()
            self._stderr = self._process.stderr_tail()
            self._process = None
        self._lines.clear()
        self._pending.clear()

    def stop(self) -> None:
        """Let the driver end by itself, then see to it that it has."""
        process = self._process
        if process is None:
            return
        process.close_input()
        self._let_end(process, LEAVING_SECONDS)
        self.discard()

    def _let_end(self, process: SubjectProcess, seconds: float) -> None:
        limit = time.monotonic() + seconds
        while not process.ended and (left := limit - time.monotonic()) > 0:
            process.pump(left)

    def _start(self) -> Description | DriverFault:
        try:
            self._process = SubjectProcess(
                self.command,
                environment=self._environment,
                folder=self._folder,
                on_stdout=self._received,
                on_stderr=self._note_stderr,
            )
        except SubjectStartError as error:
            return DriverFault("not started", str(error))
        self.starts += 1
        self._unmeasured = MEASURED
        kept = list(self.sent)
        # Once and first, as the bridge has it: a driver may take it for its greeting.
        (number,) = self._send([Op("describe", {})], own=True)
        found = self._first_answer(number)
        self.sent = kept
        if isinstance(found, DriverFault):
            return found
        if not found.ok:
            return DriverFault("not started", found.refusal)
        described = description_of(found.value)
        return (
            described if isinstance(described, Description) else self._keep(described)
        )

    def _first_answer(self, number: int) -> Outcome:
        """Wait for the first answer; less long for what is seen not to flush."""
        allowed = self.patience.starting()
        notice = Notice(self._tell, "the driver's answer to describe", allowed)
        silence = None
        if self._described is None:
            silence = first_silence(
                self.command,
                self.sent[-1],
                allowed,
                environment=self._environment,
                folder=self._folder,
                speaks=lambda within: self._speaks(within, notice),
            )
        allowed = silence.left if silence else allowed
        found = self._awaited(number, "describe", 0.0, allowed=allowed, notice=notice)
        hung = isinstance(found, DriverFault) and found.cause == "hung"
        if not hung or silence is None:
            return found
        why = (
            "; another one answered when its stdin was closed: flush stdout after each "
            "line"
        )
        text = f"the driver gave no answer to describe within {silence.seconds:.1f} s"
        return DriverFault("hung", text + why * silence.unflushed)

    def _speaks(self, within: float, notice: Notice) -> bool:
        """Wait for a line; tell whether there is one, or can be none any more."""
        limit = time.monotonic() + within
        while (process := self._process) is not None and not self._lines:
            left = limit - time.monotonic()
            process.pump(notice.due_in(max(0.0, left)))
            if process.ended or process.stdout_closed:
                return True
            if left <= 0:
                return bool(self._lines)
        return True

    def _send(self, ops: Sequence[Op], *, own: bool = False) -> list[int]:
        """Write ops in one piece, and return the numbers that they were given."""
        numbers: list[int] = []
        lines: list[bytes] = []
        for op in ops:
            self._number += 1
            numbers.append(self._number)
            message: dict[str, Any] = {"id": self._number, "op": op.name}
            message |= op.arguments
            if op.echo:
                message["echo"] = True
            if op.timed:
                message["timed"] = True
            line = encoded(message)
            self.transcript.add(time.monotonic(), "sent", line, own=own)
            lines += (line, b"\n")
        data = b"".join(lines)
        self.sent.append(data)
        if self._process is not None:
            self._process.send(data)
        return numbers

    def _awaited(
        self,
        number: int,
        op: str,
        extra: float,
        allowed: float | None = None,
        *,
        timed: bool = False,
        notice: Notice | None = None,
    ) -> Outcome:
        began = time.monotonic()
        if allowed is None:
            allowed = self.patience.allowance(clause_seconds=extra)
        notice = notice or Notice(self._tell, f"the driver's answer to {op}", allowed)
        while not self._lines:
            fault = self._wait(began + allowed, allowed, op, notice)
            if fault is not None:
                self.discard()
                return fault
        line = self._lines.pop(0)
        own = op == "describe"
        self.transcript.add(time.monotonic(), "received", line, own=own)
        found = answer_of(line, number, op)
        if isinstance(found, Answer) and (wrong := misfit_in(op, found)):
            found = misfit(wrong)
        if isinstance(found, DriverFault):
            return self._keep(found)
        # Only the suite's own driver is asked for the time, and then tells it.
        seconds = found.seconds if timed else time.monotonic() - began
        return replace(found, seconds=seconds)

    def _keep(self, fault: DriverFault) -> DriverFault:
        """Remember an answer that does not fit; end a driver that is out of step."""
        if fault.cause != "misfit":
            self.discard()
        elif self.misfit is None:
            self.misfit = fault
        return fault

    def _wait(
        self, limit: float, meant: float, op: str, notice: Notice
    ) -> DriverFault | None:
        process = self._process
        if process is None:
            gone = DriverFault("died", f"the driver was not running at {op}")
            return self._failed or gone
        if len(self._pending) > LONGEST_LINE:
            text = f"the driver's answer to {op} is a line without end"
            return DriverFault("out of step", text)
        if process.exit_status is not None:
            text = f"the driver ended with {exit_text(process.exit_status)} at {op}"
            return DriverFault("died", text)
        left = limit - time.monotonic()
        if left <= 0:
            self.patience.spent += meant
            text = f"the driver gave no answer to {op} within {meant:.1f} s"
            return DriverFault("hung", text)
        if process.stdout_closed:
            # One that ends closes its pipes a moment before it is gone.
            known = self._lingering >= PROVEN_LINGERING
            leaving = LINGERING_SECONDS if known else LEAVING_SECONDS
            self._let_end(process, min(left, leaving))
            if not process.ended:
                self._lingering += 1
                text = f"the driver closed its stdout at {op}"
                return DriverFault("died", text)
            return None
        process.pump(notice.due_in(left))
        return None

    def _received(self, data: bytes) -> None:
        self._pending += data
        if b"\n" in data:
            *lines, rest = self._pending.split(b"\n")
            self._lines += [bytes(line) for line in lines]
            self._pending = rest

    def _note_stderr(self, data: bytes) -> None:
        self.transcript.add(time.monotonic(), "stderr", data)
