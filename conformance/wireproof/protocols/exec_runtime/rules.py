"""Which clause of exec-runtime an observed fault breaks."""

from __future__ import annotations

from wireproof.bridge import DRIVER_FAULTS
from wireproof.judge import Rule

FAULTS: dict[str, Rule | tuple[Rule, ...]] = {
    **DRIVER_FAULTS,
    # What a plain call rests on.
    "no-plain-call": Rule("EXEC-R4"),
    "no-default-limit": Rule("EXEC-R10"),
}

DEFAULT_LIMIT = "EXEC-R10"
"""What a runtime breaks that says of itself that it has no default limit."""

BASIC = frozenset({"EXEC-R1", "EXEC-R2", "EXEC-R3", "EXEC-R4"})
"""What a plain call rests on: checks of them are tried though none succeeds."""
