"""The tools whose behaviour is known, so that every clause can be tried.

Each does what `conformance_echo` and its like are specified to do and nothing more.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

import anyio
import anyio.to_thread

from wireproof_reference.toolset._arguments import (
    read_integer,
    read_objects,
    read_string,
    read_strings,
)
from wireproof_reference.toolset._tool import Tool, ToolContext, ToolFailure

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON, JSONObject

COUNTER_KEY: Final = "conformance_counter"
"""Where the counter stands in the tool state."""


async def _echo(arguments: JSONObject, context: ToolContext) -> JSON:
    return {"value": arguments.get("value")}


async def _fail(arguments: JSONObject, context: ToolContext) -> JSON:
    raise ToolFailure(
        read_string(arguments, "message"),
        code=read_string(arguments, "code", default="TOOL_FAILED"),
        details=arguments.get("details"),
    )


async def _throw(arguments: JSONObject, context: ToolContext) -> JSON:
    raise RuntimeError(read_string(arguments, "message"))


async def _stream(arguments: JSONObject, context: ToolContext) -> JSON:
    parts = read_objects(arguments, "parts")
    delay_ms = read_integer(arguments, "delay_ms", default=0)
    for part in parts:
        await context.emit(part)
        await anyio.sleep(delay_ms / 1000)
    return {"count": len(parts)}


async def _counter(arguments: JSONObject, context: ToolContext) -> JSON:
    by = read_integer(arguments, "by", default=1)
    counter = read_integer(context.state, COUNTER_KEY, default=0) + by
    context.state[COUNTER_KEY] = counter
    return {"counter": counter}


async def _sleep(arguments: JSONObject, context: ToolContext) -> JSON:
    ms = read_integer(arguments, "ms")
    await anyio.sleep(ms / 1000)
    return {"slept_ms": ms}


async def _blob(arguments: JSONObject, context: ToolContext) -> JSON:
    return "x" * read_integer(arguments, "size")


async def _print(arguments: JSONObject, context: ToolContext) -> JSON:
    text = read_string(arguments, "text")
    # A full pipe blocks an ordinary print: that may hold up this call only.
    await anyio.to_thread.run_sync(_print_line, text)
    return {"printed": True}


def _print_line(text: str) -> None:
    print(text, flush=True)  # noqa: T201  # the very thing that this tool is for


async def _stderr(arguments: JSONObject, context: ToolContext) -> JSON:
    size = read_integer(arguments, "size")
    await anyio.to_thread.run_sync(_write_stderr, size)
    return {"written": size}


def _write_stderr(size: int) -> None:
    sys.stderr.write("x" * size)
    sys.stderr.flush()


async def _env(arguments: JSONObject, context: ToolContext) -> JSON:
    return {name: os.environ.get(name) for name in read_strings(arguments, "names")}


def _parameters(required: list[JSON], **properties: JSONObject) -> JSONObject:
    return {"type": "object", "properties": {**properties}, "required": required}


def conformance_tools() -> tuple[Tool, ...]:
    """The tools that a host of any protocol offers to be tried in full."""
    integer: JSONObject = {"type": "integer"}
    natural: JSONObject = {"type": "integer", "minimum": 0}
    string: JSONObject = {"type": "string"}
    return (
        Tool(
            "conformance_echo",
            "Returns its argument unchanged.",
            _parameters(["value"], value={}),
            _echo,
        ),
        Tool(
            "conformance_fail",
            "Reports failure with the given message.",
            _parameters(["message"], message=string, code=string, details={}),
            _fail,
        ),
        Tool(
            "conformance_throw",
            "Raises an uncaught error with the given message.",
            _parameters(["message"], message=string),
            _throw,
        ),
        Tool(
            "conformance_stream",
            "Emits one event for each part, waiting after each.",
            _parameters(
                ["parts"],
                parts={"type": "array", "items": {"type": "object"}},
                delay_ms={**natural, "default": 0},
            ),
            _stream,
        ),
        Tool(
            "conformance_counter",
            "Adds to the counter in the tool state.",
            _parameters([], by={**integer, "default": 1}),
            _counter,
        ),
        Tool(
            "conformance_sleep",
            "Sleeps for some milliseconds.",
            _parameters(
                ["ms"],
                ms=natural,
                ignore_cancel={"type": "boolean", "default": False},
            ),
            _sleep,
        ),
        Tool(
            "conformance_blob",
            "Returns a string of the given size.",
            _parameters(["size"], size=natural),
            _blob,
        ),
        Tool(
            "conformance_print",
            "Prints a line as a tool ordinarily would.",
            _parameters(["text"], text=string),
            _print,
        ),
        Tool(
            "conformance_stderr",
            "Writes the given number of bytes to stderr.",
            _parameters(["size"], size=natural),
            _stderr,
        ),
        Tool(
            "conformance_env",
            "Returns values of the process environment.",
            _parameters(["names"], names={"type": "array", "items": string}),
            _env,
        ),
    )
