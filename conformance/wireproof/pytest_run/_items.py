"""Checks as pytest items: one vector is one item, named by its id."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from tempfile import mkstemp
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.checks import DOCUMENT_SOURCES, OBSERVATION, Result, Verdict
from wireproof.pytest_run._failures import (
    Carried,
    fails,
    failure_repr,
    failure_text,
    properties_of,
)
from wireproof.report import Traces, exception_of, reason_key
from wireproof.reporting import KNOWN, Layout, Mask, monitor_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from _pytest._code.code import TerminalRepr

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


class CheckFailed(Exception):
    """Carries a result that fails its item; never shown as an exception.

    Attributes:
        found: The result, and what is wrong with its entry in the baseline.
    """

    def __init__(self, found: Carried) -> None:
        """Keep the result."""
        self.found = found
        super().__init__(found.problem or found.result.reason)


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
        traces: Where the stack traces stand that failures show.
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
        self.traces = Traces()
        self._shown: dict[tuple[str, ...], str] = {}

    def requires(self, check_id: str) -> bool:
        """Tell whether a check, or a monitor's result, is of the version asked for."""
        required = self.settings.required
        return required is None or check_id in required.get(self.protocol.name, ())

    def watches(self, clause: str) -> bool:
        """Return whether a monitor's finding counts: by version and by source."""
        known = self.clauses.get(clause)
        of_source = self.settings.sources == "all" or (
            known is not None and known.source in DOCUMENT_SOURCES
        )
        return of_source and self.requires(monitor_id(self.protocol.name, clause))

    def counted(self, result: Result) -> Result:
        """Return a result with only the findings of monitors that count."""
        kept = [found for found in result.monitors if self.watches(found.clause)]
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
        return _kept(self.mask.result(self.open().run(check)))

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
        raised = exception_of(result)
        # What it raised tells two faults apart that look the same on the wire.
        key = (*reason_key(result), raised.key if raised else "")
        first = self._shown.setdefault(key, result.id)
        return "" if first == result.id else first


def _kept(result: Result) -> Result:
    """Write what was seen before a fault of the suite to a file; name the file."""
    evidence = dict(result.evidence)
    if (seen := evidence.pop(OBSERVATION, None)) is None:
        return result
    try:
        descriptor, path = mkstemp(".json", "wireproof-observation-")
        with os.fdopen(descriptor, "w") as file:
            json.dump(seen, file, indent=1)
    except OSError as error:
        path = f"nowhere: no file could be written ({error.strerror})"
    return replace(result, evidence={**evidence, "observed": path})


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
        # What is one subject's command is nothing to select checks by (-k).
        protocol, target = subject.protocol.name, subject.target.name
        name = f"{protocol} [{target}]" if named else protocol
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


class CheckItem(pytest.Item):
    """One check of one subject."""

    subject: Subject
    check: Check
    found: Carried | None = None

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
        if parent.named:
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
        self.found = Carried(self.subject.index, result, problem)
        if problem or fails(result, self.subject.settings.fail_on):
            raise CheckFailed(self.found)
        if result.verdict in {Verdict.NOT_APPLICABLE, Verdict.NOT_TESTABLE}:
            pytest.skip(result.reason)

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None
    ) -> str | TerminalRepr:
        """Return the failure display of a check."""
        if not isinstance(excinfo.value, CheckFailed):
            return super().repr_failure(excinfo, style)
        subject, found = self.subject, excinfo.value.found
        if fails(found.result, subject.settings.fail_on):
            like = subject.shown_before(found.result)
            traced = "" if like else subject.traces.before(found.result)
            found = replace(found, like=like, traced=traced)
        self.found = found
        layout = Layout(None, self.config.option.verbose)
        text = failure_text(found, subject.clauses, subject.settings.fail_on, layout)
        return failure_repr(self.check.id, text, found)

    def attach(self, report: pytest.TestReport) -> None:
        """Put the result on the report, for the run and for junit."""
        if self.found is None:
            return
        result = self.found.result
        report.wireproof = self.found  # type: ignore[attr-defined]
        if result.verdict is Verdict.KNOWN_FAILURE:
            # pytest has no other way to say this of an item that it has run.
            report.outcome = "skipped"
            report.wasxfail = result.evidence[KNOWN]["reason"]
        # The report of the teardown, which junit reads, takes them from the item.
        self.user_properties += properties_of(result)


def marker_name(protocol: str) -> str:
    """Return the marker of a protocol: its name as an identifier."""
    return protocol.replace("-", "_")
