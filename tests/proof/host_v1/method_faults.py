"""Hosts whose required methods answer wrongly: HV1-R1 to R9, R13."""

from __future__ import annotations

import json
import os
import unicodedata
from dataclasses import replace
from typing import Any

from tests.proof.host_v1.subject import RewritingHost, broken

from wireproof_reference.framing import JSON, JSONObject, dumps
from wireproof_reference.host_v1 import (
    Failure,
    Host,
    Request,
    Success,
    Tool,
    ToolContext,
)


class MethodHost(Host):
    """Answers one method other than `execute_tool` with another value."""

    def change(self, method: str, value: Any) -> Any:
        """Return the value that is sent in place of this one."""
        raise NotImplementedError

    def success(
        self, request: Request, value: JSON, state: JSONObject | None
    ) -> Success:
        return super().success(request, self.change(request.method, value), state)


@broken(
    "init-value-null",
    "HV1-R1",
    "answers init with null and a state",
)
class InitValueNull(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return None if method == "init" else value


@broken(
    "init-value-text",
    "HV1-R1",
    "answers init with the state as JSON text",
)
class InitValueText(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return dumps(value).decode() if method == "init" else value


@broken(
    "init-value-list",
    "HV1-R1",
    "answers init with an array",
)
class InitValueList(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return [value] if method == "init" else value


@broken(
    "init-wants-config",
    "HV1-R1",
    "fails init when the config is empty",
)
class InitWantsConfig(Host):
    def dispatch(self, request: Request) -> Success | Failure:
        if request.method == "init" and not request.params.get("config"):
            return self.failure(request, "ConfigError", "config.name is missing")
        return super().dispatch(request)


@broken(
    "init-value-ok",
    "HV1-R2",
    "answers init with another value than the state",
    level="should",
)
class InitValueOk(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return {"initialized": True} if method == "init" else value


@broken(
    "state-has-more",
    "HV1-R2",
    "has a key more in the state than in the value",
    level="should",
)
class StateHasMore(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        result = frame.get("result") or {}
        if result.get("value") == {"conformance_counter": 0}:
            result["state"]["created"] = True
        return frame


@broken("schemas-by-name", "HV1-R3", "lists schemas as an object by name")
class SchemasByName(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        if method == "get_tool_schemas":
            return {schema["function"]["name"]: schema for schema in value}
        return value


@broken("schemas-under-tools", "HV1-R3", "lists schemas under a key")
class SchemasUnderTools(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return {"tools": value} if method == "get_tool_schemas" else value


@broken("schemas-as-text", "HV1-R3", "lists schemas as JSON texts")
class SchemasAsText(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        if method == "get_tool_schemas":
            return [dumps(schema).decode() for schema in value]
        return value


@broken("schemas-end-in-null", "HV1-R3", "lists null behind the schemas")
class SchemasEndInNull(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return [*value, None] if method == "get_tool_schemas" else value


@broken("schemas-once", "HV1-R3", "lists no array the second time it is asked")
class SchemasOnce(MethodHost):
    count = 0

    def change(self, method: str, value: Any) -> Any:
        if method == "get_tool_schemas":
            self.count += 1
            return value if self.count == 1 else None
        return value


class SchemaHost(MethodHost):
    """Changes each schema that is listed."""

    def change_schema(self, schema: dict[str, Any]) -> Any:
        """Return what is listed in place of a schema."""
        raise NotImplementedError

    def change(self, method: str, value: Any) -> Any:
        if method != "get_tool_schemas":
            return value
        # A copy: a change to the plugin's own would be there twice.
        return [self.change_schema(json.loads(json.dumps(one))) for one in value]


@broken("schema-twice", "HV1-R4", "lists a tool twice", level="should")
class SchemaTwice(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return [*value, value[0]] if method == "get_tool_schemas" else value


@broken(
    "schema-for-each-init",
    "HV1-R4",
    "registers its tools at each init once more",
    level="should",
)
class SchemaForEachInit(MethodHost):
    inits = 0

    def change(self, method: str, value: Any) -> Any:
        if method == "init":
            self.inits += 1
        return value * max(self.inits, 1) if method == "get_tool_schemas" else value


@broken(
    "schema-twice-in-two-formats",
    "HV1-R4",
    "lists a tool in two formats",
    level="should",
)
class SchemaTwiceInTwoFormats(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        if method != "get_tool_schemas":
            return value
        return [*value, {"type": "function", **value[0]["function"]}]


@broken(
    "schema-without-name", "HV1-R4", "lists a tool with an empty name", level="should"
)
class SchemaWithoutName(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        if method != "get_tool_schemas":
            return value
        nameless = {"name": "", "description": "", "parameters": {"type": "object"}}
        return [*value, {"type": "function", "function": nameless}]


@broken(
    "schema-type-any", "HV1-R4", "has a type in parameters that is none", level="should"
)
class SchemaTypeAny(SchemaHost):
    def change_schema(self, schema: dict[str, Any]) -> Any:
        for one in schema["function"]["parameters"]["properties"].values():
            one.setdefault("type", "any")
        return schema


@broken(
    "schema-required-true", "HV1-R4", "has required true in a property", level="should"
)
class SchemaRequiredTrue(SchemaHost):
    def change_schema(self, schema: dict[str, Any]) -> Any:
        for one in schema["function"]["parameters"]["properties"].values():
            one["required"] = True
        return schema


class ToolHost(Host):
    """Changes the value with which a call is answered."""

    def change(self, value: dict[str, Any], tool: Tool) -> Any:
        """Return the value that is sent in place of this one."""
        raise NotImplementedError

    async def run_tool(
        self, tool: Tool, arguments: JSONObject, context: ToolContext
    ) -> Any:
        return self.change(await super().run_tool(tool, arguments, context), tool)


@broken("bare-tool-result", "HV1-R5", "answers with the tool's result itself")
class BareToolResult(ToolHost):
    def change(self, value: dict[str, Any], tool: Tool) -> Any:
        return value["result"] if value["success"] else value


@broken(
    "success-is-text",
    "HV1-R5",
    "writes success as a string",
)
class SuccessIsText(ToolHost):
    def change(self, value: dict[str, Any], tool: Tool) -> Any:
        return {**value, "success": "true" if value["success"] else "false"}


@broken(
    "ok-for-success",
    "HV1-R5",
    "says ok in place of success",
)
class OkForSuccess(ToolHost):
    def change(self, value: dict[str, Any], tool: Tool) -> Any:
        return {"ok": value.pop("success"), **value}


@broken("no-empty-result", "HV1-R5", "leaves a result out that is empty")
class NoEmptyResult(ToolHost):
    def change(self, value: dict[str, Any], tool: Tool) -> Any:
        if value.get("result") == "":
            del value["result"]
        return value


@broken("result-as-text", "HV1-R5", "writes the result as JSON text")
class ResultAsText(ToolHost):
    def change(self, value: dict[str, Any], tool: Tool) -> Any:
        if value["success"]:
            value["result"] = dumps(value["result"]).decode()
        return value


@broken("text-result-quoted", "HV1-R5", "writes a result that is text as JSON text")
class TextResultQuoted(ToolHost):
    def change(self, value: dict[str, Any], tool: Tool) -> Any:
        if isinstance(value.get("result"), str):
            value["result"] = dumps(value["result"]).decode()
        return value


@broken(
    "error-object",
    "HV1-R5",
    "writes a tool's error as an object",
)
class ErrorObject(ToolHost):
    def change(self, value: dict[str, Any], tool: Tool) -> Any:
        if "error" in value:
            value["error"] = {"message": value["error"]}
        return value


@broken(
    "counts-one-for-zero",
    "HV1-R5",
    "its counter takes a by of 0 for one that was left out",
    shown_by="host-v1/execute-tool/arguments-left-out",
)
class CountsOneForZero(Host):
    async def run_tool(
        self, tool: Tool, arguments: JSONObject, context: ToolContext
    ) -> JSONObject:
        if tool.name == "conformance_counter" and arguments.get("by") == 0:
            arguments = {}
        return await super().run_tool(tool, arguments, context)


@broken("failure-as-throw", "HV1-R6", "answers a reported failure with ok false")
class FailureAsThrow(Host):
    async def run_tool(
        self, tool: Tool, arguments: JSONObject, context: ToolContext
    ) -> JSONObject:
        return {"success": True, "result": await tool.run(arguments, context)}


@broken("error-prefixed", "HV1-R6", "puts Error: in front of a reported message")
class ErrorPrefixed(ToolHost):
    def change(self, value: dict[str, Any], tool: Tool) -> Any:
        if "error" in value:
            value["error"] = f"Error: {value['error']}"
        return value


@broken("first-line-of-an-error", "HV1-R6", "keeps the first line of a message")
class FirstLineOfAnError(ToolHost):
    def change(self, value: dict[str, Any], tool: Tool) -> Any:
        if "error" in value:
            value["error"] = value["error"].split("\n")[0]
        return value


@broken("error-cut", "HV1-R6", "cuts a message at 8,192 characters")
class ErrorCut(ToolHost):
    def change(self, value: dict[str, Any], tool: Tool) -> Any:
        if "error" in value:
            value["error"] = value["error"][:8192]
        return value


@broken("error-parsed", "HV1-R6", "parses a message that looks like JSON")
class ErrorParsed(ToolHost):
    def change(self, value: dict[str, Any], tool: Tool) -> Any:
        if value.get("error", "").startswith("{"):
            value["error"] = json.loads(value["error"])
        return value


@broken(
    "success-with-error",
    "HV1-R6",
    "says success true beside a message",
)
class SuccessWithError(ToolHost):
    def change(self, value: dict[str, Any], tool: Tool) -> Any:
        return {**value, "success": True, "result": value.get("result")}


class ThrowHost(Host):
    """Treats an exception that leaves a tool in another way."""

    def thrown(self, request: Request, error: Exception) -> Any:
        """Return the value, or raise, or do worse."""
        raise NotImplementedError

    async def run_tool(
        self, tool: Tool, arguments: JSONObject, context: ToolContext
    ) -> JSONObject:
        try:
            return await super().run_tool(tool, arguments, context)
        except RuntimeError as error:
            value: JSONObject = self.thrown(context.request, error)  # type: ignore[attr-defined]
            return value


@broken(
    "throw-kills",
    "HV1-R7",
    "dies of a tool that throws",
)
class ThrowKills(ThrowHost):
    def thrown(self, request: Request, error: Exception) -> Any:
        os._exit(1)


@broken(
    "throw-kills-later",
    "HV1-R7",
    "answers a throw, and dies at the next call",
)
class ThrowKillsLater(ThrowHost):
    dying = False

    def handle_request(self, request: Request) -> None:
        if self.dying and request.method == "execute_tool":
            os._exit(1)
        super().handle_request(request)

    def thrown(self, request: Request, error: Exception) -> Any:
        self.dying = True
        raise error


@broken("throw-silent", "HV1-R7", "never answers a call whose tool threw")
class ThrowSilent(ThrowHost):
    def thrown(self, request: Request, error: Exception) -> Any:
        raise error

    def call_failed(self, request: Request, error: BaseException) -> Failure:
        failure = super().call_failed(request, error)
        self.silent = isinstance(error, RuntimeError)
        return failure

    def respond(self, request: Request, response: Success | Failure) -> None:
        if not isinstance(response, Failure) or response.type != "RuntimeError":
            super().respond(request, response)


@broken("throw-succeeds", "HV1-R7", "answers a throw with success true")
class ThrowSucceeds(ThrowHost):
    def thrown(self, request: Request, error: Exception) -> Any:
        return {"success": True, "result": None}


@broken("throw-internal-error", "HV1-R7", "says internal error about a throw")
class ThrowInternalError(ThrowHost):
    def thrown(self, request: Request, error: Exception) -> Any:
        raise RuntimeError("internal error") from error


@broken("throw-first-line", "HV1-R7", "keeps the first line of a thrown message")
class ThrowFirstLine(ThrowHost):
    def thrown(self, request: Request, error: Exception) -> Any:
        raise RuntimeError(str(error).split("\n")[0]) from error


@broken("throw-into-a-template", "HV1-R7", "puts a thrown message into a template")
class ThrowIntoTemplate(ThrowHost):
    def thrown(self, request: Request, error: Exception) -> Any:
        # As `$$` and `$&` are read in the text that `String.replace` puts in.
        text = str(error).replace("$$", "$").replace("$&", "{message}")
        raise RuntimeError(f"failed: {text}") from error


@broken(
    "odd-arguments-end-it",
    "HV1-R7",
    "dies of a streaming call that has no list of parts",
    shown_by="host-v1/execute-tool/arguments-of-other-types",
)
class OddArgumentsEndIt(Host):
    async def run_tool(
        self, tool: Tool, arguments: JSONObject, context: ToolContext
    ) -> JSONObject:
        parts = arguments.get("parts")
        if tool.name == "conformance_stream" and not isinstance(parts, list):
            os._exit(1)
        return await super().run_tool(tool, arguments, context)


@broken(
    "init-keeps-config",
    "HV1-R13",
    "answers an init with the configs of all before",
    level="should",
    shown_by="host-v1/init/config-of-an-earlier-init",
)
class InitKeepsConfig(Host):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.configs: JSONObject = {}

    def dispatch(self, request: Request) -> Success | Failure:
        answer = super().dispatch(request)
        config = request.params.get("config")
        if request.method != "init" or not isinstance(config, dict):
            return answer
        self.configs |= config
        if isinstance(answer, Success) and isinstance(answer.value, dict):
            state = {**answer.value, **self.configs}
            return replace(answer, value=state, state=state)
        return answer


@broken(
    "init-forgets-calls",
    "HV1-M13",
    "forgets the calls that run when an init comes",
    shown_by="host-v1/pipelining/call-in-flight-at-an-init",
)
class InitForgetsCalls(Host):
    forgotten: frozenset[str] = frozenset()

    def handle_request(self, request: Request) -> None:
        if request.method == "init":
            self.forgotten |= {*self.connection.in_flight} - {request.id}
        else:
            self.forgotten -= {request.id}
        super().handle_request(request)

    def respond(self, request: Request, response: Success | Failure) -> None:
        if request.id not in self.forgotten:
            super().respond(request, response)


@broken("throw-ascii", "HV1-R7", "keeps the ASCII of a thrown message")
class ThrowAscii(ThrowHost):
    def thrown(self, request: Request, error: Exception) -> Any:
        text = str(error).encode("ascii", "replace").decode()
        raise RuntimeError(text) from error


@broken(
    "throw-cancels",
    "HV1-R7",
    "cancels the other calls when a tool throws",
)
class ThrowCancels(ThrowHost):
    def thrown(self, request: Request, error: Exception) -> Any:
        for other in self.connection.in_flight - {request.id}:
            failure = Failure(other, "Cancelled", "another tool threw")
            self.send(failure)
        raise error

    def respond(self, request: Request, response: Success | Failure) -> None:
        if request.id in self.connection.in_flight:
            super().respond(request, response)


class FindingHost(Host):
    """Finds a tool that is not there."""

    def guess(self, name: str) -> str | None:
        """Return the name of the tool that is taken for this one."""
        raise NotImplementedError

    def find_tool(self, name: str) -> Tool:
        return super().find_tool(self.guess(name) or name)


@broken("unknown-tool-succeeds", "HV1-R8", "answers an unknown tool with success")
class UnknownToolSucceeds(Host):
    async def execute_tool(self, request: Request) -> Success | Failure:
        name = request.params.get("tool_name")
        if isinstance(name, str) and name not in self.tools:
            value: JSON = {"success": True, "result": None}
            return self.success(request, value, self.result_state(request, {}))
        return await super().execute_tool(request)


@broken(
    "refusal-is-an-error-object",
    "HV1-R5",
    "answers an unknown tool with success false and an error that JSON made empty",
    shown_by="host-v1/execute-tool/shape-of-a-refusal",
)
class RefusalIsAnErrorObject(Host):
    async def execute_tool(self, request: Request) -> Success | Failure:
        name = request.params.get("tool_name")
        if isinstance(name, str) and name not in self.tools:
            value: JSON = {"success": False, "error": {}}
            state = self.result_state(request, self.read_state(request))
            return self.success(request, value, state)
        return await super().execute_tool(request)


@broken("tool-by-prefix", "HV1-R8", "takes the first tool that begins so")
class ToolByPrefix(FindingHost):
    def guess(self, name: str) -> str | None:
        return next((tool for tool in self.tools if tool.startswith(name)), None)


@broken("empty-name-is-first", "HV1-R8", "takes an empty name for the first tool")
class EmptyNameIsFirst(FindingHost):
    def guess(self, name: str) -> str | None:
        return None if name else next(iter(self.tools))


@broken("tool-with-a-tail", "HV1-R8", "ignores what stands behind a tool's name")
class ToolWithATail(FindingHost):
    def guess(self, name: str) -> str | None:
        return next((tool for tool in self.tools if name.startswith(tool)), None)


@broken("attribute-as-tool", "HV1-R8", "finds a tool among an object's attributes")
class AttributeAsTool(Host):
    def find_tool(self, name: str) -> Tool:
        if name.startswith("__") and hasattr(object, name):

            async def run(arguments: JSONObject, context: ToolContext) -> JSON:
                return repr(getattr(object, name))

            return Tool(name, "", {}, run)
        return super().find_tool(name)


@broken("method-as-tool", "HV1-R8", "takes a method's name for a tool's")
class MethodAsTool(Host):
    def find_tool(self, name: str) -> Tool:
        if name in self.methods:

            async def run(arguments: JSONObject, context: ToolContext) -> JSON:
                return None

            return Tool(name, "", {}, run)
        return super().find_tool(name)


class ArgumentHost(Host):
    """Reads arguments in another way."""

    def change(self, arguments: Any) -> Any:
        """Return the arguments that the tool gets."""
        raise NotImplementedError

    def handle_request(self, request: Request) -> None:
        if request.method == "execute_tool" and "arguments" in request.params:
            arguments = self.change(request.params["arguments"])
            params = {**request.params, "arguments": arguments}
            request = Request(request.id, request.method, params)
        super().handle_request(request)


@broken(
    "arguments-parsed",
    "HV1-M10",
    "parses an argument that is JSON text",
    shown_by="host-v1/execute-tool/argument-that-is-json-text",
)
class ArgumentsParsed(ArgumentHost):
    def change(self, arguments: Any) -> Any:
        if not isinstance(arguments, dict):
            return arguments
        return {k: _parsed(v) if k == "value" else v for k, v in arguments.items()}


@broken(
    "arguments-flat",
    "HV1-R5",
    "fails an argument that is an object in an object",
    shown_by="host-v1/execute-tool/arguments-object",
)
class ArgumentsFlat(ArgumentHost):
    def change(self, arguments: Any) -> Any:
        if isinstance(arguments, dict):
            value = arguments.get("value")
            if isinstance(value, dict) and any(
                isinstance(v, dict) for v in value.values()
            ):
                return None
        return arguments


@broken(
    "arguments-not-empty",
    "HV1-R5",
    "fails arguments that hold an empty list",
    shown_by="host-v1/execute-tool/arguments-empty-list",
)
class ArgumentsNotEmpty(ArgumentHost):
    def change(self, arguments: Any) -> Any:
        if isinstance(arguments, dict) and [] in arguments.values():
            return None
        return arguments


@broken(
    "arguments-as-text-too",
    "HV1-R9",
    "takes the JSON text of an object",
    level="should",
    shown_by="host-v1/execute-tool/arguments-json-text",
)
class ArgumentsAsTextToo(ArgumentHost):
    def change(self, arguments: Any) -> Any:
        return _parsed(arguments)


@broken(
    "arguments-first-of-a-list",
    "HV1-R9",
    "takes the first object of an array",
    level="should",
    shown_by="host-v1/execute-tool/arguments-array-of-an-object",
)
class ArgumentsFirstOfAList(ArgumentHost):
    def change(self, arguments: Any) -> Any:
        return arguments[0] if isinstance(arguments, list) else arguments


@broken(
    "arguments-null-is-empty", "HV1-R9", "takes null for no arguments", level="should"
)
class ArgumentsNullIsEmpty(ArgumentHost):
    def change(self, arguments: Any) -> Any:
        return {} if arguments is None else arguments


@broken("arguments-text-wrapped", "HV1-R9", "wraps text in an argument", level="should")
class ArgumentsTextWrapped(ArgumentHost):
    def change(self, arguments: Any) -> Any:
        return {"value": arguments} if isinstance(arguments, str) else arguments


@broken(
    "init-once",
    "HV1-R13",
    "fails a second init",
    level="should",
)
class InitOnce(Host):
    begun = False

    def dispatch(self, request: Request) -> Success | Failure:
        if request.method == "init" and self.begun:
            return self.failure(request, "AlreadyInitialized", "init was called")
        self.begun = self.begun or request.method == "init"
        return super().dispatch(request)


@broken(
    "init-forgets-states",
    "HV1-R13",
    "accepts states of the latest init only",
    level="should",
)
class InitForgetsStates(Host):
    epoch = 0

    def dispatch(self, request: Request) -> Success | Failure:
        self.epoch += request.method == "init"
        return super().dispatch(request)

    def read_state(self, request: Request) -> JSONObject:
        state = super().read_state(request)
        epoch = state.get("epoch", self.epoch)
        if request.method != "init" and epoch != self.epoch:
            raise RuntimeError("this state is of another session")
        return state

    def result_state(self, request: Request, state: JSONObject) -> JSONObject | None:
        changed = super().result_state(request, state)
        return None if changed is None else {**changed, "epoch": self.epoch}

    def success(
        self, request: Request, value: JSON, state: JSONObject | None
    ) -> Success:
        return super().success(
            request, state if request.method == "init" else value, state
        )


def _parsed(value: Any) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return value


@broken(
    "remembers-arguments",
    "HV1-R5",
    "takes an argument that is left out from the call before",
    shown_by="host-v1/execute-tool/arguments-left-out",
)
class RemembersArguments(Host):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.given: dict[str, JSONObject] = {}

    async def run_tool(
        self, tool: Tool, arguments: JSONObject, context: ToolContext
    ) -> JSONObject:
        given = self.given.setdefault(tool.name, {})
        given.update(arguments)
        return await super().run_tool(tool, {**given}, context)


@broken(
    "tool-name-as-key",
    "HV1-R8",
    "looks a tool up by whatever its name is, and leaves the caller to wait where no"
    " table has such a key",
    shown_by="host-v1/places/tool-name-that-is-no-string",
)
class ToolNameAsKey(Host):
    def respond(self, request: Request, response: Success | Failure) -> None:
        if not isinstance(request.params.get("tool_name"), list | dict):
            super().respond(request, response)


@broken(
    "tool-by-suffix",
    "HV1-R8",
    "takes the first tool whose name ends so",
    shown_by="host-v1/execute-tool/end-of-a-tool-name",
)
class ToolBySuffix(FindingHost):
    def guess(self, name: str) -> str | None:
        found = (tool for tool in self.tools if name and tool.endswith(f"_{name}"))
        return next(found, None)


@broken(
    "tool-in-nfkc",
    "HV1-R8",
    "normalises a tool's name to NFKC",
    shown_by="host-v1/execute-tool/tool-name-that-looks-alike",
)
class ToolInNfkc(FindingHost):
    def guess(self, name: str) -> str | None:
        return unicodedata.normalize("NFKC", name)


@broken(
    "tool-in-ascii",
    "HV1-R8",
    "drops what is not ASCII from a tool's name",
    shown_by="host-v1/execute-tool/tool-name-that-looks-alike",
)
class ToolInAscii(FindingHost):
    def guess(self, name: str) -> str | None:
        return name.encode("ascii", "ignore").decode()


@broken(
    "tool-name-as-text",
    "HV1-R8",
    "makes a text of a tool's name, that of a list by its elements",
    shown_by="host-v1/execute-tool/tool-name-in-a-container",
)
class ToolNameAsText(Host):
    def handle_request(self, request: Request) -> None:
        name: Any = request.params.get("tool_name")
        while isinstance(name, list) and len(name) == 1:
            name = name[0]
        if isinstance(name, str):
            params = {**request.params, "tool_name": name}
            request = Request(request.id, request.method, params)
        super().handle_request(request)


@broken(
    "tool-of-an-object",
    "HV1-R8",
    "takes the name out of an object that stands for a tool's name",
    shown_by="host-v1/execute-tool/tool-name-in-a-container",
)
class ToolOfAnObject(Host):
    def handle_request(self, request: Request) -> None:
        tool: Any = request.params.get("tool_name")
        if isinstance(tool, dict) and isinstance(tool.get("name"), str):
            params = {**request.params, "tool_name": tool["name"]}
            request = Request(request.id, request.method, params)
        super().handle_request(request)


@broken(
    "shares-its-first-state",
    "HV1-R13",
    "gives the one state to init and to calls without a state",
    level="should",
    shown_by="host-v1/init/init-after-calls-without-a-state",
)
class SharesItsFirstState(Host):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.first: JSONObject = {"conformance_counter": 0}

    def read_state(self, request: Request) -> JSONObject:
        state = super().read_state(request)
        return self.first if request.params.get("state") is None else state

    def success(
        self, request: Request, value: JSON, state: JSONObject | None
    ) -> Success:
        if request.method == "init":
            value = state = self.first
        return super().success(request, value, state)


@broken(
    "schemas-twice-after-another-init",
    "HV1-R4",
    "lists its tools twice after a second init",
    level="should",
)
class SchemasTwiceAfterAnotherInit(MethodHost):
    inits = 0

    def change(self, method: str, value: Any) -> Any:
        self.inits += method == "init"
        if method == "get_tool_schemas" and self.inits > 1:
            return [*value, *value]
        return value
