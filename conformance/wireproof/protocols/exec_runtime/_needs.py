"""Which checks of a runtime are tried though no plain call of it succeeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BASIC = ("EXEC-R1", "EXEC-R2", "EXEC-R3", "EXEC-R4")
"""What a plain call rests on: tried where no plain call succeeds, too."""

SHORT_CALLS = 4
"""Calls that a check of such a clause makes at most then: what comes of more after the
first failed costs a limit each and tells the same."""


def is_short(steps: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether steps make few calls, those side by side counted one by one."""
    calls = 0
    for step in steps:
        if step.get("op") == "call_many":
            calls += len(step["input"]["calls"])
        calls += step.get("op") == "call"
    return calls <= SHORT_CALLS
