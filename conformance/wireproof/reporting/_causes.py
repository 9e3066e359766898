"""What hides the rest: an end of the subject or an exception that many checks met."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wireproof.checks import Result, Verdict
from wireproof.reporting._again import shows_best
from wireproof.reporting._exceptions import (
    SharedException,
    shared_exceptions,
    shared_refusals,
    shared_values,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COMMON = 5
"""Checks that one end of the subject must have hit to be called the cause of most."""

BROKEN = (Verdict.FAILED, Verdict.WARNED)
"""Verdicts that tell of a broken clause."""


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
        """The check that shows it best: one that fails on a new subject as well.

        What is broken as a MUST comes first.
        """
        failed = [one for one in self.results if one.verdict is Verdict.FAILED]
        broken = [one for one in self.results if one.verdict in BROKEN]
        return shows_best(failed or broken or self.results)


def common_end(results: Sequence[Result]) -> CommonEnd | None:
    """Return how the subject ended in many checks of several clauses, if it did.

    What only SHOULD be otherwise does not come before a broken MUST.
    """
    found = _most_common_end(results)
    return None if found is None or _can_wait(found, results) else found


def later_end(results: Sequence[Result]) -> CommonEnd | None:
    """Return such an end where a broken MUST, which is none of it, comes before it.

    It has to be behind most warnings: each other one says best itself what it is about.
    """
    found = _most_common_end(results)
    if found is None or not _can_wait(found, results):
        return None
    warned = [one for one in results if one.verdict is Verdict.WARNED]
    warned = [one for one in warned if not one.by_monitor]
    hit = sum(one.ended == found.text for one in warned)
    return found if 2 * hit > len(warned) else None


def _can_wait(found: CommonEnd, results: Sequence[Result]) -> bool:
    failed = any(
        one.verdict is Verdict.FAILED and not one.by_monitor for one in results
    )
    verdicts = {one.verdict for one in found.results}
    return failed and Verdict.WARNED in verdicts and Verdict.FAILED not in verdicts


def _most_common_end(results: Sequence[Result]) -> CommonEnd | None:
    """Return how the subject ended in most of the checks in which it did.

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


def _fails_a_must(shared: SharedException) -> bool:
    return any(one.verdict is Verdict.FAILED for one in shared.results)


def causes(
    results: Sequence[Result],
) -> tuple[CommonEnd | None, Sequence[SharedException]]:
    """Return what hides the rest: how the subject ended, exceptions and refusals.

    Where one is told by the other, only that one is returned which says more.
    """
    common = common_end(results)
    logged = shared_exceptions(results)
    shown = {id(result) for one in logged for result in one.results}
    # What a subject logs of a failure that it answers with is told by the log.
    shared = [
        *logged,
        *(
            one
            for one in (*shared_values(results), *shared_refusals(results))
            if any(id(result) not in shown for result in one.results)
        ),
    ]
    if any(one.verdict is Verdict.FAILED for one in results):
        # What only SHOULD be otherwise does not come before a broken MUST.
        shared = [one for one in shared if _fails_a_must(one)]
    if common is not None and shared:
        # What is told of it tells of those alone that are broken.
        broken = [one for one in common.results if one.verdict in BROKEN]
        ended = {one.id for one in broken or common.results}
        raised = {one.id for one in shared[0].results}
        if ended == raised:
            return common, _largest_first(shared[1:])
        if 2 * len(ended & raised) > len(ended):
            return None, _largest_first(shared)
    return common, _largest_first(shared)


def _largest_first(shared: Sequence[SharedException]) -> list[SharedException]:
    """Return causes in the order in which they are told; at a tie a trace first."""
    return sorted(shared, key=lambda one: -len(one.results))
