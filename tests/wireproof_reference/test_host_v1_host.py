from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import anyio
import anyio.lowlevel
import pytest

from wireproof_reference.framing import JSON, JSONObject, dumps, loads
from wireproof_reference.host_v1 import (
    CallContext,
    Host,
    HostMessage,
    Request,
    Tool,
    ToolContext,
    ToolPlugin,
    conformance_toolset,
)

pytestmark = pytest.mark.anyio


class Script:
    """A transport that gives a host its input at once, and keeps its output."""

    def __init__(self, data: bytes) -> None:
        self._data = [data]
        self.output = b""

    async def receive(self) -> bytes:
        return self._data.pop() if self._data else b""

    def write(self, data: bytes) -> None:
        self.output += data

    async def wait_for_room(self) -> None:
        await anyio.lowlevel.checkpoint()

    async def flush(self) -> None:
        await anyio.lowlevel.checkpoint()


async def serve(
    data: bytes, plugin: ToolPlugin | None = None, host_class: type[Host] = Host
) -> list[JSON]:
    script = Script(data)
    await host_class(plugin or conformance_toolset(), script).serve()
    return [loads(line) for line in script.output.splitlines()]


def call(method: str, params: JSON = None, request_id: str = "1") -> bytes:
    request: JSON = {"v": 1, "id": request_id, "method": method, "params": params}
    return dumps(request) + b"\n"


def tool_call(name: str, arguments: JSON, state: JSON, request_id: str = "1") -> bytes:
    params: JSON = {"tool_name": name, "arguments": arguments, "state": state}
    return call("execute_tool", params, request_id)


def answer(value: JSON, state: JSON = None) -> JSON:
    result: JSONObject = {"value": value}
    if state is not None:
        result["state"] = state
    return {"v": 1, "id": "1", "ok": True, "result": result}


def part(payload: JSON) -> JSON:
    return {"v": 1, "id": "1", "event": {"type": "part", "payload": payload}}


def refusal(type_: str, detail: str, request_id: str | None = "1") -> JSON:
    error: JSON = {"type": type_, "detail": detail}
    return {"v": 1, "id": request_id, "ok": False, "error": error}


ENVELOPE: JSON = {
    "type": "provider_native_tool_result",
    "format": "openai.responses",
    "content": [],
}


@pytest.mark.parametrize(
    ("method", "params", "value", "state"),
    [
        (
            "init",
            {"config": {"any": 1}},
            {"conformance_counter": 0},
            {"conformance_counter": 0},
        ),
        ("init", {}, {"conformance_counter": 0}, {"conformance_counter": 0}),
        ("get_config_schema", {}, {"type": "object", "properties": {}}, None),
        (
            "get_config_schema",
            {"state": {"a": 1}},
            {"type": "object", "properties": {}},
            {"a": 1},
        ),
        ("get_tags", {"config": {}, "models": [{"id": "m"}]}, ["conformance"], None),
        ("get_tags", {}, ["conformance"], None),
        ("required_tags", {"state": None}, ["conformance"], {}),
        (
            "get_ui_elements",
            {},
            [{"type": "label", "id": "conformance", "text": "Conformance toolset"}],
            None,
        ),
        (
            "format_tool_result",
            {"result": {"success": True, "result": "text"}, "state": {}},
            "text",
            {},
        ),
        (
            "format_tool_result",
            {"result": {"success": True, "result": {"a": [1]}}},
            '{"a":[1]}',
            None,
        ),
        ("format_tool_result", {"result": {"success": True}}, "null", None),
        (
            "format_tool_result",
            {"result": {"success": False, "error": "broken"}},
            "broken",
            None,
        ),
        (
            "format_tool_result",
            {"result": {"success": True, "result": ENVELOPE}},
            ENVELOPE,
            None,
        ),
        ("format_tool_result", {"result": {"plain": 1}}, '{"plain":1}', None),
        ("format_tool_result", {"result": None}, "null", None),
        (
            "format_tool_call_preview",
            {"tool_name": "t", "arguments": {"a": 1}, "state": {}},
            't({"a":1})',
            {},
        ),
        (
            "to_display_format",
            {"text": "t", "result": {}, "state": {}},
            {"type": "text", "text": "t"},
            {},
        ),
    ],
)
async def test_a_method_gives_its_value(
    method: str, params: JSON, value: JSON, state: JSON
) -> None:
    assert await serve(call(method, params)) == [answer(value, state)]


