"""The tools whose behaviour is known, so that every clause can be tried.

Each does what the conformance toolset is specified to do, and nothing more.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Final

import anyio
import anyio.to_thread

from wireproof_reference._members import Members
from wireproof_reference.toolset._tool import Tool, ToolContext, ToolFailure

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON, JSONObject

COUNTER_KEY: Final = "conformance_counter"
"""Where the counter stands in the tool state."""

_READ: Final = Members(partial(ToolFailure, code="INVALID_ARGUMENTS"))


async def _echo(arguments: JSONObject, context: ToolContext) -> JSON:
    return {"value": arguments.get("value")}


async def _fail(arguments: JSONObject, context: ToolContext) -> JSON:
    raise ToolFailure(
        _READ.string(arguments, "message"),
        code=_READ.string(arguments, "code", default="TOOL_FAILED"),
        details=arguments.get("details"),
    )


async def _throw(arguments: JSONObject, context: ToolContext) -> JSON:
    raise RuntimeError(_READ.string(arguments, "message"))


async def _stream(arguments: JSONObject, context: ToolContext) -> JSON:
    parts = _READ.objects(arguments, "parts")
    delay_ms = _READ.integer(arguments, "delay_ms", default=0)
    for part in parts:
        await context.emit(part)
        await anyio.sleep(delay_ms / 1000)
    return {"count": len(parts)}


async def _counter(arguments: JSONObject, context: ToolContext) -> JSON:
    by = _READ.integer(arguments, "by", default=1)
    counter = _READ.integer(context.state, COUNTER_KEY, default=0) + by
    context.state[COUNTER_KEY] = counter
    return {"counter": counter}


async def _sleep(arguments: JSONObject, context: ToolContext) -> JSON:
    ms = _READ.integer(arguments, "ms")
    await anyio.sleep(ms / 1000)
    return {"slept_ms": ms}


async def _blob(arguments: JSONObject, context: ToolContext) -> JSON:
    return "x" * _READ.integer(arguments, "size")


async def _print(arguments: JSONObject, context: ToolContext) -> JSON:
    text = _READ.string(arguments, "text")
    # A full pipe blocks an ordinary print: that may hold up this call only.
    await anyio.to_thread.run_sync(_print_line, text)
    return {"printed": True}


def _print_line(text: str) -> None:
    print(text, flush=True)  # noqa: T201  # the very thing that this tool is for


async def _stderr(arguments: JSONObject, context: ToolContext) -> JSON:
    size = _READ.integer(arguments, "size")
    await anyio.to_thread.run_sync(_write_stderr, size)
    return {"written": size}


def _write_stderr(size: int) -> None:
    sys.stderr.write("x" * size)
    sys.stderr.flush()


async def _env(arguments: JSONObject, context: ToolContext) -> JSON:
    return {name: os.environ.get(name) for name in _READ.strings(arguments, "names")}


def _parameters(properties: JSONObject, *required: str) -> JSONObject:
    parameters: JSONObject = {"type": "object", "properties": properties}
    if required:
        parameters["required"] = list(required)
    return parameters


def conformance_tools() -> tuple[Tool, ...]:
    """The tools that a host of any protocol offers to be tried in full.

    Their names, descriptions and parameters are those of `toolset.json`.
    """
    details = "Any JSON value; only the socket protocol has it."
    natural: JSONObject = {"type": "integer", "minimum": 0}
    string: JSONObject = {"type": "string"}
    strings: JSONObject = {"type": "array", "items": string}
    objects: JSONObject = {"type": "array", "items": {"type": "object"}}
    return (
        Tool(
            "conformance_echo",
            "Return the value unchanged.",
            _parameters(
                {"value": {"description": "Any JSON value, null included."}}, "value"
            ),
            _echo,
        ),
        Tool(
            "conformance_fail",
            "Report failure with a message.",
            _parameters(
                {
                    "message": string,
                    "code": {
                        "type": "string",
                        "default": "TOOL_FAILED",
                        "description": "Error code; only the socket protocol has one.",
                    },
                    "details": {"description": details},
                },
                "message",
            ),
            _fail,
        ),
        Tool(
            "conformance_throw",
            "Throw an uncaught error with a message.",
            _parameters({"message": string}, "message"),
            _throw,
        ),
        Tool(
            "conformance_stream",
            "Emit one event for each part.",
            _parameters(
                {"parts": objects, "delay_ms": {**natural, "default": 0}}, "parts"
            ),
            _stream,
        ),
        Tool(
            "conformance_counter",
            "Add to the counter in the tool state.",
            _parameters({"by": {"type": "integer", "default": 1}}),
            _counter,
        ),
        Tool(
            "conformance_sleep",
            "Sleep for a while.",
            _parameters(
                {
                    "ms": natural,
                    "ignore_cancel": {"type": "boolean", "default": False},
                },
                "ms",
            ),
            _sleep,
        ),
        Tool(
            "conformance_blob",
            "Return a long string.",
            _parameters({"size": natural}, "size"),
            _blob,
        ),
        Tool(
            "conformance_print",
            "Print a text in the ordinary way.",
            _parameters({"text": string}, "text"),
            _print,
        ),
        Tool(
            "conformance_stderr",
            "Write bytes to stderr.",
            _parameters({"size": natural}, "size"),
            _stderr,
        ),
        Tool(
            "conformance_env",
            "Return environment variables.",
            _parameters({"names": strings}, "names"),
            _env,
        ),
    )
