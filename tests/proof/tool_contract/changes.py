"""Building blocks of rows: each returns a change of the reference in one place."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from threading import Thread
from typing import Any, TypeAlias

import anyio
import anyio.to_thread
from tests.proof.tool_contract.call_faults import filters, passes
from tests.proof.tool_contract.subject import (
    Arrange,
    Json,
    Registry,
    Subject,
    broken,
    legal,
    put,
    registry,
    subject_module,
    untrusted,
)

from wireproof_reference.tool_contract import (
    AbortSignal,
    Failure,
    Success,
    Tool,
    ToolFilter,
    ToolResult,
)

Enter: TypeAlias = Callable[..., None]

run = registry._run
may_run = registry._may_run
model_text = registry._model_text
truncated = registry.truncated
returned_by = Registry._returned
wrap = untrusted.wrap_untrusted
sanitize = untrusted.sanitize_untrusted


def faults(module: str) -> Enter:
    """Return `fault(name, clause, does, *changes, **own)`, one broken row a call."""

    def fault(name: str, clause: str, does: str, *changes: Arrange, **own: Any) -> None:
        broken(name, clause, does, **own)(_all(module, changes))

    return fault


def variants(module: str) -> Enter:
    """Return `variant(name, does, *changes, **own)`, one legal row a call."""

    def variant(name: str, does: str, *changes: Arrange, **own: Any) -> None:
        legal(name, does, **own)(_all(module, changes))

    return variant


def _all(module: str, changes: Collection[Arrange]) -> Arrange:
    def arrange(subject: Subject) -> None:
        for change in changes:
            change(subject)

    arrange.__module__ = module
    return arrange


# --- names, filters, listings


def on_name(change: Callable[[str, Collection[str]], str]) -> Arrange:
    """Let a call's name be taken for `change(name, names of tools)`."""

    def arrange(subject: Subject) -> None:
        asked_for: list[str] = []

        def asked(told: Json) -> Json:
            known = subject._available
            asked_for[:] = [call["name"] for call in told["calls"]]
            calls = [
                {**call, "name": change(call["name"], known)} for call in told["calls"]
            ]
            return {**told, "calls": calls}

        subject.asked = asked
        subject.given = lambda entry: {**entry, "name": asked_for.pop(0)}

    return arrange


def on_allowed(lets: Callable[[str, Collection[str]], bool]) -> Arrange:
    """Let `lets(name, allowed names)` say what passes the filter by names."""

    def decide(self: ToolFilter, name: str, plugin: Any, always: Any) -> Any:
        if self.tools is None:
            return passes(self, name, plugin, always)
        tools = [name] if lets(name, self.tools) else []
        return passes(replace(self, tools=tools), name, plugin, always)

    return lambda _: filters(decide)


def on_server(server_of: Callable[[str], str | None]) -> Arrange:
    """Let `server_of(name)` say which server a tool is of; None: of none."""

    def decide(self: ToolFilter, name: str, plugin: Any, always: Any) -> Any:
        server = server_of(name)
        if server is None:
            return passes(self, f"built_in_{name}", plugin, always) or (
                passes(self, name, plugin, always) and name in (self.tools or ())
            )
        return passes(self, f"mcp__{server.replace('__', '.')}__t", plugin, always)

    return lambda _: filters(decide)


def on_availability(key: Callable[[Tool], object]) -> Arrange:
    """Let tools with one `key(tool)` that is not None share their first answer."""

    def arrange(subject: Subject) -> None:
        answers: dict[object, bool] = {}

        def may(tool: Tool, allowed: ToolFilter) -> bool:
            shared = key(tool)
            may_now: bool = may_run(tool, allowed)
            return may_now if shared is None else answers.setdefault(shared, may_now)

        put("_may_run", may)

    return arrange


def on_schema(change: Callable[[Any], Any]) -> Arrange:
    """Let each schema be changed where it is listed."""

    def arrange(subject: Subject) -> None:
        listed = subject.definitions

        def definitions(**allowed: Any) -> Any:
            found: Any = listed(**allowed)
            return [{**one, "parameters": change(one["parameters"])} for one in found]

        put("definitions", definitions, subject)

    return arrange


