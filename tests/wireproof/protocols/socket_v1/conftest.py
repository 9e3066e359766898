from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.checks import Settings, Target
from wireproof.protocols.socket_v1._session import SocketSession
from wireproof_vectors import load_setup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture
def session(tiny_socket: str) -> Iterator[Callable[..., SocketSession]]:
    """Return what makes a session of the tiny server; it is stopped in the end."""
    made: list[SocketSession] = []

    def make(fault: str = "", **settings: Any) -> SocketSession:
        words = shlex.split(f"{tiny_socket} {fault}")
        target = Target("socket-v1", "it", tuple(words), "it")
        setup = load_setup("socket-v1")
        made.append(SocketSession(target, Settings(Path.cwd(), **settings), setup))
        made[-1].begin()
        return made[-1]

    yield make
    for one in made:
        one.stop()
