"""What to do next, in one line or two: what is broken comes before what is missing."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from wireproof.checks import (
    DECIDED,
    Result,
    Verdict,
    explain_line,
    is_conformant,
    runner_words,
)
from wireproof.report import explain
from wireproof.reporting._display import count_checks, more_rest
from wireproof.reporting._layout import PLAIN, Layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from wireproof.checks import ClauseText, Runner
    from wireproof.report import Cause
    from wireproof.reporting._report import SubjectReport


HANDED_ON = (
    "if it lists them only where an environment variable is set: --subject-env=NAME "
    "hands yours on; a subject is started with few of your variables"
)
"""Why tools may be missing that were thought to be listed."""


def _nothing(_: str) -> str:
    return ""


NOT_THERE = frozenset({"not-started", "not-listening"})
"""Kinds of a first cause behind which there is no subject to look at."""

LONG_LINE = 300
"""Characters of a line of shell that is not told twice."""


@dataclass(frozen=True, slots=True)
class Guide:
    """What is known beside the report of a subject.

    Attributes:
        option: The command-line option of the protocol, without the dashes.
        toolset: Where the tools of the conformance toolset are ready to copy.
        takes: What the level full takes of a subject that lists no tools.
        own_tools: What is to be said of tools of the subject's own, after their names.
        remedy: What to do about a subject that says nothing.
        runner: The command by which a user starts a run.
        shown_below: Whether the check to be mended first is shown at the end, whole.
        traces: Stack traces that failures show above: by the exception, in which check.
        again: The command that runs a check again, which is short: by its id.
        options: The options beside the one that names the subject.
        repository: The folder that has the files of ``toolset``; empty where they were
            not installed.
    """

    option: str
    toolset: Sequence[str] = ()
    takes: str = ""
    own_tools: str = ""
    remedy: str = "name a program that starts and answers"
    runner: Runner = "pytest"
    shown_below: bool = False
    traces: Mapping[str, str] = field(default_factory=dict[str, str])
    again: Callable[[str], str] = _nothing
    options: Sequence[str] = ()
    repository: str = ""


def next_steps(
    results: Sequence[Result],
    report: SubjectReport,
    guide: Guide,
    causes: Sequence[Cause],
    layout: Layout = PLAIN,
) -> Iterator[str]:
    """Say what to do next.

    Args:
        results: All that was found.
        report: What is known of the subject.
        guide: What is known of its protocol.
        causes: What is wrong, by its causes.
        layout: How lines are laid out; a line to paste is never broken.
    """
    if any(result.verdict is Verdict.HARNESS_ERROR for result in results):
        yield from layout.told(
            "next: a fault of wireproof came up; please report the text shown above"
        )
        return
    first = causes[0].shown if causes else None
    if first is not None and shows_something(first, results):
        why = _why_first(causes[0]) if len(causes) > 1 or causes[0].under else ""
        yield from _see_again(f"next: {why}", first, results, guide, layout)
    elif first is not None:
        # Nothing came up: the line would only start what does not answer.
        yield from layout.told(f"next: {guide.remedy}")
    facts = report.facts
    remarks = facts.remarks if facts else ()
    for remark in remarks:
        yield from layout.told(f"{'then' if first else 'next'}: {remark}")
    can_be_kept = not (report.partial or remarks) and _can_be_kept(first, results)
    untried = facts.untried if facts and can_be_kept else ()
    for one in untried:
        yield from layout.told(f"{'then' if first else 'next'}: {one}")
    if (lacking := lacking_tools(results, report)).checks:
        word = "then" if first is not None or remarks or untried else "next"
        yield from _missing_tools(lacking, word, report.protocol, guide, layout)
    elif can_be_kept:
        if any(result.verdict is Verdict.KNOWN_FAILURE for result in results):
            yield from layout.told("next: mend a known failure, and remove its entry")
            return
        flag: Any = f"--{guide.option}={report.target}"
        quoted = shlex.quote(flag) if "'" in flag else f"'{flag}'"
        runner = shlex.join(runner_words(guide.runner))
        words = [runner, quoted, *map(shlex.quote, guide.options)]
        line = " ".join([*words, "--compat-report=report.json"])
        if first:
            word = "then: a warning fails no run but with --fail-on=should; in CI"
        else:
            word = f"{'then' if untried else 'next'}: keep it so in CI"
        yield f"{word}: {line}"


def first_to_mend(
    results: Sequence[Result], catalogue: Sequence[ClauseText]
) -> Result | None:
    """Return what is to be looked at first; None if nothing of the subject's is."""
    if any(result.verdict is Verdict.HARNESS_ERROR for result in results):
        return None
    causes = explain(results, catalogue)
    if causes and shows_something(causes[0].shown, results):
        return causes[0].shown
    return None


