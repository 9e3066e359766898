"""A child process: three pipes, its exit, and the end of its whole group.

Theory of operation: the pipes are our own and not the subprocess library's, for two
things need raw descriptors.  When the process has died, all that it wrote is in the
pipes by then, and is read without waiting for their end, which never comes while
a grandchild holds them open.  And a process leads a group of its own, so that what it
started can be killed with it.
"""

from __future__ import annotations

import os
import signal
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import anyio

from wireproof_reference._pipes import Drain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import Self

    from anyio.abc import Process

    from wireproof_reference._pipes import PipeWriter

STATUS_GRACE: Final = 0.5
"""Seconds to wait for the status of a process that closed stdout: most exit then."""

_STDERR_TAIL_BYTES: Final = 64 * 1024
_QUOTED_CHARACTERS: Final = 500  # of it, in the text of an error


@dataclass(slots=True)
class ChildProcess:
    """A running process.

    Attributes:
        process: The process; it leads a group of its own.
        stdin: Our end of its stdin.
        stdout: Our end of its stdout.
        stderr: Our end of its stderr.
    """

    process: Process
    stdin: int
    stdout: int
    stderr: int

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: Path | str | None = None,
    ) -> Self:
        """Start a process.

        Args:
            command: The program and its arguments; no shell is involved.
            env: Its whole environment; ours where it is None.
            cwd: The folder that it starts in; ours where it is None.

        Raises:
            OSError: It could not be started.
            ValueError: An argument or a variable has a NUL in it.
        """
        with ExitStack() as theirs, ExitStack() as ours:
            stdin_theirs, stdin = _pipe(theirs, ours)
            stdout, stdout_theirs = _pipe(ours, theirs)
            stderr, stderr_theirs = _pipe(ours, theirs)
            process = await anyio.open_process(
                command,
                stdin=stdin_theirs,
                stdout=stdout_theirs,
                stderr=stderr_theirs,
                env=env,
                cwd=cwd,
                start_new_session=True,
            )
            ours.pop_all()
            return cls(process, stdin, stdout, stderr)

    @property
    def stdin_open(self) -> bool:
        """Whether more may come on its stdin."""
        return self.stdin >= 0

    def close_stdin(self) -> None:
        """Tell the process that no more comes; a second time does nothing."""
        if self.stdin_open:
            os.close(self.stdin)
            self.stdin = -1

    async def end(self, writer: PipeWriter, grace: float) -> None:
        """Close its stdin once all is written, wait `grace` seconds, and kill it."""
        with anyio.move_on_after(grace):
            await writer.flush()
            self.close_stdin()
            await self.process.wait()
        await self.kill()

    async def kill(self) -> None:
        """Kill the process and all that is left of its group."""
        # macOS says that it is not permitted where all members are zombies.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        await self.process.wait()

    def close(self) -> None:
        """Close our ends of the pipes."""
        self.close_stdin()
        os.close(self.stdout)
        os.close(self.stderr)


class StderrTail(Drain):
    """Reads stderr, and keeps the end of it in `tail` (EXEC-R14, HV1-C7)."""

    def __init__(self, fd: int) -> None:
        super().__init__(fd, self.keep)
        self.tail = b""

    def keep(self, data: bytes) -> None:
        """Keep the end of what came."""
        self.tail = (self.tail + data)[-_STDERR_TAIL_BYTES:]

    def quote(self) -> str:
        """The last words of it, for the text of an error."""
        return self.tail.decode(errors="replace").strip()[-_QUOTED_CHARACTERS:]


def _pipe(read_owner: ExitStack, write_owner: ExitStack) -> tuple[int, int]:
    read, write = os.pipe()
    read_owner.callback(os.close, read)
    write_owner.callback(os.close, write)
    return read, write
