"""Try one place with each value that may stand there, and name those that are lost.

Theory of operation. Values go in packs, many to an exchange. All is well where each
pack passes. Where one fails, the values that may be at fault are tried alone: the one
whose step or whose name the failure points at, else halves of the pack and halves of
these. What is reported is the smallest that fails: one value, mostly, with its reason
and the line that shows it again; where another of another sort fails too, it is named
beside it. Where neither half of a pack fails without the other, it is the two values
that do not go together, or the pack if there are no such two; but where an answer did
not come, and comes to each value alone, the values are not at fault. From then on, here
and at all other places, values are tried one by one, as they are on a subject that is
known not to keep apart what is asked at once.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from wireproof.checks import HELD, WHY_TRIED, Verdict
from wireproof.crossing._given import given_at, packs
from wireproof.crossing._steps import is_whole_line, steps_with
from wireproof.patterns import in_line, json_type
from wireproof.subjects import run_line

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from wireproof.checks import Attempt, Check, Deviation, Result, Settings
    from wireproof.crossing._given import Given
    from wireproof.subjects import Patience

Tried = TypeVar("Tried")

MOST_TRIES = 12
"""Tries that may be spent on naming the value that is at fault."""

NARROWING_SECONDS = 5.0
"""Seconds after which the halves of a pack are not tried any further, on a subject
whose failures are slow."""

MOST_NAMED = 5
"""Values that are named where they fail only together."""

PLACE_SECONDS = 3.0
"""Seconds that one place may take on a subject that is slow to answer: it is tried
with fewer values then."""

ALONE_SECONDS = 0.5
"""The same where values are tried one by one."""

FEWEST_VALUES = 40
"""Values that a place is tried with, however slow the subject."""


VALUE = "value"
"""What stands at a place."""

LINE = "line"
"""The same where it is all that a line holds."""

MOST_SHOWN = 30
"""Characters of a value that is shown beside its name."""

_WHY = re.compile(rf' \({WHY_TRIED}: "[^"]*"\)')

NOT_ALONE = "no value was found that fails without the others"
"""What is told where values fail together."""

NOT_SEARCHED = "the value at fault was not looked for to the end: each try takes long"
"""What is told where there was no time to see whether they do."""


class PlaceSuite(Protocol):
    """What is asked of a suite whose places are crossed with values.

    Attributes:
        settings: The user's options.
        keeps_apart: Whether what is asked at once is answered as it is alone, as far as
            is known; set here where it is seen not to be.
    """

    settings: Settings
    keeps_apart: bool

    @property
    def patience(self) -> Patience:
        """How long answers are waited for."""
        ...

    def result(self, check: Check, verdict: Verdict, reason: str = "") -> Result:
        """Return a check's result with the traffic behind it."""
        ...

    def attempt(
        self, check: Check, steps: Sequence[Mapping[str, Any]], *, begun: bool = False
    ) -> Attempt:
        """Carry out steps and judge what comes of them."""
        ...


def run_place(
    suite: PlaceSuite,
    check: Check,
    data: Mapping[str, Any],
    taken: Collection[str] = (),
) -> Result:
    """Try a place with all values that may stand there.

    Args:
        suite: The suite, bound to its subject.
        check: The place as a check; it has been begun.
        data: The place as its file has it.
        taken: Strings that mean something to the subject, such as its tools' names.
    """
    latency = suite.patience.quickest
    seconds = PLACE_SECONDS if suite.keeps_apart else ALONE_SECONDS
    given = _affordable(given_at(data, taken), latency, seconds)
    monitors: list[Deviation] = []
    frames = held = 0
    last: Result | None = None
    waiting = deque(packs(given) if suite.keeps_apart else _alone(given))
    while waiting:
        pack = waiting.popleft()
        steps, about = steps_with(data["steps"], pack)
        attempt = suite.attempt(check, steps, begun=last is None)
        last = attempt.result
        monitors += last.monitors
        frames += attempt.counted.get("frames", attempt.counted.get("operations", 0))
        held += len(pack) if last.verdict in HELD else 0
        if last.verdict not in HELD:
            suspect = None if attempt.step is None else about[attempt.step]
            search = _Search(suite, check, data["steps"])
            found = search.smallest(pack, attempt, suspect)
            monitors += search.monitors
            if found is not None:
                return replace(found, monitors=tuple(monitors))
            # Answers are lost only where many are awaited at once: what that means is
            # for the checks of requests without waiting to say.
            suite.keeps_apart = False
            rest = [one for each in (pack, *waiting) for one in each]
            waiting = deque(_alone(_affordable(rest, latency, ALONE_SECONDS)))
            last = search.last
    if last is None:
        reason = "every value that may stand there means something to the subject"
        return suite.result(check, Verdict.NOT_APPLICABLE, reason)
    evidence = {**last.evidence, "values": held, "exchanged": frames}
    return replace(last, evidence=evidence, monitors=tuple(monitors))


