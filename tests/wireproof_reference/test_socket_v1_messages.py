from __future__ import annotations

import pytest

from wireproof_reference.framing import JSON, JSONObject
from wireproof_reference.socket_v1 import (
    CallResult,
    CancelToolCall,
    ClientInfo,
    ClientMessage,
    Flaw,
    ListTools,
    ServerMessage,
    ToolCall,
    ToolEvent,
    ToolResult,
    ToolsList,
    TransportError,
    event_flaw,
    message_to_json,
    read_client_message,
    read_server_message,
    result_flaw,
)

TOOL: JSONObject = {"name": "t", "description": "d", "inputSchema": {}}


@pytest.mark.parametrize(
    ("message", "value"),
    [
        (
            ListTools(),
            {"type": "list_tools", "protocol": 1, "clientInfo": {"caller": "cli"}},
        ),
        (
            ToolCall(
                "1", "t", {"a": None}, ClientInfo("plugin", "/c", "s", "p", "b"), 5
            ),
            {
                "type": "tool_call",
                "protocol": 1,
                "requestId": "1",
                "toolName": "t",
                "arguments": {"a": None},
                "clientInfo": {
                    "caller": "plugin",
                    "cwd": "/c",
                    "sessionId": "s",
                    "spaceId": "p",
                    "tabId": "b",
                },
                "timeoutMs": 5,
            },
        ),
        (
            ToolCall("", ""),
            {
                "type": "tool_call",
                "protocol": 1,
                "requestId": "",
                "toolName": "",
                "arguments": {},
                "clientInfo": {"caller": "cli"},
            },
        ),
        (
            CancelToolCall("1"),
            {"type": "cancel_tool_call", "protocol": 1, "requestId": "1"},
        ),
    ],
)
def test_what_a_client_sends_is_read_as_it_was(
    message: ClientMessage, value: JSON
) -> None:
    assert message_to_json(message) == value
    assert read_client_message(value) == message


@pytest.mark.parametrize(
    ("message", "value"),
    [
        (
            ToolsList((TOOL,)),
            {"type": "tools_list", "protocol": 1, "tools": [TOOL]},
        ),
        (
            ToolEvent("1", {"kind": "partial_text", "text": ""}),
            {
                "type": "tool_event",
                "protocol": 1,
                "requestId": "1",
                "event": {"kind": "partial_text", "text": ""},
            },
        ),
        (
            CallResult("1", ToolResult.success(None)),
            {
                "type": "tool_result",
                "protocol": 1,
                "requestId": "1",
                "result": {"ok": True, "content": None},
            },
        ),
        (
            CallResult("1", ToolResult.failure("TIMEOUT", "late", None)),
            {
                "type": "tool_result",
                "protocol": 1,
                "requestId": "1",
                "result": {
                    "ok": False,
                    "error": {"code": "TIMEOUT", "message": "late", "details": None},
                },
            },
        ),
        (
            TransportError(None, "m"),
            {
                "type": "error",
                "protocol": 1,
                "code": "PROTOCOL_ERROR",
                "message": "m",
            },
        ),
        (
            TransportError("1", "m"),
            {
                "type": "error",
                "protocol": 1,
                "requestId": "1",
                "code": "PROTOCOL_ERROR",
                "message": "m",
            },
        ),
    ],
)
def test_what_a_server_sends_is_read_as_it_was(
    message: ServerMessage, value: JSON
) -> None:
    assert message_to_json(message) == value
    assert read_server_message(value) == message


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({}, ToolCall("1", "t")),
        ({"protocol": 1.0, "unknown": 1}, ToolCall("1", "t")),
        ({"timeoutMs": 2.0}, ToolCall("1", "t", timeout_ms=2)),
        ({"timeoutMs": 2**53 - 1}, ToolCall("1", "t", timeout_ms=2**53 - 1)),
        ({"clientInfo": {}}, ToolCall("1", "t")),
        (
            {"clientInfo": {"caller": "agent", "cwd": None, "sessionId": 5, "x": 1}},
            ToolCall("1", "t", client_info=ClientInfo("agent")),
        ),
    ],
)
def test_what_may_be_otherwise_is_accepted(more: JSONObject, message: ToolCall) -> None:
    value: JSON = {"type": "tool_call", "requestId": "1", "toolName": "t", **more}
    assert read_client_message(value) == message


