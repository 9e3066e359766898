"""What an observation means: pure functions, without I/O, time or randomness."""

from __future__ import annotations

from wireproof.judge._observation import (
    MAIN,
    Closed,
    Ended,
    Event,
    Noted,
    Observation,
    Opened,
    Ran,
    Received,
    Restarted,
    RunEnd,
    Sent,
    StepDone,
    Wait,
    WaitEnd,
)
from wireproof.judge._reason import Judgement, Reason
from wireproof.judge._rules import Look, Rule, Rules, Watched
from wireproof.judge._walk import LAST_FENCE, Case, Walk, judge

__all__ = [
    "LAST_FENCE",
    "MAIN",
    "Case",
    "Closed",
    "Ended",
    "Event",
    "Judgement",
    "Look",
    "Noted",
    "Observation",
    "Opened",
    "Ran",
    "Reason",
    "Received",
    "Restarted",
    "Rule",
    "Rules",
    "RunEnd",
    "Sent",
    "StepDone",
    "Wait",
    "WaitEnd",
    "Walk",
    "Watched",
    "judge",
]
