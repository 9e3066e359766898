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

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from wireproof.checks import Difference, Verdict, Words
from wireproof.protocols.interop._shapes import chat_call, custom_item
from wireproof.subjects import Computing, DriverFault, Op

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireproof.checks import Check, Result
    from wireproof.operations import BridgedSuite

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


def run_growth(suite: BridgedSuite, check: Check) -> Result:
    """Measure each kind of text."""
    ratios: dict[str, float] = {}
    for kind, size in TRIED:
        text = KINDS[kind]
        found = _ratio(suite, text, size)
        if isinstance(found, DriverFault):
            call = chat_call(text(size.small * FACTOR))
            step = {"op": "sanitize_tool_call", "input": {"call": call}}
            return suite.not_answered(check, found, {**step, "survives": True})
        ratios[kind] = max(ratios.get(kind, 0.0), round(found, 2))
        if found > MOST_RATIO:
            reason = f"{FACTOR} times the text takes {found:.0f} times as long: {kind}"
            wanted = Words(
                f"at most {MOST_RATIO} times, far more than linear time takes"
            )
            shown = Difference(kind, wanted, Words(f"{found:.0f} times"))
            result = suite.failed(check, reason, (shown,))
            return replace(result, evidence={"ratios": ratios})
    result = suite.result(check, Verdict.PASSED)
    evidence = {"ratios": ratios, "clock": "ratios of the best of several times"}
    return replace(result, evidence=evidence)


def _ratio(
    suite: BridgedSuite, text: Callable[[int], str], size: Size
) -> float | DriverFault:
    best = _Best(suite, lambda length: chat_call(text(length)), size.small)
    for turn in range(size.most_turns):
        if turn >= size.turns and best.ratio <= MOST_RATIO:
            break
        if turn >= max(size.turns, SURE_TURNS) and best.spent > SURE_SECONDS:
            break
        if (fault := best.measure(closely=turn >= size.turns)) is not None:
            return fault
        if best.long < UNSEEN_SECONDS:
            return float(FACTOR)
    if best.ratio <= MOST_RATIO or suite.in_process:
        return best.ratio
    reading = _Best(suite, lambda length: custom_item(text(length)), size.small)
    for _ in range(size.turns):
        if reading.measure(closely=True) is not None:
            return best.ratio
    return best.without(reading)


@dataclass(slots=True)
class _Best:
    """The best times of a call with a short and with a long text.

    Attributes:
        suite: What asks.
        call: Makes the call, of so many units of text.
        small: Units of the short text.
        short: Seconds for that.
        long: Seconds for the long one.
        spent: Seconds for all.
    """

    suite: BridgedSuite
    call: Callable[[int], dict[str, Any]]
    small: int
    short: float = SECONDS
    long: float = SECONDS
    spent: float = 0.0

    @property
    def ratio(self) -> float:
        """How many times the time of the short text the long one takes."""
        return self.long / max(self.short, UNSEEN_SECONDS / FACTOR)

    def measure(self, *, closely: bool) -> DriverFault | None:
        """Ask once more for each length; return what went wrong, if anything did.

        Args:
            closely: Whether to look at what a driver computes, which takes long itself.
        """
        closely = closely and not self.suite.in_process
        for length in (self.small, self.small * FACTOR):
            arguments = {"call": self.call(length)}
            op = Op("sanitize_tool_call", arguments, timed=self.suite.in_process)
            computing = Computing(self.suite.bridge.pid) if closely else None
            found = self.suite.bridge.ask(op, seconds=SECONDS)
            if isinstance(found, DriverFault):
                return found
            self.spent += found.seconds
            used = computing.seconds() if computing else None
            # Threads that compute side by side take no longer for that.
            seconds = found.seconds if used is None else min(found.seconds, used)
            if length == self.small:
                self.short = min(self.short, seconds)
            else:
                self.long = min(self.long, seconds)
        return None

    def without(self, reading: _Best) -> float:
        """Return the ratio without the time that the reading of the lines takes."""
        if self.long < MOST_READING * reading.long:
            return float(FACTOR)
        short = max(self.short - reading.short, UNSEEN_SECONDS / FACTOR)
        return (self.long - reading.long) / short
