"""What a frame is to what waits for it."""

from __future__ import annotations

from typing import Any

import pytest

from wireproof.protocols.socket_v1._frames import is_the_servers_own
from wireproof.protocols.socket_v1._ledger import SocketArrival


def event(**fields: Any) -> SocketArrival:
    value = {"type": "tool_event", "requestId": "a", "event": fields}
    return SocketArrival(0.0, value, b"", (), 0)


@pytest.mark.parametrize(
    ("fields", "is_own"),
    [
        ({"kind": "log", "message": "it begins"}, True),
        ({"kind": "a kind of its own"}, True),
        ({"kind": "progress"}, True),
        ({"kind": "progress", "message": None, "fraction": 0.5}, True),
        ({"kind": "progress", "message": "half of it"}, True),
        # What a stream emits, and what becomes of it.
        ({"kind": "progress", "message": '{"n": 1}'}, False),
        ({"kind": "progress", "message": "{'n': 1}"}, False),
        ({"kind": "progress", "message": "[object Object]"}, False),
        ({"kind": "progress", "message": {"n": 1}}, False),
        ({"kind": 5}, False),
    ],
)
def test_an_event_of_the_servers_own_is_told_from_what_a_tool_emits(
    fields: dict[str, Any], *, is_own: bool
) -> None:
    assert is_the_servers_own(event(**fields), {"type": "tool_result"}) is is_own


@pytest.mark.parametrize(
    "wanted", [{"kind": "progress"}, {"kind": "progress", "message": "half of it"}]
)
def test_an_event_that_is_waited_for_is_none_of_the_servers_own(wanted: Any) -> None:
    came = event(kind="progress", message="half of it")
    assert not is_the_servers_own(came, {"type": "tool_event", "event": wanted})


def test_it_is_passed_over_where_the_first_event_of_a_tool_is_waited_for() -> None:
    came = event(kind="progress", message="half of it")
    assert is_the_servers_own(came, {"type": "tool_event", "requestId": "a"})


def test_a_result_is_none() -> None:
    value = {"type": "tool_result", "requestId": "a", "result": {"ok": True}}
    came = SocketArrival(0.0, value, b"", (), 0)
    assert not is_the_servers_own(came, None)