def everywhere(change: Callable[[Json], Json]) -> Callable[[Any], Any]:
    """Return what changes each object in a value, the inner ones first."""

    def changed(value: Any) -> Any:
        if isinstance(value, dict):
            return change({key: changed(one) for key, one in value.items()})
        return [changed(one) for one in value] if isinstance(value, list) else value

    return changed


def without(*keys: str) -> Callable[[Any], Any]:
    """Return what leaves keys out of each object, whatever they stand for."""
    return everywhere(
        lambda one: {key: value for key, value in one.items() if key not in keys}
    )


# --- calls


def one_at_a_time(when: Callable[[Tool, Any, int], object]) -> Arrange:
    """Let tools with one `when(tool, context, budget)` that is not None run in turn."""

    def arrange(subject: Subject) -> None:
        budgets: list[int] = [0]
        locks: dict[object, anyio.Lock] = {}

        def asked(told: Json) -> Json:
            context = told.get("context") or {}
            budgets[0] = context.get("resultBudgetChars", 80_000)
            locks.clear()
            return told

        async def carry_out(tool: Tool, args: Any, context: Any) -> ToolResult:
            found: ToolResult
            key = when(tool, context, budgets[0])
            if key is None:
                found = await run(tool, args, context)
                return found
            async with locks.setdefault(key, anyio.Lock()):
                found = await run(tool, args, context)
            return found

        subject.asked = asked
        put("_run", carry_out)

    return arrange


def signal_of_its_own(given: Callable[[Tool, Any, int], bool]) -> Arrange:
    """Let a tool have a signal that nobody fires, if `given(tool, context, place)`.

    At the abort its call fails, and the tool goes on beside. `place` counts the calls
    that have begun.
    """

    def arrange(subject: Subject) -> None:
        begun: list[int] = [0]

        async def returned(self: Any, call: Any, tool: Tool, context: Any) -> Any:
            begun[0] += 1
            if not given(tool, context, begun[0]):
                return await returned_by(self, call, tool, context)
            return await _detached(call, tool, context)

        put("_returned", returned, Registry)

    return arrange


async def _detached(call: Any, tool: Tool, context: Any) -> ToolResult:
    found: list[ToolResult] = []
    own = replace(context, abort_signal=AbortSignal())

    def carry_out() -> None:
        found.append(anyio.run(run, tool, call.args, own))

    thread = Thread(target=carry_out, daemon=True)
    thread.start()
    async with anyio.create_task_group() as tasks:

        async def end_at_abort() -> None:
            await context.abort_signal.wait()
            tasks.cancel_scope.cancel()

        tasks.start_soon(end_at_abort)
        await anyio.to_thread.run_sync(thread.join, abandon_on_cancel=True)
        tasks.cancel_scope.cancel()
    return found[0] if found else Failure("the turn was called off")


# --- results


def on_results(change: Callable[[list[Any]], list[Any]]) -> Arrange:
    """Let the results of a batch be changed."""

    def arrange(subject: Subject) -> None:
        def value(value: Json) -> Json:
            return {**value, "results": change(value["results"])}

        subject.value = value

    return arrange


def on_result(change: Callable[[Json], Any]) -> Arrange:
    """Let each result be changed."""

    def arrange(subject: Subject) -> None:
        def given(entry: Json) -> Json:
            return {**entry, "result": change(dict(entry["result"]))}

        subject.given = given

    return arrange


def on_failure(beginning: str, change: Callable[[Json], Any]) -> Arrange:
    """Let each failure whose error begins so be changed."""

    def changed(result: Json) -> Any:
        is_one = not result["ok"] and result["error"].startswith(beginning)
        return change(result) if is_one else result

    return on_result(changed)


MALFORMED = "the tool returned no result"
ABORTED = "the turn was called off"


def on_cut(cut: Callable[[str, int], str]) -> Arrange:
    """Let `cut(value, cap)` give the text in the place of one that is too long."""

    def otherwise(result: ToolResult, cap: int) -> ToolResult:
        if not isinstance(result, Success) or len(result.value) <= cap:
            return result
        return replace(result, value=cut(result.value, cap))

    return lambda _: put("truncated", otherwise)


