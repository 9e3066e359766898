"""Treats every op in one and the same way: ``python null_driver.py NAME OP,OP,…``.

Each ends after two minutes at the latest, so that none outlives a failed test for long.
The drivers of protocols whose null subjects do a little more begin with this one.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Answer = Callable[[Any], Any]
"""What is answered to a request, both as JSON values."""

LIFETIME = 120
"""Seconds after which the system ends a subject that nobody ended."""

DESCRIPTION: dict[str, Any] = {
    "name": "null",
    "version": "0",
    "language": "none",
    "ops": [],
}
"""What it says of itself; `serve` enters the ops."""


def said(request: Any, value: Any) -> Any:
    """Succeed."""
    return {"id": request["id"], "ok": True, "value": value}


def refused(request: Any) -> Any:
    """Refuse."""
    error = {"type": "Error", "detail": "no"}
    return {"id": request["id"], "ok": False, "error": error}


def described(answer: Answer) -> Answer:
    """Describe itself where that is asked, and answer all else so."""

    def give(request: Any) -> Any:
        if request["op"] == "describe":
            return said(request, DESCRIPTION)
        return answer(request)

    return give


def first(request: Any) -> Any:
    """Return an op's first argument."""
    given = (v for k, v in request.items() if k not in ("id", "op", "echo"))
    return next(given, None)


def leave(request: Any) -> Any:
    """Exit."""
    sys.exit(0)


def wait(request: Any) -> Any:
    """Give no answer."""
    time.sleep(LIFETIME)


def make_noise(request: Any) -> Any:
    """Write lines without end that mean nothing."""
    while True:
        os.write(1, os.urandom(64).hex().encode() + b"\n")


ANSWERS: Mapping[str, Answer] = {
    "same-failure": refused,
    "same-description": lambda request: said(request, DESCRIPTION),
    "no-ops": lambda request: said(request, {**DESCRIPTION, "ops": []}),
    "describes-and-refuses": described(refused),
    "describes-and-null": described(lambda request: said(request, None)),
    "describes-and-empty": described(lambda request: said(request, {})),
}
"""What subjects of all protocols answer, by their names."""

REGISTRIES: Mapping[str, Answer] = {
    "sleeps": wait,
    "noise": make_noise,
    **ANSWERS,
    "describes-and-back": described(lambda request: said(request, first(request))),
    "describes-and-no-value": described(lambda request: {"id": request["id"]}),
    "unknown-ops": lambda request: said(request, {**DESCRIPTION, "ops": ["purr"]}),
}
"""What those answer of which nothing more is asked than the ops' own values."""


def serve(answer: Answer, ops: Sequence[str]) -> None:
    """Answer each request so, until they end."""
    signal.alarm(LIFETIME)
    DESCRIPTION["ops"] = list(ops)
    for line in sys.stdin.buffer:
        sys.stdout.write(json.dumps(answer(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve(REGISTRIES[sys.argv[1]], sys.argv[2].split(","))
