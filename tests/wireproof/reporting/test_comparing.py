from __future__ import annotations

from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.wireproof.reporting.reports import (
    BAD,
    BROKEN,
    GOOD,
    HELD,
    HIDDEN,
    report_of,
    subject_of,
)

from wireproof.checks import Verdict
from wireproof.reporting import compare, comparison_lines

MENDED = replace(BROKEN, verdict=Verdict.PASSED, reason="", monitors=())


@pytest.mark.parametrize(
    ("before", "after", "regressions", "fixes"),
    [
        ("passed", "failed", 1, 0),
        ("passed", "warned", 1, 0),
        ("not applicable", "failed", 1, 0),
        ("known failure", "failed", 1, 0),
        ("passed", "known failure", 1, 0),
        ("passed", "not testable", 1, 0),
        ("failed", "passed", 0, 1),
        ("failed", "known failure", 0, 1),
        ("not testable", "not applicable", 0, 1),
        ("passed", "not applicable", 0, 0),
        ("not applicable", "passed", 0, 0),
        ("recorded", "passed", 0, 0),
        ("failed", "failed", 0, 0),
    ],
)
def test_a_change_is_a_regression_or_a_fix_or_neither(
    before: str, after: str, regressions: int, fixes: int
) -> None:
    old, new = (
        report_of(subject_of("./a", [replace(HELD, verdict=Verdict(verdict))]))
        for verdict in (before, after)
    )
    found = compare(old, new)
    (subject,) = found.subjects
    assert (len(subject.regressions), len(subject.fixes)) == (regressions, fixes)
    assert found.has_regressions is bool(regressions)


def test_checks_of_one_report_alone_are_new_or_gone() -> None:
    found = compare(
        report_of(subject_of("./a", [HELD, HIDDEN])),
        report_of(subject_of("./a", [HELD, BROKEN])),
    )
    (subject,) = found.subjects
    assert [one.id for one in subject.new] == [BROKEN.id]
    assert [one.id for one in subject.gone] == [HIDDEN.id]
    assert not found.has_regressions


def test_subjects_are_compared_by_name_where_there_are_several() -> None:
    found = compare(report_of(GOOD, BAD), report_of(BAD, subject_of("./c", [HELD])))
    assert [(one.before.name, one.after.name) for one in found.subjects] == [
        ("./bad", "./bad")
    ]
    assert [one.name for one in found.new] == ["./c"]
    assert [one.name for one in found.gone] == ["./good"]


def test_two_single_subjects_are_compared_whatever_their_names() -> None:
    found = compare(report_of(GOOD), report_of(BAD))
    assert [one.before.name for one in found.subjects] == ["./good"]
    assert found.new == found.gone == []


def test_what_became_worse_is_told_by_clause(snapshot: SnapshotAssertion) -> None:
    before = subject_of("reference", [HELD, MENDED, HIDDEN])
    broken = replace(BROKEN, reason="the id is \x1b[31m")
    after = subject_of("./host", [replace(HIDDEN, verdict=Verdict.PASSED), broken])
    told = comparison_lines(
        compare(
            report_of(before),
            report_of(
                after,
            ),
        )
    )
    assert "\n".join(told) == snapshot


def test_reports_without_a_common_subject_are_told_so() -> None:
    other = replace(GOOD, protocol="socket-v1", name="./server")
    assert list(comparison_lines(compare(report_of(GOOD), report_of(other)))) == [
        "new subject: socket-v1 ./server",
        "gone subject: host-v1 ./good",
        "no subject is in both reports",
    ]
