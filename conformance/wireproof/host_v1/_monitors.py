"""The results of the monitors: what held of every frame of a run, or did not."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from wireproof._verdicts import Deviation, Level, Result, Verdict, broken

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Mapping, Sequence

    from wireproof.host_v1._session import HostSession

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

_NEEDS_SEEN = {
    "HV1-M4": "successes",
    "HV1-M5": "failures",
    "HV1-M6": "stateful",
    "HV1-E1": "events",
    "HV1-E2": "events",
    "HV1-E4": "parts",
}


@dataclass(slots=True)
class _Fired:
    first: Deviation
    check: str
    result: Result | None = None
    count: int = 0
    checks: list[str] = field(default_factory=list[str])


class Monitors:
    """What the monitors found over all checks of one subject."""

    def __init__(self) -> None:
        """Begin with nothing found."""
        self._fired: dict[str, _Fired] = {}

    def report(self, found: Iterable[Deviation], check: str) -> list[Deviation]:
        """Take what was found in one check; return what fired for the first time."""
        new: list[Deviation] = []
        for deviation in found:
            fired = self._fired.get(deviation.clause)
            if fired is None:
                fired = self._fired[deviation.clause] = _Fired(deviation, check)
                new.append(deviation)
            fired.count += 1
            if not fired.checks or fired.checks[-1] != check:
                fired.checks.append(check)
        return new

    def attach(self, new: Sequence[Deviation], result: Result) -> None:
        """Keep the result of the check in which a monitor first fired, as evidence."""
        for deviation in new:
            self._fired[deviation.clause].result = result

    def results(
        self, session: HostSession, sources: Mapping[str, str], *, controlled: bool
    ) -> list[Result]:
        """Return a result for each monitored clause, and for each that fired.

        Args:
            session: The conversation, for what was seen.
            sources: The source of each clause.
            controlled: Whether a plain valid request was ever answered with success.
        """
        found: list[Result] = []
        cause = next(iter(self._fired), None)
        for clause in dict.fromkeys((*MONITORED, *self._fired)):
            fired = self._fired.get(clause)
            source = sources.get(clause, "derived")
            if fired is not None:
                found.append(_broken(clause, source, fired))
            elif clause in MONITORED:
                held = _held(clause, source, session.seen, controlled=controlled)
                found.append(replace(held, because=None if controlled else cause))
        return [*found, *_recorded(session, sources, controlled=controlled)]


def _broken(clause: str, source: str, fired: _Fired) -> Result:
    shown = fired.result
    bare = Result(
        f"host-v1/monitor/{clause}",
        (clause,),
        fired.first.level,
        source,
        broken(fired.first.level),
        fired.first.text,
        {
            "frame": fired.first.evidence,
            "first_in": fired.check,
            "times": fired.count,
            "checks": fired.checks[:20],
        },
        title="What holds of every frame",
    )
    if shown is None:
        return bare
    return replace(
        bare,
        entries=shown.entries,
        transcript=shown.transcript,
        prelude=shown.prelude,
        stderr=shown.stderr,
        reproduce=shown.reproduce,
    )


def _held(clause: str, source: str, seen: Counter[str], *, controlled: bool) -> Result:
    level: Level = "should" if clause == "HV1-M6" else "must"
    frames = seen[_NEEDS_SEEN.get(clause, "frames")]
    if not controlled:
        verdict, reason = Verdict.NOT_TESTABLE, "no plain valid request succeeded"
    elif not frames:
        verdict = Verdict.NOT_APPLICABLE
        reason = f"no {_NEEDS_SEEN.get(clause, 'frames')} came"
    else:
        verdict, reason = Verdict.PASSED, ""
    return Result(
        f"host-v1/monitor/{clause}",
        (clause,),
        level,
        source,
        verdict,
        reason,
        {"frames": frames},
        title="What holds of every frame",
    )


def _recorded(
    session: HostSession, sources: Mapping[str, str], *, controlled: bool
) -> list[Result]:
    if not controlled:
        return []
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
        )
        for clause, text in rows
    ]
