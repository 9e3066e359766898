"""Whether a one-shot tool does the plainest thing, without which no check says much."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wireproof.checks import Deviation
from wireproof.exec_tools import no_success
from wireproof.patterns import in_line, json_equal, match
from wireproof.protocols.exec_oneshot._inputs import written
from wireproof.protocols.exec_oneshot._output import Reading, read
from wireproof.protocols.exec_oneshot._runs import RunInput

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireproof.exec_tools import ExecSubject
    from wireproof.protocols.exec_oneshot._runs import Pool
    from wireproof.subjects import Patience

MEASURED = 3
"""Runs of the control by which it is seen how long one takes."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a check cannot be carried out.

    Attributes:
        text: Why, as a sentence without a full stop.
        found: The deviations that are its cause.
        readings: The runs that show it.
    """

    text: str
    found: tuple[Deviation, ...] = ()
    readings: tuple[Reading, ...] = ()


class Opening:
    """What has been found out about one tool before it is tried.

    Attributes:
        controlled: Whether a plain call succeeded.
        arguments: The arguments with which it did.
        wants_newline: Whether a plain call succeeds only with a line feed behind it.
        ignores_input: Whether it answers the same without any input.
        last: The latest run that tells why a plain call does not succeed.
    """

    def __init__(
        self,
        subject: ExecSubject,
        pool: Pool,
        patience: Patience,
        setup: Mapping[str, Any],
    ) -> None:
        """Begin with nothing known."""
        self.controlled = False
        self.arguments: Any = {}
        self.ignores_input = False
        self.wants_newline = False
        self.last: Reading | None = None
        self._subject = subject
        self._pool = pool
        self._patience = patience
        self._setup = setup
        self._tried = False
        self._problem: Problem | None = None
        self._tools: dict[str, Problem | None] = {}

    def problem(self) -> Problem | None:
        """Return why a plain call does not succeed, trying it once; None if it does."""
        if not self._tried:
            self._tried = True
            self._problem = self._open()
        return self._problem

    def tool_fault(self, tool: str) -> Problem | None:
        """Return why a tool of the toolset does not do the plainest thing, or None."""
        if tool not in self._tools:
            self._tools[tool] = self._probe(tool)
        return self._tools[tool]

    def _open(self) -> Problem | None:
        first: Problem | None = None
        for arguments in self._subject.candidates:
            reading = self._call(arguments)
            problem = self._control_problem(arguments, reading)
            if problem is not None and reading.run.status is not None:
                again = self._call(arguments, after="\n")
                if self._control_problem(arguments, again) is None:
                    reading, problem, self.wants_newline = again, None, True
            if problem is None:
                self.arguments = arguments
                self.controlled = True
                self._measure(reading)
                return None
            first = first or problem
            self.last = self.last or reading
            if reading.run.status is None:
                break  # what does not end is not waited for again
        if first is not None and self._works_with_all_variables():
            listed = ", ".join(("PATH", *self._subject.listed))
            text = (
                f"it succeeds with all variables of this environment, not with {listed}"
            )
            fault = Deviation("EXEC-O11", "must", f"{text} alone: {first.text}")
            return Problem(fault.text, (fault,), first.readings)
        return first

    def _works_with_all_variables(self) -> bool:
        """Tell whether a binding that fails with what it lists succeeds with all."""
        if self._subject.binding is None:
            return False
        pool = self._pool.with_environment(os.environ)
        data = written({"args": self._subject.candidates[0]}, {})
        reading = read(pool.alone(RunInput(data)))
        pool.end()
        return reading.value is not None and "result" in reading.value

    def _control_problem(self, arguments: Any, reading: Reading) -> Problem | None:
        value = reading.value
        if value is None:
            text = f"a plain call did not succeed: {reading.text}"
            if reading.failed_wordless and not self._subject.toolset:
                text += f" (args {in_line(arguments)}; give others with --exec-args)"
            return Problem(text, reading.found, (reading,))
        if "result" not in value or not self._subject.is_control(value["result"]):
            text = no_success(self._subject, arguments, value)
            return Problem(text, reading.found, (reading,))
        return None

    def _measure(self, reading: Reading) -> None:
        self._patience.measured(reading.run.seconds)
        for _ in range(MEASURED - 1):
            again = self._call(self.arguments)
            if again.run.status is not None:
                self._patience.measured(again.run.seconds)
        if self._subject.toolset or reading.value is None:
            return
        # Only without the toolset can a tool that reads nothing succeed.
        empty = read(self._pool.alone(RunInput(b"")))
        found = empty.value or {}
        self.ignores_input = "result" in found and json_equal(
            found["result"], reading.value["result"]
        )

    def _call(self, arguments: Any, after: str = "") -> Reading:
        after = after or ("\n" if self.wants_newline else "")
        data = written({"args": arguments}, {"after": after})
        return read(self._pool.alone(RunInput(data)))

    def _probe(self, tool: str) -> Problem | None:
        probe = self._setup["tools"].get(tool)
        if probe is None:
            return None
        reading = self._call({"tool": tool, "arguments": probe["arguments"]})
        wanted: Mapping[str, Any] = probe["expect"]
        if reading.value is None:
            text = f"{tool} did not answer a plain call: {reading.text}"
            return Problem(text, reading.found, (reading,))
        if (miss := match(wanted, reading.value, {}, {})) is None:
            return None
        text = (
            f"a plain call of {tool} gave something else than the toolset says, "
            f"{in_line(reading.value)}, at {miss.path or 'its top'}"
        )
        return Problem(text, reading.found, (reading,))
