from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wireproof.conversation import PREFIX, Carried, Conversation, Key
from wireproof.protocols.exec_server._dialect import RpcDialect
from wireproof.protocols.host_v1._dialect import HostDialect

A: Key = ("string", "a")
B: Key = ("string", "b")
SEVEN: Key = ("number", 7)


def line(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def call(identifier: Any, **changed: Any) -> bytes:
    """Return a request of exec-server."""
    return line({"jsonrpc": "2.0", "id": identifier, "method": "execute", **changed})


def result(identifier: Any, value: Any = 1) -> bytes:
    """Return a response of exec-server."""
    return line({"jsonrpc": "2.0", "id": identifier, "result": value})


def refusal(identifier: Any) -> bytes:
    """Return an error of exec-server."""
    error = {"code": -32700, "message": "no"}
    return line({"jsonrpc": "2.0", "id": identifier, "error": error})


def ask(identifier: str, method: str = "get_tags", **params: Any) -> bytes:
    """Return a request of host-v1."""
    return line({"v": 1, "id": identifier, "method": method, "params": params})


def success(identifier: Any, value: Any = 1) -> bytes:
    """Return a success of host-v1."""
    return line({"v": 1, "id": identifier, "ok": True, "result": {"value": value}})


def failure(identifier: Any) -> bytes:
    """Return a failure of host-v1."""
    error = {"type": "bad", "detail": "no"}
    return line({"v": 1, "id": identifier, "ok": False, "error": error})


def event(identifier: Any, kind: str = "part") -> bytes:
    """Return an event of host-v1."""
    return line({"v": 1, "id": identifier, "event": {"type": kind, "payload": 1}})


def printing(text: str) -> bytes:
    """Return a request of host-v1 that asks a tool to print."""
    arguments = {"text": text}
    return ask("a", "execute_tool", tool_name="conformance_print", arguments=arguments)


def of_server(*sent: bytes, carried: Carried | None = None) -> Conversation:
    return begun(Conversation(RpcDialect(), carried or Carried()), *sent)


def of_host(*sent: bytes, carried: Carried | None = None) -> Conversation:
    return begun(Conversation(HostDialect(), carried or Carried()), *sent)


def begun(talk: Conversation, *sent: bytes) -> Conversation:
    for data in sent:
        talk.send(data)
    return talk


def found(talk: Conversation) -> list[tuple[str, Key | None]]:
    return [(one.kind, one.about) for one in talk.findings]


def answer_value(talk: Conversation, key: Key) -> Any:
    frame = talk.answer(key)
    return frame and frame.value


def strays(talk: Conversation) -> list[Any]:
    return [frame.value.get("id") for frame in talk.strays]


# --- requests and their frames


def test_a_response_answers_the_request_with_its_id() -> None:
    talk = of_server(call("a"), call("b"))
    assert talk.waiting == [A, B]
    talk.receive(result("b", 2), 0.5)
    assert talk.waiting == [A]
    assert not talk.has_answer(A)
    assert talk.has_answer(B)
    frame = talk.answer(B)
    assert frame is not None
    assert frame.value == {"jsonrpc": "2.0", "id": "b", "result": 2}
    assert (frame.line, frame.at, frame.rank) == (result("b", 2).strip(), 0.5, 1)
    assert talk.answer(B) is None
    assert found(talk) == []


def test_of_a_flood_of_frames_a_part_is_kept() -> None:
    talk = of_host()
    talk.send(ask("a"))
    talk.receive(event("a") * 30_000 + success("a") * 10_000, 0.0)
    assert talk.frames == 40_000
    assert len(talk.log) == 20_000
    assert talk.count(A, {}, 40_000) <= 20_001
    assert talk.has_answer(A)


def test_a_long_line_may_be_refused_once_before_its_end() -> None:
    talk = of_host()
    talk.send(b"x" * (1 << 16))
    talk.receive(failure(None) * 2, 0.0)
    assert [kind for kind, _ in found(talk)] == ["answers-nothing"]
    talk.send(b"\n" + ask("a"))
    talk.receive(success("a"), 0.0)
    assert talk.has_answer(A)
    assert talk.refusals == 0


def test_a_short_line_is_not_refused_before_its_end() -> None:
    talk = of_host()
    talk.send(b"x" * 100)
    talk.receive(failure(None), 0.0)
    assert [kind for kind, _ in found(talk)] == ["answers-nothing"]


def test_numbers_that_are_equal_are_one_id() -> None:
    talk = of_server(call(7))
    talk.receive(result(7.0), 0)
    assert talk.has_answer(SEVEN)
    assert found(talk) == []


def test_a_number_and_a_string_are_two_ids() -> None:
    talk = of_server(call(7), call("7"))
    talk.receive(result("7"), 0)
    assert talk.waiting == [SEVEN]


def test_two_requests_with_one_id_are_owed_two_responses() -> None:
    talk = of_server(call("a"), call("a"))
    talk.receive(result("a"), 0)
    assert talk.is_owed(A)
    talk.receive(result("a"), 0)
    assert not talk.is_owed(A)
    assert found(talk) == []


def test_an_id_may_be_used_again_after_its_response() -> None:
    talk = of_server(call("a"))
    talk.receive(result("a", 1), 0)
    talk.send(call("a"))
    talk.receive(result("a", 2), 0)
    assert found(talk) == []
    assert answer_value(talk, A)["result"] == 2


def test_a_null_beside_its_partner_counts_as_absent_in_a_frame() -> None:
    talk = of_server(call("a"))
    talk.receive(line({"jsonrpc": "2.0", "id": "a", "result": 1, "error": None}), 0)
    assert found(talk) == [("null-companion", A)]
    assert answer_value(talk, A) == {"jsonrpc": "2.0", "id": "a", "result": 1}


def test_events_come_before_the_response_of_their_request() -> None:
    talk = of_host(ask("a"))
    talk.receive(event("a") + event("a", "log") + success("a"), 0)
    part, any_frame = {"id": "a", "event": {"type": "part"}}, {"id": "a"}
    assert [talk.count(A, part, most) for most in (1, 2, 3)] == [1, 2, 2]
    # Of fewer frames than are looked for none is looked at.
    assert talk.count(A, part, 4) == 3
    frame = talk.next_frame(A, part)
    assert frame is not None
    assert frame.value["event"]["type"] == "part"
    assert talk.take_frame(A, frame)
    last = talk.next_frame(A, any_frame)
    assert last is not None
    assert last.value["ok"] is True
    # The event before it was passed over.
    assert not talk.take_frame(A, frame)
    assert found(talk) == []


def test_the_response_is_taken_out_with_all_events_before_it() -> None:
    talk = of_host(ask("a"))
    talk.receive(event("a") + success("a", 5), 0)
    assert answer_value(talk, A)["result"] == {"value": 5}
    assert talk.next_frame(A, {"id": "a"}) is None


def test_an_event_after_the_response_is_a_finding() -> None:
    talk = of_host(ask("a"))
    talk.receive(success("a") + event("a"), 0)
    assert found(talk) == [("event-after-the-response", A)]
    assert answer_value(talk, A)["ok"] is True


def test_an_event_with_the_id_of_no_request_is_a_finding() -> None:
    talk = of_host(ask("a"))
    talk.receive(event("zz"), 0)
    assert found(talk) == [("event-of-nothing", ("string", "zz"))]
    assert talk.waiting == [A]


def test_a_second_response_is_a_finding_and_answers_nothing_else() -> None:
    talk = of_server(call("a"), call("b"))
    talk.receive(result("a", 1) + result("a", 2), 0)
    assert found(talk) == [("answered-twice", A)]
    assert talk.findings[0].fields == {"id": "a"}
    assert talk.waiting == [B]


def test_frames_and_their_kinds_are_counted() -> None:
    talk = of_host(ask("a"), ask("b"))
    talk.receive(event("a") + success("a") + failure("b") + b"noise\n", 0)
    assert talk.frames == 3
    assert talk.seen == {"events": 1, "parts": 1, "successes": 1, "failures": 1}


def test_the_log_has_each_frame_beside_its_request() -> None:
    talk = of_host(ask("a"))
    talk.receive(success("a") + success("zz"), 0)
    assert talk.log == [(json.loads(ask("a")), json.loads(success("a")))]
    assert talk.request(A) == json.loads(ask("a"))


# --- bytes


STREAM = event("a") + success("a") + b"noise\n\n" + success("b") + event("b") + b"bye"


def test_a_response_is_not_there_before_its_line_feed() -> None:
    talk = of_server(call("a"))
    talk.receive(result("a")[:-1], 0.1)
    assert not talk.has_answer(A)
    talk.receive(b"\n", 0.2)
    frame = talk.answer(A)
    assert frame is not None
    assert frame.at == 0.2


@given(st.lists(st.integers(0, len(STREAM)), max_size=20))
def test_frames_and_findings_are_the_same_however_the_output_is_cut(
    cuts: list[int],
) -> None:
    talk = of_host(ask("a"), ask("b"))
    for begin, end in pairwise([0, *sorted(cuts), len(STREAM)]):
        talk.receive(STREAM[begin:end], 0)
    talk.receive_eof(0)
    assert found(talk) == [
        ("not-json", None),
        ("blank-line", None),
        ("event-after-the-response", B),
        ("text-without-line-feed", None),
    ]
    assert talk.frames == 4
    assert talk.has_answer(A)
    assert talk.has_answer(B)


def test_requests_are_found_however_the_input_is_cut() -> None:
    talk = of_server(*(bytes([byte]) for byte in call("a") + call(7)))
    assert talk.waiting == [A, SEVEN]


def test_a_request_is_sent_once_its_line_feed_is() -> None:
    talk = of_server(call("a")[:-1])
    assert talk.waiting == []
    talk.send(b"\n")
    assert talk.waiting == [A]


def test_a_response_that_is_not_ended_is_an_answer_and_a_finding() -> None:
    talk = of_server(call("a"))
    talk.receive(result("a")[:-1], 0)
    talk.receive_eof(1)
    assert found(talk) == [("unterminated", None)]
    assert talk.has_answer(A)


def test_half_a_response_at_the_end_answers_nothing() -> None:
    talk = of_server(call("a"))
    talk.receive(result("a")[:-5], 0)
    talk.receive_eof(1)
    assert found(talk) == [("text-without-line-feed", None)]
    assert talk.waiting == [A]


def test_a_request_that_was_not_ended_may_be_answered_or_not() -> None:
    talk = of_server(call("a")[:-1])
    talk.send_eof()
    assert talk.waiting == []
    assert talk.may_come(A)
    talk.receive(result("a"), 0)
    assert found(talk) == []
    assert strays(talk) == ["a"]


def test_half_a_request_at_the_end_may_be_refused_once() -> None:
    talk = of_server(call("a")[:-5])
    talk.send_eof()
    talk.receive(refusal(None) + refusal(None), 0)
    assert found(talk) == [("answers-nothing", None)]


def test_the_end_of_the_input_after_a_whole_line_changes_nothing() -> None:
    talk = of_server(call("a"))
    talk.send_eof()
    assert (talk.refusals, talk.waiting) == (0, [A])


# --- lines that are no message


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\n", "blank-line"),
        (b"hello\n", "not-json"),
        (b'{"id":\n', "broken-json"),
        (b'{"result":NaN}\n', "broken-json"),
        (b'"\xff"\n', "not-utf8"),
        (b"5\n", "not-a-response"),
        (b"[]\n", "not-a-response"),
        (b'{"log":"hello"}\n', "not-a-response"),
        (b'{"jsonrpc":"2.0","method":"log","params":{}}\n', "not-a-response"),
    ],
)
def test_a_line_that_is_no_response_is_a_finding(data: bytes, kind: str) -> None:
    talk = of_server(call("a"))
    talk.receive(data + result("a"), 0)
    assert found(talk) == [(kind, None)]
    assert talk.findings[0].line == data.rstrip(b"\n")
    assert talk.has_answer(A)


