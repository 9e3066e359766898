import pytest

from wireproof import HostHandle, NoAnswer


def test_what_a_tool_returns(host: HostHandle) -> None:
    answered = host.execute("conformance_echo", {"value": "é"})
    assert answered == {"success": True, "result": {"value": "é"}}


def test_what_a_tool_emits(host: HostHandle) -> None:
    host.execute("conformance_stream", {"parts": [{"n": 1}, {"n": 2}]})
    assert host.parts == [{"n": 1}, {"n": 2}]


def test_the_state_goes_along(host: HostHandle) -> None:
    host.execute("conformance_counter", {"by": 2})
    assert host.state == {"conformance_counter": 2}


def test_a_failure_response_is_an_error(host: HostHandle) -> None:
    response = host.request("no_such_method")
    assert response["ok"] is False
    with pytest.raises(NoAnswer, match="no_such_tool"):
        host.execute("no_such_tool", {})
