"""From what a client did in a vector to its verdict.

That the client starts a host and takes the answer to ``init`` is a control of the
suite's, tried once: where a vector's own start fails after that, what is special in the
vector is the cause. What the scripted host received is looked at before what the ops
came to, for it is the cause of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from wireproof.checks import Difference, VectorDefect, Verdict, Words, broken
from wireproof.patterns import (
    Mismatch,
    in_line,
    in_words,
    is_array,
    is_object,
    match,
    place_text,
)
from wireproof.protocols.host_client._conduct import Act, Conduct, deadline_of
from wireproof.subjects import DriverFault

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.protocols.host_client._hosts import HostsReport
    from wireproof_vectors import Vector

EARLY = 0.5
"""The part of its deadline before which no call expires; clocks differ by less."""

ABSENT = {"$absent": True}

SERIAL_HINT = (
    '; a client that sends one request at a time says so in describe: "serial":true'
)


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with its reasons.

    Attributes:
        verdict: What was found.
        reason: Why, in a sentence without a full stop; empty for a plain pass.
        because: The clause whose failure hides this check's, or None.
        differences: What was expected and what came.
        recorded: Behaviour seen, by the name of the exchange.
        charged: The one of the check's clauses that was broken, if it is known.
    """

    verdict: Verdict
    reason: str = ""
    because: str | None = None
    differences: tuple[Difference, ...] = ()
    recorded: dict[str, str] = field(default_factory=dict[str, str])
    charged: str | None = None


@dataclass(frozen=True, slots=True)
class _Fault:
    """What went otherwise than the vector expects.

    Attributes:
        text: What is wrong, in a sentence without a full stop.
        differences: What was expected and what came.
        untold: Whether it is the driver that failed, which says nothing of the client.
    """

    text: str
    differences: tuple[Difference, ...] = ()
    untold: bool = False


def judge_conduct(vector: Vector, conduct: Conduct, hosts: HostsReport) -> Judgement:
    """Judge what a client did in a vector.

    Args:
        vector: The vector.
        conduct: What the client did.
        hosts: What its hosts saw of it.

    Raises:
        VectorDefect: If the vector cannot be carried out as it is written.
    """
    if hosts.defect:
        raise VectorDefect(hosts.defect)
    if _meant_for_both(vector.data, hosts.taken):
        # HV1-C1 asks for ids that are unique among those in flight, and no more.
        reason = "it answers an earlier call again; the client has used its id again"
        return Judgement(Verdict.NOT_APPLICABLE, reason)
    fault = _find_fault(vector.data, conduct, hosts)
    differences = fault.differences if fault else ()
    for one in hosts.deviations:
        if one.clause in vector.clauses:
            return Judgement(
                broken(one.level), one.text, None, differences, charged=one.clause
            )
    hidden = hosts.deviations[0].clause if hosts.deviations else None
    if fault is None:
        recorded = _recorded(conduct.acts)
        verdict = Verdict.RECORDED if vector.level == "may" else Verdict.PASSED
        return Judgement(verdict, ", ".join(recorded.values()), None, (), recorded)
    if fault.untold:
        return Judgement(Verdict.NOT_TESTABLE, fault.text, hidden)
    if hidden is not None:
        # Charged to the clause that was broken first, which has checks of its own.
        reason = f"not testable because of {hidden}: {fault.text}"
        return Judgement(Verdict.NOT_TESTABLE, reason, hidden, differences)
    if vector.level == "may":
        seen = {"outcome": f"not handled: {fault.text}"}
        return Judgement(Verdict.RECORDED, fault.text, None, differences, seen)
    return Judgement(broken(vector.level), fault.text, None, differences)


def _meant_for_both(data: Mapping[str, Any], taken: Mapping[str, Any]) -> bool:
    """Tell whether what is written to an answered call has the id of a later one."""
    answered: set[str] = set()
    for step in data["host"]:
        match step:
            case {"write": {"id": {"$id_of": str(name)}, **message}}:
                ids = [one.get("id") for one in taken.values() if is_object(one)]
                own = taken.get(name)
                if name in answered and is_object(own) and ids.count(own.get("id")) > 1:
                    return True
                if "ok" in message:
                    answered.add(name)
            case _:
                pass
    return False


def _is_to_fail(act: Act) -> bool:
    """Tell whether a failure is what an op should come to."""
    pattern = act.op["expect"]
    return is_object(pattern) and "error" in pattern


