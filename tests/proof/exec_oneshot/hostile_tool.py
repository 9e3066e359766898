"""Is a tool that misuses its pipes, its process or the machine: NAME."""

import os
import signal
import subprocess
import sys
import time

GOOD = '{"result": {"value": "control"}}\n'


def flood_stdout() -> None:
    """Write without end."""
    while True:
        os.write(1, b"x" * 65536)


def flood_stderr() -> None:
    """Log without end, after the answer."""
    sys.stdout.write(GOOD)
    sys.stdout.flush()
    while True:
        os.write(2, b"e" * 65536)


def never_reads() -> None:
    """Answer without a look at stdin."""
    sys.stdout.write(GOOD)


def closes_stdin() -> None:
    """Close stdin at once."""
    os.close(0)
    sys.stdout.write(GOOD)


def leaves_a_child() -> None:
    """Leave a child behind that holds the pipes."""
    sys.stdin.buffer.read()
    subprocess.Popen(["/bin/sleep", "600"], start_new_session=True)
    sys.stdout.write(GOOD)


def ignores_signals() -> None:
    """Stay, and ignore what can be ignored."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(600)


def binary() -> None:
    """Write bytes that are no text."""
    sys.stdin.buffer.read()
    sys.stdout.buffer.write(bytes(range(256)) * 64)


def deep() -> None:
    """Write an object that nests without measure."""
    sys.stdin.buffer.read()
    sys.stdout.write('{"result":' * 100_000)


SUBJECTS = {
    one.__name__.replace("_", "-"): one
    for one in (
        flood_stdout,
        flood_stderr,
        never_reads,
        closes_stdin,
        leaves_a_child,
        ignores_signals,
        binary,
        deep,
    )
}

if __name__ == "__main__":
    SUBJECTS[sys.argv[1]]()
