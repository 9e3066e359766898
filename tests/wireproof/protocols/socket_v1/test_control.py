"""Which request proves that a server serves, where its listing takes long."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.protocols.socket_v1._control import find_control
from wireproof.protocols.socket_v1._ledger import SocketArrival

if TYPE_CHECKING:
    from collections.abc import Mapping

LISTING = {"type": "list_tools", "protocol": 1}
CALL = {"type": "tool_call", "protocol": 1, "toolName": "conformance_echo"}


class Asking:
    """A session of a server whose answers take so many seconds, of a clock of its own.

    Attributes:
        now: What the clock says.
        listings: The seconds of each listing, the first one first.
    """

    allowed_tool = ""
    ledgers = ()

    def __init__(self, *listings: float) -> None:
        self.now = 0.0
        self.listings = list(listings)
        self.tools: Mapping[str, Any] = {}
        self.lists_slowly = False

    def ask_first(self, request: Mapping[str, Any]) -> SocketArrival:
        return self.ask(request)

    def ask(self, request: Mapping[str, Any]) -> SocketArrival:
        lists = request["type"] == "list_tools"
        self.now += self.listings.pop(0) if lists else 0.001
        name = request.get("toolName")
        value: Any = {"type": "tool_result", "result": {"ok": name in self.tools}}
        if lists:
            value = {"type": "tools_list", "tools": [{"name": CALL["toolName"]}]}
        return SocketArrival(self.now, value, b"", (), 1)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[Asking]:
    asked: list[Asking] = []
    ticking = SimpleNamespace(monotonic=lambda: asked[0].now)
    monkeypatch.setattr("wireproof.protocols.socket_v1._control.time", ticking)
    return asked


@pytest.mark.parametrize(
    ("listings", "control", "slowly"),
    [
        ((0.01,), LISTING, False),
        ((1.0, 1.0), CALL, True),
        ((1.0, 0.01), LISTING, False),  # the first took longer than any later one
    ],
)
def test_a_server_that_lists_slowly_is_asked_for_something_else(
    clock: list[Asking],
    listings: tuple[float, ...],
    control: Mapping[str, Any],
    *,
    slowly: bool,
) -> None:
    session: Any = Asking(*listings)
    clock.append(session)
    assert find_control(session, [LISTING, CALL], None) == control
    assert session.lists_slowly is slowly
