"""Drivers that misuse their pipes, their process or the machine: ``NAME``.

All but one are the null client that starts a host and no more, with a fault added.
Each ends after two minutes at the latest, so that none outlives a failed test for long.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

from tests.proof.host_client.null_driver import OPS, SUCCESS
from tests.proof.null_driver import DESCRIPTION, LIFETIME, said

MEBIBYTE = 1 << 20


def start(request: Any) -> subprocess.Popen[bytes]:
    """Start the host that is named."""
    pipe = subprocess.PIPE
    return subprocess.Popen(request["command"], stdin=pipe, stdout=pipe)


def many_hosts(request: Any) -> None:
    """Start a hundred hosts, and leave them."""
    for _ in range(100):
        start(request)


def flood(request: Any) -> None:
    """Write to the host a line without end."""
    process = start(request)
    assert process.stdin is not None
    try:
        for _ in range(200):
            process.stdin.write(b"x" * MEBIBYTE)
    except BrokenPipeError:
        pass


def many_lines(request: Any) -> None:
    """Write a million lines to the host."""
    process = start(request)
    assert process.stdin is not None
    line = b'{"v":1,"id":"1","method":"init","params":{}}\n'
    try:
        for _ in range(1_000):
            process.stdin.write(line * 1_000)
    except BrokenPipeError:
        pass


def flood_suite(request: Any) -> None:
    """Write an answer without end."""
    for _ in range(200):
        os.write(1, b"x" * MEBIBYTE)


def leave_a_child(request: Any) -> None:
    """Leave a child in a session of its own that holds all pipes."""
    code = f"import time; time.sleep({LIFETIME})"
    subprocess.Popen([sys.executable, "-S", "-c", code], start_new_session=True)


def pretend(request: Any) -> None:
    """Speak to the suite as the scripted host does, and say what it never says."""
    with socket.socket(socket.AF_UNIX) as suite:
        suite.connect(request["command"][-1])
        suite.recv(MEBIBYTE)
        suite.sendall(b'not json\n{"line": 7}\n[]\n')


def ignore_the_end(request: Any) -> None:
    """Heed neither signals nor the end of input."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


SUBJECTS: Mapping[str, Callable[[Any], None]] = {
    "many-hosts": many_hosts,
    "floods-the-host": flood,
    "many-lines": many_lines,
    "floods-the-suite": flood_suite,
    "leaves-a-child": leave_a_child,
    "pretends-to-be-the-host": pretend,
    "ignores-the-end": ignore_the_end,
}
"""What each does when it is asked to start a host."""


def main(name: str) -> None:
    """Be the driver of that name."""
    signal.alarm(LIFETIME)
    for line in sys.stdin.buffer:
        request = json.loads(line)
        value = {**DESCRIPTION, "ops": OPS} if request["op"] == "describe" else SUCCESS
        if request["op"] == "start":
            SUBJECTS[name](request)
        sys.stdout.write(json.dumps(said(request, value)) + "\n")
        sys.stdout.flush()
    if name == "ignores-the-end":
        time.sleep(LIFETIME)


if __name__ == "__main__":
    main(*sys.argv[1:])
