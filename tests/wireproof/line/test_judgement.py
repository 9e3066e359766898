from __future__ import annotations

import pytest

from wireproof.checks import Deviation, Difference, Level, Verdict
from wireproof.line import Completed, Diverged, Judgement, Missing, MissingCause, judge

HELD = Completed({}, 1)
LATE = Missing(MissingCause.TIMEOUT, "no answer within 5.0 s")
GONE = Missing(MissingCause.EXITED, "the host exited with status 1")
CLOSED = Missing(MissingCause.CLOSED, "the host closed its stdout")
FLOODED = Missing(MissingCause.FLOODED, "more than 5000 lines came")
DIFFERENCE = Difference(where="/ok", expected=True, actual=False)
M1 = Deviation("HV1-M1", "must", "v is 2, not the integer 1")
T1 = Deviation("HV1-T1", "must", "a line is not a JSON object", hides=True)
T8 = Deviation("HV1-T8", "should", "the answer is no failure")


def test_steps_that_held_pass() -> None:
    assert judge(["HV1-T4"], "must", HELD, []) == Judgement(Verdict.PASSED)


def test_what_a_monitor_of_another_clause_found_leaves_a_pass_alone() -> None:
    assert judge(["HV1-T4"], "must", HELD, [M1, T1]) == Judgement(Verdict.PASSED)


@pytest.mark.parametrize(
    ("level", "verdict"), [("must", Verdict.PASSED), ("may", Verdict.RECORDED)]
)
def test_what_was_recorded_is_the_reason(level: Level, verdict: Verdict) -> None:
    outcome = Completed({"big-1": "exact", "big-2": "rounded"}, 2)
    assert judge(["HV1-M11"], level, outcome, []) == Judgement(
        verdict,
        "big-1: exact, big-2: rounded",
        recorded={"big-1": "exact", "big-2": "rounded"},
    )


@pytest.mark.parametrize(
    ("level", "verdict"), [("must", Verdict.FAILED), ("should", Verdict.WARNED)]
)
def test_a_frame_that_differs_breaks_the_clause(level: Level, verdict: Verdict) -> None:
    outcome = Diverged("a frame differs", differences=(DIFFERENCE,))
    assert judge(["HV1-R5"], level, outcome, []) == Judgement(
        verdict, "a frame differs", differences=(DIFFERENCE,)
    )


def test_a_may_that_was_not_met_is_recorded() -> None:
    outcome = Diverged("no answer", missing=LATE)
    assert judge(["HV1-T10"], "may", outcome, []) == Judgement(
        Verdict.RECORDED,
        "no answer",
        recorded={"outcome": "not handled: no answer"},
        subject_lost=True,
    )


def test_a_deviation_from_the_checks_own_clause_is_its_verdict() -> None:
    assert judge(["HV1-M1"], "must", HELD, [T1, M1]) == Judgement(
        Verdict.FAILED, "v is 2, not the integer 1", charged="HV1-M1"
    )


def test_the_level_of_the_deviation_counts_not_that_of_the_check() -> None:
    assert judge(["HV1-T8"], "must", HELD, [T8]).verdict is Verdict.WARNED


def test_an_own_deviation_keeps_the_difference_that_was_seen() -> None:
    outcome = Diverged("a frame differs", missing=LATE, differences=(DIFFERENCE,))
    assert judge(["HV1-M1"], "must", outcome, [M1]) == Judgement(
        Verdict.FAILED,
        "v is 2, not the integer 1",
        differences=(DIFFERENCE,),
        subject_lost=True,
        charged="HV1-M1",
    )


def test_a_step_that_is_charged_elsewhere_makes_the_check_not_testable() -> None:
    outcome = Diverged("a frame differs", "HV1-M6", differences=(DIFFERENCE,))
    assert judge(["HV1-R11"], "must", outcome, []) == Judgement(
        Verdict.NOT_TESTABLE,
        "not testable because of HV1-M6: a frame differs",
        "HV1-M6",
        (DIFFERENCE,),
    )


def test_a_step_that_is_charged_to_the_checks_own_clause_breaks_it() -> None:
    outcome = Diverged("a frame differs", "HV1-R11")
    assert judge(["HV1-R6", "HV1-R11"], "must", outcome, []) == Judgement(
        Verdict.FAILED, "a frame differs", charged="HV1-R11"
    )


def test_a_frame_that_a_monitor_flagged_is_charged_to_the_monitor() -> None:
    outcome = Diverged("a frame differs", deviations=(M1,))
    judgement = judge(["HV1-R5"], "must", outcome, [M1])
    assert judgement.verdict is Verdict.NOT_TESTABLE
    assert judgement.because == "HV1-M1"
    assert not judgement.subject_lost


def test_an_answer_that_may_have_been_lost_in_noise_is_charged_to_the_noise() -> None:
    judgement = judge(["HV1-R5"], "must", Diverged("late", missing=LATE), [M1, T1])
    assert judgement.verdict is Verdict.NOT_TESTABLE
    assert judgement.because == "HV1-T1"
    assert judgement.subject_lost


def test_a_deviation_that_hides_nothing_excuses_no_missing_answer() -> None:
    judgement = judge(["HV1-R5"], "must", Diverged("late", missing=LATE), [M1])
    assert judgement.verdict is Verdict.FAILED
    assert judgement.because is None


@pytest.mark.parametrize("missing", [GONE, CLOSED])
def test_a_death_is_charged_to_the_check_or_to_what_lost_frames(
    missing: Missing,
) -> None:
    outcome = Diverged("gone", missing=missing)
    assert judge(["HV1-R5"], "must", outcome, [M1]) == Judgement(
        Verdict.FAILED, "gone", subject_lost=True
    )
    hidden = judge(["HV1-R5"], "must", outcome, [T1])
    assert hidden.verdict is Verdict.NOT_TESTABLE
    assert hidden.because == "HV1-T1"


def test_a_flood_hides_what_was_to_be_seen() -> None:
    judgement = judge(["HV1-R5"], "must", Diverged("flood", missing=FLOODED), [M1])
    assert judgement.verdict is Verdict.NOT_TESTABLE
    assert judgement.because == "HV1-M1"


def test_a_flood_of_nothing_that_a_monitor_knows_breaks_the_check() -> None:
    judgement = judge(["HV1-R5"], "must", Diverged("flood", missing=FLOODED), [])
    assert judgement.verdict is Verdict.FAILED


M6 = Deviation("HV1-M6", "should", "there is no state", where="/result/state")


@pytest.mark.parametrize("where", ["/result/state", "/result/state/n"])
def test_a_part_that_is_wrong_hides_what_differs_in_it(where: str) -> None:
    difference = Difference(where=where, expected=1, actual=2)
    outcome = Diverged("it differs", differences=(difference,), deviations=(M6,))
    found = judge(["HV1-R7"], "must", outcome, [M6], {"HV1-M6": "should"})
    assert (found.verdict, found.because) == (Verdict.NOT_APPLICABLE, "HV1-M6")


@pytest.mark.parametrize("where", ["/result/value", "/result", "/result/statement"])
def test_a_part_that_is_wrong_excuses_nothing_else(where: str) -> None:
    difference = Difference(where=where, expected=1, actual=2)
    outcome = Diverged("it differs", differences=(difference,), deviations=(M6,))
    found = judge(["HV1-R3"], "must", outcome, [M6], {"HV1-M6": "should"})
    assert (found.verdict, found.because) == (Verdict.FAILED, None)
