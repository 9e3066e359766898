"""Arguments made from a tool's JSON Schema: few, small, and the same each time.

Theory of operation. A value is built from the schema by its plainest reading: what it
names itself (``const``, ``default``, ``examples``, ``enum``), else the smallest of its
type. Whatever is built is held to the schema with jsonschema afterwards, so that what
this reading does not know costs an instance, never a wrong one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from jsonschema import validators
from jsonschema.exceptions import SchemaError

from wireproof.patterns import is_array, is_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

MOST = 8
"""Instances that are made of one schema."""

DEEPEST = 12
"""Levels of a schema that are followed: some refer to themselves."""

FORMATS: Mapping[str, str] = {
    "date": "2024-02-29",
    "date-time": "2024-02-29T12:00:00Z",
    "time": "12:00:00Z",
    "duration": "PT1H",
    "email": "someone@example.com",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/",
    "url": "https://example.com/",
    "uri-reference": "/a",
    "uuid": "6fa459ea-ee8a-4ca4-894e-db77e160355e",
    "json-pointer": "/a",
    "regex": "a+",
}
"""A string of each format."""

TEXTS = (
    *("text", "a", "A", "abc", "ABC", "a1", "A1", "1", "0", "10", "00", "001", "1.0"),
    *("a-b", "a_b", "a.b", "a/b", "a b", "/a", "a:b", "AB12", "AB-12", "1.2.3", "en"),
    *("en-US", "USD", "a@b.example", "#a1b2c3", "+15551234567", "12345", "true"),
    *FORMATS.values(),
)
"""Strings that are tried where there is a pattern."""


def instances(schema: Mapping[str, Any]) -> list[Any]:
    """Return valid instances of a schema, the smallest first.

    Args:
        schema: The JSON Schema of a tool's arguments.

    Returns:
        At most ``MOST`` values, none twice; empty where none could be made.

    Raises:
        ValueError: The schema is none.
    """
    find: Any = validators.validator_for
    kind: Any = find(schema)
    try:
        kind.check_schema(schema)
    except SchemaError as error:
        raise ValueError(f"it is no JSON Schema: {error.message}") from error
    validator: Any = kind(schema)
    builder = _Builder(schema, validator)
    found: list[Any] = []
    for candidate in builder.candidates():
        if (
            len(found) < MOST
            and candidate not in found
            and validator.is_valid(candidate)
        ):
            found.append(candidate)
    return found


class _Builder:
    """Builds values from one schema."""

    def __init__(self, root: Mapping[str, Any], validator: Any) -> None:
        self._root = root
        self._validator = validator

    def candidates(self) -> Iterator[Any]:
        """Yield the smallest instance, the fullest, and those with other choices."""
        least = self.build(self._root, full=False)
        yield least
        fullest = self.build(self._root, full=True)
        yield fullest
        properties: Any = self._root.get("properties", {})
        for name, schema in properties.items():
            for choice in _choices(schema)[1:]:
                for base in (least, fullest):
                    if is_object(base):
                        yield {**base, name: choice}

    def build(self, schema: Any, *, full: bool, depth: int = 0) -> Any:
        """Return the plainest value of a schema."""
        if not is_object(schema) or depth > DEEPEST:
            return "text"
        schema = self._resolved(schema)
        if choices := _choices(schema):
            return choices[0]
        if found := self._branch(schema, full=full, depth=depth):
            return found[0]
        match _type_of(schema):
            case "object":
                return self._object(schema, full=full, depth=depth)
            case "array":
                return self._array(schema, full=full, depth=depth)
            case "string":
                return self._string(schema)
            case "integer" | "number" as kind:
                return _number(schema, whole=kind == "integer")
            case "boolean":
                return True
            case "null":
                return None
            case _:
                return "text"

    def _resolved(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Follow references within the document, and join what all must hold."""
        for _ in range(DEEPEST):
            reference = schema.get("$ref")
            if not isinstance(reference, str):
                break
            beside = {key: one for key, one in schema.items() if key != "$ref"}
            schema = {**self._at(reference), **beside}
        parts = schema.get("allOf")
        if not is_array(parts):
            return schema
        joined = {key: one for key, one in schema.items() if key != "allOf"}
        for part in parts:
            joined = _joined(joined, self._resolved(part) if is_object(part) else {})
        return joined

    def _at(self, reference: str) -> dict[str, Any]:
        found: Any = self._root
        for step in reference.removeprefix("#").split("/")[1:]:
            key = step.replace("~1", "/").replace("~0", "~")
            found = found.get(key) if is_object(found) else None
        return found if is_object(found) else {}

    def _branch(self, schema: dict[str, Any], *, full: bool, depth: int) -> list[Any]:
        """Return a value of the first alternative that suits, in a list; or none."""
        for key in ("oneOf", "anyOf"):
            branches: Any = schema.get(key)
            if not is_array(branches):
                continue
            rest = {name: one for name, one in schema.items() if name != key}
            for branch in branches:
                inner = _joined(rest, branch if is_object(branch) else {})
                value = self.build(inner, full=full, depth=depth + 1)
                if self._validator.evolve(schema=schema).is_valid(value):
                    return [value]
        return []

    def _object(self, schema: Mapping[str, Any], *, full: bool, depth: int) -> Any:
        properties: dict[str, Any] = schema.get("properties", {})
        required: Sequence[str] = schema.get("required", ())
        names = [*properties, *(name for name in required if name not in properties)]
        chosen = [name for name in names if full or name in required]
        least: int = schema.get("minProperties", 0)
        chosen += [name for name in names if name not in chosen][: least - len(chosen)]
        others = schema.get("additionalProperties", True)
        chosen += [f"key{n}" for n in range(len(chosen), least)]
        return {
            name: self.build(properties.get(name, others), full=full, depth=depth + 1)
            for name in chosen
        }

    def _array(self, schema: Mapping[str, Any], *, full: bool, depth: int) -> Any:
        first: Sequence[Any] = schema.get("prefixItems", ())
        least: int = schema.get("minItems", 0)
        most: float = schema.get("maxItems", math.inf)
        count = int(min(max(least, len(first), 1 if full else 0), most))
        items = schema.get("items", True)
        found = [
            self.build(
                first[n] if n < len(first) else items, full=full, depth=depth + 1
            )
            for n in range(count)
        ]
        if schema.get("uniqueItems"):
            choices = [*_choices(items), *found]
            return _distinct(choices, found, count)
        return found

    def _string(self, schema: Mapping[str, Any]) -> str:
        least: int = schema.get("minLength", 0)
        most: int | None = schema.get("maxLength")
        plain = FORMATS.get(str(schema.get("format")), "text")
        sized = [text.ljust(least, "x")[:most] for text in (plain, *TEXTS)]
        check: Any = self._validator.evolve(schema=dict(schema))
        return next((text for text in sized if check.is_valid(text)), plain)


