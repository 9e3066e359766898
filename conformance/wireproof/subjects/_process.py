"""A subject's process: its pipes, its group, its end.

Theory of operation. One thread, no event loop: ``pump`` polls the three pipes
and the process itself once, moves whatever can be moved, and returns. What the
subject writes on stdout goes to ``on_stdout`` in the pieces in which it comes; of
stderr only the tail is kept, but all of it is drained, so that a subject is never
blocked by a log that nobody reads. The subject leads a process group of its own.
Children that left the group are found by a variable in their environment. What only
some systems tell is in ``_system``.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import select
import subprocess
import time
import uuid
from collections import deque
from typing import TYPE_CHECKING

from wireproof.checks import SubjectStartError
from wireproof.subjects._command import start_problem
from wireproof.subjects._system import (
    EXIT_POLL,
    exit_status,
    kill_group,
    kill_marked,
    open_pidfd,
    unread_in_pipe,
)
from wireproof.subjects._watcher import expect, forget, watch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from typing import IO

MARKER = "WIREPROOF_SUBJECT"
"""Name of the variable by which a subject's stray children are known."""

READ_SIZE = 1 << 18
"""Most bytes taken from a pipe at once; a pipe holds 64 KiB unless enlarged."""

PIPE_SIZE = 1 << 20
"""Asked of the system for what a process reads, so that megabytes move in few steps.
What it writes to holds as much as elsewhere: one that loses what does not fit shows it.
"""

LEAST_FULL = 60 << 10
"""Bytes from which on a pipe of 64 KiB counts as full: pages are filled in part."""

FULL_POLL = 0.002
"""Seconds between two looks at how full a pipe is."""

LAST_READS = 64
"""Reads from each pipe of a process that has ended: more than a pipe can hold, and
an end for the case that a child of its own goes on writing."""

STDERR_KEPT = 16_384
"""Bytes of the subject's stderr that are kept: the last ones."""


def new_marker() -> str:
    """Return what the stray children of a process, or of several, are known by."""
    return uuid.uuid4().hex


def kill_strays(marker: str) -> None:
    """Kill all that was started by processes with this marker, wherever it went."""
    kill_marked(f"{MARKER}={marker}")


