from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

import wireproof_reference.exec
from wireproof_reference import LocalProtocolError
from wireproof_reference.exec.core import (
    ClientState,
    Execute,
    Failure,
    Flaw,
    Malformed,
    Result,
    StrayLine,
    ToolConnection,
    ToolConnectionEvent,
    oneshot_input,
    read_oneshot_output,
)
from wireproof_reference.framing import END_OF_INPUT, EncodeError, NeedData

LINES = (
    b"banner\n"
    b"\n"
    b'{"jsonrpc":"2.0","id":2,"result":"\xe2\x80\xa8"}\r\n'
    b'{"jsonrpc":"2.0","id":2,"result":5}\n'
    b'{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"m","data":[]}}\n'
    b'{"jsonrpc":"2.0","method":"log"}\n'
    b'{"jsonrpc":"2.0","id":3}\n'
    b'{"jsonrpc":"2.0","id":'
)
EVENTS: list[ToolConnectionEvent] = [
    StrayLine(b"banner", "not-json: unexpected character: line 1 column 1 (char 0)"),
    StrayLine(b"", "a blank line"),
    Result("\u2028", 2),
    StrayLine(b'{"jsonrpc":"2.0","id":2,"result":5}', "no call with the id 2"),
    Failure("m", 1, -1, []),
    StrayLine(b'{"jsonrpc":"2.0","method":"log"}', "no id"),
    Malformed("3", "wrote neither result nor error", b'{"jsonrpc":"2.0","id":3}'),
    StrayLine(b'{"jsonrpc":"2.0","id":', "the input ended inside a line"),
    END_OF_INPUT,
]


def connected(*ids: int) -> ToolConnection:
    connection = ToolConnection()
    for number in ids:
        connection.send(Execute(number, {}))
    return connection


def events(connection: ToolConnection) -> list[ToolConnectionEvent]:
    found: list[ToolConnectionEvent] = []
    while not isinstance(event := connection.next_event(), NeedData):
        found.append(event)
        if event is END_OF_INPUT:
            break
    return found


def shown(found: list[ToolConnectionEvent]) -> list[object]:
    """Events without what a JSON library says about a bad line."""
    return [
        (event.line, event.detail.split(":")[0])
        if isinstance(event, StrayLine)
        else event
        for event in found
    ]


def one_event(line: bytes, *ids: int) -> ToolConnectionEvent:
    connection = connected(*ids)
    connection.receive_data(line + b"\n")
    (event,) = events(connection)
    return event


def test_a_call_is_a_line_of_json_rpc() -> None:
    assert ToolConnection().send(Execute(1, {"a": None})) == (
        b'{"jsonrpc":"2.0","id":1,"method":"execute","params":{"args":{"a":null}}}\n'
    )


def test_input_is_read_whole() -> None:
    connection = connected(1, 2, 3)
    connection.receive_data(LINES)
    connection.receive_eof()
    assert shown(events(connection)) == shown(EVENTS)
    assert connection.state is ClientState.ENDED


def test_input_is_read_byte_by_byte() -> None:
    connection = connected(1, 2, 3)
    found: list[ToolConnectionEvent] = []
    for byte in LINES:
        connection.receive_data(bytes([byte]))
        found += events(connection)
    connection.receive_eof()
    assert shown(found + events(connection)) == shown(EVENTS)


@pytest.mark.parametrize("seed", range(5))
def test_input_is_read_at_random_cuts(seed: int) -> None:
    cuts = [0, *sorted(Random(seed).sample(range(len(LINES)), 6)), len(LINES)]  # noqa: S311
    connection = connected(1, 2, 3)
    found: list[ToolConnectionEvent] = []
    for start, end in pairwise(cuts):
        connection.receive_data(LINES[start:end])
        found += events(connection)
    connection.receive_eof()
    assert shown(found + events(connection)) == shown(EVENTS)


def test_a_line_beyond_the_limit_is_stray() -> None:
    connection = ToolConnection(limit=10)
    connection.receive_data(b'"01234567"\n"012345678"\n')
    assert [type(event) for event in events(connection)] == [StrayLine, StrayLine]
    connection.receive_data(b"x" * 100)
    assert events(connection) == []


def test_an_id_is_in_flight_once() -> None:
    connection = connected(1)
    with pytest.raises(LocalProtocolError, match="the id 1 is in flight"):
        connection.send(Execute(1, {}))
    connection.receive_data(b'{"jsonrpc":"2.0","id":1,"result":null}\n')
    assert events(connection) == [Result(None, 1)]
    connection.send(Execute(1, {}))
    assert connection.in_flight == {"1"}


def test_what_json_cannot_hold_changes_nothing() -> None:
    connection = ToolConnection()
    with pytest.raises(EncodeError):
        connection.send(Execute(1, float("nan")))
    assert connection.in_flight == frozenset()


