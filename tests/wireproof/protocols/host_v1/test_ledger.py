from __future__ import annotations

import json
from typing import Any

import pytest

from wireproof.checks import Deviation
from wireproof.protocols.host_v1._exchanges import HostArrival
from wireproof.protocols.host_v1._ledger import HostLedger

INIT = {"v": 1, "id": "a", "method": "init", "params": {}}
SUCCESS = {"v": 1, "id": "a", "ok": True, "result": {"value": 1, "state": {}}}
FAILURE = {"v": 1, "id": "a", "ok": False, "error": {"type": "t", "detail": "d"}}
PART = {"v": 1, "id": "a", "event": {"type": "part", "payload": 1}}


def line(message: Any) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def asked(*messages: dict[str, Any]) -> HostLedger:
    """Return books in which these requests are open; one with id ``a`` if none."""
    ledger = HostLedger()
    for message in messages or (INIT,):
        ledger.sent(line(message), 0.0)
    return ledger


def clauses(ledger: HostLedger) -> list[str]:
    return [found.clause for found in ledger.deviations]


def receive(ledger: HostLedger, *messages: Any) -> list[HostArrival]:
    return ledger.received(b"".join(map(line, messages)), 1.0)


def test_a_request_opens_an_exchange_and_its_response_closes_it() -> None:
    ledger = asked()
    exchange = ledger.exchanges.get("a")
    assert exchange is not None
    assert (exchange.request.method, exchange.answered, exchange.response) == (
        "init",
        False,
        None,
    )
    (arrival,) = receive(ledger, SUCCESS)
    assert arrival == HostArrival(1.0, "response", SUCCESS, line(SUCCESS)[:-1], rank=1)
    assert exchange.answered
    assert exchange.response == arrival
    assert ledger.exchanges.open == {}
    assert ledger.exchanges.get("a") is exchange
    assert ledger.exchanges.get("b") is None
    assert clauses(ledger) == []


def test_requests_are_read_however_their_bytes_are_cut() -> None:
    ledger = HostLedger()
    for byte in line(INIT):
        ledger.sent(bytes([byte]), 0.0)
    assert list(ledger.exchanges.open) == ["a"]


def test_frames_are_read_however_their_bytes_are_cut() -> None:
    ledger = asked()
    data = line(PART) + line(SUCCESS)
    arrivals = [
        arrival
        for index in range(len(data))
        for arrival in ledger.received(data[index : index + 1], float(index))
    ]
    assert [arrival.kind for arrival in arrivals] == ["event", "response"]
    assert arrivals[0].time == len(line(PART)) - 1
    assert clauses(ledger) == []


def test_events_belong_to_their_exchange() -> None:
    ledger = asked()
    event, response = receive(ledger, PART, SUCCESS)
    exchange = ledger.exchanges.get("a")
    assert exchange is not None
    assert exchange.arrivals == [event, response]
    assert (event.kind, event.event_type) == ("event", "part")
    assert (response.kind, response.event_type) == ("response", None)
    assert ledger.seen == {
        "frames": 2,
        "events": 1,
        "parts": 1,
        "successes": 1,
        "stateful": 1,
    }


PRINTED = (
    "what a tool printed reached stdout (send print and log calls to stderr, and keep "
    "the real stdout for messages)"
)


@pytest.mark.parametrize(
    "frame",
    [
        SUCCESS,
        {**SUCCESS, "v": 1.0},
        {**SUCCESS, "error": None},
        {**SUCCESS, "event": None},
        {**SUCCESS, "more": 1},
        FAILURE,
        {**FAILURE, "result": None},
        {**FAILURE, "error": {"type": "t", "detail": "d", "stack": "s"}},
        {**FAILURE, "error": {"type": "", "detail": "", "stack": None}},
        {**PART, "ok": None, "result": None, "error": None},
        {"v": 1, "id": "a", "event": {"type": "other"}},
        {"v": 1, "id": "a", "event": {"type": "part", "payload": None}},
    ],
)
def test_monitors_are_content_with_what_the_protocol_allows(frame: Any) -> None:
    ledger = asked()
    (arrival,) = receive(ledger, frame)
    assert arrival.deviations == ()
    assert clauses(ledger) == []