def test_a_response_with_a_number_beyond_a_double_is_no_finding() -> None:
    talk = of_server(call("a"))
    talk.receive(b'{"jsonrpc":"2.0","id":"a","result":1e400}\n', 0)
    assert found(talk) == []
    assert answer_value(talk, A)["result"] == float("inf")


def test_a_response_that_nests_too_deep_is_an_answer() -> None:
    talk = of_server(call("a"))
    deep = b"[" * 600 + b"]" * 600
    talk.receive(b'{"jsonrpc":"2.0","id":"a","result":' + deep + b"}\n", 0)
    assert found(talk) == []
    assert talk.has_answer(A)


def test_a_line_longer_than_the_limit_is_a_finding_and_no_answer() -> None:
    dialect = RpcDialect()
    dialect.line_limit = 100
    talk = begun(Conversation(dialect), call("a"))
    talk.receive(result("a", "x" * 100), 0)
    assert found(talk) == [("oversize", None)]
    assert talk.waiting == [A]


def test_a_response_before_any_request_is_a_finding() -> None:
    talk = of_host()
    talk.receive(success(""), 0)
    assert found(talk)[0] == ("before-any-request", None)


def test_a_process_that_was_sent_something_earlier_is_not_before_any_request() -> None:
    talk = of_host(carried=Carried(anything_sent=True))
    talk.receive(success("zz"), 0)
    assert found(talk) == [("answers-nothing", None)]


