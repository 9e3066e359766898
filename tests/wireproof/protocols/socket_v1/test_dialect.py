from __future__ import annotations

import json
from typing import Any

import pytest

from wireproof.conversation import Conversation, LineReader
from wireproof.protocols.socket_v1._dialect import SocketDialect

KEY = ("string", "a")
LISTING = ("unnamed", "tools_list")
CALL = {"type": "tool_call", "requestId": "a", "toolName": "conformance_echo"}
RESULT = {
    "type": "tool_result",
    "requestId": "a",
    "result": {"ok": True},
    "protocol": 1,
}


def line(message: Any) -> bytes:
    return json.dumps(message).encode() + b"\n"


def role_of(data: bytes) -> str:
    (read,) = LineReader(1 << 20).receive(data)
    return SocketDialect().role(read)


@pytest.mark.parametrize(
    "message",
    [
        CALL,
        {"type": "list_tools"},
        {"type": "list_tools", "protocol": 1},
        {**CALL, "timeoutMs": 5, "arguments": {}, "clientInfo": {"caller": "plugin"}},
    ],
)
def test_a_call_and_a_listing_are_owed_an_answer(message: Any) -> None:
    assert role_of(line(message)) == "request"


@pytest.mark.parametrize(
    "message",
    [
        {**CALL, "requestId": 5},
        {**CALL, "toolName": None},
        {**CALL, "protocol": 2},
        {**CALL, "protocol": True},
        {**CALL, "arguments": []},
        {**CALL, "timeoutMs": 0},
        {**CALL, "timeoutMs": 1.5},
        {**CALL, "timeoutMs": True},
        {**CALL, "clientInfo": {"caller": "nobody"}},
        {"type": "cancel_tool_call", "requestId": "a"},
        {"type": "odd", "requestId": "a"},
        [],
    ],
)
def test_other_lines_may_be_refused(message: Any) -> None:
    assert role_of(line(message)) == "bad"


def test_a_line_that_some_read_and_some_refuse_is_unclear() -> None:
    lone = line(CALL).replace(b'"a"', b'"\\ud800"')
    latin = line(CALL).replace(b'"a"', b'"\xe9"')
    assert [role_of(lone), role_of(latin)] == ["unclear", "unclear"]


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (b'{"requestId": "a", "requestId": "b"}\n', ["a", "b"]),
        (b'{requestId: "a"\n', ["a"]),
        (b"{'requestId': 'a'\n", ["a"]),
        (b'{"type": "cancel_tool_call", "requestId": "a"}\n', []),
        (b'{"type": "tool_call", "requestId": 5}\n', []),
    ],
)
def test_a_bad_line_is_answered_under_the_ids_in_it(
    data: bytes, keys: list[str]
) -> None:
    (read,) = LineReader(1 << 20).receive(data)
    assert [key[1] for key in SocketDialect().loose_keys(read)] == keys


def talk_of(*messages: Any) -> Conversation:
    talk = Conversation(SocketDialect())
    for message in messages:
        talk.send(line(message))
    return talk


def found(talk: Conversation) -> list[str]:
    return [one.kind for one in talk.findings]


def listing(*names: str) -> dict[str, Any]:
    tools = [{"name": name, "description": "", "inputSchema": {}} for name in names]
    return {"type": "tools_list", "protocol": 1, "tools": tools}


def test_listings_are_answered_in_the_order_in_which_they_were_asked_for() -> None:
    talk = talk_of({"type": "list_tools"})
    talk.send(line({"type": "list_tools"}), own=True)
    talk.receive(line(listing("one")) + line(listing("two")), 0)
    first = talk.next_frame(LISTING, {"type": "tools_list"})
    second = talk.answer(("unnamed", "tools_list of the runner"))
    assert first is not None
    assert second is not None
    assert [first.value["tools"][0]["name"], second.value["tools"][0]["name"]] == [
        "one",
        "two",
    ]
    assert (talk.outstanding, found(talk)) == (0, [])


def test_a_listing_may_come_unasked_and_answers_no_call() -> None:
    talk = talk_of(CALL)
    talk.receive(line(listing()), 0)
    assert (talk.waiting, found(talk)) == ([KEY], [])


def test_an_error_refuses_a_bad_line_whatever_its_id() -> None:
    error = {"type": "error", "code": "PROTOCOL_ERROR", "message": "", "protocol": 1}
    talk = talk_of(CALL, [])
    talk.receive(line(error) + line({**error, "requestId": "x"}), 0)
    assert found(talk) == ["wrong-id"]
    assert len(talk.strays) == 1


def test_a_result_with_the_id_of_no_call_is_a_finding() -> None:
    talk = talk_of(CALL)
    talk.receive(line({**RESULT, "requestId": "x"}), 0)
    assert found(talk) == ["wrong-id"]


@pytest.mark.parametrize(
    "change", [{"toolName": "x" * (1 << 20)}, {"arguments": {"v": [[[[0]]]] * 1}}]
)
def test_only_an_odd_call_may_be_refused_without_its_id(change: Any) -> None:
    error = {"type": "error", "code": "PROTOCOL_ERROR", "message": "", "protocol": 1}
    talk = talk_of({**CALL, **change})
    talk.receive(line(error), 0)
    assert found(talk) == ([] if "toolName" in change else ["wrong-id"])


def test_a_refusal_of_one_of_two_calls_with_one_id_is_taken_out() -> None:
    error = {"type": "error", "code": "PROTOCOL_ERROR", "message": "", "protocol": 1}
    talk = talk_of(CALL, CALL)
    talk.receive(line({**error, "requestId": "a"}), 0)
    frame = talk.unasked()
    assert frame is not None
    assert frame.value["type"] == "error"
    assert (talk.unasked(), talk.waiting) == (None, [KEY])


def event(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": "tool_event", "requestId": "a", "event": {"kind": kind, **more}}


@pytest.mark.parametrize(
    ("message", "pattern", "skipped"),
    [
        (event("log", level="info", message="m"), {"type": "tool_result"}, True),
        (event("log", level="info", message="m"), {"event": {"kind": "log"}}, False),
        (event("progress", message="halfway"), {"type": "tool_result"}, True),
        (event("progress"), {"type": "tool_result"}, True),
        (event("progress", message='{"n": 1}'), {"type": "tool_result"}, False),
        (event("progress", message="m"), {"event": {"kind": "progress"}}, False),
        (event("progress", message="m"), {"event": {"message": "n"}}, True),
    ],
)
def test_events_of_the_servers_own_are_passed_over(
    message: Any,
    pattern: Any,
    skipped: bool,  # noqa: FBT001 - what is expected
) -> None:
    assert SocketDialect().skips(pattern, message, CALL) is skipped


def test_events_of_a_tool_that_nobody_knows_are_passed_over() -> None:
    call = {**CALL, "toolName": "search"}
    message = event("progress", message='{"n": 1}')
    assert SocketDialect().skips({"type": "tool_result"}, message, call)
    assert not SocketDialect().skips({"event": {}}, message, call)
