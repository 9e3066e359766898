from __future__ import annotations

from typing import Any

import pytest

from wireproof.line._sentences import mismatch_text, missing_text, request_text
from wireproof.patterns import match

FAILED = {"ok": False, "error": {"type": "KeyError", "detail": "no such row"}}


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"method": "init"}, "init"),
        (
            {"method": "execute_tool", "params": {"tool_name": "echo"}},
            "execute_tool echo",
        ),
        ({"type": "tool_call", "toolName": "echo"}, "tool_call echo"),
        ({"type": "list_tools"}, "list_tools"),
        ({"method": "tools/list"}, '"tools/list"'),
        ({"method": "x" * 60}, '"' + "x" * 49 + "…"),
        ({"method": 5}, "5"),
        ({}, "the request"),
        ([], "the request"),
    ],
)
def test_a_request_is_named_by_its_method_and_tool(message: Any, text: str) -> None:
    assert request_text(message) == text


def told(pattern: Any, value: Any, request: str = "init") -> str:
    miss = match(pattern, value, {}, {})
    assert miss is not None
    return mismatch_text(pattern, value, miss, request)


@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        ({"ok": False}, {"ok": True}),
        ({"ok": False, "error": {"type": "X"}}, {"ok": True}),
        ({"result": {"ok": False}}, {"result": {"ok": True}}),
        (
            {"$one_of": [{"ok": False}, {"result": {"value": {"success": False}}}]},
            {"ok": True, "result": {"value": {"success": True}}},
        ),
        (
            {"ok": True, "result": {"value": {"success": False}}},
            {"ok": True, "result": {"value": {"success": True}}},
        ),
    ],
)
def test_success_where_a_failure_is_due_is_called_so(pattern: Any, value: Any) -> None:
    assert told(pattern, value) == (
        "init was answered with success, where a failure is due"
    )


@pytest.mark.parametrize(
    "pattern",
    [
        {"ok": True, "result": {"value": {"success": False}}},
        {"$one_of": [{"ok": False}, {"result": {"value": {"success": False}}}]},
    ],
)
def test_an_answer_that_says_neither_is_no_success(pattern: Any) -> None:
    value = {"ok": True, "result": {"value": {"error": "full"}}}
    assert told(pattern, value) == (
        "init was answered without result.value.success, where false is due"
    )


def test_a_failure_inside_a_success_looks_wrapped_twice() -> None:
    inner = {"success": False, "error": "full"}
    value = {"ok": True, "result": {"value": {"success": True, "result": inner}}}
    text = told({"ok": True, "result": {"value": {"success": False}}}, value)
    assert text.endswith("was it wrapped twice?")


@pytest.mark.parametrize(
    ("pattern", "value", "why"),
    [
        ({"ok": True}, FAILED, "KeyError: no such row"),
        (
            {"result": {"ok": True}},
            {"result": {"ok": False, "error": {"code": "TIMEOUT", "message": "m"}}},
            "TIMEOUT: m",
        ),
        (
            {"result": {"value": {"success": True}}},
            {"ok": True, "result": {"value": {"success": False, "error": "full"}}},
            '"full"',
        ),
        ({"ok": True}, {"ok": False}, "without an error"),
    ],
)
def test_a_failure_where_success_is_due_says_what_it_says(
    pattern: Any, value: Any, why: str
) -> None:
    assert told(pattern, value) == f"init was answered with a failure: {why}"


@pytest.mark.parametrize(
    ("pattern", "value", "text"),
    [
        ({"n": 1}, {"n": 2}, "in the answer to init, n is 2, not 1"),
        ({"n": "1"}, {"n": 1}, 'in the answer to init, n is 1, not "1"'),
        (FAILED, {"ok": False}, "in the answer to init, error is missing"),
        ({"$one_of": []}, {"n": 2}, 'a frame came that nothing asked for: {"n": 2}'),
    ],
)
def test_another_value_is_told_with_its_place(
    pattern: Any, value: Any, text: str
) -> None:
    assert told(pattern, value) == text


def test_an_error_frame_in_place_of_a_result_says_what_it_says() -> None:
    frame = {"type": "error", "code": "PROTOCOL_ERROR", "message": "duplicate id"}
    text = (
        "tool_call echo was answered with an error frame: PROTOCOL_ERROR: duplicate id"
    )
    assert told({"type": "tool_result"}, frame, "tool_call echo") == text


def test_an_answer_to_nothing_known_is_told_by_its_place() -> None:
    assert told({"n": 1}, {"n": 2}, "") == "n is 2, not 1"


def test_an_event_is_told_from_an_answer() -> None:
    told_of = told({"event": {"n": 1}}, {"event": {"n": 2}})
    assert told_of == "in an event of init, event.n is 2, not 1"


def test_a_response_for_an_event_is_told_so() -> None:
    assert told({"event": {}}, {"ok": True}) == (
        "the response to init came where an event was expected"
    )
    assert told({"ok": True}, {"event": {}}) == (
        "an event came where the response to init was expected"
    )


def test_a_failure_for_an_event_is_told_as_a_failure() -> None:
    pattern = {"event": {"type": "part"}}
    text = "init was answered with a failure: KeyError: no such row"
    assert told(pattern, FAILED) == text


def test_a_response_with_a_null_for_its_event_is_a_response() -> None:
    value = {"ok": True, "error": None, "event": None}

    assert told({"ok": True, "error": {"$absent": True}}, value) == (
        "in the answer to init, error is there, as null"
    )


@pytest.mark.parametrize(
    ("pattern", "request_name", "text"),
    [
        ({"id": "a"}, "init", "init was not answered: it hung"),
        ({"id": "a"}, "", "what was sent was not answered: it hung"),
        ({"event": {}}, "init", "no event of init came: it hung"),
        ({"event": {}}, "", "no event of a request came: it hung"),
    ],
)
def test_what_does_not_come_is_told_by_what_it_answers(
    pattern: Any, request_name: str, text: str
) -> None:
    assert missing_text(pattern, "it hung", request_name) == text
