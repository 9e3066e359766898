"""Tools and reducers that are described as data: what a test harness registers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import anyio

from wireproof_reference.tool_contract._files import read_text, write_text
from wireproof_reference.tool_contract._tool import Tool
from wireproof_reference.tool_contract.core import (
    Success,
    progress_event,
    result_as_json,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from wireproof_reference.framing import JSON, JSONObject
    from wireproof_reference.tool_contract._context import ToolContext
    from wireproof_reference.tool_contract.core import ReducerContext, ToolResult

_GOES_ON: Final = object()
"""What a step gives after which the tool goes on."""

_MS: Final = 1_000


class Thrown(Exception):
    """What the step `throw` or `throw_value` raises."""


class Availability:
    """Whether a tool is available, as its data says, and the harness after it.

    Args:
        said: True, false, a list of them of which each asking takes one and the last
            stays, `{"throw": TEXT}`, or `{"file": PATH}` for as long as there is one.
    """

    def __init__(self, said: Any = True) -> None:  # noqa: FBT002 - as in the data
        self.said = said
        self._asked = 0

    def __call__(self) -> bool:
        """Answer one asking."""
        match self.said:
            case {"throw": text}:
                raise Thrown(text)
            case {"file": path}:
                return Path(path).exists()
            case [*answers]:
                self._asked += 1
                return bool(answers[min(self._asked, len(answers)) - 1])
            case said:
                return bool(said)


def data_tool(data: Mapping[str, Any], available: Availability) -> Tool:
    """Make a tool of its data.

    Args:
        data: Names as on the wire; `steps` is what it does.
        available: Whether it may be called.
    """

    async def execute(args: JSON, context: ToolContext) -> object:
        return await _carried_out(data, args, context)

    return Tool(
        data["name"],
        data["description"],
        data["schema"],
        execute,
        toolset=data.get("toolset"),
        plugin=data.get("plugin"),
        max_result_chars=data.get("maxResultChars"),
        capabilities=data.get("capabilities") or {},
        is_available=available,
        always_include=bool(data.get("alwaysInclude")),
        output_is_untrusted=bool(data.get("outputIsUntrusted")),
    )


async def _carried_out(
    data: Mapping[str, Any], args: JSON, context: ToolContext
) -> object:
    name = data["name"]
    for step in data["steps"]:
        ((action, told),) = step.items()
        if action == "emit":
            said = told.get("toolName", name)
            message, percent = told["message"], told.get("percent")
            event = progress_event(said, message, percent, told.get("audience"))
            context.emit(event)
        elif action == "return_args":
            return Success(_as_text(args))
        else:
            returned = await _STEPS[action](told, context)
            if returned is not _GOES_ON:
                return returned
    return None


async def _sleep(told: Any, context: ToolContext) -> object:
    await anyio.sleep(told / _MS)
    return _GOES_ON


async def _wait_for_abort(told: Any, context: ToolContext) -> object:
    with anyio.move_on_after(told / _MS):
        await context.abort_signal.wait()
    return _GOES_ON


async def _return(told: Any, context: ToolContext) -> object:
    return told


async def _throw(told: Any, context: ToolContext) -> object:
    raise Thrown(told if isinstance(told, str) else _as_text(told))


async def _return_context(told: Any, context: ToolContext) -> object:
    seen = context_as_json(context)
    return Success(_as_text({key: seen[key] for key in told if key in seen}))


async def _append_file(told: Any, context: ToolContext) -> object:
    path = anyio.Path(context.working_dir, told["path"])
    async with await path.open("a", encoding="utf-8") as file:
        await file.write(told["text"])
    return _GOES_ON


async def _read_file(told: Any, context: ToolContext) -> object:
    await read_text(told["path"], context)
    return _GOES_ON


async def _write_file(told: Any, context: ToolContext) -> object:
    refused = await write_text(told["path"], told["text"], context)
    return _GOES_ON if refused is None else refused


_STEPS: Final[Mapping[str, Callable[[Any, ToolContext], Awaitable[object]]]] = {
    "sleep_ms": _sleep,
    "wait_abort_ms": _wait_for_abort,
    "return": _return,
    "throw": _throw,
    "throw_value": _throw,
    "return_context": _return_context,
    "append_file": _append_file,
    "read_file": _read_file,
    "write_file": _write_file,
}

STEPS: Final = ("emit", "return_args", *_STEPS)
"""The steps that a tool may have."""


def context_as_json(context: ToolContext) -> JSONObject:
    """Give what a tool is told, by the names that it has on the wire."""
    found: JSONObject = {
        "sessionId": context.session_id,
        "sessionKey": context.session_key,
        "platform": context.platform,
        "workingDir": context.working_dir,
        "currentTurn": context.current_turn,
        "messageCount": context.message_count,
        "resultBudgetChars": context.result_budget_chars,
        **context.optional,
    }
    if context.dry_run:
        found["dryRun"] = True
    if context.read_mtimes is not None:
        found["readMtimes"] = {
            path: {"mtimeMs": read.mtime_ms, "readAtTurn": read.read_at_turn}
            for path, read in context.read_mtimes.items()
        }
    return found


@dataclass(frozen=True, slots=True)
class DataReducer:
    """A reducer that is described as data.

    Attributes:
        tool_name: The tool.
        does: `{"return": RESULT}`, `{"throw": TEXT}`, `{"keep": n}` first characters,
            `{"append": TEXT}` or `{"return_context": true}`.
    """

    tool_name: str
    does: Mapping[str, Any]

    def reduce(self, result: ToolResult, context: ReducerContext) -> object:
        """Give the result that takes this one's place."""
        value = result.value if isinstance(result, Success) else ""
        match self.does:
            case {"throw": text}:
                raise Thrown(text)
            case {"keep": count}:
                return {**result_as_json(result), "value": value[:count]}
            case {"append": text}:
                return {**result_as_json(result), "value": value + text}
            case {"return_context": _}:
                told = {"args": context.args, "turnCount": context.turn_count}
                return Success(_as_text(told))
            case _:
                return self.does.get("return")


def _as_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
