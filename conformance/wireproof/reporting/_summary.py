"""The end of a run for one subject: what was found, why, and what to do next."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wireproof.checks import (
    AGAINST,
    Result,
    Verdict,
    is_conformant,
    totals,
)
from wireproof.report import BROKEN, Traces, explain
from wireproof.reporting._again import is_by_fuzzing
from wireproof.reporting._answers import answers_of
from wireproof.reporting._baseline import KNOWN, failed_clauses
from wireproof.reporting._broken import (
    cause_lines,
    causes_in_short,
    count_places,
)
from wireproof.reporting._display import circumstances, count_checks
from wireproof.reporting._layout import PLAIN, Layout
from wireproof.reporting._next_steps import Guide, lacking_tools, next_steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from wireproof.checks import SubjectFacts
    from wireproof.report import Cause
    from wireproof.reporting._report import SubjectReport

SHOWN_REASONS = 8
"""Reasons why checks were not applicable that are shown."""

SHOWN_TOOLS = 8
"""Tools of the subject's own that are named."""

LEVEL_TEXT = (
    "wire: the messages alone; full: the tools of the conformance toolset as well"
)


def summary_lines(
    report: SubjectReport, guide: Guide, layout: Layout = PLAIN
) -> Iterator[str]:
    """Yield the summary of one subject, line by line; the answers come first.

    A quiet run shows the answers, what is broken and what to do, a very quiet one the
    answers alone.
    """
    results = report.results
    clauses = {clause.id: clause for clause in report.catalogue}
    # A driver whose answers do not fit the bridge says little of its subject.
    for result in results:
        if not result.clauses:
            yield from layout.told(layout.reason(result.reason))
    yield from _answer(report, results)
    for fault in (result for result in results if not result.clauses):
        # The driver's own, which no clause has.
        yield from layout.told(fault.reason)
    if layout.verbosity < -1:
        return
    causes = explain(results, report.catalogue)
    untried = {
        one.key or one.reason for one in results if one.verdict is Verdict.NOT_TESTABLE
    }
    if all(
        one.verdict is Verdict.NOT_TESTABLE
        or (one.by_monitor and (one.key or one.reason) in untried)
        for one in results
    ):
        yield from _untried(causes, layout)
        yield from next_steps(results, report, guide, causes, layout)
        return
    if layout.verbosity < 0:
        yield from causes_in_short(causes, clauses, layout)
    else:
        yield from _totals(report, results, layout)
        yield from cause_lines(causes, clauses, layout, Traces(guide.traces))
    yield from _known(results, layout)
    if layout.shows_all:
        yield from _recorded(results, layout)
    if layout.verbosity >= 0:
        yield from _left_out(results, layout)
        yield from _not_called(report, guide, layout)
        yield from _starts(report.facts, layout)
    yield from next_steps(results, report, guide, causes, layout)


def _answer(report: SubjectReport, results: Sequence[Result]) -> Iterator[str]:
    """Yield a line for each profile; a part of the checks shows no conformance."""
    part = f", {report.ran} of {report.available} checks" if report.partial else ""
    *others, last = (
        f"conforms to the {one.profile}: {one.text} (level {report.level_text}{part})"
        for one in answers_of(report)
    )
    yield from others
    warned = [one for one in results if one.verdict is Verdict.WARNED]
    if warned and is_conformant(results):
        last += f"; warned in {count_places(warned)}"
        if hidden := sum(one.because is not None for one in results):
            last += f"; {count_checks(hidden)} could not be tried because of it"
    yield last


def _untried(causes: Sequence[Cause], layout: Layout) -> Iterator[str]:
    """Tell why nothing could be tried: the cause alone, not how much it hides."""
    groups = [[one for one in cause.results if not one.by_monitor] for cause in causes]
    count = sum(map(len, groups))
    if not count:
        return
    none = "the check could not" if count == 1 else f"none of the {count} checks could"
    yield f"  {none} be tried"
    for place, found in enumerate(filter(None, groups)):
        several = "" if len(found) == count else f", in {count_checks(len(found))}"
        if not place or several:
            yield ""
            yield from layout.told(f"{layout.reason(found[0].reason)}{several}")
        if not place and layout.verbosity >= 0:
            yield from circumstances(replace(found[0], reproduce=None), layout)
    yield ""


def _totals(
    report: SubjectReport, results: Sequence[Result], layout: Layout
) -> Iterator[str]:
    """Count the verdicts of checks and monitors, by level."""
    checks = [one for one in results if not one.by_monitor]
    monitors = [one for one in results if one.by_monitor]
    fuzz = sum(map(is_by_fuzzing, checks))
    by_fuzzing = f", {fuzz} of them by fuzzing" if fuzz else ""
    yield f"  {count_checks(len(checks))}{by_fuzzing}"
    yield from _counts(checks)
    yield from _seen_in_them(checks)
    if monitors:
        yield from layout.told(
            f"{_watched(monitors)} in the frames of all checks", "  "
        )
        yield from _counts(monitors)
    if lacking_tools(results, report).checks:
        yield from layout.told(LEVEL_TEXT, "  ")


def _seen_in_them(checks: Sequence[Result]) -> Iterator[str]:
    """Count the checks that hold by what they are about, but for a monitor."""
    told = {*AGAINST, Verdict.KNOWN_FAILURE}
    seen = [one for one in checks if one.monitors and one.verdict not in told]
    failed = sum(any(d.level == "must" for d in one.monitors) for one in seen)
    counts = ((failed, "failed"), (len(seen) - failed, "warned"))
    told_so = [f"{count} {verdict}" for count, verdict in counts if count]
    if told_so:
        counted = "it is" if len(seen) == 1 else "they are"
        yield (
            f"    of these, {' and '.join(told_so)} for what a monitor saw alone; "
            f"{counted} counted by what the check tries"
        )


