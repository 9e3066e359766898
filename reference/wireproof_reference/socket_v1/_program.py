"""`python -m wireproof_reference socket`: a server with the conformance toolset."""

from __future__ import annotations

import argparse
import os
import resource
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import anyio

from wireproof_reference.socket_v1._home import Home
from wireproof_reference.socket_v1._listener import SocketPathTaken
from wireproof_reference.socket_v1._server import SocketServer
from wireproof_reference.socket_v1._toolset import conformance_registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireproof_reference.socket_v1._registry import ToolRegistry


EXIT_STOPPED: Final = 0
"""The server ended because it was told to."""

EXIT_NOT_STARTED: Final = 1
"""The socket or the home could not be had."""


def main(arguments: list[str]) -> int:
    """Serve the conformance toolset on a socket until SIGTERM.

    Returns:
        The exit status: 1 where the server cannot start, 2 where the arguments are
        wrong; does not return at SIGTERM.
    """
    try:
        options = _parser().parse_args(arguments)
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else 2
    path: Path = options.path
    home: Path = options.home or Path.home() / ".meith"
    return run_socket(
        conformance_registry(),
        path.absolute(),
        home.absolute(),
        backend=options.backend,
    )


def run_socket(
    registry: ToolRegistry,
    path: Path,
    home: Path,
    server_class: Callable[..., SocketServer] = SocketServer,
    *,
    backend: str = "asyncio",
) -> int:
    """Run a server as the whole of a program: `sys.exit(run_socket(…))`.

    At SIGTERM or SIGINT it ends the process with status 0, even if a tool in a thread
    never ends.

    Args:
        registry: The tools, and what was granted.
        path: Where the socket file is made.
        home: Where the log and the records go.
        server_class: A server that does something differently.
        backend: The event loop: `asyncio` or `trio`.

    Returns:
        The exit status of a server that could not start.
    """
    _raise_file_limit()
    server = server_class(registry, path, Home(home))
    return anyio.run(_serve, server, backend=backend)


async def _serve(server: SocketServer) -> int:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async with anyio.create_task_group() as tasks:
            try:
                await tasks.start(server.serve)
            except (SocketPathTaken, OSError) as error:
                sys.stderr.write(f"{error}\n")
                return EXIT_NOT_STARTED
            async for _ in signals:
                break
            server.stop()
            await server.stopped.wait()
            os._exit(EXIT_STOPPED)
    raise AssertionError  # pragma: no cover  # the process has ended


def _raise_file_limit() -> None:
    """Allow as many connections as the system does."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m wireproof_reference socket",
        description="Serve the conformance toolset on a socket until SIGTERM.",
        allow_abbrev=False,
    )
    parser.add_argument("path", type=Path, metavar="PATH", help="the socket file")
    parser.add_argument(
        "--home",
        type=Path,
        metavar="DIR",
        help="where audit.jsonl and the records go (default: ~/.meith)",
    )
    parser.add_argument("--backend", choices=("asyncio", "trio"), default="asyncio")
    return parser
