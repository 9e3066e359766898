"""Reading arguments one by one; a wrong one is the tool's reported failure.

By hand, because a JSON Schema library costs more to import than a host to start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof_reference.toolset._tool import ToolFailure

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON, JSONObject


def read_integer(arguments: JSONObject, name: str, default: int | None = None) -> int:
    """An integer argument; as in JSON Schema, 5.0 is one and true is not."""
    value = arguments.get(name, default)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise _unlike(name, "an integer")


def read_string(arguments: JSONObject, name: str, default: str | None = None) -> str:
    """A string argument."""
    value = arguments.get(name, default)
    if isinstance(value, str):
        return value
    raise _unlike(name, "a string")


def read_strings(arguments: JSONObject, name: str) -> list[str]:
    """An argument that is an array of strings."""
    return [_string_in(name, item) for item in _read_array(arguments, name)]


def read_objects(arguments: JSONObject, name: str) -> list[JSONObject]:
    """An argument that is an array of objects."""
    return [_object_in(name, item) for item in _read_array(arguments, name)]


def _read_array(arguments: JSONObject, name: str) -> list[JSON]:
    value = arguments.get(name)
    if isinstance(value, list):
        return value
    raise _unlike(name, "an array")


def _string_in(name: str, item: JSON) -> str:
    if isinstance(item, str):
        return item
    raise _unlike(name, "an array of strings")


def _object_in(name: str, item: JSON) -> JSONObject:
    if isinstance(item, dict):
        return item
    raise _unlike(name, "an array of objects")


def _unlike(name: str, kind: str) -> ToolFailure:
    return ToolFailure(f"{name} must be {kind}", code="INVALID_ARGUMENTS")
