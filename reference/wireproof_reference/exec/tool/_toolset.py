"""The conformance toolset as one exec tool; what each does, `toolset.json` says.

Not that of `wireproof_reference.toolset`, which is asynchronous: an event loop takes
longer to import than a one-shot tool to run.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

from wireproof_reference._members import Members
from wireproof_reference.exec.tool._calling import ToolError

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireproof_reference.framing import JSON, JSONObject

_READ = Members(ToolError)

# The tool state is that of the process: each one-shot call begins anew.
_counters = {"conformance_counter": 0}


def conformance_tool(args: JSONObject) -> JSON:
    """Carry out `{"tool": name, "arguments": {…}}`.

    Raises:
        ToolError: There is no such tool, an argument is wrong, or it reports failure.
    """
    name = _READ.string(args, "tool")
    arguments = args.get("arguments", {})
    if name not in _TOOLS:
        raise ToolError(f"there is no tool {name!r}")
    if not isinstance(arguments, dict):
        raise ToolError("arguments must be an object")
    return _TOOLS[name](arguments)


def _echo(arguments: JSONObject) -> JSON:
    return {"value": _READ.any(arguments, "value")}


def _return(arguments: JSONObject) -> JSON:
    return _READ.any(arguments, "value")


def _fail(arguments: JSONObject) -> JSON:
    raise ToolError(_READ.string(arguments, "message"))


def _throw(arguments: JSONObject) -> JSON:
    raise RuntimeError(_READ.string(arguments, "message"))


def _counter(arguments: JSONObject) -> JSON:
    _counters["conformance_counter"] += _READ.integer(arguments, "by", default=1)
    return {"counter": _counters["conformance_counter"]}


def _sleep(arguments: JSONObject) -> JSON:
    ms = _READ.integer(arguments, "ms")
    time.sleep(ms / 1000)
    return {"slept_ms": ms}


def _blob(arguments: JSONObject) -> JSON:
    return "x" * _READ.integer(arguments, "size")


def _print(arguments: JSONObject) -> JSON:
    print(_READ.string(arguments, "text"), flush=True)  # noqa: T201  # what it is for
    return {"printed": True}


def _stderr(arguments: JSONObject) -> JSON:
    size = _READ.integer(arguments, "size")
    sys.stderr.write("x" * size)
    sys.stderr.flush()
    return {"written": size}


def _env(arguments: JSONObject) -> JSON:
    _READ.any(arguments, "names")
    return {name: os.environ.get(name) for name in _READ.strings(arguments, "names")}


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
