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

OPS = ["bind", "call", "call_many", "setenv", "set_default_timeout", "load", "close"]

DESCRIPTION = {"name": "null", "version": "0", "language": "none", "ops": OPS}

FAILURE = {"error": "tool tool_1 sleepyhead timed out after 450 ms: no-such-program"}

bound: dict[str, Any] = {}


def said(request: Any, value: Any) -> Any:
    """Succeed."""
    return {"id": request["id"], "ok": True, "value": value}


def refused(request: Any) -> Any:
    """Refuse."""
    error = {"type": "Error", "detail": "no"}
    return {"id": request["id"], "ok": False, "error": error}


def described(answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Describe itself where that is asked, and answer all else so."""

    def give(request: Any) -> Any:
        if request["op"] == "describe":
            return said(request, DESCRIPTION)
        return answer(request)

    return give


def each_call(outcome: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Come to something with each call, and succeed with all else."""

    def give(request: Any) -> Any:
        match request["op"]:
            case "call":
                return said(request, outcome(request))
            case "call_many":
                return said(request, [outcome(one) for one in request["calls"]])
            case "bind":
                bound[request["name"]] = request["exec"]
                return said(request, None)
            case _:
                return said(request, None)

    return described(give)


def started(request: Any) -> Any:
    """Start the tool, say nothing to it, and come to null."""
    given = bound[request["tool"]]
    words = [given["command"], *given.get("args", ())]
    pipe = subprocess.PIPE
    process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe)
    time.sleep(0.05)
    process.kill()
    process.communicate()
    return {"result": None}


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
    "describes-and-null": described(lambda request: said(request, None)),
    "describes-and-empty": described(lambda request: said(request, {})),
    "each-call-fails": each_call(lambda request: FAILURE),
    "each-call-is-null": each_call(lambda request: {"result": None}),
    "each-call-is-empty": each_call(lambda request: {"result": {}}),
    "arguments-come-back": each_call(lambda request: {"result": request["args"]}),
    "starts-and-says-nothing": each_call(started),
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
