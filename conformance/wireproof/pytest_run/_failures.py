"""How a failed check is shown in pytest's own form, at a terminal and elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from _pytest._code.code import (
    ExceptionChainRepr,
    ReprEntryNative,
    ReprFileLocation,
    ReprTraceback,
)

from wireproof.checks import LEVELS, Level, Result, Verdict
from wireproof.reporting import PLAIN, explain_like, explain_result, safe_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from _pytest._io import TerminalWriter

    from wireproof.checks import ClauseText
    from wireproof.reporting import Layout


@dataclass(frozen=True, slots=True)
class Carried:
    """What pytest's report of an item carries.

    Attributes:
        subject: The index of the subject.
        result: What the check came to.
        problem: What is wrong with its entry in the baseline; empty for nothing.
        like: The id of the check that failed in the same way and is shown whole;
            empty where this one is.
        traced: The id of the check that shows the same stack trace; empty where none.
    """

    subject: int
    result: Result
    problem: str = ""
    like: str = ""
    traced: str = ""


def failure_text(
    found: Carried,
    clauses: Mapping[str, ClauseText],
    fail_on: Level,
    layout: Layout = PLAIN,
) -> str:
    """Return the text of a check that failed, or whose entry is out of date.

    Args:
        found: What the check came to.
        clauses: The catalogue.
        fail_on: The level from which on a broken clause fails the run.
        layout: How lines are laid out.
    """
    problem = "\n".join(layout.told(found.problem)) if found.problem else ""
    if not fails(found.result, fail_on):
        return problem
    if found.like and not layout.shows_all:
        text = explain_like(found.result, found.like, layout)
    else:
        text = explain_result(found.result, clauses, layout, found.traced)
    return f"{text}\n\n{problem}" if problem else text


def failure_repr(name: str, text: str, found: Carried) -> ExceptionChainRepr:
    """Return a failure in pytest's own form.

    A plain text would be repeated whole in pytest's short summary, where a CI system
    runs it; this form has one line for that.
    """
    entry = ReprEntryNative([f"{text}\n"])
    traceback = ReprTraceback([entry], None, style="native")
    reason = found.problem or reason_of(found.result)
    place = ReprFileLocation(name, 0, safe_line(reason.partition("\n")[0]))
    return ExceptionChainRepr([(traceback, place, None)])


def reason_of(result: Result) -> str:
    """Return why a check failed: what it found, or what a monitor saw during it."""
    worst = min(result.monitors, key=lambda one: LEVELS.index(one.level), default=None)
    if worst is not None and (
        result.verdict in _HOLDS
        or (result.verdict in _YIELDS and worst.level == "must")
    ):
        return f"{worst.clause}: {worst.text}"
    if result.by_monitor and result.clauses:
        return f"{' '.join(result.clauses)}, seen by a monitor: {result.reason}"
    return result.reason


class AtTerminal(ExceptionChainRepr):
    """A failure that is laid out for the terminal which shows it.

    Wherever else it goes, as into junit's file, it is as it was: no line of it is
    fitted to the width of a terminal.
    """

    def __init__(
        self,
        plain: ExceptionChainRepr,
        writer: TerminalWriter,
        text: Callable[[], str],
    ) -> None:
        """Show ``text`` on ``writer``, and ``plain`` on any other."""
        super().__init__(plain.chain)
        self._plain = plain
        self._writer = writer
        self._text = text

    def toterminal(self, tw: TerminalWriter) -> None:
        """Write it."""
        if tw is self._writer:
            tw.line(self._text())
        else:
            self._plain.toterminal(tw)


def report_of_monitor(
    found: Carried, name: str, clauses: Mapping[str, ClauseText], fail_on: Level
) -> pytest.TestReport:
    """Return pytest's report of what a monitor found when no check failed for it.

    Args:
        found: What it found.
        name: What it goes by, which can be named on the command line: the check during
            which the monitor fired, else the protocol, which is all of the checks.
        clauses: The catalogue.
        fail_on: The level from which on a broken clause fails the run.
    """
    text = failure_text(found, clauses, fail_on)
    seen = f"{' '.join(found.result.clauses)}, seen by a monitor"
    title = f"{name}: {seen if found.result.clauses else found.result.title}"
    return pytest.TestReport(
        nodeid=name,
        location=(name, None, title),
        keywords={},
        outcome="failed",
        longrepr=failure_repr(name, text, found),
        when="call",
        user_properties=properties_of(found.result),
    )


def properties_of(result: Result) -> list[tuple[str, object]]:
    """Return what junit's report tells of a result beside its outcome."""
    clauses = " ".join(result.clauses)
    return [("verdict", result.verdict.value), ("clauses", clauses)]


_HOLDS = frozenset({Verdict.PASSED, Verdict.RECORDED, Verdict.NOT_APPLICABLE})
"""Verdicts whose reason is none for a failure."""


_YIELDS = frozenset({Verdict.WARNED, Verdict.NOT_TESTABLE})
"""Verdicts that say less than a MUST that a monitor saw broken."""


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