# --- texts that tools print


@pytest.mark.parametrize(
    "data",
    [b"hello\n", b"  hello\n", b"> hello <\n", b"hell\n", b"hello" + success("a")],
    ids=["alone", "indented", "in a text", "in part", "before a response"],
)
def test_a_printed_text_on_stdout_is_a_leak(data: bytes) -> None:
    talk = of_host(printing("hello"))
    talk.receive(data, 0)
    assert found(talk) == [("leaked-print", None)]


def test_a_printed_text_that_is_json_is_a_leak() -> None:
    talk = of_host(printing('{"n":5}'))
    talk.receive(b'{"n":5}\n' + success("a"), 0)
    assert found(talk) == [("leaked-print", None)]
    assert talk.has_answer(A)


def test_a_printed_text_without_a_line_feed_is_a_leak() -> None:
    talk = of_host(printing("hello"))
    talk.receive(success("a") + b"hello", 0)
    talk.receive_eof(1)
    assert found(talk) == [("leaked-print", None)]


def test_another_text_than_the_printed_one_is_no_leak() -> None:
    talk = of_host(printing("hello"))
    talk.receive(b"goodbye\n", 0)
    assert found(talk) == [("not-json", None)]


def test_a_text_that_was_printed_earlier_may_still_leak() -> None:
    before = of_host(printing("hello"))
    before.receive(success("a"), 0)
    talk = of_host(carried=before.carried())
    talk.receive(b"hello\n", 0)
    assert found(talk) == [("leaked-print", None)]


