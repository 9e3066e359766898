"""The conformance toolset for a host in Python: copy this file beside yours.

It needs nothing but the standard library. A host that lists ``SCHEMAS`` beside its own
tools, and calls ``call`` for their names, can be tried in full.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Any, TypeGuard

if TYPE_CHECKING:
    from collections.abc import Callable

    Emit = Callable[[dict[str, Any]], None]
    """Sends an event of the call at once: an object with a type and a payload."""

MOST = 64 << 20
"""Largest size that is taken: a mistaken one must not exhaust the host's memory."""


def is_array(value: object) -> TypeGuard[list[Any]]:
    """Tell whether a JSON value is an array."""
    return isinstance(value, list)


def call(
    name: str, arguments: dict[str, Any], state: dict[str, Any], emit: Emit
) -> dict[str, Any]:
    """Call a tool.

    Args:
        name: Its name, one of ``TOOLS``.
        arguments: The ``arguments`` of the request.
        state: The ``state`` of the request; it is changed in place.
        emit: Sends an event of this call.

    Returns:
        The ``value`` of the response.

    Raises:
        RuntimeError: By the tool that throws.
        TypeError: If an argument is not of its type.
    """
    run, _, _ = TOOLS[name]
    return run(arguments, state, emit)


def _echo(arguments: dict[str, Any], *_: object) -> dict[str, Any]:
    if "value" not in arguments:
        raise TypeError("value is missing")
    return _success({"value": arguments["value"]})


def _fail(arguments: dict[str, Any], *_: object) -> dict[str, Any]:
    return {"success": False, "error": _string(arguments, "message")}


def _throw(arguments: dict[str, Any], *_: object) -> dict[str, Any]:
    raise RuntimeError(_string(arguments, "message"))


def _stream(
    arguments: dict[str, Any], _state: dict[str, Any], emit: Emit
) -> dict[str, Any]:
    parts = _list(arguments, "parts", dict)
    seconds = _integer(arguments, "delay_ms", 0) / 1000
    for part in parts:
        emit({"type": "part", "payload": part})
        time.sleep(seconds)
    return _success({"count": len(parts)})


def _counter(
    arguments: dict[str, Any], state: dict[str, Any], _emit: Emit
) -> dict[str, Any]:
    by = _integer(arguments, "by", 1, least=-(2**53))
    counter = by + _integer(state, "conformance_counter", 0, least=-(2**53))
    state["conformance_counter"] = counter
    return _success({"counter": counter})


def _sleep(arguments: dict[str, Any], *_: object) -> dict[str, Any]:
    milliseconds = _integer(arguments, "ms")
    time.sleep(milliseconds / 1000)
    return _success({"slept_ms": milliseconds})


def _blob(arguments: dict[str, Any], *_: object) -> dict[str, Any]:
    return _success("x" * _integer(arguments, "size", most=MOST))


def _print(arguments: dict[str, Any], *_: object) -> dict[str, Any]:
    print(_string(arguments, "text"))
    return _success({"printed": True})


def _stderr(arguments: dict[str, Any], *_: object) -> dict[str, Any]:
    size = _integer(arguments, "size", most=MOST)
    sys.stderr.write("x" * size)
    sys.stderr.flush()
    return _success({"written": size})


def _env(arguments: dict[str, Any], *_: object) -> dict[str, Any]:
    names = _list(arguments, "names", str)
    return _success({name: os.environ.get(name) for name in names})


def _success(result: object) -> dict[str, Any]:
    return {"success": True, "result": result}


def _string(arguments: dict[str, Any], name: str) -> str:
    value = arguments.get(name)
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string")
    return value


def _list(arguments: dict[str, Any], name: str, kind: type) -> list[Any]:
    value = arguments.get(name)
    if not is_array(value) or not all(isinstance(one, kind) for one in value):
        raise TypeError(f"{name} must be an array, each element a {kind.__name__}")
    return value


def _integer(
    arguments: dict[str, Any],
    name: str,
    absent: int | None = None,
    *,
    least: int = 0,
    most: int = 2**53,
) -> int:
    """Return an argument; 1.0 is the integer 1, and true is none."""
    value = arguments.get(name, absent)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be an integer")
    if not least <= value <= most:
        raise TypeError(f"{name} must be from {least} to {most}")
    return value


_SIZE = {"size": {"type": "integer", "minimum": 0}}
_TEXT = {"type": "string"}

TOOLS: dict[str, tuple[Callable[..., dict[str, Any]], str, dict[str, Any]]] = {
    "conformance_echo": (_echo, "Return the value unchanged.", {"value": {}}),
    "conformance_fail": (_fail, "Report failure with a message.", {"message": _TEXT}),
    "conformance_throw": (_throw, "Raise an error with a message.", {"message": _TEXT}),
    "conformance_stream": (
        _stream,
        "Emit one event for each part.",
        {
            "parts": {"type": "array", "items": {"type": "object"}},
            "delay_ms": {"type": "integer", "minimum": 0, "default": 0},
        },
    ),
    "conformance_counter": (
        _counter,
        "Add to the counter in the tool state.",
        {"by": {"type": "integer", "default": 1}},
    ),
    "conformance_sleep": (
        _sleep,
        "Sleep for a while.",
        {"ms": {"type": "integer", "minimum": 0}},
    ),
    "conformance_blob": (_blob, "Return a long string.", _SIZE),
    "conformance_print": (_print, "Print a text in the ordinary way.", {"text": _TEXT}),
    "conformance_stderr": (_stderr, "Write bytes to stderr.", _SIZE),
    "conformance_env": (
        _env,
        "Return environment variables.",
        {"names": {"type": "array", "items": {"type": "string"}}},
    ),
}
"""What each tool does, its description, and the properties of its arguments."""

SCHEMAS: list[dict[str, Any]] = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": description,
            "parameters": {
                "type": "object",
                "properties": properties,
                "required": [
                    key for key, schema in properties.items() if "default" not in schema
                ],
            },
        },
    }
    for name, (_, description, properties) in TOOLS.items()
]
"""The tools as ``get_tool_schemas`` lists them."""
