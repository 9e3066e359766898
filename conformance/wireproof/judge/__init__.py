"""What an observation means: pure functions, without I/O, time or randomness."""

from __future__ import annotations

from wireproof.judge._observation import (
    Ended,
    Event,
    Observation,
    Received,
    Restarted,
    Sent,
    StepDone,
    Wait,
    WaitEnd,
)
from wireproof.judge._reason import Judgement, Reason
from wireproof.judge._rules import Rule, Rules
from wireproof.judge._walk import LAST_FENCE, Case, Walk, judge

__all__ = [
    "LAST_FENCE",
    "Case",
    "Ended",
    "Event",
    "Judgement",
    "Observation",
    "Reason",
    "Received",
    "Restarted",
    "Rule",
    "Rules",
    "Sent",
    "StepDone",
    "Wait",
    "WaitEnd",
    "Walk",
    "judge",
]
