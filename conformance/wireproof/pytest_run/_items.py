"""Checks as pytest items: one vector is one item, named by its id."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest
from _pytest._code.code import (
    ExceptionChainRepr,
    ReprEntryNative,
    ReprFileLocation,
    ReprTraceback,
)

from wireproof.checks import Level, Result, Verdict
from wireproof.reporting import (
    KNOWN,
    Mask,
    explain_like,
    explain_result,
    monitor_id,
    safe_line,
    way_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from wireproof.checks import (
        Check,
        ClauseText,
        ProtocolEntry,
        Settings,
        SubjectFacts,
        Suite,
        Target,
    )
    from wireproof.reporting import Baseline, Names


SHOWN_WHOLE = 2
"""Failures of one kind that are shown whole; the others are told in a few lines."""


class CheckFailed(Exception):
    """Carries a result that fails its item; never shown as an exception.

    Attributes:
        result: The result.
        problem: What is wrong with its entry in the baseline; empty for nothing.
    """

    def __init__(self, result: Result, problem: str = "") -> None:
        """Keep the result."""
        self.result = result
        self.problem = problem
        super().__init__(problem or result.reason)


class Subject:
    """A subject in this process: its checks, and its suite once one of them runs.

    Attributes:
        target: What the user named.
        settings: The options, with the reproduction options of this subject.
        protocol: Its protocol.
        index: Its place among the subjects of the run.
        checks: What there is to run, up to the level asked for.
        clauses: The catalogue, by clause id.
        selected: The checks that are to be run in this process, as far as is known.
        kinds: The kind of each check, by its id.
        tell: Says something to the user while a check goes on, or None.
        baseline: The known failures of the run, or None.
        mask: What hides the values of variables that were handed on.
    """

    def __init__(
        self, target: Target, settings: Settings, protocol: ProtocolEntry, index: int
    ) -> None:
        """Prepare; nothing is started."""
        self.target = target
        self.settings = settings
        self.protocol = protocol
        self.index = index
        self.checks = [
            check
            for check in protocol.checks(settings)
            if check.file or self.requires(check.id)
        ]
        self.clauses: Mapping[str, ClauseText] = {
            clause.id: clause for clause in protocol.clauses()
        }
        self.selected: Sequence[Check] = ()
        self.tell: Callable[[str], None] | None = None
        self.baseline: Baseline | None = None
        self.mask = Mask(settings.environment)
        self.suite: Suite | None = None
        self.kinds = {check.id: check.kind for check in self.checks}
        self._shown: dict[str, list[Result]] = {}

    def requires(self, check_id: str) -> bool:
        """Tell whether a check, or a monitor's result, is of the version asked for."""
        required = self.settings.required
        return required is None or check_id in required.get(self.protocol.name, ())

    def counted(self, result: Result) -> Result:
        """Return a result without what monitors of a later version have seen in it."""
        protocol = self.protocol.name
        kept = [
            found
            for found in result.monitors
            if self.requires(monitor_id(protocol, found.clause))
        ]
        return replace(result, monitors=tuple(kept))

    @property
    def names(self) -> Names:
        """What names it in a baseline."""
        return (self.target.name, self.target.text)

    def open(self) -> Suite:
        """Return the suite, bound to the subject on first use."""
        if self.suite is None:
            tell = self._tell if self.tell is not None else None
            settings = replace(self.settings, tell=tell)
            self.suite = self.protocol.open(self.target, settings)
            self.suite.announce(self.selected)
        return self.suite

    def _tell(self, text: str) -> None:
        if self.tell is not None:
            self.tell(self.mask.text(text))

    def run(self, check: Check) -> Result:
        """Carry out a check."""
        return self.mask.result(self.open().run(check))

    def finish(self) -> SubjectEnd | None:
        """Stop the subject and return what was known of it then, if it was opened."""
        if (suite := self.suite) is None:
            return None
        self.suite = None
        monitors = [self.mask.result(result) for result in suite.finish()]
        return SubjectEnd(self.index, monitors, suite.facts())

    def shown_before(self, result: Result) -> str:
        """Take note of a failure that is shown.

        Returns:
            The id of the first that failed in the same way, where one more that is
            shown whole would say nothing; else an empty text.
        """
        if result.monitors or result.verdict not in {Verdict.FAILED, Verdict.WARNED}:
            return ""
        way = result.ended or f"{' '.join(result.clauses)} {way_of(result)}"
        before = self._shown.setdefault(way, [])
        before.append(result)
        first = before[0]
        same = (result.reason, result.reproduce) == (first.reason, first.reproduce)
        again = len(before) > 1 and same and result.reproduce is not None
        return first.id if again or len(before) > SHOWN_WHOLE else ""


