"""What is wrong with what a client did in a vector.

What the scripted host received is looked at before what the ops came to, for it is the
cause of it.
"""

from __future__ import annotations

from itertools import starmap
from typing import TYPE_CHECKING, Any

from wireproof.bridge import refused, unanswered
from wireproof.checks import Difference, VectorDefect, Words
from wireproof.judge import Look
from wireproof.patterns import difference_of, is_array, is_object, match
from wireproof.protocols.host_client._conduct import CLIENT, deadline_of
from wireproof.protocols.host_client._hosts import ids_of
from wireproof.protocols.host_client.rules import UNANSWERABLE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireproof.patterns import Mismatch

    Seen = Mapping[str, Any]

EARLY = 0.5
"""The part of its deadline before which no call expires; clocks differ by less."""

ABSENT = {"$absent": True}


def look(
    step: Mapping[str, Any], seen: Seen, names: Mapping[str, Any]
) -> Look | dict[str, Any]:
    """Return what is wrong with what a client did, as `Rules.look` has it.

    Raises:
        VectorDefect: If the vector cannot be carried out as it is written.
    """
    if seen["defect"]:
        raise VectorDefect(seen["defect"])
    data = step[CLIENT]
    if seen["starts"] and _meant_for_both(data, seen["taken"]):
        # HV1-C1 asks for ids that are unique among those in flight, and no more.
        return Look("id-used-again", {}, applies=False)
    return _look(data, seen) or {}


def _look(data: Mapping[str, Any], seen: Seen) -> Look | None:
    acts = seen["acts"]
    if not seen["starts"]:
        return _unanswered(acts[0]) or Look("no-host", {"value": acts[0].get("value")})
    if seen["stuck"]:
        return Look("host-stuck", {"why": seen["stuck"]}, rule=UNANSWERABLE)
    taken = seen["taken"]
    for name, pattern in data.get("requests", {}).items():
        if name in taken and (miss := match(pattern, taken[name], {}, {})):
            fields = {"name": name, "miss": miss, "where": miss.path}
            return Look("request-differs", fields, (difference_of(miss),))
    # HV1-C9 lets a client end its host at a deadline: what comes after may fail too.
    gave_up = seen["ended"] and not seen["exited"]
    expired = False
    for op, act in zip(data["ops"], acts, strict=False):
        expired = expired or _has_expired(op, act)
        if found := _look_at_act(op, act, may_fail=gave_up and expired):
            return found
    if gave_up and expired:
        return None
    for step in data["host"]:
        name = step.get("read")
        if name is not None and name not in taken:
            is_parallel = "parallel" in data.get("needs", {})
            return Look("request-missing", {"name": name, "parallel": is_parallel})
    return Look("script-unsettled", {}) if seen["unsettled"] else None


def _meant_for_both(data: Mapping[str, Any], taken: Mapping[str, Any]) -> bool:
    """Return whether what is written to an answered call has the id of a later one."""
    answered: set[str] = set()
    for step in data["host"]:
        match step:
            case {"write": {"id": {"$id_of": str(name)}, **message}}:
                own = taken.get(name)
                is_again = is_object(own) and ids_of(taken).count(own.get("id")) > 1
                if name in answered and is_again:
                    return True
                if "ok" in message:
                    answered.add(name)
            case _:
                pass
    return False


def _has_expired(op: Mapping[str, Any], act: Seen) -> bool:
    """Return whether a deadline has come, by a call of the op that failed."""
    value = act.get("value")
    outcomes = value if is_array(value) else [value]
    failed = any(is_object(one) and "error" in one for one in outcomes)
    return deadline_of(op) > 0 and failed


def _unanswered(act: Seen) -> Look | None:
    if found := unanswered(act):
        return found
    return refused(act) if "error" in act else None


def _look_at_act(op: Mapping[str, Any], act: Seen, *, may_fail: bool) -> Look | None:
    if found := _unanswered(act):
        return found
    if act["left"]:
        return Look("host-left", {})
    pattern, value = op["expect"], act["value"]
    miss = match(pattern, value, {}, {})
    if miss is not None and not (may_fail and _failed_only(pattern, value)):
        return _differs(op["op"], pattern, value, miss)
    deadline = deadline_of(op)
    is_to_fail = is_object(pattern) and "error" in pattern
    if is_to_fail and act["seconds"] < deadline * EARLY:
        wanted = Words(f"an error after {deadline * 1000:.0f} ms")
        found_at = Words(f"an error after {act['seconds'] * 1000:.1f} ms")
        shown = (Difference("time", wanted, found_at),)
        return Look("op-failed-early", {"op": op["op"]}, shown)
    return None


def _differs(op: str, pattern: Any, value: Any, miss: Mismatch) -> Look:
    """Return how an op came to something else."""
    shown = (difference_of(miss),)
    failed = is_object(value) and "error" in value
    if is_object(pattern) and "$one_of" not in pattern:
        fails = pattern.get("error", ABSENT) != ABSENT
        if failed and not fails:
            return Look("op-failed", {"op": op, "error": value["error"]}, shown)
        if fails and not failed:
            return Look("op-has-to-fail", {"op": op, "value": value}, shown)
    fields = {"op": op, "miss": miss, "where": miss.path}
    return Look("op-differs", fields, shown)


def _failed_only(pattern: Any, value: Any) -> bool:
    """Return whether an op came to what it should, but for calls that failed."""
    if is_array(pattern):
        is_alike = is_array(value) and len(pattern) == len(value)
        pairs = zip(pattern, value, strict=True) if is_alike else ()
        return is_alike and all(starmap(_failed_only, pairs))
    failed = is_object(value) and is_object(value.get("error"))
    return failed or match(pattern, value, {}, {}) is None
