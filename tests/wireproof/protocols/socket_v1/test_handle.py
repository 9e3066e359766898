from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from wireproof.checks import NoAnswer, Settings, Target
from wireproof.protocols.socket_v1._protocol import PROTOCOL

SETTINGS = Settings(Path.cwd(), timeout=10.0)
REFERENCE = Target(
    "socket-v1",
    "reference",
    (sys.executable, "-m", "wireproof_reference", "socket", "{socket}"),
    "reference",
)


def test_a_handle_calls_tools() -> None:
    with PROTOCOL.handle(REFERENCE, SETTINGS) as handle:
        assert handle.call("conformance_echo", {"value": "é"}) == {
            "ok": True,
            "content": {"value": "é"},
        }
        assert handle.events == []


def test_a_handle_keeps_the_events_of_the_latest_call() -> None:
    with PROTOCOL.handle(REFERENCE, SETTINGS) as handle:
        handle.call("conformance_stream", {"parts": [{"n": 1}, {"n": 2}]})
        assert handle.events == [
            {"kind": "progress", "message": '{"n":1}'},
            {"kind": "progress", "message": '{"n":2}'},
        ]


def test_a_call_in_flight_can_be_cancelled() -> None:
    with PROTOCOL.handle(REFERENCE, SETTINGS) as handle:
        call = handle.start("conformance_sleep", {"ms": 60_000})
        call.cancel()
        result = call.result()
        assert (result["ok"], result["error"]["code"]) == (False, "CANCELLED")


def test_two_calls_can_be_in_flight() -> None:
    with PROTOCOL.handle(REFERENCE, SETTINGS) as handle:
        slow = handle.start("conformance_sleep", {"ms": 50})
        fast = handle.start("conformance_stream", {"parts": [{"n": 1}]})
        assert fast.result() == {"ok": True, "content": {"count": 1}}
        assert fast.events == [{"kind": "progress", "message": '{"n":1}'}]
        assert slow.result() == {"ok": True, "content": {"slept_ms": 50}}


def test_a_handle_knows_the_tools() -> None:
    with PROTOCOL.handle(REFERENCE, SETTINGS) as handle:
        assert "conformance_echo" in handle.tools


def test_a_handle_sends_any_message() -> None:
    with PROTOCOL.handle(REFERENCE, SETTINGS) as handle:
        frame = handle.request({"type": "list_tools", "protocol": 1})
        assert frame["type"] == "tools_list"


def test_a_call_that_fails_is_a_result() -> None:
    with PROTOCOL.handle(REFERENCE, SETTINGS) as handle:
        result = handle.call("conformance_no_such_tool", {})
        assert result["ok"] is False


def test_an_error_frame_can_be_looked_at() -> None:
    with PROTOCOL.handle(REFERENCE, SETTINGS) as handle:
        message = {"type": "tool_call", "protocol": 2, "toolName": "conformance_echo"}
        assert handle.request(message)["type"] == "error"


def test_a_call_without_an_answer_is_told(tiny_socket: str) -> None:
    words = tuple(shlex.split(f"{tiny_socket} mute"))
    target = Target("socket-v1", "it", words, "it")
    settings = Settings(Path.cwd(), timeout=0.5)
    with (
        PROTOCOL.handle(target, settings) as handle,
        pytest.raises(NoAnswer, match=r"^look: no answer came"),
    ):
        handle.call("look", {})


def test_a_server_that_does_not_start_is_told_with_its_stderr() -> None:
    code = "import sys; print('no licence', file=sys.stderr); sys.exit(3)"
    target = Target("socket-v1", "it", (sys.executable, "-c", code, "{socket}"), "it")
    with pytest.raises(NoAnswer, match=r"(?s)status 3.*no licence"):
        PROTOCOL.handle(target, SETTINGS).__enter__()
