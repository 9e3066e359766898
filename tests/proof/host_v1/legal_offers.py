"""Hosts that offer other tools and methods than the reference, and conform."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import anyio
from tests.proof.host_v1.method_faults import MethodHost, SchemaHost
from tests.proof.host_v1.subject import legal

from wireproof_reference.framing import JSON, JSONObject, dumps
from wireproof_reference.host_v1 import (
    Failure,
    Host,
    Request,
    Success,
    Tool,
    ToolContext,
    ToolPlugin,
    conformance_toolset,
)


def no_optional_methods() -> ToolPlugin:
    """The toolset and no optional method."""
    whole = conformance_toolset()
    return ToolPlugin(tools=whole.tools, init=whole.init)


def three_tools() -> ToolPlugin:
    """Three tools of the toolset, and one of its own."""
    whole = conformance_toolset()
    kept = {"conformance_echo", "conformance_counter", "conformance_fail"}
    tools = [tool for tool in whole.tools if tool.name in kept]
    return replace(whole, tools=[*tools, _weather()])


def no_tools() -> ToolPlugin:
    """Nothing but the required methods."""
    return ToolPlugin(tools=())


def own_tools() -> ToolPlugin:
    """A tool of its own, and a state of its own shape."""
    return ToolPlugin(
        tools=(_weather(),),
        init=lambda config: {"version": 3, "session": {"config": config, "log": []}},
        required_tags=list,
        format_tool_result=lambda result, state: {"compatibility": result},
    )


def timed_parts() -> ToolPlugin:
    """The toolset, with a timer between the events of a stream, of 0 ms too."""

    async def stream(arguments: JSONObject, context: ToolContext) -> JSON:
        parts: Any = arguments["parts"]
        delay: Any = arguments.get("delay_ms", 0)
        for part in parts:
            await context.emit(part)
            await anyio.sleep(max(delay, 1) / 1000)
        return {"count": len(parts)}

    whole = conformance_toolset()
    tools = [
        replace(tool, run=stream) if tool.name == "conformance_stream" else tool
        for tool in whole.tools
    ]
    return replace(whole, tools=tools)


def _weather() -> Tool:
    async def run(arguments: JSONObject, context: ToolContext) -> JSON:
        return {"city": arguments.get("city"), "celsius": 21.5}

    city: JSONObject = {"type": "string"}
    parameters: JSONObject = {"type": "object", "properties": {"city": city}}
    return Tool("get_weather", "Says how warm it is.", parameters, run)


@legal("no-optional-methods", "offers no optional method", plugin=no_optional_methods)
class NoOptionalMethods(Host):
    pass


@legal("three-tools", "offers a part of the toolset", plugin=three_tools)
class ThreeTools(Host):
    pass


@legal("timed-parts", "waits 1 ms at least after each event", plugin=timed_parts)
class TimedParts(Host):
    pass


@legal("no-tools", "offers no tool at all", plugin=no_tools)
class NoTools(Host):
    pass


@legal(
    "own-tools",
    "offers a tool and a state of its own",
    plugin=own_tools,
    warns={"HV1-O8": "it formats text as an object"},
)
class OwnTools(Host):
    pass


@legal("responses-schemas", "lists schemas in the format of Responses")
class ResponsesSchemas(SchemaHost):
    def change_schema(self, schema: dict[str, Any]) -> Any:
        return {"type": "function", "strict": False, **schema["function"]}


@legal("mixed-schemas", "lists schemas in every format, a freeform one too")
class MixedSchemas(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        if method != "get_tool_schemas":
            return value
        grammar = {"type": "grammar", "syntax": "lark", "definition": 'start: "x"'}
        return [
            *({"type": "function", **one["function"]} for one in value[:1]),
            *value[1:],
            {"type": "custom", "name": "patch", "description": "", "format": grammar},
            {"type": "custom", "custom": {"name": "raw", "format": {"type": "text"}}},
            {"type": "function", "function": {"name": "now"}},
        ]


@legal("strict-schemas", "lists schemas with references, booleans and a dialect")
class StrictSchemas(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        if method != "get_tool_schemas":
            return value
        parameters = {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "$defs": {"id": {"type": ["string", "null"]}},
            "type": "object",
            "properties": {"id": {"$ref": "#/$defs/id"}, "any": True},
            "additionalProperties": False,
        }
        function = {"name": "lookup", "strict": True, "parameters": parameters}
        return [*value, {"type": "function", "function": function}]


@legal(
    "envelopes",
    "formats results as envelopes",
    warns={"HV1-O8": "it formats text as an envelope"},
)
class Envelopes(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        if method != "format_tool_result":
            return value
        content = [{"type": "input_text", "text": value}]
        kind = "provider_native_tool_result"
        return {"type": kind, "format": "openai.responses", "content": content, "x": 1}


@legal("rich-state", "keeps the counter deep in a state of its own shape")
class RichState(Host):
    def read_state(self, request: Request) -> JSONObject:
        state: Any = super().read_state(request)
        count = state.get("tools", {}).get("counter", {}).get("n", 0)
        return {"conformance_counter": count}

    def result_state(self, request: Request, state: JSONObject) -> JSONObject | None:
        if super().result_state(request, state) is None:
            return None
        return self.shaped(state)

    def shaped(self, state: JSONObject) -> JSONObject:
        """Return the state in the shape of this host."""
        count = state.get("conformance_counter", 0)
        return {"tools": {"counter": {"n": count}}, "é\n": [None, 1.5, {}]}

    def success(
        self, request: Request, value: JSON, state: JSONObject | None
    ) -> Success:
        return super().success(
            request, state if request.method == "init" else value, state
        )


@legal("previews-anything", "previews calls of tools that it does not have")
class PreviewsAnything(Host):
    def success(
        self, request: Request, value: JSON, state: JSONObject | None
    ) -> Success:
        if request.method == "format_tool_call_preview":
            value = dumps(request.params["arguments"]).decode() * 3
        return super().success(request, value, state)


@legal("states-by-name", "keeps its states, and sends but their names")
class StatesByName(Host):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.states: dict[str, JSONObject] = {}

    def read_state(self, request: Request) -> JSONObject:
        state = super().read_state(request)
        name = state.get("name")
        if "state" in request.params and name not in self.states:
            raise ValueError("no such state")
        return {**self.states[str(name)]} if name else {}

    def result_state(self, request: Request, state: JSONObject) -> JSONObject | None:
        if super().result_state(request, state) is None:
            return None
        name = f"state {len(self.states)}"
        self.states[name] = {**state}
        return {"name": name}

    def success(
        self, request: Request, value: JSON, state: JSONObject | None
    ) -> Success:
        return super().success(
            request, state if request.method == "init" else value, state
        )


@legal(
    "one-init",
    "refuses a second init",
    warns={"HV1-R13": "it is not answered like the first"},
)
class OneInit(Host):
    begun = False

    def dispatch(self, request: Request) -> Success | Failure:
        begun, self.begun = self.begun, self.begun or request.method == "init"
        if begun and request.method == "init":
            return self.failure(request, "AlreadyInitialised", "init came before")
        return super().dispatch(request)


@legal("schemas-without-type", "lists schemas without their type, a format of its own")
class SchemasWithoutType(SchemaHost):
    def change_schema(self, schema: dict[str, Any]) -> Any:
        return schema["function"]


@legal("schemas-of-its-own", "lists schemas in a format of its own")
class SchemasOfItsOwn(SchemaHost):
    def change_schema(self, schema: dict[str, Any]) -> Any:
        function = schema["function"]
        return {"name": function["name"], "input_schema": function["parameters"]}


@legal("lists-a-search", "lists a search of its provider's beside the tools")
class ListsASearch(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        if method != "get_tool_schemas":
            return value
        return [*value, {"type": "web_search"}]
