"""The conformance toolset as the tools of a socket server."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import anyio

from wireproof_reference.framing import dumps
from wireproof_reference.socket_v1._registry import ToolDefinition, ToolRegistry
from wireproof_reference.socket_v1.core import ABSENT, ToolError, ToolResult
from wireproof_reference.toolset import Tool, conformance_tools

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable
    from typing import TypeAlias

    from wireproof_reference.framing import JSON, JSONObject
    from wireproof_reference.socket_v1._context import CallContext
    from wireproof_reference.socket_v1._registry import Capability
    from wireproof_reference.socket_v1.core import ErrorCode

    Run: TypeAlias = Callable[[JSONObject, CallContext], Awaitable[JSON | ToolResult]]

_LIMITED_TIMEOUT_MS = 500


@dataclass(frozen=True, slots=True)
class _SharedContext:
    """What a tool of every protocol may use, on this one."""

    context: CallContext
    state: JSONObject

    async def emit(self, payload: JSON) -> None:
        """Send an event as progress."""
        await self.context.progress(dumps(payload).decode())


class _Sleeps:
    """`conformance_sleep` and `conformance_wait`, and how many have been aborted."""

    def __init__(self) -> None:
        self.aborted = 0
        self.waits = 0

    async def run(self, arguments: JSONObject, context: CallContext) -> JSON:
        """Sleep; end early when the signal fires, unless told to ignore it."""
        if arguments.get("ignore_cancel") is True:
            await anyio.sleep(_seconds(arguments))
        elif not await _sleep_or_abort(arguments, context):
            self.aborted += 1
        return _slept(arguments)

    async def count(self, arguments: JSONObject, context: CallContext) -> JSON:
        """`conformance_aborts`."""
        return {"aborted": self.aborted, "waits": self.waits}

    async def wait(self, arguments: JSONObject, context: CallContext) -> JSON:
        """`conformance_wait`."""
        await context.signal.wait()
        self.waits += 1
        raise InterruptedError(context.signal.reason)


class _Children:
    """`conformance_child`, and the children that it has started."""

    def __init__(self) -> None:
        self._running: list[subprocess.Popen[bytes]] = []

    async def start(self, arguments: JSONObject, context: CallContext) -> JSON:
        """Start a child that sleeps; those that have ended are reaped."""
        self._running = [child for child in self._running if child.poll() is None]
        child = subprocess.Popen(["sleep", str(_seconds(arguments))])  # noqa: ASYNC220, S603, S607
        self._running.append(child)
        return {"pid": child.pid}


def _milliseconds(arguments: JSONObject) -> float:
    return cast("float", arguments["ms"])


def _seconds(arguments: JSONObject) -> float:
    return _milliseconds(arguments) / 1000


def _slept(arguments: JSONObject) -> JSON:
    return {"slept_ms": _milliseconds(arguments)}


async def _sleep_or_abort(arguments: JSONObject, context: CallContext) -> bool:
    """Sleep; say whether it was to the end."""
    with anyio.move_on_after(_seconds(arguments)):
        await context.signal.wait()
        return False
    return True


async def _limited(arguments: JSONObject, context: CallContext) -> JSON:
    await _sleep_or_abort(arguments, context)
    return _slept(arguments)


async def _fail(arguments: JSONObject, context: CallContext) -> JSON:
    code = cast("ErrorCode", arguments.get("code", "TOOL_FAILED"))
    message = cast("str", arguments["message"])
    raise ToolError(code, message, arguments.get("details", ABSENT))


async def _context(arguments: JSONObject, context: CallContext) -> JSON:
    return {
        "caller": context.caller,
        "sessionId": context.session_id,
        "cwd": context.cwd,
        "spaceId": context.space_id,
        "tabId": context.tab_id,
    }


async def _envelope(arguments: JSONObject, context: CallContext) -> ToolResult:
    return ToolResult(cast("JSONObject", arguments["envelope"]))


async def _privileged(arguments: JSONObject, context: CallContext) -> JSON:
    path = cast("str", arguments["path"])
    await anyio.Path(path).write_bytes(b"")
    return {"written": path}


def _shared(tool: Tool, state: JSONObject) -> Run:
    async def run(arguments: JSONObject, context: CallContext) -> JSON:
        return await tool.run(arguments, _SharedContext(context, state))

    return run


def _parameters(**properties: JSON) -> JSONObject:
    parameters: JSONObject = {"type": "object", "properties": properties}
    if properties:
        parameters["required"] = list(properties)
    return parameters


def conformance_registry(*, grants: Iterable[Capability] = ()) -> ToolRegistry:
    """The conformance tools, with a state of their own.

    Their names, descriptions, parameters and capabilities are those of `toolset.json`.

    Args:
        grants: Capabilities that are granted; a server to be tried has none.
    """
    state: JSONObject = {}
    sleeps = _Sleeps()
    own: dict[str, Run] = {"conformance_sleep": sleeps.run, "conformance_fail": _fail}
    registry = ToolRegistry(grants=grants, trusted=True)
    for tool in conformance_tools():
        run = own.get(tool.name) or _shared(tool, state)
        registry.add(
            ToolDefinition(
                tool.name, tool.description, tool.parameters, run, ("read-only",)
            )
        )
    natural: JSONObject = {"type": "integer", "minimum": 0}
    registry.add(
        ToolDefinition(
            "conformance_context",
            "Return the context of the call.",
            _parameters(),
            _context,
            ("read-only",),
        )
    )
    registry.add(
        ToolDefinition(
            "conformance_aborts",
            "Count the sleeps that were aborted.",
            _parameters(),
            sleeps.count,
            ("read-only",),
        )
    )
    registry.add(
        ToolDefinition(
            "conformance_limited",
            "Sleep under a timeout of 500 ms.",
            _parameters(ms=natural),
            _limited,
            ("read-only",),
            _LIMITED_TIMEOUT_MS,
        )
    )
    registry.add(
        ToolDefinition(
            "conformance_envelope",
            "Return an explicit ToolResult.",
            _parameters(envelope={"type": "object"}),
            _envelope,
            ("read-only",),
        )
    )
    registry.add(
        ToolDefinition(
            "conformance_privileged",
            "Create a file.",
            _parameters(path={"type": "string"}),
            _privileged,
            ("writes-files",),
        )
    )
    registry.add(
        ToolDefinition(
            "conformance_wait",
            "Wait until the call is aborted.",
            _parameters(),
            sleeps.wait,
            ("read-only",),
        )
    )
    registry.add(
        ToolDefinition(
            "conformance_child",
            "Start a child process that sleeps.",
            _parameters(ms=natural),
            _Children().start,
            ("read-only",),
        )
    )
    return registry
