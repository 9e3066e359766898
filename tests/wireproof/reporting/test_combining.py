from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.wireproof.reporting.reports import (
    BAD,
    BROKEN,
    CATALOGUE,
    GOOD,
    HELD,
    HIDDEN,
    WATCHED,
    report_of,
    subject_of,
)

from wireproof.checks import ClauseText, Result, Verdict
from wireproof.reporting import SubjectReport, combine

SEEN = replace(WATCHED, verdict=Verdict.PASSED, evidence={"frames": 2})


def part(*results: Result, clauses: Sequence[ClauseText] = CATALOGUE) -> SubjectReport:
    """Return what one of several machines reports of a run of two checks."""
    return replace(subject_of("./host", results, available=2), catalogue=clauses)


def test_subjects_of_several_reports_stand_beside_each_other() -> None:
    merged = combine({"a": report_of(GOOD), "b": report_of(BAD)})
    assert merged.subjects == [GOOD, BAD]


def test_versions_of_a_subject_are_told_apart_by_their_reports() -> None:
    merged = combine({"1.0": report_of(GOOD), "1.1": report_of(GOOD)})
    assert [one.name for one in merged.subjects] == ["./good (1.0)", "./good (1.1)"]
    assert [one.target for one in merged.subjects] == ["./good", "./good"]


def test_the_parts_of_a_run_are_one_subject() -> None:
    first = part(HELD, SEEN, clauses=CATALOGUE[:1])
    second = part(replace(HELD, id="host-v1/b/c"), SEEN, clauses=CATALOGUE[1:])
    (subject,) = combine({"1": report_of(first), "2": report_of(second)}).subjects
    assert [one.id for one in subject.results] == [HELD.id, "host-v1/b/c", SEEN.id]
    assert subject.results[-1].evidence == {"frames": 4}
    assert (subject.ran, subject.available, subject.conformant) == (2, 2, True)
    assert [one.id for one in subject.catalogue] == ["HV1-M1", "HV1-M2", "HV1-T6"]
    assert subject.facts is not None
    assert subject.facts.starts == 4


def test_subjects_that_are_called_alike_in_one_report_are_numbered() -> None:
    twice = report_of(GOOD, GOOD)
    merged = combine({"a": twice, "b": report_of(GOOD)})
    assert [one.name for one in merged.subjects] == [
        "./good (a)",
        "./good (a) #2",
        "./good (b)",
    ]


def test_the_checks_of_a_run_stand_in_its_order_whichever_part_comes_first() -> None:
    first, second = replace(HELD, place=1), replace(BROKEN, place=2)
    for parts in ((first, second), (second, first)):
        reports = {str(n): report_of(part(one)) for n, one in enumerate(parts)}
        (subject,) = combine(reports).subjects
        assert [one.id for one in subject.results] == [first.id, second.id]


def test_one_part_that_is_missing_leaves_conformance_open() -> None:
    (subject,) = combine({"1": report_of(part(HELD))}).subjects
    assert (subject.partial, subject.conformant) == (True, False)


def test_a_failure_of_any_part_is_one_of_the_whole() -> None:
    parts = {"1": report_of(part(HELD)), "2": report_of(part(BROKEN))}
    (subject,) = combine(parts).subjects
    assert (subject.partial, subject.conformant) == (False, False)


@pytest.mark.parametrize(
    "other",
    [
        part(HELD),
        replace(part(BROKEN), available=3),
        replace(part(BROKEN), ran=2),
        replace(part(BROKEN), target="./another"),
    ],
)
def test_what_is_not_of_one_run_is_not_joined(other: SubjectReport) -> None:
    merged = combine({"1": report_of(part(HELD)), "2": report_of(other)})
    assert len(merged.subjects) == 2


def test_parts_on_other_vectors_are_not_joined() -> None:
    other = replace(report_of(part(HIDDEN)), vectors_sha256="1" * 64)
    assert len(combine({"1": report_of(part(HELD)), "2": other}).subjects) == 2


def test_runs_begin_with_the_first_and_their_durations_are_added_up() -> None:
    first = report_of(GOOD)
    later = first.started_at + timedelta(seconds=10)
    second = replace(report_of(BAD), started_at=later, suite_version="0.2.0")
    merged = combine({"a": second, "b": first})
    assert (merged.started_at, merged.duration_s) == (first.started_at, 3.0)
    assert merged.suite_version == "0.2.0, 0.1.0"
    assert merged.interrupted is False
