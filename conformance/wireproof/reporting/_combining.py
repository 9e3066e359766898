"""Several reports put together: subjects, versions of one, and the parts of one run."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from wireproof.reporting._merging import merge_facts, merge_monitors
from wireproof.reporting._report import Report, SubjectReport

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks import ClauseText


def combine(reports: Mapping[str, Report]) -> Report:
    """Put reports together.

    The parts of one run, of which none has a check of another, become one subject with
    its checks in the order of a whole run, of which conformance can be said where they
    are all there. Other subjects of one name
    are told apart by the labels of their reports.

    Args:
        reports: At least one report, by what tells it from the others.

    Returns:
        A report of all their subjects. Durations are added up and versions of the suite
        listed; hash and platform are those of the newest report.
    """
    found: list[tuple[str, str, SubjectReport]] = []
    for label, report in reports.items():
        for subject in report.subjects:
            _add(found, label, report.vectors_sha256, subject)
    newest = max(reports.values(), key=lambda one: one.started_at)
    versions = dict.fromkeys(one.suite_version for one in reports.values())
    return Report(
        _told_apart([(label, subject) for label, _, subject in found]),
        min(one.started_at for one in reports.values()),
        round(sum(one.duration_s for one in reports.values()), 3),
        any(one.interrupted for one in reports.values()),
        ", ".join(versions),
        newest.vectors_sha256,
        newest.platform,
    )


def _add(
    found: list[tuple[str, str, SubjectReport]],
    label: str,
    vectors: str,
    subject: SubjectReport,
) -> None:
    """Add a subject, to the other part of its run where that is there."""
    for place, (first, hashed, other) in enumerate(found):
        if hashed == vectors and _are_parts(other, subject):
            found[place] = first, hashed, _joined(other, subject)
            return
    found.append((label, vectors, subject))


def _are_parts(one: SubjectReport, other: SubjectReport) -> bool:
    """Tell whether two are of one run, in which no check is carried out twice."""
    same = (one.protocol, one.target, one.name, one.sources) == (
        other.protocol,
        other.target,
        other.name,
        other.sources,
    )
    if not (same and one.partial and other.partial):
        return False
    return one.available == other.available and not _checks(one) & _checks(other)


def _checks(subject: SubjectReport) -> set[str]:
    return {result.id for result in subject.results if not result.by_monitor}


def _joined(one: SubjectReport, other: SubjectReport) -> SubjectReport:
    parts = (one, other)
    checks = sorted(
        (result for part in parts for result in part.results if not result.by_monitor),
        key=lambda result: result.place,
    )
    monitors = merge_monitors(
        [[result for result in part.results if result.by_monitor] for part in parts]
    )
    return replace(
        one,
        facts=merge_facts([part.facts for part in parts if part.facts]),
        results=[*checks, *monitors],
        catalogue=_all_clauses(parts),
        ran=one.ran + other.ran,
    )


def _all_clauses(parts: Sequence[SubjectReport]) -> Sequence[ClauseText]:
    """Return the clauses of all parts in the order of their ids, as catalogues are."""
    clauses = {clause.id: clause for part in parts for clause in part.catalogue}
    return [clauses[name] for name in sorted(clauses, key=_in_numbers)]


def _in_numbers(clause: str) -> tuple[str, int]:
    """Return what HV1-T2 comes before HV1-T10 by."""
    letters, digits = re.fullmatch(r"(.*?)([0-9]*)", clause, re.DOTALL).groups()  # type: ignore[union-attr]  # it fits any text
    return letters, int(digits or 0)


def _told_apart(found: Sequence[tuple[str, SubjectReport]]) -> list[SubjectReport]:
    """Give subjects of one protocol and name the labels of their reports.

    What is called alike even so, as two of one report are, is numbered.
    """
    names = Counter((subject.protocol, subject.name) for _, subject in found)
    taken: set[tuple[str, str]] = set()
    told: list[SubjectReport] = []
    for label, subject in found:
        alone = names[subject.protocol, subject.name] == 1
        name = wanted = subject.name if alone else f"{subject.name} ({label})"
        number = 2
        while (subject.protocol, name) in taken:
            name, number = f"{wanted} #{number}", number + 1
        taken.add((subject.protocol, name))
        told.append(subject if name == subject.name else replace(subject, name=name))
    return told
