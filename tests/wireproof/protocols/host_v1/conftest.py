from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.checks import Settings, Target
from wireproof.protocols.host_v1._session import HostSession
from wireproof_vectors import load_setup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

START = """
import json, os, sys, time

def read():
    return json.loads(sys.stdin.buffer.readline() or b'{"method": "end"}')

def put(text):
    sys.stdout.write(text)
    sys.stdout.flush()

def say(key, **more):
    put(json.dumps({"v": 1, "id": key} | more) + "\\n")

PLAIN = {"init": {"n": 1}, "get_tool_schemas": []}

def succeed(request, value=None):
    value = PLAIN.get(request["method"], value)
    say(request["id"], ok=True, result={"value": value, "state": {"n": 1}})

def come_up():
    for _ in range(3):  # the requests of a first start
        succeed(read())
"""


@pytest.fixture
def target(tiny: str) -> Callable[..., Target]:
    """Return what makes a host of Python code, or of a fault of the tiny host."""

    def make(code: str = "", *, fault: str = "") -> Target:
        words = shlex.split(tiny)
        if code:
            words = [*words[:-1], "-c", START + code]
        elif fault:
            words.append(fault)
        return Target("host-v1", "the host", tuple(words), "the host")

    return make


@pytest.fixture
def session(target: Callable[..., Target]) -> Iterator[Callable[..., HostSession]]:
    """Return what makes a session of such a host; it is stopped in the end."""
    made: list[HostSession] = []

    def make(code: str = "", *, fault: str = "", **settings: Any) -> HostSession:
        subject = target(code, fault=fault)
        setup = load_setup("host-v1")
        made.append(HostSession(subject, Settings(Path.cwd(), **settings), setup))
        made[-1].begin()
        return made[-1]

    yield make
    for one in made:
        one.discard()


@pytest.fixture
def line() -> Callable[..., bytes]:
    """Return what makes a request, as a line."""

    def make(key: str, method: str = "no_such_method", **params: Any) -> bytes:
        message = {"v": 1, "id": key, "method": method, "params": params}
        return json.dumps(message).encode() + b"\n"

    return make
