from __future__ import annotations

from dataclasses import replace

import pytest

from wireproof.checks import (
    Level,
    Result,
    Verdict,
    broken,
    clause_verdicts,
    decided,
    is_conformant,
    totals,
    worst,
)
from wireproof.checks._verdicts import ClauseVerdict


def result(
    verdict: Verdict, level: Level = "must", clause: str = "HV1-T1", name: str = "a"
) -> Result:
    return Result(name, (clause,), level, "seed", verdict)


@pytest.mark.parametrize(
    ("level", "verdict"),
    [
        ("must", Verdict.FAILED),
        ("should", Verdict.WARNED),
        ("may", Verdict.RECORDED),
    ],
)
def test_how_a_broken_clause_counts_depends_on_its_level(
    level: Level, verdict: Verdict
) -> None:
    assert broken(level) is verdict


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([Verdict.PASSED], Verdict.PASSED),
        ([Verdict.NOT_APPLICABLE, Verdict.PASSED], Verdict.PASSED),
        ([Verdict.PASSED, Verdict.RECORDED], Verdict.RECORDED),
        ([Verdict.RECORDED, Verdict.WARNED], Verdict.WARNED),
        ([Verdict.WARNED, Verdict.NOT_TESTABLE], Verdict.NOT_TESTABLE),
        ([Verdict.NOT_TESTABLE, Verdict.FAILED], Verdict.FAILED),
        ([Verdict.FAILED, Verdict.HARNESS_ERROR], Verdict.HARNESS_ERROR),
        ([Verdict.NOT_APPLICABLE], Verdict.NOT_APPLICABLE),
    ],
)
def test_the_worse_of_two_verdicts_weighs(
    verdicts: list[Verdict], expected: Verdict
) -> None:
    assert worst(verdicts) is expected
    assert worst(reversed(verdicts)) is expected


def test_the_verdict_of_a_clause_is_the_worst_of_its_checks() -> None:
    results = [
        result(Verdict.PASSED, clause="HV1-T2", name="one"),
        result(Verdict.WARNED, "should", clause="HV1-T2", name="two"),
        result(Verdict.PASSED, clause="HV1-T1", name="three"),
    ]
    assert clause_verdicts(
        results, {"HV1-T1": "must", "HV1-T2": "must", "HV1-T3": "must"}
    ) == [
        ClauseVerdict("HV1-T1", "must", Verdict.PASSED, ("three",)),
        ClauseVerdict("HV1-T2", "must", Verdict.WARNED, ("one", "two")),
    ]


@pytest.mark.parametrize(
    ("seen", "because", "expected"),
    [
        (Verdict.WARNED, "HV1-T9", Verdict.WARNED),
        (Verdict.PASSED, "HV1-T9", Verdict.NOT_TESTABLE),
        (Verdict.WARNED, "HV1-T1", Verdict.NOT_TESTABLE),
    ],
)
def test_what_rests_on_a_clause_that_is_seen_broken_tells_no_more_of_it(
    seen: Verdict, because: str, expected: Verdict
) -> None:
    rests = replace(
        result(Verdict.NOT_TESTABLE, clause="HV1-T9", name="two"), because=because
    )
    found = clause_verdicts(
        [result(seen, "should", clause="HV1-T9", name="one"), rests], {"HV1-T9": "must"}
    )
    assert [one.verdict for one in found] == [expected]


def test_a_check_of_several_clauses_counts_for_each() -> None:
    both = Result("a", ("HV1-T1", "HV1-T6"), "must", "seed", Verdict.PASSED)
    assert clause_verdicts([both], {"HV1-T1": "must", "HV1-T6": "should"}) == [
        ClauseVerdict("HV1-T1", "must", Verdict.PASSED, ("a",)),
        ClauseVerdict("HV1-T6", "should", Verdict.PASSED, ("a",)),
    ]


def test_totals_count_verdicts_by_the_level_of_the_check() -> None:
    results = [
        result(Verdict.PASSED),
        result(Verdict.PASSED),
        result(Verdict.NOT_TESTABLE),
        result(Verdict.WARNED, "should"),
        result(Verdict.RECORDED, "may"),
    ]
    assert totals(results) == {
        "must": {"passed": 2, "not testable": 1},
        "should": {"warned": 1},
        "may": {"recorded": 1},
    }


def test_totals_of_nothing_are_empty() -> None:
    assert totals([]) == {"must": {}, "should": {}, "may": {}}


def test_a_subject_conforms_when_its_musts_pass() -> None:
    assert is_conformant(
        [
            result(Verdict.PASSED),
            result(Verdict.NOT_APPLICABLE),
            result(Verdict.WARNED, "should"),
            result(Verdict.NOT_TESTABLE, "should"),
            result(Verdict.RECORDED, "may"),
        ]
    )


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict.FAILED,
        Verdict.NOT_TESTABLE,
        Verdict.HARNESS_ERROR,
    ],
)
def test_one_such_must_is_against_conformance(verdict: Verdict) -> None:
    assert not is_conformant([result(Verdict.PASSED), result(verdict)])


@pytest.mark.parametrize(
    "results",
    [
        [],
        [result(Verdict.NOT_APPLICABLE)],
        [result(Verdict.PASSED, "should"), result(Verdict.RECORDED, "may")],
    ],
)
def test_nobody_conforms_without_a_must_that_was_decided(results: list[Result]) -> None:
    assert not is_conformant(results)


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        (Verdict.PASSED, True),
        (Verdict.FAILED, True),
        (Verdict.WARNED, True),
        (Verdict.RECORDED, True),
        (Verdict.NOT_APPLICABLE, False),
        (Verdict.NOT_TESTABLE, False),
        (Verdict.HARNESS_ERROR, False),
    ],
)
def test_some_verdicts_decide_and_others_do_not(
    verdict: Verdict, *, expected: bool
) -> None:
    assert decided([result(verdict, "may")]) is expected


def test_nothing_is_decided_by_no_results() -> None:
    assert not decided([])
