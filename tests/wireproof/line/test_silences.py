from __future__ import annotations

from wireproof.line._silences import Silences


def test_the_more_is_left_unanswered_the_more_briefly_it_is_waited_for() -> None:
    silences = Silences()
    silences.begin("HV1-T4")
    limits = []
    for _ in range(21):
        limits.append(silences.limit())
        silences.add(control_answered=True, brief=False)
    assert limits == [None] * 2 + [0.2] * 18 + [0.05]


def test_in_full_nothing_is_waited_for_briefly() -> None:
    silences = Silences()
    for _ in range(21):
        silences.add(control_answered=True, brief=False)
    with silences.in_full():
        assert silences.limit() is None
    assert silences.limit() == 0.05