@pytest.mark.parametrize(
    ("frame", "clause", "text"),
    [
        ({**SUCCESS, "v": 2}, "HV1-M1", "v is 2, not the integer 1"),
        ({**SUCCESS, "v": "1"}, "HV1-M1", 'v is "1", not the integer 1'),
        ({**SUCCESS, "v": True}, "HV1-M1", "v is true, not the integer 1"),
        ({**SUCCESS, "v": None}, "HV1-M1", "v is null, not the integer 1"),
        (
            {key: SUCCESS[key] for key in ("id", "ok", "result")},
            "HV1-M1",
            "v is absent, not the integer 1",
        ),
        ({**PART, "v": 2}, "HV1-M1", "v is 2, not the integer 1"),
        (
            {**SUCCESS, "id": "b"},
            "HV1-M2",
            'the response\'s id is "b", the request\'s was "a"',
        ),
        (
            {**SUCCESS, "id": None},
            "HV1-M2",
            "the response's id is null, the request's was \"a\"",
        ),
        (
            {
                "v": 1,
                "id": None,
                "ok": False,
                "error": {"type": "Oversize", "detail": "no"},
            },
            "HV1-M2",
            'the response\'s id is null, the request\'s was "a"; it is a failure: "no"',
        ),
        ({**SUCCESS, "ok": 1}, "HV1-M4", "ok is 1, not a boolean"),
        ({"v": 1, "id": "a", "result": {"value": 1}}, "HV1-M4", "no ok"),
        ({**SUCCESS, "ok": "true"}, "HV1-M4", 'ok is "true", not a boolean'),
        (
            {**SUCCESS, "result": {"state": {}}},
            "HV1-M4",
            "ok is true, but result is not an object with the key value",
        ),
        (
            {"v": 1, "id": "a", "ok": True},
            "HV1-M4",
            "ok is true, but result is not an object with the key value",
        ),
        (
            {**SUCCESS, "error": {"type": "t", "detail": "d"}},
            "HV1-M4",
            "ok is true, and yet there is error",
        ),
        (
            {**FAILURE, "error": "went wrong"},
            "HV1-M5",
            "ok is false, but error is not an object with strings type and detail",
        ),
        (
            {**FAILURE, "error": {"type": "t", "detail": None}},
            "HV1-M5",
            "ok is false, but error is not an object with strings type and detail",
        ),
        (
            {"v": 1, "id": "a", "ok": False},
            "HV1-M5",
            "ok is false, but error is not an object with strings type and detail",
        ),
        (
            {**FAILURE, "error": {"type": "t", "detail": "d", "stack": ["s"]}},
            "HV1-M5",
            "error.stack is not a string",
        ),
        (
            {**FAILURE, "result": {"value": 1}},
            "HV1-M5",
            "ok is false, and yet there is result",
        ),
        (
            {**PART, "ok": True},
            "HV1-E1",
            "an event has ok, result or error beside event",
        ),
        (
            {"v": 1, "id": "a", "event": "part"},
            "HV1-E1",
            "event is not an object with a string type",
        ),
        (
            {"v": 1, "id": "a", "event": {"type": 1}},
            "HV1-E1",
            "event is not an object with a string type",
        ),
        (
            {**PART, "id": "b"},
            "HV1-E1",
            'the id "b" of an event is that of no request in flight',
        ),
        (
            {"v": 1, "event": PART["event"]},
            "HV1-E1",
            "an event without an id",
        ),
        (
            {"v": 1, "id": "a", "event": {"type": "part"}},
            "HV1-E4",
            "a part event without the key payload",
        ),
        ([], "HV1-T1", "a line on stdout is JSON but no object"),
        (None, "HV1-T1", "a line on stdout is JSON but no object"),
        (
            {"v": 1, "id": "a"},
            "HV1-T1",
            (
                "a JSON object on stdout is neither a response nor an event: "
                '"ok" or "event" was expected, its keys are "v", "id"'
            ),
        ),
    ],
)
def test_each_monitor_sees_its_own_fault(frame: Any, clause: str, text: str) -> None:
    ledger = asked()
    (arrival,) = receive(ledger, frame)
    shown = line(frame)[:-1].decode()
    assert [(d.clause, d.level, d.text, d.evidence) for d in arrival.deviations] == [
        (clause, "must", text, shown)
    ]
    assert ledger.deviations == list(arrival.deviations)


@pytest.mark.parametrize(("frame", "clause"), [(SUCCESS, "HV1-M2"), (PART, "HV1-E1")])
def test_an_id_in_other_letters_is_that_of_its_request(
    frame: dict[str, Any], clause: str
) -> None:
    ledger = asked(INIT, {**INIT, "id": "é"})
    (arrival,) = receive(ledger, {**frame, "id": "?"})
    (found,) = arrival.deviations
    assert found.clause == clause
    assert found.text.endswith(": a question mark stands for what is not ASCII")
    exchange = ledger.exchanges.get("é")
    assert exchange is not None
    assert arrival in exchange.arrivals


def test_an_event_with_a_result_is_still_an_event() -> None:
    ledger = asked()
    (arrival,) = receive(ledger, {**PART, "result": {"value": 1}})
    assert arrival.kind == "event"
    assert clauses(ledger) == ["HV1-E1"]


def test_a_frame_that_is_event_and_response_is_neither() -> None:
    ledger = asked()
    (arrival,) = receive(ledger, {**SUCCESS, "event": {"type": "part", "payload": 1}})
    assert arrival.kind == "response"
    assert clauses(ledger) == ["HV1-E1"]


def test_an_object_state_is_due_where_one_was_carried() -> None:
    call = {"v": 1, "id": "a", "method": "execute_tool", "params": {"state": {}}}
    ledger = asked(call)
    receive(ledger, {"v": 1, "id": "a", "ok": True, "result": {"value": 1}})
    assert ledger.deviations == [
        Deviation(
            "HV1-M6",
            "should",
            "the response to a request that carried state has no object result.state",
            '{"v":1,"id":"a","ok":true,"result":{"value":1}}',
            about="a",
            where="/result/state",
        )
    ]


def test_an_object_state_is_due_in_the_answer_to_init() -> None:
    ledger = asked()
    result = {"value": 1, "state": None}
    receive(ledger, {"v": 1, "id": "a", "ok": True, "result": result})
    assert [(d.clause, d.level, d.text) for d in ledger.deviations] == [
        ("HV1-M6", "should", "the response to init has no object result.state")
    ]


def test_a_failure_needs_no_state() -> None:
    ledger = asked()
    receive(ledger, FAILURE)
    assert clauses(ledger) == []