# --- wrong ids


@pytest.mark.parametrize("identifier", ["7", 8])
def test_a_response_with_a_wrong_id_answers_the_one_request_that_waits(
    identifier: Any,
) -> None:
    talk = of_server(call(7))
    talk.receive(result(identifier), 0)
    assert found(talk) == [("wrong-id", SEVEN)]
    assert talk.findings[0].fields == {"id": identifier, "wanted": 7}
    assert answer_value(talk, SEVEN)["id"] == 7
    assert talk.waiting == []


def test_a_response_without_an_id_is_given_to_the_one_request_as_it_is() -> None:
    talk = of_server(call("a"))
    talk.receive(b'{"jsonrpc":"2.0","result":1}\n', 0)
    assert found(talk) == [("wrong-id", A)]
    assert "id" not in answer_value(talk, A)
    assert talk.waiting == []


def test_a_response_with_a_wrong_id_is_given_to_none_of_several() -> None:
    talk = of_server(call("a"), call("b"))
    talk.receive(result("zz"), 0)
    assert found(talk) == [("wrong-id", None)]
    assert talk.findings[0].fields == {"id": "zz", "waiting": ["a", "b"]}
    assert talk.waiting == [A, B]


def test_a_finding_about_a_wrong_id_names_five_requests_at_most() -> None:
    talk = of_server(*(call(f"r{number}") for number in range(6)))
    talk.receive(result("zz"), 0)
    assert talk.findings[0].fields["waiting"] == ["r0", "r1", "r2", "r3", "r4"]


