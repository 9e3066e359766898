"""What a person sees: progress while the checks run, and a summary at the end."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from wireproof.checks import Verdict
from wireproof.reporting import Guide, safe, summary_lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from wireproof.pytest_run._items import Subject
    from wireproof.pytest_run._known_failures import KnownFailures
    from wireproof.pytest_run._options import Registered
    from wireproof.reporting import SubjectReport

_STATUS: Mapping[Verdict, tuple[str, str, tuple[str, dict[str, bool]]]] = {
    Verdict.PASSED: ("passed", ".", ("PASSED", {"green": True})),
    Verdict.RECORDED: ("passed", ".", ("RECORDED", {"green": True})),
    Verdict.WARNED: ("warned", "w", ("WARNED", {"yellow": True})),
    Verdict.NOT_TESTABLE: ("not testable", "n", ("NOT TESTABLE", {"red": True})),
    Verdict.KNOWN_FAILURE: ("xfailed", "x", ("KNOWN FAILURE", {"yellow": True})),
    Verdict.HARNESS_ERROR: ("error", "E", ("HARNESS ERROR", {"red": True})),
}


class Run(Protocol):
    """What the terminal needs of the run."""

    config: pytest.Config
    undecided: bool
    known_failures: KnownFailures

    @property
    def subjects(self) -> Sequence[Subject]:
        """The subjects of the run."""
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
            f"wireproof: {report.protocol} {safe(report.target)}"
            for report in self._run.subject_reports()
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
        carried = getattr(report, "wireproof", None)
        if carried is None or report.when != "call":
            return None
        result = carried.result
        verdict = result.verdict
        if report.failed and verdict not in {
            Verdict.NOT_TESTABLE,
            Verdict.HARNESS_ERROR,
        }:
            return "failed", "F", ("FAILED", {"red": True})
        if report.passed and result.monitors:
            return _STATUS[Verdict.WARNED]
        if report.skipped and verdict not in {
            Verdict.NOT_TESTABLE,
            Verdict.KNOWN_FAILURE,
        }:
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

    def tell(self, text: str) -> None:
        """Say something while a check goes on, unless the user wants to see little."""
        reporter = self._reporter()
        if reporter is None or reporter.verbosity < 0:
            return
        capture = self._run.config.pluginmanager.get_plugin("capturemanager")
        shown = capture.global_and_fixture_disabled() if capture else nullcontext()
        with shown:
            reporter.ensure_newline()
            reporter.write_line(f"wireproof: {safe(text)}")
            reporter.flush()

    def fail(self, report: pytest.TestReport) -> None:
        """Let a failure that is no item's be counted, shown and listed as one is."""
        if (reporter := self._reporter()) is not None:
            reporter.stats.setdefault("failed", []).append(report)

    def _reporter(self) -> Any:
        return self._run.config.pluginmanager.get_plugin("terminalreporter")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Write a section for each subject."""
        for subject, report in zip(
            self._run.subjects, self._run.subject_reports(), strict=True
        ):
            if not report.results:
                continue
            terminalreporter.section(
                f"wireproof: {report.protocol} {safe(report.target)}"
            )
            guide = Guide(
                subject.protocol.option,
                subject.protocol.toolset,
                subject.protocol.comes_up,
            )
            for line in summary_lines(report, guide):
                terminalreporter.write_line(line)
        for path in self._run.written:
            terminalreporter.write_line(f"report: {path}")
        for path, problem in self._run.unwritten:
            terminalreporter.write_line(
                f"the report {path} could not be written: {problem}; "
                "give a path in a folder that may be written to",
                red=True,
            )
        for line, is_fault in self._run.known_failures.lines():
            terminalreporter.write_line(f"known failures: {line}", red=is_fault)
        if self._run.undecided:
            terminalreporter.write_line(
                "nothing was decided about a subject: no check could be carried out",
                red=True,
            )


def displaced_lines(registered: Registered) -> list[str]:
    """Say which of our options another plugin keeps us from using by their names."""
    return [
        f"wireproof: warning: another plugin has --{name}; "
        f"ours is {registered.flags[name]}"
        for name in registered.displaced
    ]
