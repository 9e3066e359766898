"""Is a server that misuses its pipes, its process or the machine: NAME."""

import json
import os
import signal
import subprocess
import sys
import time


def answer(line: str) -> None:
    """Answer a request as it should be."""
    request = json.loads(line)
    result = {"value": request["params"]["args"]["arguments"]["value"]}
    response = {"jsonrpc": "2.0", "id": request["id"], "result": result}
    sys.stdout.write(json.dumps(response) + "\n")
    sys.stdout.flush()


def flood_stdout() -> None:
    """Write a line without end."""
    while True:
        os.write(1, b"x" * 65536)


def flood_lines() -> None:
    """Write lines without end."""
    while True:
        os.write(1, b"{}\n" * 20_000)


def flood_stderr() -> None:
    """Answer once, then log without end."""
    answer(sys.stdin.readline())
    while True:
        os.write(2, b"e" * 65536)


def closes_stdin() -> None:
    """Close stdin, and stay."""
    answer(sys.stdin.readline())
    os.close(0)
    time.sleep(600)


def leaves_a_child() -> None:
    """Leave a child behind that holds the pipes."""
    subprocess.Popen(["/bin/sleep", "600"], start_new_session=True)
    for line in sys.stdin:
        answer(line)


def ignores_the_end() -> None:
    """Stay, and ignore what can be ignored."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    for line in sys.stdin:
        answer(line)
    time.sleep(600)


def binary() -> None:
    """Write bytes that are no text."""
    for _ in sys.stdin.buffer:
        sys.stdout.buffer.write(bytes(range(256)) * 16)
        sys.stdout.buffer.flush()


SUBJECTS = {
    one.__name__.replace("_", "-"): one
    for one in (
        flood_stdout,
        flood_lines,
        flood_stderr,
        closes_stdin,
        leaves_a_child,
        ignores_the_end,
        binary,
    )
}

if __name__ == "__main__":
    SUBJECTS[sys.argv[1]]()
