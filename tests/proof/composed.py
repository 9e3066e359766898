"""Legal subjects of several variants at once: a covering array of their pairs.

Each variant of a table is a class of its own. Those that change different methods make
one class together, which conforms as each of them does; so does what writes a message
in another spelling, for each writer hands on what the next has written. Every pair
that can be made stands in some subject of the array.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import combinations
from typing import TypeVar

from tests.proof.row import ClassRow

ClassRowType = TypeVar("ClassRowType", bound=ClassRow)

MOST = 6
"""Variants in one subject: what fails is then still found by hand."""

CHAINED = frozenset({"encode", "__init__"})
"""Methods of which each calls the next: several may change them."""


class _Plain:
    """A class with nothing of its own but what each has on this Python."""


OF_EVERY_CLASS = frozenset(vars(_Plain)) | {"__annotations__"}
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


def changes_of(
    table: Mapping[str, ClassRowType], reference: type, own: str
) -> dict[str, frozenset[str]]:
    """Return what each subject of a table changes, by its name.

    Args:
        table: The subjects.
        reference: The class that theirs are derived from.
        own: What else a row may have of its own, as the attribute is called.
    """
    return {
        name: changed(row.subject, reference) | ({own} if _has_own(row, own) else set())
        for name, row in table.items()
    }


def compose(
    table: Mapping[str, ClassRowType], names: Sequence[str], own: str
) -> ClassRowType:
    """Return the subject that has several variants of a table at once.

    Args:
        table: The variants.
        names: Which of them; at most one has what is meant by `own`.
        own: What else a row may have of its own, as the attribute is called.
    """
    rows = [table[name] for name in names]
    row = next((row for row in rows if _has_own(row, own)), rows[0])
    return replace(
        row,
        name=JOINED.join(names),
        does="; ".join(row.does for row in rows),
        subject=type("Composed", tuple(row.subject for row in rows), {}),
    )


def _has_own(row: ClassRow, own: str) -> bool:
    """Tell whether a row has something else there than most."""
    usual = next(field.default for field in fields(row) if field.name == own)
    return getattr(row, own) is not usual


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
