"""A baseline: the checks of which it is known that they fail, and how.

The way in which a check fails is the set of clauses that fail in it. An entry holds for
that way alone: what fails otherwise, or not any more, is told and not passed over, so
that a baseline cannot rot.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from wireproof.checks import Result, Verdict
from wireproof.reporting._records import deviation_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from wireproof.checks import Deviation

Names: TypeAlias = tuple[str, ...]
"""What names a subject: the name that the report gives it, and what was typed."""

KNOWN_SEEN = "known_failures"
"""Where the evidence of a check has what monitors saw in it and the baseline lists."""

KNOWN = "known_failure"
"""Where the evidence of a known failure has its entry."""

WRITE_ANEW = "write the file anew (--write-known-failures)"
"""A remedy that all entries share."""


@dataclass(frozen=True, slots=True)
class KnownFailure:
    """One entry of a baseline.

    Attributes:
        id: The check, or what stands for a monitor's result.
        clauses: What fails there.
        reason: Why it is left so.
        subject: The subject that it is about; None for all of its protocol.
        issue: Where it is dealt with, or None.
        expires: The last day on which it is left so, or None.
        place: Where it stands in its file, in words.
    """

    id: str
    clauses: frozenset[str]
    reason: str
    subject: str | None = None
    issue: str | None = None
    expires: date | None = None
    place: str = ""


def failed_clauses(result: Result) -> frozenset[str]:
    """Return the way in which a check failed: the clauses; none where it did not."""
    match result.verdict:
        case Verdict.FAILED | Verdict.WARNED:
            return frozenset(result.clauses)
        case Verdict.KNOWN_FAILURE:
            return frozenset(result.evidence[KNOWN]["clauses"])
        case Verdict.NOT_TESTABLE:
            return frozenset([result.because] if result.because else result.clauses)
        case _:
            return frozenset()


class Baseline:
    """The known failures of a run.

    Attributes:
        file: The file that they stand in, as the user named it.
        entries: The entries, as they stand there.
    """

    def __init__(self, file: str, entries: Iterable[KnownFailure]) -> None:
        """Hold the entries of one file."""
        self.file = file
        self.entries = tuple(entries)
        self._by_id: dict[str, list[KnownFailure]] = {}
        for entry in self.entries:
            self._by_id.setdefault(entry.id, []).append(entry)

    def find(self, check_id: str, names: Names) -> KnownFailure | None:
        """Return the entry of a check; one of the subject itself before one of all."""
        found = self._by_id.get(check_id, ())
        own = [entry for entry in found if entry.subject in names]
        of_all = [entry for entry in found if entry.subject is None]
        return next(iter((*own, *of_all)), None)

    def apply(self, result: Result, names: Names) -> Result:
        """Return a result as it counts: what is listed is a known failure.

        What a monitor saw by the way is listed for the monitor's own result, whichever
        check it was seen in first: with several workers that is another each time.
        """
        monitors: list[Deviation] = []
        listed: list[Deviation] = []
        for found in result.monitors:
            is_listed = self._lists(result, found.clause, names)
            (listed if is_listed else monitors).append(found)
        if listed:
            seen = [deviation_record(found) for found in listed]
            evidence = {**result.evidence, KNOWN_SEEN: seen}
            result = replace(result, monitors=tuple(monitors), evidence=evidence)
        entry = self.find(result.id, names)
        if entry is None or failed_clauses(result) != entry.clauses:
            return result
        known = {
            "reason": entry.reason,
            **({"issue": entry.issue} if entry.issue else {}),
            **({"expires": entry.expires.isoformat()} if entry.expires else {}),
            "clauses": sorted(entry.clauses),
        }
        return replace(
            result,
            verdict=Verdict.KNOWN_FAILURE,
            evidence={**result.evidence, KNOWN: known},
        )

    def _lists(self, result: Result, clause: str, names: Names) -> bool:
        entry = self.find(monitor_id(result.id.partition("/")[0], clause), names)
        return entry is not None and entry.clauses == frozenset([clause])

    def problem(self, result: Result, names: Names, *, by_chance: bool) -> str:
        """Return what is wrong with the entry of a check, with the remedy.

        Args:
            result: What the check came to, after ``apply``.
            names: What names the subject.
            by_chance: Whether that it did not fail says little: a search found nothing,
                or a monitor watched a part of the checks only.

        Returns:
            An empty text where it has none, or nothing is wrong with it.
        """
        entry = self.find(result.id, names)
        if entry is None or result.verdict in {
            Verdict.KNOWN_FAILURE,
            # The fault is the suite's: nothing is known of the subject.
            Verdict.HARNESS_ERROR,
        }:
            return ""
        failed = failed_clauses(result)
        if not failed:
            if by_chance:
                return ""
            others = " of this subject" if entry.subject is None else ""
            return (
                f"{entry.place}: {entry.id}: it is listed as a known failure{others} "
                f"and did not fail ({result.verdict.value}); remove the entry, or "
                f"{WRITE_ANEW}"
            )
        return (
            f"{entry.place}: {entry.id}: it fails in another way than is listed: "
            f"{_named(failed)} instead of {_named(entry.clauses)}; mend what is new, "
            f"or {WRITE_ANEW}"
        )


def monitor_id(protocol: str, clause: str) -> str:
    """Return the id of what a monitor found of a clause."""
    return f"{protocol}/monitor/{clause}"


def is_of_monitor(check_id: str) -> bool:
    """Tell whether an id is that of a monitor's result."""
    return check_id.split("/")[1:2] == ["monitor"]


def renewed(
    old: Sequence[KnownFailure], found: Sequence[tuple[Result, Names, bool]]
) -> list[KnownFailure]:
    """Return what a baseline has to list after a run.

    Args:
        old: What it listed before; reasons, issues and last days are kept.
        found: What was run: its result, what names the subject, and whether entries
            have to name it, as another of its protocol was tried as well.
    """
    before = Baseline("", old)
    listed: list[KnownFailure] = []
    done: set[tuple[str, str | None]] = set()
    for result, names, named in found:
        entry = before.find(result.id, names)
        if entry is not None:
            done.add((entry.id, entry.subject))
        if failed := failed_clauses(result):
            subject = names[0] if named else None
            if entry is not None and (entry.subject is not None or not named):
                subject = entry.subject
            listed.append(
                KnownFailure(
                    result.id,
                    failed,
                    entry.reason if entry else _words(result),
                    subject,
                    entry.issue if entry else None,
                    entry.expires if entry else None,
                )
            )
    kept = [entry for entry in old if (entry.id, entry.subject) not in done]
    return sorted([*listed, *kept], key=lambda one: (one.id, one.subject or ""))


def _words(result: Result) -> str:
    """Say what failed, for a reader to put the why in its place."""
    first = result.reason.partition("\n")[0].strip()
    return first or f"{_named(failed_clauses(result))} failed"


def _named(clauses: Iterable[str]) -> str:
    return ", ".join(sorted(clauses))