async def test_schemas_are_in_the_format_of_chat_completions() -> None:
    async def run(arguments: JSONObject, context: ToolContext) -> JSON:
        return None

    plugin = ToolPlugin(tools=[Tool("t", "Does.", {"type": "object"}, run)])
    function: JSON = {
        "name": "t",
        "description": "Does.",
        "parameters": {"type": "object"},
    }
    assert await serve(call("get_tool_schemas", {"state": {}}), plugin) == [
        answer([{"type": "function", "function": function}], {})
    ]


@pytest.mark.parametrize(
    ("method", "params", "type_", "detail"),
    [
        ("nope", {}, "UnknownMethod", "unknown method 'nope'"),
        ("init", {"config": 1}, "InvalidParams", "config must be an object"),
        (
            "get_tags",
            {"models": {}},
            "InvalidParams",
            "models must be an array of objects",
        ),
        (
            "get_tags",
            {"models": [1]},
            "InvalidParams",
            "models must be an array of objects",
        ),
        (
            "get_tool_schemas",
            {"state": "x"},
            "InvalidParams",
            "state must be an object",
        ),
        ("format_tool_result", {}, "InvalidParams", "result is missing"),
        ("to_display_format", {"result": 1}, "InvalidParams", "text must be a string"),
        ("execute_tool", {}, "InvalidParams", "tool_name must be a string"),
        (
            "execute_tool",
            {"tool_name": "conformance_echo"},
            "InvalidParams",
            "arguments must be an object",
        ),
        (
            "execute_tool",
            {"tool_name": "conformance_echo", "arguments": "{}"},
            "InvalidParams",
            "arguments must be an object",
        ),
        (
            "execute_tool",
            {"tool_name": "conformance_echo", "arguments": {}, "state": []},
            "InvalidParams",
            "state must be an object",
        ),
        (
            "execute_tool",
            {"tool_name": "x", "arguments": {}},
            "UnknownTool",
            "unknown tool 'x'",
        ),
        ("init", [], "InvalidParams", "params must be an object"),
    ],
)
async def test_a_method_refuses_what_it_cannot_do(
    method: str, params: JSON, type_: str, detail: str
) -> None:
    assert await serve(call(method, params)) == [refusal(type_, detail)]


@pytest.mark.parametrize(
    "method",
    [
        "get_config_schema",
        "get_ui_elements",
        "get_tags",
        "required_tags",
        "format_tool_result",
        "format_tool_call_preview",
        "to_display_format",
    ],
)
async def test_a_method_that_is_none_is_not_offered(method: str) -> None:
    plugin = ToolPlugin(tools=[])
    detail = f"unknown method {method!r}"
    assert await serve(call(method, {}), plugin) == [refusal("UnknownMethod", detail)]


async def test_a_plugin_without_state_has_an_empty_one() -> None:
    assert await serve(call("init", {}), ToolPlugin(tools=[])) == [answer({}, {})]


async def test_a_method_that_raises_is_a_failure() -> None:
    def broken() -> list[str]:
        raise ZeroDivisionError("by nothing")

    plugin = replace(conformance_toolset(), required_tags=broken)
    [failure] = await serve(call("required_tags", {}), plugin)
    assert isinstance(failure, dict)
    error = failure["error"]
    assert isinstance(error, dict)
    assert isinstance(error["stack"], str)
    assert error["type"] == "ZeroDivisionError"
    assert error["detail"] == "by nothing"
    assert error["stack"].endswith("ZeroDivisionError: by nothing\n")


async def test_a_tool_gives_its_result_and_the_state() -> None:
    assert await serve(tool_call("conformance_counter", {"by": 2}, {"x": 1})) == [
        answer(
            {"success": True, "result": {"counter": 2}},
            {"x": 1, "conformance_counter": 2},
        )
    ]


