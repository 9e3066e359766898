"""Patterns: what a vector expects of a frame, and where a frame differs.

A scalar matches an equal JSON value (5 and 5.0 are one number, ``true`` is not 1);
an array matches element by element; an object matches when each of its keys is
there and matches, whatever other keys there are. An object with a dollar key is
one of the matchers listed in ``vectors/README.md``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias

from wireproof.checks import VectorDefect, Words
from wireproof.patterns._forms import expand, is_array, is_generator, is_object
from wireproof.patterns._rendering import in_line
from wireproof_reference.framing import JsonError, loads

LARGEST_DOUBLE = int(sys.float_info.max)
"""Integers beyond it have no double."""

SCALARS = frozenset({type(None), bool, int, float, str})
"""Types of which two equal values of one type match, whatever else a pattern says."""

CONTAINERS = frozenset({dict, list})
"""Types of what holds other values."""

JSON_TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")


class _Absent:
    """Stands for a key that is not there."""


_ABSENT = _Absent()


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One place where a value is not what the pattern asks for.

    Attributes:
        path: JSON pointer to the place, from the frame's root (``""`` is the root).
        expected: What was wanted there, in words or as a JSON value.
        actual: The value found there; ``None`` with ``absent`` where there is none.
        absent: Whether the place does not exist in the frame.
    """

    path: str
    expected: Any
    actual: Any
    absent: bool = False


def json_equal(left: Any, right: Any) -> bool:
    """Compare the JSON value that is wanted with one that came.

    Objects are compared whatever their order, numbers by value. Where a double is
    wanted, an integer counts as the double that it is read as: many languages write
    4.451605592402819e16 as 44516055924028190.
    """
    # What is written alike in Python is equal; most values are, and the interpreter
    # compares them faster than what follows. It takes true for 1: hence the texts.
    whole = type(left) in CONTAINERS and left == right
    return (whole and repr(left) == repr(right)) or _equal(left, right)


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


_Pattern: TypeAlias = dict[str, Any]
_Miss: TypeAlias = Mismatch | None


@dataclass(slots=True)
class _Run:
    """One comparison; not frozen, which would cost more than many a comparison.

    Attributes:
        given: What ``$use`` may name from before.
        saved: Where ``$save`` puts what it matched.
    """

    given: Mapping[str, Any]
    saved: dict[str, Any]

    @property
    def names(self) -> Mapping[str, Any]:
        """What ``$use`` may name: what a pattern saves, it can use further on."""
        return {**self.given, **self.saved}


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
    return _match(pattern, value, "", _Run(names, saved))


def _match(pattern: Any, value: Any, path: str, run: _Run) -> Mismatch | None:
    if is_object(pattern):
        if is_generator(pattern):
            return _apply(pattern, value, path, run)
        if value is _ABSENT:
            return Mismatch(path, pattern, None, absent=True)
        if not is_object(value):
            return Mismatch(path, Words("an object"), value)
        for key, inner in pattern.items():
            found = value.get(key, _ABSENT)
            if type(inner) is type(found) and type(inner) in SCALARS and inner == found:
                continue
            pointer = f"{path}/{_escape(key)}"
            if (miss := _match(inner, found, pointer, run)) is not None:
                return miss
        return None
    if value is _ABSENT:
        return Mismatch(path, pattern, None, absent=True)
    if is_array(pattern):
        if not is_array(value):
            return Mismatch(path, Words("an array"), value)
        if len(pattern) != len(value):
            return Mismatch(path, Words(f"an array of {len(pattern)} elements"), value)
        for index, (inner, found) in enumerate(zip(pattern, value, strict=True)):
            if type(inner) is type(found) and type(inner) in SCALARS and inner == found:
                continue
            pointer = f"{path}/{index}"
            if (miss := _match(inner, found, pointer, run)) is not None:
                return miss
        return None
    return None if json_equal(pattern, value) else Mismatch(path, pattern, value)


def _no_key(path: str, value: Any) -> Mismatch:
    return Mismatch(path, Words("no such key"), value)


def _escape(key: str) -> str:
    if "~" not in key and "/" not in key:
        return key
    return key.replace("~", "~0").replace("/", "~1")