class SubjectNode(pytest.Collector):
    """The checks of one subject, as pytest collects them."""

    subject: Subject
    named: bool

    @classmethod
    def build(
        cls, session: pytest.Session, subject: Subject, *, named: bool
    ) -> SubjectNode:
        """Build the node.

        Args:
            session: The session it hangs on.
            subject: Whose checks it holds.
            named: Whether the items' names carry the subject's.
        """
        name = f"{subject.protocol.name} [{subject.target.name}]"
        # pytest types what it passes on to the constructor as unknown.
        node: SubjectNode = cls.from_parent(  # pyright: ignore[reportUnknownMemberType]
            session, name=name, nodeid=name
        )
        node.subject = subject
        node.named = named
        return node

    def collect(self) -> Iterator[CheckItem]:
        """Yield an item for each check."""
        for check in self.subject.checks:
            yield CheckItem.build(self, check)


@dataclass(frozen=True, slots=True)
class SubjectEnd:
    """What was known of a subject when its checks were done.

    Attributes:
        subject: Its index.
        monitors: What its monitors found.
        facts: What is known of it.
    """

    subject: int
    monitors: list[Result]
    facts: SubjectFacts


@dataclass(frozen=True, slots=True)
class Carried:
    """What pytest's report of an item carries.

    Attributes:
        subject: The index of the subject.
        result: What the check came to.
    """

    subject: int
    result: Result


