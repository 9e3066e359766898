"""A pytest run with a subject: from the collection to the report.

``ConformanceRun`` adds our items, keeps their results and writes the reports. Under
pytest-xdist the workers run the items and the controller, which sees only their
reports, does the rest.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.checks import (
    Result,
    Verdict,
    WireproofError,
)
from wireproof.pytest_run._configure import WORKER_KEY
from wireproof.pytest_run._failures import Carried, fails
from wireproof.pytest_run._first_failure import FirstFailure
from wireproof.pytest_run._garbage import leave_loaded_alone
from wireproof.pytest_run._gathered import Gathered
from wireproof.pytest_run._github import GithubCommands, is_github
from wireproof.pytest_run._items import (
    CheckItem,
    Subject,
    SubjectEnd,
    SubjectNode,
)
from wireproof.pytest_run._junit import add_case, name_case
from wireproof.pytest_run._report_files import ReportFiles
from wireproof.pytest_run._terminal import Terminal
from wireproof.pytest_run._workers import (
    CarriedResults,
    dump_ends,
    load_ends,
)
from wireproof.reporting import (
    SubjectReport,
    report_of_run,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path

    from wireproof.pytest_run._known_failures import KnownFailures
    from wireproof.pytest_run._options import Registered
    from wireproof.pytest_run._selection import Selection
    from wireproof.pytest_run._shards import Shard

PLUGIN_NAME = "wireproof-run"

HYPOTHESIS_PLUGIN = "hypothesispytest"
"""The name of the entry point of Hypothesis' own plugin for pytest."""


def _end_on_sigterm() -> Any:
    """Let SIGTERM end the run as Ctrl-C does, so that subjects and reports are seen to.

    Returns:
        The handler that was there before, or None where it was left in place.
    """
    if threading.current_thread() is not threading.main_thread():
        return None
    if signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        return None

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt("SIGTERM")

    return signal.signal(signal.SIGTERM, interrupt)


