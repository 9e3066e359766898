from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from wireproof.line import pieces, writes_in_order
from wireproof.line._cuts import sends_at_once

if TYPE_CHECKING:
    from wireproof.line import Cut


@pytest.mark.parametrize(
    ("cut", "wanted"),
    [
        (None, [b"abc"]),
        ("every-byte", [b"a", b"b", b"c"]),
        ([1], [b"a", b"bc"]),
        ([2, 1], [b"a", b"b", b"c"]),
        ([0, 3], [b"abc"]),
    ],
)
def test_bytes_are_cut_where_it_is_asked(cut: Cut, wanted: list[bytes]) -> None:
    assert pieces(b"abc", cut) == wanted


def test_what_was_sent_after_an_answer_stands_apart() -> None:
    steps: list[dict[str, Any]] = [
        {"send": 1},
        {"send_raw": 2},
        {"expect": 3},
        {"send": 4},
        {"fence": {}},
    ]
    assert writes_in_order([b"a", b"b", b"c"], steps) == [b"ab", b"c"]


def test_what_was_cut_stays_in_its_pieces() -> None:
    steps: list[dict[str, Any]] = [{"send": 1}, {"send": 2, "cut": [1]}, {"send": 3}]
    assert writes_in_order([b"a", b"bc", b"d"], steps) == [b"ab", b"cd"]


def test_what_no_step_accounts_for_comes_last() -> None:
    assert writes_in_order([b"a", b"b", b"c"], [{"send": 1}]) == [b"a", b"bc"]
    assert writes_in_order([], [{"send": 1}, {"expect": 2}]) == []


def test_steps_that_were_not_carried_out_have_sent_nothing() -> None:
    assert writes_in_order([b"a"], [{"send": 1}, {"expect": 2}, {"send": 3}]) == [b"a"]


@pytest.mark.parametrize(
    "steps",
    [
        [{"send": 1}],
        [{"send_many": [1, 2]}, {"expect": 3}],
        [{"send_raw": [{"text": "a\n", "times": 2}]}, {"expect": 3}],
        [{"send_raw": [{"text": "a\n"}, {"text": "b\n"}]}, {"expect": 3}],
        [{"send": 1}, {"send_raw": [{"text": "a"}]}, {"expect": 3}],
        [{"send": 1}, {"fence": {}}, {"send": 2}, {"expect": 3}],
        [{"send": 1}, {"expect_optional": 2}, {"fence": {}}, {"expect": 3}],
    ],
)
def test_what_is_sent_behind_something_else_may_come_with_it_in_one_read(
    steps: list[dict[str, Any]],
) -> None:
    assert sends_at_once(steps)


@pytest.mark.parametrize(
    "steps",
    [
        [],
        [{"send": 1}, {"expect": 2}],
        [{"send_raw": [{"text": "a\n"}]}, {"expect": 2}],
        [{"send": 1}, {"expect": 2}, {"fence": {}}, {"send": 2}, {"expect": 3}],
    ],
)
def test_what_is_sent_after_an_answer_comes_alone(steps: list[dict[str, Any]]) -> None:
    assert not sends_at_once(steps)
