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
    from collections.abc import Callable, Iterator

    Open = Callable[[str], ServerSession]

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


READS = """
import json, os

while data := os.read(0, 1 << 16):
    for line in data.splitlines()[-1:]:
        request = json.loads(line)
        answer = {"jsonrpc": "2.0", "id": request["id"], "result": 1}
        stray = {"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": ""}}
        out = [answer] if data.count(b"\\n") == 1 else [stray, answer]
        os.write(1, b"".join(json.dumps(one).encode() + b"\\n" for one in out))
"""


@pytest.fixture
def open_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Return what starts a server and opens a session of it."""
    monkeypatch.setattr("wireproof.subjects._patience.FLOOR_SECONDS", 0.2)
    monkeypatch.setattr("wireproof.line._stdio_nudges.NUDGED_SECONDS", 0.2)
    opened: list[ServerSession] = []

    def start(source: str) -> ServerSession:
        command = (sys.executable, "-S", "-c", source)
        settings = Settings(Path.cwd(), own=ExecSettings(arguments=({},)))
        target = Target("exec-server", "the server", command, "the server")
        session = ServerSession(target, settings, load_setup("exec-server"))
        opened.append(session)
        session.begin()
        assert session.ensure_up() is None
        return session

    yield start
    for session in opened:
        session.stop()


@pytest.fixture
def server(open_server: Open) -> ServerSession:
    """Return a session of a server that leaves some calls unanswered."""
    return open_server(SERVER)


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


def test_one_that_answers_all_of_a_read_loses_nothing(server: ServerSession) -> None:
    assert not server.reads.loses_lines


def test_one_that_answers_the_last_of_a_read_loses_the_others(
    open_server: Open,
) -> None:
    server = open_server(READS)
    assert server.reads.loses_lines
    # What it answered instead is not charged to the check in hand.
    assert not server.deviations
    assert not server.strays()


def test_one_that_answers_nothing_any_more_is_not_said_to_lose_of_a_read(
    server: ServerSession,
) -> None:
    assert isinstance(server.call("deaf"), Missing)
    assert not server.reads.loses_lines
