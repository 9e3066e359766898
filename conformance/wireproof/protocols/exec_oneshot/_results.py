"""What the attempts at checks of one tool come to, as results."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.checks import (
    Check,
    Deviation,
    Result,
    Suite,
    Transcript,
    Verdict,
    broken,
)
from wireproof.exec_tools import exec_subject
from wireproof.line import Diverged, Monitors, judge, pieces
from wireproof.protocols.exec_oneshot._monitored import MONITORED, NEEDS_SEEN
from wireproof.protocols.exec_oneshot._opening import Opening
from wireproof.protocols.exec_oneshot._runs import Pool
from wireproof.subjects import Patience, pipe_line, run_line, shown_folder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks import Level, SuiteInputs
    from wireproof.line import StepsOutcome
    from wireproof.protocols.exec_oneshot._output import Reading

BUDGET_SECONDS = 15.0
"""What may be spent on runs that never end before all waits are short."""


class ToolResults(Suite):
    """How results of checks on one tool are made of its runs.

    Attributes:
        vectors: The vectors behind the checks, by id.
        patience: How long runs are waited for.
        monitors: What was found in runs over all checks.
    """

    def __init__(self, inputs: SuiteInputs) -> None:
        """Bind checks to a tool; nothing is started yet."""
        target, settings, clauses = inputs.target, inputs.settings, inputs.clauses
        super().__init__(target, settings, inputs.checks)
        self.vectors = inputs.vectors
        self.patience = Patience(settings.timeout, budget=BUDGET_SECONDS)
        self.monitors = Monitors(target.protocol, MONITORED, NEEDS_SEEN, clauses)
        self._subject = exec_subject(target, settings)
        self._pool = Pool(
            self._subject.command,
            self._subject.environment,
            settings.folder,
            self.patience,
        )
        self._opening = Opening(self._subject, self._pool, self.patience, inputs.setup)
        self._levels: dict[str, Level] = {one.id: one.level for one in clauses}
        self._names: dict[str, Any] = {}
        self._transcript = Transcript(time.monotonic())
        self._deviations: list[Deviation] = []
        self._readings: list[Reading] = []

    @property
    def transcript(self) -> Transcript:
        """The runs of the check in hand."""
        return self._transcript

    def _begin(self) -> None:
        self._transcript = Transcript(time.monotonic())
        self._deviations = []
        self._readings = []

    def _show(self, readings: Sequence[Reading]) -> None:
        """Add runs to the transcript of the check in hand."""
        for reading in readings:
            run = reading.run
            start = self._transcript
            if not start.entries():
                self._transcript = start = Transcript(run.started)
            start.add(run.started, "sent", run.given.data)
            if run.output:
                start.add(run.first_output, "received", bytes(run.output))
            if run.stderr:
                start.add(run.ended, "stderr", run.stderr.encode())

    def _concluded(
        self,
        check: Check,
        steps: Sequence[Mapping[str, Any]],
        outcome: StepsOutcome,
    ) -> Result:
        wordless = outcome.deviations if isinstance(outcome, Diverged) else ()
        found = self._deviations
        found += [one for one in wordless if one not in found]
        judgement = judge(check.clauses, check.level, outcome, found, self._levels)
        result = replace(
            self.result(check, judgement.verdict, judgement.reason),
            clauses=(judgement.charged,) if judgement.charged else check.clauses,
            because=judgement.because,
            differences=judgement.differences,
            evidence={"runs": len(self._readings)},
        )
        if isinstance(outcome, Diverged) and outcome.missing is not None:
            result = replace(result, ended=outcome.missing.ended)
        if judgement.verdict is not Verdict.PASSED or found:
            result = replace(
                result,
                stderr=self._readings[-1].run.stderr if self._readings else "",
                reproduce=self._reproduction(check, steps, outcome),
            )
        return self._charged(check, result, found)

    def _charged(
        self, check: Check, result: Result, found: Sequence[Deviation]
    ) -> Result:
        """Hand what the monitors found to their own results; name what is new."""
        new = self.monitors.report(found, check.id)
        other = tuple(one for one in new if one.clause not in check.clauses)
        result = replace(result, monitors=other)
        self.monitors.attach(new, result)
        return result

    def _not_up(self, check: Check, text: str, found: Sequence[Deviation]) -> Result:
        """Conclude a check of a tool that does not succeed with a plain call."""
        own = [one for one in found if one.breaks(check.clauses, check.level)]
        if own:
            result = self.result(check, broken(own[0].level), own[0].text)
        else:
            because = next((one.clause for one in found), None)
            result = self.result(check, Verdict.NOT_TESTABLE, text)
            result = replace(result, because=because)
        last = self._opening.last
        if last is not None:
            line = self._pipe(last)
            ended = last.text if last.value is None else None
            result = replace(
                result, stderr=last.run.stderr, reproduce=line, ended=ended
            )
        return self._charged(check, result, found)

    def _reproduction(
        self,
        check: Check,
        steps: Sequence[Mapping[str, Any]],
        outcome: StepsOutcome,
    ) -> str:
        """Return one line of shell that shows a failure again."""
        step = outcome.step if isinstance(outcome, Diverged) else None
        beside = any(one.clause == "EXEC-O9" for one in self._deviations)
        # One run shows nothing of what several do to each other.
        beside |= any("run_many" in one for one in steps)
        line = None
        if self._readings and not beside:
            faulty = [one for one in self._readings if one.found]
            shown = self._readings[-1] if step is not None or not faulty else faulty[0]
            line = self._pipe(shown)
        return line or run_line(self.settings, check.argument)

    def _pipe(self, reading: Reading) -> str | None:
        given, only = reading.run.given, self._subject.forwarded
        *before, last = pieces(given.data, given.cut) or [b""]
        return pipe_line(
            last,
            self.target.command,
            folder=shown_folder(self.settings),
            environment=self.settings.shown_environment if only is None else {},
            forwarded=only,
            before=before,
            ending="at-once",
        )
