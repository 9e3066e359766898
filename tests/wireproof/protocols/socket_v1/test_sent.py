"""What is sent is read as the server will read it."""

import pytest

from wireproof.protocols.socket_v1._sent import (
    Sent,
    SentBad,
    SentCall,
    SentCancel,
    SentList,
    SocketOutgoing,
)

CALL = b'{"type":"tool_call","requestId":"a","toolName":"t"'


def read(data: bytes) -> list[Sent]:
    return SocketOutgoing().send(data)


@pytest.mark.parametrize(
    ("line", "sent"),
    [
        (b'{"type":"list_tools"}', SentList()),
        (b'{"type":"list_tools","protocol":1.0,"x":1}', SentList()),
        (b'{"type":"cancel_tool_call","requestId":"a"}', SentCancel("a")),
        (CALL + b"}", SentCall("a", "t")),
        (CALL + b',"arguments":{},"timeoutMs":5.0}', SentCall("a", "t")),
        (CALL + b',"clientInfo":{"caller":"agent"}}', SentCall("a", "t")),
        (CALL + b',"protocol":2}', SentBad(("a",))),
        (CALL + b',"protocol":true}', SentBad(("a",))),
        (CALL + b',"arguments":null}', SentBad(("a",))),
        (CALL + b',"arguments":[]}', SentBad(("a",))),
        (CALL + b',"timeoutMs":0}', SentBad(("a",))),
        (CALL + b',"timeoutMs":1.5}', SentBad(("a",))),
        (CALL + b',"timeoutMs":true}', SentBad(("a",))),
        (CALL + b',"timeoutMs":"5"}', SentBad(("a",))),
        (CALL + b',"clientInfo":{"caller":"me"}}', SentBad(("a",))),
        (b'{"type":"tool_call","toolName":"t"}', SentBad(())),
        (b'{"type":"hello"}', SentBad(())),
        (b"[]", SentBad(())),
        (b"hello", SentBad(())),
        (b"\xff", SentBad(())),
        (b'{"requestId" : "\\u0061\\"" ,', SentBad(('a"',))),
        (b"{'requestId': 'a b'}", SentBad(("a b",))),
        (b'{requestId:"a"}', SentBad(("a",))),
    ],
)
def test_a_line_is_read(line: bytes, sent: Sent) -> None:
    assert read(line + b"\n") == [sent]


def test_blank_lines_are_nothing() -> None:
    assert read(b"\n\r\n \n") == []


def test_a_line_is_complete_with_its_line_feed() -> None:
    outgoing = SocketOutgoing()
    assert outgoing.send(b'{"type":"list_') == []
    assert outgoing.send(b'tools"}\n{') == [SentList()]
