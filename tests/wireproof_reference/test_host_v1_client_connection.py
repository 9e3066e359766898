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
)
from wireproof_reference.host_v1 import (
    ClientConnection,
    ClientConnectionEvent,
    ClientState,
    Event,
    Failure,
    Malformed,
    Request,
    StrayLine,
    Success,
)

STREAM = (
    b"starting up\n"
    b'{"v":1,"id":"b","event":{"type":"part","payload":1}}\n'
    b'{"v":1,"id":"b","ok":true,"result":{"value":2,"state":{}}}\n'
    b'{"v":1,"id":"b","ok":true,"result":{"value":3}}\n'
    b'{"v":1,"id":"a","method":"get_tags","params":{}}\n'
    b'{"v":1,"id":"a","ok":false,"error":{"type":"E","detail":"d"}}\n'
    b'{"v":1,"id":null,"ok":false,"error":{"type":"E","detail":"d"}}\n'
    b'{"v":1,"id":"c","ok":"yes"}\n'
    b'{"v":1,"id":"c","ok":"yes"}\n'
    b"5\n"
    b"half"
)
EVENTS: list[ClientConnectionEvent] = [
    StrayLine(b"starting up", "not-json: expecting value"),
    Event("b", "part", 1),
    Success("b", 2, {}),
    StrayLine(
        b'{"v":1,"id":"b","ok":true,"result":{"value":3}}', "no request with the id 'b'"
    ),
    StrayLine(b'{"v":1,"id":"a","method":"get_tags","params":{}}', "a request"),
    Failure("a", "E", "d"),
    StrayLine(
        b'{"v":1,"id":null,"ok":false,"error":{"type":"E","detail":"d"}}', "no id"
    ),
    Malformed("c", "neither ok nor event", b'{"v":1,"id":"c","ok":"yes"}'),
    StrayLine(b'{"v":1,"id":"c","ok":"yes"}', "neither ok nor event"),
    StrayLine(b"5", "no id"),
    StrayLine(b"half", "the input ended inside a line"),
    END_OF_INPUT,
]


def drain(connection: ClientConnection) -> list[ClientConnectionEvent]:
    events: list[ClientConnectionEvent] = []
    while not isinstance(event := connection.next_event(), NeedData):
        events.append(event)
        if isinstance(event, EndOfInput):
            break
    return events


def in_flight(*ids: str) -> ClientConnection:
    connection = ClientConnection()
    for request_id in ids:
        connection.send(Request(request_id, "get_tags", {}))
    return connection


@given(st.lists(st.integers(0, len(STREAM))))
def test_messages_are_matched_however_they_are_cut(offsets: list[int]) -> None:
    connection = in_flight("a", "b", "c")
    events: list[ClientConnectionEvent] = []
    for start, end in pairwise([0, *sorted(offsets), len(STREAM)]):
        connection.receive_data(STREAM[start:end])
        events += drain(connection)
    connection.receive_eof()
    assert events + drain(connection) == EVENTS
    assert connection.in_flight == frozenset()


def test_a_request_is_one_line() -> None:
    connection = ClientConnection()
    assert connection.next_event() is NEED_DATA
    assert (
        connection.send(Request("a", "init", {"config": {"x": "\n"}}))
        == b'{"v":1,"id":"a","method":"init","params":{"config":{"x":"\\n"}}}\n'
    )
    assert connection.in_flight == {"a"}


@pytest.mark.parametrize("method", ["", "Init", "getTags", "a__b", "_a", "a_", "a b"])
def test_a_method_is_in_snake_case(method: str) -> None:
    with pytest.raises(LocalProtocolError) as caught:
        ClientConnection().send(Request("a", method, {}))
    assert caught.value.clause == "HV1-C1"


def test_an_id_in_flight_is_not_sent_again() -> None:
    connection = in_flight("a")
    with pytest.raises(LocalProtocolError, match="HV1-C1"):
        connection.send(Request("a", "init", {}))


def test_a_request_that_json_cannot_hold_changes_nothing() -> None:
    connection = ClientConnection()
    with pytest.raises(EncodeError):
        connection.send(Request("a", "init", {"config": float("inf")}))
    assert connection.in_flight == frozenset()


def test_what_is_forgotten_is_stray() -> None:
    connection = in_flight("a")
    connection.forget("a")
    connection.forget("never")
    line = b'{"v":1,"id":"a","ok":true,"result":{"value":1}}'
    connection.receive_data(line + b"\n")
    assert drain(connection) == [StrayLine(line, "no request with the id 'a'")]


def test_an_oversize_or_blank_line_is_stray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "wireproof_reference.host_v1.core._client_connection.NdjsonDecoder",
        lambda: NdjsonDecoder(10, blank_lines="report"),
    )
    connection = ClientConnection()
    connection.receive_data(b"x" * 11 + b"\n \n")
    assert drain(connection) == [
        StrayLine(b"x" * 10, "a line of 11 bytes is too long"),
        StrayLine(b" ", "a blank line"),
    ]


def test_nothing_is_sent_after_the_end() -> None:
    connection = ClientConnection()
    states = [connection.state]
    connection.receive_eof()
    assert connection.next_event() is END_OF_INPUT
    states.append(connection.state)
    assert states == [ClientState.OPEN, ClientState.ENDED]
    with pytest.raises(LocalProtocolError, match="sends no more"):
        connection.send(Request("a", "init", {}))