@pytest.mark.parametrize(
    ("result", "shape"),
    [
        ({"value": 1}, "absent"),
        ({"value": 1, "state": None}, "null"),
        ({"value": 1, "state": {}}, "present"),
    ],
)
def test_the_state_of_an_answer_without_state_is_recorded(
    result: Any, shape: str
) -> None:
    ledger = asked({"v": 1, "id": "a", "method": "required_tags", "params": {}})
    receive(ledger, {"v": 1, "id": "a", "ok": True, "result": result})
    assert ledger.stateless == {shape}
    assert clauses(ledger) == []


def test_keys_of_the_hosts_own_are_recorded() -> None:
    ledger = asked()
    receive(ledger, {**PART, "trace": 1}, {**SUCCESS, "took_ms": 2})
    assert ledger.extra_keys == {"trace", "took_ms"}


def test_nulls_that_count_as_absent_are_recorded() -> None:
    ledger = asked()
    failure = {**FAILURE, "error": {"type": "t", "detail": "d", "stack": None}}
    receive(ledger, {**failure, "result": None})
    assert ledger.nulls == {"result", "error.stack"}
    assert clauses(ledger) == []


def test_a_request_whose_parts_are_sent_apart_was_read_in_pieces() -> None:
    ledger = HostLedger()
    data = line(INIT)
    ledger.sent(data[:5], 0.0)
    between = ledger.midline
    ledger.sent(data[5:] + line({**INIT, "id": "b"}), 0.0)
    assert (between, ledger.midline) == (True, False)
    assert {key: one.request.pieced for key, one in ledger.exchanges.open.items()} == {
        "a": True,
        "b": False,
    }


@pytest.mark.parametrize(
    "answer",
    [
        {**SUCCESS, "result": {"value": "\ud800", "state": {}}},
        {**SUCCESS, "result": {"value": "a hole: \ufffd", "state": {}}},
        FAILURE,
        {**FAILURE, "id": None},
        {**FAILURE, "id": ""},
    ],
)
def test_half_of_a_surrogate_pair_may_be_answered_or_not(answer: Any) -> None:
    params = {"arguments": {"value": "\ud800"}}
    ledger = asked({**INIT, "method": "execute_tool", "params": params})
    assert ledger.exchanges.open == {}
    receive(ledger, answer)
    assert clauses(ledger) == []
    assert len(ledger.strays) == 1


@pytest.mark.parametrize(
    ("key", "broken"),
    [
        ("half-?", []),
        ("half-\ufffd", []),
        ("half-\\ud800", []),
        ("half-", []),
        ("other-?", ["HV1-T8"]),
        ("?", ["HV1-T8"]),
    ],
)
def test_a_late_answer_to_half_a_pair_is_no_fault_of_the_next_bad_line(
    key: str, broken: list[str]
) -> None:
    ledger = HostLedger()
    ledger.sent(line({**INIT, "id": "half-\ud800"}), 0.0)
    ledger.forget(1.0)
    ledger.sent(b"not json\n", 1.0)
    receive(ledger, {**FAILURE, "id": key})
    assert clauses(ledger) == broken


@pytest.mark.parametrize("odd", ['"\\ud800"', "1e400", "1" * 5000])
def test_a_state_is_no_bad_line_where_the_host_gave_it(odd: str) -> None:
    state = '{"own":' + odd + "}"
    answer = line({**SUCCESS, "result": {"value": 1, "state": "?"}}).decode()
    request = line({**INIT, "id": "b", "params": {"state": "?"}}).decode()
    given, back = (one.replace('"?"', state).encode() for one in (answer, request))
    ledger = asked()
    ledger.sent(back, 0.0)
    assert list(ledger.exchanges.open) == ["a"]
    ledger.received(given, 1.0)
    ledger.sent(back.replace(b'"b"', b'"c"'), 2.0)
    assert list(ledger.exchanges.open) == ["c"]
    after = HostLedger()
    after.learn_from(ledger)
    after.sent(back, 3.0)
    assert list(after.exchanges.open) == ["b"]


def test_it_is_one_where_more_than_the_state_is_odd() -> None:
    ledger = asked()
    receive(ledger, {**SUCCESS, "result": {"value": 1, "state": {"own": "\ud800"}}})
    params = {"state": {"own": "\ud800"}, "arguments": {"value": "\ud800"}}
    ledger.sent(line({**INIT, "id": "b", "params": params}), 2.0)
    assert ledger.exchanges.open == {}


def test_a_line_that_is_too_deep_to_be_read_is_taken_note_of() -> None:
    ledger = asked()
    deep = b'{"v":1,"id":"a","ok":true,"own":' + b"[" * 600 + b"]" * 600 + b"}\n"
    assert ledger.received(deep, 1.0)[0].kind == "none"
    assert ledger.too_deep == "nested 601 deep, at most 512 allowed"
    ledger.forget(2.0)
    assert ledger.too_deep == ""


def test_a_line_that_opens_more_than_it_closes_is_no_json() -> None:
    ledger = asked()
    ledger.received(b'{"v":1,"own":' + b"[" * 600 + b"\n", 1.0)
    ledger.received(line(SUCCESS), 2.0)
    assert ledger.too_deep == ""
    assert clauses(ledger) == ["HV1-T1"]


def test_ids_that_look_alike_are_told_in_code_points() -> None:
    ledger = asked({**INIT, "id": "e\u0301"})
    receive(ledger, {**SUCCESS, "id": "\u00e9"})
    (found,) = ledger.deviations
    assert found.text.startswith(
        'the response\'s id is "\\u00e9", the request\'s was "e\\u0301"'
    )


def test_a_whole_surrogate_pair_is_text() -> None:
    ledger = asked({**INIT, "params": {"text": "\U0001f600"}})
    assert list(ledger.exchanges.open) == ["a"]


