"""Whether the time that sanitising takes grows no faster than the text (INT-Z10).

Texts of one kind are tried at two lengths, turn about, and the best times compared: a
linear one takes eight times as long for eight times the text. The limit lies well
between that and the sixty-four times of a quadratic one, and a time that is lost in
that of a trivial exchange counts as that. Where the registry is in a process of the
suite's, the times are those that the processor spent on the call. Behind a driver they
are those of the clock; where the ratio is too high they are as long as its threads had
a processor, if the system tells: what a busy machine takes away is no time of the text.
They hold the reading of the line too, which is the driver's own matter: the time of a
custom call with the same text, which is left alone (INT-Z8), is taken away then.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from wireproof.checks import Difference, Words
from wireproof.judge import Look
from wireproof.protocols.interop._shapes import chat_call, custom_item
from wireproof.subjects import Computing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wireproof.bridge import OperationOps
    from wireproof.run import Hands

    Seen = dict[str, Any]

SMALL = 12_500
"""Units of the short text."""

FACTOR = 8
"""How much longer the long one is: its depth is that of the clause."""

MOST_RATIO = 24
"""Between the ratio of linear time and that of quadratic time."""

UNSEEN_SECONDS = 0.02
"""A long text that takes less says nothing: the pipe itself takes as long."""

MOST_READING = 2.0
"""As many times what reading the line takes a text has to take before the rest says
anything."""

SECONDS = 30.0
"""Allowed for one text beside the usual: a slow one is to be measured, not cut off."""

SURE_TURNS = 3
"""Times that a ratio which is too high must at least stay."""

SURE_SECONDS = 20.0
"""Seconds after which a ratio that has stayed so is not doubted any more: no busy
machine takes as long from the long text alone."""

KINDS: dict[str, Callable[[int], str]] = {
    "arrays, not closed": lambda n: '{"a":' + "[" * n,
    "arrays, closed": lambda n: '{"a":' + "[" * n + "]" * n + "}",
    "objects, not closed": lambda n: '{"a":' * n,
    "objects, closed": lambda n: '{"a":' * n + "1" + "}" * n,
    "a string, not closed": lambda n: '{"a":"' + "\\\\" * n,
    "escaped quotes": lambda n: '{"a":"' + '\\"' * n + '"}',
    "many keys": lambda n: "{" + ",".join(f'"k{i}":1' for i in range(n // 8)) + "}",
    "backslashes and quotes, not closed": lambda n: '{"a":"' + '\\"' * n,
    "white space": lambda n: "{" + " " * n,
}
"""The texts, by what they are, of so many units."""


@dataclass(frozen=True, slots=True)
class Size:
    """How long the texts of a kind are, and how often they are tried.

    Attributes:
        small: Units of the short text.
        turns: Times that each is tried; the best counts, for a machine may be busy.
        most_turns: Times that each is tried where the ratio is too high: it must stay.
    """

    small: int
    turns: int
    most_turns: int


USUAL = Size(SMALL, turns=5, most_turns=30)

LARGE = Size(262_144, turns=1, most_turns=12)
"""4 MiB, and an eighth of that: what copies the rest of a text again and again shows no
sooner. Once, for a slow registry may take seconds."""

TRIED = (
    *((kind, USUAL) for kind in KINDS),
    ("a string, not closed", LARGE),
)


def measure_growth(ops: OperationOps, hands: Hands) -> Seen:
    """Measure each kind of text, up to the first that takes too long.

    Returns:
        As `Told.seen` has it, of the op that was not answered or else of the last one,
        with the ``ratios`` by kind as evidence.
    """
    ratios: dict[str, float] = {}
    seen: Seen = {}
    for kind, size in TRIED:
        best = _Best(ops, hands, KINDS[kind], size.small)
        found = _ratio(best, size)
        seen = {**best.seen, "evidence": {"ratios": ratios}}
        if found is None:
            return seen
        ratios[kind] = max(ratios.get(kind, 0.0), round(found, 2))
        if found > MOST_RATIO:
            break
    return seen


def look_at_growth(seen: Mapping[str, Any]) -> Look | Seen:
    """Return what is wrong with the time that texts took."""
    for kind, ratio in seen["evidence"]["ratios"].items():
        if ratio > MOST_RATIO:
            wanted = f"at most {MOST_RATIO} times, far more than linear time takes"
            shown = Difference(kind, Words(wanted), Words(f"{ratio:.0f} times"))
            fields = {"factor": FACTOR, "ratio": ratio, "of": kind}
            return Look("op-growth", fields, (shown,))
    return {}


def _ratio(best: _Best, size: Size) -> float | None:
    """Return how many times as long the long text takes; None without an answer."""
    for turn in range(size.most_turns):
        if turn >= size.turns and best.ratio <= MOST_RATIO:
            break
        if turn >= max(size.turns, SURE_TURNS) and best.spent > SURE_SECONDS:
            break
        if not best.measure(closely=turn >= size.turns):
            return None
        if best.long < UNSEEN_SECONDS:
            return float(FACTOR)
    if best.ratio <= MOST_RATIO or best.ops.is_in_process:
        return best.ratio
    reading = _Best(best.ops, best.hands, best.text, size.small, custom_item)
    for _ in range(size.turns):
        if not reading.measure(closely=True):
            return best.ratio
    return best.without(reading)


@dataclass(slots=True)
class _Best:
    """The best times of a call with a short and with a long text.

    Attributes:
        ops: How the driver is asked.
        hands: What it is asked with.
        text: Makes so many units of text.
        small: Units of the short text.
        made: Makes a call of a text.
        short: Seconds for the short one.
        long: Seconds for the long one.
        spent: Seconds for all.
        seen: What came of the latest op.
    """

    ops: OperationOps
    hands: Hands
    text: Callable[[int], str]
    small: int
    made: Callable[[Any], dict[str, Any]] = chat_call
    short: float = SECONDS
    long: float = SECONDS
    spent: float = 0.0
    seen: Seen = field(default_factory=dict[str, Any])

    @property
    def ratio(self) -> float:
        """How many times the time of the short text the long one takes."""
        return self.long / max(self.short, UNSEEN_SECONDS / FACTOR)

    def measure(self, *, closely: bool) -> bool:
        """Ask once more for each length; return whether both were answered.

        Args:
            closely: Whether to look at what a driver computes, which takes long itself.
        """
        op, is_inside = "sanitize_tool_call", self.ops.is_in_process
        for length in (self.small, self.small * FACTOR):
            given: dict[str, Any] = {"call": self.made(self.text(length))}
            if is_inside:
                given["timed"] = True
            pid = self.ops.process.pid if self.ops.process is not None else 0
            computing = Computing(pid) if closely and not is_inside else None
            came = self.hands.carry(self.ops.request(op, given), SECONDS)
            told = self.ops.told(op, came)
            self.seen = told.seen
            if told.answer is None:
                return False
            seconds = told.answer.seconds if is_inside else came.seconds
            self.spent += seconds
            used = computing.seconds() if computing else None
            # Threads that compute side by side take no longer for that.
            seconds = seconds if used is None else min(seconds, used)
            if length == self.small:
                self.short = min(self.short, seconds)
            else:
                self.long = min(self.long, seconds)
        return True

    def without(self, reading: _Best) -> float:
        """Return the ratio without the time that the reading of the lines takes."""
        if self.long < MOST_READING * reading.long:
            return float(FACTOR)
        short = max(self.short - reading.short, UNSEEN_SECONDS / FACTOR)
        return (self.long - reading.long) / short