def _alone(given: Sequence[Given]) -> Sequence[Sequence[Given]]:
    return [[one] for one in given]


def _affordable(
    given: Sequence[Given], latency: float, seconds: float
) -> Sequence[Given]:
    """Return the values that there is time for, spread over all of them."""
    most = len(given)
    if latency:
        most = max(FEWEST_VALUES, int(seconds / latency))
    if len(given) <= most:
        return given
    return [given[index * len(given) // most] for index in range(most)]


class _Search:
    """The search for the value that is at fault in a pack that failed.

    Attributes:
        monitors: What monitors found on the way.
        last: The result of the latest try.
    """

    def __init__(
        self, suite: PlaceSuite, check: Check, steps: Sequence[Mapping[str, Any]]
    ) -> None:
        self.monitors: list[Deviation] = []
        self.last: Result | None = None
        self._suite = suite
        self._check = check
        self._steps = steps
        self._noun = LINE if is_whole_line(steps) else VALUE
        self._tries = 0

    def smallest(
        self, pack: Sequence[Given], failed: Attempt, suspect: Given | None
    ) -> Result | None:
        """Return the result of the smallest part of a pack that fails by itself.

        Returns:
            None where answers do not come to many values together, and do to each.
        """
        patience = self._suite.patience
        # What was waited for in full once need not be waited for again.
        patience.shortened = failed.about_time
        try:
            least, attempt = self._narrowed(pack, failed, suspect)
        finally:
            patience.shortened = False
        if _lost(attempt) and len(least) > 1:
            return self._apart(least)
        if attempt is failed:
            return self._of_pack(pack, failed.result, alone=len(pack) == 1)
        if failed.about_time:
            attempt = self._try(least)
            if attempt.result.verdict in HELD:
                return self._of_pack(pack, failed.result)
        if attempt.about_time:
            return self._of_pack(least, attempt.result, alone=True)
        return _told(
            pack,
            least,
            attempt.result,
            lambda tried: self._try(tried).result,
            self._noun,
        )

    def _apart(self, pack: Sequence[Given]) -> Result | None:
        """Try each value of a pack alone, and wait for it in full."""
        for one in pack:
            attempt = self._try([one])
            if attempt.result.verdict not in HELD:
                return self._of_pack([one], attempt.result, alone=True)
        return None

    def _narrowed(
        self, pack: Sequence[Given], failed: Attempt, suspect: Given | None
    ) -> tuple[Sequence[Given], Attempt]:
        for one in _suspects(pack, failed.result, suspect):
            attempt = self._try([one])
            if attempt.result.verdict not in HELD:
                return [one], attempt
        while len(pack) > 1 and self._tries < MOST_TRIES:
            middle = len(pack) // 2
            for half in (pack[:middle], pack[middle:]):
                attempt = self._try(half)
                if attempt.result.verdict not in HELD:
                    pack, failed = half, attempt
                    break
            else:
                # Many answers that are lost are no fault of two values.
                if _lost(failed):
                    break
                return _least_together(
                    pack, failed, self._try, lambda one: one.result.verdict not in HELD
                )
        return pack, failed

    def _try(self, pack: Sequence[Given]) -> Attempt:
        self._tries += 1
        steps, _ = steps_with(self._steps, pack)
        attempt = self._suite.attempt(self._check, steps)
        self.monitors += attempt.result.monitors
        self.last = attempt.result
        return attempt

    def _of_pack(
        self, pack: Sequence[Given], result: Result, *, alone: bool = False
    ) -> Result:
        """Return a result that names the values; the line runs what it came from."""
        named = _named(pack, result, self._noun)
        if alone:
            return named
        line = run_line(self._suite.settings, self._check.argument)
        return replace(named, reproduce=line)


def _lost(attempt: Attempt) -> bool:
    """Tell whether an answer did not come, in time at least."""
    return attempt.about_time or bool(attempt.unanswered)


def _least_together(
    pack: Sequence[Given],
    failed: Tried,
    attempt: Callable[[Sequence[Given]], Tried],
    is_failure: Callable[[Tried], bool],
) -> tuple[Sequence[Given], Tried]:
    """Return the few values, mostly two, that fail only together, and what came of it.

    Args:
        pack: Values that fail at once, neither half of them by itself.
        failed: What came of them.
        attempt: Tries some of them at once.
        is_failure: Tells what came of values that are at fault.
    """
    kept: Sequence[Given] = []
    low, high = len(pack) // 2, len(pack)
    # First the latest value that it takes, then the latest of those before it.
    for _ in range(2):
        while high - low > 1:
            middle = (low + high) // 2
            found = attempt([*pack[:middle], *kept])
            if is_failure(found):
                high, failed = middle, found
            else:
                low = middle
        kept = [pack[high - 1], *kept]
        pack, low, high = pack[: high - 1], 0, high - 1
    found = attempt(kept) if pack else failed
    return (kept, found) if is_failure(found) else ([*pack, *kept], failed)


def _told(
    pack: Sequence[Given],
    least: Sequence[Given],
    result: Result,
    attempt: Callable[[Sequence[Given]], Result],
    noun: str = VALUE,
) -> Result:
    """Return a result that names the value at fault, and another that fails as well.

    Args:
        pack: Values that were tried at once.
        least: Those of them that were seen to fail; one, where it fails alone.
        result: What came of these.
        attempt: Tries some of the values.
        noun: What a value is at this place.
    """
    if len(least) != 1:
        return _named(least, result, noun)
    for place, other in enumerate(_others_than(pack, least[0])):
        found = attempt([other])
        if found.verdict not in HELD:
            # What is known to hold for one is not so whatever the value.
            pack = [] if place else pack
            values, results = (least[0], other), (result, found)
            if least[0].size > MOST_SHOWN >= other.size:
                # What shows it is short then.
                values, results = (other, least[0]), (found, result)
            return _both(values, results, pack, lambda one: attempt([one]), noun)
    return _named(least, result, noun)


def _others_than(pack: Sequence[Given], failed: Given) -> Sequence[Given]:
    """Return the values that tell how much the one that failed has to do with it.

    The first is the plainest value of another type, or what has least in common with it
    where all are of one: where that fails as well, the value is hardly what is at
    fault. The second is the plainest of its own type: a long string is no matter of its
    length where an empty one fails too.
    """
    rest = [one for one in pack if one is not failed]
    if not rest:
        return []

    def likeness(one: Given) -> tuple[bool, int]:
        same = json_type(one.value) == json_type(failed.value)
        return same, len(failed.tags.intersection(one.tags))

    other = min(rest, key=lambda one: (*likeness(one), *_plainness(one)))
    alike = [one for one in pack if json_type(one.value) == json_type(failed.value)]
    plainest = min(alike, key=_plainness)
    return [other] if plainest is failed or plainest is other else [other, plainest]


def _plainness(one: Given) -> tuple[int, int]:
    """Return what is less the less there is to a value."""
    return len(one.tags), one.size


def _both(
    values: tuple[Given, Given],
    results: tuple[Result, Result],
    pack: Sequence[Given],
    attempt: Callable[[Given], Result],
    noun: str,
) -> Result:
    """Return a result that names two values, which both fail.

    Args:
        values: The value that was found, and the other one.
        results: What came of each; they may fail in different ways.
        pack: The values among which they are. Where the plainest of the others fails as
            well, it is no matter of the value.
        attempt: Tries one of them.
        noun: What a value is at this place.
    """
    (one, other), (result, beside) = values, results
    evidence = {**result.evidence, "values": _names(values)}
    if _difference(result) != _difference(beside):
        reason = f"with the {noun} {_shown(one)}: {result.reason}; "
        reason += f"with {_shown(other)}, in another way: {beside.reason}"
    elif _fails_anyhow([one for one in pack if one not in values], attempt, result):
        reason = f"whatever the {noun}, such as {_shown(one)} and {_shown(other)}: "
        reason += result.reason
    else:
        reason = f"with the {noun} {_shown(one)}, and with {_shown(other)} too: "
        reason += result.reason
    return replace(result, reason=reason, evidence=evidence)


def _fails_anyhow(
    rest: Sequence[Given], attempt: Callable[[Given], Result], failed: Result
) -> bool:
    """Tell whether the plainest of each type fails in the same way as others."""
    plainest = {
        json_type(one.value): one for one in sorted(rest, key=_plainness, reverse=True)
    }
    return bool(plainest) and all(
        _difference(attempt(one)) == _difference(failed) for one in plainest.values()
    )


def _difference(result: Result) -> tuple[Verdict, str, str | None]:
    """Return in which way a result is none that was due."""
    where = result.differences[0].where if result.differences else ""
    return result.verdict, where, result.ended


def _named(
    pack: Sequence[Given],
    result: Result,
    noun: str = VALUE,
    *,
    searched: bool = True,
) -> Result:
    """Return a result that names the values, and why they stand there.

    Args:
        pack: The values.
        result: What came of them.
        noun: What a value is at this place.
        searched: Whether there was time to look for the one that is at fault.
    """
    evidence: dict[str, Any] = {**result.evidence, "values": _names(pack)}
    if len(pack) == 1:
        reason = f"with the {noun} {_shown(pack[0])}: {result.reason}"
        if noun == VALUE:
            # What programs do to a member says nothing of a line.
            reason += f' ({WHY_TRIED}: "{pack[0].reason}")'
    else:
        reason = f"with one of the {noun}s {_names(pack)}: {result.reason}"
        evidence["alone"] = NOT_ALONE if searched else NOT_SEARCHED
    return replace(result, reason=reason, evidence=evidence)


def without_why(reason: str) -> str:
    """Return the reason of a place's failure without why its value is tried."""
    return _WHY.sub("", reason)


def _suspects(
    pack: Sequence[Given], result: Result, suspect: Given | None
) -> Sequence[Given]:
    """Return the values of a pack at which a failure points."""
    if len(pack) == 1:
        return []
    if suspect is not None:
        return [suspect]
    if not result.differences:
        return []
    pointer = result.differences[0].where.split("/")
    named = {part.replace("~1", "/").replace("~0", "~") for part in pointer}
    found = [one for one in pack if one.name in named or _is_in(one.value, named)]
    places = [int(part) for part in pointer if part.isdecimal() and part.isascii()]
    found += [pack[place] for place in places if place < len(pack)]
    return found[:2]


def _is_in(value: Any, named: Collection[str]) -> bool:
    return isinstance(value, str) and value in named


def _shown(one: Given) -> str:
    """Name a value, and show it where it is short and its name another."""
    text = in_line(one.value)
    is_told = text == one.name or len(text) > MOST_SHOWN
    return one.name if is_told else f"{one.name} ({text})"


def _names(pack: Sequence[Given]) -> str:
    """Name the values of a pack, the first of them where they are many."""
    names = [one.name for one in pack[:MOST_NAMED]]
    rest = len(pack) - len(names)
    return ", ".join([*names, *([f"{rest} more"] if rest else [])])
