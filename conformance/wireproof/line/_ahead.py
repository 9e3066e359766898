"""Requests of one check that may all be sent before the first answer is awaited.

A subject that is slow to answer costs one wait for each request that is sent only when
the one before it is answered. Where nothing in a later request comes from an earlier
answer, and each has an id of its own, all can be sent first. What is learnt from that
is only that all is well: a check in which anything differs is carried out as written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.patterns import is_array, is_object

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Step = Mapping[str, Any]

PLAIN_STEPS = ({"send"}, {"expect"})
"""The keys of steps that may change places: one request, or one answer."""

ASIDE = frozenset({"clause", "on"})
"""Keys that such a step may have beside them."""

ID_KEYS = ("id", "requestId")
"""Where a request has its id."""


def sent_ahead(steps: Sequence[Step]) -> Sequence[Step] | None:
    """Return the steps with all requests in front, or None where order matters.

    Args:
        steps: The steps as the vector has them.
    """
    if any(step.keys() - ASIDE not in PLAIN_STEPS for step in steps):
        return None
    sends = [step for step in steps if "send" in step]
    expects = [step for step in steps if "expect" in step]
    asked = [_exchange_of(step, step["send"]) for step in sends]
    answered = {_exchange_of(step, step["expect"]) for step in expects}
    if None in asked or set(asked) != answered or len(answered) < len(asked):
        return None
    if any(_saves(step["expect"]) for step in expects):
        return None
    return None if list(steps) == [*sends, *expects] else [*sends, *expects]


def _exchange_of(step: Step, message: Any) -> tuple[str, str] | None:
    """Return the connection and the id of a request or an answer; None without id."""
    keys = (key for key in ID_KEYS if is_object(message) and key in message)
    found = next((message[key] for key in keys), None)
    return (step.get("on", ""), found) if isinstance(found, str) else None


def _saves(pattern: Any) -> bool:
    """Tell whether a pattern keeps something for a later request."""
    if is_object(pattern):
        return "$save" in pattern or any(map(_saves, pattern.values()))
    return is_array(pattern) and any(map(_saves, pattern))
