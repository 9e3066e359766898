"""Subjects that misuse their pipes and their process: ``hostile_host.py NAME``.

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
from typing import Any, NoReturn

LIFETIME = 120
"""Seconds after which the system ends a subject that nobody ended."""

STATE = {"n": 0}


def answer(request: Mapping[str, Any]) -> bytes:
    """Answer as a small host does that is sound: no tools, one state."""
    value: Any
    match request.get("method"):
        case "init":
            value = STATE
        case "get_tool_schemas":
            value = []
        case method:
            error = {"type": "Error", "detail": f"{method!r} is unknown"}
            return _line({"v": 1, "id": request["id"], "ok": False, "error": error})
    result = {"value": value, "state": STATE}
    return _line({"v": 1, "id": request["id"], "ok": True, "result": result})


def requests() -> Any:
    """Yield the requests on stdin."""
    for line in sys.stdin.buffer:
        if (request := read(line)) is not None:
            yield request


def read(line: bytes) -> Any:
    """Read a line as a request; None where it is none."""
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        return None
    sound = isinstance(request, dict) and isinstance(request.get("id"), str)
    return request if sound else None


def write(data: bytes) -> None:
    """Write to stdout, all of it."""
    while data:
        data = data[os.write(1, data) :]


def serve(after: Callable[[int], None] = lambda count: None) -> None:
    """Be a sound host, and do something after each answer."""
    for count, request in enumerate(requests()):
        write(answer(request))
        after(count)


def flood_stdout() -> NoReturn:
    """Write lines without end and read nothing."""
    while True:
        write(b"flood\n" * 10_000)


def flood_messages() -> NoReturn:
    """Write events of nobody without end."""
    line = b'{"v":1,"id":"nobody","event":{"type":"part","payload":{}}}\n'
    while True:
        write(line * 1_000)


def flood_after_init() -> None:
    """Write lines without end once it is up."""
    serve(lambda count: flood_messages() if count == 5 else None)


def flood_stderr() -> None:
    """Be sound on stdout, and write to stderr without end."""
    if os.fork() == 0:
        while True:
            os.write(2, b"x" * 65536)
    serve()


def endless_line() -> NoReturn:
    """Write a line that never ends."""
    while True:
        write(b"x" * 65536)


def endless_answer() -> None:
    """Begin an answer and never end it."""
    for request in requests():
        write(b'{"v":1,"id":' + json.dumps(request["id"]).encode() + b',"x":"')
        while True:
            write(b"x" * 65536)


def binary_noise() -> NoReturn:
    """Write random bytes without end."""
    while True:
        write(os.urandom(65536))


def deep_noise() -> NoReturn:
    """Write JSON that is nested ever deeper."""
    while True:
        write(b"[" * 100_000 + b"]" * 100_000 + b"\n")


def child_holds_stdout() -> None:
    """Die after the third answer and leave a child with its pipes."""
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"])
    serve(lambda count: os._exit(1) if count == 3 else None)


def child_in_own_session() -> None:
    """The same with a child that left the process group and ignores signals."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            time.sleep(100)
        os._exit(0)
    serve(lambda count: os._exit(1) if count == 3 else None)


def child_writes_on() -> None:
    """Die at once; a child goes on to write on stdout."""
    if os.fork() == 0:
        os.setsid()
        while True:
            write(b"still here\n")
            time.sleep(0.001)
    os._exit(0)


def ignores_the_end() -> None:
    """Stay when its input ends, and ignore every signal that can be ignored."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    serve()
    while True:
        time.sleep(1)


def dies_in_a_line() -> None:
    """Die in the middle of the fifth answer."""
    for count, request in enumerate(requests()):
        if count == 4:
            write(answer(request)[:20])
            os._exit(7)
        write(answer(request))


def dies_at_once() -> None:
    """Die before it reads anything, with words on stderr."""
    os.write(2, b"ModuleNotFoundError: No module named 'plugins'\n")
    os._exit(1)


def never_reads() -> NoReturn:
    """Write what might be an answer, and read nothing."""
    while True:
        write(_line({"v": 1, "id": "wireproof-1", "ok": True, "result": {"value": {}}}))
        time.sleep(0.01)


def never_writes() -> None:
    """Read everything, and write nothing."""
    for _ in sys.stdin.buffer:
        pass


def stops_reading() -> None:
    """Stop in the middle of a request of more than 100 kB."""
    pending = b""
    while data := os.read(0, 65536):
        pending += data
        if len(pending) > 100_000:
            time.sleep(100)
        *lines, pending = pending.split(b"\n")
        for line in lines:
            if (request := read(line)) is not None:
                write(answer(request))


def answers_10000_times() -> None:
    """Answer each request 10,000 times."""
    for request in requests():
        write(answer(request) * 10_000)


def closes_stdin() -> None:
    """Close its stdin after the fifth answer and stay."""
    for count, request in enumerate(requests()):
        write(answer(request))
        if count == 4:
            os.close(0)
            time.sleep(100)


def closes_stdout() -> None:
    """Close its stdout after the fifth answer and stay."""
    for count, request in enumerate(requests()):
        write(answer(request))
        if count == 4:
            os.close(1)
            time.sleep(100)


def control_codes() -> None:
    """Fail with control codes of a terminal in every text that may be shown."""
    codes = "\x1b]0;owned\x07\x1b[2J\x1b[31m\u202e\x9b31m\r<script>alert(1)</script>"
    os.write(2, codes.encode() * 3 + b"\n")
    for request in requests():
        if request["method"] in {"init", "get_tool_schemas"}:
            write(answer(request))
            continue
        error = {"type": codes, "detail": codes, "stack": 5, codes: codes}
        write(_line({"v": 1, "id": request["id"], "ok": False, "error": error}))


def stops_itself() -> None:
    """Stop, as ^Z does, after the third answer."""
    serve(lambda count: os.kill(os.getpid(), signal.SIGSTOP) if count == 3 else None)


def forks_without_end() -> None:
    """Leave a sleeping child behind at each answer."""

    def fork(count: int) -> None:
        if os.fork() == 0:
            os.setsid()
            time.sleep(100)

    serve(fork)


def starts_slowly() -> None:
    """Take three quarters of a second to begin."""
    time.sleep(0.75)
    serve()


SUBJECTS: Mapping[str, Callable[[], None]] = {
    one.__name__.replace("_", "-"): one
    for one in (
        answers_10000_times,
        binary_noise,
        child_holds_stdout,
        child_in_own_session,
        child_writes_on,
        closes_stdin,
        closes_stdout,
        control_codes,
        deep_noise,
        dies_at_once,
        dies_in_a_line,
        endless_answer,
        endless_line,
        flood_after_init,
        flood_messages,
        flood_stderr,
        flood_stdout,
        forks_without_end,
        ignores_the_end,
        never_reads,
        never_writes,
        starts_slowly,
        stops_itself,
        stops_reading,
    )
}


def _line(frame: Mapping[str, Any]) -> bytes:
    return json.dumps(frame).encode() + b"\n"


if __name__ == "__main__":
    signal.alarm(LIFETIME)
    SUBJECTS[sys.argv[1]]()