def shows_something(first: Result, results: Sequence[Result]) -> bool:
    """Return whether what is seen again shows more than that nothing answers."""
    if first.why is not None and first.why.kind in NOT_THERE:
        return False
    answered = any(entry.direction == "received" for entry in first.entries)
    checks = (one for one in results if not one.by_monitor)
    return answered or any(one.verdict in DECIDED for one in checks)


def _why_first(cause: Cause) -> str:
    """Return why a cause is to be mended first, with what else it explains."""
    more = len(cause.resting) + len(cause.untried)
    if len(cause.clauses) > 1:
        return "mend what stands first above; "
    if more and cause.clauses:
        return f"mend {cause.clauses[0]}, on which {more_rest(more)}; "
    return ""


def _can_be_kept(first: Result | None, results: Sequence[Result]) -> bool:
    """Tell whether a gate would be green; a warning is no reason against it."""
    if first is None:
        return any(result.verdict in DECIDED for result in results)
    return is_conformant(results)


def _see_again(
    why: str,
    result: Result,
    results: Sequence[Result],
    guide: Guide,
    layout: Layout,
) -> list[str]:
    """Say how a result is seen again, by a name that can be selected.

    What a monitor saw in a check that was not testable has no name: the check alone
    shows nothing of it.
    """
    name = result.first_in if result.by_monitor else result.id
    if result.by_monitor:
        hidden = [one.id for one in results if one.verdict is Verdict.NOT_TESTABLE]
        name = None if name in hidden else name
    told = f"{why}see {name or 'it'} again"
    if not result.reproduce:
        return layout.told(told)
    if guide.shown_below:
        return layout.told(f"{told}, as it stands at the end")
    line = result.reproduce
    if name and len(line) > LONG_LINE and (short := guide.again(name)):
        # The line itself stands with the failure, where failures are shown.
        line = short
    if layout.columns is None:
        return [f"{told}: {line}"]
    return [*layout.told(f"{told}:"), f"  {line}"]


@dataclass(frozen=True, slots=True)
class Lacking:
    """What a subject lacks of the conformance toolset, as far as this run could tell.

    Attributes:
        checks: How many checks of the run take tools that it lacks.
        among: How many checks the run has.
        tools: The tools; none where a subject lists none.
        for_full: Whether these are all that the level full takes.
    """

    checks: int
    among: int
    tools: Sequence[str]
    for_full: bool = False


def lacking_tools(results: Sequence[Result], report: SubjectReport) -> Lacking:
    """Return what is missing; in a part of the checks, what that part has missed."""
    facts = report.facts
    if facts is None or not facts.missing_checks:
        return Lacking(0, report.ran, ())
    if not report.partial:
        missing = facts.missing_tools
        return Lacking(facts.missing_checks, report.available, missing, for_full=True)
    missed = [
        one.evidence["tools"]
        for one in results
        if one.verdict is Verdict.NOT_APPLICABLE and "tools" in one.evidence
    ]
    named = {tool for tools in missed for tool in tools}
    tools = [tool for tool in facts.missing_tools if tool in named]
    return Lacking(len(missed), report.ran, tools)


def _missing_tools(
    lacking: Lacking, word: str, protocol: str, guide: Guide, layout: Layout
) -> Iterator[str]:
    """Say what the missing tools are for, and where they are."""
    some = f"{word}: {lacking.checks} of the {count_checks(lacking.among)}"
    if lacking.for_full:
        take = f"{some}, and the level full, take"
    else:
        take = f"{some} {'takes' if lacking.checks == 1 else 'take'}"
    if lacking.tools:
        count = len(lacking.tools)
        yield from layout.told(
            f"{take} {'a tool' if count == 1 else f'{count} tools'} of the conformance "
            f"toolset that {'is' if count == 1 else 'are'} not listed:"
        )
        yield from layout.told(", ".join(lacking.tools), "  ")
    else:
        yield from layout.told(f"{take} {guide.takes}")
    if guide.toolset:
        there = guide.repository or "the repository of wireproof"
        yield from layout.told(f"to copy or to follow, in {there}:", "  ")
        for place in guide.toolset:
            yield from layout.told(place, "    ")
        yield from layout.told(
            f"what each takes and does: {explain_line('toolset', protocol)}", "  "
        )
    if lacking.tools:
        yield from layout.told(HANDED_ON, "  ")
