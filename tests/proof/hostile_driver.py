"""Drivers that misuse their pipes and their process.

``python hostile_driver.py NAME MODULE:FACTORY``, around a subject that is sound; each
ends after two minutes at the latest.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
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

LATER = 30
"""Ops that are answered soundly before the trouble begins."""


def sound(subject: Any, request: Any) -> bytes:
    """Answer as a driver of this subject should."""
    number, op = request.pop("id"), request.pop("op")
    request.pop("echo", None)
    try:
        value: Any = getattr(subject, op)(**request)
        if inspect.isawaitable(value):
            value = asyncio.run(awaited(value))
        answer = {"id": number, "ok": True, "value": value}
    except Exception as error:  # noqa: BLE001 - whatever it is
        detail = {"type": type(error).__name__, "detail": str(error)}
        answer = {"id": number, "ok": False, "error": detail}
    return json.dumps(answer).encode() + b"\n"


async def awaited(value: Any) -> Any:
    """Wait for what an op gives."""
    return await value


def write(data: bytes) -> None:
    """Write all of it."""
    while data:
        data = data[os.write(1, data) :]


def dies(answer: bytes) -> None:
    """End."""
    os._exit(1)


def dies_in_a_line(answer: bytes) -> None:
    """End in the middle of an answer."""
    write(answer[: len(answer) // 2])
    os._exit(1)


def hangs(answer: bytes) -> None:
    """Say nothing more."""
    time.sleep(LIFETIME)


def wrong_id(answer: bytes) -> None:
    """Answer another op."""
    write(json.dumps({**json.loads(answer), "id": 999_999}).encode() + b"\n")


def two_lines(answer: bytes) -> None:
    """Answer twice."""
    write(answer + answer)


def banner(answer: bytes) -> None:
    """Say hello first."""
    write(b"hello\n" + answer)


def no_json(answer: bytes) -> None:
    """Answer in a language of its own."""
    write(b"{'ok': True}\n")


def nan(answer: bytes) -> None:
    """Answer with NaN."""
    write(answer.replace(b"true", b"NaN"))


def bad_utf_8(answer: bytes) -> None:
    """Answer with bytes that are no text."""
    write(b'{"ok":true,"value":"\xff\xfe"}\n')


def deep(answer: bytes) -> None:
    """Answer with what is nested deeply."""
    write(b"[" * 100_000 + b"]" * 100_000 + b"\n")


def endless_line(answer: bytes) -> None:
    """Answer with a line that never ends."""
    while True:
        write(b"x" * 65536)


def floods_stdout(answer: bytes) -> None:
    """Write lines without end."""
    while True:
        write(b'{"id":1}\n' * 10_000)


def floods_stderr(answer: bytes) -> None:
    """Write to stderr without end from a child, and answer."""
    if os.fork() == 0:
        while True:
            os.write(2, b"x" * 65536)
    write(answer)


def closes_stdout(answer: bytes) -> None:
    """Close stdout and stay."""
    os.close(1)
    time.sleep(LIFETIME)


def control_codes(answer: bytes) -> None:
    """Refuse with what a terminal obeys."""
    error = {"type": "\x1b[2J\x07", "detail": "\x9b31m\r\u202e"}
    number = json.loads(answer)["id"]
    line = json.dumps({"id": number, "ok": False, "error": error}, ensure_ascii=False)
    write(line.encode() + b"\n")


def odd_errors(answer: bytes) -> None:
    """Refuse with a text in place of an object."""
    number = json.loads(answer)["id"]
    write(json.dumps({"id": number, "ok": False, "error": "no"}).encode() + b"\n")


def leaves_a_child() -> None:
    """Have a child that ignores SIGTERM and holds whatever is open."""
    ignore = "import signal,time;signal.signal(15,1);signal.alarm(120);time.sleep(120)"
    subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", ignore, "hostile_driver.py", sys.argv[1]],
        close_fds=False,
    )


def ignores_the_end() -> None:
    """Ignore every signal that can be ignored."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def dies_at_once() -> None:
    """End before anything is asked."""
    os._exit(7)


LATE: Mapping[str, Callable[[bytes], None]] = {
    "dies": dies,
    "dies-in-a-line": dies_in_a_line,
    "hangs": hangs,
    "wrong-id": wrong_id,
    "two-lines": two_lines,
    "banner": banner,
    "no-json": no_json,
    "nan": nan,
    "bad-utf-8": bad_utf_8,
    "deep": deep,
    "endless-line": endless_line,
    "floods-stdout": floods_stdout,
    "floods-stderr": floods_stderr,
    "closes-stdout": closes_stdout,
    "control-codes": control_codes,
    "odd-errors": odd_errors,
}
"""What they do in place of an answer, after some sound ones."""

PROCESSES: Mapping[str, Callable[[], None]] = {
    "dies-at-once": dies_at_once,
    "ignores-the-end": ignores_the_end,
    "child-holds-the-pipes": leaves_a_child,
}
"""What they do before they answer."""

DESCRIBED: Mapping[str, Any] = {
    "dies-at-describe": None,
    "describes-without-ops": {"name": "x"},
    "describes-a-list": [],
    "describes-odd-ops": {"name": None, "ops": [1, None, {}], "formats": "all"},
    "describes-ops-as-text": {"ops": 5},
}
"""What they say of themselves."""

SUBJECTS = (*LATE, *PROCESSES, *DESCRIBED)


def main(name: str, target: str) -> None:
    """Be the subject of that name, around what the target names."""
    signal.alarm(LIFETIME)
    module, _, factory = target.partition(":")
    subject: Any = getattr(importlib.import_module(module), factory)()
    PROCESSES.get(name, int)()
    for count, line in enumerate(sys.stdin.buffer):
        request = json.loads(line)
        if name in DESCRIBED and request["op"] == "describe":
            if DESCRIBED[name] is None:
                os._exit(1)
            said = {"id": request["id"], "ok": True, "value": DESCRIBED[name]}
            write(json.dumps(said).encode() + b"\n")
        elif count > LATER and name in LATE:
            LATE[name](sound(subject, request))
        else:
            write(sound(subject, request))
    if name == "ignores-the-end":
        time.sleep(LIFETIME)


if __name__ == "__main__":
    main(*sys.argv[1:])
