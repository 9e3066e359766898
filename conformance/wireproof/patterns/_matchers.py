"""Matchers that look at a value by themselves; the others are in ``_match``."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from wireproof.checks import VectorDefect, Words
from wireproof.patterns._comparison import (
    ABSENT,
    Mismatch,
    Miss,
    Pattern,
    Scope,
    escaped,
    no_key,
    other_length,
)
from wireproof.patterns._equality import JSON_TYPES, json_equal, json_type
from wireproof.patterns._forms import expand, is_array, is_object
from wireproof.patterns._rendering import OTHER_THAN, dotted, in_line

if TYPE_CHECKING:
    from collections.abc import Iterable

_DIFFERENT_PLACES = 6
"""In so many places two texts differ that are unlike each other."""


def equals(pattern: Pattern, value: Any, path: str, scope: Scope) -> Miss:
    """Expect an equal value, whatever dollar keys are in it."""
    wanted = expand(pattern["$equals"], scope.names)
    if json_equal(wanted, value):
        return None
    return _first_difference(wanted, value, path)


def _first_difference(wanted: Any, value: Any, path: str) -> Mismatch:
    if is_object(wanted) and is_object(value):
        for key, inner in wanted.items():
            pointer = f"{path}/{escaped(key)}"
            if key not in value:
                return Mismatch(pointer, inner, None, absent=True)
            if not json_equal(inner, value[key]):
                return _first_difference(inner, value[key], pointer)
        extra = next(key for key in value if key not in wanted)
        return no_key(f"{path}/{escaped(extra)}", value[extra])
    if is_array(wanted) and is_array(value):
        for index, (inner, found) in enumerate(zip(wanted, value, strict=False)):
            if not json_equal(inner, found):
                return _first_difference(inner, found, f"{path}/{index}")
        return other_length(path, wanted, value, json_equal)
    return Mismatch(path, wanted, value)


def has_type(pattern: Pattern, value: Any, path: str, scope: Scope) -> Miss:
    """Expect a value of one of the JSON types that are named."""
    wanted = pattern["$type"]
    allowed = [wanted] if isinstance(wanted, str) else wanted
    if unknown := [name for name in allowed if name not in JSON_TYPES]:
        raise VectorDefect(f"$type knows no {unknown[0]!r}")
    found = json_type(value)
    if found in allowed or (found == "integer" and "number" in allowed):
        return None
    return Mismatch(path, Words(f"a value of type {' or '.join(allowed)}"), value)


def contains(pattern: Pattern, value: Any, path: str, scope: Scope) -> Miss:
    """Expect a text that holds others, in their order."""
    wanted = pattern["$contains"]
    texts = wanted if is_array(wanted) else [wanted]
    if isinstance(value, str) and _holds_in_order(value, texts):
        return None
    return Mismatch(path, pattern, value)


def _holds_in_order(value: str, texts: Iterable[str]) -> bool:
    start = 0
    for text in texts:
        found = value.find(text, start)
        if found < 0:
            return False
        start = found + len(text)
    return True


def has_size(pattern: Pattern, value: Any, path: str, scope: Scope) -> Miss:
    """Expect so many elements, members or characters."""
    wanted = pattern["$size"]
    countable = is_array(value) or is_object(value) or isinstance(value, str)
    if countable and len(value) == wanted:
        return None
    return Mismatch(path, Words(f"{wanted} elements or characters"), value)


def fits_schema(pattern: Pattern, value: Any, path: str, scope: Scope) -> Miss:
    """Expect what a JSON Schema allows."""
    error = next(_default_dialect()(pattern["$schema"]).iter_errors(value), None)
    if error is None:
        return None
    pointer = "".join(f"/{escaped(str(part))}" for part in error.absolute_path)
    wanted = Words(f"what fits the JSON Schema {_rule(error)}")
    return Mismatch(path + pointer, wanted, error.instance)


def is_json_schema(pattern: Pattern, value: Any, path: str, scope: Scope) -> Miss:
    """Expect a JSON Schema that is itself valid."""
    from jsonschema import exceptions, validators

    if isinstance(value, bool):
        return None
    if not is_object(value):
        return Mismatch(path, Words("a JSON Schema (an object or a boolean)"), value)
    kind = validators.validator_for(value, default=_default_dialect())
    try:
        kind.check_schema(value)
    except exceptions.SchemaError as error:
        pointer = "".join(f"/{escaped(str(part))}" for part in error.absolute_path)
        wanted = Words(f"a valid JSON Schema ({_rule(error)})")
        return Mismatch(path + pointer, wanted, error.instance)
    return None


def _rule(error: Any) -> str:
    """Return the keyword that a value breaks; jsonschema's text is in Python's form."""
    return in_line({error.validator: error.validator_value})


@lru_cache(maxsize=1)
def _default_dialect() -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator


def is_unique(pattern: Pattern, value: Any, path: str, scope: Scope) -> Miss:
    """Expect elements of which no two have the same value at a place."""
    wanted = pattern["$unique"]
    pointers = [wanted] if isinstance(wanted, str) else wanted
    if not is_array(value):
        return Mismatch(path, Words("an array"), value)
    seen: list[tuple[str, Any]] = []
    for index, element in enumerate(value):
        pointer, found = _first_at(element, pointers)
        if found is ABSENT:
            continue
        place = f"{path}/{index}{pointer}"
        for earlier, known in seen:
            if json_equal(found, known):
                other = Words(f"{OTHER_THAN}{dotted(earlier)}")
                return Mismatch(place, other, found)
        seen.append((place, found))
    return None


def _first_at(element: Any, pointers: Iterable[str]) -> tuple[str, Any]:
    for pointer in pointers:
        found = element
        for part in pointer.split("/")[1:]:
            if not is_object(found) or part not in found:
                found = ABSENT
                break
            found = found[part]
        if found is not ABSENT:
            return pointer, found
    return "", ABSENT


def is_unlike(pattern: Pattern, value: Any, path: str, scope: Scope) -> Miss:
    """Expect a text that differs in many places from others."""
    if not isinstance(value, str):
        return Mismatch(path, Words("a string"), value)
    for name in pattern["$unlike"]:
        other = str(expand({"$use": name}, scope.names))
        same = sum(a == b for a, b in zip(value, other, strict=False))
        if max(len(value), len(other)) - same < _DIFFERENT_PLACES:
            return Mismatch(path, pattern, value)
    return None
