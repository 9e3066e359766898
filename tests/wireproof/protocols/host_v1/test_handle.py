from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from wireproof.checks import NoAnswer, Settings
from wireproof.protocols import protocol_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireproof.checks import Target
    from wireproof.protocols.host_v1._handle import HostHandle

    MakeTarget = Callable[..., Target]

SETTINGS = Settings(Path.cwd(), timeout=5.0)


def handle_of(target: Target) -> HostHandle:
    handle: Any = protocol_for("host").handle(target, SETTINGS)
    return cast("HostHandle", handle)


def test_a_handle_calls_tools(target: MakeTarget) -> None:
    with handle_of(target()) as handle:
        assert handle.state == {"n": 0}
        assert handle.execute("conformance_echo", {"value": "é"}) == {
            "success": True,
            "result": {"value": "é"},
        }


def test_a_handle_sends_any_request(target: MakeTarget) -> None:
    with handle_of(target()) as handle:
        response = handle.request("no_such_method")
        assert response["ok"] is False
        assert response["error"]["detail"] == "no method 'no_such_method'"


def test_a_handle_carries_the_latest_state(target: MakeTarget) -> None:
    code = (
        "come_up()\n"
        "first = read(); succeed(first, first['params']['state'])\n"
        "second = read(); say(second['id'], ok=True, result={'value': 1})\n"
        "read(); sys.stdin.read()"
    )
    with handle_of(target(code)) as handle:
        handle.state = {"n": 7}
        assert handle.execute("tool", {}) == {"n": 7}
        assert handle.state == {"n": 1}
        handle.execute("tool", {})
        assert handle.state == {"n": 1}


def test_a_failure_response_is_no_answer_of_a_tool(target: MakeTarget) -> None:
    with (
        handle_of(target()) as handle,
        pytest.raises(NoAnswer, match=r"^no_tool: .*no tool"),
    ):
        handle.execute("no_tool", {})


def test_a_host_that_dies_is_told_with_its_status(target: MakeTarget) -> None:
    with (
        handle_of(target("come_up(); read(); sys.exit(3)")) as handle,
        pytest.raises(NoAnswer, match=r"^get_tags: the subject exited$"),
    ):
        handle.request("get_tags", {})


def test_a_host_that_does_not_come_up_is_told_with_its_stderr(
    target: MakeTarget,
) -> None:
    handle = handle_of(target(fault="dies"))
    with pytest.raises(NoAnswer) as raised, handle:
        pass
    assert str(raised.value) == (
        "the subject exited with status 1 before it answered anything\n"
        "the configuration is missing"
    )