def test_a_response_to_nothing_is_a_finding() -> None:
    talk = of_server(call("a"))
    talk.receive(result("a") + result("zz"), 0)
    assert found(talk) == [("answers-nothing", None)]
    assert talk.findings[0].fields == {"id": "zz", "waiting": []}


@pytest.mark.parametrize("identifier", [0, -1, 1.5, 2**53 + 2, ""])
def test_an_odd_id_that_is_changed_is_a_finding_of_its_own(identifier: Any) -> None:
    talk = of_server(call(identifier))
    talk.receive(result("changed"), 0)
    assert [one.kind for one in talk.findings] == ["odd-id-changed"]


@pytest.mark.parametrize(
    ("length", "kind"), [((1 << 17) - 1, "wrong-id"), (1 << 17, "long-request-refused")]
)
def test_a_long_request_may_be_refused_without_its_id(length: int, kind: str) -> None:
    bare = len(call("a", params="")) - 1
    talk = of_server(call("a", params="x" * (length - bare)))
    talk.receive(refusal(None), 0)
    assert found(talk) == [(kind, A)]


@pytest.mark.parametrize(
    ("length", "kinds"), [((1 << 16) - 1, ["wrong-id"]), (1 << 16, [])]
)
def test_a_host_may_refuse_a_long_request_without_its_id(
    length: int, kinds: list[str]
) -> None:
    bare = len(ask("a", text="")) - 1
    talk = of_host(ask("a", text="x" * (length - bare)))
    talk.receive(failure(None), 0)
    assert [one.kind for one in talk.findings] == kinds
    assert talk.has_answer(A)


def test_a_refusal_without_an_id_is_given_to_the_request_that_may_be_refused() -> None:
    talk = of_host(ask("a"), ask("b", text="x" * (1 << 16)))
    talk.receive(failure(None), 0)
    assert found(talk) == []
    assert talk.waiting == [A]


# --- lines that are no request


def test_a_bad_line_may_be_refused_without_an_id() -> None:
    talk = of_server(call("a"), b"not json\n")
    talk.receive(refusal(None) + result("a"), 0)
    assert found(talk) == []
    assert strays(talk) == [None]
    assert talk.has_answer(A)


def test_a_bad_line_may_be_refused_once() -> None:
    talk = of_server(b"not json\n")
    talk.receive(refusal(None) + refusal(None), 0)
    assert found(talk) == [("answers-nothing", None)]
    assert talk.refusals == 0


def test_a_bad_line_that_is_refused_with_any_other_id_is_a_finding() -> None:
    talk = of_server(call("a"), b"not json\n")
    talk.receive(refusal("zz"), 0)
    assert found(talk) == [("refused-with-other-id", None)]
    assert strays(talk) == ["zz"]
    assert talk.waiting == [A]


@pytest.mark.parametrize(
    ("sent", "identifier"),
    [
        (b'{"id":"a"}\n', "a"),
        (b'{"jsonrpc":"2.0","id":"a","method":\n', "a"),
        (b"{'id': 'a'}\n", "a"),
        (b'{"id":12,}\n', 12),
        (b'[{"id":1},{"id":"a"}]\n', "a"),
    ],
)
def test_a_bad_line_may_be_refused_with_an_id_that_stands_in_it(
    sent: bytes, identifier: Any
) -> None:
    talk = of_server(sent)
    talk.receive(refusal(identifier), 0)
    assert found(talk) == []
    assert strays(talk) == [identifier]