def test_a_second_response_is_one_too_many() -> None:
    ledger = asked()
    receive(ledger, SUCCESS, SUCCESS)
    assert [d.text for d in ledger.deviations] == ['a second final response for "a"']
    assert clauses(ledger) == ["HV1-M3"]
    assert ledger.noise == 1


def test_a_second_response_while_a_bad_line_waits_may_be_meant_for_that() -> None:
    ledger = asked()
    receive(ledger, SUCCESS)
    ledger.sent(b"not json\n", 0.5)
    receive(ledger, {"v": 1, "id": "a", "ok": False, "error": {}})
    (found,) = [one for one in ledger.deviations if one.clause == "HV1-M3"]
    assert found.text == (
        'a second final response for "a"; the answer to a line that is no request has '
        "no other request's id"
    )


def test_an_event_after_the_response_is_too_late() -> None:
    ledger = asked()
    receive(ledger, SUCCESS, PART)
    assert clauses(ledger) == ["HV1-E2"]
    assert [d.text for d in ledger.deviations] == [
        'an event for "a" after its response'
    ]


def test_a_response_that_nobody_asked_for_is_one_too_many() -> None:
    ledger = HostLedger()
    receive(ledger, SUCCESS)
    assert clauses(ledger) == ["HV1-M3"]


def test_an_id_that_was_decoded_in_pieces_is_no_other_id() -> None:
    two = [{**INIT, "id": key} for key in ("é漢a", "é漢b")]
    ledger = asked(*two)
    receive(
        ledger, {**PART, "id": "é\ufffd\ufffdb"}, {**SUCCESS, "id": "é\ufffd\ufffdb"}
    )
    assert clauses(ledger) == ["HV1-T4", "HV1-T4"]
    assert ledger.deviations[1].text == (
        "a character that came in two reads was decoded in pieces: the id "
        '"é漢b" came back as "é\ufffd\ufffdb"'
    )
    assert list(ledger.exchanges.open) == ["é漢a"]
    assert not ledger.correlation.wrong_ids


def test_a_wrong_id_is_charged_and_the_answer_is_taken_all_the_same() -> None:
    ledger = asked()
    (arrival,) = receive(ledger, {**SUCCESS, "id": "A"})
    exchange = ledger.exchanges.get("a")
    assert exchange is not None
    assert exchange.response is arrival
    assert arrival.deviations[0].hides


def test_a_wrong_id_among_several_requests_is_taken_for_none() -> None:
    ledger = asked(INIT, {**INIT, "id": "b"})
    receive(ledger, {**SUCCESS, "id": "c"})
    assert [d.text for d in ledger.deviations] == [
        'the response\'s id is "c", the request\'s was one of ["a", "b"]'
    ]
    assert sorted(ledger.exchanges.open) == ["a", "b"]


def test_the_id_that_is_meant_stands_first_among_many() -> None:
    ledger = asked(*({**INIT, "id": key} for key in ("1", "2", "3", "4", "5", "7")))
    receive(ledger, {**SUCCESS, "id": 7})
    assert [d.text for d in ledger.deviations] == [
        'the response\'s id is 7, the request\'s was one of ["7", "1", "2", "3", "4"]'
    ]


def test_an_id_may_be_used_again_once_it_is_answered() -> None:
    ledger = asked()
    receive(ledger, SUCCESS)
    ledger.sent(line(INIT), 0.0)
    receive(ledger, SUCCESS)
    assert clauses(ledger) == []
    assert ledger.exchanges.open == {}


def test_a_late_answer_of_an_earlier_check_is_its_own() -> None:
    ledger = asked()
    ledger.exchanges.overdue()
    ledger.forget(1.0)
    assert ledger.exchanges.open == {}
    receive(ledger, PART, SUCCESS)
    assert clauses(ledger) == []


def test_a_new_check_starts_with_nothing_found() -> None:
    ledger = asked()
    receive(ledger, {**SUCCESS, "v": 2}, 5)
    ledger.forget(1.0)
    assert ledger.deviations == []
    assert ledger.strays == []
    exchange = ledger.exchanges.get("a")
    assert exchange is not None
    assert exchange.arrivals == []


@pytest.mark.parametrize(
    "sent",
    [
        b"not json\n",
        b"[]\n",
        b'"text"\n',
        b"null\n",
        b"{}\n",
        b'{"v":1,"method":"init"}\n',
        b"\xff\xfe\n",
    ],
)
@pytest.mark.parametrize("key", [None, "", "absent"])
def test_a_bad_line_may_be_answered_by_a_failure_without_an_id(
    sent: bytes, key: str | None
) -> None:
    ledger = HostLedger()
    ledger.sent(sent, 0.0)
    frame = {**FAILURE, "id": key}
    if key == "absent":
        del frame["id"]
    (arrival,) = receive(ledger, frame)
    assert ledger.strays == [arrival]
    assert clauses(ledger) == []


@pytest.mark.parametrize(
    ("sent", "key"),
    [
        (b'{"id":"bad-1","method":5}\n', "bad-1"),
        (b'{"v":1,"id":"bad-2","method":"ini\n', "bad-2"),
        (b'{"id":"b\\u00e9"}\n', "bé"),
        (b'{"id":7,"method":"init"}\n', 7),
        (b'{"id":7,"method":"init"}\n', 7.0),
        (b'{"id":[1],"method":"init"}\n', [1]),
        (b'{"id":"\\ud8z0"}\n', "\\ud8z0"),
    ],
)
def test_a_bad_line_may_be_answered_by_a_failure_with_its_id(
    sent: bytes, key: Any
) -> None:
    ledger = HostLedger()
    ledger.sent(sent, 0.0)
    (arrival,) = receive(ledger, {**FAILURE, "id": key})
    assert ledger.strays == [arrival]
    assert clauses(ledger) == []


