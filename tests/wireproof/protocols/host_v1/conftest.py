from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest

from wireproof.checks import Target

if TYPE_CHECKING:
    from collections.abc import Callable

# A handle sends init and a control.
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
    succeed(read())
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
