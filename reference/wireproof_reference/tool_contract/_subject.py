"""The registry behind the ops of the bridge, as an object.

Its methods are the ops, with the same names, arguments and JSON shapes.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import anyio

from wireproof_reference.tool_contract._context import ReadRecord, ToolContext
from wireproof_reference.tool_contract._data_tools import (
    STEPS,
    Availability,
    DataReducer,
    context_as_json,
    data_tool,
)
from wireproof_reference.tool_contract._registry import Call, ToolRegistry
from wireproof_reference.tool_contract.core import (
    DEFAULT_TURN_BUDGET,
    ToolFilter,
    progress_event,
    result_as_json,
    sanitize_untrusted,
    visible_on,
    wrap_untrusted,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wireproof_reference.framing import JSON, JSONObject
    from wireproof_reference.tool_contract._registry import CallOutcome
    from wireproof_reference.tool_contract.core import ProgressEvent

_OPS = (
    "register",
    "definitions",
    "execute_parallel",
    "register_reducer",
    "unregister_reducer",
    "get_reducer",
    "wrap_untrusted",
    "sanitize_untrusted",
    "visible_progress",
    "set_available",
    "reset",
)

_OPTIONAL_FIELDS = (
    *("agentId", "personalityId", "memoryScope", "memoryScopeId", "teamId"),
    "networkPolicy",
)
"""The data of a context that is handed on only where it is given."""

_MS = 1_000


class ToolContractSubject:
    """A registry to be tried."""

    def __init__(self) -> None:
        self.reset()

    def describe(self) -> JSONObject:
        """Say what this is, which ops it has, and which steps its tools may have."""
        return {
            "name": "wireproof reference tool registry",
            "version": version("wireproof"),
            "language": "Python",
            "ops": list(_OPS),
            "steps": list(STEPS),
            "lengthUnit": "codepoint",
        }

    def reset(self) -> None:
        """Forget all tools and reducers."""
        self._registry = ToolRegistry()
        self._available: dict[str, Availability] = {}
        self._reducers: dict[str, DataReducer] = {}
        self._removals: dict[str, Callable[[], None]] = {}

    def register(self, tools: list[dict[str, Any]]) -> JSONObject:
        """Add tools."""
        registered: list[JSON] = []
        for data in tools:
            available = Availability(data.get("available", True))
            self._registry.register(data_tool(data, available))
            self._available[data["name"]] = available
            registered.append(data["name"])
        return {"registered": registered}

    def set_available(self, name: str, available: Any) -> None:
        """Say from now on whether a tool is available."""
        self._available[name].said = available

    def definitions(self, **allowed: Any) -> list[JSON]:
        """List the tools that may be called."""
        return [
            {"name": it.name, "description": it.description, "parameters": it.schema}
            for it in self._registry.definitions(_filter(allowed))
        ]

    async def execute_parallel(
        self, calls: list[JSONObject], **told: Any
    ) -> JSONObject:
        """Carry out calls at once, and tell what came of them and in which order."""
        given: dict[str, Any] = told.get("context") or {}
        context = _context(given)
        log: list[JSON] = []
        began = anyio.current_time()

        def note_event(call: Call, event: ProgressEvent) -> None:
            t_ms = (anyio.current_time() - began) * _MS
            log.append({"toolCallId": call.id, "event": event.as_json(), "t_ms": t_ms})

        def note_outcome(outcome: CallOutcome) -> None:
            log.append({"toolCallId": outcome.call.id, "result": True})

        wanted = [
            Call(str(call["toolCallId"]), str(call["name"]), call.get("args"))
            for call in calls
        ]
        abort_after: float | None = given.get("abortAfterMs")
        if abort_after == 0:
            context.abort_signal.abort()
        outcomes: list[CallOutcome] = []
        async with anyio.create_task_group() as tasks:

            async def abort(after_ms: float) -> None:
                await anyio.sleep(after_ms / _MS)
                context.abort_signal.abort()

            if abort_after:
                tasks.start_soon(abort, abort_after)
            outcomes = await self._registry.execute_parallel(
                wanted, context, _filter(told), note_outcome, note_event
            )
            tasks.cancel_scope.cancel()
        value: JSONObject = {"results": [_outcome(it) for it in outcomes], "log": log}
        if context.read_mtimes is not None:
            value["readMtimes"] = context_as_json(context)["readMtimes"]
        return value

    def register_reducer(self, **told: Any) -> JSONObject:
        """Add a reducer, and give the handle by which it is removed."""
        reducer = DataReducer(told["toolName"], told["reduce"])
        remove = self._registry.reducers.register(reducer)
        handle = f"reducer-{len(self._removals) + 1}"
        self._removals[handle] = remove
        self._reducers[handle] = reducer
        return {"handle": handle}

    def unregister_reducer(self, handle: str) -> JSONObject:
        """Remove a reducer; one that is gone, or never was, changes nothing."""
        reducer = self._reducers.get(handle)
        if reducer is None:
            return {"removed": False}
        removed = self._registry.reducers.get(reducer.tool_name) is reducer
        self._removals[handle]()
        return {"removed": removed}

    def get_reducer(self, **told: Any) -> JSONObject:
        """Give the handle of a tool's reducer, or null."""
        found = self._registry.reducers.get(told["toolName"])
        handles = (key for key, it in self._reducers.items() if it is found)
        return {"handle": next(handles, None)}

    def wrap_untrusted(self, **told: Any) -> str:
        """Wrap a text."""
        return wrap_untrusted(told["content"], told["toolName"], told.get("source"))

    def sanitize_untrusted(self, content: str) -> str:
        """Sanitise a text, without the wrapper."""
        return sanitize_untrusted(content)

    def visible_progress(self, events: list[JSONObject], channel: str) -> list[JSON]:
        """Give the events that a channel shows."""
        read = [
            progress_event(
                str(event["toolName"]),
                str(event["message"]),
                event.get("percent"),
                event.get("audience"),
            )
            for event in events
        ]
        return [event.as_json() for event in visible_on(channel, read)]


def _outcome(found: CallOutcome) -> JSON:
    return {
        "toolCallId": found.call.id,
        "name": found.call.name,
        "result": result_as_json(found.result),
        "modelText": found.model_text,
    }


def _filter(told: Mapping[str, Any]) -> ToolFilter:
    options: dict[str, Any] = told.get("filterOpts") or {}
    return ToolFilter(
        told.get("allowedTools"),
        options.get("allowedMcpServers"),
        options.get("allowedPlugins"),
    )


def _context(given: Mapping[str, Any]) -> ToolContext:
    plain = ToolContext()
    read = given.get("readMtimes")
    records = None
    if read is not None:
        records = {
            path: ReadRecord(one["mtimeMs"], one["readAtTurn"])
            for path, one in read.items()
        }
    return ToolContext(
        given.get("sessionId", plain.session_id),
        given.get("sessionKey", plain.session_key),
        given.get("platform", plain.platform),
        given.get("workingDir", plain.working_dir),
        given.get("currentTurn", plain.current_turn),
        given.get("messageCount", plain.message_count),
        given.get("resultBudgetChars", DEFAULT_TURN_BUDGET),
        read_mtimes=records,
        dry_run=bool(given.get("dryRun")),
        optional={key: given[key] for key in _OPTIONAL_FIELDS if key in given},
    )


def subject() -> ToolContractSubject:
    """Give a new registry to be tried, as `module:attr` names one."""
    return ToolContractSubject()
