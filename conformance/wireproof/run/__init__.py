"""The runner: checks in, observations and judgements out; one for all protocols."""

from __future__ import annotations

from wireproof.run._driver import (
    COMMON_STEPS,
    Answer,
    Came,
    Connections,
    Driver,
    Hands,
    Link,
    NotUp,
    PlainDriver,
    Request,
    Sink,
    Unproven,
    not_up,
)
from wireproof.run._handle import EngineHandle
from wireproof.run._runner import Outcome, Runner
from wireproof.run._side_by_side import SideBySide
from wireproof.run._suite import EngineSuite
from wireproof.run._waits import (
    BEYOND_SECONDS,
    BYTES_A_SECOND,
    LIMITS,
    SLOWER,
    Waits,
)

__all__ = [
    "BEYOND_SECONDS",
    "BYTES_A_SECOND",
    "COMMON_STEPS",
    "LIMITS",
    "SLOWER",
    "Answer",
    "Came",
    "Connections",
    "Driver",
    "EngineHandle",
    "EngineSuite",
    "Hands",
    "Link",
    "NotUp",
    "Outcome",
    "PlainDriver",
    "Request",
    "Runner",
    "SideBySide",
    "Sink",
    "Unproven",
    "Waits",
    "not_up",
]
