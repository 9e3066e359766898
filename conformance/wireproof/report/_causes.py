"""Causes: what failures have in common, worked out over all results of a run."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from wireproof.checks import Result, Verdict, worst
from wireproof.patterns import without_strings
from wireproof.report._exceptions import (
    BROKEN,
    LEAST_CHECKS,
    Raised,
    exception_of,
    exceptions_in_common,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from wireproof.checks import ClauseText, Difference

Key = tuple[str, ...]
"""What failures of one cause have in common."""

RAISED = "raised"
"""The kind of a cause that is an exception."""

_REFUSAL = re.compile(r"was answered with a failure: (?P<text>.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Cause:
    """Failures that have one reason.

    Attributes:
        results: The failures; the one that shows it best comes first.
        clauses: The clauses that they are charged to, in catalogue order; what failed
            comes before what only warned.
        raised: The exception that they share; None if they share another reason.
        under: The causes whose clauses rest on these.
        untried: The checks that could not be tried because of these clauses.
    """

    results: Sequence[Result]
    clauses: Sequence[str]
    raised: Raised | None = None
    under: Sequence[Cause] = ()
    untried: Sequence[Result] = ()

    @property
    def shown(self) -> Result:
        """The failure that shows it best."""
        return self.results[0]

    @property
    def verdict(self) -> Verdict:
        """The worst verdict of its failures."""
        return worst(one.verdict for one in self.results)

    @property
    def text(self) -> str:
        """What happened, in a sentence or two words, without a full stop."""
        if self.raised is not None:
            return self.raised.what
        ended = self.shown.ended if len(self.clauses) > 1 else None
        return ended or self.shown.reason

    @property
    def resting(self) -> Sequence[Result]:
        """The failures of the causes that rest on it."""
        return [one for cause in self.under for one in cause.results]


def explain(
    results: Sequence[Result], catalogue: Sequence[ClauseText]
) -> Sequence[Cause]:
    """Return the causes of what failed, warned or could not be tried.

    Failures with one reason are one cause. What other causes rest on comes first, and
    those stand under it; a broken MUST comes before a SHOULD. What could not be tried
    stands with the cause that prevented it, or comes last.

    Args:
        results: The results of one subject.
        catalogue: The clauses of its protocol.
    """
    place = {clause.id: number for number, clause in enumerate(catalogue)}
    below = _below(catalogue)
    causes = [
        _cause(key, found, place) for key, found in _by_key(results, place).items()
    ]
    roots: list[Cause] = []
    under: dict[int, list[Cause]] = {}
    untried = [one for one in results if one.verdict is Verdict.NOT_TESTABLE]
    hidden = Counter(one.because for one in untried)
    for cause in _ordered(causes, below, place, hidden):
        root = next((one for one in roots if _rests(cause, one, below)), None)
        if root is None:
            roots.append(cause)
        else:
            under.setdefault(id(root), []).append(cause)
    told: list[Cause] = []
    for root in roots:
        found = under.get(id(root), ())
        named = {*root.clauses, *(name for one in found for name in one.clauses)}
        kept = [one for one in untried if one.because in named]
        untried = [one for one in untried if one.because not in named]
        told.append(replace(root, under=found, untried=kept))
    groups: dict[Key, list[Result]] = {}
    for one in untried:
        groups.setdefault(one.key or (one.because or "", one.reason), []).append(one)
    last = sorted(groups.values(), key=lambda found: -len(found))
    return [*told, *(_cause((), found, place) for found in last)]


def clarity(result: Result) -> tuple[bool, bool, bool]:
    """Return what results are sorted by: first what is surely seen again by itself.

    What a monitor saw has no name of its own; a check that failed only after what was
    sent before it may not fail alone; and a line of shell shows what is sent.
    """
    return result.by_monitor, "alone" in result.evidence, is_by_suite(result)


def is_by_suite(result: Result) -> bool:
    """Return whether the line that shows a result again runs the suite."""
    try:
        words = shlex.split(result.reproduce or "")
    except ValueError:
        return False
    return bool({result.id, result.first_in} & set(words))


def reason_key(result: Result) -> Key:
    """Return what a failure has in common with others of its cause, seen alone."""
    if result.key:
        return result.key
    # What follows goes with the engine that gives no reasons but sentences.
    if refused := _REFUSAL.search(result.reason):
        return "refused", "", refused["text"]
    if result.ended is not None:
        return "ended", "", result.ended
    if result.differences:
        first = result.differences[0]
        return "", *result.clauses[:1], f"{first.where}{_demand(first)}"
    return "", *result.clauses[:1], without_strings(result.reason)


def _demand(first: Difference) -> str:
    """Return whether a success was due or a failure: one is no example of the other."""
    expected: Any = first.expected
    if isinstance(expected, dict):
        expected = cast("dict[str, Any]", expected).get("ok")
    elif not first.where.endswith("/ok"):
        return ""
    return f" {expected}" if isinstance(expected, bool) else ""


def _by_key(
    results: Sequence[Result], place: Mapping[str, int]
) -> Mapping[Key, Sequence[Result]]:
    broken = [one for one in results if one.verdict in BROKEN]
    checks = [one for one in broken if not one.by_monitor]
    logged = exceptions_in_common(results)
    at_fault = {
        name
        for name, count in Counter(map(_value, checks)).items()
        if name
        and count >= LEAST_CHECKS
        # Of one clause the reason says more.
        and len({one.clauses[0] for one in checks if _value(one) == name}) > 1
    }
    groups: dict[Key, list[Result]] = {}
    keys: dict[str, tuple[Key, Result]] = {}
    for one in checks:
        raised = exception_of(one)
        if raised is not None and raised.key in logged:
            key: Key = (RAISED, "", raised.key)
        elif (name := _value(one)) in at_fault:
            key = ("value", "", name)
        else:
            key = reason_key(one)
        groups.setdefault(key, []).append(one)
        keys[one.id] = key, one
    for one in (one for one in broken if one.by_monitor):
        key, seen = keys.get(one.first_in or "", ((), one))
        # A check that failed for the clause itself shows what the monitor saw.
        is_told = key and set(one.clauses) <= set(seen.clauses)
        groups.setdefault(key if is_told else reason_key(one), []).append(one)
    return groups


def _value(result: Result) -> str:
    """Return the one value that a check failed with; "" if it is no matter of one."""
    name = str(result.evidence.get("values", ""))
    return "" if ", " in name or name.isdecimal() else name


def _cause(key: Key, found: Sequence[Result], place: Mapping[str, int]) -> Cause:
    best_first = sorted(
        found, key=lambda one: (one.verdict is Verdict.WARNED, *clarity(one))
    )
    named = {name for one in found for name in one.clauses}
    if not key:
        named = {one.because for one in found if one.because}
    failed = {
        name for one in found if one.verdict is Verdict.FAILED for name in one.clauses
    }
    clauses = sorted(
        named, key=lambda name: (name not in failed, place.get(name, len(place)))
    )
    raised = exception_of(best_first[0]) if key[:1] == (RAISED,) else None
    return Cause(best_first, clauses, raised)


def _below(catalogue: Sequence[ClauseText]) -> Mapping[str, Collection[str]]:
    """Return all clauses that each clause rests on, near and far."""
    near = {clause.id: clause.rests_on for clause in catalogue}

    def all_below(name: str) -> Iterator[str]:
        for other in near.get(name, ()):
            yield other
            yield from all_below(other)

    return {name: {*all_below(name)} for name in near}


def _rests(cause: Cause, root: Cause, below: Mapping[str, Collection[str]]) -> bool:
    if cause.verdict is Verdict.FAILED and root.verdict is not Verdict.FAILED:
        return False
    return bool(cause.clauses) and all(
        any(other in root.clauses for other in below.get(name, ()))
        for name in cause.clauses
    )


def _ordered(
    causes: Sequence[Cause],
    below: Mapping[str, Collection[str]],
    place: Mapping[str, int],
    hidden: Mapping[str | None, int],
) -> Sequence[Cause]:
    """Return causes in the order in which they are told; those of a clause together.

    Args:
        causes: The causes.
        below: The clauses that each clause rests on.
        place: The place of each clause in the catalogue.
        hidden: How many checks could not be tried because of a clause.
    """

    def rank(cause: Cause) -> tuple[bool, int, int, int]:
        depth = min((len(below.get(one, ())) for one in cause.clauses), default=0)
        first = place.get(next(iter(cause.clauses), ""), len(place))
        is_mild = cause.verdict is not Verdict.FAILED
        count = len(cause.results) + sum(hidden[name] for name in cause.clauses)
        return is_mild, depth, -count, first

    of_clauses: dict[tuple[str, ...], tuple[bool, int, int, int]] = {}
    for cause in causes:
        named = tuple(cause.clauses)
        of_clauses[named] = min(of_clauses.get(named, rank(cause)), rank(cause))
    return sorted(
        causes,
        key=lambda one: (of_clauses[tuple(one.clauses)], one.clauses, rank(one)),
    )
