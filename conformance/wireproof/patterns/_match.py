"""Patterns: what a vector expects of a frame, and where a frame differs.

A scalar matches an equal JSON value (5 and 5.0 are one number, ``true`` is not 1);
an array matches element by element; an object matches when each of its keys is
there and matches, whatever other keys there are. An object with a dollar key is
one of the matchers listed in ``vectors/README.md``.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.checks import VectorDefect, Words
from wireproof.patterns._comparison import (
    ABSENT,
    Matcher,
    Mismatch,
    Miss,
    Pattern,
    Scope,
    escaped,
    no_key,
    other_length,
)
from wireproof.patterns._equality import json_equal
from wireproof.patterns._forms import (
    SCALARS,
    expand,
    is_array,
    is_object,
)
from wireproof.patterns._matchers import (
    contains,
    equals,
    fits_schema,
    has_size,
    has_type,
    is_json_schema,
    is_unique,
    is_unlike,
)
from wireproof_reference.framing import JsonError, loads

if TYPE_CHECKING:
    from collections.abc import Mapping


def match(
    pattern: Any, value: Any, names: Mapping[str, Any], saved: dict[str, Any]
) -> Mismatch | None:
    """Compare a value with a pattern.

    Args:
        pattern: The pattern as it stands in the vector file.
        value: The JSON value that came.
        names: What ``$use`` may name.
        saved: Where ``$save`` puts what it matched.

    Returns:
        The first difference in the pattern's own order, or None where it matches.
    """
    return _match(pattern, value, "", Scope(names, saved))


def _match(pattern: Any, value: Any, path: str, scope: Scope) -> Mismatch | None:
    if is_object(pattern):
        # As `is_generator`, without a call for each object of each frame.
        for key in pattern:
            if key.startswith("$"):
                return _apply(pattern, value, path, scope)
        if value is ABSENT:
            return Mismatch(path, pattern, None, absent=True)
        if not is_object(value):
            return Mismatch(path, Words("an object"), value)
        for key, inner in pattern.items():
            found = value.get(key, ABSENT)
            if type(inner) is type(found) and type(inner) in SCALARS and inner == found:
                continue
            pointer = f"{path}/{escaped(key)}"
            if (miss := _match(inner, found, pointer, scope)) is not None:
                return miss
        return None
    if value is ABSENT:
        return Mismatch(path, pattern, None, absent=True)
    if is_array(pattern):
        if not is_array(value):
            return Mismatch(path, Words("an array"), value)
        if len(pattern) != len(value):

            def fits(inner: Any, found: Any) -> bool:
                return _match(inner, found, path, Scope(scope.names, {})) is None

            return other_length(path, pattern, value, fits)
        for index, (inner, found) in enumerate(zip(pattern, value, strict=True)):
            if type(inner) is type(found) and type(inner) in SCALARS and inner == found:
                continue
            pointer = f"{path}/{index}"
            if (miss := _match(inner, found, pointer, scope)) is not None:
                return miss
        return None
    return None if json_equal(pattern, value) else Mismatch(path, pattern, value)


def _apply(pattern: Pattern, value: Any, path: str, scope: Scope) -> Miss:
    if "$absent" in pattern:
        return None if value is ABSENT else no_key(path, value)
    if "$one_of" in pattern:
        misses = [_match(choice, value, path, scope) for choice in pattern["$one_of"]]
        if any(miss is None for miss in misses):
            beside = {key: one for key, one in pattern.items() if key != "$one_of"}
            return _match(beside, value, path, scope) if beside else None
        found = None if value is ABSENT else value
        wanted = {"$one_of": pattern["$one_of"]}
        return Mismatch(path, wanted, found, absent=value is ABSENT)
    if value is ABSENT:
        return Mismatch(path, pattern, None, absent=True)
    if "$save" in pattern:
        inner = pattern.get("match")
        if inner is not None:
            miss = _match(inner, value, path, scope)
            if miss is not None:
                return miss
        scope.saved[pattern["$save"]] = value
        return None
    for key, check in _MATCHERS.items():
        if key in pattern:
            return check(pattern, value, path, scope)
    if not _GENERATORS.isdisjoint(pattern):
        wanted = expand(pattern, scope.names)
        return None if json_equal(wanted, value) else Mismatch(path, wanted, value)
    keys = sorted(key for key in pattern if key.startswith("$"))
    raise VectorDefect(f"unknown matcher {', '.join(keys)} in a pattern")


_GENERATORS = frozenset(
    {"$use", "$repeat", "$nest", "$join", "$copies", "$numbered", "$members", "$json"}
)
"""Forms that stand for one value each."""


def _json_text(pattern: Pattern, value: Any, path: str, scope: Scope) -> Miss:
    if not isinstance(value, str):
        return Mismatch(path, Words("a string that is JSON text"), value)
    try:
        parsed = loads(value.encode())
    except (JsonError, UnicodeEncodeError):
        try:
            parsed = _beyond_a_double(value)
        except (ValueError, RecursionError):
            return Mismatch(path, Words("a string that is JSON text"), value)
    return _match(pattern["$json_text"], parsed, path, scope)


def _text_or_parts(pattern: Pattern, value: Any, path: str, scope: Scope) -> Miss:
    """Expect a text, or parts of one type whose texts together are this text."""
    if is_array(value):
        found = [one.get("text") if is_object(one) else None for one in value]
        kinds = {one.get("type") if is_object(one) else None for one in value}
        if kinds <= {pattern["$parts"]} and all(isinstance(one, str) for one in found):
            value = "".join(map(str, found))
    return _match(pattern["match"], value, path, scope)


def _beyond_a_double(text: str) -> Any:
    """Read JSON text that is valid but for what a double holds of its numbers.

    Raises:
        ValueError: If it is no JSON text, or has no such number.
        RecursionError: If it is nested too deeply.
    """
    beyond = False

    def number(digits: str) -> float:
        nonlocal beyond
        found = float(digits)
        beyond |= math.isinf(found)
        return found

    def refuse(name: str) -> None:
        raise ValueError(name)

    parsed = json.loads(text, parse_float=number, parse_constant=refuse)
    if not beyond:
        raise ValueError(text)
    return parsed


def _each(pattern: Pattern, value: Any, path: str, scope: Scope) -> Miss:
    if not is_array(value):
        return Mismatch(path, Words("an array"), value)
    for index, element in enumerate(value):
        pointer = f"{path}/{index}"
        miss = _match(pattern["$each"], element, pointer, scope)
        if miss is not None:
            return miss
    return None


def _holds(pattern: Pattern, value: Any, path: str, scope: Scope) -> Miss:
    if not is_array(value):
        return Mismatch(path, Words("an array"), value)
    elements = iter(value)
    for inner in pattern["$holds"]:
        if not any(_match(inner, one, path, scope) is None for one in elements):
            return Mismatch(path, pattern, value)
    return None


def _not(pattern: Pattern, value: Any, path: str, scope: Scope) -> Miss:
    if _match(pattern["$not"], value, path, replace(scope, saved={})) is not None:
        return None
    return Mismatch(path, pattern, value)


def _all_of(pattern: Pattern, value: Any, path: str, scope: Scope) -> Miss:
    misses = (_match(one, value, path, scope) for one in pattern["$all_of"])
    return next((miss for miss in misses if miss is not None), None)


def _somewhere(pattern: Pattern, value: Any, path: str, scope: Scope) -> Miss:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if _match(pattern["$somewhere"], one, path, scope) is None:
            return None
        if is_object(one):
            waiting += one.values()
        elif is_array(one):
            waiting += one
    return Mismatch(path, pattern, value)


_MATCHERS: dict[str, Matcher] = {
    "$equals": equals,
    "$type": has_type,
    "$contains": contains,
    "$json_text": _json_text,
    "$parts": _text_or_parts,
    "$each": _each,
    "$holds": _holds,
    "$size": has_size,
    "$schema": fits_schema,
    "$valid_json_schema": is_json_schema,
    "$unique": is_unique,
    "$not": _not,
    "$all_of": _all_of,
    "$somewhere": _somewhere,
    "$unlike": is_unlike,
}
"""By its key; of several in one pattern the first of these is looked at."""
