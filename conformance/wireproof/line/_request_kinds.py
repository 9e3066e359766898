"""Which kinds of request a subject has answered, and which it leaves unanswered.

A kind is a request's method or type, and its tool. What was waited for in full a few
times, and was never answered, is known to stay so: a brief wait then says as much of
any clause.
"""

from __future__ import annotations

from collections import Counter

PROVEN_UNANSWERED = 4
"""Waits in full, each in vain, after which a kind is known to be left unanswered. Two
make waits brief; an answer that takes its time may still come after these."""


class RequestKinds:
    """What is known of the kinds of request that one subject was sent."""

    def __init__(self) -> None:
        """Begin with nothing known."""
        self._answered: set[str] = set()
        self._in_vain: Counter[str] = Counter()
        self._longest: dict[str, float] = {}

    def answered(self, kind: str, after: float = 0.0) -> None:
        """Take note that a frame came for a request of this kind.

        Args:
            kind: The kind.
            after: The seconds that it was waited for, where they matter.
        """
        self._answered.add(kind)
        self._longest[kind] = max(after, self._longest.get(kind, 0.0))

    def was_answered(self, kind: str) -> bool:
        """Tell whether a frame ever came for a request of this kind."""
        return kind in self._answered

    def left(self, kind: str) -> None:
        """Take note that one was waited for in full, and in vain."""
        self._in_vain[kind] += 1

    def longest_wait(self, kind: str) -> float | None:
        """Return how long one of a kind was waited for that came, in seconds.

        None where few were left unanswered: the next may take longer than all before.
        """
        if self._in_vain[kind] < PROVEN_UNANSWERED:
            return None
        return self._longest.get(kind, 0.0)

    def knows(self, kind: str) -> bool:
        """Tell whether a kind is known to be left unanswered."""
        enough = self._in_vain[kind] >= PROVEN_UNANSWERED
        return bool(kind) and enough and kind not in self._answered
