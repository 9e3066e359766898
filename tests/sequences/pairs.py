"""Pairs of kinds: each before every other, itself included, and after it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import chain
from typing import TypeVar

Kind = TypeVar("Kind", bound=str)


def in_pairs(first: Kind, kinds: Iterable[Kind], own: Collection[Kind]) -> list[Kind]:
    """Return a kind before every kind, itself included, and after it.

    Args:
        first: The kind.
        kinds: All kinds.
        own: Those that follow others only in vectors of their own.
    """
    others = [kind for kind in kinds if first in own or kind not in own]
    return [*chain.from_iterable((first, second) for second in others), first]