def test_nothing_is_sent_to_a_tool_that_sends_no_more() -> None:
    connection = ToolConnection()
    connection.receive_eof()
    assert events(connection) == [END_OF_INPUT]
    with pytest.raises(LocalProtocolError, match="the tool sends no more"):
        connection.send(Execute(1, {}))


def test_a_forgotten_call_has_no_answer() -> None:
    connection = connected(1)
    connection.forget("1")
    connection.receive_data(b'{"jsonrpc":"2.0","id":1,"result":null}\n')
    (event,) = events(connection)
    assert isinstance(event, StrayLine)


@pytest.mark.parametrize("number", ["1.0", "1", "1e0"])
def test_a_number_is_an_id_however_it_is_written(number: str) -> None:
    line = f'{{"jsonrpc":"2.0","id":{number},"result":[]}}'.encode()
    assert one_event(line, 1) == Result([], 1)


@pytest.mark.parametrize("number", ["-5.0", "-5", "-5e0"])
def test_a_number_is_a_code_however_it_is_written(number: str) -> None:
    error = f'{{"code":{number},"message":"no"}}'
    line = f'{{"jsonrpc":"2.0","id":1,"error":{error}}}'.encode()
    assert one_event(line, 1) == Failure("no", 1, -5)


@pytest.mark.parametrize("number", ['"1"', "true", "[1]", "1.5", "2", "null"])
def test_another_id_is_stray(number: str) -> None:
    line = f'{{"jsonrpc":"2.0","id":{number},"result":[]}}'.encode()
    assert isinstance(one_event(line, 1), StrayLine)


@pytest.mark.parametrize("line", [b"5", b"[]", b"[1]", b'"text"', b"{}"])
def test_what_is_no_response_is_stray(line: bytes) -> None:
    assert isinstance(one_event(line, 1), StrayLine)


@pytest.mark.parametrize(
    ("members", "detail"),
    [
        ('"result":1', 'wrote a response without jsonrpc "2.0"'),
        ('"jsonrpc":2.0,"result":1', 'wrote a response without jsonrpc "2.0"'),
        (
            '"jsonrpc":"2.0","result":1,"error":{"code":1,"message":""}',
            "wrote both result and error",
        ),
        (
            '"jsonrpc":"2.0","error":"text"',
            "wrote an error that has no code and message",
        ),
        (
            '"jsonrpc":"2.0","error":{"code":true,"message":"m"}',
            "wrote an error that has no code and message",
        ),
        (
            '"jsonrpc":"2.0","error":{"code":1}',
            "wrote an error that has no code and message",
        ),
    ],
)
def test_a_flaw_under_an_id_in_flight_ends_its_call(members: str, detail: str) -> None:
    line = f'{{"id":1,{members}}}'.encode()
    assert one_event(line, 1) == Malformed("1", detail, line)


def test_an_error_without_an_id_answers_the_only_call() -> None:
    line = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}'
    assert one_event(line, 1) == Malformed("1", "could not read the call: m", line)
    assert isinstance(one_event(line, 1, 2), StrayLine)
    assert isinstance(one_event(line), StrayLine)


@pytest.mark.parametrize(
    ("answer", "event"),
    [
        ('"result":1,"error":null', Result(1, 1)),
        ('"result":null,"error":null', Result(None, 1)),
        ('"result":null,"error":{"code":1,"message":"m"}', Failure("m", 1, 1)),
    ],
)
def test_a_null_beside_its_partner_counts_as_absent(
    answer: str, event: Result | Failure
) -> None:
    line = f'{{"jsonrpc":"2.0","id":1,{answer}}}'.encode()
    assert one_event(line, 1) == event


def test_a_one_shot_tool_gets_one_object() -> None:
    assert oneshot_input([None]) == b'{"args":[null]}\n'


@pytest.mark.parametrize(
    ("output", "answer"),
    [
        (b' \n{"result":null}\n\n', Result(None)),
        (b'{"result":{},"more":1}', Result({})),
        (b'{"error":"text"}', Failure("text")),
        (b'{"result":1,"error":null}', Result(1)),
        (b'{"result":null,"error":null}', Result(None)),
        (b'{"result":null,"error":"text"}', Failure("text")),
        (b'{"result":1,"error":""}', Flaw("wrote both result and error")),
        (b'{"error":null}', Flaw("wrote neither result nor error")),
        (b"\n", Flaw("wrote nothing to stdout")),
    ],
)
def test_the_output_of_a_one_shot_tool_is_read(
    output: bytes, answer: Result | Failure | Flaw
) -> None:
    assert read_oneshot_output(output) == answer


def test_every_public_name_can_be_had() -> None:
    package = wireproof_reference.exec
    assert [name for name in package.__all__ if not hasattr(package, name)] == []


def test_no_other_name_can_be_had() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nope'"):
        getattr(wireproof_reference.exec, "nope")  # noqa: B009  # no such name
