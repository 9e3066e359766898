"""What a person sees: progress while the checks run, and a summary at the end."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from wireproof.checks import (
    DECIDED,
    Level,
    Result,
    Verdict,
    clause_verdicts,
    is_conformant,
    totals,
)
from wireproof.reporting import (
    clause_lines,
    explain_result,
    explain_silence,
    from_record,
    safe,
    safe_line,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from wireproof.checks import ClauseText
    from wireproof.pytest_run._items import Subject
    from wireproof.pytest_run._options import Registered
    from wireproof.reporting import SubjectReport

SHOWN_CHECKS = 3
"""Checks that are named under a broken clause; the others are counted."""

SHOWN_REASONS = 8
"""Reasons why checks were not applicable that are shown."""

SHOWN_CLAUSES = 12
"""Broken clauses that are shown with their text."""

_STATUS: Mapping[Verdict, tuple[str, str, tuple[str, dict[str, bool]]]] = {
    Verdict.PASSED: ("passed", ".", ("PASSED", {"green": True})),
    Verdict.RECORDED: ("passed", ".", ("RECORDED", {"green": True})),
    Verdict.WARNED: ("warned", "w", ("WARNED", {"yellow": True})),
    Verdict.NOT_TESTABLE: ("not testable", "n", ("NOT TESTABLE", {"red": True})),
    Verdict.HARNESS_ERROR: ("error", "E", ("HARNESS ERROR", {"red": True})),
}


class Run(Protocol):
    """What the terminal needs of the run."""

    config: pytest.Config
    undecided: bool

    @property
    def subjects(self) -> Sequence[Subject]:
        """The subjects of the run."""
        ...

    @property
    def late(self) -> Sequence[tuple[Subject, Result]]:
        """Monitors that fired when no check was in hand."""
        ...

    @property
    def unwritten(self) -> Sequence[tuple[Path, str]]:
        """The reports that could not be written, and why."""
        ...

    @property
    def written(self) -> Sequence[Path]:
        """The reports that were written."""
        ...

    def subject_reports(self) -> list[SubjectReport]:
        """Return what is known of each subject."""
        ...


class Terminal:
    """Writes progress and the summary through pytest's terminal reporter."""

    def __init__(self, run: Run, registered: Registered) -> None:
        """Write for ``run``."""
        self._run = run
        self._registered = registered
        self._group = ""
        self._names = {
            f"{check.id}[{subject.target.name}]"
            if len(run.subjects) > 1
            else check.id: (
                check.group,
                subject.target.name,
            )
            for subject in run.subjects
            for check in subject.checks
        }

    def pytest_report_header(self) -> list[str]:
        """Say what is tried, and with which seed."""
        lines = [
            f"wireproof: {subject.protocol.name} {safe(subject.target.text)}"
            for subject in self._run.subjects
        ]
        settings = self._run.subjects[0].settings
        if settings.fuzz:
            flag = self._registered.flags["fuzz-seed"]
            lines.append(f"wireproof: {flag}={settings.fuzz_seed}")
        lines += displaced_lines(self._registered)
        return lines

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(
        self, report: pytest.CollectReport | pytest.TestReport
    ) -> tuple[str, str, Any] | None:
        """Count and show our verdicts beside pytest's outcomes."""
        record = getattr(report, "wireproof", None)
        if record is None or report.when != "call":
            return None
        verdict = _verdict_of(record)
        if report.failed and verdict not in {
            Verdict.NOT_TESTABLE,
            Verdict.HARNESS_ERROR,
        }:
            return "failed", "F", ("FAILED", {"red": True})
        if report.passed and '"monitors"' in record:
            return _STATUS[Verdict.WARNED]
        if report.skipped and verdict is not Verdict.NOT_TESTABLE:
            return "not applicable", "-", ("NOT APPLICABLE", {"yellow": True})
        return _STATUS.get(verdict)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Begin a line of progress for each group of checks."""
        place = self._names.get(nodeid)
        reporter = self._reporter()
        if place is None or reporter is None or reporter.verbosity > 0:
            return
        group = f"{place[0]} [{place[1]}]" if len(self._run.subjects) > 1 else place[0]
        if reporter.showfspath and group != self._group:
            self._group = group
            reporter.ensure_newline()
            reporter.write(f"{safe(group)} ")
        # pytest begins a line for each new path, and takes our ids for paths.
        reporter.currentfspath = reporter.config.rootpath / nodeid.partition("::")[0]

    def _reporter(self) -> Any:
        return self._run.config.pluginmanager.get_plugin("terminalreporter")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Write a section for each subject."""
        for subject, report in zip(
            self._run.subjects, self._run.subject_reports(), strict=True
        ):
            if not report.records:
                continue
            terminalreporter.section(
                f"wireproof: {report.protocol} {safe(report.target)}"
            )
            for line in summary_lines(report, self._run, subject):
                terminalreporter.write_line(line)
        for path in self._run.written:
            terminalreporter.write_line(f"report: {path}")
        for path, problem in self._run.unwritten:
            terminalreporter.write_line(
                f"the report {path} could not be written: {problem}; "
                "give a path in a folder that may be written to",
                red=True,
            )
        if self._run.undecided:
            terminalreporter.write_line(
                "nothing was decided about a subject: no check could be carried out",
                red=True,
            )


