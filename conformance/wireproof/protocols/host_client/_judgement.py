"""From what a client did in a vector to its verdict.

The control of every vector is the start: the client has started the host, sent it
``init``, and taken its answer, unless the vector has it fail. What the scripted host
received is looked at before what the ops came to, for it is the cause of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.checks import Difference, VectorDefect, Verdict, Words
from wireproof.line import Completed, Diverged, Judgement, judge
from wireproof.patterns import Mismatch, in_line, in_words, is_object, match
from wireproof.protocols.host_client._conduct import Act, Conduct, deadline_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireproof_vectors import Vector

EARLY = 0.5
"""The part of its deadline before which no call expires; clocks differ by less."""


def judge_conduct(vector: Vector, conduct: Conduct) -> Judgement:
    """Judge what a client did in a vector.

    Args:
        vector: The vector.
        conduct: What the client did.

    Raises:
        VectorDefect: If the vector cannot be carried out as it is written.
    """
    stage = conduct.stage
    if stage.defect:
        raise VectorDefect(stage.defect)
    found = stage.monitor.deviations
    outcome = _find_fault(vector.data, conduct)
    own = any(one.clause in vector.clauses for one in found)
    if (missing := _missing_control(conduct)) and not own:
        because = found[0].clause if found else None
        reason = f"the control failed: {missing}"
        return Judgement(Verdict.NOT_TESTABLE, reason, because)
    if outcome is None:
        held = Completed({}, stage.monitor.lines)
        return judge(vector.clauses, vector.level, held, found)
    broke = Diverged(
        outcome.text, outcome.clause, None, outcome.differences, tuple(found)
    )
    return judge(vector.clauses, vector.level, broke, found)


def _missing_control(conduct: Conduct) -> str:
    """Say what is missing of the control, or nothing."""
    if not conduct.stage.starts:
        return "the client did not start the host"
    start = conduct.acts[0]
    if _is_to_fail(start):
        return ""
    if start.op["op"] == "start" and start.problem:
        return f"start {start.problem}"
    if is_object(start.outcome) and "error" in start.outcome:
        return f"start failed: {start.outcome['error']}"
    if not conduct.stage.answered:
        return "the client sent no init that could be answered"
    return ""


def _is_to_fail(act: Act) -> bool:
    """Tell whether a failure is what an op should come to."""
    pattern = act.op["expect"]
    return is_object(pattern) and "error" in pattern


def _find_fault(data: Mapping[str, Any], conduct: Conduct) -> Diverged | None:
    taken = conduct.stage.taken
    for name, pattern in data.get("requests", {}).items():
        if name in taken and (miss := match(pattern, taken[name], {}, {})):
            text = f"the request that was read as {in_line(name)} differs"
            return Diverged(text, differences=(_difference(miss),))
    for act in conduct.acts:
        if (broke := _look_at(act)) is not None:
            return broke
    if conduct.stage.stuck:
        return Diverged(f"the host could not answer: {conduct.stage.stuck}")
    wanted = [step["read"] for step in data["host"] if "read" in step]
    for name in wanted:
        if name not in taken:
            return Diverged(f"the host waited in vain for the request {in_line(name)}")
    if conduct.unsettled:
        return Diverged("the host could not play its script to the end")
    return None


def _look_at(act: Act) -> Diverged | None:
    name = act.op["op"]
    # What init gave is the latest state, whatever else the vector is about.
    clause = "HV1-C4" if name == "start" and not _is_to_fail(act) else None
    pattern = act.op["expect"]
    if act.problem:
        return Diverged(f"{name} {act.problem}", clause)
    if (miss := match(pattern, act.outcome, {}, {})) is not None:
        text = f"{name} came to something else than it should"
        return Diverged(text, clause, differences=(_difference(miss),))
    deadline = deadline_of(act.op)
    if _is_to_fail(act) and act.seconds < deadline * EARLY:
        wanted = Words(f"an error after {deadline * 1000:.0f} ms")
        found = Words(f"an error after {act.seconds * 1000:.1f} ms")
        text = f"{name} failed before its deadline"
        return Diverged(text, clause, differences=(Difference("time", wanted, found),))
    return None


def _difference(miss: Mismatch) -> Difference:
    found = Words("nothing there") if miss.absent else miss.actual
    return Difference(miss.path, in_words(miss.expected), found)
