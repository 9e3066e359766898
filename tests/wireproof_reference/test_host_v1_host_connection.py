from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wireproof_reference import EncodeError, LocalProtocolError
from wireproof_reference.framing import (
    END_OF_INPUT,
    NEED_DATA,
    EndOfInput,
    NdjsonDecoder,
    NeedData,
    encode,
)
from wireproof_reference.host_v1 import (
    BadRequest,
    Event,
    Failure,
    HostConnection,
    HostConnectionEvent,
    HostState,
    Request,
    Success,
    message_to_json,
)

STREAM = (
    b'{"v":1,"id":"a","method":"init","params":{}}\n'
    b"\r\n"
    b"junk\n"
    b'{"v":2,"id":"b","method":"init"}\r\n'
    b"[]\n"
    b"x"
)
EVENTS: list[HostConnectionEvent] = [
    Request("a", "init", {}),
    BadRequest(b"junk", Failure(None, "InvalidRequest", "not-json: expecting value")),
    BadRequest(
        b'{"v":2,"id":"b","method":"init"}\r',
        Failure("b", "UnsupportedVersion", "v must be 1"),
    ),
    BadRequest(b"[]", Failure(None, "InvalidRequest", "a request must be an object")),
    BadRequest(b"x", Failure(None, "InvalidRequest", "the input ended inside a line")),
    END_OF_INPUT,
]


def drain(connection: HostConnection) -> list[HostConnectionEvent]:
    events: list[HostConnectionEvent] = []
    while not isinstance(event := connection.next_event(), NeedData):
        events.append(event)
        if isinstance(event, EndOfInput):
            break
    return events


def receive(connection: HostConnection, data: bytes) -> list[HostConnectionEvent]:
    connection.receive_data(data)
    return drain(connection)


def in_flight(*ids: str) -> HostConnection:
    connection = HostConnection()
    for request_id in ids:
        receive(connection, b'{"v":1,"id":"%s","method":"m"}\n' % request_id.encode())
    return connection


@given(st.lists(st.integers(0, len(STREAM))))
def test_requests_are_read_however_they_are_cut(offsets: list[int]) -> None:
    connection = HostConnection()
    events: list[HostConnectionEvent] = []
    for start, end in pairwise([0, *sorted(offsets), len(STREAM)]):
        events += receive(connection, STREAM[start:end])
    connection.receive_eof()
    assert events + drain(connection) == EVENTS


def test_nothing_is_read_before_data() -> None:
    assert HostConnection().next_event() is NEED_DATA


class Picky(HostConnection):
    def make_decoder(self) -> NdjsonDecoder:
        return NdjsonDecoder(10, blank_lines="report")


def test_a_blank_line_may_be_answered() -> None:
    assert receive(Picky(), b"\n") == [
        BadRequest(b"", Failure(None, "InvalidRequest", "a blank line"))
    ]


def test_an_oversize_line_is_a_bad_request() -> None:
    detail = "a line of 11 bytes is too long"
    assert receive(Picky(), b"x" * 11 + b"\n") == [
        BadRequest(b"x" * 10, Failure(None, "InvalidRequest", detail))
    ]


def test_a_response_ends_a_request() -> None:
    connection = in_flight("a", "b")
    assert connection.in_flight == {"a", "b"}
    assert (
        connection.send(Success("a", 1))
        == b'{"v":1,"id":"a","ok":true,"result":{"value":1}}\n'
    )
    assert connection.in_flight == {"b"}


def test_events_come_before_the_response() -> None:
    connection = in_flight("a")
    connection.send(Event("a", "part", 1))
    connection.send(Failure("a", "E", "d"))
    with pytest.raises(LocalProtocolError) as caught:
        connection.send(Event("a", "part", 2))
    assert caught.value.clause == "HV1-E1"


def test_a_request_has_one_response() -> None:
    connection = in_flight("a")
    connection.send(Success("a", 1))
    with pytest.raises(LocalProtocolError, match=r"in flight \(HV1-M3\)$"):
        connection.send(Success("a", 1))


def test_an_id_in_flight_twice_has_two_responses() -> None:
    connection = in_flight("a", "a")
    connection.send(Success("a", 1))
    connection.send(Success("a", 2))
    assert connection.in_flight == frozenset()


def test_an_id_may_be_used_again() -> None:
    connection = in_flight("a")
    connection.send(Success("a", 1))
    assert receive(connection, b'{"v":1,"id":"a","method":"m"}\n') == [
        Request("a", "m", {})
    ]


def test_a_bad_request_is_answered_like_any_other() -> None:
    connection = HostConnection()
    event = receive(connection, b'{"v":1,"id":"a"}\nx\n')
    assert [connection.send(e.answer) for e in event if isinstance(e, BadRequest)] == [
        encode(
            message_to_json(Failure("a", "InvalidRequest", "method must be a string"))
        ),
        encode(
            message_to_json(
                Failure(None, "InvalidRequest", "not-json: expecting value")
            )
        ),
    ]
    assert connection.in_flight == frozenset()


def test_a_response_that_json_cannot_hold_changes_nothing() -> None:
    connection = in_flight("a")
    with pytest.raises(EncodeError):
        connection.send(Success("a", float("nan")))
    assert connection.in_flight == {"a"}


def test_the_state_follows_the_input_and_the_answers() -> None:
    connection = in_flight("a")
    states = [connection.state]
    connection.receive_eof()
    assert connection.next_event() is END_OF_INPUT
    states.append(connection.state)
    connection.send(Success("a", 1))
    states.append(connection.state)
    assert states == [HostState.OPEN, HostState.FINISHING, HostState.FINISHED]
