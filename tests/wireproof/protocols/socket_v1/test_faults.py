from __future__ import annotations

from typing import Any

import pytest

from wireproof.protocols.socket_v1._faults import faults_of
from wireproof.protocols.socket_v1.rules import FAULTS

CALL = {"type": "tool_call", "requestId": "a", "toolName": "conformance_echo"}
TOOL = {"name": "n", "description": "d", "inputSchema": {}}


def result(value: Any, **more: Any) -> dict[str, Any]:
    frame = {"type": "tool_result", "protocol": 1, "requestId": "a", "result": value}
    return {**frame, **more}


def failed(error: Any) -> dict[str, Any]:
    return result({"ok": False, "error": error})


def listing(tools: Any) -> dict[str, Any]:
    return {"type": "tools_list", "protocol": 1, "tools": tools}


def event(value: Any) -> dict[str, Any]:
    return {"type": "tool_event", "protocol": 1, "requestId": "a", "event": value}


def error(**more: Any) -> dict[str, Any]:
    frame = {"type": "error", "protocol": 1, "code": "PROTOCOL_ERROR", "message": "m"}
    return {**frame, **more}


FINE = [
    result({"ok": True}),
    result({"ok": True, "content": None, "meta": {}, "diagnostics": []}),
    result({"ok": True, "diagnostics": [{"level": "warn", "message": "m"}]}),
    failed({"code": "TIMEOUT", "message": "m", "details": 5}),
    listing([]),
    listing([TOOL, {**TOOL, "capabilities": None}, {**TOOL, "capabilities": []}]),
    event({"kind": "progress"}),
    event({"kind": "progress", "message": "m", "fraction": 0.5}),
    event({"kind": "log", "level": "debug", "message": "m"}),
    event({"kind": "partial_text", "text": "t"}),
    event({"kind": "artifact", "mimeType": "text/plain", "name": None}),
    error(),
    error(requestId=None),
    error(requestId="a"),
]


@pytest.mark.parametrize("frame", FINE, ids=range(len(FINE)))
def test_a_right_frame_has_no_fault(frame: Any) -> None:
    assert list(faults_of(frame, CALL)) == []


WRONG: list[tuple[Any, str, str]] = [
    (result({"ok": True}, protocol=2), "protocol", "/protocol"),
    (result({"ok": True}, protocol=True), "protocol", "/protocol"),
    (result({"ok": True}, type="result"), "frame-type", "/type"),
    (result({"ok": True}, requestId=5), "frame-id", "/requestId"),
    (result(None), "no-result", "/result"),
    (result({"ok": 1}), "result-shape", "/result/ok"),
    (result({"ok": True, "meta": 5}), "result-shape", "/result/meta"),
    (result({"ok": True, "meta": None}), "null-member", "/result/meta"),
    (result({"ok": True, "diagnostics": {}}), "result-shape", "/result/diagnostics"),
    (
        result({"ok": True, "diagnostics": [{"level": "loud", "message": "m"}]}),
        "result-shape",
        "/result/diagnostics",
    ),
    (result({"ok": True, "error": {}}), "success-with-error", "/result/error"),
    (result({"ok": True, "error": None}), "null-error", "/result/error"),
    (failed(None), "failed-result", "/result/error"),
    (failed({"code": "ODD", "message": "m"}), "failed-result", "/result/error/code"),
    (failed({"code": "TIMEOUT"}), "failed-result", "/result/error/message"),
    (listing(None), "list-member", "/tools"),
    (listing([5]), "descriptor", "/tools/0"),
    (listing([TOOL, {**TOOL, "name": 5}]), "descriptor", "/tools/1/name"),
    (listing([{**TOOL, "inputSchema": []}]), "descriptor", "/tools/0/inputSchema"),
    (listing([{**TOOL, "capabilities": 5}]), "descriptor", "/tools/0/capabilities"),
    (event(None), "event-kind", "/event"),
    (event({}), "event-kind", "/event/kind"),
    (event({"kind": "odd"}), "event-fields", "/event/kind"),
    (event({"kind": "progress", "fraction": 2}), "event-fields", "/event/fraction"),
    (event({"kind": "progress", "fraction": True}), "event-fields", "/event/fraction"),
    (event({"kind": "log", "level": "info"}), "event-fields", "/event/message"),
    (event({"kind": "partial_text"}), "event-fields", "/event/text"),
    (event({"kind": "artifact"}), "event-fields", "/event/mimeType"),
    (error(code="ODD"), "error-member", "/code"),
    (error(code="TIMEOUT"), "failure-as-error", "/code"),
    (error(message=5), "error-member", "/message"),
    (error(requestId=5), "frame-id", "/requestId"),
]


@pytest.mark.parametrize(("frame", "kind", "where"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_frame_has_one_fault_at_its_place(
    frame: Any, kind: str, where: str
) -> None:
    assert [(k, fields["where"]) for k, fields in faults_of(frame, CALL)] == [
        (kind, where)
    ]


def test_a_failed_envelope_that_a_tool_returned_is_no_failure_of_the_server() -> None:
    for tool in ("conformance_envelope", "search"):
        found = faults_of(failed(None), {**CALL, "toolName": tool})
        assert [kind for kind, _ in found] == ["returned-failure"]


def test_each_fault_of_a_frame_has_a_clause() -> None:
    assert {kind for _, kind, _ in WRONG} | {"returned-failure"} <= FAULTS.keys()
