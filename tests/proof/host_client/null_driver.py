"""Treats every op in one and the same way: ``NAME``, run as a module."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from tests.proof.null_driver import (
    ANSWERS,
    Answer,
    described,
    leave,
    make_noise,
    said,
    serve,
    wait,
)

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


def after_start(answer: Answer) -> Answer:
    """Start a host, say nothing to it, and answer all so."""

    def give(request: Any) -> Any:
        started(request)
        return answer(request)

    return described(give)


def after_init(value: Any) -> Answer:
    """Start a host, take its state, and come to the same with all else."""

    def give(request: Any) -> Any:
        if request["op"] != "start":
            return said(request, value)
        state = init(request)
        return said(request, FAILURE if state is None else {"state": state})

    return described(give)


NOTHING: Mapping[str, Answer] = {
    "says-nothing": wait,
    "noise": make_noise,
    **ANSWERS,
    "describes-and-ends": described(leave),
    "describes-and-fails": described(lambda request: said(request, FAILURE)),
    "describes-and-succeeds": described(lambda request: said(request, SUCCESS)),
    "starts-and-says-nothing": after_start(wait),
    "starts-and-succeeds": after_start(lambda request: said(request, SUCCESS)),
    "starts-and-fails": after_start(lambda request: said(request, FAILURE)),
}

ALMOST_NOTHING: Mapping[str, Answer] = {
    "inits-and-fails": after_init(FAILURE),
    "inits-and-succeeds": after_init(SUCCESS),
}


if __name__ == "__main__":
    serve({**NOTHING, **ALMOST_NOTHING}[sys.argv[1]], OPS)
