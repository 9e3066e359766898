from __future__ import annotations

import pytest

from wireproof.protocols.exec_server._ids import is_plain
from wireproof.protocols.exec_server._ledger import RpcLedger
from wireproof_reference.framing import JSON, JSONObject, encode


def request(number: JSON) -> bytes:
    message: JSONObject = {"jsonrpc": "2.0", "id": number, "method": "execute"}
    return encode(message)


def response(number: JSON) -> bytes:
    return encode({"jsonrpc": "2.0", "id": number, "result": None})


def broken(sent: bytes, received: bytes) -> list[tuple[str, str]]:
    """What the monitors find, as clauses and levels."""
    ledger = RpcLedger()
    ledger.sent(sent, 0)
    ledger.received(received, 0)
    return [(found.clause, found.level) for found in ledger.deviations]


@pytest.mark.parametrize("number", [1, 5.0, 2**53, "a", " "])
def test_an_id_that_every_server_gives_back_is_plain(number: JSON) -> None:
    assert is_plain(number)


@pytest.mark.parametrize("number", [0, -1, 2**53 + 1, 0.5, "", True, None])
def test_an_id_of_another_kind_is_not_plain(number: JSON) -> None:
    assert not is_plain(number)


def test_a_plain_id_that_is_changed_breaks_a_must() -> None:
    assert broken(request(5), response("5")) == [("EXEC-S2", "must")]


@pytest.mark.parametrize("number", [2**53 + 1, 0.5, 0, ""])
def test_another_id_that_is_changed_breaks_a_should(number: JSON) -> None:
    assert broken(request(number), response(7)) == [("EXEC-S12", "should")]


def test_what_may_answer_either_of_two_requests_breaks_a_should() -> None:
    sent = request(5) + request(2**53 + 1)
    assert broken(sent, response(2**53)) == [("EXEC-S12", "should")]


def test_a_changed_id_that_was_another_requests_breaks_a_should_as_well() -> None:
    ledger = RpcLedger()
    ledger.sent(request(1), 0)
    ledger.received(response(1), 0)
    ledger.sent(request(0), 0)
    ledger.received(response(1), 0)
    assert [found.clause for found in ledger.deviations] == ["EXEC-S12"]


def test_an_id_in_other_letters_answers_its_request_beside_others() -> None:
    ledger = RpcLedger()
    ledger.sent(request("a"), 0)
    ledger.sent(request("é"), 0)
    ledger.received(response("?"), 0)
    (found,) = ledger.deviations
    assert found.clause == "EXEC-S2"
    assert found.text.endswith(
        ', the request\'s was "é": a question mark stands for what is not ASCII'
    )
    assert [one.request.id for one in ledger.exchanges.open.values()] == ["a"]


def test_a_second_response_beside_a_plain_request_breaks_a_must() -> None:
    ledger = RpcLedger()
    ledger.sent(request(1), 0)
    ledger.received(response(1), 0)
    ledger.sent(request(2), 0)
    ledger.received(response(1), 0)
    assert [found.clause for found in ledger.deviations] == ["EXEC-S2"]


def test_an_id_that_was_decoded_in_pieces_is_no_other_id() -> None:
    sent = request("é漢a") + request("é漢b") + request(7)
    assert broken(sent, response("é\ufffd\ufffda")) == [("EXEC-S5", "must")]


@pytest.mark.parametrize(
    ("answers", "counted"),
    [
        # Requests that wait for theirs: whose these are nobody can tell.
        ([7], 1),
        ([7, 8], 2),
        # One of an earlier request once more.
        ([1], 1),
        # The last that waits may be meant.
        ([2, 7], 0),
    ],
)
def test_answers_that_are_nobodys_are_counted(
    answers: list[JSON], counted: int
) -> None:
    ledger = RpcLedger()
    ledger.sent(request(1), 0)
    ledger.received(response(1), 0)
    ledger.sent(request(2) + request(3), 0)
    for number in answers:
        ledger.received(response(number), 0)
    assert ledger.misdirected == counted
    ledger.forget(0)
    assert ledger.misdirected == 0


@pytest.mark.parametrize("depth", [1, 10, 2000])
def test_an_array_may_be_answered_by_an_array(depth: int) -> None:
    sent = b"[" * depth + b"]" * depth + b"\n"
    answer = b'[{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"m"}}]\n'
    assert broken(sent, answer) == []


def test_no_array_answers_a_request() -> None:
    answer = b'[{"jsonrpc":"2.0","id":5,"result":1}]\n'
    assert broken(request(5), answer) == [("EXEC-S3", "must")]


@pytest.mark.parametrize("before", [b"text\n", b"[]\n", b'{"jsonrpc":"2.0"}\n'])
def test_a_result_without_an_id_answers_no_bad_line(before: bytes) -> None:
    assert broken(before + request(5), response(None)) == [("EXEC-S2", "must")]


