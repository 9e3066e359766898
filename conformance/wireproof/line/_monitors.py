"""The results of the monitors: what held of every frame of a run, or did not."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from wireproof.checks import Deviation, Result, Verdict, broken

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Mapping, Sequence

    from wireproof.checks import ClauseText


@dataclass(slots=True)
class _Fired:
    first: Deviation
    check: str | None
    when: str = ""
    result: Result | None = None
    count: int = 0
    checks: list[str] = field(default_factory=list[str])


class Monitors:
    """What the monitors found over all checks of one subject."""

    def __init__(
        self,
        protocol: str,
        monitored: Sequence[str],
        needs_seen: Mapping[str, str],
        clauses: Sequence[ClauseText],
    ) -> None:
        """Begin with nothing found.

        Args:
            protocol: The protocol, for the ids of the results.
            monitored: Clauses that are checked on every frame.
            needs_seen: Clauses that hold of some frames only, and of which.
            clauses: The catalogue.
        """
        self._protocol = protocol
        self._monitored = monitored
        self._needs_seen = needs_seen
        self._clauses = {clause.id: clause for clause in clauses}
        self._fired: dict[str, _Fired] = {}

    @property
    def fired(self) -> bool:
        """Whether any clause was seen broken."""
        return bool(self._fired)

    def report(
        self, found: Iterable[Deviation], check: str | None, when: str = ""
    ) -> list[Deviation]:
        """Take what was found; return what fired for the first time.

        Args:
            found: What was found.
            check: The check that it was found in, or None where it is no check's.
            when: When it was found then.
        """
        new: list[Deviation] = []
        for deviation in found:
            fired = self._fired.get(deviation.clause)
            is_worse = (
                deviation.level == "must" and fired and fired.first.level != "must"
            )
            if fired is None or is_worse:
                fired = self._fired[deviation.clause] = _Fired(deviation, check, when)
                new.append(deviation)
            fired.count += 1
            if check is not None and check not in fired.checks[-1:]:
                fired.checks.append(check)
        return new

    def attach(self, new: Sequence[Deviation], result: Result) -> None:
        """Keep the result of the check in which a monitor first fired, as evidence."""
        for deviation in new:
            self._fired[deviation.clause].result = result

    def results(self, seen: Counter[str], *, controlled: bool) -> list[Result]:
        """Return a result for each monitored clause, and for each that fired.

        Args:
            seen: How many frames came, and how many of each kind.
            controlled: Whether a plain valid request was ever answered with success.
        """
        found: list[Result] = []
        cause = next(iter(self._fired), None)
        for clause in dict.fromkeys((*self._monitored, *self._fired)):
            fired = self._fired.get(clause)
            if fired is not None:
                found.append(self._broken(clause, fired))
            elif clause in self._monitored:
                held = self._held(clause, seen, controlled=controlled)
                found.append(replace(held, because=None if controlled else cause))
        return found

    def _source(self, clause: str) -> str:
        known = self._clauses.get(clause)
        return known.source if known else "derived"

    def _broken(self, clause: str, fired: _Fired) -> Result:
        shown = fired.result
        bare = Result(
            f"{self._protocol}/monitor/{clause}",
            (clause,),
            fired.first.level,
            self._source(clause),
            broken(fired.first.level),
            fired.first.text,
            {
                "frame": fired.first.evidence,
                "times": fired.count,
                "checks": fired.checks[:20],
                **({"when": fired.when} if fired.when else {}),
            },
            title="What holds of every frame",
            by_monitor=True,
            first_in=fired.check,
        )
        if shown is None:
            return bare
        return replace(
            bare,
            entries=shown.entries,
            prelude=shown.prelude,
            stderr=shown.stderr,
            reproduce=shown.reproduce,
        )

    def _held(self, clause: str, seen: Counter[str], *, controlled: bool) -> Result:
        known = self._clauses.get(clause)
        kind = self._needs_seen.get(clause, "frames")
        frames = seen[kind]
        if not controlled:
            verdict, reason = Verdict.NOT_TESTABLE, "no plain valid request succeeded"
        elif not frames:
            verdict, reason = Verdict.NOT_APPLICABLE, f"no {kind} came"
        else:
            verdict, reason = Verdict.PASSED, ""
        return Result(
            f"{self._protocol}/monitor/{clause}",
            (clause,),
            known.level if known else "must",
            self._source(clause),
            verdict,
            reason,
            {"frames": frames},
            title="What holds of every frame",
            by_monitor=True,
        )