async def test_the_state_in_the_request_decides() -> None:
    data = b"".join(
        tool_call("conformance_counter", {}, {"conformance_counter": n}, request_id)
        for n, request_id in ((5, "1"), (5, "2"), (0, "3"))
    )
    script = Script(data)
    await Host(conformance_toolset(), script).serve()
    lines = sorted(script.output.splitlines())
    states = [line.partition(b'"state":')[2] for line in lines]
    assert states == [
        b'{"conformance_counter":6}}}',
        b'{"conformance_counter":6}}}',
        b'{"conformance_counter":1}}}',
    ]


async def test_a_reported_failure_is_a_value() -> None:
    assert await serve(tool_call("conformance_fail", {"message": "no"}, {})) == [
        answer({"success": False, "error": "no"}, {})
    ]


async def test_parts_come_before_the_response() -> None:
    parts: list[JSON] = [{"n": 1}, {"n": 2}]
    data = tool_call("conformance_stream", {"parts": parts}, {})
    assert await serve(data) == [
        part({"n": 1}),
        part({"n": 2}),
        answer({"success": True, "result": {"count": 2}}, {}),
    ]


async def test_bad_lines_are_answered_and_survived() -> None:
    data = b"junk\n\n[1]\n" + b"[" * 10_000 + b"\n" + call("required_tags", {}) + b"end"
    assert await serve(data) == [
        refusal("InvalidRequest", "not-json: expecting value", None),
        refusal("InvalidRequest", "a request must be an object", None),
        refusal(
            "InvalidRequest", "too-deep: nested 10000 deep, at most 512 allowed", None
        ),
        answer(["conformance"]),
        refusal("InvalidRequest", "the input ended inside a line", None),
    ]


def tool(run: Callable[[JSONObject, ToolContext], object]) -> ToolPlugin:
    async def run_later(arguments: JSONObject, context: ToolContext) -> JSON:
        await anyio.lowlevel.checkpoint()
        return run(arguments, context)  # type: ignore[return-value]  # what a careless tool gives

    return ToolPlugin(tools=[Tool("t", "Does.", {}, run_later)])


@pytest.mark.parametrize("error", [ValueError("no"), SystemExit("no"), OSError("no")])
async def test_a_tool_that_raises_is_a_failure(error: BaseException) -> None:
    def run(arguments: JSONObject, context: ToolContext) -> object:
        raise error

    [failure] = await serve(tool_call("t", {}, {}), tool(run))
    assert isinstance(failure, dict)
    assert isinstance(failure["error"], dict)
    assert failure["error"]["type"] == type(error).__name__
    assert failure["error"]["detail"] == "no"


class Stop(BaseException):
    pass


async def test_what_ends_the_host_is_answered_first() -> None:
    def run(arguments: JSONObject, context: ToolContext) -> object:
        raise Stop("now")

    script = Script(tool_call("t", {}, {}))
    with pytest.raises(BaseExceptionGroup) as caught:
        await Host(tool(run), script).serve()
    assert caught.group_contains(Stop, match=r"^now$")
    assert b'"type":"Stop","detail":"now"' in script.output


async def test_a_result_that_json_cannot_hold_is_a_failure() -> None:
    def run(arguments: JSONObject, context: ToolContext) -> object:
        return {1, 2}

    [failure] = await serve(tool_call("t", {}, {}), tool(run))
    assert isinstance(failure, dict)
    assert isinstance(failure["error"], dict)
    assert failure["error"]["type"] == "EncodeError"


async def test_a_context_knows_its_request() -> None:
    def run(arguments: JSONObject, context: ToolContext) -> object:
        assert isinstance(context, CallContext)
        return context.request.id

    assert await serve(tool_call("t", {}, {}, "7"), tool(run)) == [
        {
            "v": 1,
            "id": "7",
            "ok": True,
            "result": {"value": {"success": True, "result": "7"}, "state": {}},
        }
    ]


class LoudHost(Host):
    def encode(self, message: HostMessage) -> bytes:
        return super().encode(message).upper()

    def result_state(self, request: Request, state: JSONObject) -> JSONObject | None:
        return None


async def test_a_step_may_be_done_differently() -> None:
    script = Script(call("init", {}))
    await LoudHost(ToolPlugin(tools=[]), script).serve()
    assert script.output == b'{"V":1,"ID":"1","OK":TRUE,"RESULT":{"VALUE":{}}}\n'
