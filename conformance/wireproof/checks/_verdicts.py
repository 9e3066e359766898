"""Verdicts, results, and what they say together about a clause and a subject."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from wireproof.checks._transcript import Entry

Level = Literal["must", "should", "may"]
LEVELS: tuple[Level, ...] = ("must", "should", "may")

Sources = Literal["document", "all"]

DOCUMENT_SOURCES = frozenset({"seed", "standard"})
"""Sources of what a protocol's document states, or a standard that it names."""


class Verdict(StrEnum):
    """What a check found; the value is the word that reports use."""

    PASSED = "passed"
    FAILED = "failed"
    WARNED = "warned"
    RECORDED = "recorded"
    NOT_APPLICABLE = "not applicable"
    NOT_TESTABLE = "not testable"
    KNOWN_FAILURE = "known failure"
    HARNESS_ERROR = "harness error"


_WORST_FIRST = (
    Verdict.HARNESS_ERROR,
    Verdict.FAILED,
    Verdict.NOT_TESTABLE,
    Verdict.KNOWN_FAILURE,
    Verdict.WARNED,
    Verdict.RECORDED,
    Verdict.PASSED,
    Verdict.NOT_APPLICABLE,
)

HELD = frozenset({Verdict.PASSED, Verdict.RECORDED})
"""What the checks of a subject come to that does what they try."""

WHY_TRIED = "why it is tried, from other programs"
"""What stands before the reason of a value, where a check fails with it."""

AGAINST = frozenset({Verdict.FAILED, Verdict.WARNED})
"""What the checks of a subject come to that has done something wrong."""

_AGAINST_CONFORMANCE = frozenset(
    {
        Verdict.FAILED,
        Verdict.NOT_TESTABLE,
        Verdict.KNOWN_FAILURE,
        Verdict.HARNESS_ERROR,
    }
)

DECIDED = frozenset(
    {
        Verdict.PASSED,
        Verdict.FAILED,
        Verdict.WARNED,
        Verdict.RECORDED,
        Verdict.KNOWN_FAILURE,
    }
)
"""Verdicts by which something was learnt about the subject."""


def broken(level: Level) -> Verdict:
    """Return the verdict of a check of this level whose clause was broken."""
    match level:
        case "must":
            return Verdict.FAILED
        case "should":
            return Verdict.WARNED
        case "may":
            return Verdict.RECORDED


@dataclass(frozen=True, slots=True)
class Deviation:
    """One place where the subject broke a clause.

    Attributes:
        clause: The clause's id.
        level: The level of the part that was broken.
        text: What is wrong, in one sentence without a full stop.
        evidence: The frame or bytes that show it, bounded.
    """

    clause: str
    level: Level
    text: str
    evidence: str = ""


class Words(str):
    """The suite's own words where a value could stand, such as ``<boolean>``.

    They are shown as they are; a string, which is a value, is shown in quotes.
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """What was expected and what came, for the failure display.

    Attributes:
        where: JSON pointer into the frame, or a word for the place.
        expected: A JSON value, ``Words`` in it where it is left open.
        actual: A JSON value, or ``Words`` where there is none.
    """

    where: str
    expected: Any
    actual: Any


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of one check.

    Attributes:
        id: The check's id, the vector's for a vector.
        clauses: What it is charged to.
        level: The level of the part that it tries.
        source: The source of that part.
        verdict: What was found.
        reason: Why, in a sentence; empty for a plain pass.
        evidence: What shows it: counts, frames, recorded behaviour.
        duration_s: How long it took.
        entries: The traffic.
        prelude: How many entries at the beginning are of the suite's own requests.
        differences: What was expected and what came.
        stderr: The end of the subject's stderr where it failed.
        reproduce: One line of shell that shows it again, or None.
        title: The check's title.
        because: The clause whose failure hides this one, or None.
        monitors: Deviations that monitors saw while it ran and that are charged to
            other clauses.
        by_monitor: Whether a monitor gave it, beside the checks.
        first_in: The check during which a monitor first saw the clause broken, or None.
        ended: How the subject ended while an answer of it was waited for, or None.
        place: Which of the checks of a whole run it is of, from 1; 0 where it is of
            none or that is not known.
        why: The `Reason` of which the sentence is made; None if nothing is wrong.
        key: What failures of one cause have in common: the kind of the reason, its
            clause and its place; empty if that is not known.
    """

    id: str
    clauses: tuple[str, ...]
    level: Level
    source: str
    verdict: Verdict
    reason: str = ""
    evidence: Mapping[str, Any] = field(default_factory=dict[str, Any])
    duration_s: float = 0.0
    entries: Sequence[Entry] = ()
    prelude: int = 0
    differences: Sequence[Difference] = ()
    stderr: str = ""
    reproduce: str | None = None
    title: str = ""
    because: str | None = None
    monitors: Sequence[Deviation] = ()
    by_monitor: bool = False
    first_in: str | None = None
    ended: str | None = None
    place: int = 0
    why: Any = None
    key: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClauseVerdict:
    """What all checks of a clause say together.

    Attributes:
        id: The clause's id.
        level: The clause's first level.
        verdict: The worst of its checks.
        checks: The ids of its checks.
    """

    id: str
    level: Level
    verdict: Verdict
    checks: tuple[str, ...]


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict that weighs most; not applicable weighs least."""
    return min(verdicts, key=_WORST_FIRST.index)


def clause_verdicts(
    results: Iterable[Result], levels: Mapping[str, Level]
) -> list[ClauseVerdict]:
    """Gather results by clause, in the order of the catalogue.

    Args:
        results: The results of one subject.
        levels: Each clause's first level, in catalogue order.
    """
    by_clause: dict[str, list[Result]] = {clause: [] for clause in levels}
    for result in results:
        for clause in result.clauses:
            by_clause.setdefault(clause, []).append(result)
    return [
        ClauseVerdict(
            clause,
            levels.get(clause, "must"),
            worst(result.verdict for result in _telling(clause, found)),
            tuple(result.id for result in found),
        )
        for clause, found in by_clause.items()
        if found
    ]


def _telling(clause: str, found: list[Result]) -> list[Result]:
    """Return the results of a clause, without those that rest on its own breach."""
    apart = [
        one
        for one in found
        if one.verdict is not Verdict.NOT_TESTABLE or one.because != clause
    ]
    return apart if any(one.verdict in AGAINST for one in apart) else found


def totals(results: Iterable[Result]) -> dict[Level, dict[str, int]]:
    """Count verdicts by level."""
    counts: dict[Level, dict[str, int]] = {level: {} for level in LEVELS}
    for result in results:
        row = counts[result.level]
        row[result.verdict.value] = row.get(result.verdict.value, 0) + 1
    return counts


def is_conformant(results: Sequence[Result]) -> bool:
    """Tell whether a subject conforms: a MUST was decided and none is against it.

    What monitors saw by the way decides nothing where no check did.
    """
    musts = [result for result in results if result.level == "must"]
    return (
        decided(result for result in results if not result.by_monitor)
        and decided(musts)
        and not is_against(results)
    )


def of_document(results: Iterable[Result]) -> list[Result]:
    """Return the results of what the document, or a standard that it names, states."""
    return [one for one in results if one.source in DOCUMENT_SOURCES]


def is_against(results: Iterable[Result]) -> bool:
    """Tell whether anything found speaks against conformance: of a MUST alone."""
    musts = (result for result in results if result.level == "must")
    return any(result.verdict in _AGAINST_CONFORMANCE for result in musts)


def decided(results: Iterable[Result]) -> bool:
    """Tell whether anything at all was learnt about the subject."""
    return any(result.verdict in DECIDED for result in results)
