"""Copies that share no mutable part with what they are copies of (INT-S6, INT-C7)."""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar, cast

Value = TypeVar("Value")

# What holds values under keys; which of the two matters nowhere.
_Container: TypeAlias = dict[Any, object]


def copied(value: Value) -> Value:
    """A copy of a value with its objects and arrays, however deep they nest.

    Unlike `copy.deepcopy` it does not recurse.  What JSON does not have is shared.
    """
    whole: list[object] = [value]
    places: list[tuple[_Container, object]] = [(cast("_Container", whole), 0)]
    copies: dict[int, _Container] = {}
    while places:
        parent, key = places.pop()
        item = parent[key]
        if not isinstance(item, dict | list):
            continue
        container = cast("_Container", item)
        copy = copies.get(id(container))
        if copy is None:
            copy = copies[id(container)] = container.copy()
            keys = range(len(copy)) if isinstance(item, list) else copy
            places.extend((copy, key) for key in keys)
        parent[key] = copy
    return cast("Value", whole[0])