class SubjectProcess:
    """A started subject.

    Attributes:
        command: The argument vector.
        started: When it was started, by the monotonic clock.
        stdout_closed: Whether the subject's stdout has come to its end.
        exit_status: The exit status, negative for a signal; None while it runs.
        stderr_size: Bytes that came on stderr so far.
    """

    def __init__(
        self,
        command: tuple[str, ...],
        *,
        environment: Mapping[str, str],
        folder: Path,
        on_stdout: Callable[[bytes], None],
        on_stderr: Callable[[bytes], None],
        marker: str | None = None,
    ) -> None:
        """Start the command.

        Args:
            command: The argument vector.
            environment: All its variables.
            folder: Where it is started.
            on_stdout: Takes what comes on stdout.
            on_stderr: Takes what comes on stderr.
            marker: What its stray children are known by; None for one of its own.

        Raises:
            SubjectStartError: If the system cannot start it.
        """
        self.command = command
        self.started = time.monotonic()
        self.stdout_closed = False
        self.exit_status: int | None = None
        self.stderr_size = 0
        self._on_stdout = on_stdout
        self._on_stderr = on_stderr
        self._stderr: deque[bytes] = deque()
        self._stderr_kept = 0
        self._unsent: deque[memoryview] = deque()
        self._closing_input = self._is_full = False
        self._held_stdout: int | None = None
        self._marker = marker or new_marker()
        expect(self._marker)
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user's own command
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=folder,
                env={**environment, MARKER: self._marker},
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            forget()
            raise SubjectStartError(
                command, start_problem(error, command, folder, environment)
            ) from error
        watch(self._process.pid, self._marker)
        self._stdin = _fileno(self._process.stdin)
        self._stdout = _fileno(self._process.stdout)
        self._stderr_fd = _fileno(self._process.stderr)
        self._poll = select.poll()
        for number in (self._stdin, self._stdout, self._stderr_fd):
            os.set_blocking(number, False)
        _enlarge(self._stdin)
        self._poll.register(self._stdout, select.POLLIN)
        self._poll.register(self._stderr_fd, select.POLLIN)
        self._open = {self._stdin, self._stdout, self._stderr_fd}
        self._exit_fd = open_pidfd(self._process.pid)
        if self._exit_fd is not None:
            self._poll.register(self._exit_fd, select.POLLIN)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def watched(self) -> frozenset[int]:
        """The numbers that ``pump`` looks at, for who waits for others too."""
        found = self._open - {self._stdin}
        return frozenset(found if self._exit_fd is None else found | {self._exit_fd})

    @property
    def has_exit_event(self) -> bool:
        """Whether the process's end is among what is watched."""
        return self._exit_fd is not None

    @property
    def input_open(self) -> bool:
        """Whether the subject's stdin still takes bytes."""
        return self._stdin in self._open and not self._closing_input

    @property
    def ended(self) -> bool:
        """Whether nothing more can come: it exited and its stdout is read."""
        return self.exit_status is not None and self.stdout_closed

    @property
    def is_running(self) -> bool:
        """Whether it runs, without a look at what it wrote."""
        return exit_status(self._process) is None

    def stderr_tail(self) -> str:
        """Return the end of what the subject wrote on stderr."""
        kept = b"".join(self._stderr)[-STDERR_KEPT:]
        return kept.decode(errors="backslashreplace")

    def send(self, data: bytes) -> None:
        """Queue bytes for stdin; ``pump`` writes what does not fit at once."""
        if not self.input_open:
            return
        self._unsent.append(memoryview(data))
        self._write()

    def close_input(self) -> None:
        """Close stdin once everything queued has been written."""
        self._closing_input = True
        if not self._unsent:
            self._close(self._stdin)

    @property
    def unsent(self) -> int:
        """How many bytes wait to be written to stdin."""
        return sum(map(len, self._unsent))

    def input_consumed(self) -> bool:
        """Tell whether the subject has read all that was written to its stdin.

        True as well where the system cannot say.
        """
        if self._unsent:
            return False
        if self._stdin not in self._open:
            return True
        return unread_in_pipe(self._stdin) == 0

    def pump(self, timeout: float) -> bool:
        """Wait for the subject to do something, and take it in.

        Args:
            timeout: Most seconds to wait; 0 takes only what is there.

        Returns:
            Whether anything happened.
        """
        if self._exit_fd is None and self.exit_status is None:
            self._look_for_exit()
            timeout = min(timeout, EXIT_POLL)
        if not self._open - {self._stdin} and self.exit_status is not None:
            return False
        ready = self._poll.poll(max(0.0, timeout) * 1000)
        for number, _ in ready:
            if number == self._stdout:
                self._read_stdout()
            elif number == self._stderr_fd:
                self._read_stderr()
            elif number == self._stdin:
                self._write()
            else:
                self._look_for_exit()
        return bool(ready)

    def await_full_stdout(self, seconds: float) -> None:
        """Read nothing on stdout until its pipe is full, or for so long.

        All else goes on: a subject that writes before it reads on is waited for.
        """
        if self._stdout not in self._open:
            return
        limit = time.monotonic() + seconds
        self._poll.unregister(self._stdout)
        while (
            self.exit_status is None
            and unread_in_pipe(self._stdout) < LEAST_FULL
            and time.monotonic() < limit
        ):
            self.pump(FULL_POLL)
        if self._stdout in self._open:
            self._poll.register(self._stdout, select.POLLIN)

    def stdout_ends(self, seconds: float) -> bool:
        """Return whether stdout ends within so many seconds of the exit."""
        if self._held_stdout is None:
            return True
        limit = time.monotonic() + seconds
        poll = select.poll()
        poll.register(self._held_stdout, select.POLLIN)
        while poll.poll(max(0.0, limit - time.monotonic()) * 1000):
            if self._read(self._held_stdout) == b"":
                return True
        return False

    def kill(self) -> None:
        """End the process and all it started, and release every resource.

        Safe to call more than once.
        """
        self.release()
        kill_strays(self._marker)

    def release(self) -> None:
        """End the process and its group, and release every resource.

        Children that left the group are looked for with ``kill_strays``, which takes
        longer: once for many processes that were started with one marker.
        """
        kill_group(self._process)
        self._process.wait()
        forget(self._process.pid)
        if self.exit_status is None:
            self.exit_status = self._process.returncode
        for number in tuple(self._open):
            self._close(number)
        for held in (self._exit_fd, self._held_stdout):
            if held is not None:
                os.close(held)
        self._exit_fd = self._held_stdout = None
        self.stdout_closed = True
        self._unsent.clear()

    def _look_for_exit(self) -> None:
        self.exit_status = exit_status(self._process)
        if self.exit_status is None:
            return
        if self._exit_fd is not None:
            self._poll.unregister(self._exit_fd)
            os.close(self._exit_fd)
            self._exit_fd = None
        # What the process wrote before it ended is in the pipes now. A child of its
        # own may hold them open for ever, so their end is not waited for.
        for _ in range(LAST_READS):
            if not (self._stdout in self._open and self._read_stdout()):
                break
        for _ in range(LAST_READS):
            if not (self._stderr_fd in self._open and self._read_stderr()):
                break
        if self._stdout in self._open:
            self._held_stdout = os.dup(self._stdout)
        for number in tuple(self._open):
            self._close(number)
        self.stdout_closed = True

    def _read_stdout(self) -> bool:
        data = self._read(self._stdout)
        if data:
            self._on_stdout(data)
        elif data is not None:
            self._close(self._stdout)
            self.stdout_closed = True
        return bool(data)

    def _read_stderr(self) -> bool:
        data = self._read(self._stderr_fd)
        if data:
            self.stderr_size += len(data)
            self._stderr.append(data)
            self._stderr_kept += len(data)
            while self._stderr_kept - len(self._stderr[0]) >= STDERR_KEPT:
                self._stderr_kept -= len(self._stderr.popleft())
            self._on_stderr(data)
        elif data is not None:
            self._close(self._stderr_fd)
        return bool(data)

    def _read(self, number: int) -> bytes | None:
        """Read once: bytes, ``b""`` at the end, None where nothing is there."""
        try:
            return os.read(number, READ_SIZE)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def _write(self) -> None:
        while self._unsent:
            head = self._unsent[0]
            try:
                written = os.write(self._stdin, head)
            except BlockingIOError:
                self._poll.register(self._stdin, select.POLLOUT)
                self._is_full = True
                return
            except OSError as error:
                if error.errno not in {errno.EPIPE, errno.EBADF}:
                    raise
                self._unsent.clear()
                self._close(self._stdin)
                return
            if written == len(head):
                self._unsent.popleft()
            else:
                self._unsent[0] = head[written:]
        if self._is_full:
            self._is_full = False
            self._poll.unregister(self._stdin)
        if self._closing_input:
            self._close(self._stdin)

    def _close(self, number: int) -> None:
        if number not in self._open:
            return
        self._open.discard(number)
        with contextlib.suppress(KeyError):
            self._poll.unregister(number)
        stream = {
            self._stdin: self._process.stdin,
            self._stdout: self._process.stdout,
            self._stderr_fd: self._process.stderr,
        }[number]
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()


def _fileno(stream: IO[bytes] | None) -> int:
    if stream is None:  # Popen gives None only where no pipe was asked for
        raise TypeError("the process has no pipe there")
    return stream.fileno()


def _enlarge(number: int) -> None:
    set_size = getattr(fcntl, "F_SETPIPE_SZ", None)
    if set_size is not None:
        with contextlib.suppress(OSError):
            fcntl.fcntl(number, set_size, PIPE_SIZE)
