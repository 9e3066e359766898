from __future__ import annotations

import pytest

from wireproof.pytest_run._progress import TimeLeft, time_left_text


def test_a_run_begins_with_what_was_measured_before() -> None:
    assert TimeLeft({"a": 20.0, "b": 40.0}).estimate(0.0) == 60.0


def test_a_run_that_is_slower_than_measured_takes_longer_in_proportion() -> None:
    left = TimeLeft({"a": 20.0, "b": 50.0})
    left.finish("a")
    assert left.estimate(45.0) == 100.0


def test_a_run_on_several_workers_takes_less() -> None:
    left = TimeLeft({"a": 20.0, "b": 50.0})
    left.finish("a")
    assert left.estimate(5.0) == 20.0


def test_tests_of_the_users_own_and_a_check_run_again_change_nothing() -> None:
    left = TimeLeft({"a": 20.0, "b": 50.0})
    left.finish("a")
    left.finish("a")
    left.finish("test_own.py::test_own")
    assert left.estimate(20.0) == 50.0


def test_nothing_is_left_at_the_end() -> None:
    left = TimeLeft({"a": 4.0, "b": 8.0})
    left.finish("a")
    left.finish("b")
    assert left.estimate(100.0) == 0.0


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "1 s left"),
        (7.4, "7 s left"),
        (33.0, "35 s left"),
        (89.0, "90 s left"),
        (150.0, "2 min left"),
        (3000.0, "50 min left"),
        (5400.0, "1.5 h left"),
    ],
)
def test_an_estimate_is_told_no_more_exactly_than_it_is_known(
    seconds: float, text: str
) -> None:
    assert time_left_text(seconds) == text
