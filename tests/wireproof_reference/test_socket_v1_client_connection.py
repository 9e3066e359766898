from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wireproof_reference import EncodeError, LocalProtocolError
from wireproof_reference.framing import END_OF_INPUT, EndOfInput, NeedData
from wireproof_reference.socket_v1 import (
    CallResult,
    CancelToolCall,
    ClientConnection,
    ClientConnectionEvent,
    ClientState,
    ListTools,
    Malformed,
    StrayLine,
    ToolCall,
    ToolEvent,
    ToolResult,
    ToolsList,
    TransportError,
)

EVENT = b'{"type":"tool_event","requestId":"a","event":{"kind":"progress"}}'
RESULT = b'{"type":"tool_result","requestId":"a","result":{"ok":true,"content":1}}'
LIST = b'{"type":"tools_list","protocol":1,"tools":[]}'
BAD = b'{"type":"tool_result","requestId":"b","result":{"ok":1}}'
STREAM = b"\n".join(
    (
        EVENT,
        RESULT + b"\r",
        EVENT,
        b"",
        RESULT,
        LIST,
        LIST,
        BAD,
        BAD,
        b'{"type":"error","code":"PROTOCOL_ERROR","message":"m"}',
        b'{"type":"error","requestId":"c","code":"PROTOCOL_ERROR","message":"m"}',
        b"log",
        b"x",
    )
)
EVENTS: list[ClientConnectionEvent] = [
    ToolEvent("a", {"kind": "progress"}),
    CallResult("a", ToolResult({"ok": True, "content": 1})),
    StrayLine(EVENT, "no call with the id 'a'"),
    StrayLine(RESULT, "no call with the id 'a'"),
    ToolsList(()),
    StrayLine(LIST, "no list was asked for"),
    Malformed("b", "result.ok must be a boolean", BAD),
    StrayLine(BAD, "result.ok must be a boolean"),
    TransportError(None, "m"),
    TransportError("c", "m"),
    StrayLine(b"log", "not-json: expecting value"),
    StrayLine(b"x", "the input ended inside a line"),
    END_OF_INPUT,
]


def drain(connection: ClientConnection) -> list[ClientConnectionEvent]:
    events: list[ClientConnectionEvent] = []
    while not isinstance(event := connection.next_event(), NeedData):
        events.append(event)
        if isinstance(event, EndOfInput):
            break
    return events


def receive_all(*pieces: bytes) -> list[ClientConnectionEvent]:
    connection = ClientConnection()
    for request_id in ("a", "b", "c"):
        connection.send(ToolCall(request_id, "t"))
    connection.send(ListTools())
    events: list[ClientConnectionEvent] = []
    for piece in pieces:
        connection.receive_data(piece)
        events += drain(connection)
    connection.receive_eof()
    events += drain(connection)
    assert connection.in_flight == frozenset()
    assert connection.lists_in_flight == 0
    return events


def test_a_stream_is_read_whole() -> None:
    assert receive_all(STREAM) == EVENTS


def test_a_stream_is_read_byte_by_byte() -> None:
    assert receive_all(*(bytes((byte,)) for byte in STREAM)) == EVENTS


@given(st.sets(st.integers(0, len(STREAM)), max_size=9))
def test_a_stream_is_read_however_it_is_cut(cuts: set[int]) -> None:
    places = sorted({0, *cuts, len(STREAM)})
    assert receive_all(*(STREAM[a:b] for a, b in pairwise(places))) == EVENTS


def test_a_frame_longer_than_the_limit_is_stray() -> None:
    connection = ClientConnection(limit=len(LIST))
    connection.send(ListTools())
    connection.receive_data(LIST + b" \n" + LIST + b"\n")
    assert drain(connection) == [
        StrayLine(LIST, f"a line of {len(LIST) + 1} bytes is too long"),
        ToolsList(()),
    ]


def test_messages_are_lines() -> None:
    connection = ClientConnection()
    assert connection.send(ToolCall("a", "t", {"x": 1})) == (
        b'{"type":"tool_call","protocol":1,"requestId":"a","toolName":"t",'
        b'"arguments":{"x":1},"clientInfo":{"caller":"cli"}}\n'
    )
    assert connection.send(CancelToolCall("a")) == (
        b'{"type":"cancel_tool_call","protocol":1,"requestId":"a"}\n'
    )
    assert connection.in_flight == {"a"}


def test_an_id_in_flight_is_not_used_again() -> None:
    connection = ClientConnection()
    connection.send(ToolCall("a", "t"))
    with pytest.raises(LocalProtocolError) as caught:
        connection.send(ToolCall("a", "t"))
    assert caught.value.clause == "SOCK-C10"


def test_only_a_call_in_flight_is_cancelled() -> None:
    with pytest.raises(LocalProtocolError, match="'a' is not in flight"):
        ClientConnection().send(CancelToolCall("a"))


def test_what_comes_for_a_forgotten_call_is_stray() -> None:
    connection = ClientConnection()
    connection.send(ToolCall("a", "t"))
    connection.forget("a")
    connection.receive_data(RESULT + b"\n")
    assert drain(connection) == [StrayLine(RESULT, "no call with the id 'a'")]


def test_arguments_that_json_cannot_hold_change_nothing() -> None:
    connection = ClientConnection()
    with pytest.raises(EncodeError):
        connection.send(ToolCall("a", "t", {"x": float("inf")}))
    assert connection.in_flight == frozenset()


def test_nothing_is_sent_to_a_server_that_has_ended() -> None:
    connection = ClientConnection()
    connection.receive_eof()
    drain(connection)
    assert connection.state is ClientState.ENDED
    with pytest.raises(LocalProtocolError, match="the server sends no more"):
        connection.send(ListTools())
