"""Hosts whose output is lost, torn or not their own: HV1-M13, E3, T2, T11, R5, R7."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.proof.host_v1.changes import on_request, on_value, on_written, stdout_of
from tests.proof.host_v1.subject import TABLES, legal
from tests.proof.row import Change, around

from wireproof_reference.framing import JSON, JSONObject
from wireproof_reference.host_v1 import (
    Host,
    Request,
    Tool,
    ToolContext,
    ToolPlugin,
    conformance_toolset,
)

fault = TABLES.faults(__name__, Host)
variant = TABLES.variants(__name__, Host)

Write = Callable[[bytes], None]

PIPE = 64 << 10
"""Bytes that a pipe takes."""

PAGE = 4096
"""Bytes that a pipe takes whole."""

# --- HV1-M13, E3: a client that reads slowly


def write_what_fits(host: Host, _: Write, data: bytes) -> None:
    """Write as a program does whose stdout is not to block, and whose code is."""
    fd = stdout_of(host)
    poll = select.poll()
    poll.register(fd, select.POLLOUT)
    view = memoryview(data)
    while view and poll.poll(0):
        view = view[os.write(fd, view[:PAGE]) :]


def write_in_a_thread(host: Host, write: Write, data: bytes) -> None:
    """Write what is long in a thread of its own, without a lock."""
    if len(data) <= PIPE:
        write(data)
        return

    def write_all() -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(stdout_of(host), view[:PAGE]) :]

    threading.Thread(target=write_all).start()


def drop_beyond(size: int, *, events: bool) -> Change:
    """Return the change that drops what is written while so much waits."""

    def write(host: Host, original: Write, data: bytes) -> None:
        transport: Any = host.transport
        waits = transport.write.__self__.backlog_bytes
        if waits <= size or (b'"event":' in data[:2000]) is not events:
            original(data)

    return on_written(write)


fault(
    "drops-what-does-not-fit",
    "HV1-M13",
    "writes what its stdout takes at once, and drops the rest",
    on_written(write_what_fits),
    shown_by="host-v1/pipelining/two-large-results",
)
fault(
    "writes-in-threads",
    "HV1-M13",
    "writes each long message in a thread, without a lock",
    on_written(write_in_a_thread),
    shown_by="host-v1/pipelining/two-large-results",
)
fault(
    "drops-answers-while-one-waits",
    "HV1-M13",
    "drops an answer while the one before it is not read",
    drop_beyond(0, events=False),
    shown_by="host-v1/pipelining/two-large-results",
)
fault(
    "drops-events-while-one-waits",
    "HV1-E3",
    "drops an event while those before it are not read",
    drop_beyond(0, events=True),
    shown_by="host-v1/events/three-thousand-events-to-a-slow-reader",
)
fault(
    "drops-events-beyond-64-kib",
    "HV1-E3",
    "drops an event while 64 KiB of those before it are not read",
    drop_beyond(64 << 10, events=True),
    shown_by="host-v1/events/two-bursts-to-a-slow-reader",
)


def serve_one_at_a_time(
    host: Host, handle: Callable[[Request], None], one: Any
) -> None:
    """Carry out a request once all that was written has been read."""

    async def carry_out() -> None:
        await host.transport.flush()
        handle(one)

    host._tasks.start_soon(carry_out)


variant(
    "waits-for-its-reader",
    "carries out a request once all that it wrote has been read",
    on_request(serve_one_at_a_time),
)

# --- HV1-T11, T2: what a tool's child prints


def with_tools(**runs: Callable[[JSONObject, ToolContext], Any]) -> ToolPlugin:
    """Return the toolset with some of its tools carried out in another way."""
    whole = conformance_toolset()
    tools = [
        replace(tool, run=runs[name])
        if (name := tool.name.removeprefix("conformance_")) in runs
        else tool
        for tool in whole.tools
    ]
    return replace(whole, tools=tools)


def print_in_a_child(text: str, stdout: int | None = None) -> None:
    """Print a text as a tool does that runs another program."""
    code = "import sys; print(sys.argv[1])"
    if "\0" not in text:
        subprocess.run(
            [sys.executable, "-IS", "-c", code, text], check=True, stdout=stdout
        )


async def print_by_a_child(arguments: JSONObject, _: ToolContext) -> JSON:
    text = arguments["text"]
    if not isinstance(text, str):
        raise TypeError("text must be a string")
    print_in_a_child(text)
    return {"printed": True}


@legal(
    "children-print",
    "has a tool whose child prints, to what is stdout for it",
    plugin=lambda: with_tools(print=print_by_a_child),
)
class ChildrenPrint(Host):
    pass


def leave_stdout_to_children(
    tool_name: str,
) -> Callable[..., Any]:
    """Return what runs a tool whose child prints to the stdout of the host."""

    async def run(
        host: Host, original: Any, tool: Tool, arguments: Any, context: Any
    ) -> Any:
        if tool.name == tool_name:
            text = str(arguments.get("text", "done"))
            print_in_a_child(text, stdout_of(host))
        return await original(tool, arguments, context)

    return run


fault(
    "children-print-to-the-client",
    "HV1-T11",
    "diverts its own prints, and not those of a tool's child",
    around("run_tool", leave_stdout_to_children("conformance_print")),
    level="should",
)
fault(
    "children-report-to-the-client",
    "HV1-T2",
    "has a tool whose child says that it is done, on the host's stdout",
    around("run_tool", leave_stdout_to_children("conformance_counter")),
)

# --- HV1-R7: a tool that ends the program


async def exit_with(arguments: JSONObject, _: ToolContext) -> JSON:
    """End as a tool does that was written as a script."""
    raise SystemExit(arguments["message"])


@legal(
    "tools-exit",
    "has a tool that throws by calling sys.exit, which is a failure",
    plugin=lambda: with_tools(throw=exit_with),
)
class ToolsExit(Host):
    pass


def lose_the_thread(host: Host, handle: Callable[[Request], None], one: Any) -> None:
    """Leave a call unanswered whose tool calls sys.exit, as a thread does."""
    if one.params.get("tool_name") != "conformance_throw":
        handle(one)


def end_with_the_tool(host: Host, handle: Callable[[Request], None], one: Any) -> None:
    """End where a tool calls sys.exit."""
    if one.params.get("tool_name") == "conformance_throw":
        os._exit(1)
    handle(one)


fault(
    "tool-that-exits-ends-its-thread",
    "HV1-R7",
    "has a tool that calls sys.exit, and does not answer its call",
    on_request(lose_the_thread),
)
fault(
    "tool-that-exits-ends-the-host",
    "HV1-R7",
    "has a tool that calls sys.exit, and exits",
    on_request(end_with_the_tool),
)

# --- HV1-R5, R9: nulls and texts


def with_null(value: dict[str, Any]) -> dict[str, Any]:
    """Return the value of a call with both its keys, one of them null."""
    return {"result": None, "error": None, **value}


fault(
    "null-error-beside-a-result",
    "HV1-R5",
    "writes error null beside a result",
    on_value(lambda value: {"error": None, **value}),
    level="should",
    shown_by="host-v1/execute-tool/no-error-beside-a-result",
)
fault(
    "null-result-beside-an-error",
    "HV1-R5",
    "writes result null beside an error",
    on_value(lambda value: {"result": None, **value}),
    level="should",
    shown_by="host-v1/execute-tool/no-result-beside-an-error",
)
fault(
    "empty-result-beside-an-error",
    "HV1-R5",
    "writes an empty result beside an error",
    on_value(lambda value: {"result": {}, **value}),
    level="should",
    shown_by="host-v1/execute-tool/no-result-beside-an-error",
)
variant(
    "both-keys",
    "writes result and error always, one of them null",
    on_value(with_null),
    warns={"HV1-R5": "the other key should be absent"},
)


def wrap_arguments(host: Host, handle: Callable[[Request], None], one: Request) -> None:
    """Carry out a call whose arguments are no object, with none or with one."""
    arguments = one.params.get("arguments")
    if one.method == "execute_tool" and not isinstance(arguments, dict):
        wrapped: JSONObject = {} if arguments is None else {"value": arguments}
        one = replace(one, params={**one.params, "arguments": wrapped})
    handle(one)


variant(
    "arguments-of-any-kind",
    "carries out a call whose arguments are no object",
    on_request(wrap_arguments),
    warns={"HV1-R9": "it should answer with a failure"},
)
