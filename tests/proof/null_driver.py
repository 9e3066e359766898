"""Treats every op in one and the same way: ``python null_driver.py NAME OP,OP,…``.

Each ends after two minutes at the latest, so that none outlives a failed test for long.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

LIFETIME = 120
"""Seconds after which the system ends a subject that nobody ended."""

DESCRIPTION = {
    "name": "null",
    "version": "0",
    "language": "none",
    "ops": sys.argv[2].split(",") if len(sys.argv) > 2 else [],
}


def said(request: Any, value: Any) -> Any:
    """Succeed."""
    return {"id": request["id"], "ok": True, "value": value}


def refused(request: Any, detail: str) -> Any:
    """Refuse."""
    error = {"type": "Error", "detail": detail}
    return {"id": request["id"], "ok": False, "error": error}


def described(answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
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


ANSWERS: Mapping[str, Callable[[Any], Any]] = {
    "same-failure": lambda request: refused(request, "no"),
    "same-description": lambda request: said(request, DESCRIPTION),
    "no-ops": lambda request: said(request, {**DESCRIPTION, "ops": []}),
    "described-and-refuses": described(lambda request: refused(request, "no")),
    "described-and-null": described(lambda request: said(request, None)),
    "described-and-empty": described(lambda request: said(request, {})),
    "described-and-back": described(lambda request: said(request, first(request))),
    "described-and-no-value": described(lambda request: {"id": request["id"]}),
    "unknown-ops": lambda request: said(request, {**DESCRIPTION, "ops": ["purr"]}),
}


def main(name: str, ops: str) -> None:
    """Be the subject of that name."""
    signal.alarm(LIFETIME)
    if name == "sleeps":
        time.sleep(LIFETIME)
    if name == "noise":
        while True:
            os.write(1, os.urandom(64).hex().encode() + b"\n")
    for line in sys.stdin.buffer:
        sys.stdout.write(json.dumps(ANSWERS[name](json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