@pytest.mark.parametrize(
    ("frame", "why"),
    [
        ({**SUCCESS, "id": None}, ""),
        (
            {**FAILURE, "id": None, "error": "bad line"},
            ": ok is false, but error is not an object with strings type and detail",
        ),
    ],
)
def test_any_other_answer_to_a_bad_line_is_charged(frame: Any, why: str) -> None:
    ledger = HostLedger()
    ledger.sent(b"not json\n", 0.0)
    receive(ledger, frame)
    assert [(d.clause, d.level, d.text) for d in ledger.deviations] == [
        (
            "HV1-T8",
            "should",
            f"the answer to a bad line is not a failure response{why}",
        )
    ]


def test_a_line_too_deep_for_us_may_be_answered_with_success() -> None:
    ledger = HostLedger()
    nested = b"[" * 600 + b"]" * 600
    ledger.sent(b'{"v":1,"id":"deep","method":"init","params":' + nested + b"}\n", 0.0)
    receive(ledger, {**SUCCESS, "id": "deep"})
    assert clauses(ledger) == []
    assert len(ledger.strays) == 1


def test_a_number_beyond_a_double_may_be_answered_with_success() -> None:
    ledger = HostLedger()
    params = b'{"arguments":{"value":1e400}}'
    ledger.sent(b'{"v":1,"id":"big","method":"init","params":' + params + b"}\n", 0.0)
    receive(ledger, {**SUCCESS, "id": "big"})
    assert clauses(ledger) == []
    assert len(ledger.strays) == 1


def test_bytes_that_are_not_utf_8_may_be_read_as_replaced() -> None:
    ledger = HostLedger()
    params = b'{"arguments":{"value":"\xff"}}'
    ledger.sent(b'{"v":1,"id":"bad","method":"init","params":' + params + b"}\n", 0.0)
    receive(ledger, {**SUCCESS, "id": "bad"})
    assert clauses(ledger) == []
    assert len(ledger.strays) == 1


def test_an_event_whose_id_is_no_utf_8_is_charged_as_such() -> None:
    ledger = asked()
    ledger.received(b'{"v":1,"id":"\xe9","event":{"type":"log"}}\n', 1.0)
    assert clauses(ledger) == ["HV1-T3"]


def test_a_blank_line_that_is_sent_may_be_answered_as_a_bad_one() -> None:
    ledger = HostLedger()
    ledger.sent(b"\n \r\n", 0.0)
    (arrival,) = receive(ledger, {**FAILURE, "id": None})
    assert ledger.strays == [arrival]
    assert clauses(ledger) == []


@pytest.mark.parametrize(
    ("data", "expected", "hides"),
    [
        (b"ready\n", ["HV1-T1", "HV1-T2"], [True, False]),
        (b"\n", ["HV1-T2"], [False]),
        (b" \t\r\n", ["HV1-T2"], [False]),
        (b"\xff\xfe\n", ["HV1-T3"], [True]),
        (b"[]\n", ["HV1-T1"], [True]),
        (b'{"level":"info"}\n', ["HV1-T1"], [True]),
    ],
)
def test_noise_on_stdout_is_charged(
    data: bytes, expected: list[str], hides: list[bool]
) -> None:
    ledger = asked()
    (arrival,) = ledger.received(data, 1.0)
    assert arrival.kind == "none"
    assert clauses(ledger) == expected
    assert [found.hides for found in ledger.deviations] == hides
    assert ledger.noise == 1
    assert list(ledger.exchanges.open) == ["a"]


@pytest.mark.parametrize("blank", [b"\n", b" \t\r\n"])
def test_a_blank_line_goes_with_what_stands_before_it(blank: bytes) -> None:
    behind_a_message, behind_text = asked(), asked()
    behind_a_message.received(line(SUCCESS) + blank, 1.0)
    behind_text.received(b"it failed\n" + blank + blank, 1.0)
    assert clauses(behind_a_message) == ["HV1-T3"]
    assert clauses(behind_text) == ["HV1-T1", *["HV1-T2"] * 3]


def test_a_message_that_is_not_utf_8_is_an_answer_all_the_same() -> None:
    ledger = asked()
    data = line(SUCCESS).replace(b'"value":1', b'"value":"\xff"')
    (arrival,) = ledger.received(data, 1.0)
    assert arrival.kind == "response"
    assert clauses(ledger) == ["HV1-T3"]
    assert ledger.exchanges.open == {}


def test_a_message_with_a_raw_line_feed_is_an_answer_all_the_same() -> None:
    ledger = asked()
    data = line(SUCCESS).replace(b'"value":1', b'"value":"a\nb"')
    (arrival,) = ledger.received(data, 1.0)
    assert arrival.kind == "response"
    assert clauses(ledger) == ["HV1-T3"]
    assert ledger.exchanges.open == {}


def test_what_looks_like_the_beginning_of_a_message_is_noise_in_the_end() -> None:
    ledger = asked()
    assert ledger.received(b"{'v': 1}\n", 1.0) == []
    (arrival,) = ledger.settle_text(2.0)
    assert arrival.kind == "none"
    (found,) = ledger.deviations
    assert found.clause == "HV1-T1"
    assert "expecting property name enclosed in double quotes at byte 1" in found.text