def _apply(
    pattern: dict[str, Any], value: Any, path: str, run: _Run
) -> Mismatch | None:
    if "$absent" in pattern:
        return None if value is _ABSENT else _no_key(path, value)
    if "$one_of" in pattern:
        misses = [_match(choice, value, path, run) for choice in pattern["$one_of"]]
        if any(miss is None for miss in misses):
            beside = {key: one for key, one in pattern.items() if key != "$one_of"}
            return _match(beside, value, path, run) if beside else None
        found = None if value is _ABSENT else value
        wanted = {"$one_of": pattern["$one_of"]}
        return Mismatch(path, wanted, found, absent=value is _ABSENT)
    if value is _ABSENT:
        return Mismatch(path, pattern, None, absent=True)
    if "$save" in pattern:
        inner = pattern.get("match")
        if inner is not None:
            miss = _match(inner, value, path, run)
            if miss is not None:
                return miss
        run.saved[pattern["$save"]] = value
        return None
    for key, check in _MATCHERS.items():
        if key in pattern:
            return check(pattern, value, path, run)
    if not _GENERATORS.isdisjoint(pattern):
        wanted = expand(pattern, run.names)
        return None if json_equal(wanted, value) else Mismatch(path, wanted, value)
    keys = sorted(key for key in pattern if key.startswith("$"))
    raise VectorDefect(f"unknown matcher {', '.join(keys)} in a pattern")


_GENERATORS = frozenset(
    {"$use", "$repeat", "$nest", "$join", "$copies", "$members", "$json"}
)
"""Forms that stand for one value each."""

_DIFFERENT_PLACES = 6
"""In so many places two texts differ that are unlike each other."""

_Matcher: TypeAlias = Callable[[_Pattern, Any, str, _Run], _Miss]


def _equals(
    pattern: dict[str, Any], value: Any, path: str, run: _Run
) -> Mismatch | None:
    wanted = expand(pattern["$equals"], run.names)
    if json_equal(wanted, value):
        return None
    return _first_difference(wanted, value, path)


def _first_difference(wanted: Any, value: Any, path: str) -> Mismatch:
    if is_object(wanted) and is_object(value):
        for key, inner in wanted.items():
            pointer = f"{path}/{_escape(key)}"
            if key not in value:
                return Mismatch(pointer, inner, None, absent=True)
            if not json_equal(inner, value[key]):
                return _first_difference(inner, value[key], pointer)
        extra = next(key for key in value if key not in wanted)
        return _no_key(f"{path}/{_escape(extra)}", value[extra])
    if is_array(wanted) and is_array(value):
        for index, (inner, found) in enumerate(zip(wanted, value, strict=False)):
            if not json_equal(inner, found):
                return _first_difference(inner, found, f"{path}/{index}")
        return Mismatch(path, Words(f"an array of {len(wanted)} elements"), value)
    return Mismatch(path, wanted, value)


def _type(pattern: _Pattern, value: Any, path: str, run: _Run) -> _Miss:
    wanted = pattern["$type"]
    allowed = [wanted] if isinstance(wanted, str) else wanted
    if unknown := [name for name in allowed if name not in JSON_TYPES]:
        raise VectorDefect(f"$type knows no {unknown[0]!r}")
    found = json_type(value)
    if found in allowed or (found == "integer" and "number" in allowed):
        return None
    return Mismatch(path, Words(f"a value of type {' or '.join(allowed)}"), value)


def _contains(
    pattern: dict[str, Any], value: Any, path: str, run: _Run
) -> Mismatch | None:
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


def _json_text(
    pattern: dict[str, Any], value: Any, path: str, run: _Run
) -> Mismatch | None:
    if not isinstance(value, str):
        return Mismatch(path, Words("a string that is JSON text"), value)
    try:
        parsed = loads(value.encode())
    except (JsonError, UnicodeEncodeError):
        return Mismatch(path, Words("a string that is JSON text"), value)
    return _match(pattern["$json_text"], parsed, path, run)


def _each(pattern: _Pattern, value: Any, path: str, run: _Run) -> _Miss:
    if not is_array(value):
        return Mismatch(path, Words("an array"), value)
    for index, element in enumerate(value):
        pointer = f"{path}/{index}"
        miss = _match(pattern["$each"], element, pointer, run)
        if miss is not None:
            return miss
    return None


