"""What a frame of a server must look like."""

from typing import Any

import pytest

from wireproof.protocols.socket_v1._shapes import frame_faults, result_faults


def clauses(frame: dict[str, Any]) -> list[str]:
    return [found.clause for found in frame_faults({"protocol": 1, **frame}, b"{}")]


def event(**fields: Any) -> dict[str, Any]:
    return {"type": "tool_event", "requestId": "a", "event": fields}


def result(**fields: Any) -> dict[str, Any]:
    return {"type": "tool_result", "requestId": "a", "result": fields}


TOOL = {"name": "a", "description": "b", "inputSchema": {}}


@pytest.mark.parametrize(
    "frame",
    [
        {"type": "tools_list", "tools": []},
        {"type": "tools_list", "tools": [TOOL, {**TOOL, "capabilities": []}]},
        {"type": "error", "code": "PROTOCOL_ERROR", "message": ""},
        {"type": "error", "code": "PROTOCOL_ERROR", "message": "", "requestId": "a"},
        result(ok=True),
        result(ok=True, content=None, meta={}, diagnostics=[]),
        result(ok=True, diagnostics=[{"level": "warn", "message": "m"}]),
        result(ok=False, error={"code": "TIMEOUT", "message": "m", "details": 1}),
        event(kind="progress"),
        event(kind="progress", message="m", fraction=1),
        event(kind="log", level="debug", message="m"),
        event(kind="partial_text", text=""),
        event(kind="artifact", mimeType="a/b", name="n", path="p", dataBase64=""),
        {"type": "tools_list", "tools": [{**TOOL, "capabilities": None}]},
        {"type": "error", "code": "PROTOCOL_ERROR", "message": "", "requestId": None},
        event(kind="progress", message=None, fraction=None),
        event(kind="artifact", mimeType="a/b", name=None, path=None, dataBase64=None),
    ],
)
def test_a_sound_frame_has_no_faults(frame: dict[str, Any]) -> None:
    assert clauses(frame) == []


@pytest.mark.parametrize(
    ("frame", "text"),
    [
        (
            {"type": "tools", "tools": []},
            'a frame of the type "tools"; "tools_list" was expected',
        ),
        (
            {"type": "toolResult"},
            'a frame of the type "toolResult"; "tool_result" was expected',
        ),
        (
            {"type": 7},
            (
                'a frame of the type 7; "tools_list" or "tool_event" or "tool_result" '
                'or "error" was expected'
            ),
        ),
        ({"kind": "x"}, 'a frame without a type; its keys are "kind"'),
    ],
)
def test_an_unknown_type_is_named_with_the_one_that_was_expected(
    frame: dict[str, Any], text: str
) -> None:
    assert frame_faults(frame, b"")[0].text == text


@pytest.mark.parametrize(
    ("frame", "clause"),
    [
        ({}, "SOCK-M1"),
        ({"type": "hello"}, "SOCK-M1"),
        ({"type": "tools_list"}, "SOCK-M1"),
        ({"type": "tools_list", "tools": {}}, "SOCK-M1"),
        ({"type": "tools_list", "tools": ["a"]}, "SOCK-L1"),
        ({"type": "tools_list", "tools": [{**TOOL, "name": 1}]}, "SOCK-L1"),
        ({"type": "tools_list", "tools": [{**TOOL, "description": 1}]}, "SOCK-L1"),
        ({"type": "tools_list", "tools": [{**TOOL, "inputSchema": []}]}, "SOCK-L1"),
        ({"type": "tools_list", "tools": [{**TOOL, "capabilities": 1}]}, "SOCK-L1"),
        ({"type": "error", "code": "NO", "message": ""}, "SOCK-M1"),
        ({"type": "error", "code": "PROTOCOL_ERROR"}, "SOCK-M1"),
        ({**result(ok=True), "requestId": 1}, "SOCK-M1"),
        ({"type": "tool_result", "requestId": "a"}, "SOCK-M1"),
        (result(), "SOCK-C14"),
        (result(ok=1), "SOCK-C14"),
        (result(ok=True, error={"code": "TIMEOUT", "message": ""}), "SOCK-C3"),
        (result(ok=False), "SOCK-C3"),
        (result(ok=False, error={"code": "NO", "message": ""}), "SOCK-C3"),
        (result(ok=False, error={"code": "TIMEOUT"}), "SOCK-C3"),
        (result(ok=True, meta=[]), "SOCK-C14"),
        (result(ok=True, diagnostics={}), "SOCK-C14"),
        (result(ok=True, diagnostics=[{"level": "no", "message": ""}]), "SOCK-C14"),
        ({"type": "tool_event", "requestId": "a"}, "SOCK-E1"),
        (event(), "SOCK-E1"),
        (event(kind="hello"), "SOCK-E1"),
        (event(kind="progress", message=1), "SOCK-E1"),
        (event(kind="progress", fraction=1.5), "SOCK-E1"),
        (event(kind="progress", fraction=True), "SOCK-E1"),
        (event(kind="log", level="loud", message=""), "SOCK-E1"),
        (event(kind="log", level="info"), "SOCK-E1"),
        (event(kind="partial_text"), "SOCK-E1"),
        (event(kind="artifact"), "SOCK-E1"),
        (event(kind="artifact", mimeType="a/b", path=1), "SOCK-E1"),
    ],
)
def test_a_fault_is_charged_to_its_clause(frame: dict[str, Any], clause: str) -> None:
    assert clauses(frame) == [clause]


@pytest.mark.parametrize("frame", [{"protocol": 2}, {"protocol": True}])
def test_the_protocol_of_a_frame_should_be_1(frame: dict[str, Any]) -> None:
    (found,) = frame_faults({"type": "tools_list", "tools": [], **frame}, b"")
    assert (found.clause, found.level) == ("SOCK-M4", "should")


def test_a_result_that_is_no_object_is_a_fault() -> None:
    assert [clause for clause, _, _ in result_faults([])] == ["SOCK-M1"]


HALF = {"code": "NO", "message": "m"}


@pytest.mark.parametrize(
    ("fields", "clauses"),
    [
        ({"ok": True, "error": None}, ["SOCK-C3"]),
        ({"ok": True, "error": {"code": "TIMEOUT", "message": "m"}}, ["SOCK-C3"]),
        ({"ok": True, "meta": None}, ["SOCK-C14"]),
        ({"ok": True, "diagnostics": None}, ["SOCK-C14"]),
    ],
)
def test_what_should_be_absent_is_no_breach_of_a_must(
    fields: dict[str, Any], clauses: list[str]
) -> None:
    found = list(result_faults(fields))
    assert [clause for clause, _, _ in found] == clauses
    assert [level for _, _, level in found] == ["should"]


@pytest.mark.parametrize(("returned", "level"), [(False, "must"), (True, "should")])
def test_half_a_failure_of_the_server_is_worse_than_one_that_a_tool_returned(
    returned: bool,  # noqa: FBT001
    level: str,
) -> None:
    found = result_faults({"ok": False, "error": HALF}, returned=returned)
    assert [(clause, found) for clause, _, found in found] == [("SOCK-C3", level)]


@pytest.mark.parametrize(
    ("fields", "level"),
    [
        ({}, "must"),
        ({"kind": 5}, "must"),
        ({"kind": "hello"}, "should"),
        ({"kind": "progress", "message": 1}, "should"),
    ],
)
def test_an_event_must_have_a_kind_and_should_have_a_known_one(
    fields: dict[str, Any], level: str
) -> None:
    (found,) = frame_faults({"protocol": 1, **event(**fields)}, b"")
    assert (found.clause, found.level) == ("SOCK-E1", level)
