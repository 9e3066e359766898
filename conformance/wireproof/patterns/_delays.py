"""How long messages ask the tools of the toolset to wait."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.patterns._forms import is_array, is_object

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Step = Mapping[str, Any]


def delay_of(steps: Sequence[Step]) -> float:
    """Return the seconds that steps ask tools to wait, but for those ended early."""
    awaited = [step for step in steps if step.get("waits", True)]
    return sum(asked_delay(step.get("send")) for step in awaited)


def asked_delay(message: Any) -> float:
    """Return the seconds for which a message asks tools to wait, at the most.

    A ``timeoutMs`` of the message ends them, as it does on the socket.
    """
    if is_object(message):
        total = 0.0
        for key, value in message.items():
            if key == "ms" and isinstance(value, int | float):
                total += value / 1000
            elif key == "delay_ms" and isinstance(value, int | float):
                parts = message.get("parts")
                total += value / 1000 * (len(parts) if is_array(parts) else 1)
            elif is_object(value):
                total += asked_delay(value)
        limit = message.get("timeoutMs")
        if isinstance(limit, int | float) and limit > 0:
            total = min(total, limit / 1000)
        return total
    return 0.0
