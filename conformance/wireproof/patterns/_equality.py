"""When two JSON values are the same, and of which type one is."""

from __future__ import annotations

import marshal
import sys
from typing import Any

from wireproof.patterns._forms import is_array, is_object

LARGEST_DOUBLE = int(sys.float_info.max)
"""Integers beyond it have no double."""

WITHOUT_REFERENCES = 2
"""The version of marshal that writes what comes twice in full each time."""

CONTAINERS = frozenset({dict, list})
"""Types of what holds other values."""

JSON_TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")


def json_equal(left: Any, right: Any) -> bool:
    """Compare the JSON value that is wanted with one that came.

    Objects are compared whatever their order, numbers by value. Where a double is
    wanted, an integer counts as the double that it is read as: many languages write
    4.451605592402819e16 as 44516055924028190.
    """
    # What the interpreter writes alike is equal; most values are, and it compares them
    # faster than what follows. It takes true for 1: hence the bytes.
    whole = type(left) in CONTAINERS and left == right
    return (whole and _are_alike(left, right)) or _equal(left, right)


def _are_alike(left: Any, right: Any) -> bool:
    """Tell whether the interpreter writes both alike."""
    try:
        return _bytes_of(left) == _bytes_of(right)
    except ValueError:
        return False  # It does not write what is derived from its own types.


def _bytes_of(value: Any) -> bytes:
    return marshal.dumps(value, WITHOUT_REFERENCES)


def _equal(left: Any, right: Any) -> bool:
    if is_object(left):
        return (
            is_object(right)
            and left.keys() == right.keys()
            and all(_equal(left[key], right[key]) for key in left)
        )
    if is_array(left):
        return (
            is_array(right)
            and len(left) == len(right)
            and all(map(_equal, left, right))
        )
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, float) and isinstance(right, int):
        return abs(right) <= LARGEST_DOUBLE and left == float(right)
    if isinstance(left, int | float):
        return isinstance(right, int | float) and left == right
    return type(left) is type(right) and left == right


def json_type(value: Any) -> str:
    """Name the JSON type of a value, ``integer`` where it has no fraction."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "integer" if value.is_integer() else "number"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"
