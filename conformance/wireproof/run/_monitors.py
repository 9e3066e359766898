"""The results of the monitors: what held of every frame of a run, or did not."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from wireproof.checks import Result, Verdict, broken

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from wireproof.checks import ClauseText, Level
    from wireproof.judge import Reason

MOST_CHECKS = 20
"""Checks that the result of a monitor names."""

TITLE = "What holds of every frame"


@dataclass(slots=True)
class _Fired:
    reason: Reason
    level: Level
    shown: Result
    check: str | None
    when: str
    count: int = 0
    checks: list[str] = field(default_factory=list[str])


class Monitors:
    """What the monitors noticed over all checks of one subject."""

    def __init__(
        self, protocol: str, monitored: Mapping[str, str], clauses: Sequence[ClauseText]
    ) -> None:
        """Begin with nothing noticed.

        Args:
            protocol: The protocol, for the ids of the results.
            monitored: Clauses that have a result even if nothing was noticed, and the
                kind of frames of which each holds.
            clauses: The catalogue.
        """
        self._protocol = protocol
        self._monitored = monitored
        self._clauses: Mapping[str, ClauseText] = {one.id: one for one in clauses}
        self._fired: dict[str, _Fired] = {}

    def notice(
        self,
        reasons: Iterable[Reason],
        check: str | None,
        shown: Result,
        when: str = "when the subject was started",
    ) -> list[Reason]:
        """Take what was noticed; return what is the first of its clause.

        Args:
            reasons: What was noticed.
            check: The check in which it was; None if it was in none.
            shown: A result with the traffic that shows it.
            when: When it was, if it was in no check.
        """
        new: list[Reason] = []
        for reason in reasons:
            level: Level = reason.fields.get("level", "must")
            fired = self._fired.get(reason.clause)
            if fired is None or (level == "must" and fired.level != "must"):
                fired = _Fired(reason, level, shown, check, when)
                self._fired[reason.clause] = fired
                new.append(reason)
            fired.count += 1
            if check is not None and check not in fired.checks[-1:]:
                fired.checks.append(check)
        return new

    def results(
        self, seen: Mapping[str, int], recorded: Mapping[str, str], *, controlled: bool
    ) -> list[Result]:
        """Return a result for each monitored clause, and for each that fired.

        Args:
            seen: How many frames came in the run, and how many of each kind.
            recorded: What was seen over all frames, by clause.
            controlled: Whether a control was ever answered with success.
        """
        found: list[Result] = []
        for clause in dict.fromkeys((*self._monitored, *self._fired)):
            fired = self._fired.get(clause)
            if fired is not None:
                found.append(self._broken(clause, fired))
            else:
                found.append(self._held(clause, seen, controlled=controlled))
        for clause, text in recorded.items():
            if controlled:
                found.append(self._recorded(clause, text))
            else:
                found.append(self._held(clause, seen, controlled=False))
        return found

    def _recorded(self, clause: str, text: str) -> Result:
        return Result(
            f"{self._protocol}/monitor/{clause}",
            (clause,),
            "may",
            self._source(clause),
            Verdict.RECORDED,
            text,
            {"recorded": text},
            title="What was seen over all frames",
            by_monitor=True,
        )

    def _broken(self, clause: str, fired: _Fired) -> Result:
        evidence = {
            "frame": fired.reason.fields.get("line", ""),
            "times": fired.count,
            "checks": fired.checks[:MOST_CHECKS],
        }
        if fired.check is None:
            evidence["when"] = fired.when
        return replace(
            fired.shown,
            id=f"{self._protocol}/monitor/{clause}",
            clauses=(clause,),
            level=fired.level,
            source=self._source(clause),
            verdict=broken(fired.level),
            why=fired.reason,
            evidence=evidence,
            title=TITLE,
            because=None,
            monitors=(),
            differences=(),
            by_monitor=True,
            first_in=fired.check,
        )

    def _held(
        self, clause: str, seen: Mapping[str, int], *, controlled: bool
    ) -> Result:
        known = self._clauses.get(clause)
        kind = self._monitored.get(clause, "frames")
        frames = seen.get(kind, 0)
        reason = ""
        if not controlled:
            verdict, reason = Verdict.NOT_TESTABLE, "no plain valid request succeeded"
        elif not frames:
            verdict, reason = Verdict.NOT_APPLICABLE, f"no {kind} came"
        else:
            verdict = Verdict.PASSED
        return Result(
            f"{self._protocol}/monitor/{clause}",
            (clause,),
            known.level if known else "must",
            self._source(clause),
            verdict,
            reason,
            {"frames": frames},
            title=TITLE,
            by_monitor=True,
        )

    def _source(self, clause: str) -> str:
        known = self._clauses.get(clause)
        return known.source if known else "derived"