def on_kept(keep: Callable[[str, int], str]) -> Arrange:
    """Let `keep(value, cap)` be kept of a value that is too long, marked rightly."""
    return on_cut(lambda value, cap: keep(value, cap) + mark(len(value)))


def on_marker(marker: Callable[[str, int], str]) -> Arrange:
    """Let `marker(value, cap)` stand behind what is kept."""
    return on_cut(lambda value, cap: value[:cap] + marker(value, cap))


def mark(total: object) -> str:
    """Return the marker, its line feed included."""
    return f"\n[truncated -- {total} chars total]"


def on_any_value(change: Callable[[str], str]) -> Arrange:
    """Let every value be changed before it is cut."""

    def otherwise(result: ToolResult, cap: int) -> Any:
        if isinstance(result, Success):
            result = replace(result, value=change(result.value))
        return truncated(result, cap)

    return lambda _: put("truncated", otherwise)


def on_share(share: Callable[[int, int], int]) -> Arrange:
    """Let `share(budget, calls)` be the part of each call."""
    return lambda _: put("budget_of_call", share)


def on_shown_cap(cap: Callable[[int], int]) -> Arrange:
    """Let a tool see `cap(its cap)` as its budget."""

    async def carry_out(tool: Tool, args: Any, context: Any) -> Any:
        shown = cap(context.result_budget_chars)
        return await run(tool, args, replace(context, result_budget_chars=shown))

    return lambda _: put("_run", carry_out)


def declares(**told: Any) -> Arrange:
    """Let `describe` say more, or something else."""

    def arrange(subject: Subject) -> None:
        said = {**subject.describe(), **told}
        put("describe", lambda: said, subject)

    return arrange


# --- what the model sees


def on_model(change: Callable[[str, Tool, ToolResult], str]) -> Arrange:
    """Let the model's text be changed, of every call that has run."""

    def text(tool: Tool, result: ToolResult) -> str:
        return change(model_text(tool, result), tool, result)

    return lambda _: put("_model_text", text)


def on_trusted(change: Callable[[str], str], *, failures: bool = True) -> Arrange:
    """Let the model's text of trusted tools be changed."""

    def changed(text: str, tool: Tool, result: ToolResult) -> str:
        is_failure = isinstance(result, Failure)
        if (tool.output_is_untrusted and not is_failure) or (
            is_failure and not failures
        ):
            return text
        return change(text)

    return on_model(changed)


def on_wrapped(change: Callable[[str], str]) -> Arrange:
    """Let what is wrapped be changed, in calls and by itself."""

    def wrapped(content: str, tool_name: str, source: str | None = None) -> str:
        return change(wrap(content, tool_name, source))

    def arrange(subject: Subject) -> None:
        put("wrap_untrusted", wrapped)
        put("wrap_untrusted", wrapped, subject_module)

    return arrange


def on_sanitised(clean: Callable[[str], str]) -> Arrange:
    """Let `clean(content)` sanitise, in the wrapper and by itself."""

    def arrange(subject: Subject) -> None:
        put("sanitize_untrusted", clean, untrusted)
        put("sanitize_untrusted", clean, subject_module)

    return arrange


# --- events


def on_log(change: Callable[[list[Json]], list[Json]]) -> Arrange:
    """Let the log of a batch be changed."""

    def arrange(subject: Subject) -> None:
        subject.value = lambda value: {**value, "log": change(value["log"])}

    return arrange


def on_events(change: Callable[[list[Json]], list[Json]]) -> Arrange:
    """Let the events of each call be changed, of which none is added."""

    def changed(log: list[Json]) -> list[Json]:
        by_call: dict[str, list[Json]] = {}
        for entry in log:
            if "event" in entry:
                by_call.setdefault(entry["toolCallId"], []).append(entry["event"])
        left = {call: iter(change(events)) for call, events in by_call.items()}
        found = []
        for entry in log:
            if "event" not in entry:
                found.append(entry)
            elif (event := next(left[entry["toolCallId"]], None)) is not None:
                found.append({**entry, "event": event})
        return found

    return on_log(changed)
