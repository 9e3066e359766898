"""Drivers that misuse their pipes, their tools or the machine: ``NAME``.

Each is the null runtime whose calls come to null, with a fault added. Each ends after
two minutes at the latest, so that none outlives a failed test for long.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.proof.exec_runtime.null_driver import OPS
from tests.proof.null_driver import DESCRIPTION, LIFETIME, said

MEBIBYTE = 1 << 20

bound: dict[str, Any] = {}


def start(request: Any) -> subprocess.Popen[bytes]:
    """Start the tool that is called."""
    given = bound[request["tool"]]
    words = [given["command"], *given.get("args", ())]
    pipe = subprocess.PIPE
    return subprocess.Popen(words, stdin=pipe, stdout=pipe, start_new_session=True)


def many_tools(request: Any) -> None:
    """Start a tool a hundred times, and leave it."""
    for _ in range(100):
        start(request)


def flood_tool(request: Any) -> None:
    """Write to the tool without end."""
    process = start(request)
    assert process.stdin is not None
    try:
        for _ in range(100):
            process.stdin.write(b"x" * MEBIBYTE)
    except BrokenPipeError:
        pass


def flood_suite(request: Any) -> None:
    """Write an answer without end."""
    for _ in range(200):
        os.write(1, b"x" * MEBIBYTE)


def leave_a_child(request: Any) -> None:
    """Leave a child in a session of its own that holds all pipes."""
    code = f"import time; time.sleep({LIFETIME})"
    subprocess.Popen([sys.executable, "-S", "-c", code], start_new_session=True)


def remove_the_tool(request: Any) -> None:
    """Start the tool, and remove the folder that it lies in."""
    start(request)
    args = bound[request["tool"]].get("args") or [""]
    folder = Path(args[0]).parent
    if "wp-exec-" in str(folder):
        shutil.rmtree(folder, ignore_errors=True)


def write_to_fifos(request: Any) -> None:
    """Write into all FIFOs of the tool what it never says."""
    start(request)
    args = bound[request["tool"]].get("args") or [""]
    for path in Path(args[0]).parent.glob("*.*"):
        try:
            number = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            continue
        os.write(number, b"not a number\0child\0x\0end\0\xff\0")
        os.close(number)


def stop_the_tool(request: Any) -> None:
    """Stop the tool, and leave it so."""
    process = start(request)
    time.sleep(0.05)
    os.kill(process.pid, signal.SIGSTOP)


def ignore_the_end(request: Any) -> None:
    """Heed neither signals nor the end of input."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    start(request)


SUBJECTS: Mapping[str, Callable[[Any], None]] = {
    "many-tools": many_tools,
    "floods-the-tool": flood_tool,
    "floods-the-suite": flood_suite,
    "leaves-a-child": leave_a_child,
    "removes-the-tool": remove_the_tool,
    "writes-to-fifos": write_to_fifos,
    "stops-the-tool": stop_the_tool,
    "ignores-the-end": ignore_the_end,
}


def main(name: str) -> None:
    """Be the subject of that name."""
    signal.alarm(LIFETIME)
    for line in sys.stdin.buffer:
        request = json.loads(line)
        value: Any = (
            {**DESCRIPTION, "ops": OPS} if request["op"] == "describe" else None
        )
        if request["op"] == "bind":
            bound[request["name"]] = request["exec"]
        if request["op"] == "call":
            SUBJECTS[name](request)
            value = {"result": None}
        sys.stdout.write(json.dumps(said(request, value)) + "\n")
        sys.stdout.flush()
    if name == "ignores-the-end":
        time.sleep(LIFETIME)


if __name__ == "__main__":
    main(*sys.argv[1:])