def test_a_message_behind_a_prompt_is_an_answer_all_the_same() -> None:
    ledger = asked()
    ledger.received(b"> " + line(SUCCESS), 1.0)
    assert clauses(ledger) == ["HV1-T1", "HV1-T2"]
    assert ledger.exchanges.open == {}


def test_two_messages_on_a_line_are_both_taken() -> None:
    ledger = asked(INIT, {**INIT, "id": "b"})
    ledger.received(line(SUCCESS)[:-1] + line({**SUCCESS, "id": "b"}), 1.0)
    assert clauses(ledger) == ["HV1-T3"]
    assert ledger.exchanges.open == {}


def test_a_line_too_deep_to_look_into_proves_nothing() -> None:
    ledger = asked()
    nested = b"[" * 600 + b"]" * 600
    (arrival,) = ledger.received(b'{"ok":' + nested + b"}\n", 1.0)
    assert arrival.kind == "none"
    assert clauses(ledger) == []
    ledger.received(nested + b"\n", 1.0)
    assert clauses(ledger) == ["HV1-T1"]


def test_a_fragment_at_the_end_is_charged() -> None:
    ledger = asked()
    ledger.received(b'{"v":1,"id', 1.0)
    assert ledger.unfinished == b'{"v":1,"id'
    (arrival,) = ledger.ended(2.0)
    assert arrival.kind == "none"
    assert clauses(ledger) == ["HV1-T2"]
    assert ledger.finished


def test_a_message_without_its_line_feed_is_taken_and_charged() -> None:
    ledger = asked()
    ledger.received(line(SUCCESS)[:-1], 1.0)
    (arrival,) = ledger.ended(2.0)
    assert arrival.kind == "response"
    assert clauses(ledger) == ["HV1-T3"]
    assert ledger.exchanges.open == {}


def test_a_clean_end_is_nothing() -> None:
    ledger = asked()
    receive(ledger, SUCCESS)
    assert ledger.ended(2.0) == []
    assert clauses(ledger) == []


def printing(text: str) -> HostLedger:
    arguments = {"tool_name": "conformance_print", "arguments": {"text": text}}
    return asked({"v": 1, "id": "a", "method": "execute_tool", "params": arguments})


@pytest.mark.parametrize(
    "data",
    [
        b"from a tool\n",
        b"INFO from a tool\n",
        b'{"from a tool":1}\n',
        b'"from a tool"\n',
        b"second\n",
    ],
)
def test_what_a_tool_printed_is_charged_to_printing_alone(data: bytes) -> None:
    text = 'from a tool\nsecond\n{"from a tool":1}'
    ledger = printing(text)
    ledger.received(data, 1.0)
    assert [(d.clause, d.level, d.text) for d in ledger.deviations] == [
        (
            "HV1-T11",
            "should",
            PRINTED,
        )
    ]


def test_what_a_tool_printed_last_is_charged_to_printing_alone() -> None:
    ledger = printing("from a tool")
    ledger.received(b"from a tool", 1.0)
    ledger.ended(1.0)
    assert clauses(ledger) == ["HV1-T11"]


def test_other_noise_beside_a_printing_tool_is_noise() -> None:
    ledger = printing("from a tool")
    ledger.received(b"banner\n", 1.0)
    assert clauses(ledger) == ["HV1-T1", "HV1-T2"]


def test_a_message_behind_what_a_tool_printed_is_an_answer_all_the_same() -> None:
    ledger = printing("from a tool")
    frame = {"v": 1, "id": "a", "ok": True, "result": {"value": 1}}
    ledger.received(b"from a tool" + line(frame), 1.0)
    assert clauses(ledger) == ["HV1-T11"]
    assert ledger.exchanges.open == {}


def test_what_a_tool_once_printed_excuses_no_noise_of_a_later_check() -> None:
    ledger = printing("ok")
    receive(ledger, {"v": 1, "id": "a", "ok": True, "result": {"value": 1}})
    ledger.exchanges.overdue()
    ledger.forget(1.0)
    ledger.received(b"looking around\n", 2.0)
    assert clauses(ledger) == ["HV1-T1", "HV1-T2"]


def checks_later(ledger: HostLedger, checks: int) -> HostLedger:
    """Answer what was asked and begin so many checks."""
    receive(ledger, {"v": 1, "id": "a", "ok": True, "result": {"value": 1}})
    for _ in range(checks):
        ledger.exchanges.overdue()
        ledger.forget(1.0)
    return ledger


@pytest.mark.parametrize("checks", [0, 1])
def test_a_blank_line_soon_after_one_was_printed_is_charged_to_printing(
    checks: int,
) -> None:
    ledger = checks_later(printing(""), checks)
    ledger.received(b"\n", 2.0)
    assert clauses(ledger) == ["HV1-T11"]


def test_a_blank_line_at_the_end_is_not_what_was_printed_long_before() -> None:
    ledger = checks_later(printing(""), 2)
    ledger.received(b"\n", 2.0)
    ledger.ended(2.0)
    assert clauses(ledger) == ["HV1-T3"]


def test_a_blank_line_before_an_answer_is_not_what_was_printed_long_before() -> None:
    ledger = checks_later(printing(""), 2)
    ledger.sent(line(INIT), 2.0)
    ledger.received(b"\n", 2.0)
    receive(ledger, SUCCESS)
    assert clauses(ledger) == ["HV1-T3"]


