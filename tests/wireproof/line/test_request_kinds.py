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
