"""A host on the stdin and stdout of its process, on asyncio or trio.

Theory of operation: the two descriptors are taken away before anything else runs, so
that nothing but the protocol ever reaches the client (HV1-T2, HV1-T11).  What a tool
prints, in Python or in a child process, goes to stderr; what it reads is empty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import anyio

from wireproof_reference._pipes import PipeReader, PipeWriter
from wireproof_reference._stdio import take_stdio
from wireproof_reference.host_v1._host import Host

if TYPE_CHECKING:
    from wireproof_reference.host_v1._plugin import ToolPlugin

EXIT_ANSWERED: Final = 0
"""Every request was answered (HV1-T9)."""

EXIT_NOT_READ: Final = 1
"""The client stopped reading before it had its answers."""


class PipeTransport:
    """The way to a client over a pair of descriptors."""

    def __init__(self, reader: PipeReader, writer: PipeWriter) -> None:
        self.receive = reader.receive
        self.write = writer.write
        self.wait_for_room = writer.wait_for_room
        self.flush = writer.flush


async def serve_fds(
    plugin: ToolPlugin, stdin: int, stdout: int, host_class: type[Host] = Host
) -> int:
    """Serve a client over two descriptors until its input ends.

    Returns:
        The exit status: `EXIT_ANSWERED` or `EXIT_NOT_READ`.
    """
    async with anyio.create_task_group() as tasks:
        writer = PipeWriter(stdout, tasks, tasks.cancel_scope.cancel)
        host = host_class(plugin, PipeTransport(PipeReader(stdin), writer))
        await host.serve()
        return EXIT_ANSWERED
    return EXIT_NOT_READ


async def serve_stdio(plugin: ToolPlugin, host_class: type[Host] = Host) -> int:
    """Serve the client that started this process, until its input ends.

    Takes stdin and stdout for good; see `take_stdio`.

    Returns:
        The exit status: `EXIT_ANSWERED` or `EXIT_NOT_READ`.
    """
    stdin, stdout = take_stdio()
    return await serve_fds(plugin, stdin, stdout, host_class)


def run_stdio(
    plugin: ToolPlugin, host_class: type[Host] = Host, *, backend: str = "asyncio"
) -> int:
    """Run `serve_stdio` as the whole of a program: `sys.exit(run_stdio(plugin))`.

    Args:
        plugin: The tools and optional methods.
        host_class: A host that does something differently.
        backend: The event loop: `asyncio` or `trio`.

    Returns:
        The exit status.
    """
    return anyio.run(serve_stdio, plugin, host_class, backend=backend)
