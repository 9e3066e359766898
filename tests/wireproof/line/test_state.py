"""The states of a session; what a session does is tested with each protocol's own."""

from __future__ import annotations

import pytest

from wireproof.line import SessionEvent, SessionState
from wireproof.line._state import TRANSITIONS


def test_every_state_says_what_follows() -> None:
    assert set(TRANSITIONS) == set(SessionState)


@pytest.mark.parametrize("state", SessionState)
def test_a_subject_may_end_in_every_state(state: SessionState) -> None:
    assert SessionEvent.ENDED in TRANSITIONS[state]


def test_one_that_was_given_up_is_launched_no_more() -> None:
    after = TRANSITIONS[SessionState.GIVEN_UP]
    assert after == {SessionEvent.ENDED: SessionState.GIVEN_UP}


def test_only_one_that_answered_a_control_serves() -> None:
    leading = {
        (state, event)
        for state, events in TRANSITIONS.items()
        for event, following in events.items()
        if following is SessionState.SERVING
    }
    assert leading == {(SessionState.STARTING, SessionEvent.CONTROLLED)}
