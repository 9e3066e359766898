"""Starting the process of a tool."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, TypeVar

import anyio

from wireproof_reference._child import ChildProcess
from wireproof_reference.exec.core import ToolNotStarted

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from wireproof_reference.exec.core import Binding

T = TypeVar("T")


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
