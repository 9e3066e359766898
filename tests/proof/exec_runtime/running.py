"""A process that a runtime of the proof has started, looked at in turns."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

READ_SIZE = 1 << 16

STDERR_KEPT = 4096

MOST_AT_ONCE = 1 << 24
"""Bytes after which the runtime has a look at what came."""

LOOK_SECONDS = 0.02
"""How often the end of a process is looked for where the system does not tell."""


class Running:
    """A started process: its output so far, and whether it has ended.

    Attributes:
        output: What came on stdout and nobody has taken.
        errors: The end of what came on stderr.
        status: Its exit status; None while it runs.
        closed: Whether its stdout has come to its end.
        refused: Whether it did not take what was written to it.
        received: How many bytes came, on stdout and stderr together.
    """

    drains_errors = True
    kills_group = True
    signal = signal.SIGKILL

    has_session = True
    closes_descriptors = True

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str]) -> None:
        self.output = bytearray()
        self.errors = b""
        self.status: int | None = None
        self.closed = False
        self.received = 0
        self.refused = False
        self._searched = 0
        self._process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=dict(environment),
            start_new_session=self.has_session,
            close_fds=self.closes_descriptors,
        )
        self.pid = self._process.pid
        self._unsent = bytearray()
        self._closing = False
        self._stdin, self._stdout, self._stderr = (
            stream.fileno()
            for stream in (
                self._process.stdin,
                self._process.stdout,
                self._process.stderr,
            )
            if stream is not None
        )
        for number in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(number, False)
        self._open = {self._stdin, self._stdout, self._stderr}
        self._errors_open = True

    @property
    def silent(self) -> bool:
        """Whether stdout and stderr have come to their end."""
        return self.closed and not self._errors_open

    def send(self, data: bytes, *, last: bool = False) -> None:
        """Write bytes as far as there is room, the rest later."""
        self._unsent += data
        self._closing = self._closing or last
        self._write()

    def pump(self, until: float) -> None:
        """Wait for something to happen, and take it in."""
        poll = select.poll()
        if self._unsent and self._stdin in self._open:
            poll.register(self._stdin, select.POLLOUT)
        if not self.closed:
            poll.register(self._stdout, select.POLLIN)
        if self._errors_open and self.drains_errors:
            poll.register(self._stderr, select.POLLIN)
        left = min(until - time.monotonic(), LOOK_SECONDS)
        ready = {number for number, _ in poll.poll(max(0.0, left) * 1000)}
        if self._stdin in ready:
            self._write()
        ended = self._process.poll()
        if self._stdout in ready or ended is not None:
            self._read_output()
        if self.drains_errors or ended is not None:
            self._read_errors()
        self.status = ended

    def take_line(self) -> bytes | None:
        """Take the first whole line."""
        end = self.output.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self.output)
            return None
        self._searched = 0
        line = bytes(self.output[:end])
        del self.output[: end + 1]
        return line

    def kill(self) -> None:
        """End it, with its group, and let go of it."""
        with suppress(ProcessLookupError):
            if self.kills_group:
                os.killpg(self.pid, self.signal)
            else:
                os.kill(self.pid, self.signal)
        if self.signal == signal.SIGKILL:
            self._process.wait()
        self.release()

    def release(self) -> None:
        """Close its pipes."""
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        self._open.clear()
        self._errors_open = False
        self.closed = True

    def _read_output(self) -> None:
        with suppress(BlockingIOError):
            while not self.closed and (data := os.read(self._stdout, READ_SIZE)):
                self.received += len(data)
                self.output += data
                if len(self.output) > MOST_AT_ONCE:
                    return
            self.closed = True

    def _read_errors(self) -> None:
        with suppress(BlockingIOError):
            while self._errors_open and (data := os.read(self._stderr, READ_SIZE)):
                self.received += len(data)
                self.errors = (self.errors + data)[-STDERR_KEPT:]
            self._errors_open = False

    def _write(self) -> None:
        try:
            while self._unsent:
                written = os.write(self._stdin, self._unsent[: 1 << 16])
                del self._unsent[:written]
        except BlockingIOError:
            return
        except OSError:
            self.refused = True
            self._unsent.clear()
            self._closing = True
        if self._closing and self._stdin in self._open and self._process.stdin:
            self._open.discard(self._stdin)
            with suppress(OSError):
                self._process.stdin.close()