def _size(pattern: _Pattern, value: Any, path: str, run: _Run) -> _Miss:
    wanted = pattern["$size"]
    countable = is_array(value) or is_object(value) or isinstance(value, str)
    if countable and len(value) == wanted:
        return None
    return Mismatch(path, Words(f"{wanted} elements or characters"), value)


def _schema(
    pattern: dict[str, Any], value: Any, path: str, run: _Run
) -> Mismatch | None:
    error = next(_default_dialect()(pattern["$schema"]).iter_errors(value), None)
    if error is None:
        return None
    pointer = "".join(f"/{_escape(str(part))}" for part in error.absolute_path)
    wanted = Words(f"what fits the JSON Schema {_rule(error)}")
    return Mismatch(path + pointer, wanted, error.instance)


def _valid_json_schema(
    pattern: dict[str, Any], value: Any, path: str, run: _Run
) -> Mismatch | None:
    from jsonschema import exceptions, validators

    if isinstance(value, bool):
        return None
    if not is_object(value):
        return Mismatch(path, Words("a JSON Schema (an object or a boolean)"), value)
    kind = validators.validator_for(value, default=_default_dialect())
    try:
        kind.check_schema(value)
    except exceptions.SchemaError as error:
        pointer = "".join(f"/{_escape(str(part))}" for part in error.absolute_path)
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


def _unique(
    pattern: dict[str, Any], value: Any, path: str, run: _Run
) -> Mismatch | None:
    wanted = pattern["$unique"]
    pointers = [wanted] if isinstance(wanted, str) else wanted
    if not is_array(value):
        return Mismatch(path, Words("an array"), value)
    seen: list[Any] = []
    for index, element in enumerate(value):
        found = _first_at(element, pointers)
        if found is _ABSENT:
            continue
        if any(json_equal(found, earlier) for earlier in seen):
            once = Words("a value that came only once")
            return Mismatch(f"{path}/{index}", once, found)
        seen.append(found)
    return None


def _first_at(element: Any, pointers: Iterable[str]) -> Any:
    for pointer in pointers:
        found = element
        for part in pointer.split("/")[1:]:
            if not is_object(found) or part not in found:
                found = _ABSENT
                break
            found = found[part]
        if found is not _ABSENT:
            return found
    return _ABSENT


def _not(pattern: _Pattern, value: Any, path: str, run: _Run) -> _Miss:
    if _match(pattern["$not"], value, path, replace(run, saved={})) is not None:
        return None
    return Mismatch(path, pattern, value)


def _all_of(
    pattern: dict[str, Any], value: Any, path: str, run: _Run
) -> Mismatch | None:
    misses = (_match(one, value, path, run) for one in pattern["$all_of"])
    return next((miss for miss in misses if miss is not None), None)


def _somewhere(
    pattern: dict[str, Any], value: Any, path: str, run: _Run
) -> Mismatch | None:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if _match(pattern["$somewhere"], one, path, run) is None:
            return None
        if is_object(one):
            waiting += one.values()
        elif is_array(one):
            waiting += one
    return Mismatch(path, pattern, value)


def _unlike(
    pattern: dict[str, Any], value: Any, path: str, run: _Run
) -> Mismatch | None:
    if not isinstance(value, str):
        return Mismatch(path, Words("a string"), value)
    for name in pattern["$unlike"]:
        other = str(expand({"$use": name}, run.names))
        same = sum(a == b for a, b in zip(value, other, strict=False))
        if max(len(value), len(other)) - same < _DIFFERENT_PLACES:
            return Mismatch(path, pattern, value)
    return None


_MATCHERS: dict[str, _Matcher] = {
    "$equals": _equals,
    "$type": _type,
    "$contains": _contains,
    "$json_text": _json_text,
    "$each": _each,
    "$size": _size,
    "$schema": _schema,
    "$valid_json_schema": _valid_json_schema,
    "$unique": _unique,
    "$not": _not,
    "$all_of": _all_of,
    "$somewhere": _somewhere,
    "$unlike": _unlike,
}
