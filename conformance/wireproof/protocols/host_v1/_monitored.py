"""What is watched on every frame of a host, and what is recorded over all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.checks import Result, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireproof.protocols.host_v1._session import HostSession

MONITORED = (
    "HV1-T1",
    "HV1-T2",
    "HV1-T3",
    "HV1-M1",
    "HV1-M2",
    "HV1-M3",
    "HV1-M4",
    "HV1-M5",
    "HV1-M6",
    "HV1-E1",
    "HV1-E2",
    "HV1-E4",
)
"""Clauses that are checked on every frame and so have a result of their own."""

FENCED_CLAUSES = frozenset(
    {
        *("HV1-T1", "HV1-T2", "HV1-T3", "HV1-T7", "HV1-T8", "HV1-T11", "HV1-T12"),
        *("HV1-T13", "HV1-T14", "HV1-M3", "HV1-M5", "HV1-M7", "HV1-M8", "HV1-M14"),
        *("HV1-E1", "HV1-E2", "HV1-E3", "HV1-E6"),
        *("HV1-R7", "HV1-R8", "HV1-R9", "HV1-R13"),
    }
)
"""Clauses of what must not come or not happen: their checks keep their fences."""

NEEDS_SEEN = {
    "HV1-M4": "successes",
    "HV1-M5": "failures",
    "HV1-M6": "stateful",
    "HV1-E1": "events",
    "HV1-E2": "events",
    "HV1-E4": "parts",
}
"""Monitored clauses that hold of some frames only, and of which."""


def recorded(session: HostSession, sources: Mapping[str, str]) -> list[Result]:
    """Return what was seen over all frames where a clause leaves a choice.

    Args:
        session: The conversation.
        sources: The source of each clause.
    """
    keys = sorted(session.extra_keys)
    nulls = sorted(session.nulls)
    states = sorted(session.stateless)
    own = f"keys of its own: {', '.join(keys[:20])}" if keys else "none"
    absent = f"; null read as absent: {', '.join(nulls)}" if nulls else ""
    rows = (
        ("HV1-M15", own + absent),
        ("HV1-M16", f"state: {', '.join(states)}" if states else "no such response"),
    )
    return [
        Result(
            f"host-v1/monitor/{clause}",
            (clause,),
            "may",
            sources.get(clause, "derived"),
            Verdict.RECORDED,
            text,
            {"recorded": text},
            title="What was seen over all frames",
            by_monitor=True,
        )
        for clause, text in rows
    ]
