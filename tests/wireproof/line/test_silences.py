from __future__ import annotations

import pytest

from wireproof.line._silences import Silences


@pytest.mark.parametrize(
    ("answered", "wanted"),
    [
        ("the control alone", [None] * 2 + [0.2] * 8 + [0.05]),
        ("nothing", [None] * 2 + [0.5] * 2 + [0.2] * 6 + [0.05]),
    ],
)
def test_the_more_is_left_unanswered_the_more_briefly_it_is_waited_for(
    answered: str, wanted: list[float | None]
) -> None:
    silences = Silences()
    silences.begin("HV1-T4")
    limits = []
    for _ in range(11):
        limits.append(silences.limit())
        silences.add(control_answered=answered != "nothing", brief=False)
    assert limits == wanted


def test_in_full_nothing_is_waited_for_briefly() -> None:
    silences = Silences()
    for _ in range(11):
        silences.add(control_answered=True, brief=False)
    with silences.in_full():
        assert silences.limit() is None
    assert silences.limit() == 0.05