def _has_expired(act: Act) -> bool:
    """Tell whether a deadline has come: one of a call that is answered never does."""
    outcomes: list[Any] = act.value if is_array(act.value) else [act.value]
    failed = any(is_object(one) and "error" in one for one in outcomes)
    return deadline_of(act.op) > 0 and failed


def _find_fault(
    data: Mapping[str, Any], conduct: Conduct, hosts: HostsReport
) -> _Fault | None:
    if not hosts.starts:
        first = conduct.acts[0]
        told = first.problem or f"start came to {in_line(first.value)}"
        return _Fault(f"the client did not start the host: {told}")
    for name, pattern in data.get("requests", {}).items():
        if name in hosts.taken and (miss := match(pattern, hosts.taken[name], {}, {})):
            place = place_text(miss, "the whole")
            text = f"of the request that was read as {name!r}, {place}"
            return _Fault(text, differences=(_difference(miss),))
    # HV1-C9 lets a client end its host at a deadline: what comes after may fail too.
    gave_up = conduct.ended and not hosts.exited
    expired = False
    for act in conduct.acts:
        expired = expired or _has_expired(act)
        if (fault := _look_at(act, may_fail=gave_up and expired)) is not None:
            return fault
    if gave_up and expired:
        return None
    if hosts.stuck:
        return _Fault(f"the host could not answer: {hosts.stuck}")
    wanted = [step["read"] for step in data["host"] if "read" in step]
    for name in wanted:
        if name not in hosts.taken:
            parallel = "parallel" in data.get("needs", {})
            hint = SERIAL_HINT if parallel else ""
            return _Fault(f"the host waited in vain for the request {name!r}{hint}")
    if conduct.unsettled:
        return _Fault("the host could not play its script to the end")
    return None


def _look_at(act: Act, *, may_fail: bool) -> _Fault | None:
    name = act.op["op"]
    pattern = act.op["expect"]
    if act.problem:
        # A client that dies or hangs is at fault, one that speaks out of step is not
        # a client at all but a driver with a fault of its own.
        outcome = act.outcome
        cause = outcome.cause if isinstance(outcome, DriverFault) else ""
        untold = cause in {"out of step", "misfit"}
        return _Fault(act.problem, untold=untold)
    if act.left:
        return _Fault("close returned, and the host is still there")
    miss = match(pattern, act.value, {}, {})
    if miss is not None and not (may_fail and _failed_only(pattern, act.value)):
        text = _told(name, pattern, act.value, miss)
        return _Fault(text, differences=(_difference(miss),))
    deadline = deadline_of(act.op)
    if _is_to_fail(act) and act.seconds < deadline * EARLY:
        wanted = Words(f"an error after {deadline * 1000:.0f} ms")
        found = Words(f"an error after {act.seconds * 1000:.1f} ms")
        text = f"{name} failed before its deadline"
        return _Fault(text, differences=(Difference("time", wanted, found),))
    return None


def _told(name: str, pattern: Any, value: Any, miss: Mismatch) -> str:
    """Say what an op came to where it should have come to something else."""
    failed = is_object(value) and "error" in value
    if is_object(pattern) and "$one_of" not in pattern:
        fails = pattern.get("error", ABSENT) != ABSENT
        if failed and not fails:
            return f"{name} failed: {in_line(value['error'])}"
        if fails and not failed:
            return f"{name} gave {in_line(value)} where it has to fail"
    return f"in what {name} gave, {place_text(miss, 'the value')}"


def _failed_only(pattern: Any, value: Any) -> bool:
    """Tell whether an op came to what it should, but for calls that failed."""
    if is_array(pattern):
        return (
            is_array(value)
            and len(pattern) == len(value)
            and all(map(_failed_only, pattern, value))
        )
    failed = is_object(value) and is_object(value.get("error"))
    return failed or match(pattern, value, {}, {}) is None


def _recorded(acts: Sequence[Act]) -> dict[str, str]:
    """Return what was seen where a vector asks for it: the first label that fits."""
    found: dict[str, str] = {}
    for act in acts:
        for label, pattern in act.op.get("record", {}).items():
            if match(pattern, act.value, {}, {}) is None:
                found.setdefault(act.op["op"], label)
    return found


def _difference(miss: Mismatch) -> Difference:
    found = Words("nothing there") if miss.absent else miss.actual
    return Difference(miss.path, in_words(miss.expected), found)
