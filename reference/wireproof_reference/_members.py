"""Members of JSON objects, each read as the type that it must have.

By hand, because a JSON Schema library costs more to import than a host to start; and
by the standard library alone, because a one-shot tool is started anew for each call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireproof_reference.framing import JSON, JSONObject


def as_integer(value: object) -> int | None:
    """A JSON number as an integer; as in JSON Schema, 5.0 is one and true is not."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return None


class Members:
    """Reads members; one that is absent is its default, if it has one.

    Args:
        error: Makes the exception to raise, from the sentence that says what is wrong.
    """

    def __init__(self, error: Callable[[str], Exception]) -> None:
        self._error = error

    def any(self, value: JSONObject, name: str) -> JSON:
        """A member that may be any JSON value, but must not be absent."""
        if name in value:
            return value[name]
        raise self._error(f"{name} is missing")

    def string(self, value: JSONObject, name: str, default: str | None = None) -> str:
        """A string."""
        member = value.get(name, default)
        if isinstance(member, str):
            return member
        raise self._unlike(name, "a string")

    def integer(self, value: JSONObject, name: str, default: int | None = None) -> int:
        """An integer."""
        member = as_integer(value.get(name, default))
        if member is not None:
            return member
        raise self._unlike(name, "an integer")

    def object(
        self, value: JSONObject, name: str, default: JSONObject | None = None
    ) -> JSONObject:
        """An object."""
        member = value.get(name, default)
        if isinstance(member, dict):
            return member
        raise self._unlike(name, "an object")

    def strings(self, value: JSONObject, name: str) -> list[str]:
        """An array of strings."""
        items = self._array(value, name)
        strings = [item for item in items if isinstance(item, str)]
        if len(strings) == len(items):
            return strings
        raise self._unlike(name, "an array of strings")

    def objects(self, value: JSONObject, name: str) -> list[JSONObject]:
        """An array of objects."""
        items = self._array(value, name)
        objects = [item for item in items if isinstance(item, dict)]
        if len(objects) == len(items):
            return objects
        raise self._unlike(name, "an array of objects")

    def _array(self, value: JSONObject, name: str) -> list[JSON]:
        member = value.get(name)
        if isinstance(member, list):
            return member
        raise self._unlike(name, "an array")

    def _unlike(self, name: str, kind: str) -> Exception:
        return self._error(f"{name} must be {kind}")
