"""Servers that misuse their sockets and their process: ``NAME SOCKET``.

Each ends after two minutes at the latest, so that none outlives a failed test for long.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

LIFETIME = 120
"""Seconds after which the system ends a subject that nobody ended."""

LIST = b'{"type":"tools_list","protocol":1,"tools":[]}\n'
STRAY = (
    b'{"type":"tool_event","protocol":1,"requestId":"nobody",'
    b'"event":{"kind":"progress"}}\n'
)


def answer(request: Any) -> bytes:
    """Answer as a small server does that is sound: no tools."""
    match request:
        case {"type": "list_tools", "protocol": 1}:
            return LIST
        case {"type": "tool_call", "requestId": str(key), "toolName": str()}:
            error = {"code": "UNKNOWN_TOOL", "message": "there are no tools"}
            result = {"ok": False, "error": error}
            frame = {"type": "tool_result", "protocol": 1, "requestId": key}
            return _line({**frame, "result": result})
        case {"type": "cancel_tool_call"}:
            return b""
        case _:
            frame = {"type": "error", "protocol": 1, "code": "PROTOCOL_ERROR"}
            return _line({**frame, "message": "it is no message"})


def _line(frame: Any) -> bytes:
    return json.dumps(frame).encode() + b"\n"


def requests(client: socket.socket) -> Any:
    """Yield what the client's lines hold; None for what is no JSON."""
    for line in client.makefile("rb"):
        try:
            yield json.loads(line)
        except (ValueError, RecursionError):
            yield None


def sound(client: socket.socket) -> None:
    """Be a small server."""
    for request in requests(client):
        client.sendall(answer(request))


def flood_at_once(client: socket.socket) -> None:
    """Write lines without end as soon as a client has come."""
    while True:
        client.sendall(b"flood\n" * 10_000)


def flood_of_events(client: socket.socket) -> None:
    """Be sound, and write events of nobody without end beside."""
    for request in requests(client):
        client.sendall(answer(request))
        while True:
            client.sendall(STRAY * 1_000)


def endless_line(client: socket.socket) -> None:
    """Write a line that never ends."""
    while True:
        client.sendall(b"x" * 65536)


def endless_answer(client: socket.socket) -> None:
    """Answer once, then begin a frame and never end it."""
    for number, request in enumerate(requests(client)):
        if number == 0:
            client.sendall(answer(request))
            continue
        client.sendall(b'{"type":"tools_list","x":"')
        while True:
            client.sendall(b"x" * 65536)


def dies_in_a_frame(client: socket.socket) -> None:
    """End in the middle of the third frame."""
    for number, request in enumerate(requests(client)):
        data = answer(request)
        if number == 2:
            client.sendall(data[: len(data) // 2])
            os._exit(1)
        client.sendall(data)


def closes_in_a_frame(client: socket.socket) -> None:
    """Close in the middle of the third frame."""
    for number, request in enumerate(requests(client)):
        data = answer(request)
        if number == 2:
            client.sendall(data[: len(data) // 2])
            return
        client.sendall(data)


def stops_reading(client: socket.socket) -> None:
    """Stop reading after the first answer."""
    for request in requests(client):
        client.sendall(answer(request))
        time.sleep(LIFETIME)


def deep_noise(client: socket.socket) -> None:
    """Answer with JSON that is nested deeply."""
    for _ in requests(client):
        client.sendall(b"[" * 100_000 + b"]" * 100_000 + b"\n")


def control_codes(client: socket.socket) -> None:
    """Answer with what a terminal obeys."""
    for _ in requests(client):
        frame = {"type": "\x1b[2J\x07\u202e", "requestId": "\x9b31m\r"}
        client.sendall(json.dumps(frame, ensure_ascii=False).encode() + b"\n")


def ignores_the_end() -> None:
    """Ignore every signal that can be ignored."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def starts_slowly() -> None:
    """Take three seconds to start."""
    time.sleep(3)


def floods_stderr() -> None:
    """Write to stderr without end from a child."""
    if os.fork() == 0:
        while True:
            os.write(2, b"x" * 65536)


def leaves_a_child() -> None:
    """Have a child that ignores SIGTERM and holds whatever is open."""
    ignore = "import signal,time;signal.signal(15,1);time.sleep(120)"
    subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", ignore, "hostile_server.py", sys.argv[1]],
        close_fds=False,
    )


CLIENTS: Mapping[str, Callable[[socket.socket], None]] = {
    "flood-at-once": flood_at_once,
    "flood-of-events": flood_of_events,
    "endless-line": endless_line,
    "endless-answer": endless_answer,
    "dies-in-a-frame": dies_in_a_frame,
    "closes-in-a-frame": closes_in_a_frame,
    "stops-reading": stops_reading,
    "deep-noise": deep_noise,
    "control-codes": control_codes,
}
"""What they do to a client."""

PROCESSES: Mapping[str, Callable[[], None]] = {
    "ignores-the-end": ignores_the_end,
    "starts-slowly": starts_slowly,
    "floods-stderr": floods_stderr,
}
"""What they do before they listen, to be sound afterwards."""

LISTENING: Mapping[str, Callable[[], None]] = {
    "child-holds-the-socket": leaves_a_child,
}
"""What they do once they listen, to be sound afterwards."""

SUBJECTS = (*CLIENTS, *PROCESSES, *LISTENING)


def main(name: str, path: str) -> None:
    """Be the subject of that name."""
    signal.alarm(LIFETIME)
    PROCESSES.get(name, int)()
    listener = socket.socket(socket.AF_UNIX)
    if Path(path).exists():
        Path(path).unlink()
    listener.bind(path)
    Path(path).chmod(0o600)
    listener.listen(100)
    listener.set_inheritable(True)
    LISTENING.get(name, int)()
    while True:
        client, _ = listener.accept()
        serve = CLIENTS.get(name, sound)
        threading.Thread(target=_quietly, args=(serve, client), daemon=True).start()


def _quietly(serve: Callable[[socket.socket], None], client: socket.socket) -> None:
    try:
        with client:
            serve(client)
    except OSError:
        pass


if __name__ == "__main__":
    main(*sys.argv[1:])
