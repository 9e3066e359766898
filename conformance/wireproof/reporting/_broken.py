"""What is broken, by cause and by clause, as the end of a run tells it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from wireproof.checks import (
    LEVELS,
    Level,
    Result,
    Verdict,
    clause_verdicts,
    explain_line,
)
from wireproof.patterns import without_strings
from wireproof.reporting._again import clarity
from wireproof.reporting._causes import BROKEN
from wireproof.reporting._display import (
    clause_lines,
    count_checks,
    evidence_lines,
    seen_when,
)
from wireproof.reporting._exceptions import exception_of
from wireproof.reporting._mending import first_to_mend

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wireproof.checks import ClauseText, Difference
    from wireproof.reporting._causes import CommonEnd
    from wireproof.reporting._exceptions import SharedException, Traces
    from wireproof.reporting._layout import Layout

SHOWN_CAUSES = 4
"""Ways in which a clause was broken that are shown; the others are counted."""

SHOWN_CHECKS = 2
"""Checks that are named for each of them; the others are counted."""

SHOWN_RAISED = 3
"""Exceptions that are named of checks that are counted."""

SHOWN_CLAUSE = 200
"""Characters from which on a clause that is one of many is cut after a sentence."""

_SENTENCE_END = re.compile(r"\.(?=\s+[A-Z`\[(]|\Z)")

_REFERENCE = re.compile(r"\babove\b|\bas in [A-Z0-9]+-[A-Z]\d")
"""What a clause says that does not stand without what follows its sentences."""

REST = (
    "to see each check that is only counted here: run again with -v, "
    "or with --compat-report=report.json"
)
"""How the checks are listed that were only counted."""


WITHOUT_QUIET = "what was sent and came where it warns: the same without -q"
"""How a quiet run is told what a warning comes of, which is in no failure."""


def common_lines(
    common: CommonEnd,
    clauses: Mapping[str, ClauseText],
    layout: Layout,
    traces: Traces,
    *,
    is_first: bool = True,
) -> Iterator[str]:
    """Tell the end that many checks met, with what shows it.

    Args:
        common: The end.
        clauses: The catalogue.
        layout: How lines are laid out.
        traces: Where stack traces stand that are shown already.
        is_first: Whether nothing comes before it that is to be mended.
    """
    yield ""
    hit = count_checks(len(common.results))
    hidden = [one for one in common.results if one.verdict is Verdict.NOT_TESTABLE]
    if hidden:
        hit += f", {len(hidden)} of them not testable for it"
    if is_first:
        yield from layout.told(f"first of all: {common.text}, in {hit}")
        yield from layout.told(
            "mend this before all else: what else is broken may be hidden by it", "  "
        )
    else:
        yield from layout.told(f"behind most warnings: {common.text}, in {hit}")
    yield f"  seen in {common.shown.id}:"
    yield from _shown_in(common.shown, layout, traces)
    yield from _explained(common.only, "ended in this", clauses, layout)


def exception_lines(
    shared: SharedException,
    clauses: Mapping[str, ClauseText],
    layout: Layout,
    traces: Traces,
    *,
    is_first: bool,
) -> Iterator[str]:
    """Tell an exception that many checks met, with what shows it."""
    yield ""
    begin = "first of all: " if is_first else "then: "
    yield from layout.told(layout.reason(f"{begin}{shared.raised.what}"))
    if shared.raised.where:
        yield from layout.told(layout.reason(shared.raised.where), "  ")
    raised = count_checks(len(shared.results))
    seen = f"seen {shared.told} in {raised}"
    if shared.raised.where:
        seen += " that did not pass, and in none that did"
    yield from layout.told(seen, "  ")
    if shared.otherwise:
        of_them = f"{len(shared.otherwise)} of them in other words, such as"
        told = layout.reason(f"{of_them}: {shared.otherwise[0]}")
        yield from layout.told(told, "  ")
    yield f"  seen in {shared.shown.id}:"
    yield from _shown_in(shared.shown, layout, traces)
    yield from _explained(shared.only, "show it", clauses, layout)


def _shown_in(result: Result, layout: Layout, traces: Traces) -> Iterator[str]:
    """Tell what shows a cause; the line that shows it again is told at the end."""
    yield from _evidence(replace(result, reproduce=None), layout, traces)


def _evidence(result: Result, layout: Layout, traces: Traces) -> Iterator[str]:
    traced = traces.before(result)
    yield from _indented(evidence_lines(result, layout.inside(4), traced), "    ")


def _explained(
    only: Mapping[str, Sequence[Result]],
    how: str,
    clauses: Mapping[str, ClauseText],
    layout: Layout,
) -> Iterator[str]:
    """Name the clauses of which nothing else is known than the cause that was told."""
    if only:
        every = [one.verdict for found in only.values() for one in found]
        are = "failed" if Verdict.FAILED in every else "warned"
        text = f"clauses whose {are} checks all {how}; more may be wrong behind it:"
        yield from layout.told(text, "  ")
    for name, found in only.items():
        yield from _short_clause(clauses.get(name), name, found, layout)


def _short_clause(
    clause: ClauseText | None, name: str, found: Sequence[Result], layout: Layout
) -> Iterator[str]:
    told = f" ({count_places(found)})"
    if clause is None:
        yield f"    {name}{told}"
        return
    # A MUST may be tried by checks of what it only recommends.
    level = min((one.level for one in found), key=LEVELS.index)
    text = _whole_sentences(clause.text)
    yield from layout.wrapped(f"{name} {level.upper()} {text}{told}", "    ", "      ")


def _whole_sentences(text: str) -> str:
    """Return a text, a long one up to the last end of a sentence that is near.

    One that speaks of what stands behind its sentences is not cut.
    """
    ends = [found.end() for found in _SENTENCE_END.finditer(text)]
    if len(text) <= SHOWN_CLAUSE or not ends or _REFERENCE.search(text):
        return text
    near = [end for end in ends if end <= SHOWN_CLAUSE]
    return text[: near[-1] if near else ends[0]]


def broken_clauses(
    results: Sequence[Result],
    clauses: Mapping[str, ClauseText],
    common: CommonEnd | None,
    shared: Sequence[SharedException],
    layout: Layout,
    traces: Traces,
    later: CommonEnd | None = None,
) -> Iterator[str]:
    """Tell each broken clause with the ways in which it was broken; MUSTs first.

    Args:
        results: All that was found.
        clauses: The catalogue.
        common: The end that hides the rest, or None.
        shared: Exceptions that are told already, with the clauses that they explain.
        layout: How lines are laid out, and whether all checks are named.
        traces: Where stack traces stand that are shown already.
        later: The end that many checks met, where it is told after what failed.
    """
    told: set[str] = set(common.only if common else ())
    told.update(name for one in shared for name in one.only)
    told.update(later.only if later else ())
    text = common.text if common else later.text if later else None
    counted = False
    for name, bad in broken_by_clause(results, clauses):
        if later is not None and bad[0].verdict is Verdict.WARNED:
            yield from common_lines(later, clauses, layout, traces, is_first=False)
            later = None
        if name in told:
            continue
        yield ""
        yield from clause_lines(clauses.get(name), name, bad[0], layout)
        ways = _by_way(bad, text)
        yield from _ways(ways, text, layout, traces)
        counted |= len(ways) > SHOWN_CAUSES or max(map(len, ways)) > SHOWN_CHECKS
    if counted and not layout.shows_all:
        yield ""
        yield from layout.told(REST)


def broken_in_short(
    results: Sequence[Result],
    clauses: Mapping[str, ClauseText],
    layout: Layout,
    later: CommonEnd | None = None,
) -> Iterator[str]:
    """Tell in a line or two how each clause is broken; MUSTs first.

    A check that warns is shown by no failure: of a SHOULD the first is named.

    Args:
        results: All that was found.
        clauses: The catalogue.
        layout: How lines are laid out.
        later: The end that is behind most warnings, if there is one.
    """
    found = list(broken_by_clause(results, clauses))
    for name, bad in found:
        count = f"{bad[0].verdict} in {count_places(bad)}"
        if bad[0].verdict is Verdict.WARNED and not bad[0].by_monitor:
            count += f", as {bad[0].id}"
        told = f"{name} {bad[0].level.upper()} {count}: {layout.reason(bad[0].reason)}"
        yield from layout.wrapped(told)
    if later is not None:
        yield from _later_in_short(later, layout)
    if found:
        first, _ = found[0]
        yield from layout.told(f"what a clause asks for: {explain_line(first)}")
    if any(bad[0].verdict is Verdict.WARNED for _, bad in found):
        yield from layout.told(WITHOUT_QUIET)


def _later_in_short(later: CommonEnd, layout: Layout) -> Iterator[str]:
    told = f"behind most warnings: {later.text}, in {count_checks(len(later.results))}"
    if (raised := exception_of(later.shown)) is not None:
        place = f" ({raised.where})" if raised.where else ""
        told += f"; on its stderr: {layout.reason(raised.what + place)}"
    yield from layout.wrapped(told)


def broken_by_clause(
    results: Sequence[Result], clauses: Mapping[str, ClauseText]
) -> Iterator[tuple[str, list[Result]]]:
    """Yield the broken clauses, what failed before what only warns.

    That which is to be mended first stands first among its like.
    """
    first = first_to_mend(results)
    levels: dict[str, Level] = {clause.id: clause.level for clause in clauses.values()}
    for verdict in BROKEN:
        told = clause_verdicts(results, levels)
        if first is not None and first.verdict is verdict:
            told.sort(key=lambda clause: clause.id not in first.clauses)
        for clause in told:
            bad = [
                result
                for result in results
                if clause.id in result.clauses and result.verdict is verdict
            ]
            if bad:
                yield clause.id, bad


def _by_way(bad: Sequence[Result], common: str | None) -> list[list[Result]]:
    """Sort results by the way; what a monitor saw goes with the check that says so."""
    by_way: dict[str, list[Result]] = {}
    of_reason: dict[str, str] = {}
    for result in sorted(bad, key=lambda one: one.by_monitor):
        way = way_of(result, common)
        if result.by_monitor:
            told = (one for one in of_reason if result.reason in one)
            way = of_reason.get(next(told, ""), way)
        of_reason.setdefault(result.reason, way)
        by_way.setdefault(way, []).append(result)
    return [sorted(found, key=clarity) for found in by_way.values()]


def _ways(
    ways: Sequence[Sequence[Result]],
    common: str | None,
    layout: Layout,
    traces: Traces,
) -> Iterator[str]:
    """Tell in which ways a clause was broken, with what shows them.

    What shows the common end is told with that. A failure has its own place above.
    """
    most = len(ways) if layout.shows_all else SHOWN_CAUSES
    is_shown = False
    for found in ways[:most]:
        # Checks that met the common end each word it in their own way.
        ended = common if found[0].ended == common else None
        text = found[0].reason if ended is None else ended
        count = "" if len(found) == 1 else f" in {count_places(found)}"
        if ended is None and len({one.reason for one in found}) > 1:
            count += ", such as"
        told = f"{found[0].verdict}{count}: {layout.reason(text)}"
        yield from layout.told(told, "  ")
        yield from layout.told(_names(found, layout), "    ")
        if ended is None and not (is_shown and _is_told(found[0], traces)):
            yield from _shown_way(found, layout, traces)
            is_shown = True
    if rest := [one for found in ways[most:] for one in found]:
        yield f"  and {count_places(rest)} more in other ways"


def _is_told(result: Result, traces: Traces) -> bool:
    """Tell whether a trace that is shown already says what is wrong."""
    raised = exception_of(result)
    return raised is not None and raised.key in traces.shown


def _shown_way(
    found: Sequence[Result], layout: Layout, traces: Traces
) -> Iterator[str]:
    """Tell what shows a way: a failure has its own place above, a warning none."""
    shown = found[0]
    if shown.verdict is Verdict.WARNED:
        if len(found) > 1:
            yield f"    as in {shown.id}:"
        yield from _evidence(shown, layout, traces)
        yield from _also_raised(found[1:], layout, traces)
    elif shown.by_monitor:
        yield from _shown_in(shown, layout, traces)


def _also_raised(
    found: Sequence[Result], layout: Layout, traces: Traces
) -> Iterator[str]:
    """Name the exceptions of checks that are only counted, but for those shown."""
    others: dict[str, str] = {}
    for one in found:
        raised = exception_of(one)
        if raised is not None and raised.key not in traces.shown:
            place = f" ({raised.where})" if raised.where else ""
            text = f"in {one.id} it is {raised.what}{place}"
            others.setdefault(raised.key, text)
    for text in [*others.values()][:SHOWN_RAISED]:
        yield from layout.told(layout.reason(text), "    ")


def way_of(result: Result, common: str | None = None) -> str:
    """Return in which way a check failed: how the subject ended, or what differed."""
    if result.ended is not None and result.ended == common:
        return result.ended
    if result.differences and result.ended is None:
        first = result.differences[0]
        return f"{first.where}{_demand(first)}"
    # What it shows of one check alone makes no other way of it.
    return without_strings(result.reason)


def _demand(first: Difference) -> str:
    """Return whether a success was due or a failure: one is no example of the other."""
    expected: Any = first.expected
    if isinstance(expected, dict):
        expected = cast("dict[str, Any]", expected).get("ok")
    elif not first.where.endswith("/ok"):
        return ""
    return f" {expected}" if isinstance(expected, bool) else ""


def count_places(found: Sequence[Result]) -> str:
    """Count checks, and monitors beside them."""
    monitors = sum(one.by_monitor for one in found)
    checks = len(found) - monitors
    told = [count_checks(checks)] if checks else []
    if monitors:
        told.append("a monitor" if monitors == 1 else f"{monitors} monitors")
    return " and ".join(told)


def _names(found: Sequence[Result], layout: Layout) -> str:
    """Name the checks, and the one during which a monitor first saw it."""
    checks = [one.id for one in found if not one.by_monitor]
    most = len(checks) if layout.shows_all else SHOWN_CHECKS
    rest = len(checks) - most
    named = checks[:most]
    told = ", ".join(named) + (f" and {rest} more" if rest > 0 else "")
    seen = [_seen(one, named) for one in found if one.by_monitor]
    return "; ".join([told, *seen] if told else seen)


def _seen(result: Result, named: Sequence[str]) -> str:
    """Say when a monitor saw it, beside the checks that are named."""
    when = f"first in {result.first_in}" if result.first_in else seen_when(result)
    if named == [result.first_in]:
        when = "there first"
    return f"{'also ' if named else ''}seen by a monitor, {when}"


def _indented(lines: Sequence[str], indent: str) -> Iterator[str]:
    for line in lines:
        yield f"{indent}{line}" if line else ""