@pytest.mark.parametrize("data", [b"\nfirst line\n", b"first line\n\n"])
def test_a_blank_line_beside_printed_text_was_printed_too(data: bytes) -> None:
    ledger = checks_later(printing("first line\n\n"), 5)
    ledger.received(data, 2.0)
    ledger.ended(2.0)
    assert clauses(ledger) == ["HV1-T11", "HV1-T11"]


def test_no_more_blank_lines_were_printed_than_were_asked_for() -> None:
    ledger = printing("first line\n\n")
    ledger.received(b"first line\n\n\n", 1.0)
    assert clauses(ledger) == ["HV1-T11", "HV1-T11", "HV1-T2"]


def test_a_failure_without_an_id_answers_the_request_when_no_bad_line_waits() -> None:
    ledger = asked({**INIT, "id": "first"})
    ledger.sent(b"not json\n", 0.0)
    receive(ledger, {**FAILURE, "id": None}, {**SUCCESS, "id": "first"})
    ledger.exchanges.overdue()
    ledger.forget(1.0)
    ledger.sent(line(INIT), 4.0)
    ledger.received(line({**FAILURE, "id": None}), 4.0)
    assert clauses(ledger) == ["HV1-M2"]


def test_slow_answers_to_bad_lines_are_theirs_however_late() -> None:
    ledger = HostLedger()
    ledger.sent(b"not json\n" * 100, 0.0)
    ledger.exchanges.overdue()
    ledger.forget(5.0)
    ledger.sent(line(INIT), 5.0)
    for moment in range(100):
        ledger.received(line({**FAILURE, "id": None}), 6.0 + moment)
    ledger.received(line(SUCCESS), 106.0)
    assert clauses(ledger) == []
    assert ledger.exchanges.open == {}


def test_a_request_that_was_answered_ends_the_wait_for_bad_lines() -> None:
    ledger = HostLedger()
    ledger.sent(b"not json\n", 0.0)
    ledger.sent(line({**INIT, "id": "first"}), 0.0)
    ledger.received(line({**SUCCESS, "id": "first"}), 9.0)
    ledger.exchanges.overdue()
    ledger.forget(9.0)
    ledger.sent(line(INIT), 9.0)
    ledger.received(line({**FAILURE, "id": None}), 10.5)
    assert clauses(ledger) == []
    ledger.received(line({**FAILURE, "id": None}), 11.5)
    assert clauses(ledger) == ["HV1-M2"]


def test_a_slow_subject_may_answer_a_bad_line_as_much_later() -> None:
    ledger = HostLedger()
    ledger.sent(b"not json\n", 0.0)
    ledger.sent(line({**INIT, "id": "first"}), 0.0)
    ledger.received(line({**SUCCESS, "id": "first"}), 9.0)
    ledger.exchanges.overdue()
    ledger.forget(9.0, late=10.0)
    ledger.sent(line(INIT), 9.0)
    ledger.received(line({**FAILURE, "id": None}), 18.5)
    assert clauses(ledger) == []


def test_a_line_read_in_pieces_is_not_charged_to_the_next_request() -> None:
    ledger = asked({**INIT, "id": "long", "params": {"text": "x" * 10_000}})
    ledger.exchanges.overdue()
    ledger.forget(5.0)
    ledger.sent(line(INIT), 5.0)
    for moment in range(5):
        ledger.received(line({**FAILURE, "id": None}), 6.0 + moment)
    ledger.received(line(SUCCESS), 11.0)
    assert clauses(ledger) == []


def test_a_flood_does_not_fill_the_memory() -> None:
    ledger = asked()
    ledger.received(b"x\n" * 5_000, 1.0)
    assert len(ledger.deviations) == 1_000
    assert ledger.noise == 5_000


def test_of_a_line_in_progress_the_beginning_is_kept() -> None:
    ledger = asked()
    ledger.received(b"done\n" + b"a" * 40_000, 1.0)
    ledger.received(b"b" * 40_000, 1.0)
    assert ledger.unfinished == b"a" * 40_000 + b"b" * 25_536
    ledger.received(b"\nrest", 1.0)
    assert ledger.unfinished == b"rest"


def test_long_evidence_and_long_ids_are_cut() -> None:
    ledger = asked()
    receive(ledger, {**SUCCESS, "id": "x" * 1_000})
    (found,) = ledger.deviations
    assert len(found.evidence) == 301
    assert found.evidence.endswith("…")
    assert len(found.text) < 200


def test_ids_that_were_used_long_ago_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("wireproof.line._exchanges.REMEMBERED_IDS", 2)
    ledger = asked(*({**INIT, "id": key} for key in "abc"))
    receive(ledger, *({**SUCCESS, "id": key} for key in "abc"))
    assert ledger.exchanges.get("a") is None
    assert ledger.exchanges.get("b") is not None


def test_a_line_longer_than_any_answer_is_charged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("wireproof.protocols.host_v1._ledger.LINE_LIMIT", 2_000)
    ledger = asked()
    ledger.received(b"x" * 3_000 + b"\n", 1.0)
    assert [(d.clause, d.text, d.hides) for d in ledger.deviations] == [
        (
            "HV1-T1",
            "a line of 3000 bytes on stdout, longer than any answer",
            True,
        )
    ]


def test_a_request_longer_than_any_answer_is_a_bad_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("wireproof.protocols.host_v1._sent.LINE_LIMIT", 2_000)
    ledger = HostLedger()
    ledger.sent(b"x" * 3_000 + b"\n", 0.0)
    receive(ledger, {**FAILURE, "id": None})
    assert clauses(ledger) == []


