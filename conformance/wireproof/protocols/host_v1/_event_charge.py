"""Which clause about events a failed check is charged to: by what differs.

Theory of operation. The steps say which payloads each call emits; what came under
each call's id is laid beside them. A payload that only another call emits came under
the wrong id (HV1-E6). Where as many came as were emitted, and those that differ are
nobody's, they were changed (HV1-E4). Otherwise events were lost, repeated, added or put
in another order (HV1-E3). A payload that several calls emit tells nothing where it is
lost or comes once too often: it may have come under another id. A call that is never
answered is no matter of its events: the response is owed (HV1-M3), beside other calls
too (HV1-M13). Nor are the events of one that was answered with a failure, which its
tool did not report: it did not run (HV1-R5). Nor is an event of a call that had to be
refused, with what it asked for: its tool ran, which breaks what the check is about.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wireproof.line import Completed, Diverged, MissingCause, is_json
from wireproof.patterns import is_array, is_object, json_equal, match

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from wireproof.line import StepsOutcome

MISPLACED = "HV1-E6"
"""The clause by which an event carries the id of its own call."""

REFUSED = "HV1-R5"
"""The clause that a call breaks which was answered with a failure of nobody's."""

EVENT_CLAUSES = frozenset({"HV1-E3", "HV1-E4", "HV1-E6"})

OWED_CLAUSES = EVENT_CLAUSES | {REFUSED, "HV1-R11"}
"""Clauses of what comes of a call: where nothing comes, an answer is owed."""

_STREAM = "conformance_stream"

Payloads = dict[str, list[Any]]
"""Payloads, or patterns of them, in order, by the id of their call."""


_ANYTHING = {"$save": "anything"}


def is_about_events(clauses: Collection[str], outcome: StepsOutcome) -> bool:
    """Tell whether a failure may be charged to any clause about events.

    It may where the check or the step is about nothing else, where an event came whose
    payload differs from the one that was expected, and where one came in place of a
    response.

    Args:
        clauses: What the check is charged to.
        outcome: What its steps came to.
    """
    if (
        isinstance(outcome, Completed)
        or outcome.missing is not None
        or outcome.deviations
    ):
        return False
    if outcome.intruding:
        return True
    if outcome.clause is not None:
        return outcome.clause in EVENT_CLAUSES
    payload = any(one.where.startswith("/event/payload") for one in outcome.differences)
    return payload or EVENT_CLAUSES.issuperset(clauses)


def lacks_an_event(outcome: Diverged) -> bool:
    """Tell whether a response came where an event was expected."""
    return any(one.where == "/event" for one in outcome.differences)


def unanswered_clause(
    outcome: StepsOutcome, steps: Sequence[Mapping[str, Any]]
) -> str | None:
    """Return the clause that a call breaks which was left unanswered, among others.

    Args:
        outcome: What the steps came to.
        steps: What was carried out.

    Returns:
        None where the step is not about what comes of any call, or where a frame came.
    """
    if not isinstance(outcome, Diverged) or outcome.step is None:
        return None
    if outcome.missing is None or outcome.missing.cause is not MissingCause.TIMEOUT:
        return None
    if outcome.clause not in OWED_CLAUSES:
        return None
    return "HV1-M13" if is_beside_others(outcome, steps) else "HV1-M3"