@pytest.mark.parametrize(
    ("more", "detail"),
    [
        ({"protocol": 2, "type": "nope"}, "protocol must be 1"),
        ({"protocol": True}, "protocol must be 1"),
        ({"protocol": "1"}, "protocol must be 1"),
        ({"protocol": None}, "protocol must be 1"),
        ({"type": "nope"}, "type is unknown"),
        ({"type": "tools_list"}, "type is unknown"),
        ({"type": 1}, "type must be a string"),
        ({"toolName": None}, "toolName must be a string"),
        ({"arguments": None}, "arguments must be an object"),
        ({"arguments": []}, "arguments must be an object"),
        ({"timeoutMs": 0}, "timeoutMs must be a positive integer"),
        ({"timeoutMs": -1}, "timeoutMs must be a positive integer"),
        ({"timeoutMs": 1.5}, "timeoutMs must be a positive integer"),
        ({"timeoutMs": True}, "timeoutMs must be a positive integer"),
        ({"timeoutMs": "1"}, "timeoutMs must be a positive integer"),
        ({"timeoutMs": None}, "timeoutMs must be a positive integer"),
        ({"clientInfo": "cli"}, "clientInfo must be an object"),
        (
            {"clientInfo": {"caller": "root"}},
            "clientInfo.caller must be one of cli, renderer, agent, plugin, internal",
        ),
        ({"clientInfo": {"cwd": 1}}, "clientInfo.cwd must be a string"),
    ],
)
def test_a_malformed_call_is_refused_under_its_id(
    more: JSONObject, detail: str
) -> None:
    value: JSON = {"type": "tool_call", "requestId": "1", "toolName": "t", **more}
    assert read_client_message(value) == Flaw(detail, "1")


@pytest.mark.parametrize(
    ("value", "detail"),
    [
        ([], "a message must be an object"),
        (None, "a message must be an object"),
        ({}, "type must be a string"),
        ({"type": "tool_call", "toolName": "t"}, "requestId must be a string"),
        (
            {"type": "tool_call", "requestId": 1, "toolName": "t"},
            "requestId must be a string",
        ),
        ({"type": "cancel_tool_call"}, "requestId must be a string"),
    ],
)
def test_a_malformed_message_without_an_id_is_refused(value: JSON, detail: str) -> None:
    assert read_client_message(value) == Flaw(detail)


@pytest.mark.parametrize(
    ("value", "flaw"),
    [
        ([], Flaw("a message must be an object")),
        ({"type": "x"}, Flaw("type is not one that a server sends")),
        (
            {"type": "error", "protocol": 2, "requestId": "1"},
            Flaw("protocol must be 1", "1"),
        ),
        ({"type": "error", "code": "C"}, Flaw("message must be a string")),
        ({"type": "tools_list"}, Flaw("tools must be an array")),
        (
            {"type": "tools_list", "tools": [1]},
            Flaw("a tool must be an object"),
        ),
        (
            {"type": "tools_list", "tools": [{"name": "t"}]},
            Flaw("description must be a string"),
        ),
        (
            {"type": "tools_list", "tools": [{**TOOL, "inputSchema": True}]},
            Flaw("inputSchema must be an object"),
        ),
        (
            {"type": "tools_list", "tools": [{**TOOL, "capabilities": {}}]},
            Flaw("capabilities must be an array"),
        ),
        (
            {"type": "tool_event", "requestId": "1", "event": {}},
            Flaw(
                "event.kind must be one of progress, log, partial_text, artifact", "1"
            ),
        ),
        (
            {"type": "tool_result", "requestId": "1", "result": {}},
            Flaw("result.ok must be a boolean", "1"),
        ),
    ],
)
def test_what_no_server_sends_is_a_flaw(value: JSON, flaw: Flaw) -> None:
    assert read_server_message(value) == flaw


