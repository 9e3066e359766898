"""What is broken, by cause: the end of the subject that hides the rest; clauses."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wireproof.checks import LEVELS, Level, Result, Verdict, clause_verdicts
from wireproof.reporting._display import (
    WIDTH,
    clause_lines,
    evidence_lines,
    safe_line,
    seen_when,
)
from wireproof.reporting._exceptions import SharedException, shared_exceptions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wireproof.checks import ClauseText

SHOWN_CAUSES = 4
"""Ways in which a clause was broken that are shown; the others are counted."""

SHOWN_CHECKS = 2
"""Checks that are named for each of them; the others are counted."""

SHOWN_TEXT = 300
"""Characters of a reason."""

SHOWN_CLAUSE = 200
"""Characters from which on a clause that is one of many is cut after a sentence."""

_SENTENCE_END = re.compile(r"\.(?=\s+[A-Z`\[(]|\Z)")

_REFERENCE = re.compile(r"\babove\b|\bas in [A-Z0-9]+-[A-Z]\d")
"""What a clause says that does not stand without what follows its sentences."""

COMMON = 5
"""Checks that one end of the subject must have hit to be called the cause of most."""

REST = (
    "the checks that are only counted here: run again with -v, "
    "or with --compat-report=report.json"
)
"""How the checks are listed that were only counted."""

BROKEN = (Verdict.FAILED, Verdict.WARNED)


@dataclass(frozen=True, slots=True)
class CommonEnd:
    """How the subject ended in many checks of several clauses: one cause, told once.

    Attributes:
        text: How it ended.
        results: The checks that it hit.
        only: The broken checks of each clause of which all ended in it.
    """

    text: str
    results: Sequence[Result]
    only: Mapping[str, Sequence[Result]]

    @property
    def shown(self) -> Result:
        """The check that shows it best: one that fails on a new subject as well."""
        failed = [one for one in self.results if one.verdict in BROKEN]
        return shows_best(failed or self.results)


def shows_best(results: Sequence[Result]) -> Result:
    """Return what is most surely seen again by itself: a check if there is one.

    A check that failed only after what was sent before it may not fail alone.
    """
    return min(results, key=lambda one: (one.by_monitor, "alone" in one.evidence))


def common_end(results: Sequence[Result]) -> CommonEnd | None:
    """Return how the subject ended in many checks of several clauses, if it did.

    A check that a deviation of another clause hides counts too where the subject ended
    in it: noise on stdout makes an end no rarer.
    """
    checks = [one for one in results if not one.by_monitor]
    ends = Counter(one.ended for one in checks if one.ended)
    if not ends:
        return None
    text, count = ends.most_common(1)[0]
    hit = [one for one in checks if one.ended == text]
    if count < COMMON or len({one.clauses for one in hit}) < 2:  # noqa: PLR2004
        return None
    broken = [one for one in results if one.verdict in BROKEN]
    by_clause: dict[str, list[Result]] = {}
    for one in broken:
        for clause in one.clauses:
            by_clause.setdefault(clause, []).append(one)
    # A monitor that says what a check says has seen the same end.
    told = {one.reason for one in hit}
    apart = [one for one in broken if one.ended != text]
    apart = [one for one in apart if not (one.by_monitor and one.reason in told)]
    other = {clause for one in apart for clause in one.clauses}
    only = {name: found for name, found in by_clause.items() if name not in other}
    return CommonEnd(text, hit, only)


def causes(
    results: Sequence[Result],
) -> tuple[CommonEnd | None, Sequence[SharedException]]:
    """Return what hides the rest: how the subject ended, and exceptions on its stderr.

    Where one is told by the other, only that one is returned which says more.
    """
    common, shared = common_end(results), shared_exceptions(results)
    if common is None or not shared:
        return common, shared
    ended = {one.id for one in common.results}
    raised = {one.id for one in shared[0].results}
    if ended == raised:
        return common, shared[1:]
    if 2 * len(ended & raised) > len(ended):
        return None, shared
    return common, shared


def common_lines(common: CommonEnd, clauses: Mapping[str, ClauseText]) -> Iterator[str]:
    """Tell the end that many checks met, with what shows it."""
    yield ""
    hit = count_checks(len(common.results))
    yield f"first of all: {safe_line(common.text)}, in {hit}"
    yield "  mend this before all else: what else is broken may be hidden by it"
    yield f"  seen in {common.shown.id}:"
    # The line that shows it again is told at the end, as the first thing to do.
    shown = replace(common.shown, reproduce=None)
    yield from _indented(evidence_lines(shown), "    ")
    if common.only:
        yield "  clauses whose failed checks all ended in this; not tried past it:"
        for name, found in common.only.items():
            yield from _short_clause(clauses.get(name), name, found)


def exception_lines(
    shared: SharedException, clauses: Mapping[str, ClauseText], *, is_first: bool
) -> Iterator[str]:
    """Tell an exception that many checks met, with what shows it."""
    yield ""
    begin = "first of all: " if is_first else "then: "
    yield f"{begin}{safe_line(shared.raised.what)[:SHOWN_TEXT]}"
    if shared.raised.where:
        yield f"  {safe_line(shared.raised.where)[:SHOWN_TEXT]}"
    failed = count_checks(len(shared.results))
    yield f"  stands on its stderr in {failed} that failed, and in none that passed"
    yield f"  seen in {shared.shown.id}:"
    shown = replace(shared.shown, reproduce=None)
    yield from _indented(evidence_lines(shown), "    ")
    if shared.only:
        yield "  clauses whose failed checks all show it; not tried past it:"
        for name, found in shared.only.items():
            yield from _short_clause(clauses.get(name), name, found)


def _short_clause(
    clause: ClauseText | None, name: str, found: Sequence[Result]
) -> Iterator[str]:
    told = f" ({count_places(found)})"
    if clause is None:
        yield f"    {name}{told}"
        return
    # A MUST may be tried by checks of what it only recommends.
    level = min((one.level for one in found), key=LEVELS.index)
    text = _whole_sentences(clause.text)
    yield from textwrap.wrap(
        f"{name} {level.upper()} {safe_line(text)}{told}",
        WIDTH,
        initial_indent="    ",
        subsequent_indent="      ",
    )


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
    shared: Sequence[SharedException] = (),
) -> Iterator[str]:
    """Tell each broken clause with the ways in which it was broken; MUSTs first.

    Args:
        results: All that was found.
        clauses: The catalogue.
        common: The end that hides the rest, or None.
        shared: Exceptions that are told already, with the clauses that they explain.
    """
    levels: dict[str, Level] = {clause.id: clause.level for clause in clauses.values()}
    told: set[str] = set(common.only if common else ())
    told.update(name for one in shared for name in one.only)
    text = common.text if common else None
    counted = False
    for verdict in BROKEN:
        for clause in clause_verdicts(results, levels):
            bad = [
                result
                for result in results
                if clause.id in result.clauses and result.verdict is verdict
            ]
            if not bad or clause.id in told:
                continue
            yield ""
            yield from clause_lines(clauses.get(clause.id), clause.id, bad[0])
            ways = _by_way(bad, text)
            yield from _ways(ways, text)
            counted |= len(ways) > SHOWN_CAUSES or max(map(len, ways)) > SHOWN_CHECKS
    if counted:
        yield ""
        yield REST


def _by_way(bad: Sequence[Result], common: str | None) -> list[list[Result]]:
    """Sort results by the way; what a monitor saw goes with the check that says so."""
    by_way: dict[str, list[Result]] = {}
    of_reason: dict[str, str] = {}
    for result in sorted(bad, key=lambda one: one.by_monitor):
        way = way_of(result, common)
        if result.by_monitor:
            way = of_reason.get(result.reason, way)
        of_reason.setdefault(result.reason, way)
        by_way.setdefault(way, []).append(result)
    return list(by_way.values())


def _ways(ways: Sequence[Sequence[Result]], common: str | None) -> Iterator[str]:
    """Tell in which ways a clause was broken."""
    for found in ways[:SHOWN_CAUSES]:
        # Checks that met the common end each word it in their own way.
        ended = common if found[0].ended == common else None
        text = safe_line(found[0].reason if ended is None else ended)[:SHOWN_TEXT]
        count = "" if len(found) == 1 else f" in {count_places(found)}"
        if ended is None and len({one.reason for one in found}) > 1:
            count += ", such as"
        yield f"  {found[0].verdict}{count}: {text}"
        yield f"    {_names(found)}"
    if rest := [one for found in ways[SHOWN_CAUSES:] for one in found]:
        yield f"  and {count_places(rest)} more in other ways"
    # A failure is shown whole above; a warning has no other place than this.
    shown = ways[0][0]
    if common is not None and shown.ended == common:
        return
    if shown.verdict is Verdict.WARNED:
        yield from _indented(evidence_lines(shown), "    ")
    elif shown.by_monitor:
        yield from _indented(evidence_lines(replace(shown, reproduce=None)), "    ")


def way_of(result: Result, common: str | None = None) -> str:
    """Return in which way a check failed: how the subject ended, or what differed."""
    if result.ended is not None and result.ended == common:
        return result.ended
    if result.differences and result.ended is None:
        return result.differences[0].where
    return result.reason


def count_places(found: Sequence[Result]) -> str:
    """Count checks, and monitors beside them."""
    monitors = sum(one.by_monitor for one in found)
    checks = len(found) - monitors
    told = [count_checks(checks)] if checks else []
    if monitors:
        told.append("a monitor" if monitors == 1 else f"{monitors} monitors")
    return " and ".join(told)


def count_checks(count: int) -> str:
    """Return a number of checks in words."""
    return "1 check" if count == 1 else f"{count} checks"


def _names(found: Sequence[Result]) -> str:
    """Name the checks, and the one during which a monitor first saw it."""
    names = [_name(one) for one in found[:SHOWN_CHECKS]]
    rest = len(found) - SHOWN_CHECKS
    return ", ".join(names) + (f" and {rest} more" if rest > 0 else "")


def _name(result: Result) -> str:
    if not result.by_monitor:
        return result.id
    first_in = result.first_in
    return f"by a monitor, {f'first in {first_in}' if first_in else seen_when(result)}"


def _indented(lines: Sequence[str], indent: str) -> Iterator[str]:
    for line in lines:
        yield f"{indent}{line}" if line else ""
