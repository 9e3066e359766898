"""Answers every request in one and the same way: ``python null_host.py NAME``."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

Answer = Callable[[Any], Any]


def same_failure(request: Any) -> Any:
    """Refuse."""
    error = {"type": "Error", "detail": "no"}
    return {"v": 1, "id": _id(request), "ok": False, "error": error}


def same_failure_without_id(request: Any) -> Any:
    """Refuse under no id."""
    return {**same_failure(request), "id": None}


def same_success(request: Any) -> Any:
    """Agree."""
    result: Any = {"value": None, "state": {}}
    return {"v": 1, "id": _id(request), "ok": True, "result": result}


def same_rich_success(request: Any) -> Any:
    """Agree with what might do for a call, a state and an object."""
    value = {"success": True, "result": None}
    return {
        "v": 1,
        "id": _id(request),
        "ok": True,
        "result": {"value": value, "state": value},
    }


def same_empty_list(request: Any) -> Any:
    """Agree with an empty list, which might do for schemas and tags."""
    return {
        "v": 1,
        "id": _id(request),
        "ok": True,
        "result": {"value": [], "state": {}},
    }


def request_with_ok(request: Any) -> Any:
    """Send the request back with ok true."""
    return {**request, "ok": True} if isinstance(request, dict) else request


def init_only(request: Any) -> Any:
    """Answer init, and nothing else."""
    if isinstance(request, dict) and request.get("method") == "init":
        return same_success(request) | {"result": {"value": {}, "state": {}}}
    return None


def init_and_failure(request: Any) -> Any:
    """Answer init, and refuse everything else."""
    return init_only(request) or same_failure(request)


ANSWERS: Mapping[str, Answer] = {
    "same-failure": same_failure,
    "same-failure-without-id": same_failure_without_id,
    "same-success": same_success,
    "same-rich-success": same_rich_success,
    "same-empty-list": same_empty_list,
    "request-with-ok": request_with_ok,
    "init-only": init_only,
    "init-and-failure": init_and_failure,
}


def main(name: str) -> None:
    """Be the subject of that name."""
    if name == "closes-stdout":
        os.close(1)
        time.sleep(60)
    elif name == "noise":
        while True:
            os.write(1, os.urandom(64).hex().encode() + b"\n")
            time.sleep(0.005)
    else:
        for line in sys.stdin.buffer:
            _reply(ANSWERS[name], line)


def _reply(answer: Answer, line: bytes) -> None:
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        request = None
    reply = answer(request)
    if reply is not None:
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


def _id(request: Any) -> Any:
    return request.get("id") if isinstance(request, dict) else None


if __name__ == "__main__":
    main(sys.argv[1])
