"""The values that are given to a place, and how many go into one exchange."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from wireproof.patterns import expand, is_object
from wireproof_reference.framing import dumps
from wireproof_vectors import load_corpus, values_at

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

MOST_VALUES = 50
"""Values in one exchange: more would hide one in a failure, fewer cost time."""

MOST_BYTES = 8_192
"""Bytes of values in one exchange: no clause asks for lines that are longer than this,
but where one asks for a value that is."""


@dataclass(frozen=True, slots=True)
class Given:
    """A value that stands at a place.

    Attributes:
        name: Its name; ids are made of it.
        value: The value itself; never changed.
        reason: What a program does to it.
        size: The bytes of its JSON text.
        tags: What places choose it by.
        spelling: Its JSON text where the corpus spells it in another way than a writer.
    """

    name: str
    value: Any
    reason: str = ""
    size: int = 0
    tags: frozenset[str] = frozenset()
    spelling: str = ""


@cache
def _expanded() -> Mapping[str, Given]:
    """The corpus by name, without what nobody here can send as a value."""
    found: dict[str, Given] = {}
    for one in load_corpus():
        if "beyond-a-double" not in one.tags:
            value = expand(one.value, {})
            size = len(dumps(value))
            given = Given(one.name, value, one.reason, size, one.tags)
            if "spelling" in one.tags and is_object(one.value):
                given = replace(given, spelling=one.value["$json"])
            found[one.name] = given
    return found


def given_at(data: Mapping[str, Any], taken: Collection[str] = ()) -> list[Given]:
    """Return the values of the corpus that stand at a place.

    Args:
        data: The place.
        taken: Strings that mean something to the subject, as ``values_at`` has them.
    """
    expanded = _expanded()
    chosen = values_at(data, taken)
    return [expanded[one.name] for one in chosen if one.name in expanded]


def packs(given: Sequence[Given]) -> Iterator[list[Given]]:
    """Put values into as many exchanges as they need, in order."""
    pack: list[Given] = []
    size = 0
    for one in given:
        if pack and (len(pack) == MOST_VALUES or size + one.size > MOST_BYTES):
            yield pack
            pack, size = [], 0
        pack.append(one)
        size += one.size
    if pack:
        yield pack
