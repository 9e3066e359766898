from __future__ import annotations

import pytest

from wireproof.subjects import Patience


def test_the_first_answer_is_waited_for_longest() -> None:
    patience = Patience(None)
    assert patience.starting() == 30.0
    assert patience.allowance() == 5.0


def test_before_any_exchange_there_is_no_latency() -> None:
    assert Patience(None).latency == 0


def test_the_latency_is_that_of_the_slowest_recent_exchange() -> None:
    patience = Patience(None)
    patience.measured(9.0)
    for _ in range(20):
        patience.measured(0.5)
    assert patience.latency == 0.5
    patience.measured(0.75)
    assert patience.latency == 0.75


def test_the_quickest_is_that_of_the_recent_exchanges() -> None:
    patience = Patience(None)
    assert patience.quickest == 0
    patience.measured(0.5)
    patience.measured(0.75)
    assert patience.quickest == 0.5


def test_a_slow_subject_is_given_twenty_times_its_latency() -> None:
    patience = Patience(None)
    patience.measured(0.5)
    assert patience.allowance() == 10.0


def test_no_answer_is_waited_for_longer_than_a_minute() -> None:
    patience = Patience(None)
    patience.measured(10.0)
    assert patience.allowance() == 60.0


def test_what_tools_were_asked_to_take_and_the_size_come_on_top() -> None:
    patience = Patience(None)
    assert patience.allowance(clause_seconds=3.0) == 8.0
    assert patience.allowance(size=16 << 20) == 21.0
    assert patience.allowance(clause_seconds=3.0, size=1 << 19) == 8.5


def test_a_subject_that_spent_the_budget_is_waited_for_less_long() -> None:
    patience = Patience(None)
    patience.spent = 30.0
    assert patience.allowance() == 1.0
    assert patience.starting() == 5.0


@pytest.mark.parametrize(("spent", "allowed"), [(44.9, 1.0), (45.0, 0.2)])
def test_one_that_spent_far_more_than_the_budget_is_hardly_waited_for(
    spent: float, allowed: float
) -> None:
    patience = Patience(None)
    patience.spent = spent
    assert patience.allowance() == allowed


def test_what_is_slow_has_its_time_however_much_was_spent() -> None:
    patience = Patience(None)
    patience.came_after(1.5)
    patience.spent = 45.0
    assert patience.allowance() == 3.0


def test_the_third_check_of_a_clause_in_vain_is_waited_for_less_long() -> None:
    patience = Patience(None)
    allowed: list[float] = []
    for clause in ["P-1", "P-1", "P-1", "P-2", "P-1"]:
        patience.begin(clause)
        allowed.append(patience.allowance())
        patience.spent += 1.0
    assert allowed == [5.0, 5.0, 1.0, 5.0, 1.0]


def test_a_check_that_waits_in_vain_twice_counts_once() -> None:
    patience = Patience(None)
    patience.begin("P-1")
    patience.spent += 5.0
    patience.spent += 5.0
    patience.begin("P-1")
    assert patience.allowance() == 5.0


def test_what_was_answered_in_time_makes_nobody_wait_less() -> None:
    patience = Patience(None)
    for _ in range(5):
        patience.begin("P-1")
    assert patience.allowance() == 5.0


def test_while_a_failure_is_made_smaller_waits_are_short() -> None:
    patience = Patience(None)
    patience.shortened = True
    assert patience.allowance() == 0.2
    patience.shortened = False
    assert patience.allowance() == 5.0


def test_a_subject_that_once_answered_is_given_its_time_to_start_all_the_same() -> None:
    patience = Patience(None)
    patience.spent = 30.0
    patience.measured(0.1)
    assert patience.starting() == 30.0


@pytest.mark.parametrize(("timeout", "expected"), [(2.0, 2.0), (0.25, 0.25)])
def test_a_short_limit_of_the_users_holds_for_every_answer(
    timeout: float, expected: float
) -> None:
    patience = Patience(timeout)
    assert patience.starting() == expected
    assert patience.allowance() == expected
    patience.measured(10.0)
    assert patience.allowance() == expected


def test_a_long_limit_of_the_users_leaves_room_for_a_slow_subject() -> None:
    patience = Patience(300.0)
    assert patience.starting() == 300.0
    assert patience.allowance() == 5.0
    patience.measured(10.0)
    assert patience.allowance() == 200.0


def test_the_time_of_a_clause_is_widened_by_the_latency() -> None:
    patience = Patience(None)
    assert patience.clause_limit(2.0) == 2.0
    patience.measured(0.25)
    assert patience.clause_limit(2.0) == 5.0


def test_a_brief_wait_lasts_as_long_as_all_that_came_took() -> None:
    patience = Patience(None)
    assert patience.brief(0.2) == 0.2
    patience.measured(0.1)
    assert patience.brief(0.2) == 2.0
    assert patience.brief(0.2, 5.0) == 0.5
    patience.came_after(1.5)
    assert patience.brief(0.2, 5.0) == 3.0


def test_who_is_slow_with_some_is_waited_for_when_the_budget_is_spent() -> None:
    patience = Patience(None, budget=10.0)
    patience.spent = 20.0
    assert patience.allowance() == 0.2
    patience.came_after(2.0)
    assert patience.allowance() == 4.0
    patience.came_after(20.0)
    assert patience.allowance() == 5.0
    for _ in range(200):
        patience.came_after(0.0)
    assert patience.allowance() == 0.2
