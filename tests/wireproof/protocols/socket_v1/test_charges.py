"""Which clause a failure is charged to by what came."""

from __future__ import annotations

import json
from typing import Any

import pytest
from orjson import Fragment

from wireproof.checks import Difference
from wireproof.line import Diverged, Missing, MissingCause
from wireproof.protocols.socket_v1._charges import charged_clause, refusal_of
from wireproof.protocols.socket_v1._ledger import SocketArrival

CLOSED = Missing(MissingCause.CLOSED, "the server closed the connection")
LATE = Missing(MissingCause.TIMEOUT, "no answer within 5.0 s")
SHUTTING_DOWN = (Difference("/result/error/code", "TIMEOUT", "RUNTIME_SHUTTING_DOWN"),)

CLOSING: list[dict[str, Any]] = [
    {"send": {"type": "tool_call", "requestId": "a"}, "on": "gone"},
    {"disconnect": "gone"},
    {"expect": {"requestId": "b"}},
]


def arrived(frame: Any) -> SocketArrival:
    return SocketArrival(0.0, frame, b"", (), 0)


def stream(key: str, *parts: Any, on: str = "main") -> dict[str, Any]:
    call = {
        "type": "tool_call",
        "requestId": key,
        "toolName": "conformance_stream",
        "arguments": {"parts": list(parts)},
    }
    return {"send": call, "on": on}


def event(key: str, part: Any) -> SocketArrival:
    body = {"kind": "progress", "message": json.dumps(part)}
    return arrived({"type": "tool_event", "requestId": key, "event": body})


@pytest.mark.parametrize(
    "outcome",
    [
        Diverged("closed", missing=CLOSED, step=2),
        Diverged("closed at the end", missing=CLOSED, at_fence=True),
        Diverged("shutting down", differences=SHUTTING_DOWN, step=2),
    ],
)
def test_the_end_of_a_server_that_bears_no_closing_is_charged_to_that(
    outcome: Diverged,
) -> None:
    assert charged_clause(outcome, CLOSING, {}, {"SOCK-C12"}) == "SOCK-C12"
    assert charged_clause(outcome, CLOSING, {}, {"SOCK-C1"}) is None


@pytest.mark.parametrize(
    "outcome",
    [
        Diverged("late", missing=LATE, step=2),
        Diverged("differs", differences=(Difference("", 1, 2),), step=2),
        Diverged("closed before", missing=CLOSED, step=1),
    ],
)
def test_other_failures_of_such_a_server_keep_their_clause(outcome: Diverged) -> None:
    assert charged_clause(outcome, CLOSING, {}, {"SOCK-C12"}) is None


CALLS: list[dict[str, Any]] = [
    {"send": {"type": "tool_call", "requestId": "a"}, "on": "one"},
    {"send": {"type": "tool_call", "requestId": "a"}, "on": "two"},
    {"send": {"type": "cancel_tool_call", "requestId": "a"}, "on": "two"},
]
CANCELLED = arrived(
    {
        "type": "tool_result",
        "requestId": "a",
        "result": {"ok": False, "error": {"code": "CANCELLED", "message": ""}},
    }
)
TIMED_OUT = arrived(
    {
        "type": "tool_result",
        "requestId": "a",
        "result": {"ok": False, "error": {"code": "TIMEOUT", "message": ""}},
    }
)


@pytest.mark.parametrize(
    ("on", "came", "clause"),
    [
        ("one", CANCELLED, "SOCK-X4"),
        ("one", TIMED_OUT, None),
        ("two", CANCELLED, None),
    ],
)
def test_a_call_that_only_another_connection_cancelled_was_reached_by_it(
    on: str, came: SocketArrival, clause: str | None
) -> None:
    steps = [*CALLS, {"expect": {"requestId": "a"}, "on": on}]
    outcome = Diverged("differs", step=3)
    assert charged_clause(outcome, steps, {on: [came]}, ()) == clause


def test_a_call_that_nobody_cancelled_keeps_its_clause() -> None:
    steps = [*CALLS[:2], {"expect": {"requestId": "a"}, "on": "one"}]
    outcome = Diverged("differs", step=2)
    assert charged_clause(outcome, steps, {"one": [CANCELLED]}, ()) is None


STREAMS = [
    stream("a", {"call": "a"}),
    stream("b", {"call": "b"}, {"n": 1}),
    stream("c", {"call": "c"}, {"n": 1}, on="other"),
    {"expect": {"requestId": "a"}},
]