class ConformanceRun:
    """Collects our items, gathers their results, and concludes.

    Attributes:
        subjects: The subjects of the run.
        report_files: The reports that are written at the end.
        has_own_tests: Whether tests of the user's own run beside the checks.
    """

    def __init__(
        self,
        config: pytest.Config,
        subjects: Sequence[Subject],
        selection: Selection,
        reports: Sequence[Path],
        registered: Registered,
        known_failures: KnownFailures,
        shard: Shard | None = None,
    ) -> None:
        """Prepare a run."""
        self.config = config
        self.subjects = subjects
        self.selection = selection
        self.report_files = ReportFiles(reports)
        self.known_failures = known_failures
        self.shard = shard
        self._gathered = Gathered(subjects)
        self.is_worker = hasattr(config, "workerinput")
        self.expected = 0
        self.has_own_tests = False
        self.undecided = False
        self.failed_late = False
        self._began = time.monotonic()
        self._started_at = datetime.now(UTC)
        self._concluded = False
        self._former_handler = _end_on_sigterm()
        self._terminal = Terminal(self, registered)
        config.pluginmanager.register(CarriedResults(), f"{PLUGIN_NAME}-carried")
        if not self.is_worker:
            config.pluginmanager.register(self._terminal, f"{PLUGIN_NAME}-terminal")
            first = FirstFailure(self._terminal)
            config.pluginmanager.register(first, f"{PLUGIN_NAME}-first")
            for subject in subjects:
                subject.tell = self._terminal.tell
            if is_github():
                commands = GithubCommands(config, self.subject_reports)
                config.pluginmanager.register(commands, f"{PLUGIN_NAME}-github")

    # --- collection

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> None:
        """Put our items in front of the user's own tests."""
        named = len(self.subjects) > 1
        found: list[pytest.Item] = []
        for subject in self.subjects:
            node = SubjectNode.build(session, subject, named=named)
            wanted = [
                item for item in node.collect() if self.selection.holds(item.name)
            ]
            report = pytest.CollectReport(node.nodeid, "passed", None, list(wanted))
            self.config.hook.pytest_collectreport(report=report)
            found += wanted
        items[:] = [*found, *items]

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Take note of the checks that were selected."""
        items = [item for item in session.items if isinstance(item, CheckItem)]
        self.expected = len(items)
        self.has_own_tests = len(items) < len(session.items)
        for subject in self.subjects:
            subject.selected = [one.check for one in items if one.subject is subject]
        if any(one.check.kind == "fuzz" for one in items):
            leave_loaded_alone(self.config)

    # --- results

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Attach the result of a check to pytest's report of its item."""
        if call.excinfo is not None:
            self._mask(call.excinfo.value)
        report = yield
        if call.when == "call" and isinstance(item, CheckItem):
            item.attach(report)
        return report

    def _mask(self, error: BaseException) -> None:
        """Hide the values of variables in what a subject told a user's own test.

        The text of such an error is what the subject said, which may be one of them.
        """
        found: dict[int, BaseException] = {}
        waiting: list[BaseException | None] = [error]
        while waiting:
            one = waiting.pop()
            if one is None or id(one) in found:
                continue
            found[id(one)] = one
            waiting += [one.__cause__, one.__context__]
            if isinstance(one, WireproofError):
                for subject in self.subjects:
                    one.args = tuple(map(subject.mask.text, map(str, one.args)))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the result that a report carries."""
        if report.when == "call" and (carried := getattr(report, "wireproof", None)):
            name_case(self.config, report)
            self._gathered.results[carried.subject].append(carried.result)
            if report.failed:
                self._terminal.lay_out(report, carried)

    # --- the end

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Hand to a worker of pytest-xdist what it cannot know by its options."""
        settings = self.subjects[0].settings
        node.workerinput[WORKER_KEY] = {
            "fuzz_seed": settings.fuzz_seed,
            "runner": settings.runner,
        }

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Take what a worker of pytest-xdist found at the end of its subjects."""
        text = getattr(node, "workeroutput", {}).get(WORKER_KEY)
        for end in load_ends(text) if text else ():
            self._gathered.end(end)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(
        self, session: pytest.Session, exitstatus: int | pytest.ExitCode
    ) -> None:
        """Stop the subjects, conclude, and write the reports."""
        ends = self._finish_subjects()
        self._spare_hypothesis()
        if self.is_worker:
            session.config.workeroutput[WORKER_KEY] = dump_ends(ends)  # type: ignore[attr-defined]
            return
        for end in ends:
            self._gathered.end(end)
        self._conclude(session, exitstatus)

    def _spare_hypothesis(self) -> None:
        """Keep Hypothesis' plugin from importing Hypothesis to say nothing.

        Its summary does so even where no test has used it; that takes longer than
        pytest's own start.
        """
        plugins = self.config.pluginmanager
        if "hypothesis" not in sys.modules and plugins.has_plugin(HYPOTHESIS_PLUGIN):
            plugins.unregister(name=HYPOTHESIS_PLUGIN)

    def pytest_unconfigure(self) -> None:
        """See to it that no subject outlives the run, however it ended."""
        self._finish_subjects()
        if self._former_handler is not None:
            signal.signal(signal.SIGTERM, self._former_handler)

    def _finish_subjects(self) -> list[SubjectEnd]:
        """Stop the subjects; return what their monitors found, and what is known."""
        ended = [subject.finish() for subject in self.subjects]
        return [end for end in ended if end is not None]

    def _conclude(
        self, session: pytest.Session, exitstatus: int | pytest.ExitCode
    ) -> None:
        if self._concluded:
            return
        self._concluded = True
        results = self._gathered.results
        for subject in self.subjects:
            before = self._gathered.blamed(subject)
            merged = self._gathered.merge_monitors(subject)
            problems = self.known_failures.look_at(subject, results[subject.index])
            for result in merged:
                problem = problems.get(result.id, "")
                is_new = not before & set(result.clauses)
                if problem or (is_new and fails(result, subject.settings.fail_on)):
                    self.failed_late = True
                    if problem or result.verdict is not Verdict.NOT_TESTABLE:
                        self._report_late(subject, result, problem)
        self.known_failures.write(
            [(subject, results[subject.index]) for subject in self.subjects]
        )
        self.failed_late |= self.known_failures.failed
        ran = self._gathered.ran()
        if exitstatus == pytest.ExitCode.OK and ran:
            self.undecided = self._gathered.undecided()
            if self.undecided or self.failed_late:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED
        stopped = exitstatus == pytest.ExitCode.INTERRUPTED
        if self.report_files.wanted:
            report = report_of_run(
                self.subject_reports(),
                started_at=self._started_at,
                duration_s=time.monotonic() - self._began,
                interrupted=stopped or ran < self.expected,
                shard=str(self.shard or ""),
            )
            self.report_files.write(report)
        if self.report_files.unwritten and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _report_late(self, subject: Subject, result: Result, problem: str) -> None:
        """Let pytest list what a monitor found and no check has failed for."""
        found = Carried(subject.index, result, problem)
        add_case(self.config, self._terminal.fail(found))

    def subject_reports(self) -> list[SubjectReport]:
        """Return what is known of each subject."""
        return self._gathered.reports()
