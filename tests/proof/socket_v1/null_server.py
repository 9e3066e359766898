"""Treats every client in one and the same way: ``python null_server.py NAME SOCKET``.

Each ends after two minutes at the latest, so that none outlives a failed test for long.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

LIFETIME = 120
"""Seconds after which the system ends a subject that nobody ended."""

Answer = Callable[[Any], Any]


def same_error(request: Any) -> Any:
    """Refuse."""
    return {
        "type": "error",
        "protocol": 1,
        "requestId": _id(request),
        "code": "PROTOCOL_ERROR",
        "message": "no",
    }


def same_list(request: Any) -> Any:
    """List the same tool."""
    tool = {"name": "conformance_echo", "description": "", "inputSchema": {}}
    return {"type": "tools_list", "protocol": 1, "tools": [tool]}


def same_empty_list(request: Any) -> Any:
    """List nothing."""
    return {"type": "tools_list", "protocol": 1, "tools": []}


def same_success(request: Any) -> Any:
    """Succeed."""
    return _result(request, {"ok": True, "content": None})


def same_failure(request: Any) -> Any:
    """Fail."""
    error = {"code": "TOOL_FAILED", "message": "no"}
    return _result(request, {"ok": False, "error": error})


def list_and_nothing(request: Any) -> Any:
    """List a tool where a list is asked for, and say nothing else."""
    if isinstance(request, dict) and request.get("type") == "list_tools":
        return same_list(request)
    return None


def list_and_error(request: Any) -> Any:
    """List a tool where a list is asked for, and refuse everything else."""
    return list_and_nothing(request) or same_error(request)


def list_and_success(request: Any) -> Any:
    """List a tool where a list is asked for, and succeed in everything else."""
    return list_and_nothing(request) or same_success(request)


def _id(request: Any) -> Any:
    return request.get("requestId") if isinstance(request, dict) else None


def _result(request: Any, result: Any) -> Any:
    return {
        "type": "tool_result",
        "protocol": 1,
        "requestId": _id(request),
        "result": result,
    }


ANSWERS: Mapping[str, Answer] = {
    "same-error": same_error,
    "same-list": same_list,
    "same-empty-list": same_empty_list,
    "same-success": same_success,
    "same-failure": same_failure,
    "list-and-nothing": list_and_nothing,
    "list-and-error": list_and_error,
    "list-and-success": list_and_success,
}


def answering(answer: Answer) -> Callable[[socket.socket], None]:
    """Return what gives a client that answer to each of its lines."""

    def serve(client: socket.socket) -> None:
        for line in client.makefile("rb"):
            try:
                request = json.loads(line)
            except (ValueError, RecursionError):
                request = None
            reply = answer(request)
            if reply is not None:
                client.sendall(json.dumps(reply).encode() + b"\n")

    return serve


def says_nothing(client: socket.socket) -> None:
    """Read, and never answer."""
    while client.recv(65536):
        pass


def closes(client: socket.socket) -> None:
    """Close at the first byte."""
    client.recv(1)


def noise(client: socket.socket) -> None:
    """Answer whatever comes with a line of random digits."""
    while client.recv(65536):
        client.sendall(os.urandom(64).hex().encode() + b"\n")


def echo(client: socket.socket) -> None:
    """Send back what comes."""
    while data := client.recv(65536):
        client.sendall(data)


def reads_nothing(client: socket.socket) -> None:
    """Neither read nor answer."""
    time.sleep(LIFETIME)


CLIENTS: Mapping[str, Callable[[socket.socket], None]] = {
    "says-nothing": says_nothing,
    "reads-nothing": reads_nothing,
    "closes-at-once": closes,
    "noise": noise,
    "echo": echo,
    **{name: answering(answer) for name, answer in ANSWERS.items()},
}


def main(name: str, path: str) -> None:
    """Be the subject of that name."""
    signal.alarm(LIFETIME)
    if name == "plain-file":
        Path(path).write_text("{}\n")
        time.sleep(LIFETIME)
    serve = CLIENTS[name]
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(100)
    while True:
        client, _ = listener.accept()
        threading.Thread(target=_quietly, args=(serve, client), daemon=True).start()


def _quietly(serve: Callable[[socket.socket], None], client: socket.socket) -> None:
    try:
        with client:
            serve(client)
    except OSError:
        pass


if __name__ == "__main__":
    main(*sys.argv[1:])
