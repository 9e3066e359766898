"""Registries that conform in their own way."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape
from typing import Any

import anyio
from jsonschema import Draft202012Validator
from tests.proof.tool_contract.budget_faults import cuts
from tests.proof.tool_contract.call_faults import (
    _deaf,
    filters,
    passes,
    run,
    runs,
)
from tests.proof.tool_contract.subject import (
    Json,
    Registry,
    Subject,
    files,
    legal,
    put,
    registry,
)
from tests.proof.tool_contract.untrusted_faults import sanitizes, wraps

from wireproof.protocols.tool_contract._views import TOKENS
from wireproof_reference.tool_contract import (
    Failure,
    Success,
    ToolResult,
    sanitize_untrusted,
)


@legal("plain", "is the reference")
def _plain(subject: Subject) -> None:
    pass


@legal("em-dash", "writes the marker with an em dash")
def _em_dash(subject: Subject) -> None:
    cuts(
        lambda value, cap: f"{value[:cap]}\n[truncated \u2014 {len(value)} chars total]"
    )


@legal("utf-16", "counts lengths in UTF-16 code units, and cuts no pair")
def _utf_16(subject: Subject) -> None:
    def truncated(result: ToolResult, cap: int) -> Any:
        if not isinstance(result, Success):
            return result
        units = result.value.encode("utf-16-le", "surrogatepass")
        if len(units) // 2 <= cap:
            return result
        kept = units[: 2 * cap].decode("utf-16-le", "ignore")
        marker = f"\n[truncated -- {len(units) // 2} chars total]"
        return replace(result, value=kept + marker)

    put("truncated", truncated)
    said = subject.describe()
    put("describe", lambda: {**said, "lengthUnit": "utf16"}, subject)


@legal(
    "cooperative",
    "leaves it to each tool to heed the abort",
    warns={"TOOL-X9": "a tool that ignores it holds the batch"},
)
def _cooperative(subject: Subject) -> None:
    _deaf()


@legal("preemptive", "ends every tool at once when the turn is called off")
def _preemptive(subject: Subject) -> None:
    put("__init__", _begin, Registry)
    subject.reset()


def _begin(self: Any) -> None:
    original(self, abort_grace=0.0)


original = Registry.__init__


@legal("runs-aborted-calls", "runs calls whose signal has fired before the start")
def _runs_aborted(subject: Subject) -> None:
    async def result(self: Any, call: Any, tool: Any, context: Any) -> Any:
        returned = await self._returned(call, tool, context)
        about = registry.ReducerContext(call.args, context.current_turn)
        return self.reducers.reduced(tool.name, returned, about)

    Registry._result = result


@legal("no-model-text", "has no stage for what the model sees but the value itself")
def _no_model_text(subject: Subject) -> None:
    def given(entry: Json) -> Any:
        result, text = entry["result"], entry["modelText"]
        if result["ok"] and text.startswith("<untrusted"):
            result = {**result, "value": text}
        return {
            "toolCallId": entry["toolCallId"],
            "name": entry["name"],
            "result": result,
        }

    subject.given = given


@legal("hands-dry-run-on", "hands dryRun to the tools, which say so")
def _hands_on(subject: Subject) -> None:
    async def carried(self: Any, call: Any, tool: Any, context: Any, *more: Any) -> Any:
        if context.dry_run:

            async def execute(args: Any, seen: Any) -> Any:
                return Success("dry run")

            # No reducer is registered for this name.
            tool = replace(tool, name=f"{tool.name} (dry)", execute=execute)
        return await outcome(self, call, tool, replace(context, dry_run=False), *more)

    Registry._outcome = carried


outcome = Registry._outcome


@legal("replaces-tools", "lets a second tool of a name take the first one's place")
def _replaces(subject: Subject) -> None:
    def register(self: Any, tool: Any) -> Any:
        self._tools[tool.name] = tool

    Registry.register = register


@legal("plugins-by-names-too", "filters the tools of plugins by names as well")
def _plugins(subject: Subject) -> None:
    def decide(self: Any, name: str, plugin: Any, always: Any) -> Any:
        named = always or self.tools is None or name in self.tools
        free = plugin is None or name.startswith("mcp__")
        return passes(self, name, plugin, always) and (named or free)

    filters(decide)


@legal("mcp-without-a-tool", "takes a server's name without a tool for an MCP tool")
def _mcp(subject: Subject) -> None:
    def decide(self: Any, name: str, plugin: Any, always: Any) -> Any:
        bare = name.startswith("mcp__") and "__" not in name.removeprefix("mcp__")
        return passes(self, f"{name}__" + "x" if bare else name, plugin, always)

    filters(decide)


@legal("validates", "checks arguments against the schema before it runs a tool")
def _validates(subject: Subject) -> None:
    async def carry_out(tool: Any, args: Any, context: Any) -> Any:
        if not Draft202012Validator(tool.schema).is_valid(args):
            return Failure("the arguments break the schema", "input_invalid")
        return await run(tool, args, context)

    runs(carry_out)


@legal("reduces-failures", "reduces returned failures as well")
def _reduces_failures(subject: Subject) -> None:
    async def result(self: Any, call: Any, tool: Any, context: Any) -> Any:
        found = await result_of(self, call, tool, context)
        reducer = self.reducers.get(tool.name)
        if isinstance(found, Failure) and found.code == "input_invalid" and reducer:
            return registry.read_result(
                reducer.reduce(found, registry.ReducerContext({}, 1))
            )
        return found

    Registry._result = result


result_of = Registry._result


@legal(
    "escapes-everything",
    "writes all markup in untrusted output as entities",
    warns={
        "TOOL-U2": "[BOS] is not in its list",
        "TOOL-U6": "an ampersand is written anew each time",
    },
)
def _escapes(subject: Subject) -> None:
    def clean(content: str) -> Any:
        return re.sub(
            r"\[(?=/?INST\])",
            "&#91;",
            escape(content, quote=False),
            flags=re.IGNORECASE,
        )

    def wrapped(content: str, tool: str, source: str | None) -> Any:
        where, name = (
            re.sub(r"\s", " ", escape(one)) for one in (source or tool, tool)
        )
        opening = f'<untrusted source="{where}" tool="{name}">'
        return f"{opening}\n{clean(content)}\n</untrusted>"

    sanitizes(clean)
    wraps(wrapped)


@legal(
    "takes-tokens-out",
    "takes tokens and tags out until none is left",
    warns={"TOOL-U2": "tokens of other templates are not in its list"},
)
def _takes_out(subject: Subject) -> None:
    each = re.compile(
        "|".join([*map(re.escape, TOKENS), r"<\s*/?\s*untrusted[^<>]*>?"]),
        re.IGNORECASE,
    )

    def clean(content: str) -> Any:
        while (found := each.sub("", content)) != content:
            content = found
        return content

    sanitizes(clean)


@legal("marker-outside", "puts the marker behind the wrapper")
def _outside(subject: Subject) -> None:
    def text(tool: Any, result: ToolResult) -> Any:
        if isinstance(result, Failure):
            return result.error
        if not tool.output_is_untrusted:
            return result.value
        marked = re.search(r"\n\[truncated -- \d+ chars total\]\Z", result.value)
        end = marked.start() if marked else len(result.value)
        wrapped = registry.wrap_untrusted(result.value[:end], tool.name)
        return wrapped + (marked[0] if marked else "")

    put("_model_text", text)


@legal("wraps-errors", "wraps the errors of untrusted tools as well")
def _wraps_errors(subject: Subject) -> None:
    def text(tool: Any, result: ToolResult) -> Any:
        if not tool.output_is_untrusted:
            return result.error if isinstance(result, Failure) else result.value
        content = result.error if isinstance(result, Failure) else result.value
        return registry.wrap_untrusted(content, tool.name)

    put("_model_text", text)


@legal(
    "attributes-with-tokens", "leaves tokens in attribute values but for their brackets"
)
def _attributes(subject: Subject) -> None:
    def wrapped(content: str, tool: str, source: str | None) -> Any:
        inner = sanitize_untrusted(content)
        name = re.sub(r"\s", " ", escape(tool))
        where = re.sub(r"\s", " ", escape(source or "tool"))
        return f"<untrusted tool='{name}' source='{where}'>{inner}</untrusted>"

    wraps(wrapped)


@legal("shows-dashboards-user-events", "shows dashboards the events for users as well")
def _dashboards(subject: Subject) -> None:
    def visible_progress(events: list[Any], channel: str) -> Any:
        shown = {"user": {"user"}, "dashboard": {"user", "dashboard"}}
        wanted = shown.get(channel, {"user", "dashboard", "internal", None})
        return [one for one in events if one.get("audience") in wanted]

    put("visible_progress", visible_progress, subject)


@legal("plain-events", "leaves the audience out where it is internal")
def _plain_events(subject: Subject) -> None:
    def value(value: Json) -> Any:
        log = []
        for one in value["log"]:
            event = dict(one.get("event", {}))
            if event.get("audience") == "internal":
                del event["audience"]
            log.append({**one, "event": event} if event else one)
        return {**value, "log": log}

    subject.value = value


@legal("keeps-records", "does not renew its record of a read when it writes")
def _keeps(subject: Subject) -> None:

    write_file = files._write

    def write(path: str, text: str, context: Any) -> Any:
        known = dict(context.read_mtimes or {})
        found = write_file(path, text, context)
        if context.read_mtimes is not None and path in known:
            context.read_mtimes[path] = known[path]
        return found

    put("_write", write, files)


@legal("tools-of-its-own", "lists a tool of its own beside")
def _own_tools(subject: Subject) -> None:
    listed = subject.definitions

    def definitions(**allowed: Any) -> Any:
        own = {"name": "get_skill", "description": "Its own.", "parameters": {}}
        return [own, *reversed(listed(**allowed))]

    put("definitions", definitions, subject)


@legal("further-keys", "adds keys of its own to results and events")
def _further(subject: Subject) -> None:
    subject.given = lambda entry: {
        **entry,
        "durationMs": 3,
        "result": {**entry["result"], "durationMs": 3},
    }


@legal("events-of-its-own", "tells of each call when it begins and ends")
def _own_events(subject: Subject) -> None:

    def value(value: Json) -> Any:
        ids = [one["toolCallId"] for one in value["results"]]
        told = {"type": "progress", "toolName": "registry", "audience": "user"}
        begun = [
            {"toolCallId": each, "event": {**told, "message": f"{place} begins"}}
            for place, each in enumerate(ids)
        ]
        ended = {"event": {"type": "batch", "ended": len(ids)}}
        return {**value, "log": [*begun, *value["log"], ended]}

    subject.value = value


@legal("without-reset", "has none of the optional ops")
def _without_reset(subject: Subject) -> None:
    described = subject.describe

    def describe() -> Any:
        optional = {"reset", "set_available", "get_reducer", "sanitize_untrusted"}
        said: Any = described()
        return {**said, "ops": [op for op in said["ops"] if op not in optional]}

    put("describe", describe, subject)


@legal("without-files", "has no steps for files")
def _without_files(subject: Subject) -> None:
    described = subject.describe

    def describe() -> Any:
        said: Any = described()
        steps = [one for one in said["steps"] if not one.endswith("_file")]
        return {**said, "steps": steps}

    put("describe", describe, subject)


@legal("slow", "takes 30 ms for each batch")
def _slow(subject: Subject) -> None:
    execute = subject.execute_parallel

    async def execute_parallel(calls: list[Any], **told: Any) -> Any:
        await anyio.sleep(0.03)
        return await execute(calls, **told)

    put("execute_parallel", execute_parallel, subject)
