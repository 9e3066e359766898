"""Which check is looked at first: what hides others, else what tells most."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from wireproof.checks import DECIDED, Result, Verdict
from wireproof.reporting._again import shows_best
from wireproof.reporting._causes import BROKEN, COMMON, causes
from wireproof.reporting._display import count_checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof.reporting._causes import CommonEnd
    from wireproof.reporting._exceptions import SharedException

MUCH_LARGER = 1.5
"""How much larger the part of a clause's checks is that fails where it is the cause."""


def first_to_mend(results: Sequence[Result]) -> Result | None:
    """Return the check that is to be looked at first, or None where none is at fault.

    What keeps others from being tried comes before what fails by itself.
    """
    if any(result.verdict is Verdict.HARNESS_ERROR for result in results):
        return None
    first, why = first_with_reason(results, *causes(results))
    return first if first and (why or shows_something(first, results)) else None


def told_to_mend(results: Sequence[Result]) -> tuple[Result, str] | None:
    """Return the check to be looked at first, with why it is; None where none is."""
    result = first_to_mend(results)
    if result is None:
        return None
    common, shared = causes(results)
    if common is not None:
        return result, f"{common.text}, in {count_checks(len(common.results))}"
    if shared:
        count = count_checks(len(shared[0].results))
        return result, f"{shared[0].raised.what}, {shared[0].told} in {count}"
    hiding = most_hides(results, common, shared)
    return result, hiding[1] if hiding else result.reason


def first_with_reason(
    results: Sequence[Result],
    common: CommonEnd | None,
    shared: Sequence[SharedException],
) -> tuple[Result | None, str]:
    """Return what is to be mended first, and words for why it is."""
    if common is not None:
        return common.shown, "mend what stands first above; "
    if shared:
        return shared[0].shown, "mend what stands first above; "
    if (hiding := most_hides(results, common, shared)) is not None:
        return hiding[0], f"{hiding[1]}; "
    return _worst(results), ""


def shows_something(first: Result, results: Sequence[Result]) -> bool:
    """Tell whether what is seen again shows more than that nothing answers."""
    answered = any(entry.direction == "received" for entry in first.entries)
    checks = (one for one in results if not one.by_monitor)
    return answered or any(one.verdict in DECIDED for one in checks)


def most_hides(
    results: Sequence[Result],
    common: CommonEnd | None,
    shared: Sequence[SharedException],
) -> tuple[Result, str] | None:
    """Return what shows the clause to mend first, and words for it.

    It is the clause with most checks that it broke or that rest on it.

    Args:
        results: All that was found.
        common: The end that hides the rest, or None; its clauses are told already.
        shared: Exceptions whose clauses are told as well.
    """
    told = set(common.only if common else ())
    told.update(name for one in shared for name in one.only)
    # Where a MUST failed, what only keeps checks of a SHOULD from being tried can wait.
    failed = any(one.verdict is Verdict.FAILED for one in results)
    hidden = Counter(
        one.because
        for one in results
        if one.verdict is Verdict.NOT_TESTABLE
        and not one.by_monitor
        and (one.level == "must" or not failed)
    )
    broken: dict[str, list[Result]] = {}
    for one in results:
        if one.verdict in BROKEN:
            for clause in one.clauses:
                broken.setdefault(clause, []).append(one)
    costs = {
        clause: hidden[clause] + sum(one.verdict is Verdict.FAILED for one in found)
        for clause, found in broken.items()
        if clause not in told
    }
    if not costs or hidden.total() < COMMON:
        return None
    clause = max(costs, key=lambda one: costs[one])
    found = shows_best(broken[clause])
    if hidden[clause] >= COMMON:
        # Those of a SHOULD count where they are told.
        every = sum(
            one.because == clause and not one.by_monitor
            for one in results
            if one.verdict is Verdict.NOT_TESTABLE
        )
        return found, f"mend {clause}, on which {count_checks(every)} rest"
    if costs[clause] >= COMMON:
        return found, f"mend {clause}, broken in {count_checks(costs[clause])}"
    return None


def _worst(results: Sequence[Result]) -> Result | None:
    """Return what is seen again first.

    What rests on another clause that is broken shows nothing; where that one held in
    its own checks, nothing else shows what is wrong.
    """
    at_fault = (Verdict.FAILED, Verdict.WARNED)
    broken = {c for one in results if one.verdict in at_fault for c in one.clauses}
    for verdict in (Verdict.FAILED, Verdict.NOT_TESTABLE, Verdict.WARNED):
        found = [
            one
            for one in results
            if one.verdict is verdict
            and (not one.because or (one.level == "must" and one.because not in broken))
        ]
        if found:
            return _tells_most(found, results)
    return None


def _tells_most(found: Sequence[Result], results: Sequence[Result]) -> Result:
    """Return that of what was found which is most likely to name the cause.

    It is the first, unless of another clause a much larger part of the checks failed:
    one failure among many checks is often what another clause's breach leads to.

    Args:
        found: What failed, or what warned, by itself.
        results: All that was found.
    """
    first = shows_best(found)
    if first.by_monitor or first.verdict not in BROKEN:
        return first
    alike = [one for one in found if one.level == first.level and not one.by_monitor]
    tried = Counter(
        one.clauses[0]
        for one in results
        if one.verdict in DECIDED and one.level == first.level and not one.by_monitor
    )
    broken = Counter(one.clauses[0] for one in alike)
    share = {clause: count / tried[clause] for clause, count in broken.items()}
    most = max(share, key=lambda clause: (share[clause], broken[clause]))
    if share[most] < MUCH_LARGER * share[first.clauses[0]]:
        return first
    return shows_best([one for one in alike if one.clauses[0] == most])
