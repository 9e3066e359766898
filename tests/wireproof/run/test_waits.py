from __future__ import annotations

import pytest

from wireproof.run import LIMITS, Waits
from wireproof.run._waits import BRIEF, CONFIRMED, PROVEN, SAMPLES, Kind

KINDS = [*LIMITS]
SLOW = 1_000.0
"""A latency beyond all that the caps allow."""


def after(*latencies: float, most: float | None = None) -> Waits:
    """Return the waits of a run that has measured exchanges."""
    waits = Waits(most)
    for seconds in latencies:
        waits.measured(seconds)
    return waits


@pytest.mark.parametrize(
    ("kind", "quick", "usual", "slow"),
    [
        ("start", 20.0, 20.0, 20.0),
        ("nudge", 0.05, 0.5, 2.0),
        ("answer", 2.0, 2.0, 10.0),
        ("absence", 0.05, 0.3, 1.0),
        ("exit", 2.0, 2.0, 10.0),
        ("close", 5.0, 5.0, 5.0),
    ],
)
def test_a_wait_is_a_multiple_of_the_latency_between_a_floor_and_a_cap(
    kind: Kind, quick: float, usual: float, slow: float
) -> None:
    assert after().seconds(kind) == quick
    assert after(0.001).seconds(kind) == quick
    assert after(0.1).seconds(kind) == pytest.approx(usual)
    assert after(SLOW).seconds(kind) == slow


def test_there_is_no_latency_before_the_first_exchange() -> None:
    assert after().latency == 0.0


def test_the_latency_is_a_median() -> None:
    assert after(0.1, 5.0, 0.2).latency == 0.2


def test_the_latency_is_that_of_the_latest_exchanges() -> None:
    waits = after(*[5.0] * SAMPLES, *[0.1] * (SAMPLES // 2))
    assert waits.latency == 5.0
    waits.measured(0.1)
    assert waits.latency == 0.1


@pytest.mark.parametrize("kind", KINDS)
def test_a_user_may_set_the_most_seconds_of_any_wait(kind: Kind) -> None:
    assert after(SLOW, most=0.01).seconds(kind) == 0.01
    assert after(most=1_000.0).seconds(kind) == after().seconds(kind)


@pytest.mark.parametrize("kind", ["answer", "exit"])
def test_a_wait_is_brief_once_enough_full_ones_were_in_vain(kind: Kind) -> None:
    waits = after()
    for _ in range(PROVEN):
        assert not waits.is_proven(kind)
        assert waits.seconds(kind, full=False) == 2.0
        waits.in_vain(kind)
    assert waits.is_proven(kind)
    assert waits.seconds(kind, full=False) == BRIEF.floor
    assert waits.seconds(kind) == 2.0


def test_a_brief_wait_grows_with_the_latency_up_to_its_cap() -> None:
    for latency, seconds in ((0.1, 0.5), (SLOW, 2.0)):
        waits = after(latency)
        for _ in range(PROVEN):
            waits.in_vain("answer")
        assert waits.seconds("answer", full=False) == pytest.approx(seconds)


def test_a_wait_is_brief_for_its_own_kind_alone() -> None:
    waits = after()
    for _ in range(PROVEN):
        waits.in_vain("answer")
    assert not waits.is_proven("exit")
    assert waits.seconds("exit", full=False) == 2.0


def test_a_brief_wait_is_never_longer_than_a_full_one() -> None:
    waits = after()
    for _ in range(PROVEN):
        waits.in_vain("absence")
    assert waits.seconds("absence", full=False) == 0.05


def test_an_answer_that_came_after_all_makes_waits_full_again() -> None:
    waits = after()
    for _ in range(PROVEN):
        waits.in_vain("start")
    waits.forget("start")
    assert not waits.is_proven("start")
    assert waits.seconds("start", full=False) == 20.0


def test_the_floor_of_each_wait_is_below_its_cap() -> None:
    assert all(limit.floor <= limit.cap for limit in [*LIMITS.values(), BRIEF])


def test_full_waits_are_confirmed_more_often_than_they_are_proven() -> None:
    assert 0 < PROVEN < CONFIRMED