def _verdict_of(text: str) -> Verdict:
    import json

    return Verdict(json.loads(text)["record"]["verdict"])


def displaced_lines(registered: Registered) -> list[str]:
    """Say which of our options another plugin keeps us from using by their names."""
    return [
        f"wireproof: warning: another plugin has --{name}; "
        f"ours is {registered.flags[name]}"
        for name in registered.displaced
    ]


def summary_lines(report: SubjectReport, run: Run, subject: Subject) -> Iterator[str]:
    """Yield the summary of one subject, line by line."""
    results = [from_record(record) for record in report.records]
    facts = report.facts
    level = facts.level if facts else "wire"
    answer = "conformant" if is_conformant(results) else "NOT conformant"
    yield f"{answer} ({level}){_reservation(report)}"
    for name, counts in totals(results).items():
        if counts:
            shown = [
                f"{counts[v.value]} {v.value}" for v in Verdict if v.value in counts
            ]
            yield f"  {name:<6} {', '.join(shown)}"
    yield from _broken_clauses(results, subject)
    yield from _hidden(results)
    yield from _left_out(results)
    for owner, result in run.late:
        if owner is subject:
            yield ""
            yield from explain_result(result, subject.clauses).splitlines()
    if facts and facts.missing_checks and facts.missing_tools:
        tools = len(facts.missing_tools)
        yield ""
        yield (
            f"{facts.missing_checks} checks were left out: they need tools of the "
            f"conformance toolset, of which {tools} are not listed"
        )
    if facts and facts.latency_ms:
        yield ""
        yield (
            f"started {facts.starts} time{'s' if facts.starts != 1 else ''}, "
            f"a trivial exchange took {facts.latency_ms:.2f} ms at most"
        )
    yield from _next_step(results, subject)


def _reservation(report: SubjectReport) -> str:
    if report.ran >= report.available:
        return ""
    return f", as far as tried: {report.ran} of {report.available} checks"


def _broken_clauses(results: Sequence[Result], subject: Subject) -> Iterator[str]:
    levels: dict[str, Level] = {
        clause.id: clause.level for clause in subject.clauses.values()
    }
    shown = 0
    for clause in clause_verdicts(results, levels):
        bad = [
            result
            for result in results
            if clause.id in result.clauses
            and result.verdict in {Verdict.FAILED, Verdict.WARNED}
        ]
        if not bad:
            continue
        shown += 1
        if shown > SHOWN_CLAUSES:
            continue
        yield ""
        yield from clause_lines(_clause(subject, clause.id), clause.id, bad[0])
        for result in bad[:SHOWN_CHECKS]:
            yield f"    {result.verdict} {result.id}: {safe_line(result.reason)[:200]}"
        if len(bad) > SHOWN_CHECKS:
            yield f"    and {len(bad) - SHOWN_CHECKS} more checks"
    if shown > SHOWN_CLAUSES:
        yield ""
        yield f"and {shown - SHOWN_CLAUSES} more broken clauses"


def _clause(subject: Subject, clause_id: str) -> ClauseText | None:
    return subject.clauses.get(clause_id)


def _hidden(results: Sequence[Result]) -> Iterator[str]:
    hidden = [result for result in results if result.verdict is Verdict.NOT_TESTABLE]
    if not hidden:
        return
    first = next((one for one in hidden if one.because is None), None)
    if first is not None and not first.by_monitor:
        yield ""
        yield from explain_silence(first).splitlines()
    yield ""
    by_cause = Counter(result.because or result.reason for result in hidden)
    for cause, count in by_cause.most_common(SHOWN_CHECKS):
        checks = "check was" if count == 1 else "checks were"
        yield f"{count} {checks} not testable: {safe_line(cause)[:300]}"


def _left_out(results: Sequence[Result]) -> Iterator[str]:
    """Say what the subject does not offer, its tools aside: they are counted apart."""
    reasons = Counter(
        result.reason
        for result in results
        if result.verdict is Verdict.NOT_APPLICABLE
        and not result.by_monitor
        and "tools" not in result.evidence
    )
    if reasons:
        yield ""
    for reason, count in reasons.most_common(SHOWN_REASONS):
        checks = "check was" if count == 1 else "checks were"
        yield f"{count} {checks} not applicable: {safe_line(reason)[:300]}"


def _next_step(results: Sequence[Result], subject: Subject) -> Iterator[str]:
    if any(result.verdict is Verdict.HARNESS_ERROR for result in results):
        yield "next: a fault of wireproof came up; please report the text shown above"
        return
    first = next((r for r in results if r.verdict is Verdict.FAILED), None)
    if first is None:
        first = next((r for r in results if r.verdict is Verdict.NOT_TESTABLE), None)
    if first is None:
        first = next((r for r in results if r.verdict is Verdict.WARNED), None)
    if first is not None and first.reproduce:
        yield f"next: {first.reproduce}"
    elif first is None and any(result.verdict in DECIDED for result in results):
        flag = f"--{subject.protocol.option}={subject.target.text}"
        quoted = shlex.quote(flag) if "'" in flag else f"'{flag}'"
        yield f"next: keep it so in CI: pytest {quoted} --compat-report=report.json"
