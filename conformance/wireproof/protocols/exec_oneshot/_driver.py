"""How one one-shot tool is run, and what is found out about it first."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.judge import Reason
from wireproof.patterns import json_equal
from wireproof.protocols._exec_tools import exec_subject
from wireproof.protocols.exec_oneshot._inputs import inputs_of, written
from wireproof.protocols.exec_oneshot._reading import read
from wireproof.protocols.exec_oneshot._runs import Program, RunInput
from wireproof.protocols.exec_oneshot.rules import READS_INPUT
from wireproof.run import BYTES_A_SECOND, LIMITS, NotUp, PlainDriver, Request
from wireproof.subjects import pipe_line, shown_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.checks import Check, Settings, SubjectFacts, Target
    from wireproof.judge import Ran
    from wireproof.protocols._exec_tools import ExecSubject
    from wireproof.run import Answer, Hands, Sink

MEASURED = 3
"""Runs of the control by which it is seen how long one takes."""

ALONE = frozenset({"run", "run_raw"})
"""Steps of one run."""

STEPS = ALONE | {"run_many", "run_each"}


class NoLink:
    """A link to no process: each run has one of its own.

    Attributes:
        stderr: What the latest run wrote on stderr.
    """

    exit_status = None
    ended = False
    input_open = is_running = True
    unsent = 0

    def __init__(self) -> None:
        """Begin before the first run."""
        self.stderr = ""

    def send(self, data: bytes) -> None:
        """Do nothing: there is nobody to send to."""

    def close_input(self) -> None:
        """Do nothing."""

    def input_consumed(self) -> bool:
        """Return True: nothing was sent."""
        return True

    def await_full_stdout(self, seconds: float) -> None:
        """Do nothing."""

    def pump(self, timeout: float) -> bool:
        """Return False: nothing happens between runs."""
        return False

    def stderr_tail(self) -> str:
        """Return the end of what the latest run wrote on stderr."""
        return self.stderr

    def release(self) -> None:
        """Do nothing: what runs have left behind is ended at the end."""


class ToolRuns:
    """The runs of one tool, in place of connections to it.

    Attributes:
        keeps: Whether a tool may keep something from one check to the next.
        program: The tool; None before the first start.
    """

    keeps = False

    def __init__(
        self, subject: ExecSubject, target: Target, settings: Settings
    ) -> None:
        """Prepare; nothing is started."""
        self.program: Program | None = None
        self._subject = subject
        self._target = target
        self._settings = settings
        self._link = NoLink()
        self._sink: Sink | None = None

    def start(self, sink: Sink, marker: str) -> NoLink:
        """Return the link of all runs; nothing is started."""
        self._sink = sink
        if self.program is None:
            subject = self._subject
            self.program = Program(
                subject.command, subject.environment, self._settings.folder, marker
            )
        return self._link

    def take(self, link: object) -> None:
        """Do nothing: there is one link."""

    def begin(self, steps: Sequence[Mapping[str, Any]]) -> None:
        """Do nothing: no run outlives its check."""

    def end(self) -> None:
        """Do nothing: no run outlives its check."""

    def turn(self, on: str) -> bool:
        """Return False: there is no connection."""
        return False

    def alive(self) -> Sequence[str]:
        """Return nothing: no connection has to be served."""
        return ()

    def is_own(self, step: Mapping[str, Any]) -> bool:
        """Return whether a step is one of runs, as all are."""
        return not STEPS.isdisjoint(step)

    def carry_out(self, step: Mapping[str, Any], hands: Hands) -> None:
        """Carry out the runs of a step."""
        usual = hands.seconds(0.0)
        runs = self._run(
            inputs_of(step, hands.names),
            lambda one: usual + one.delay + len(one.data) / BYTES_A_SECOND,
        )
        if any(run.ended == "silent" for run in runs):
            hands.in_vain()

    def control(self, data: bytes, variables: Mapping[str, str] | None = None) -> Ran:
        """Carry out a run of the runner's own.

        Args:
            data: What it is given.
            variables: All its variables; None for those that runs get.
        """
        start = LIMITS["start"].cap
        seconds = min(self._settings.timeout or start, start)
        given = [RunInput(data)]
        if variables is not None and self.program is not None:
            (run,) = self.program.with_environment(variables).run(
                given, lambda _: seconds, own=True
            )
            return run
        (run,) = self._run(given, lambda _: seconds, own=True)
        return run

    def _run(
        self,
        inputs: Sequence[RunInput],
        seconds: Callable[[RunInput], float],
        *,
        own: bool = False,
    ) -> list[Ran]:
        if self.program is None or self._sink is None:
            raise TypeError("nothing runs before the start")
        runs = self.program.run(inputs, seconds, own=own)
        for run in runs:
            self._sink.ran(run)
            self._link.stderr = run.stderr
        return runs

    def is_shown(self, steps: Sequence[Mapping[str, Any]], *, has_seen: bool) -> bool:
        """Return whether each step is one run: a line of shell shows no other."""
        return not has_seen and all(ALONE & step.keys() for step in steps)

    def line_of_shell(
        self, writes: Sequence[bytes], names: Mapping[str, Any], seconds: float
    ) -> str | None:
        """Build a line that runs the tool once, with the last input."""
        only = self._subject.forwarded
        return pipe_line(
            writes[-1],
            self._target.command,
            folder=shown_folder(self._settings),
            environment=self._settings.shown_environment if only is None else {},
            forwarded=only,
            ending="at-once",
        )


class OneshotDriver(PlainDriver):
    """How one one-shot tool is run.

    Attributes:
        names: The values that steps refer to by name: the arguments of a plain call,
            all arguments that the user gave, and how input is written.
    """

    tools = ()

    def __init__(self, target: Target, settings: Settings) -> None:
        """Prepare; nothing is started."""
        self._subject = exec_subject(target, settings)
        self.command = self._subject.command
        self.environment = self._subject.environment
        self.forwarded = self._subject.forwarded
        self.folder = settings.folder
        self.names: dict[str, Any] = {"candidates": self._subject.candidates}
        self.runs = ToolRuns(self._subject, target, settings)
        self._is_up = self._wants_newline = self._ignores_input = False

    @property
    def connections(self) -> ToolRuns:
        """The runs of the tool."""
        return self.runs

    # --- the start

    def begin(self, ask: Callable[[Request], Answer]) -> NotUp | None:
        """Find arguments with which a plain call succeeds, once."""
        if self._is_up:
            return None
        first: NotUp | None = None
        for arguments in self._subject.candidates:
            run = self._call(arguments)
            why = self._why_not(arguments, run)
            if why is not None and run.ended == "exited":
                self._wants_newline = True
                if self._why_not(arguments, self._call(arguments)) is None:
                    why = None
                else:
                    self._wants_newline = False
            if why is None:
                self._is_up = True
                self.names["args"] = arguments
                self._look_around(run)
                return None
            first = first or why
            if run.ended != "exited":
                # What does not end is not waited for again.
                break
        if self._subject.binding is not None and self._works_with_all_variables():
            listed = ["PATH", *self._subject.listed]
            return NotUp("needs-all-variables", {"listed": listed})
        return first

    def _call(self, arguments: Any) -> Ran:
        way = {"after": "\n"} if self._wants_newline else {}
        return self.runs.control(written({"args": arguments}, way))

    def _why_not(self, arguments: Any, run: Ran) -> NotUp | None:
        reading = read(run)
        value = reading.value
        toolset = self._subject.toolset
        fields: dict[str, Any] = {"args": arguments, "toolset": toolset}
        if value is None and reading.why is not None and not reading.wordless:
            return NotUp(*reading.why)
        if value is None:
            return NotUp("no-success", {**fields, "status": run.status})
        if "result" in value and self._subject.is_control(value["result"]):
            return None
        return NotUp("no-success", {**fields, "answer": value})

    def _works_with_all_variables(self) -> bool:
        data = written({"args": self._subject.candidates[0]}, {})
        value = read(self.runs.control(data, os.environ)).value
        return value is not None and "result" in value

    def _look_around(self, run: Ran) -> None:
        """Measure how long runs take; see whether the tool reads its input."""
        for _ in range(MEASURED - 1):
            self._call(self.names["args"])
        if self._subject.toolset:
            return
        # Only without the toolset can a tool that reads nothing succeed.
        wanted, found = read(run).value or {}, read(self.runs.control(b"")).value or {}
        self._ignores_input = "result" in found and json_equal(
            found["result"], wanted.get("result")
        )

    def control(self) -> Request:
        """Return a plain call, as the line of shell for a failed start shows it."""

        def accepts(response: Any) -> bool:
            return True

        return Request({"args": self.names.get("args", {})}, accepts)

    # --- what is known of the tool

    def lacking(self, check: Check, ask: Callable[[Request], Answer]) -> Reason | None:
        """Return what a check needs and the tool does not offer; set how it writes."""
        clause = check.clauses[0]
        # That a line feed is needed has checks of its own: the others go on with one.
        has_newline = self._wants_newline and clause != READS_INPUT
        self.names["written"] = {"after": "\n"} if has_newline else {}
        if "binding" in check.needs and self._subject.binding is None:
            return Reason("needs-binding", clause, {})
        if "reads" in check.needs and self._ignores_input:
            return Reason("ignores-input", clause, {})
        if check.calls and not self._subject.toolset:
            return Reason("needs-toolset", clause, {"tool": check.calls[0]})
        return None

    def facts(self, facts: SubjectFacts, checks: Sequence[Check]) -> SubjectFacts:
        """Complete what is known of the tool: how often it ran, and its level."""
        is_full = self._is_up and self._subject.toolset
        lacking = sum("tools" in check.needs for check in checks)
        return replace(
            facts,
            level="full" if is_full else "wire",
            starts=self.runs.program.started if self.runs.program else 0,
            missing_checks=0 if self._subject.toolset else lacking,
        )
