"""A line may be read before its line feed has come, and is one line all the same."""

from __future__ import annotations

import pytest

from wireproof.line import UnendedLine
from wireproof.protocols.socket_v1._sent import SocketOutgoing


def line_of_requests() -> UnendedLine:
    return UnendedLine(lambda value: "id" in value)


def test_an_object_is_told_once_when_it_is_whole() -> None:
    line = line_of_requests()
    assert line.take(b'{"id":') is None
    assert line.take(b"{}}") == {"id": {}}
    assert line.was_read({"id": {}})
    assert line.take(b" ") is None
    assert line.take(b"\n") is None
    assert not line.was_read({"id": {}})


@pytest.mark.parametrize("data", [b"", b"[1]", b"{}", b'{"id":1', b'{"id":1}\n'])
def test_what_gets_no_answer_or_has_ended_is_not_told(data: bytes) -> None:
    line = line_of_requests()
    assert line.take(data) is None
    assert not line.was_read(None)


CALL = b'{"type":"tool_call","protocol":1,"requestId":"a","toolName":"t"}'


def test_a_request_is_counted_once() -> None:
    outgoing = SocketOutgoing()

    def send(data: bytes) -> int:
        return len(outgoing.send(data))

    assert send(CALL) == 1
    # The same id again, behind the line feed of the first: one more request.
    assert send(b"\n" + CALL + b"\n") == 1
    assert send(CALL[:-1]) == 0
    assert send(CALL[-1:]) == 1
    assert send(b"\n") == 0
