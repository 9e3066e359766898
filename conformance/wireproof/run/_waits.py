"""All times of a run, in one table."""

from __future__ import annotations

from collections import Counter, deque
from statistics import median
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal[
    "start", "nudge", "answer", "absence", "exit", "close", "look"
]
"""What is waited for: the first answer; an answer before the control is sent; an answer
at all; a frame that should not come; the exit; all bytes of a write to be taken; what
shows beside the frames."""


class Limit(NamedTuple):
    """Seconds to wait: a floor, a multiple of the latency of the run, and a cap."""

    floor: float
    latencies: float
    cap: float


LIMITS: dict[Kind, Limit] = {
    "start": Limit(20.0, 0, 20.0),
    "nudge": Limit(0.05, 5, 2.0),
    "answer": Limit(2.0, 20, 10.0),
    "absence": Limit(0.05, 3, 1.0),
    "exit": Limit(2.0, 20, 10.0),
    "close": Limit(5.0, 0, 5.0),
    "look": Limit(2.0, 20, 10.0),
}

BRIEF = Limit(0.05, 5, 2.0)
"""A wait of any kind but the start, once full ones of its kind were in vain."""

PROVEN = 2
"""Full waits in vain after which the next ones of their kind are brief."""

CONFIRMED = 3
"""Failures of one kind that full waits confirmed, after which brief ones are enough."""

SLOWER = 5
"""Factor for the times of tools in the second try of a check that measures time."""

EARLY_SECONDS = 1.0
"""Seconds after which a subject that was just started is asked a second control."""

LONG_SECONDS = 5.0
"""Seconds of a wait from which on the user is told of it."""

PLACE_SECONDS = 3.0
"""Seconds that one place may take on a slow subject: it gets fewer values then."""

BYTES_A_SECOND = 4 << 20
"""Bytes that a subject takes in a second at the least: what is sent in a check adds so
much to each of its waits."""

BEYOND_SECONDS = 1.0
"""Seconds by which an answer may be later than the limit of a step."""

READ_POLL = 0.0005
"""Seconds between two looks at whether a subject has read what was written."""

SAMPLES = 31
"""Latest exchanges of which the latency is the median."""


class Waits:
    """How long to wait, by what this run has measured.

    Attributes:
        latency: Seconds of a trivial exchange, a median; 0 before the first.
    """

    def __init__(self, most: float | None = None) -> None:
        """Begin without a measured latency.

        Args:
            most: Most seconds to wait for any answer; None for those of the table.
        """
        self.latency = 0.0
        self._most = most
        self._samples: deque[float] = deque(maxlen=SAMPLES)
        self._in_vain: Counter[Kind] = Counter()

    def measured(self, seconds: float) -> None:
        """Take how long a trivial exchange took."""
        self._samples.append(seconds)
        self.latency = median(self._samples)

    def in_vain(self, kind: Kind) -> None:
        """Take note that a full wait of this kind ended in vain."""
        self._in_vain[kind] += 1

    def forget(self, kind: Kind) -> None:
        """Take note that what is waited for came after all."""
        self._in_vain[kind] = 0

    def is_proven(self, kind: Kind) -> bool:
        """Return whether enough full waits of this kind were in vain."""
        return self._in_vain[kind] >= PROVEN

    def seconds(self, kind: Kind, *, full: bool = True) -> float:
        """Return the seconds to wait.

        Args:
            kind: What is waited for.
            full: Whether the wait is a full one, although others were in vain.
        """
        limits = [LIMITS[kind]]
        if not full and kind != "start" and self.is_proven(kind):
            limits.append(BRIEF)
        latency = self.latency
        seconds = min(
            min(one.cap, max(one.floor, one.latencies * latency)) for one in limits
        )
        return seconds if self._most is None else min(seconds, self._most)
