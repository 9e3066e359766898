"""The conformance toolset as one exec tool; what each does, `toolset.json` says.

Not that of `wireproof_reference.toolset`, which is asynchronous: an event loop takes
longer to import than a one-shot tool to run.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

from wireproof_reference.exec.tool._errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireproof_reference.framing import JSON, JSONObject

# The tool state is that of the process: each one-shot call begins anew.
_counters = {"conformance_counter": 0}


def conformance_tool(args: JSONObject) -> JSON:
    """Carry out `{"tool": name, "arguments": {…}}`.

    Raises:
        ToolError: There is no such tool, an argument is wrong, or it reports failure.
    """
    name = _string(args, "tool")
    arguments = args.get("arguments", {})
    if name not in _TOOLS:
        raise ToolError(f"there is no tool {name!r}")
    if not isinstance(arguments, dict):
        raise ToolError("arguments must be an object")
    return _TOOLS[name](arguments)


def _echo(arguments: JSONObject) -> JSON:
    return {"value": _any(arguments, "value")}


def _return(arguments: JSONObject) -> JSON:
    return _any(arguments, "value")


def _fail(arguments: JSONObject) -> JSON:
    raise ToolError(_string(arguments, "message"))


def _throw(arguments: JSONObject) -> JSON:
    raise RuntimeError(_string(arguments, "message"))


def _counter(arguments: JSONObject) -> JSON:
    _counters["conformance_counter"] += _integer(arguments, "by", default=1)
    return {"counter": _counters["conformance_counter"]}


def _sleep(arguments: JSONObject) -> JSON:
    ms = _integer(arguments, "ms")
    time.sleep(ms / 1000)
    return {"slept_ms": ms}


def _blob(arguments: JSONObject) -> JSON:
    return "x" * _integer(arguments, "size")


def _print(arguments: JSONObject) -> JSON:
    print(_string(arguments, "text"), flush=True)  # noqa: T201  # what it is for
    return {"printed": True}


def _stderr(arguments: JSONObject) -> JSON:
    size = _integer(arguments, "size")
    sys.stderr.write("x" * size)
    sys.stderr.flush()
    return {"written": size}


def _env(arguments: JSONObject) -> JSON:
    names = _any(arguments, "names")
    if not isinstance(names, list):
        raise ToolError("names must be an array")
    return {_name_in(name): os.environ.get(_name_in(name)) for name in names}


_TOOLS: dict[str, Callable[[JSONObject], JSON]] = {
    "conformance_echo": _echo,
    "conformance_return": _return,
    "conformance_fail": _fail,
    "conformance_throw": _throw,
    "conformance_counter": _counter,
    "conformance_sleep": _sleep,
    "conformance_blob": _blob,
    "conformance_print": _print,
    "conformance_stderr": _stderr,
    "conformance_env": _env,
}


def _any(arguments: JSONObject, name: str) -> JSON:
    if name not in arguments:
        raise ToolError(f"{name} is missing")
    return arguments[name]


def _string(arguments: JSONObject, name: str) -> str:
    value = arguments.get(name)
    if isinstance(value, str):
        return value
    raise ToolError(f"{name} must be a string")


def _integer(arguments: JSONObject, name: str, default: int | None = None) -> int:
    """An integer argument; as in JSON Schema, 5.0 is one and true is not."""
    value = arguments.get(name, default)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise ToolError(f"{name} must be an integer")


def _name_in(item: JSON) -> str:
    if isinstance(item, str):
        return item
    raise ToolError("names must be an array of strings")