def test_json_rpc_is_called_by_its_name() -> None:
    ledger = asked()
    receive(ledger, {"jsonrpc": "2.0", "id": "a", "result": {}})
    assert ledger.deviations[0].text == (
        "this is JSON-RPC, as MCP servers speak it, not host-v1: "
        "v is absent, not the integer 1"
    )


def test_requests_that_came_together_and_were_answered_as_one_were_not_read_apart() -> (
    None
):
    ledger = asked(
        {"v": 1, "id": "wireproof-1", "method": "init", "params": {}},
        {"v": 1, "id": "wireproof-2", "method": "init", "params": {}},
    )
    receive(ledger, {**FAILURE, "id": None})
    assert clauses(ledger) == ["HV1-T4"]


def test_what_a_log_quotes_is_no_message() -> None:
    ledger = asked()
    quoted = b'oops: {"jsonrpc":"2.0","id":1,"result":null}\n'
    (noise,) = ledger.received(quoted, 1.0)
    (arrival,) = ledger.received(b"log " + line(FAILURE), 2.0)
    assert (noise.kind, arrival.kind) == ("none", "response")
    assert clauses(ledger) == ["HV1-T1", "HV1-T2", "HV1-T1", "HV1-T2"]
    assert [one.hides for one in ledger.deviations] == [True, True, False, False]


def test_a_second_answer_may_be_what_another_request_waits_for() -> None:
    other = {**INIT, "id": "b"}
    ledger = asked(INIT, other)
    receive(ledger, SUCCESS, SUCCESS)
    (second,) = ledger.deviations
    assert (second.clause, second.hides) == ("HV1-M3", True)
    assert second.text.endswith("while another request waits for its own")


def test_the_empty_id_is_that_of_an_earlier_request_no_more() -> None:
    ledger = asked({**INIT, "id": ""})
    receive(ledger, {**SUCCESS, "id": ""})
    receive(ledger, {**SUCCESS, "id": ""})
    assert clauses(ledger) == ["HV1-M3"]
    ledger.forget(2.0)
    ledger.sent(line(INIT), 3.0)
    receive(ledger, {**FAILURE, "id": ""})
    assert clauses(ledger) == ["HV1-M2"]


@pytest.mark.parametrize(("beside", "counted"), [("", 0), ("def", 1)])
def test_an_answer_to_nobody_counts_beside_one_request_once_they_were_often(
    beside: str, counted: int
) -> None:
    bad = {**FAILURE, "id": ""}
    ledger = asked()
    # A late answer to it cannot be told from what comes.
    ledger.sent(b"hello\n", 0.0)
    ledger.forget(0.5)
    for key in beside:
        ledger.sent(line({**INIT, "id": key}), 0.6)
    receive(ledger, *[bad] * len(beside))
    assert ledger.misdirected == len(beside)
    receive(ledger, *({**SUCCESS, "id": key} for key in ("a", *beside)))
    ledger.forget(1.0)
    ledger.sent(line({**INIT, "id": "z"}), 1.0)
    receive(ledger, bad)
    assert ledger.misdirected == counted


@pytest.mark.parametrize(
    ("sent", "ends"),
    [
        (b'{"v":1,"id":"\xe9","method":"init","params":{}}\n', "the byte as U+FFFD"),
        (b'{"v":1,"id":"a","method":"init","params":{}}\n', "stdout is not UTF-8"),
    ],
)
def test_bytes_that_are_no_utf8_may_be_those_that_were_sent(
    sent: bytes, ends: str
) -> None:
    ledger = HostLedger()
    ledger.sent(sent, 0.0)
    ledger.received(b'{"v":1,"id":"\xe9","ok":false,"error":{}}\n', 0.1)
    (found,) = [one for one in ledger.deviations if one.clause == "HV1-T3"]
    assert found.text.endswith(ends)


LONG = {**SUCCESS, "result": {"value": "x" * 300, "state": {}}}


def mingled() -> HostLedger:
    """Return the ledger of a host that has written one answer into another."""
    ledger = asked(INIT, {**INIT, "id": "b"}, {**INIT, "id": "c"})
    one, other = line(LONG), line({**SUCCESS, "id": "b"})
    ledger.received(one[:200] + other, 1.0)
    ledger.received(one[200:], 1.0)
    return ledger


def test_an_answer_that_is_written_into_another_is_told_as_that_alone() -> None:
    (found,) = mingled().deviations
    assert found.clause == "HV1-M13"
    assert found.text == (
        "two messages are written into each other, or the first is cut off (the second "
        "begins at byte 200 of a line): write each with its LF in one piece, under a "
        "lock"
    )
    assert found.hides
    assert 'xxx{"v":1,"id":"b"' in found.evidence


def test_what_is_made_of_parts_of_several_is_held_against_nobody() -> None:
    ledger = mingled()
    receive(ledger, {"ok": True, "result": {"value": 1}})
    assert clauses(ledger) == ["HV1-M13"]
    ledger.forget(2.0)
    receive(ledger, {"ok": True, "result": {"value": 1}})
    assert "HV1-M1" in clauses(ledger)


def test_quotes_that_are_not_escaped_are_no_second_message() -> None:
    ledger = asked(INIT, {**INIT, "id": "b"})
    text = b'{"v":1,"id":"a","ok":true,"result":{"value":"{"v":1,"id":"x"}"}}\n'
    ledger.received(text + line({**SUCCESS, "id": "b"}), 1.0)
    assert not any(found.mingles for found in ledger.deviations)
