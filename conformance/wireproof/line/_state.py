"""Where a session stands with its subject, and what brings it from there to where.

Theory of operation. A session is in one of the states of ``SessionState`` and goes from
one to the next by ``TRANSITIONS`` only::

    DOWN ──launched──► STARTING ──controlled──► SERVING
                           └──failed──► FAILED ──given up──► GIVEN_UP

from SERVING to GIVEN_UP where it is seen that no subject serves for long, and from each
but the last back to DOWN where the subject has ended.
"""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class SessionState(Enum):
    """Where a session stands with its subject."""

    DOWN = "none runs"
    STARTING = "one was launched and has answered no control yet"
    SERVING = "one runs that answers a control"
    FAILED = "one was launched and did not come up"
    GIVEN_UP = "none is launched any more"


class SessionEvent(Enum):
    """What brings a session from one state to another."""

    LAUNCHED = "launched"
    CONTROLLED = "controlled"
    FAILED = "failed"
    ENDED = "ended"
    GIVEN_UP = "given up"


TRANSITIONS: Mapping[SessionState, Mapping[SessionEvent, SessionState]] = (
    MappingProxyType(
        {
            SessionState.DOWN: {
                SessionEvent.LAUNCHED: SessionState.STARTING,
                SessionEvent.ENDED: SessionState.DOWN,
            },
            SessionState.STARTING: {
                SessionEvent.CONTROLLED: SessionState.SERVING,
                SessionEvent.FAILED: SessionState.FAILED,
                SessionEvent.ENDED: SessionState.DOWN,
            },
            SessionState.SERVING: {
                SessionEvent.ENDED: SessionState.DOWN,
                SessionEvent.GIVEN_UP: SessionState.GIVEN_UP,
            },
            SessionState.FAILED: {
                SessionEvent.GIVEN_UP: SessionState.GIVEN_UP,
                SessionEvent.ENDED: SessionState.DOWN,
            },
            SessionState.GIVEN_UP: {SessionEvent.ENDED: SessionState.GIVEN_UP},
        }
    )
)
"""The state that follows, by the state and by what happens."""
