"""Legal subjects of several variants at once: a covering array of their pairs.

Each variant of a table is a class of its own. Those that change different methods make
one class together, which conforms as each of them does; so does what writes a message
in another spelling, for each writer hands on what the next has written. Every pair
that can be made stands in some subject of the array.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

MOST = 6
"""Variants in one subject: what fails is then still found by hand."""

CHAINED = frozenset({"encode", "__init__"})
"""Methods of which each calls the next: several may change them."""

OF_EVERY_CLASS = frozenset(vars(type("Plain", (), {}))) | {"__annotations__"}
"""What each class has, and none changes."""

JOINED = "+"
"""Stands between the names of variants in that of their subject."""


def changed(subject: type, reference: type) -> frozenset[str]:
    """Return the names of the methods that a subject changes, or adds.

    Args:
        subject: The class of a variant.
        reference: The class that it is derived from.
    """
    kinds = [kind for kind in subject.__mro__ if kind not in reference.__mro__]
    names = {name for kind in kinds for name in vars(kind)}
    return frozenset(names) - OF_EVERY_CLASS


def pairs(changes: Mapping[str, frozenset[str]]) -> list[tuple[str, str]]:
    """Return the variants that go together, two by two.

    Args:
        changes: What each variant changes.
    """
    return [
        (one, other)
        for one, other in combinations(changes, 2)
        if not changes[one] & changes[other] - CHAINED
    ]


def covering_array(changes: Mapping[str, frozenset[str]]) -> Iterator[tuple[str, ...]]:
    """Yield sets of variants that go together, until each pair was in one of them.

    Args:
        changes: What each variant changes.
    """
    together = set(pairs(changes))
    left = dict.fromkeys(pairs(changes))

    def fits(found: Sequence[str], name: str) -> bool:
        return all((one, name) in together or (name, one) in together for one in found)

    def gain(found: Sequence[str], name: str) -> int:
        return sum((one, name) in left or (name, one) in left for one in found)

    while left:
        found = list(next(iter(left)))
        while len(found) < MOST:
            fitting = [name for name in changes if name not in found]
            fitting = [name for name in fitting if fits(found, name)]
            best = max(fitting, key=lambda name: gain(found, name), default=None)
            if best is None or not gain(found, best):
                break
            found.append(best)
        for one, other in combinations(found, 2):
            left.pop((one, other), None)
            left.pop((other, one), None)
        yield tuple(found)
