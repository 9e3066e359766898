"""Tries a place with each value that may stand there, and finds the value at fault.

Values go in packs, many to one exchange. If a pack fails, its halves are tried, and
halves of these, until one value is left. If an answer did not come and no half fails by
itself, requests that are sent together are at fault, and not the values: the rest is
tried one by one.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from wireproof.patterns import given_at, packs, steps_with
from wireproof.run._runner import HELD, OF_TIME
from wireproof.run._waits import PLACE_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from wireproof.patterns import Given
    from wireproof.run._runner import Outcome

    Try = Callable[[Sequence[Mapping[str, Any]]], Outcome]

FEWEST = 40
"""Values that a place is tried with, however slow the subject."""

MOST_TRIES = 12
"""Tries that are spent on finding the value at fault."""


class Placed(NamedTuple):
    """What came of a place.

    Attributes:
        outcome: Of the smallest pack that failed, or of the last; None without values.
        values: The values at fault; empty if none is.
        others: Values that were seen to fail as well.
        held: How many values were returned as they should.
        frames: How many frames came.
    """

    outcome: Outcome | None
    values: Sequence[Given]
    others: Sequence[Given]
    held: int
    frames: int


def try_place(
    data: Mapping[str, Any], attempt: Try, latency: float, taken: Collection[str]
) -> Placed:
    """Try a place with all values that may stand there.

    Args:
        data: The place as its file has it.
        attempt: Carries out steps.
        latency: Seconds of a trivial exchange.
        taken: Strings that mean something to the subject, such as names of tools.
    """
    given = _affordable(given_at(data, taken), latency)
    waiting = deque(packs(given))
    held = frames = 0
    outcome: Outcome | None = None
    while waiting:
        pack = waiting.popleft()
        outcome = attempt(steps_with(data["steps"], pack)[0])
        frames += outcome.seen["frames"]
        if outcome.judgement.verdict in HELD:
            held += len(pack)
            continue
        found = _smallest(data["steps"], pack, outcome, attempt)
        if found is not None:
            return found._replace(held=held, frames=frames)
        rest = [one for each in (pack, *waiting) for one in each]
        waiting = deque([one] for one in _affordable(rest, latency, FEWEST))
    return Placed(outcome, (), (), held, frames)


def _smallest(
    steps: Sequence[Mapping[str, Any]],
    pack: Sequence[Given],
    failed: Outcome,
    attempt: Try,
) -> Placed | None:
    """Return the smallest part of a pack that fails; None if only many at once do."""
    tries = 0

    def fails(part: Sequence[Given]) -> Outcome | None:
        nonlocal tries
        tries += 1
        found = attempt(steps_with(steps, part)[0])
        return None if found.judgement.verdict in HELD else found

    whole = pack
    suspect = _suspect(steps, pack, failed)
    if suspect is not None and (found := fails([suspect])):
        pack, failed = [suspect], found
    while len(pack) > 1 and tries < MOST_TRIES:
        middle = len(pack) // 2
        for half in (pack[:middle], pack[middle:]):
            if found := fails(half):
                pack, failed = half, found
                break
        else:
            reason = failed.judgement.reason
            if reason is not None and reason.kind in OF_TIME:
                return None
            break
    others: list[Given] = []
    if len(pack) == 1:
        plainest = min(
            (one for one in whole if one is not pack[0]), key=_size, default=None
        )
        if plainest is not None and fails([plainest]):
            others.append(plainest)
    return Placed(failed, pack, others, 0, 0)


def _suspect(
    steps: Sequence[Mapping[str, Any]], pack: Sequence[Given], failed: Outcome
) -> Given | None:
    """Return the value that the failing step is about, or that its place names."""
    if len(pack) == 1:
        return None
    step = failed.judgement.step
    about = steps_with(steps, pack)[1]
    if step is not None and (one := about[step]) is not None:
        return one
    reason = failed.judgement.reason
    where = str(reason.fields.get("where", "")) if reason else ""
    named = {part.replace("~1", "/").replace("~0", "~") for part in where.split("/")}
    return next((one for one in pack if one.name in named), None)


def _affordable(
    given: Sequence[Given], latency: float, fewest: int = FEWEST
) -> Sequence[Given]:
    """Return the values that there is time for, spread over all of them."""
    most = max(fewest, int(PLACE_SECONDS / latency)) if latency else len(given)
    if len(given) <= most:
        return given
    return [given[index * len(given) // most] for index in range(most)]


def _size(one: Given) -> tuple[int, int]:
    return len(one.tags), one.size
