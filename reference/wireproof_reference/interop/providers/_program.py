"""`python -m wireproof_reference provider-playback`: streams for clients to read.

What it plays is a file per request: a JSON object with `events`, and with `ends` where
the stream is `cut`, as the vectors of kind `stream` have them.  It writes JSON lines:
`{"url"}` when it can be asked, then `{"request","body"}` for each request.
"""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path
from typing import Final, Literal

import anyio

from wireproof_reference._errors import JsonError
from wireproof_reference.framing import encode, loads
from wireproof_reference.interop.providers._playback import (
    ReceivedRequest,
    Reply,
    playback,
)
from wireproof_reference.interop.providers.core import (
    objects_in,
    stream_bytes,
    with_keep_alives,
)

_MAX_PORT: Final = 65535

EXIT_STOPPED: Final = 0
"""The server ended because it was told to."""

EXIT_NOT_STARTED: Final = 1
"""A file could not be read, or the port not be had."""


def main(arguments: list[str]) -> int:
    """Play streams until SIGTERM or SIGINT.

    Returns:
        The exit status: 1 where it cannot start, 2 where the arguments are wrong.
    """
    try:
        options = _parser().parse_args(arguments)
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else 2
    try:
        replies = [_reply(path, options) for path in options.files]
        return anyio.run(_play, replies, options.port, backend=options.backend)
    except (OSError, JsonError) as error:
        sys.stderr.write(f"{error}\n")
        return EXIT_NOT_STARTED


def _reply(path: Path, options: argparse.Namespace) -> Reply:
    value = loads(path.read_bytes())
    stream = value if isinstance(value, dict) else {}
    ends: Literal["done", "cut"] = "cut" if stream.get("ends") == "cut" else "done"
    body = stream_bytes(objects_in(stream, "events"), ends)
    if options.keep_alives:
        body = with_keep_alives(body)
    return Reply(body, cut_at=options.cut_at, piece_bytes=options.piece_bytes)


async def _play(replies: list[Reply], port: int) -> int:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async with playback(*replies, port=port, on_request=_tell) as server:
            _write({"url": server.url})
            async for _ in signals:
                break
    return EXIT_STOPPED


def _tell(request: ReceivedRequest) -> None:
    _write({"request": request.start, "body": request.body})


def _write(value: object) -> None:
    sys.stdout.buffer.write(encode(value))
    sys.stdout.buffer.flush()


def _size(text: str) -> int:
    size = int(text)
    if size < 0:
        raise ValueError(text)
    return size


def _port(text: str) -> int:
    port = int(text)
    # Resolvers do not agree on what a larger one is.
    if not 0 <= port <= _MAX_PORT:
        raise ValueError(text)
    return port


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m wireproof_reference provider-playback",
        description="Play streams of a provider until SIGTERM, a file per request.",
        allow_abbrev=False,
    )
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    parser.add_argument(
        "--port", type=_port, default=0, help="where to listen (default: any)"
    )
    parser.add_argument(
        "--cut-at", type=_size, metavar="N", help="end each stream after N bytes"
    )
    parser.add_argument(
        "--piece-bytes",
        type=_size,
        metavar="N",
        help="send N bytes at once (default, and 0: all)",
    )
    parser.add_argument(
        "--keep-alives", action="store_true", help="put comments between the events"
    )
    parser.add_argument("--backend", choices=("asyncio", "trio"), default="asyncio")
    return parser