def test_half_a_line_may_be_answered() -> None:
    answer = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}\n'
    assert broken(b'{"jsonrpc":', answer) == []


def test_what_a_log_quotes_is_no_response() -> None:
    quoted = b"oops: " + response(1)
    assert broken(request(5), quoted) == [("EXEC-S3", "must")]
    ledger = RpcLedger()
    ledger.sent(request(5), 0)
    kinds = [one.kind for one in ledger.received(b"log " + response(5), 0)]
    assert kinds == ["response"]


def refusal() -> bytes:
    error: JSONObject = {"code": -32700, "message": "no JSON"}
    return encode({"jsonrpc": "2.0", "id": None, "error": error})


def test_an_answer_may_come_before_the_line_feed_of_its_request() -> None:
    ledger = RpcLedger()
    ledger.sent(request("a")[:-1], 0, cut=True)
    ledger.received(response("a"), 0)
    ledger.sent(b"\n", 0, cut=True)
    assert ledger.deviations == []
    assert not ledger.exchanges.open


def test_a_request_that_came_in_pieces_is_one_request() -> None:
    ledger = RpcLedger()
    ledger.sent(request("a")[:-1], 0, cut=True)
    ledger.sent(b"\n" + request("b"), 0, cut=True)
    assert list(ledger.exchanges.open) == [one.key for one in ledger.exchanges.asked]
    assert ledger.requests == 2


def test_what_refuses_pieces_of_a_line_is_no_matter_of_ids() -> None:
    ledger = RpcLedger()
    sent = request("a")
    ledger.sent(sent[:9], 0, cut=True)
    ledger.sent(sent[9:], 0, cut=True)
    ledger.received(refusal() * 2, 0)
    (found,) = ledger.deviations
    told = 'a request that takes more than one read, "a", was refused without its id'
    assert (found.clause, found.text) == ("EXEC-S5", told)


def test_an_error_without_an_id_breaks_a_must_where_lines_are_read_whole() -> None:
    assert broken(request(1), response(1) + refusal()) == [("EXEC-S2", "must")]


def test_an_id_in_a_batch_is_answered_once() -> None:
    batch = b"[" + request("a")[:-1] + b"," + request("b")[:-1] + b"]\n"
    ledger = RpcLedger()
    ledger.sent(batch + request("c"), 0)
    ledger.received(response("a") + response("b"), 0)
    assert ledger.deviations == []
    ledger.received(response("a"), 0)
    (found,) = ledger.deviations
    told = 'a second response to the id "a"'
    assert (found.clause, found.text, found.hides) == ("EXEC-S2", told, True)
    ledger.received(response("c"), 0)
    assert not ledger.exchanges.open


REFUSED: JSONObject = {"code": -32700, "message": "no"}
NOTIFICATION = b'{"jsonrpc":"2.0","method":"execute","params":{}}\n'


@pytest.mark.parametrize("number", [None, 0, 7, "any"])
def test_a_reply_to_a_notification_breaks_a_should_whatever_its_id(
    number: JSON,
) -> None:
    ledger = RpcLedger()
    ledger.sent(NOTIFICATION + request(1), 0)
    ledger.received(response(number) + response(1), 0)
    found = [(one.clause, one.level) for one in ledger.deviations]
    assert found == [("EXEC-S8", "should")]
    assert not ledger.exchanges.open


def test_more_replies_than_notifications_break_a_must() -> None:
    received = response(8) + response(9)
    found = broken(NOTIFICATION + request(1), received)
    assert found == [("EXEC-S8", "should"), ("EXEC-S2", "must")]


@pytest.mark.parametrize(
    "beside",
    [
        {"result": 1, "error": None},
        {"result": None, "error": {"code": 1, "message": "no"}},
    ],
)
def test_a_null_companion_breaks_a_should(beside: JSONObject) -> None:
    answer = encode({"jsonrpc": "2.0", "id": 1, **beside})
    assert broken(request(1), answer) == [("EXEC-S2", "should")]


@pytest.mark.parametrize("number", [None, "half"])
def test_a_request_with_half_a_surrogate_pair_may_be_answered_as_a_bad_line(
    number: JSON,
) -> None:
    half = b'{"jsonrpc":"2.0","id":"half","method":"\\ud800"}\n'
    assert broken(half + request(1), response(1)) == []
    refused = encode({"jsonrpc": "2.0", "id": number, "error": REFUSED})
    assert broken(half + request(1), refused + response(1)) == []


def test_a_request_with_a_whole_pair_is_owed_its_answer() -> None:
    ledger = RpcLedger()
    ledger.sent(b'{"jsonrpc":"2.0","id":"\\ud83d\\ude00","method":"execute"}\n', 0)
    assert list(ledger.exchanges.open) == ["😀"]
