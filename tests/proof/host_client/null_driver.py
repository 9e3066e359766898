"""Treats every op in one and the same way: ``python null_driver.py NAME``.

Each ends after two minutes at the latest, so that none outlives a failed test for long.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

LIFETIME = 120
"""Seconds after which the system ends a subject that nobody ended."""

OPS = [
    "start",
    "request",
    "execute",
    "request_many",
    "execute_many",
    "format_result",
    "state",
    "close",
]

DESCRIPTION = {"name": "null", "version": "0", "language": "none", "ops": OPS}

FAILURE = {"error": {"type": "Error", "detail": "exit 77, SIGKILL 9: out of cheese"}}

SUCCESS = {
    "state": {"n": 0},
    "value": ["a"],
    "chunks": [],
    "result": {"success": True, "result": 1},
    "text": "plain text",
}

INIT = b'{"v":1,"id":"1","method":"init","params":{"config":{}}}\n'

hosts: list[subprocess.Popen[bytes]] = []


def said(request: Any, value: Any) -> Any:
    """Succeed."""
    return {"id": request["id"], "ok": True, "value": value}


def refused(request: Any) -> Any:
    """Refuse."""
    error = {"type": "Error", "detail": "no"}
    return {"id": request["id"], "ok": False, "error": error}


def started(request: Any) -> None:
    """Start a host where that is asked, and say nothing to it."""
    if request["op"] == "start":
        pipe = subprocess.PIPE
        hosts.append(subprocess.Popen(request["command"], stdin=pipe, stdout=pipe))


def init(request: Any) -> Any:
    """Start a host where that is asked, send it init, and return its state."""
    started(request)
    process = hosts[-1]
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(INIT)
    process.stdin.flush()
    line = process.stdout.readline()
    return json.loads(line)["result"]["state"] if line else None


def described(answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Describe itself where that is asked, and answer all else so."""

    def give(request: Any) -> Any:
        if request["op"] == "describe":
            return said(request, DESCRIPTION)
        return answer(request)

    return give


def after_start(answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Start a host, say nothing to it, and answer all so."""

    def give(request: Any) -> Any:
        started(request)
        return answer(request)

    return described(give)


def after_init(value: Any) -> Callable[[Any], Any]:
    """Start a host, take its state, and come to the same with all else."""

    def give(request: Any) -> Any:
        if request["op"] != "start":
            return said(request, value)
        state = init(request)
        return said(request, FAILURE if state is None else {"state": state})

    return described(give)


def leave(request: Any) -> Any:
    """Exit."""
    sys.exit(0)


def wait(request: Any) -> Any:
    """Give no answer."""
    time.sleep(LIFETIME)


ANSWERS: Mapping[str, Callable[[Any], Any]] = {
    "says-nothing": wait,
    "same-failure": refused,
    "same-description": lambda request: said(request, DESCRIPTION),
    "no-ops": lambda request: said(request, {**DESCRIPTION, "ops": []}),
    "describes-and-ends": described(leave),
    "describes-and-refuses": described(refused),
    "describes-and-fails": described(lambda request: said(request, FAILURE)),
    "describes-and-null": described(lambda request: said(request, None)),
    "describes-and-empty": described(lambda request: said(request, {})),
    "describes-and-succeeds": described(lambda request: said(request, SUCCESS)),
    "starts-and-says-nothing": after_start(wait),
    "starts-and-succeeds": after_start(lambda request: said(request, SUCCESS)),
    "starts-and-fails": after_start(lambda request: said(request, FAILURE)),
    "inits-and-fails": after_init(FAILURE),
    "inits-and-succeeds": after_init(SUCCESS),
}


def main(name: str) -> None:
    """Be the subject of that name."""
    signal.alarm(LIFETIME)
    if name == "noise":
        while True:
            os.write(1, os.urandom(64).hex().encode() + b"\n")
    for line in sys.stdin.buffer:
        sys.stdout.write(json.dumps(ANSWERS[name](json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
