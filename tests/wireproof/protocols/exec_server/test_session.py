from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from wireproof.checks import Settings, Target
from wireproof.exec_tools import ExecSettings
from wireproof.line import Missing
from wireproof.protocols.exec_server._session import ServerSession
from wireproof_vectors import load_setup

if TYPE_CHECKING:
    from collections.abc import Iterator

SERVER = """
import json, sys, time

for line in sys.stdin:
    request = json.loads(line)
    wanted = request["params"]["args"]
    if wanted == "deaf":
        time.sleep(60)
    if wanted != "silent":
        answer = {"jsonrpc": "2.0", "id": request["id"], "result": wanted}
        print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ServerSession]:
    """Return a session of a server that leaves some calls unanswered."""
    monkeypatch.setattr("wireproof.subjects._patience.FLOOR_SECONDS", 0.2)
    monkeypatch.setattr("wireproof.line._stdio_nudges.NUDGED_SECONDS", 0.2)
    command = (sys.executable, "-S", "-c", SERVER)
    settings = Settings(Path.cwd(), own=ExecSettings(arguments=({},)))
    target = Target("exec-server", "the server", command, "the server")
    session = ServerSession(target, settings, load_setup("exec-server"))
    session.begin()
    assert session.ensure_up() is None
    yield session
    session.stop()


def test_a_server_that_left_a_call_unanswered_and_answers_another_lives_on(
    server: ServerSession,
) -> None:
    assert isinstance(server.call("silent"), Missing)
    assert server.lives_on()


def test_one_that_answers_nothing_any_more_does_not(server: ServerSession) -> None:
    assert isinstance(server.call("deaf"), Missing)
    assert not server.lives_on()


def test_one_that_has_half_a_line_is_not_asked(server: ServerSession) -> None:
    server.deliver(b'{"jsonrpc"', None)
    assert not server.lives_on()


def test_one_whose_tool_may_be_at_work_is_not_asked(server: ServerSession) -> None:
    server.declare_delay(5.0)
    server.deliver(b"\n", None)
    assert not server.lives_on()


def test_the_start_of_a_server_is_no_latency_of_it(server: ServerSession) -> None:
    assert server.patience.latency == 0.0
    assert server.fence() is None
    known = server.patience.latency
    assert known > 0.0
    server.stop()
    assert server.ensure_up() is None
    assert server.patience.latency == known
