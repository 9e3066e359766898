"""Registries that carry out, refuse or list calls wrongly: TOOL-X1 to X13."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from typing import Any

import anyio
import anyio.lowlevel
from tests.proof.tool_contract.subject import (
    Json,
    Registry,
    Subject,
    broken,
    data_tools,
    put,
    registry,
    subject_module,
)

from wireproof_reference.tool_contract import (
    AbortSignal,
    Failure,
    Tool,
    ToolFilter,
    ToolResult,
)
from wireproof_reference.tool_contract.core import mcp_server_of

run = registry._run
may_run = registry._may_run
allows = ToolFilter.allows
FAILED = Failure("the batch failed")


CONTEXT = ("TOOL-C1", "TOOL-C2", "TOOL-C3", "TOOL-C4")
"""What a turn shows that is not carried out."""


def runs(carry_out: Any) -> None:
    """Let tools be run by `carry_out(tool, args, context)`."""
    put("_run", carry_out)


def executes(subject: Subject, carry_out: Any) -> None:
    """Let a batch be carried out by `carry_out(original, calls, told)`."""
    original = subject.execute_parallel

    async def execute_parallel(calls: list[Any], **told: Any) -> Any:
        return await carry_out(original, calls, told)

    put("execute_parallel", execute_parallel, subject)


def by_arrival(value: Json) -> list[Any]:
    """Return results in the order in which they came."""
    waiting = list(value["results"])
    found = []
    for entry in value["log"]:
        if entry.get("result"):
            index = next(
                index
                for index, one in enumerate(waiting)
                if one["toolCallId"] == entry["toolCallId"]
            )
            found.append(waiting.pop(index))
    return found


# --- X1


@broken(
    "results-as-they-come",
    "TOOL-X1",
    "gives results in the order in which they come",
)
def _as_they_come(subject: Subject) -> None:
    subject.value = lambda value: {**value, "results": by_arrival(value)}


@broken(
    "refused-calls-last",
    "TOOL-X1",
    "puts refused calls behind the others",
)
def _refused_last(subject: Subject) -> None:
    def value(value: Json) -> Any:
        def refused(entry: Json) -> Any:
            return entry["result"].get("code") == "not_available"

        return {**value, "results": sorted(value["results"], key=refused)}

    subject.value = value


@broken(
    "results-by-tool",
    "TOOL-X1",
    "puts the results of one tool together",
)
def _by_tool(subject: Subject) -> None:
    def value(value: Json) -> Any:
        order: dict[str, int] = {}
        for entry in value["results"]:
            order.setdefault(entry["name"], len(order))
        found = sorted(value["results"], key=lambda entry: order[entry["name"]])
        return {**value, "results": found}

    subject.value = value


@broken(
    "most-of-a-batch",
    "TOOL-X1",
    "carries out the first 32 calls of a batch only",
)
def _most(subject: Subject) -> None:
    subject.asked = lambda told: {**told, "calls": told["calls"][:32]}


@broken("a-hundred-calls", "TOOL-X1", "carries out the first 100 calls of a batch only")
def _a_hundred(subject: Subject) -> None:
    subject.asked = lambda told: {**told, "calls": told["calls"][:100]}


# --- X2


def _bounded(limit: int) -> None:
    limiter = anyio.Semaphore(limit)

    async def carry_out(tool: Tool, args: Any, context: Any) -> Any:
        async with limiter:
            return await run(tool, args, context)

    runs(carry_out)


@broken(
    "one-after-the-other",
    "TOOL-X2",
    "runs one call after the other",
)
def _one_by_one(subject: Subject) -> None:
    _bounded(1)


@broken("four-at-once", "TOOL-X2", "runs four calls at once", level="should")
def _four(subject: Subject) -> None:
    _bounded(4)


@broken("one-call-of-a-tool-at-once", "TOOL-X2", "runs one call of a tool at a time")
def _one_of_a_tool(subject: Subject) -> None:
    locks: defaultdict[str, anyio.Semaphore] = defaultdict(lambda: anyio.Semaphore(1))

    async def carry_out(tool: Tool, args: Any, context: Any) -> Any:
        async with locks[tool.name]:
            return await run(tool, args, context)

    runs(carry_out)


@broken(
    "equal-calls-run-once",
    "TOOL-X2",
    "runs one of several equal calls, and gives its result for all",
)
def _run_once(subject: Subject) -> None:
    running: dict[str, anyio.Event] = {}
    results: dict[str, Any] = {}

    async def carry_out(tool: Tool, args: Any, context: Any) -> Any:
        key = json.dumps([tool.name, args])
        if key in running:
            await running[key].wait()
            return results[key]
        running[key] = anyio.Event()
        results[key] = await run(tool, args, context)
        running.pop(key).set()
        return results[key]

    runs(carry_out)


# --- X3


@broken(
    "one-failure-fails-all",
    "TOOL-X3",
    "fails a batch in which a call has failed",
)
def _fails_all(subject: Subject) -> None:
    def value(value: Json) -> Any:
        failed = [
            one["result"]["code"] not in {"not_available", "STALE_WRITE"}
            for one in value["results"]
            if not one["result"]["ok"]
        ]
        if not any(failed):
            return value
        result = {"ok": False, "error": "the batch failed", "code": "execution_failed"}
        found = [
            {**one, "result": result} if one["result"]["ok"] else one
            for one in value["results"]
        ]
        return {**value, "results": found}

    subject.value = value


@broken(
    "fails-after-a-failure",
    "TOOL-X3",
    "fails the calls after one that has failed",
)
def _fails_after(subject: Subject) -> None:
    def value(value: Json) -> Any:
        result = {"ok": False, "error": "skipped", "code": "execution_failed"}
        failed = False
        found = []
        for one in value["results"]:
            found.append({**one, "result": result} if failed else one)
            code = one["result"].get("code")
            failed = failed or code in {"execution_failed", "input_invalid"}
        return {**value, "results": found}

    subject.value = value


@broken(
    "failure-lasts",
    "TOOL-X3",
    "fails everything after a batch in which every call has failed",
)
def _failure_lasts(subject: Subject) -> None:
    broken_down: list[bool] = []
    reset = subject.reset

    def value(value: Json) -> Any:
        results = value["results"]
        if broken_down:
            result = {"ok": False, "error": "broken", "code": "execution_failed"}
            return {**value, "results": [{**one, "result": result} for one in results]}
        if len(results) > 1 and all(
            one["result"].get("code") == "execution_failed" for one in results
        ):
            broken_down.append(True)
        return value

    def forget() -> Any:
        broken_down.clear()
        reset()

    put("reset", forget, subject)
    subject.value = value


# --- X4


@broken(
    "unknown-is-a-failure",
    "TOOL-X4",
    "fails a call of an unknown tool with execution_failed",
)
def _unknown_fails(subject: Subject) -> None:
    def given(entry: Json) -> Any:
        unknown = entry["name"] not in subject._available
        result = entry["result"]
        if unknown:
            return {**entry, "result": {**result, "code": "execution_failed"}}
        return entry

    subject.given = given


@broken(
    "refused-tools-run",
    "TOOL-X4",
    "runs a tool that is not available, and says that it is not",
)
def _refused_run(subject: Subject) -> None:
    hidden: set[str] = set()

    def let(tool: Tool, allowed: ToolFilter) -> Any:
        if not tool.available():
            hidden.add(tool.name)
        return may_run(replace(tool, is_available=None), allowed)

    original = Registry.definitions

    def definitions(self: Any, allowed: Any = registry.ALL_TOOLS) -> Any:
        return [tool for tool in original(self, allowed) if tool.available()]

    def given(entry: Json) -> Any:
        if entry["name"] in hidden:
            hidden.discard(entry["name"])
            result = {"ok": False, "error": "not here", "code": "not_available"}
            return {**entry, "result": result}
        return entry

    Registry.definitions = definitions
    put("_may_run", let)
    subject.given = given


@broken("names-in-any-case", "TOOL-X4", "finds tools whatever the case of their names")
def _any_case(subject: Subject) -> None:
    def asked(told: Json) -> Any:
        names = {name.lower(): name for name in subject._available}
        found = [
            {**call, "name": names.get(call["name"].lower(), call["name"])}
            for call in told["calls"]
        ]
        asked_for.extend(call["name"] for call in told["calls"])
        return {**told, "calls": found}

    asked_for: list[str] = []

    def given(entry: Json) -> Any:
        return {**entry, "name": asked_for.pop(0)}

    subject.asked = asked
    subject.given = given


@broken(
    "filter-of-the-list-only",
    "TOOL-X4",
    "keeps to the filter by names where tools are listed alone",
)
def _list_only(subject: Subject) -> None:
    subject.asked = lambda told: {**told, "allowedTools": None}


# --- X5


def _remembering(*, first: bool) -> None:
    original = data_tools.Availability.__call__

    def ask(self: Any) -> Any:
        known = getattr(self, "known", None)
        if known is None or (not first and not known):
            self.known = original(self)
        return bool(self.known)

    data_tools.Availability.__call__ = ask


@broken(
    "availability-asked-once", "TOOL-X5", "asks a tool once whether it is available"
)
def _asked_once(subject: Subject) -> None:
    _remembering(first=True)


@broken("availability-stays", "TOOL-X5", "keeps a tool for available that was so once")
def _stays(subject: Subject) -> None:
    _remembering(first=False)


@broken(
    "availability-of-the-list-only",
    "TOOL-X5",
    "asks where tools are listed, and not where they are called",
)
def _availability_of_list(subject: Subject) -> None:
    original = Registry.execute_parallel

    async def execute_parallel(self: Any, *given: Any) -> Any:
        put("_may_run", _unasked)
        try:
            return await original(self, *given)
        finally:
            put("_may_run", may_run)

    def _unasked(tool: Tool, allowed: ToolFilter) -> Any:
        return may_run(replace(tool, is_available=None), allowed)

    Registry.execute_parallel = execute_parallel


@broken(
    "availability-that-throws-ends-all",
    "TOOL-X5",
    "lets what a test of availability throws end the batch",
    level="should",
)
def _throws_through(subject: Subject) -> None:
    def available(tool: Tool) -> Any:
        return tool.is_available is None or bool(tool.is_available())

    put("available", available, Tool)


@broken(
    "availability-asked-once-a-batch",
    "TOOL-X5",
    "asks each tool of a batch once whether it is available",
)
def _once_a_batch(subject: Subject) -> None:
    original = Registry.execute_parallel

    async def execute_parallel(self: Any, *given: Any) -> Any:
        known: dict[str, bool] = {}

        def ask(tool: Tool, allowed: ToolFilter) -> Any:
            if tool.name not in known:
                known[tool.name] = tool.available()
            asked = replace(tool, is_available=None)
            return known[tool.name] and may_run(asked, allowed)

        put("_may_run", ask)
        try:
            return await original(self, *given)
        finally:
            put("_may_run", may_run)

    Registry.execute_parallel = execute_parallel


# --- X6, X7


def filters(decide: Any) -> None:
    """Let `decide(filter, name, plugin, always)` say what passes."""

    def decided(
        self: ToolFilter, name: str, *, plugin: str | None = None, always: bool = False
    ) -> Any:
        return bool(decide(self, name, plugin, always))

    put("allows", decided, ToolFilter)


def passes(self: ToolFilter, name: str, plugin: Any, always: Any) -> bool:
    """Decide as the reference does."""
    return allows(self, name, plugin=plugin, always=always)


@broken(
    "always-is-filtered",
    "TOOL-X6",
    "filters tools that are always included",
)
def _always_filtered(subject: Subject) -> None:
    filters(lambda self, name, plugin, always: passes(self, name, plugin, None))


@broken(
    "always-by-its-key",
    "TOOL-X6",
    "includes a tool always whose alwaysInclude is false",
)
def _always_by_key(subject: Subject) -> None:
    original = data_tools.data_tool

    def made(data: Any, available: Any) -> Any:
        tool = original(data, available)
        return replace(tool, always_include="alwaysInclude" in data)

    put("data_tool", made, subject_module)


@broken(
    "always-listed-only",
    "TOOL-X6",
    "lists a tool that is always included, and refuses it where it is called",
)
def _always_listed(subject: Subject) -> None:
    original = Registry.execute_parallel

    async def execute_parallel(self: Any, *given: Any) -> Any:
        put("_may_run", strict)
        try:
            return await original(self, *given)
        finally:
            put("_may_run", may_run)

    def strict(tool: Tool, allowed: ToolFilter) -> Any:
        return may_run(replace(tool, always_include=False), allowed)

    Registry.execute_parallel = execute_parallel


@broken(
    "always-unless-filtered",
    "TOOL-X6",
    "includes a tool always only where some tool is allowed",
)
def _always_unless(subject: Subject) -> None:
    filters(
        lambda self, name, plugin, always: passes(
            self, name, plugin, always and self.tools != []
        )
    )


@broken(
    "no-servers-is-no-filter",
    "TOOL-X7",
    "takes an empty list of servers for none given",
    shown_by="tool-contract/filters/mcp-none",
)
def _no_servers(subject: Subject) -> None:
    filters(
        lambda self, name, plugin, always: passes(
            replace(self, mcp_servers=self.mcp_servers or None), name, plugin, always
        )
    )


@broken(
    "no-plugins-is-no-filter",
    "TOOL-X7",
    "takes an empty list of plugins for none given",
)
def _no_plugins(subject: Subject) -> None:
    filters(
        lambda self, name, plugin, always: passes(
            replace(self, plugins=self.plugins or None), name, plugin, always
        )
    )


@broken(
    "servers-by-their-beginning",
    "TOOL-X7",
    "allows servers that begin like an allowed one",
)
def _beginning(subject: Subject) -> None:
    def decide(self: ToolFilter, name: str, plugin: Any, always: Any) -> Any:
        server = mcp_server_of(name)
        if server is None or self.mcp_servers is None:
            return passes(self, name, plugin, always)
        if not any(server.startswith(one) for one in self.mcp_servers):
            return False
        return passes(replace(self, mcp_servers=None), name, plugin, always)

    filters(decide)


@broken(
    "servers-by-the-toolset",
    "TOOL-X7",
    "filters tools of MCP servers by names as well",
)
def _by_toolset(subject: Subject) -> None:
    def decide(self: ToolFilter, name: str, plugin: Any, always: Any) -> Any:
        named = always or self.tools is None or name in self.tools
        mcp = mcp_server_of(name) is not None
        return passes(self, name, plugin, always) and (named or not mcp)

    filters(decide)


@broken(
    "always-frees-from-servers",
    "TOOL-X7",
    "lets a tool that is always included pass every filter",
)
def _frees(subject: Subject) -> None:
    filters(
        lambda self, name, plugin, always: always or passes(self, name, plugin, always)
    )


@broken(
    "mcp-tools-of-plugins", "TOOL-X7", "filters a plugin's MCP tools by servers alone"
)
def _mcp_of_plugins(subject: Subject) -> None:
    def decide(self: ToolFilter, name: str, plugin: Any, always: Any) -> Any:
        return passes(self, name, None if mcp_server_of(name) else plugin, always)

    filters(decide)


# --- X8


@broken(
    "dry-run-runs",
    "TOOL-X8",
    "runs tools under dryRun",
)
def _dry_runs(subject: Subject) -> None:
    def asked(told: Json) -> Any:
        context = {**(told.get("context") or {})}
        context.pop("dryRun", None)
        return {**told, "context": context}

    subject.asked = asked


@broken(
    "dry-run-lasts",
    "TOOL-X8",
    "stays in a dry run once there was one",
)
def _dry_lasts(subject: Subject) -> None:
    seen: list[bool] = []
    reset = subject.reset

    def asked(told: Json) -> Any:
        context = {**(told.get("context") or {})}
        if context.get("dryRun"):
            seen.append(True)
        return {**told, "context": {**context, "dryRun": bool(seen)}}

    def forget() -> Any:
        seen.clear()
        reset()

    subject.asked = asked
    put("reset", forget, subject)


def runs_dry(subject: Subject, lets: Any, says: str = "dry run") -> None:
    """Let the registry hand `dryRun` on to the calls that `lets` does not run."""
    carried = Registry._outcome

    async def outcome(self: Any, call: Any, tool: Any, context: Any, *more: Any) -> Any:
        if context.dry_run and lets(call, tool):
            context = replace(context, dry_run=False)
        return await carried(self, call, tool, context, *more)

    Registry._outcome = outcome


@broken(
    "dry-run-of-the-first-call", "TOOL-X8", "runs all calls of a dry run but the first"
)
def _dry_first(subject: Subject) -> None:
    runs_dry(subject, lambda call, tool: call.id != "c1")


@broken(
    "dry-run-says-nothing", "TOOL-X8", "does not say that a run was dry", level="should"
)
def _dry_silent(subject: Subject) -> None:
    def given(entry: Json) -> Any:
        result = entry["result"]
        if result.get("ok") and result["value"].startswith("dry run"):
            return {
                **entry,
                "result": {"ok": True, "value": "done"},
                "modelText": "done",
            }
        return entry

    subject.given = given


@broken(
    "throw-calls-off-all",
    "TOOL-X3",
    "calls off the turn where a tool throws",
)
def _calls_off_all(subject: Subject) -> None:
    async def carry_out(tool: Tool, args: Any, context: Any) -> Any:
        result = await run(tool, args, context)
        if isinstance(result, Failure):
            for _ in range(100):
                # All calls of the turn have begun then.
                await anyio.lowlevel.checkpoint()
            context.abort_signal.abort()
        return result

    _deaf()
    runs(carry_out)


# --- X9


@broken("abort-reaches-nobody", "TOOL-X9", "tells no tool that the turn was called off")
def _nobody(subject: Subject) -> None:
    async def carry_out(tool: Tool, args: Any, context: Any) -> Any:
        return await run(tool, args, replace(context, abort_signal=AbortSignal()))

    _deaf()
    runs(carry_out)


def _deaf() -> None:
    """Let no tool be ended by an abort."""

    async def returned(self: Any, call: Any, tool: Any, context: Any) -> Any:
        found: ToolResult = await registry._run(tool, call.args, context)
        return found

    Registry._returned = returned


@broken(
    "abort-before-the-start-missed",
    "TOOL-X9",
    "tells no tool of a signal that had fired before the start",
)
def _missed(subject: Subject) -> None:
    def asked(told: Json) -> Any:
        context = dict(told.get("context") or {})
        if context.get("abortAfterMs") == 0:
            del context["abortAfterMs"]
        return {**told, "context": context}

    subject.asked = asked


@broken("abort-passes", "TOOL-X9", "lets the signal go out again after it has fired")
def _passes(subject: Subject) -> None:
    async def wait(self: AbortSignal) -> Any:
        if self._fired is None or self._fired.is_set():
            self._fired = anyio.Event()
        await self._fired.wait()

    put("wait", wait, AbortSignal)
    _deaf()


@broken(
    "abort-lasts",
    "TOOL-X9",
    "begins a turn after an aborted one with its signal fired",
)
def _lasts(subject: Subject) -> None:
    was: list[bool] = []
    abort = AbortSignal.abort
    result = Registry._result

    def noted(self: AbortSignal) -> Any:
        was.append(True)
        abort(self)

    async def carried(self: Any, call: Any, tool: Any, context: Any) -> Any:
        if was:
            was.clear()
            return Failure("the turn was called off before the tool began")
        return await result(self, call, tool, context)

    put("abort", noted, AbortSignal)
    Registry._result = carried


@broken(
    "abort-reaches-the-first", "TOOL-X9", "tells only one tool of a batch of the abort"
)
def _the_first(subject: Subject) -> None:
    async def carry_out(tool: Tool, args: Any, context: Any) -> Any:
        if taken.get(id(context.abort_signal)):
            context = replace(context, abort_signal=AbortSignal())
        taken[id(context.abort_signal)] = context.abort_signal
        return await run(tool, args, context)

    taken: dict[int, Any] = {}
    _deaf()
    runs(carry_out)


@broken(
    "abort-awaits-the-tool",
    "TOOL-X9",
    "waits for a tool that ignores the abort",
    level="should",
)
def _awaits(subject: Subject) -> None:
    _deaf()


@broken(
    "signal-for-life",
    "TOOL-X9",
    "has one signal for all turns, and runs tools whose signal has fired",
)
def _for_life(subject: Subject) -> None:
    context = subject_module._context
    signals: list[AbortSignal] = []
    reset = subject.reset

    def made(given: Any) -> Any:
        found = context(given)
        signals.append(found.abort_signal)
        return replace(found, abort_signal=signals[0])

    async def carried(self: Any, call: Any, tool: Any, context: Any) -> Any:
        returned = await self._returned(call, tool, context)
        about = registry.ReducerContext(call.args, context.current_turn)
        return self.reducers.reduced(tool.name, returned, about)

    def forget() -> Any:
        signals.clear()
        reset()

    put("_context", made, subject_module)
    put("reset", forget, subject)
    Registry._result = carried


# --- X10, X11, X12, X13


@broken("empty-batch-fails", "TOOL-X10", "refuses an empty batch")
def _empty_fails(subject: Subject) -> None:
    def asked(told: Json) -> Any:
        if not told["calls"]:
            raise ValueError("no calls")
        return told

    subject.asked = asked


@broken("empty-batch-gives-null", "TOOL-X10", "gives null for an empty batch")
def _empty_null(subject: Subject) -> None:
    subject.value = lambda value: {**value, "results": value["results"] or None}


@broken(
    "empty-batch-gives-a-failure", "TOOL-X10", "gives one failure for an empty batch"
)
def _empty_failure(subject: Subject) -> None:
    failed = {
        "toolCallId": "",
        "name": "",
        "result": {"ok": False, "error": "no calls", "code": "input_invalid"},
    }
    subject.value = lambda value: {**value, "results": value["results"] or [failed]}


@broken(
    "results-by-id", "TOOL-X11", "gives two calls with one id the result of the last"
)
def _by_id(subject: Subject) -> None:
    def value(value: Json) -> Any:
        last = {one["toolCallId"]: one for one in value["results"]}
        found = [last[one["toolCallId"]] for one in value["results"]]
        return {**value, "results": found}

    subject.value = value


@broken(
    "ids-once",
    "TOOL-X11",
    "carries out only the first of two calls with one id",
)
def _ids_once(subject: Subject) -> None:
    def asked(told: Json) -> Any:
        seen: dict[str, Any] = {}
        for call in told["calls"]:
            seen.setdefault(call["toolCallId"], call)
        return {**told, "calls": list(seen.values())}

    subject.asked = asked


@broken(
    "empty-id-is-made-up",
    "TOOL-X11",
    "makes an id up where a call's is empty",
)
def _made_up(subject: Subject) -> None:
    subject.given = lambda entry: {
        **entry,
        "toolCallId": entry["toolCallId"] or "call_1",
    }


def lists(subject: Subject, change: Any) -> None:
    """Let what is listed be changed."""
    original = subject.definitions

    def definitions(**allowed: Any) -> Any:
        return [changed for one in original(**allowed) if (changed := change(one))]

    put("definitions", definitions, subject)


@broken("description-is-trimmed", "TOOL-X12", "trims descriptions")
def _description(subject: Subject) -> None:
    lists(subject, lambda one: {**one, "description": one["description"].strip()})


@broken("description-is-cut", "TOOL-X12", "cuts descriptions to 1,024 characters")
def _cut(subject: Subject) -> None:
    lists(subject, lambda one: {**one, "description": one["description"][:1024]})


@broken("schema-made-strict", "TOOL-X12", "adds additionalProperties to schemas")
def _strict(subject: Subject) -> None:
    def change(one: Json) -> Any:
        return {
            **one,
            "parameters": {"additionalProperties": False, **one["parameters"]},
        }

    lists(subject, change)


@broken(
    "schema-without-dollars", "TOOL-X12", "takes keywords with a dollar from schemas"
)
def _dollars(subject: Subject) -> None:
    def clean(it: Any) -> Any:
        if isinstance(it, dict):
            return {k: clean(v) for k, v in it.items() if not k.startswith("$")}
        return [clean(one) for one in it] if isinstance(it, list) else it

    lists(subject, lambda one: {**one, "parameters": clean(one["parameters"])})


@broken(
    "lists-the-unavailable",
    "TOOL-X12",
    "lists tools that are not available",
)
def _unavailable(subject: Subject) -> None:
    def definitions(self: Any, allowed: Any = registry.ALL_TOOLS) -> Any:
        found = self._tools.values()
        return [
            tool for tool in found if may_run(replace(tool, is_available=None), allowed)
        ]

    Registry.definitions = definitions


@broken(
    "names-for-the-model",
    "TOOL-X12",
    "lists names with underscores for dots and hyphens",
)
def _names(subject: Subject) -> None:
    lists(
        subject,
        lambda one: (
            {**one, "name": one["name"].replace(".", "_").replace("-", "_")}
            if not one["name"].startswith("mcp__")
            else one
        ),
    )


def on_args(change: Any) -> None:
    """Let arguments be changed before the tool has them."""

    async def carry_out(tool: Tool, args: Any, context: Any) -> Any:
        return await run(tool, change(args), context)

    runs(carry_out)


@broken(
    "null-arguments-dropped",
    "TOOL-X13",
    "takes arguments that are null for absent",
    level="should",
)
def _null_args(subject: Subject) -> None:
    on_args(lambda args: {key: one for key, one in args.items() if one is not None})


@broken(
    "arguments-in-lower-case",
    "TOOL-X13",
    "writes the names of arguments in small letters",
    level="should",
)
def _lower(subject: Subject) -> None:
    on_args(lambda args: {key.strip("_").lower(): one for key, one in args.items()})