@pytest.mark.parametrize(
    ("came", "clause"),
    [
        ({"main": [event("a", {"call": "a"}), event("b", {"n": 1})]}, None),
        ({"main": [event("a", {"call": "b"})]}, "SOCK-C1"),
        ({"main": [event("b", {"call": "a"})]}, "SOCK-C1"),
        ({"main": [event("nobody", {"call": "a"})]}, "SOCK-C1"),
        ({"main": [event("a", {"call": "c"})]}, "SOCK-C9"),
        ({"main": [event("a", {"n": 1})]}, "SOCK-C1"),
        ({"other": [event("c", {"n": 1})]}, None),
        ({"other": [event("b", {"call": "b"})]}, "SOCK-C9"),
        ({"main": [event("a", {"call": "nobody"})]}, None),
    ],
)
def test_an_event_with_the_payload_of_another_call_came_in_the_wrong_place(
    came: dict[str, list[SocketArrival]], clause: str | None
) -> None:
    outcome = Diverged("differs", step=3)
    assert charged_clause(outcome, STREAMS, came, ()) == clause


def test_what_has_a_spelling_of_its_own_is_taken_for_no_other() -> None:
    steps = [stream("a", {"n": Fragment(b"1e2")}), {"expect": {"requestId": "a"}}]
    outcome = Diverged("differs", step=1)
    came = {"main": [event("b", {"n": 100})]}
    assert charged_clause(outcome, steps, came, ()) is None


def test_a_message_that_is_no_json_is_nobodys() -> None:
    body = {"kind": "progress", "message": "working"}
    frame = arrived({"type": "tool_event", "requestId": "a", "event": body})
    outcome = Diverged("differs", step=3)
    assert charged_clause(outcome, STREAMS, {"main": [frame]}, ()) is None


@pytest.mark.parametrize(
    ("on", "content", "displaced", "clause"),
    [
        ("one", {"slept_ms": 1}, True, "SOCK-C9"),
        ("one", {"slept_ms": 1}, False, None),
        ("one", {"count": 2}, True, None),
        ("one", {"other": 1}, True, None),
        ("two", {"slept_ms": 1}, True, None),
    ],
)
def test_a_result_that_another_connection_waits_for_came_in_the_wrong_place(
    on: str, content: dict[str, int], *, displaced: bool, clause: str | None
) -> None:
    def result(content: dict[str, int]) -> dict[str, Any]:
        body = {"ok": True, "content": content}
        return {"type": "tool_result", "requestId": "a", "result": body}

    event = {"type": "tool_event", "requestId": "a"}
    steps = [
        {"expect": event, "on": "one"},
        {"expect": result({"count": 2}), "on": "one"},
        {"expect": result({"slept_ms": 1}), "on": "two"},
    ]
    came = {on: [arrived(result(content))]}
    outcome = Diverged("differs", step=0, displaced=displaced)
    assert charged_clause(outcome, steps, came, ()) == clause


# --- a call that was refused, or ended, without a cause


def sleep(**more: Any) -> dict[str, Any]:
    call = {"toolName": "conformance_sleep", "arguments": {"ms": 60_000}}
    return {"send": {"type": "tool_call", "requestId": "a", **call, **more}}


def failed(code: str) -> SocketArrival:
    result = {"ok": False, "error": {"code": code, "message": "so it is"}}
    return arrived({"type": "tool_result", "requestId": "a", "result": result})


WAITED = {"expect": {"type": "tool_result", "requestId": "a"}}
OTHERWISE = Diverged("another code", step=1)


@pytest.mark.parametrize(
    ("call", "code", "clause"),
    [
        (sleep(), "VALIDATION_ERROR", "SOCK-C6"),
        (sleep(arguments={"ms": "x"}), "VALIDATION_ERROR", None),
        (sleep(), "TIMEOUT", "SOCK-X5"),
        (sleep(timeoutMs=50), "TIMEOUT", None),
        (sleep(timeoutMs=None), "TIMEOUT", "SOCK-X5"),
        (sleep(toolName="conformance_limited"), "TIMEOUT", None),
        (sleep(toolName="of_its_own"), "TIMEOUT", None),
        (sleep(arguments={"code": "TIMEOUT"}), "TIMEOUT", None),
        (sleep(), "TOOL_FAILED", None),
    ],
)
def test_a_call_is_refused_or_ended_with_a_cause(
    call: dict[str, Any], code: str, clause: str | None
) -> None:
    found = refusal_of(OTHERWISE, [call, WAITED], {"main": [failed(code)]})
    assert (found and found[0]) == clause
    assert found is None or "so it is" in found[1]


@pytest.mark.parametrize("code", ["VALIDATION_ERROR", "TIMEOUT"])
def test_what_came_before_a_call_under_its_id_is_no_answer_to_it(code: str) -> None:
    unanswered = Diverged("no answer", missing=LATE, step=1)
    came = {"main": [failed(code)]}
    assert refusal_of(unanswered, [sleep(), WAITED], came) is None