def is_beside_others(outcome: Diverged, steps: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether a step failed that waits for one of several requests at once.

    Args:
        outcome: What the steps came to.
        steps: What was carried out.
    """
    return _asked_at_once(steps[: outcome.step]) > 1


def _asked_at_once(steps: Sequence[Mapping[str, Any]]) -> int:
    """Return how many requests were sent last without waiting for an answer."""
    count = 0
    for step in reversed(steps):
        match step:
            case {"send": _}:
                count += 1
            case {"send_many": [*messages]}:
                count += len(messages)
            case {"send_raw": _}:
                pass
            case {"expect": _} if not count:
                pass
            case _:
                break
    return count


def emitted(steps: Sequence[Mapping[str, Any]]) -> Payloads:
    """Return the patterns of the payloads that steps expect, by call."""
    found: Payloads = {}
    for step in steps:
        match step:
            case {"expect": {"id": str(key), "event": {**body}}}:
                found.setdefault(key, []).append(body.get("payload", _ANYTHING))
            case {"expect": {"id": str(key)}}:
                found.setdefault(key, [])
            case _:
                pass
    return found


def ran_unasked(
    steps: Sequence[Mapping[str, Any]],
    wanted: Payloads,
    came: Mapping[str, Sequence[Any]],
) -> bool:
    """Tell whether a streaming call ran of which the steps expect no event.

    Args:
        steps: What was carried out.
        wanted: Patterns of what each call emits.
        came: What came under the id of each.

    Returns:
        Whether an event came with what such a call asks for; another event is no sign
        that it ran.
    """
    for step in steps:
        match step:
            case {"send": {"id": str(key), "params": {"tool_name": str(tool), **rest}}}:
                asked = tool == _STREAM and not wanted.get(key)
                if asked and any(_holds(rest, one) for one in came.get(key, ())):
                    return True
            case _:
                pass
    return False


def _holds(value: Any, part: Any) -> bool:
    if is_array(value):
        return any(json_equal(one, part) or _holds(one, part) for one in value)
    if isinstance(value, str) and is_json(value.encode(errors="surrogatepass")):
        return _holds(json.loads(value), part)
    return is_object(value) and any(_holds(one, part) for one in value.values())


@dataclass(frozen=True, slots=True)
class Misplaced:
    """An event that came under the id of another call than emits it.

    Attributes:
        payload: Its payload.
        under: The id that it came under.
        owner: That of the call, or of the first that emits such a payload.
    """

    payload: Any
    under: str
    owner: str


def misplaced(
    wanted: Payloads, came: Mapping[str, Sequence[Any]], names: Mapping[str, Any]
) -> Misplaced | None:
    """Return the first event that came under another call's id, or None.

    Args:
        wanted: Patterns of what each call emits.
        came: What came under the id of each.
        names: What ``$use`` may name.
    """

    def emits(key: str, payload: Any) -> bool:
        known = (one for one in wanted[key] if one != _ANYTHING)
        return any(_fits(one, payload, names) for one in known)

    for key, payloads in came.items():
        for one in payloads:
            if any(_fits(pattern, one, names) for pattern in wanted[key]):
                continue
            owners = (other for other in wanted if other != key and emits(other, one))
            if (owner := next(owners, None)) is not None:
                return Misplaced(one, key, owner)
    return None


def event_clause(
    wanted: Payloads,
    came: Mapping[str, Sequence[Any]],
    names: Mapping[str, Any],
    *,
    complete: bool,
    refused: Collection[str] = (),
) -> str | None:
    """Return the clause that what came breaks, or None where that cannot be told.

    Args:
        wanted: Patterns of what each call emits.
        came: What came under the id of each.
        names: What ``$use`` may name.
        complete: Whether every call has been answered, so that nothing is to come.
        refused: The calls that were answered with another thing than a success.
    """

    def emits(key: str, payload: Any) -> bool:
        return any(_fits(one, payload, names) for one in wanted[key])

    def others_emit(key: str, payload: Any) -> bool:
        known = [
            one for k in wanted if k != key for one in wanted[k] if one != _ANYTHING
        ]
        return any(_fits(one, payload, names) for one in known)

    if misplaced(wanted, came, names) is not None:
        return MISPLACED
    if not complete:
        return None
    if any(wanted[key] for key in refused):
        return REFUSED
    for key, payloads in came.items():
        pairs = list(zip(wanted[key], payloads, strict=False))
        wrong = [one for want, one in pairs if not _fits(want, one, names)]
        same = len(wanted[key]) == len(payloads)
        if same and not wrong:
            continue
        if same and not any(emits(key, one) for one in wrong):
            return "HV1-E4"
        lost, added = _unpaired(wanted[key], payloads, names)
        others = [one for other in wanted if other != key for one in wanted[other]]
        if any(one in others for one in lost):
            return None
        if any(others_emit(key, one) for one in added):
            return None
        return "HV1-E3"
    return None


def _unpaired(
    patterns: Sequence[Any], payloads: Sequence[Any], names: Mapping[str, Any]
) -> tuple[list[Any], list[Any]]:
    """Return the patterns that nothing came for, and what came beside the others."""
    added = list(payloads)
    lost: list[Any] = []
    for pattern in patterns:
        for index, payload in enumerate(added):
            if _fits(pattern, payload, names):
                del added[index]
                break
        else:
            lost.append(pattern)
    return lost, added


def _fits(pattern: Any, payload: Any, names: Mapping[str, Any]) -> bool:
    return match(pattern, payload, names, {}) is None
