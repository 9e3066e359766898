"""What is broken, by its causes, as the end of a run tells it."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from wireproof.checks import LEVELS, Result, Verdict, explain_line
from wireproof.report import exception_of
from wireproof.reporting._display import (
    clause_lines,
    count_checks,
    evidence_lines,
    more_rest,
    seen_when,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wireproof.checks import ClauseText
    from wireproof.report import Cause, Traces
    from wireproof.reporting._layout import Layout

SHOWN_CAUSES = 4
"""Causes of one clause that are shown; the others are counted."""

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

_UNTRIED = Verdict.NOT_TESTABLE


def cause_lines(
    causes: Sequence[Cause],
    clauses: Mapping[str, ClauseText],
    layout: Layout,
    traces: Traces,
) -> Iterator[str]:
    """Tell each cause with what shows it; those of one clause below its text.

    Args:
        causes: The causes.
        clauses: The catalogue.
        layout: How lines are laid out, and whether all checks are named.
        traces: Where stack traces stand that are shown already.
    """
    counted = False
    is_first = len(causes) > 1
    for named, group in groupby(causes, key=lambda one: tuple(one.clauses)):
        found = list(group)
        yield ""
        if len(named) == 1 and found[0].verdict is not _UNTRIED:
            shown = found[0].shown
            yield from clause_lines(clauses.get(named[0]), named[0], shown, layout)
            yield from _of_one_clause(found, layout, traces)
        else:
            for one in found:
                begin = "first of all: " if is_first and len(named) > 1 else ""
                yield from _of_several(one, clauses, layout, traces, begin)
        is_first = False
        counted |= len(found) > SHOWN_CAUSES
        counted |= any(len(one.results) > SHOWN_CHECKS for one in found)
    if counted and not layout.shows_all:
        yield ""
        yield from layout.told(REST)


def causes_in_short(
    causes: Sequence[Cause], clauses: Mapping[str, ClauseText], layout: Layout
) -> Iterator[str]:
    """Tell each cause in a line or two.

    A check that warns is shown by no failure: of a SHOULD the first is named.
    """
    for cause in causes:
        yield from layout.wrapped(_in_short(cause, layout))
    broken = [one for one in causes if one.verdict is not _UNTRIED]
    if broken and broken[0].clauses:
        line = explain_line(broken[0].clauses[0])
        yield from layout.told(f"what a clause asks for: {line}")
    if any(one.verdict is Verdict.WARNED for one in broken):
        yield from layout.told(WITHOUT_QUIET)


def _in_short(cause: Cause, layout: Layout) -> str:
    first = cause.shown
    count = f"{cause.verdict} in {count_places(cause.results)}"
    if cause.verdict is Verdict.WARNED and not first.by_monitor:
        count += f", as {first.id}"
    if cause.resting:
        count += f"; {more_rest(len(cause.resting))} on it"
    if len(cause.clauses) == 1 and cause.verdict is not _UNTRIED:
        name = f"{cause.clauses[0]} {first.level.upper()}"
    else:
        name = _several(cause.clauses)
    text = layout.reason(cause.text)
    if cause.raised is not None and cause.raised.where:
        text += layout.reason(f" ({cause.raised.where})")
    return f"{f'{name} ' if name else ''}{count}: {text}"


def _several(clauses: Sequence[str]) -> str:
    """Name clauses; of many the first."""
    shown = ", ".join(clauses[:SHOWN_CHECKS])
    rest = len(clauses) - SHOWN_CHECKS
    return f"{shown} and {rest} more" if rest > 0 else shown


def _of_one_clause(
    causes: Sequence[Cause], layout: Layout, traces: Traces
) -> Iterator[str]:
    most = len(causes) if layout.shows_all else SHOWN_CAUSES
    is_shown = False
    for cause in causes[:most]:
        found = cause.results
        count = "" if len(found) == 1 else f" in {count_places(found)}"
        if len({one.reason for one in found}) > 1 and cause.raised is None:
            count += ", such as"
        told = f"{cause.verdict}{count}: {layout.reason(cause.text)}"
        yield from layout.told(told, "  ")
        yield from _raised(cause, layout, "    ")
        yield from layout.told(_names(found, layout), "    ")
        if not (is_shown and _is_told(found[0], traces)):
            yield from _shown_way(found, layout, traces)
            is_shown = True
        yield from _beside(cause, layout)
    if rest := [one for cause in causes[most:] for one in cause.results]:
        yield f"  and {count_places(rest)} more for other reasons"


def _of_several(
    cause: Cause,
    clauses: Mapping[str, ClauseText],
    layout: Layout,
    traces: Traces,
    begin: str,
) -> Iterator[str]:
    """Tell a cause that broke several clauses, or that none is named for."""
    count = count_places(cause.results)
    if cause.verdict is _UNTRIED:
        text = layout.reason(cause.text)
        # A reason that has the clause that prevented it begins so itself.
        told = text if cause.shown.because else f"{_UNTRIED}: {text}"
        yield from layout.told(f"{count} {told}")
        if layout.verbosity >= 0 and not cause.shown.by_monitor:
            yield f"  as in {cause.shown.id}"
        return
    told = f"{begin}{layout.reason(cause.text)}: {cause.verdict} in {count}"
    yield from layout.told(told)
    yield from _raised(cause, layout, "  ")
    if cause.shown.by_monitor:
        yield from layout.told(_names(cause.results, layout), "  ")
    else:
        yield f"  seen in {cause.shown.id}:"
    yield from _shown_in(cause.shown, layout, traces)
    yield from layout.told("what it broke; more may be wrong behind it:", "  ")
    for name in cause.clauses:
        found = [one for one in cause.results if name in one.clauses]
        yield from _short_clause(clauses.get(name), name, found, layout)
    yield from _beside(cause, layout)


def _raised(cause: Cause, layout: Layout, indent: str) -> Iterator[str]:
    """Say where an exception was raised, and in what other words."""
    if (raised := cause.raised) is None:
        return
    if raised.where:
        yield from layout.told(layout.reason(raised.where), indent)
    checks = [one for one in cause.results if not one.by_monitor]
    yield from layout.told(
        f"on its stderr in {count_checks(len(checks))}, and in none that passed", indent
    )
    others = [found.what for one in checks if (found := exception_of(one)) is not None]
    others = [one for one in others if one != raised.what]
    if others:
        told = layout.reason(f"{len(others)} in other words, such as: {others[0]}")
        yield from layout.told(told, indent)


def _beside(cause: Cause, layout: Layout) -> Iterator[str]:
    """Tell what rests on the clauses of a cause, and what could not be tried."""
    named = _several(cause.clauses)
    if cause.under:
        rest = more_rest(len(cause.resting))
        yield from layout.told(f"{rest} on {named}; mend this first:", "  ")
    for one in cause.under:
        yield from layout.wrapped(_in_short(one, layout), "    ", "      ")
    if cause.untried:
        count = count_places(cause.untried)
        yield from layout.told(f"not testable because of {named}: {count}", "  ")


def _shown_in(result: Result, layout: Layout, traces: Traces) -> Iterator[str]:
    """Tell what shows a cause; the line that shows it again is told at the end."""
    yield from _evidence(replace(result, reproduce=None), layout, traces)


def _evidence(result: Result, layout: Layout, traces: Traces) -> Iterator[str]:
    traced = traces.before(result)
    yield from _indented(evidence_lines(result, layout.inside(4), traced), "    ")


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
