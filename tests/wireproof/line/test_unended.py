"""A line may be read before its line feed has come, and is one line all the same."""

from __future__ import annotations

from typing import Any

import pytest

from wireproof.line import UnendedLine
from wireproof.protocols.exec_server._sent import RpcOutgoing
from wireproof.protocols.host_v1._printed import Printed
from wireproof.protocols.host_v1._sent import HostOutgoing
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


A = b'{"v":1,"jsonrpc":"2.0","id":"a","method":"execute","params":{}}'
CALL = b'{"type":"tool_call","protocol":1,"requestId":"a","toolName":"t"}'


def host() -> Any:
    outgoing = HostOutgoing(Printed())
    return lambda data: len(outgoing.send(data, 0.0, cut=True))


def server() -> Any:
    outgoing = RpcOutgoing()
    return lambda data: len(outgoing.send(data, cut=True))


def socket() -> Any:
    outgoing = SocketOutgoing()
    return lambda data: len(outgoing.send(data))


@pytest.mark.parametrize(
    ("begin", "request_"),
    [(host, A), (server, A), (socket, CALL)],
    ids=["host", "exec server", "socket"],
)
def test_each_protocol_counts_a_request_once(begin: Any, request_: bytes) -> None:
    send = begin()
    assert send(request_) == 1
    # The same id again, behind the line feed of the first: one more request.
    assert send(b"\n" + request_ + b"\n") == 1
    assert send(request_[:-1]) == 0
    assert send(request_[-1:]) == 1
    assert send(b"\n") == 0
