from __future__ import annotations

from wireproof.line._request_kinds import RequestKinds


def test_a_kind_is_known_once_it_was_waited_for_in_vain_four_times() -> None:
    kinds = RequestKinds()
    for _ in range(3):
        kinds.left("tool_call a")
    assert not kinds.knows("tool_call a")
    kinds.left("tool_call a")
    assert kinds.knows("tool_call a")
    assert not kinds.knows("tool_call b")


def test_a_kind_that_was_ever_answered_may_be_answered_late() -> None:
    kinds = RequestKinds()
    for _ in range(4):
        kinds.left("tool_call a")
    kinds.answered("tool_call a")
    assert not kinds.knows("tool_call a")


def test_of_a_request_that_is_not_known_nothing_is() -> None:
    kinds = RequestKinds()
    for _ in range(4):
        kinds.left("")
    assert not kinds.knows("")


def test_how_long_one_was_waited_for_counts_once_a_few_did_not_come() -> None:
    kinds = RequestKinds()
    kinds.answered("a line", 0.5)
    kinds.answered("a line", 0.1)
    for _ in range(3):
        kinds.left("a line")
    assert kinds.longest_wait("a line") is None
    kinds.left("a line")
    assert kinds.longest_wait("a line") == 0.5


def test_what_never_came_was_never_waited_for() -> None:
    kinds = RequestKinds()
    for _ in range(4):
        kinds.left("a line")
    assert kinds.longest_wait("a line") == 0.0
