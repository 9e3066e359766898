from wireproof import SocketHandle


def test_what_a_tool_returns(socket_client: SocketHandle) -> None:
    result = socket_client.call("conformance_echo", {"value": "é"})
    assert result == {"ok": True, "content": {"value": "é"}}


def test_what_a_tool_emits(socket_client: SocketHandle) -> None:
    socket_client.call("conformance_stream", {"parts": [{"n": 1}]})
    assert socket_client.events == [{"kind": "progress", "message": '{"n":1}'}]


def test_a_call_is_cancelled(socket_client: SocketHandle) -> None:
    call = socket_client.start("conformance_sleep", {"ms": 60_000})
    call.cancel()
    assert call.result()["error"]["code"] == "CANCELLED"


def test_a_tools_failure_is_a_result(socket_client: SocketHandle) -> None:
    result = socket_client.call("conformance_fail", {"message": "no disk"})
    assert result["ok"] is False
    assert result["error"]["message"] == "no disk"
