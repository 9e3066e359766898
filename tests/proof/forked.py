"""Starts the Python subjects of the tables by forking the process of the tests.

A subject that imports the reference anew takes a hundred times as long to start as one
that is a copy of a process which has imported it already, and the proof starts some
thousands. The copy is a process of its own all the same, with its own pipes, session
and end. What it does not have is its variables where the system shows them, by which
stray children are found; a row that leaves some is started as a program.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn
from unittest import mock

Program = Callable[[Sequence[str]], int]
"""Runs a subject with its arguments, and returns its exit status."""

HIGHEST = 4096
"""Descriptors up to here are closed in the copy."""


class Forked:
    """A started copy, as far as the suite uses `subprocess.Popen`."""

    def __init__(
        self,
        program: Program,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        folder: Path,
    ) -> None:
        pipes = [os.pipe() for _ in range(4)]
        (its_stdin, stdin), (stdout, its_stdout), (stderr, its_stderr) = pipes[:3]
        leads, told = pipes[3]
        with warnings.catch_warnings():
            # A worker of pytest-xdist has a second thread, which only waits for its
            # controller: it holds nothing that the copy needs.
            warnings.simplefilter("ignore", DeprecationWarning)
            gc.freeze()
            self.pid = os.fork()
        if not self.pid:
            streams = (its_stdin, its_stdout, its_stderr)
            os.setsid()
            os.close(told)
            _become(program, arguments, environment, folder, streams)
        gc.unfreeze()
        for number in (its_stdin, its_stdout, its_stderr, told):
            os.close(number)
        # It leads a group from here on, as one that `subprocess` has started does.
        os.read(leads, 1)
        os.close(leads)
        self.stdin = os.fdopen(stdin, "wb", buffering=0)
        self.stdout = os.fdopen(stdout, "rb", buffering=0)
        self.stderr = os.fdopen(stderr, "rb", buffering=0)
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return its exit status where it has ended, and let go of it."""
        if self.returncode is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            if ended:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self) -> int:
        """Wait for its end, and let go of it."""
        if self.returncode is None:
            _, status = os.waitpid(self.pid, 0)
            self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode


def _become(
    program: Program,
    arguments: Sequence[str],
    environment: Mapping[str, str],
    folder: Path,
    streams: tuple[int, int, int],
) -> NoReturn:
    """Be the subject, and end with it."""
    status = 1
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        os.closerange(3, HIGHEST)
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(folder)
        sys.stdin = os.fdopen(0, closefd=False)
        sys.stdout = os.fdopen(1, "w", closefd=False)
        sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)
        status = program(arguments)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - as the interpreter does at the top
        traceback.print_exc()
    finally:
        try:
            sys.stdout.flush()
        finally:
            os._exit(status)


@contextmanager
def forked(program: Sequence[str], run: Program) -> Iterator[None]:
    """Within this, the suite starts a program as copies of this process.

    Args:
        program: How its command begins.
        run: What it does, given the rest of the command.
    """
    start: Any = subprocess.Popen
    known, length = list(program), len(program)

    def start_copy(command: Sequence[str], **options: Any) -> Any:
        if list(command[:length]) != known:
            return start(command, **options)
        return Forked(run, command[length:], options["env"], options["cwd"])

    with mock.patch.object(subprocess, "Popen", start_copy):
        yield
