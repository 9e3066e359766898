"""Treats every op in one and the same way: ``NAME``, run as a module."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Mapping
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

OPS = ["bind", "call", "call_many", "setenv", "set_default_timeout", "load", "close"]

FAILURE = {"error": "tool tool_1 sleepyhead timed out after 450 ms: no-such-program"}

bound: dict[str, Any] = {}


def each_call(outcome: Callable[[Any], Any]) -> Answer:
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


RUNTIMES: Mapping[str, Answer] = {
    "says-nothing": wait,
    "noise": make_noise,
    **ANSWERS,
    "describes-and-ends": described(leave),
    "each-call-fails": each_call(lambda request: FAILURE),
    "each-call-is-null": each_call(lambda request: {"result": None}),
    "each-call-is-empty": each_call(lambda request: {"result": {}}),
    "arguments-come-back": each_call(lambda request: {"result": request["args"]}),
    "starts-and-says-nothing": each_call(started),
}


if __name__ == "__main__":
    serve(RUNTIMES[sys.argv[1]], OPS)