@pytest.mark.parametrize(
    "result",
    [
        {"ok": True},
        {"ok": True, "content": None, "meta": {}, "diagnostics": [], "more": 1},
        {"ok": True, "diagnostics": [{"level": "warn", "message": ""}]},
        {"ok": False, "error": {"code": "CANCELLED", "message": "", "details": [1]}},
    ],
)
def test_an_envelope_may_be_so(result: JSON) -> None:
    assert result_flaw(result) is None


@pytest.mark.parametrize(
    ("result", "flaw"),
    [
        (None, "result must be an object"),
        ({"ok": 1}, "result.ok must be a boolean"),
        ({"ok": True, "meta": []}, "result.meta must be an object"),
        (
            {"ok": True, "diagnostics": [{"level": "fatal", "message": ""}]},
            "result.diagnostics must be an array of objects with level and message",
        ),
        (
            {"ok": True, "diagnostics": {}},
            "result.diagnostics must be an array of objects with level and message",
        ),
        ({"ok": True, "error": None}, "a result with ok must have no error"),
        ({"ok": False}, "a result without ok must have an error"),
        (
            {"ok": False, "error": {"code": "OTHER", "message": ""}},
            "result.error.code must be a known code",
        ),
        (
            {"ok": False, "error": {"code": [], "message": ""}},
            "result.error.code must be a known code",
        ),
        (
            {"ok": False, "error": {"code": "TIMEOUT"}},
            "result.error.message must be a string",
        ),
    ],
)
def test_an_envelope_must_not_be_so(result: JSON, flaw: str) -> None:
    assert result_flaw(result) == flaw


@pytest.mark.parametrize(
    "event",
    [
        {"kind": "progress"},
        {"kind": "progress", "message": "m", "fraction": 0},
        {"kind": "progress", "fraction": 1.0, "more": 1},
        {"kind": "log", "level": "debug", "message": ""},
        {"kind": "artifact", "mimeType": "text/plain", "path": "/p"},
    ],
)
def test_an_event_may_be_so(event: JSON) -> None:
    assert event_flaw(event) is None


@pytest.mark.parametrize(
    ("event", "flaw"),
    [
        ("log", "event must be an object"),
        (
            {"kind": []},
            "event.kind must be one of progress, log, partial_text, artifact",
        ),
        (
            {"kind": "progress", "fraction": 1.1},
            "event.fraction of progress is not what it must be",
        ),
        (
            {"kind": "progress", "fraction": True},
            "event.fraction of progress is not what it must be",
        ),
        (
            {"kind": "log", "level": "fatal", "message": ""},
            "event.level of log is not what it must be",
        ),
        ({"kind": "partial_text"}, "event.text of partial_text is missing"),
    ],
)
def test_an_event_must_not_be_so(event: JSON, flaw: str) -> None:
    assert event_flaw(event) == flaw


def test_a_null_that_is_optional_counts_as_absent_in_what_a_server_sends() -> None:
    nulls: JSONObject = {"meta": None, "diagnostics": None, "error": None}
    result: JSONObject = {"ok": True, "content": None}
    frame: JSONObject = {"type": "tool_result", "requestId": "1"}
    read = read_server_message({**frame, "result": {**nulls, **result}})
    assert read == CallResult("1", ToolResult(result))
    event: JSONObject = {"kind": "progress", "message": "half"}
    told: JSONObject = {"type": "tool_event", "requestId": "1"}
    read = read_server_message({**told, "event": {**event, "fraction": None}})
    assert read == ToolEvent("1", event)
    tool: JSONObject = {**TOOL, "capabilities": None}
    read = read_server_message({"type": "tools_list", "tools": [tool]})
    assert read == ToolsList((tool,))
    refused: JSONObject = {"type": "error", "code": "C", "message": "no"}
    read = read_server_message({**refused, "requestId": None})
    assert read == TransportError(None, "no", "C")