class CheckItem(pytest.Item):
    """One check of one subject."""

    subject: Subject
    check: Check
    result: Result | None = None

    @classmethod
    def build(cls, parent: SubjectNode, check: Check) -> CheckItem:
        """Build the item of a check."""
        name = f"{check.id}[{parent.subject.target.name}]" if parent.named else check.id
        item: CheckItem = cls.from_parent(  # pyright: ignore[reportUnknownMemberType]
            parent, name=name, nodeid=name
        )
        item.subject = parent.subject
        item.check = check
        item.add_marker(getattr(pytest.mark, check.level))
        item.add_marker(getattr(pytest.mark, marker_name(parent.subject.protocol.name)))
        item.extra_keyword_matches.update(check.clauses)
        item.extra_keyword_matches.add(parent.subject.target.name)
        return item

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return where pytest says the item is: it has no line in a file."""
        return self.config.rootpath, None, self.name

    def runtest(self) -> None:
        """Carry out the check.

        Raises:
            CheckFailed: If the item fails.
            pytest.skip.Exception: If nothing can be said and no MUST is at stake.
        """
        result = self.subject.counted(self.subject.run(self.check))
        problem = ""
        if (baseline := self.subject.baseline) is not None:
            names = self.subject.names
            result = baseline.apply(result, names)
            by_chance = self.check.kind == "fuzz"
            problem = baseline.problem(result, names, by_chance=by_chance)
        self.result = result
        if problem or fails(result, self.subject.settings.fail_on):
            raise CheckFailed(result, problem)
        if result.verdict in {Verdict.NOT_APPLICABLE, Verdict.NOT_TESTABLE}:
            pytest.skip(result.reason)

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None
    ) -> Any:
        """Return the failure display of a check."""
        if isinstance(excinfo.value, CheckFailed):
            return self._failure(excinfo.value.result, excinfo.value.problem)
        return super().repr_failure(excinfo, style)

    def _failure(self, result: Result, problem: str) -> ExceptionChainRepr:
        """Return the display of a check that failed, or whose entry is out of date."""
        if not fails(result, self.subject.settings.fail_on):
            return _display(self.check.id, safe_line(problem), problem)
        shown = self.subject.shown_before(result)
        text = (
            explain_like(result, shown)
            if shown
            else explain_result(result, self.subject.clauses)
        )
        found = result.reason or next((one.text for one in result.monitors), "")
        if problem:
            text, found = f"{text}\n\n{safe_line(problem)}", problem
        return _display(self.check.id, text, found)

    def attach(self, report: pytest.TestReport) -> None:
        """Put the result on the report, for the run and for junit."""
        if self.result is None:
            return
        report.wireproof = Carried(self.subject.index, self.result)  # type: ignore[attr-defined]
        if self.result.verdict is Verdict.KNOWN_FAILURE:
            # pytest has no other way to say this of an item that it has run.
            report.outcome = "skipped"
            report.wasxfail = self.result.evidence[KNOWN]["reason"]
        # The report of the teardown, which junit reads, takes them from the item.
        self.user_properties += _properties(self.result)


def report_of_monitor(
    subject: Subject, result: Result, *, named: bool, problem: str = ""
) -> pytest.TestReport:
    """Return pytest's report of what a monitor found when no check failed for it.

    It goes by the check during which the monitor fired, else by the protocol, which is
    all of the checks: either can be named on the command line.

    Args:
        subject: The subject that it watched.
        result: What it found.
        named: Whether the names of items carry the subject's.
        problem: What is wrong with its entry in the baseline; empty for nothing.
    """
    name = result.first_in or subject.protocol.name
    if named:
        name = f"{name}[{subject.target.name}]"
    told = problem or f"{' '.join(result.clauses)}: {result.reason}"
    text = explain_result(result, subject.clauses)
    if problem:
        told_whole = safe_line(problem)
        failed = fails(result, subject.settings.fail_on)
        text = f"{text}\n\n{told_whole}" if failed else told_whole
    return pytest.TestReport(
        nodeid=name,
        location=(name, None, name),
        keywords={},
        outcome="failed",
        longrepr=_display(name, text, told),
        when="call",
        user_properties=_properties(result),
    )


def _properties(result: Result) -> list[tuple[str, object]]:
    """Return what junit's report tells of a result beside its outcome."""
    clauses = " ".join(result.clauses)
    return [("verdict", result.verdict.value), ("clauses", clauses)]


def _display(name: str, text: str, reason: str) -> ExceptionChainRepr:
    """Return a failure in pytest's own form.

    A plain text would be repeated whole in pytest's short summary, where a CI system
    runs it; this form has one line for that.
    """
    entry = ReprEntryNative([f"{text}\n"])
    traceback = ReprTraceback([entry], None, style="native")
    place = ReprFileLocation(name, 0, safe_line(reason.partition("\n")[0]))
    return ExceptionChainRepr([(traceback, place, None)])


def marker_name(protocol: str) -> str:
    """Return the marker of a protocol: its name as an identifier."""
    return protocol.replace("-", "_")


def fails(result: Result, fail_on: Level) -> bool:
    """Tell whether a result fails its item."""
    levels = {found.level for found in result.monitors}
    if "must" in levels or (fail_on == "should" and "should" in levels):
        return True
    match result.verdict:
        case Verdict.FAILED | Verdict.HARNESS_ERROR:
            return True
        case Verdict.WARNED:
            return fail_on == "should"
        case Verdict.NOT_TESTABLE:
            return result.level == "must"
        case _:
            return False
