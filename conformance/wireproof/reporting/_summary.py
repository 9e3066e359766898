"""The end of a run for one subject: what was found, why, and what to do next."""

from __future__ import annotations

import shlex
import textwrap
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wireproof.checks import (
    DECIDED,
    Level,
    Result,
    Verdict,
    clause_verdicts,
    decided,
    is_conformant,
    totals,
)
from wireproof.reporting._display import (
    WIDTH,
    clause_lines,
    evidence_lines,
    explain_result,
    explain_silence,
    safe_line,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wireproof.checks import ClauseText, SubjectFacts
    from wireproof.reporting._report import SubjectReport

SHOWN_CAUSES = 4
"""Ways in which a clause was broken that are shown; the others are counted."""

SHOWN_CHECKS = 2
"""Checks that are named for each of them; the others are counted."""

SHOWN_REASONS = 8
"""Reasons why checks were not applicable that are shown."""

SHOWN_TEXT = 300
"""Characters of a reason."""

COMMON = 5
"""Checks that one end of the subject must have hit to be called the cause of most."""

LEVEL_TEXT = (
    "wire: the messages alone; full: the tools of the conformance toolset as well"
)

_BROKEN = (Verdict.FAILED, Verdict.WARNED)


@dataclass(frozen=True, slots=True)
class Guide:
    """What is known beside the report of a subject.

    Attributes:
        late: What monitors saw when no check was in hand.
        option: The command-line option of the protocol, without the dashes.
    """

    late: Sequence[Result]
    option: str


def summary_lines(report: SubjectReport, guide: Guide) -> Iterator[str]:
    """Yield the summary of one subject, line by line."""
    results = report.results
    clauses = {clause.id: clause for clause in report.catalogue}
    yield from _answer(report, results)
    common = _common_cause(results)
    yield from _common_lines(common, results)
    yield from _broken_clauses(results, clauses, common)
    yield from _hidden(results)
    yield from _left_out(results)
    for result in guide.late:
        yield ""
        yield from explain_result(result, clauses).splitlines()
    yield from _starts(report.facts)
    yield from _next_steps(results, report, guide.option)


def _answer(report: SubjectReport, results: Sequence[Result]) -> Iterator[str]:
    """Say what the run comes to; a part of the checks shows no conformance."""
    level = report.facts.level if report.facts else "wire"
    checks = [one for one in results if not one.by_monitor]
    hidden = any(one.verdict is Verdict.NOT_TESTABLE for one in checks)
    if not hidden and not decided(checks):
        answer = "nothing was decided"
    elif not is_conformant(results):
        answer = "NOT conformant"
    else:
        answer = "nothing broken" if report.partial else "conformant"
    tried = f", as far as tried: {report.ran} of {report.available} checks"
    yield f"{answer} ({level}){tried if report.partial else ''}"
    for name, counts in totals(results).items():
        if counts:
            shown = [
                f"{counts[v.value]} {v.value}" for v in Verdict if v.value in counts
            ]
            yield f"  {name:<6} {', '.join(shown)}"
    if report.facts and report.facts.missing_tools:
        yield f"  {LEVEL_TEXT}"


# --- one cause of many failures


def _common_cause(results: Sequence[Result]) -> str | None:
    """Return how the subject ended in many checks of several clauses, if it did."""
    ends: Counter[str] = Counter()
    for result in results:
        if result.verdict in _BROKEN and (end := result.ended):
            ends[end] += 1
    if not ends:
        return None
    end, count = ends.most_common(1)[0]
    hit = {result.clauses for result in results if result.ended == end}
    return end if count >= COMMON and len(hit) > 1 else None


def _common_lines(common: str | None, results: Sequence[Result]) -> Iterator[str]:
    if common is None:
        return
    hit = [one for one in results if one.verdict in _BROKEN and one.ended == common]
    yield ""
    yield f"first of all: {safe_line(common)}, in {len(hit)} checks"
    yield "  mend this before all else: what else is broken may be hidden by it"
    shown = next((one for one in hit if "alone" not in one.evidence), hit[0])
    yield f"  seen in {shown.id}:"
    yield from _indented(evidence_lines(shown), "  ")
    only = _only_because_of_it(common, results)
    if only:
        told = [f"{name} in {count}" for name, count in only.items()]
        yield "  clauses that are broken by nothing but this, and in how many checks:"
        yield from textwrap.wrap(
            ", ".join(told), WIDTH, initial_indent="    ", subsequent_indent="    "
        )


def _only_because_of_it(
    common: str | None, results: Sequence[Result]
) -> dict[str, int]:
    """Count the checks of each clause that nothing but the common cause broke."""
    broken = [one for one in results if one.verdict in _BROKEN]
    counts = Counter(clause for one in broken for clause in one.clauses)
    other = {clause for one in broken if one.ended != common for clause in one.clauses}
    return {name: counts[name] for name in counts if common and name not in other}


# --- what is broken


def _broken_clauses(
    results: Sequence[Result],
    clauses: Mapping[str, ClauseText],
    common: str | None,
) -> Iterator[str]:
    """Tell each broken clause with the ways in which it was broken; MUSTs first."""
    levels: dict[str, Level] = {clause.id: clause.level for clause in clauses.values()}
    told = _only_because_of_it(common, results)
    for verdict in _BROKEN:
        for clause in clause_verdicts(results, levels):
            bad = [
                result
                for result in results
                if clause.id in result.clauses and result.verdict is verdict
            ]
            if bad and clause.id not in told:
                yield ""
                yield from clause_lines(clauses.get(clause.id), clause.id, bad[0])
                yield from _ways(bad, common)


def _ways(bad: Sequence[Result], common: str | None) -> Iterator[str]:
    by_way: dict[str, list[Result]] = {}
    for result in bad:
        by_way.setdefault(way_of(result, common), []).append(result)
    for way, found in list(by_way.items())[:SHOWN_CAUSES]:
        known = common is not None and way == common
        text = "because of it" if known else safe_line(found[0].reason)[:SHOWN_TEXT]
        count = "" if len(found) == 1 else f" in {len(found)} checks"
        if not known and len({one.reason for one in found}) > 1:
            count += ", such as"
        yield f"  {found[0].verdict}{count}: {text}"
        yield f"    {_checks(found)}"
    if len(by_way) > SHOWN_CAUSES:
        rest = sum(map(len, list(by_way.values())[SHOWN_CAUSES:]))
        yield f"  and {rest} more checks in other ways"
    # A failure is shown whole above; a warning has no other place than this.
    shown = bad[0]
    known = common is not None and shown.ended == common
    if shown.by_monitor or (shown.verdict is Verdict.WARNED and not known):
        yield from _indented(evidence_lines(shown), "    ")


def way_of(result: Result, common: str | None = None) -> str:
    """Return in which way a check failed: how the subject ended, or what differed."""
    end = result.ended
    if end is not None and end == common:
        return end
    if result.differences and end is None:
        return result.differences[0].where
    return result.reason


def _checks(found: Sequence[Result]) -> str:
    """Name the checks, the one first in which a monitor fired."""
    names = [
        f"{one.id}, first during {one.first_in}" if one.first_in else one.id
        for one in found[:SHOWN_CHECKS]
    ]
    rest = len(found) - SHOWN_CHECKS
    return ", ".join(names) + (f" and {rest} more" if rest > 0 else "")


def _indented(lines: Sequence[str], indent: str) -> Iterator[str]:
    for line in lines:
        yield f"{indent}{line}" if line else ""


# --- what was not tried


def _hidden(results: Sequence[Result]) -> Iterator[str]:
    hidden = [result for result in results if result.verdict is Verdict.NOT_TESTABLE]
    if not hidden:
        return
    failed = any(result.verdict is Verdict.FAILED for result in results)
    first = next((one for one in hidden if one.because is None), None)
    if first is None and not failed:
        first = hidden[0]
    if first is not None and not first.by_monitor:
        yield ""
        yield f"not testable: {first.id}"
        yield from explain_silence(first).splitlines()
    yield ""
    for because, count in Counter(one.because for one in hidden).most_common():
        if because is not None:
            rest = "1 check rests" if count == 1 else f"{count} checks rest"
            yield f"not testable: {rest} on {because}, which is broken"
    plain = Counter(one.reason for one in hidden if one.because is None)
    for reason, count in plain.most_common(SHOWN_REASONS):
        yield f"{_count(count)} not testable: {safe_line(reason)[:SHOWN_TEXT]}"


def _left_out(results: Sequence[Result]) -> Iterator[str]:
    """Say what the subject does not offer, its tools aside, which are told last."""
    reasons = Counter(
        result.reason
        for result in results
        if result.verdict is Verdict.NOT_APPLICABLE
        and not result.by_monitor
        and "tools" not in result.evidence
    )
    if reasons:
        yield ""
    for reason, count in reasons.most_common(SHOWN_REASONS):
        yield f"{_count(count)} not applicable: {safe_line(reason)[:SHOWN_TEXT]}"
    rest = sum(reasons.values()) - sum(
        count for _, count in reasons.most_common(SHOWN_REASONS)
    )
    if rest:
        yield f"{_count(rest)} not applicable for other reasons; the report has them"


def _count(count: int) -> str:
    return "1 check was" if count == 1 else f"{count} checks were"


def _starts(facts: SubjectFacts | None) -> Iterator[str]:
    if not facts or not facts.latency_ms:
        return
    yield ""
    took = f"a trivial exchange took {facts.latency_ms:.2f} ms at most"
    if not facts.starts:
        yield took
        return
    yield f"started {facts.starts} time{'s' if facts.starts != 1 else ''}, {took}"


# --- what to do


def _next_steps(
    results: Sequence[Result], report: SubjectReport, option: str
) -> Iterator[str]:
    """Say what to do next: what is broken comes before what is missing."""
    if any(result.verdict is Verdict.HARNESS_ERROR for result in results):
        yield "next: a fault of wireproof came up; please report the text shown above"
        return
    first = _worst(results)
    if first is not None and first.reproduce:
        yield f"next: see {first.id} again: {first.reproduce}"
    facts = report.facts
    if facts and facts.missing_checks and facts.missing_tools:
        word = "then" if first is not None else "next"
        yield from _missing_tools(facts, word)
    elif first is None and any(result.verdict in DECIDED for result in results):
        if report.partial:
            return
        flag: Any = f"--{option}={report.target}"
        quoted = shlex.quote(flag) if "'" in flag else f"'{flag}'"
        yield f"next: keep it so in CI: pytest {quoted} --compat-report=report.json"


def _worst(results: Sequence[Result]) -> Result | None:
    for verdict in (Verdict.FAILED, Verdict.NOT_TESTABLE, Verdict.WARNED):
        for result in results:
            if result.verdict is verdict:
                return result
    return None


def _missing_tools(facts: SubjectFacts, word: str) -> Iterator[str]:
    tools = len(facts.missing_tools)
    yield (
        f"{word}: {facts.missing_checks} more checks, and the level full, take "
        f"{'a tool' if tools == 1 else f'{tools} tools'} of the conformance toolset "
        f"that {'is' if tools == 1 else 'are'} not listed:"
    )
    yield f"  {', '.join(facts.missing_tools)}"
    yield (
        "  ready to copy: reference/ in the repository of wireproof (JavaScript, Go), "
        "wireproof_reference.toolset (Python)"
    )
