"""Starting the process of a tool, and keeping what it writes within bounds."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Final, TypeVar

import anyio

from wireproof_reference._child import ChildProcess
from wireproof_reference._pipes import PipeReader, left_in
from wireproof_reference.exec.core import ToolNotStarted

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from wireproof_reference.exec.core import Binding

T = TypeVar("T")

_STDERR_TAIL_BYTES: Final = 64 * 1024
_QUOTED_CHARACTERS: Final = 500  # of it, in the text of an error


async def start_tool(binding: Binding, environ: Mapping[str, str]) -> ChildProcess:
    """Start the process of a tool.

    Args:
        binding: What to start.
        environ: Our own environment, as it is now (EXEC-R6).

    Raises:
        ToolNotStarted: There is no such command, or it may not be executed (EXEC-R18).
    """
    # Our own PATH: the process has none unless its binding lists it.
    program = shutil.which(binding.command, path=environ.get("PATH"))
    if program is None:
        raise ToolNotStarted(binding.name, binding.command, _why_none(binding.command))
    # EXEC-R7: a variable that is not set stays so.
    env = {name: environ[name] for name in binding.env if name in environ}
    try:
        return await shielded(
            lambda: ChildProcess.start([program, *binding.args], env=env)
        )
    except OSError as error:
        why = error.strerror or str(error)
        raise ToolNotStarted(binding.name, binding.command, why) from error
    except ValueError as error:  # a NUL in an argument
        raise ToolNotStarted(binding.name, binding.command, str(error)) from error


async def shielded(start: Callable[[], Awaitable[T]]) -> T:
    """Start something to its end: nobody would end what is cancelled in its start."""
    started: list[T] = []
    with anyio.CancelScope(shield=True):
        started.append(await start())
    return started[0]


def _why_none(command: str) -> str:
    if os.path.dirname(command) and os.path.exists(command):  # noqa: PTH110, PTH120  # as shutil.which has it
        return "it may not be executed"
    return "there is no such command"


class Drain:
    """Reads a pipe to its end, and hands on what comes.

    Args:
        pipe: Our end of it; not closed.
        take: Gets each piece.
    """

    def __init__(self, pipe: int, take: Callable[[bytes], None]) -> None:
        self._reader = PipeReader(pipe)
        self._take = take

    async def run(self) -> None:
        """Read until the end of file, which a grandchild may hold off for ever."""
        while data := await self._reader.receive():
            self._take(data)

    def take_left(self) -> None:
        """Take what a process that has exited left in the pipe."""
        for data in left_in(self._reader):
            self._take(data)


class StderrTail:
    """The end of what a process wrote to stderr (EXEC-R14)."""

    def __init__(self) -> None:
        self._tail = b""

    def take(self, data: bytes) -> None:
        """Keep the end of it."""
        self._tail = (self._tail + data)[-_STDERR_TAIL_BYTES:]

    def quote(self) -> str:
        """Its last words, for the text of an error."""
        return self._tail.decode(errors="replace").strip()[-_QUOTED_CHARACTERS:]