def _choices(schema: Any) -> list[Any]:
    """Return the values that a schema names itself."""
    if not is_object(schema):
        return []
    if "const" in schema:
        return [schema["const"]]
    named = [schema["default"]] if "default" in schema else []
    return [*named, *schema.get("examples", ()), *schema.get("enum", ())]


def _type_of(schema: Mapping[str, Any]) -> str | None:
    """Return the type of a schema, the one that its keywords speak of where none is."""
    found = schema.get("type")
    if is_array(found):
        return next((str(one) for one in found if one != "null"), "null")
    if isinstance(found, str):
        return found
    hints = (
        ("object", ("properties", "required", "minProperties")),
        ("array", ("items", "prefixItems", "minItems")),
        ("number", ("minimum", "maximum", "multipleOf")),
        ("string", ("pattern", "format", "minLength", "maxLength")),
    )
    return next((kind for kind, keys in hints if set(keys) & schema.keys()), None)


def _number(schema: Mapping[str, Any], *, whole: bool) -> int | float:
    """Return a number within its limits, 1 where it may be."""
    low, high = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    over, under = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    step = schema.get("multipleOf") or (1 if whole else None)
    if isinstance(over, int | float) and not isinstance(over, bool):
        low = max(low, over + (step or min(1.0, _half_way(over, under, high))))
    if isinstance(under, int | float) and not isinstance(under, bool):
        high = min(high, under - (step or min(1.0, _half_way(low, under, high))))
    value: float = min(max(1, low), high)
    if step:
        value = math.ceil(value / step) * step
        value = value - step if value > high else value
    return int(value) if float(value).is_integer() else value


def _half_way(low: float, under: float | None, high: float) -> float:
    """Return half of the way between two limits; infinite where one is missing."""
    top = high if under is None else min(high, under)
    return (top - low) / 2


def _joined(left: Mapping[str, Any], right: Mapping[str, Any]) -> dict[str, Any]:
    """Return what holds where both schemas do, as far as an instance needs it."""
    joined = {**left, **right}
    if "properties" in left and "properties" in right:
        joined["properties"] = {**left["properties"], **right["properties"]}
    if "required" in left and "required" in right:
        joined["required"] = [*left["required"], *right["required"]]
    return joined


def _distinct(choices: Sequence[Any], found: Sequence[Any], count: int) -> list[Any]:
    """Return so many values of which no two are equal."""
    distinct: list[Any] = []
    numbered = [
        f"{one}{n}" if isinstance(one, str) else one + n if _is_number(one) else one
        for n, one in enumerate(found)
    ]
    for one in (*choices, *numbered):
        if one not in distinct:
            distinct.append(one)
    return distinct[:count]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
