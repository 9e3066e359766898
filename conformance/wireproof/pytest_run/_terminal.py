"""What a person sees: progress while the checks run, and a summary at the end."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from wireproof.checks import Verdict, folder_of_origin, recorded_origin
from wireproof.pytest_run._failures import AtTerminal, failure_text, report_of_monitor
from wireproof.pytest_run._items import CheckItem
from wireproof.pytest_run._progress import ProgressLine, TimeLeft, can_show_progress
from wireproof.pytest_run._shards import weight_of
from wireproof.report import Traces
from wireproof.reporting import (
    Guide,
    Layout,
    Standing,
    answers_of,
    first_to_mend,
    safe,
    summary_lines,
)
from wireproof.subjects import run_line

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

    from wireproof.checks import Result
    from wireproof.pytest_run._failures import Carried
    from wireproof.pytest_run._items import Subject
    from wireproof.pytest_run._known_failures import KnownFailures
    from wireproof.pytest_run._options import Registered
    from wireproof.pytest_run._report_files import ReportFiles
    from wireproof.reporting import SubjectReport

_STATUS: Mapping[Verdict, tuple[str, str, tuple[str, dict[str, bool]]]] = {
    Verdict.PASSED: ("passed", ".", ("PASSED", {"green": True})),
    Verdict.RECORDED: ("passed", ".", ("RECORDED", {"green": True})),
    Verdict.WARNED: ("warned", "w", ("WARNED", {"yellow": True})),
    Verdict.NOT_TESTABLE: ("not testable", "n", ("NOT TESTABLE", {"red": True})),
    Verdict.KNOWN_FAILURE: ("xfailed", "x", ("KNOWN FAILURE", {"yellow": True})),
    Verdict.HARNESS_ERROR: ("error", "E", ("HARNESS ERROR", {"red": True})),
}

LEGEND = (
    ". passed  F failed  w warned  n not testable  - not applicable  x known failure"
)
"""What the letters of a run stand for."""

LEAST_FOR_LEGEND = 10
"""Checks of a run whose letters are explained."""

COLORS = {Standing.GOOD: "green", Standing.OPEN: "yellow", Standing.BAD: "red"}
"""The color of an answer, where colors are shown."""


class Run(Protocol):
    """What the terminal needs of the run."""

    config: pytest.Config
    undecided: bool
    has_own_tests: bool
    known_failures: KnownFailures
    report_files: ReportFiles

    @property
    def subjects(self) -> Sequence[Subject]:
        """The subjects of the run."""
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
        self._progress: ProgressLine | None = None
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
        # Where a monitor fires first in a check, that one fails and shows it, whatever
        # else keeps the check from being tested.
        fires = any(found.level == "must" for found in result.monitors)
        told_apart = {Verdict.NOT_TESTABLE, Verdict.HARNESS_ERROR}
        if report.failed and (fires or verdict not in told_apart):
            return "failed", "F", ("FAILED", {"red": True})
        if report.passed and result.monitors:
            return _STATUS[Verdict.WARNED]
        if report.skipped and verdict not in {
            Verdict.NOT_TESTABLE,
            Verdict.KNOWN_FAILURE,
        }:
            return "not applicable", "-", ("NOT APPLICABLE", {"yellow": True})
        return _STATUS.get(verdict)

    def pytest_report_collectionfinish(
        self, items: Sequence[pytest.Item]
    ) -> str | None:
        """Say what the letters stand for, where there are many."""
        reporter = self._reporter()
        checks = sum(isinstance(item, CheckItem) for item in items)
        if reporter is None or reporter.verbosity != 0 or checks < LEAST_FOR_LEGEND:
            return None
        return LEGEND

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Begin to tell how long the run takes still, where somebody can see it."""
        reporter = self._reporter()
        if reporter is None or reporter.verbosity < -1 or not can_show_progress():
            return
        checks = [item for item in session.items if isinstance(item, CheckItem)]
        seconds = {item.nodeid: weight_of(item) / 1000 for item in checks}
        writer = session.config.get_terminal_writer()
        self._progress = ProgressLine(writer, TimeLeft(seconds))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> Generator[None]:
        """Begin a line of progress for each group of checks."""
        self._begin_group(nodeid)
        yield
        if self._progress is not None:
            self._progress.show()

    def _begin_group(self, nodeid: str) -> None:
        place = self._names.get(nodeid)
        reporter = self._reporter()
        if place is None or reporter is None or reporter.verbosity > 0:
            return
        group = f"{place[0]} [{place[1]}]" if len(self._run.subjects) > 1 else place[0]
        if reporter.showfspath and group != self._group:
            self._group = group
            writer = self._run.config.get_terminal_writer()
            if writer.width_of_current_line:
                # pytest forgets that it has begun a line where something was told.
                writer.line()
                reporter.currentfspath = None
            reporter.write(f"{safe(group)} ")
        # pytest begins a line for each new path, and takes our ids for paths.
        reporter.currentfspath = reporter.config.rootpath / nodeid.partition("::")[0]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Make room for the result of a check."""
        if report.when == "call" and self._progress is not None:
            self._progress.finish(report.nodeid)

    def tell(self, text: str) -> None:
        """Say something while a check goes on, unless the user wants to see little."""
        reporter = self._reporter()
        if reporter is None or reporter.verbosity < 0:
            return
        capture = self._run.config.pluginmanager.get_plugin("capturemanager")
        shown = capture.global_and_fixture_disabled() if capture else nullcontext()
        with shown:
            if self._progress is not None:
                self._progress.erase()
            reporter.ensure_newline()
            reporter.write_line(f"wireproof: {safe(text)}")
            reporter.flush()

    def lay_out(self, report: pytest.TestReport, found: Carried) -> None:
        """Let a failure be laid out for the terminal that shows it, if one does."""
        layout = self.layout()
        plain: Any = report.longrepr
        if layout.columns is None or not hasattr(plain, "chain"):
            return
        subject = self._run.subjects[found.subject]
        fail_on = subject.settings.fail_on
        text = partial(failure_text, found, subject.clauses, fail_on, layout)
        writer = self._run.config.get_terminal_writer()
        report.longrepr = AtTerminal(plain, writer, text)

    def fail(self, found: Carried) -> pytest.TestReport:
        """Let a failure that is no item's be counted, shown and listed as one is.

        Returns:
            pytest's report of it.
        """
        subject = self._run.subjects[found.subject]
        name = found.result.first_in or subject.protocol.name
        if len(self._run.subjects) > 1:
            name = f"{name}[{subject.target.name}]"
        fail_on = subject.settings.fail_on
        report = report_of_monitor(found, name, subject.clauses, fail_on)
        if (reporter := self._reporter()) is not None:
            self.lay_out(report, found)
            reporter.stats.setdefault("failed", []).append(report)
        return report

    def first(self) -> tuple[Subject, Result] | None:
        """Return what a terminal shows last: the first thing to mend."""
        layout = self.layout()
        if layout.columns is None or layout.verbosity < -1:
            return None
        for subject, report in self._reported():
            if all(one.verdict is Verdict.NOT_TESTABLE for one in report.results):
                continue  # its summary is no longer than a screen, and tells the same
            if (result := first_to_mend(report.results, report.catalogue)) is not None:
                return subject, result
        return None

    def _reported(self) -> list[tuple[Subject, SubjectReport]]:
        reports = self._run.subject_reports()
        both = zip(self._run.subjects, reports, strict=True)
        return [(subject, report) for subject, report in both if report.results]

    def layout(self) -> Layout:
        """Return how lines are laid out where the run is shown."""
        reporter = self._reporter()
        if reporter is None:
            return Layout()
        columns = self._run.config.get_terminal_writer().fullwidth
        # It is a method from pytest 9 on.
        told = reporter.isatty
        is_terminal = told() if callable(told) else told
        return Layout(columns if is_terminal else None, reporter.verbosity)

    def _shown_traces(self, subject: Subject) -> Mapping[str, str]:
        """Return the stack traces that pytest shows with failures, and in which."""
        reporter = self._reporter()
        traces = Traces()
        if reporter is not None and self._run.config.getoption("tbstyle") != "no":
            for report in reporter.stats.get("failed", ()):
                found = getattr(report, "wireproof", None)
                if found and found.subject == subject.index and not found.like:
                    traces.before(found.result)
        return traces.shown

    def _reporter(self) -> Any:
        return self._run.config.pluginmanager.get_plugin("terminalreporter")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Write a section for each subject."""
        layout = self.layout()
        first = self.first()
        for subject, report in self._reported():
            title = f"wireproof: {report.protocol} {report.target}"
            terminalreporter.section(layout.title(title))
            guide = Guide(
                subject.protocol.option,
                subject.protocol.toolset,
                subject.protocol.takes,
                "" if self._run.has_own_tests else subject.protocol.own_tools,
                subject.protocol.remedy(subject.target, subject.settings),
                subject.settings.runner,
                shown_below=first is not None and first[0] is subject,
                traces=self._shown_traces(subject),
                again=partial(line_again, subject),
                options=options_beside(subject),
                repository=_repository(),
            )
            lines = summary_lines(report, guide, layout)
            for answer in answers_of(report):
                color = COLORS[answer.standing]
                terminalreporter.write_line(next(lines), bold=True, **{color: True})
            for line in lines:
                terminalreporter.write_line(line)
        for path in self._run.report_files.written:
            terminalreporter.write_line(f"report: {path}")
        for path, problem in self._run.report_files.unwritten:
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


def options_beside(subject: Subject) -> list[str]:
    """Return the options of a run, but for what names the subject, and for fuzzing."""
    own = f"{subject.protocol.option}={subject.target.text}"
    options = [
        one for one in subject.settings.reproduce_options if not one.endswith(own)
    ]
    fuzzing = ("fuzz", "fuzz-seed")
    return [one for one in options if not one.partition("=")[0].endswith(fuzzing)]


def line_again(subject: Subject, name: str) -> str:
    """Return the command that runs a check of a subject again."""
    arguments = {check.id: check.argument for check in subject.checks}
    return run_line(subject.settings, arguments.get(name, ""))


def displaced_lines(registered: Registered) -> list[str]:
    """Say which of our options another plugin keeps us from using by their names."""
    return [
        f"wireproof: warning: another plugin has --{name}; "
        f"ours is {registered.flags[name]}"
        for name in registered.displaced
    ]


def _repository() -> str:
    """Return the folder of this project's files: run from it, or installed from it."""
    folders = [Path(__file__).parents[3], folder_of_origin(recorded_origin())]
    found = (one for one in folders if one and (one / "reference/hosts").is_dir())
    return str(next(found, ""))