def test_an_id_with_a_hole_stands_for_all_ids_that_begin_so() -> None:
    talk = of_host(b'{"v":1,"id":"half-\\ud800-pair","method":"get_tags"}\n')
    assert talk.carried().may_come == ((PREFIX, "half-"),)
    assert talk.may_come(("string", "half-\ufffd"))
    assert not talk.may_come(("string", "hal"))
    talk.receive(success("half-?"), 0)
    assert found(talk) == []
    assert strays(talk) == ["half-?"]


def test_a_line_that_may_be_a_request_may_be_answered_with_success() -> None:
    talk = of_host(b'{"v":1,"id":"a","method":"get_tags","params":{"n":1e400}}\n')
    assert talk.waiting == []
    talk.receive(success("a"), 0)
    assert found(talk) == []


def test_a_bad_line_that_is_answered_with_success_is_a_finding() -> None:
    talk = of_host(b'{"v":1,"id":"a"}\n')
    talk.receive(success("a"), 0)
    assert found(talk) == [("bad-line-not-refused", None)]


def test_events_of_a_line_that_may_be_answered_are_passed_over() -> None:
    talk = of_host(b'{"v":1,"id":"a","method":"get_tags","params":{"n":1e400}}\n')
    talk.receive(event("a") + success("a"), 0)
    assert found(talk) == []
    assert strays(talk) == ["a"]


def test_a_stray_is_found_by_its_id() -> None:
    talk = of_server(b'{"id":"a"}\n', b"not json\n")
    talk.receive(refusal("a") + refusal(None), 0)
    named, nameless = talk.stray("a", {}), talk.stray(None, {})
    assert named is not None
    assert named.value["id"] == "a"
    assert nameless is not None
    assert nameless.value["id"] is None
    assert talk.stray("b", {}) is None


# --- notifications


NOTIFICATION = line({"jsonrpc": "2.0", "method": "execute", "params": {}})


@pytest.mark.parametrize("identifier", [None, 1, "zz"])
def test_a_response_to_a_notification_is_a_finding_whatever_its_id(
    identifier: Any,
) -> None:
    talk = of_server(NOTIFICATION, call("a"))
    talk.receive(result(identifier) + result("a"), 0)
    assert found(talk) == [("notification-answered", None)]
    assert talk.has_answer(A)


def test_a_notification_explains_one_response() -> None:
    talk = of_server(NOTIFICATION)
    talk.receive(result(None) + result(None), 0)
    assert found(talk) == [("notification-answered", None), ("answers-nothing", None)]


# --- what a process still owes


def test_a_process_that_was_sent_nothing_owes_nothing() -> None:
    assert of_server().carried() == Carried(anything_sent=True)


def test_unanswered_requests_and_bad_lines_are_carried() -> None:
    talk = of_server(call("a"), call("b"), b"not json\n", b'{"id":12}\n')
    talk.receive(result("b"), 0)
    carried = talk.carried()
    assert carried.refusals == 2
    assert carried.may_come == (A, ("number", 12))
    assert carried.anything_sent


def test_a_late_response_of_an_earlier_conversation_is_no_finding() -> None:
    before = of_server(call("a"))
    talk = of_server(call("b"), carried=before.carried())
    talk.receive(result("a") + result("b"), 0)
    assert found(talk) == []
    assert talk.has_answer(B)
    assert talk.carried().may_come == ()


def test_what_was_carried_and_did_not_come_is_carried_on() -> None:
    carried = Carried(refusals=1, may_come=(A,), anything_sent=True, printed=("x",))
    assert of_server(carried=carried).carried() == carried


def test_a_late_refusal_of_an_earlier_conversation_is_no_finding() -> None:
    talk = of_server(call("b"), carried=Carried(refusals=1, anything_sent=True))
    talk.receive(refusal(None), 0)
    assert found(talk) == []
    assert talk.waiting == [B]
