from __future__ import annotations

import socket
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

from wireproof.subjects import ScriptedPeer
from wireproof.subjects._scripted_peer import MOST_STARTS

LONG = 60  # seconds after which a test fails rather than hangs

GREETS = [{"write": {"hello": "é"}}, {"await_eof": True}]


def start(peer: ScriptedPeer) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    return subprocess.Popen(peer.command, stdin=pipe, stdout=pipe)


def said(peer: ScriptedPeer, place: int = 0) -> list[Any]:
    return [dict(report.data) for report in peer.playings[place].reports]


def test_it_tells_what_the_program_did() -> None:
    with ScriptedPeer([GREETS]) as peer, start(peer) as process:
        out, _ = process.communicate(b"rest", LONG)
        assert peer.await_over(LONG)
    assert out == '{"hello":"é"}\n'.encode()
    assert said(peer) == [
        {"writes": '{"hello":"Ã©"}\n', "message": {"hello": "é"}},
        {"waits": True},
        {"fragment": "rest"},
        {"exits": 0},
    ]


def test_it_is_settled_when_the_script_waits_for_the_end_alone() -> None:
    with ScriptedPeer([GREETS]) as peer, start(peer) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert peer.await_settled(LONG)
        assert not peer.playings[0].over
        process.communicate()


def test_it_is_not_settled_while_the_script_waits_for_a_message() -> None:
    with ScriptedPeer([[*GREETS[:1], {"read": "a"}]]) as peer, start(peer) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert not peer.await_settled(0.01)
        process.communicate()


def test_each_start_has_a_script_of_its_own_and_the_next_has_none() -> None:
    with ScriptedPeer([GREETS, [{"exit": 3}]]) as peer:
        status: list[int] = []
        for _ in range(3):
            process = start(peer)
            process.communicate(b"", LONG)
            status.append(process.returncode)
        assert peer.await_over(LONG)
    assert status == [0, 3, 70]
    assert len(peer.playings) == 3


def test_starts_without_end_are_not_heeded() -> None:
    with ScriptedPeer([]) as peer:
        for _ in range(MOST_STARTS + 2):
            start(peer).communicate(b"", LONG)
    assert len(peer.playings) == MOST_STARTS


def test_leaving_it_ends_a_program_that_runs() -> None:
    with ScriptedPeer([GREETS]) as peer:
        process = start(peer)
        assert process.stdout is not None
        process.stdout.readline()
    assert process.wait(LONG) == 70
    process.communicate()


def test_leaving_it_leaves_nothing_behind() -> None:
    before = threading.active_count()
    with ScriptedPeer([GREETS]) as peer:
        path = Path(peer.command[-1])
        assert path.is_socket()
    assert not path.parent.exists()
    assert threading.active_count() == before


@pytest.mark.parametrize("size", [1, 3_000_000])
def test_a_long_line_is_told_whole(size: int) -> None:
    line = b'"' + b"x" * size + b'"'
    with ScriptedPeer([[{"read": "a"}, {"await_eof": True}]]) as peer:
        start(peer).communicate(line + b"\n", LONG)
        assert peer.await_over(LONG)
    assert said(peer)[0] == {"line": line.decode()}
    assert said(peer)[1] == {"took": "a", "request": "x" * size}


@pytest.mark.parametrize("said", [b"not json\n", b"[]\n"])
def test_a_stranger_on_the_socket_is_not_heeded(said: bytes) -> None:
    with ScriptedPeer([GREETS]) as peer, socket.socket(socket.AF_UNIX) as stranger:
        stranger.connect(peer.command[-1])
        stranger.recv(1 << 16)
        stranger.sendall(said)
        assert peer.await_over(LONG)
    assert peer.playings[0].reports == []


def test_a_program_that_reads_nothing_ends_once_it_is_let_go() -> None:
    script = [GREETS[0], {"await_close": True}]
    with ScriptedPeer([script]) as peer, start(peer) as program:
        assert program.stdout is not None
        program.stdout.readline()
        assert peer.await_settled(LONG)
        peer.let_go()
        assert peer.await_over(LONG)
        assert program.wait(LONG) == 0
