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
    NeedData,
)
from wireproof_reference.socket_v1 import (
    FRAME_LIMIT,
    BadMessage,
    CallResult,
    CancelToolCall,
    ListTools,
    ServerConnection,
    ServerConnectionEvent,
    ServerState,
    ToolCall,
    ToolEvent,
    ToolResult,
    ToolsList,
    TransportError,
)

CALL = b'{"type":"tool_call","requestId":"a","toolName":"t"}'
STREAM = (
    b'{"type":"list_tools"}\n'
    + CALL
    + b"\r\n"
    + b"\r\n"
    + CALL
    + b'\n{"type":"cancel_tool_call","requestId":"a"}\n'
    b'{"type":"cancel_tool_call","requestId":"z"}\n'
    b"junk\n"
    b'"\xff"\n'
    b'{"type":"list_tools","protocol":2,"requestId":"b"}\n'
    b"x"
)
EVENTS: list[ServerConnectionEvent] = [
    ListTools(),
    ToolCall("a", "t"),
    BadMessage(CALL, TransportError("a", "a call with this requestId is in flight")),
    CancelToolCall("a"),
    CancelToolCall("z"),
    BadMessage(b"junk", TransportError(None, "not-json: expecting value")),
    BadMessage(b'"\xff"', TransportError(None, "not-utf8: invalid start byte")),
    BadMessage(
        b'{"type":"list_tools","protocol":2,"requestId":"b"}',
        TransportError("b", "protocol must be 1"),
    ),
    BadMessage(b"x", TransportError(None, "the input ended inside a line")),
    END_OF_INPUT,
]


def drain(connection: ServerConnection) -> list[ServerConnectionEvent]:
    events: list[ServerConnectionEvent] = []
    while not isinstance(event := connection.next_event(), NeedData):
        events.append(event)
        if isinstance(event, EndOfInput):
            break
    return events


def receive(connection: ServerConnection, data: bytes) -> list[ServerConnectionEvent]:
    connection.receive_data(data)
    return drain(connection)


def receive_all(*pieces: bytes) -> list[ServerConnectionEvent]:
    connection = ServerConnection()
    events = [event for piece in pieces for event in receive(connection, piece)]
    connection.receive_eof()
    return events + drain(connection)


def test_a_stream_is_read_whole() -> None:
    assert receive_all(STREAM) == EVENTS


def test_a_stream_is_read_byte_by_byte() -> None:
    assert receive_all(*(bytes((byte,)) for byte in STREAM)) == EVENTS


@given(st.sets(st.integers(0, len(STREAM)), max_size=9))
def test_a_stream_is_read_however_it_is_cut(cuts: set[int]) -> None:
    places = sorted({0, *cuts, len(STREAM)})
    assert receive_all(*(STREAM[a:b] for a, b in pairwise(places))) == EVENTS


def test_data_that_trails_waits_for_its_end() -> None:
    connection = ServerConnection()
    assert receive(connection, b'{"type":"list_tools"}\n{"ty') == [ListTools()]
    assert receive(connection, b'pe":"list_tools"}\n') == [ListTools()]


@pytest.mark.parametrize("size", [99, 100])
def test_a_frame_may_be_as_long_as_the_limit(size: int) -> None:
    line = b'{"type":"list_tools"}'.ljust(size)
    assert receive(ServerConnection(limit=100), line + b"\n") == [ListTools()]


def test_a_frame_that_is_longer_is_refused_and_the_next_one_read() -> None:
    line = b'{"type":"list_tools"}'.ljust(101)
    events = receive(ServerConnection(limit=100), line + b'\n{"type":"list_tools"}\n')
    assert events == [
        BadMessage(line[:100], TransportError(None, "a line of 101 bytes is too long")),
        ListTools(),
    ]


def test_the_usual_limit_is_eight_mebibytes() -> None:
    assert FRAME_LIMIT == 8 * 1024 * 1024


def test_a_call_goes_from_its_message_to_its_result() -> None:
    connection = ServerConnection()
    states = [connection.state]
    receive(connection, CALL + b"\n")
    assert connection.in_flight == {"a"}
    assert connection.send(ToolEvent("a", {"kind": "progress"})) == (
        b'{"type":"tool_event","protocol":1,"requestId":"a",'
        b'"event":{"kind":"progress"}}\n'
    )
    connection.receive_eof()
    assert drain(connection) == [END_OF_INPUT]
    states.append(connection.state)
    assert connection.send(CallResult("a", ToolResult.success(1))) == (
        b'{"type":"tool_result","protocol":1,"requestId":"a",'
        b'"result":{"ok":true,"content":1}}\n'
    )
    states.append(connection.state)
    assert states == [ServerState.OPEN, ServerState.FINISHING, ServerState.FINISHED]


def test_an_id_may_be_used_again_when_its_call_is_over() -> None:
    connection = ServerConnection()
    receive(connection, CALL + b"\n")
    connection.send(CallResult("a", ToolResult.success(1)))
    assert receive(connection, CALL + b"\n") == [ToolCall("a", "t")]


def test_lists_and_errors_may_always_be_sent() -> None:
    connection = ServerConnection()
    assert (
        connection.send(ToolsList(()))
        == b'{"type":"tools_list","protocol":1,"tools":[]}\n'
    )
    assert connection.send(TransportError("a", "m")).startswith(b'{"type":"error"')


@pytest.mark.parametrize(
    ("message", "clause"),
    [
        (ToolEvent("a", {"kind": "progress"}), "SOCK-C2"),
        (CallResult("a", ToolResult.success(1)), "SOCK-C1"),
    ],
)
def test_nothing_is_sent_of_a_call_that_is_over(
    message: ToolEvent | CallResult, clause: str
) -> None:
    connection = ServerConnection()
    receive(connection, CALL + b"\n")
    connection.send(CallResult("a", ToolResult.success(1)))
    with pytest.raises(LocalProtocolError) as caught:
        connection.send(message)
    assert caught.value.clause == clause


def test_a_result_that_json_cannot_hold_changes_nothing() -> None:
    connection = ServerConnection()
    receive(connection, CALL + b"\n")
    with pytest.raises(EncodeError):
        connection.send(CallResult("a", ToolResult.success(float("nan"))))
    assert connection.in_flight == {"a"}


def test_no_data_comes_after_the_end() -> None:
    connection = ServerConnection()
    assert connection.next_event() is NEED_DATA
    connection.receive_eof()
    with pytest.raises(LocalProtocolError):
        connection.receive_data(b"x")
