"""The registry: tools by their names, and the calls of a turn, all at once.

    registry = ToolRegistry()
    registry.register(Tool("add", "Adds.", {"type": "object"}, add))
    outcomes = await registry.execute_parallel([Call("1", "add", {"a": 1})], context)

Theory of operation. Each call has a task. A tool that raises, returns nonsense or does
not heed the abort costs its own call only. What it returns is reduced, then cut to the
call's budget; what the model sees of an untrusted tool is wrapped after that, so that
no cut opens the wrapper.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import anyio

from wireproof_reference.tool_contract.core import (
    NOT_AVAILABLE,
    Failure,
    MalformedResult,
    ReducerContext,
    ReducerRegistry,
    Success,
    ToolFilter,
    budget_of_call,
    cap_of,
    read_result,
    truncated,
    wrap_untrusted,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wireproof_reference.framing import JSON
    from wireproof_reference.tool_contract._context import ToolContext
    from wireproof_reference.tool_contract._tool import Tool
    from wireproof_reference.tool_contract.core import ProgressEvent, ToolResult

ABORT_GRACE: Final = 0.5
"""Seconds in which a tool may end by itself once the turn is called off (TOOL-X9)."""

ALL_TOOLS: Final = ToolFilter()


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a turn.

    Attributes:
        id: The model's id of the call.
        name: The tool.
        args: The arguments, as they came.
    """

    id: str
    name: str
    args: JSON


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """What a call came to.

    Attributes:
        call: The call.
        result: What the registry's caller gets.
        model_text: What enters the context of the model.
    """

    call: Call
    result: ToolResult
    model_text: str


class NameTaken(ValueError):
    """There is a tool of that name already (TOOL-X11)."""


class ToolRegistry:
    """Tools, and how they are called.

    Args:
        abort_grace: Seconds in which a tool may end by itself after an abort.

    Attributes:
        reducers: What shortens results.
    """

    def __init__(self, *, abort_grace: float = ABORT_GRACE) -> None:
        self.reducers = ReducerRegistry()
        self._abort_grace = abort_grace
        self._tools: dict[str, Tool] = {}

    def register(self, tool: Tool) -> None:
        """Add a tool.

        Raises:
            NameTaken: If there is one of that name.
        """
        if tool.name in self._tools:
            raise NameTaken(f"there is a tool {tool.name} already")
        self._tools[tool.name] = tool

    def definitions(self, allowed: ToolFilter = ALL_TOOLS) -> list[Tool]:
        """Give the tools that may be called now (TOOL-X5, X12)."""
        return [tool for tool in self._tools.values() if _may_run(tool, allowed)]

    async def execute_parallel(
        self,
        calls: Sequence[Call],
        context: ToolContext,
        allowed: ToolFilter = ALL_TOOLS,
        on_outcome: Callable[[CallOutcome], None] | None = None,
        on_event: Callable[[Call, ProgressEvent], None] | None = None,
    ) -> list[CallOutcome]:
        """Carry out the calls of a turn at once.

        Args:
            calls: The calls.
            context: What their tools are told.
            allowed: The tools that may be called.
            on_outcome: Called with each outcome as it comes.
            on_event: Called with each event as it comes, beside the context's `emit`.

        Returns:
            Their outcomes, in the order of the calls (TOOL-X1).
        """
        outcomes: list[CallOutcome | None] = [None] * len(calls)
        budget = budget_of_call(context.result_budget_chars, len(calls))

        async def carry_out(index: int) -> None:
            call = calls[index]
            tool = self._tools.get(call.name)
            if tool is None or not _may_run(tool, allowed):
                error = f"the tool {call.name} is not available"
                outcome = CallOutcome(call, Failure(error, NOT_AVAILABLE), error)
            else:
                outcome = await self._outcome(call, tool, context, budget, on_event)
            outcomes[index] = outcome
            if on_outcome is not None:
                on_outcome(outcome)

        async with anyio.create_task_group() as tasks:
            for index in range(len(calls)):
                tasks.start_soon(carry_out, index)
        return [outcome for outcome in outcomes if outcome is not None]

    async def _outcome(
        self,
        call: Call,
        tool: Tool,
        context: ToolContext,
        budget: int,
        on_event: Callable[[Call, ProgressEvent], None] | None,
    ) -> CallOutcome:
        cap = cap_of(budget, tool.max_result_chars)
        ended = False

        def emit(event: ProgressEvent) -> None:
            # What a tool tells after its result would come after it (TOOL-P5).
            if ended:
                return
            context.emit(event)
            if on_event is not None:
                on_event(call, event)

        seen = replace(context, result_budget_chars=cap, emit=emit)
        if context.dry_run:
            result: ToolResult = Success(f"dry run: {tool.name} was not run")
        else:
            result = await self._result(call, tool, seen)
        ended = True
        result = truncated(result, cap)
        return CallOutcome(call, result, _model_text(tool, result))

    async def _result(self, call: Call, tool: Tool, context: ToolContext) -> ToolResult:
        if context.abort_signal.aborted:
            return Failure("the turn was called off before the tool began")
        returned = await self._returned(call, tool, context)
        if not isinstance(returned, Success):
            return returned
        about = ReducerContext(call.args, context.current_turn)
        return self.reducers.reduced(tool.name, returned, about)

    async def _returned(
        self, call: Call, tool: Tool, context: ToolContext
    ) -> ToolResult:
        """Run a tool until it ends, or for so long after the abort as it may take."""
        found: ToolResult = Failure("the turn was called off, and the tool did not end")
        async with anyio.create_task_group() as tasks:

            async def end_after_abort() -> None:
                await context.abort_signal.wait()
                await anyio.sleep(self._abort_grace)
                tasks.cancel_scope.cancel()

            tasks.start_soon(end_after_abort)
            found = await _run(tool, call.args, context)
            tasks.cancel_scope.cancel()
        return found


async def _run(tool: Tool, args: JSON, context: ToolContext) -> ToolResult:
    try:
        return read_result(await tool.execute(args, context))
    except MalformedResult as error:
        return Failure(str(error))
    except (anyio.get_cancelled_exc_class(), KeyboardInterrupt):
        raise
    except BaseException as error:  # noqa: BLE001 - a tool may raise what it likes
        return Failure(str(error) or type(error).__name__)


def _may_run(tool: Tool, allowed: ToolFilter) -> bool:
    passes = allowed.allows(tool.name, plugin=tool.plugin, always=tool.always_include)
    return passes and tool.available()


def _model_text(tool: Tool, result: ToolResult) -> str:
    if isinstance(result, Failure):
        return result.error
    if tool.output_is_untrusted:
        return wrap_untrusted(result.value, tool.name)
    return result.value
