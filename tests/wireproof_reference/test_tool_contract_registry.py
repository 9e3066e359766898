"""The reference registry of tools, on asyncio and on trio."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import pytest

from wireproof_reference.tool_contract import (
    READ_FILE,
    WRITE_FILE,
    AbortSignal,
    Call,
    CallOutcome,
    Failure,
    NameTaken,
    ProgressEvent,
    ReducerContext,
    ReducerTaken,
    Success,
    Tool,
    ToolContext,
    ToolFilter,
    ToolRegistry,
    ToolResult,
    progress_event,
)

pytestmark = pytest.mark.anyio

Execute = Callable[[object, ToolContext], Awaitable[object]]


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def tool(name: str, execute: Execute, **more: object) -> Tool:
    return Tool(name, "A tool.", {"type": "object"}, execute, **more)  # type: ignore[arg-type]


def returning(result: object) -> Execute:
    async def execute(args: object, context: ToolContext) -> object:
        return result

    return execute


async def called(
    registry: ToolRegistry, *names: str, **context: object
) -> list[ToolResult]:
    calls = [Call(str(index), name, {}) for index, name in enumerate(names)]
    outcomes = await registry.execute_parallel(calls, ToolContext(**context))  # type: ignore[arg-type]
    return [outcome.result for outcome in outcomes]


async def test_calls_wait_for_each_other_only_where_their_tools_do() -> None:
    registry = ToolRegistry()
    met = anyio.Event()

    async def waits(args: object, context: ToolContext) -> object:
        await met.wait()
        return Success("waited")

    async def comes(args: object, context: ToolContext) -> object:
        met.set()
        return Success("came")

    registry.register(tool("waits", waits))
    registry.register(tool("comes", comes))
    assert await called(registry, "waits", "comes") == [
        Success("waited"),
        Success("came"),
    ]


async def test_a_tool_that_ignores_the_abort_is_ended() -> None:
    registry = ToolRegistry(abort_grace=0.0)
    signal = AbortSignal()
    ended: list[str] = []

    async def ignores(args: object, context: ToolContext) -> object:
        signal.abort()
        try:
            await anyio.sleep_forever()
        finally:
            ended.append("ended")
        return Success("late")

    registry.register(tool("ignores", ignores))
    (result,) = await called(registry, "ignores", abort_signal=signal)
    assert isinstance(result, Failure)
    assert result.code == "execution_failed"
    assert ended == ["ended"]


async def test_a_turn_that_was_called_off_runs_nothing() -> None:
    registry = ToolRegistry()
    ran: list[object] = []

    async def runs(args: object, context: ToolContext) -> object:
        ran.append(args)
        return Success("ran")

    registry.register(tool("runs", runs))
    signal = AbortSignal()
    signal.abort()
    (result,) = await called(registry, "runs", abort_signal=signal)
    assert isinstance(result, Failure)
    assert ran == []


async def test_a_signal_that_has_fired_is_waited_for_no_more() -> None:
    signal = AbortSignal()
    signal.abort()
    signal.abort()
    await signal.wait()
    assert signal.aborted


class Leaves(BaseException):
    """What no tool should throw."""


@pytest.mark.parametrize("error", [SystemExit(3), Leaves("gone"), ValueError("bad")])
async def test_whatever_a_tool_raises_costs_its_own_call(error: BaseException) -> None:
    registry = ToolRegistry()

    async def raises(args: object, context: ToolContext) -> object:
        raise error

    registry.register(tool("raises", raises))
    registry.register(tool("works", returning(Success("works"))))
    assert await called(registry, "raises", "works") == [
        Failure(str(error)),
        Success("works"),
    ]


async def test_an_error_without_a_message_is_told_by_its_type() -> None:
    registry = ToolRegistry()

    async def raises(args: object, context: ToolContext) -> object:
        raise KeyError

    registry.register(tool("raises", raises))
    assert await called(registry, "raises") == [Failure("KeyError")]


async def test_outcomes_and_events_are_told_as_they_come() -> None:
    registry = ToolRegistry()
    told: list[str] = []

    async def tells(args: object, context: ToolContext) -> object:
        context.emit(progress_event("tells", "half", 50, "user"))
        return Success("done")

    def on_event(call: Call, event: ProgressEvent) -> None:
        told.append(f"{call.id}: {event.message}")

    def on_outcome(outcome: CallOutcome) -> None:
        told.append(f"{outcome.call.id}: {outcome.model_text}")

    registry.register(tool("tells", tells))
    await registry.execute_parallel(
        [Call("c1", "tells", {})], ToolContext(), ToolFilter(), on_outcome, on_event
    )
    assert told == ["c1: half", "c1: done"]


async def test_events_after_the_result_are_dropped() -> None:
    registry = ToolRegistry()
    kept: list[Callable[[ProgressEvent], None]] = []
    told: list[ProgressEvent] = []

    async def keeps(args: object, context: ToolContext) -> object:
        kept.append(context.emit)
        return Success("done")

    registry.register(tool("keeps", keeps))
    await called(registry, "keeps", emit=told.append)
    kept[0](progress_event("keeps", "late"))
    assert told == []


async def test_a_name_is_registered_once() -> None:
    registry = ToolRegistry()
    registry.register(tool("same", returning(Success("first"))))
    with pytest.raises(NameTaken, match="same"):
        registry.register(tool("same", returning(Success("second"))))


class Shortens:
    """Keeps the first letter."""

    tool_name = "long"

    def reduce(self, result: ToolResult, context: ReducerContext) -> object:
        assert isinstance(result, Success)
        return Success(result.value[:1])


async def test_a_reducer_is_removed_once() -> None:
    registry = ToolRegistry()
    registry.register(tool("long", returning(Success("long"))))
    remove = registry.reducers.register(Shortens())
    with pytest.raises(ReducerTaken, match="long"):
        registry.reducers.register(Shortens())
    assert await called(registry, "long") == [Success("l")]
    remove()
    successor = Shortens()
    registry.reducers.register(successor)
    remove()
    assert registry.reducers.get("long") is successor


async def test_a_file_is_read_and_written(tmp_path: Path) -> None:
    registry = ToolRegistry()
    registry.register(READ_FILE)
    registry.register(WRITE_FILE)
    (tmp_path / "a.txt").write_text("old")
    context = ToolContext(working_dir=str(tmp_path), read_mtimes={})

    async def call(name: str, **args: str) -> CallOutcome:
        (found,) = await registry.execute_parallel([Call("1", name, {**args})], context)
        return found

    read = await call("read_file", path="a.txt")
    assert read.result == Success("old")
    assert read.model_text.startswith("<untrusted ")
    assert isinstance(
        (await call("write_file", path="a.txt", text="new")).result, Success
    )
    (tmp_path / "a.txt").write_text("by another")
    os.utime(tmp_path / "a.txt", (1, 1))
    stale = await call("write_file", path="a.txt", text="mine")
    assert isinstance(stale.result, Failure)
    assert stale.result.code == "STALE_WRITE"
    assert (tmp_path / "a.txt").read_text() == "by another"


@pytest.mark.parametrize("name", ["read_file", "write_file"])
async def test_a_file_tool_refuses_arguments_of_another_shape(name: str) -> None:
    registry = ToolRegistry()
    registry.register(READ_FILE)
    registry.register(WRITE_FILE)
    (result,) = await called(registry, name)
    assert isinstance(result, Failure)
    assert result.code == "input_invalid"