def _watched(monitors: Sequence[Result]) -> str:
    """Count clauses: more than are watched may be seen broken by the way."""
    count = len(monitors)
    clauses = "1 clause" if count == 1 else f"{count} clauses"
    seen = any(one.verdict in BROKEN for one in monitors)
    return f"{clauses} that monitors watched{', or saw broken,' if seen else ''}"


def _counts(results: Sequence[Result]) -> Iterator[str]:
    for name, counts in totals(results).items():
        if counts:
            shown = [
                f"{counts[v.value]} {v.value}" for v in Verdict if v.value in counts
            ]
            yield f"    {name:<6} {', '.join(shown)}"


def _known(results: Sequence[Result], layout: Layout) -> Iterator[str]:
    """Tell the known failures, by clause and reason."""
    known = [one for one in results if one.verdict is Verdict.KNOWN_FAILURE]
    groups = _grouped(
        known,
        lambda one: f"{', '.join(sorted(failed_clauses(one)))}: {_why(one)}",
    )
    if groups:
        yield ""
    for told, found in groups:
        text = f"known failure: {layout.reason(told)}: {count_places(found)}"
        yield from layout.told(text)


def _recorded(results: Sequence[Result], layout: Layout) -> Iterator[str]:
    """Tell what the subject does where clauses leave it open."""
    recorded = [one for one in results if one.verdict is Verdict.RECORDED]
    if recorded:
        yield ""
        yield "recorded, of what clauses leave open (MAY):"
    for one in recorded:
        done = one.reason or "as the clause allows"
        told = f"{', '.join(one.clauses)} {one.id}: {layout.reason(done)}"
        yield from layout.told(told, "  ")


def _why(result: Result) -> str:
    entry = result.evidence[KNOWN]
    until = f"until {entry['expires']}" if "expires" in entry else ""
    beside = ", ".join(part for part in (entry.get("issue", ""), until) if part)
    return f"{entry['reason']} ({beside})" if beside else entry["reason"]


# --- what was not tried


def _grouped(
    results: Sequence[Result], key: Callable[[Result], str | None]
) -> list[tuple[str, list[Result]]]:
    """Sort results by a key, the checks and the largest group first; None has none."""
    groups: dict[str, list[Result]] = {}
    for one in sorted(results, key=lambda one: one.by_monitor):
        if (name := key(one)) is not None:
            groups.setdefault(name, []).append(one)
    return sorted(groups.items(), key=lambda group: -len(group[1]))


def _left_out(results: Sequence[Result], layout: Layout) -> Iterator[str]:
    """Say what the subject does not offer, its tools aside, which are told last."""
    left_out = [
        one
        for one in results
        if one.verdict is Verdict.NOT_APPLICABLE
        and not one.by_monitor
        and "tools" not in one.evidence
    ]
    if left_out:
        yield ""
    found = _grouped(
        left_out, lambda one: one.because or _but_its_last_word(one.reason)
    )
    for _, group in found[: _most(layout)]:
        which = f"{group[0].id} was" if len(group) == 1 else _count(len(group))
        text = f"{which} not applicable: {_why_left_out(group)}"
        yield from layout.told(layout.reason(text))
    if rest := sum(len(group) for _, group in found[_most(layout) or len(found) :]):
        yield f"{_count(rest)} not applicable for other reasons: run again with -v"


def _why_left_out(group: Sequence[Result]) -> str:
    """Tell the reason of a group: one clause, or reasons that end in other names."""
    first = group[0]
    if first.because:
        builds = "it builds" if len(group) == 1 else "they build"
        return f"{builds} on {first.because}, which does not hold and is no MUST"
    last_words = sorted({one.reason.rpartition(" ")[2] for one in group})
    return f"{_but_its_last_word(first.reason)} {', '.join(last_words)}".strip()


def _but_its_last_word(reason: str) -> str:
    """Return a reason without its last word: often the name of what is not there."""
    return reason.rpartition(" ")[0]


def _not_called(report: SubjectReport, guide: Guide, layout: Layout) -> Iterator[str]:
    """Name the subject's own tools, of which a run of all checks has tried nothing."""
    own = report.facts.own_tools if report.facts else ()
    if not own or not guide.own_tools or report.partial:
        return
    most = len(own) if layout.shows_all else SHOWN_TOOLS
    rest = f" and {len(own) - most} more" if len(own) > most else ""
    yield ""
    named = layout.reason(", ".join(own[:most]))
    yield from layout.told(f"not called: {named}{rest}: {guide.own_tools}")


def _most(layout: Layout) -> int | None:
    return None if layout.shows_all else SHOWN_REASONS


def _count(count: int) -> str:
    return "1 check was" if count == 1 else f"{count} checks were"


def _starts(facts: SubjectFacts | None, layout: Layout) -> Iterator[str]:
    if not facts or not facts.latency_ms:
        return
    yield ""
    took = f"a trivial exchange took {facts.latency_ms:.2f} ms at most"
    if not facts.starts:
        yield took
        return
    if facts.tools_started:
        took = f"it started {facts.tools_started} tools, {took}"
    times = "1 time" if facts.starts == 1 else f"{facts.starts} times"
    yield from layout.told(f"started {times}, {took}")
