"""The scripted host as the suite sees it: what it is told, and what it reports.

A client starts the host itself, so nothing is known of the process here but what it
says on its leash, a Unix socket. It reports each thing before the client can see the
effect; when the client has its answer, the report of it is there or on its way, and
``over`` says that no more will come.
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import anyio

from wireproof.checks import Transcript
from wireproof.protocols.host_client._monitor import RequestMonitor
from wireproof_reference.framing import encode

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from anyio.abc import SocketStream

PROGRAM = Path(__file__).with_name("_scripted_host.py")

COMMAND = (sys.executable, "-S", "-E", str(PROGRAM))
"""Starts the scripted host; the path of its leash comes after it."""


class Stage:
    """One playing of a script, as it is reported.

    Attributes:
        command: What the client has to start.
        starts: How often it did.
        taken: The requests that the script has taken, by name.
        answered: Whether a request was answered with success.
        stuck: Why no answer was possible; empty where it was.
        defect: Why the vector cannot be carried out; empty where it can.
        monitor: What watches the lines that come.
        transcript: All that came and went.
        settled: Set when the script waits for nothing but the end of input.
        over: Set when the host is gone.
    """

    def __init__(self, command: list[str], script: Sequence[Any]) -> None:
        """Take the command and the script that the host is to play."""
        self.command = command
        self.starts = 0
        self.taken: dict[str, Any] = {}
        self.answered = False
        self.stuck = ""
        self.defect = ""
        self.monitor = RequestMonitor()
        self.transcript = Transcript(time.monotonic())
        self.settled = anyio.Event()
        self.over = anyio.Event()
        self._script = script

    async def follow(self, leash: SocketStream) -> None:
        """Give a host the script, and take in what it reports until it is gone."""
        self.starts += 1
        if self.starts > 1:
            # The script is played once: a second host gets none, and exits.
            await leash.aclose()
            return
        buffer = b""
        # A host that is killed may take the end of its story with it.
        with suppress(anyio.BrokenResourceError):
            async with leash:
                await leash.send(encode(self._script))
                async for data in leash:
                    *lines, buffer = (buffer + data).split(b"\n")
                    for line in lines:
                        self._take_in(json.loads(line))
        self.settled.set()
        self.over.set()

    def _take_in(self, report: dict[str, Any]) -> None:
        now = time.monotonic()
        match report:
            case {"line": str(line)}:
                data = line.encode("latin-1") + b"\n"
                self.transcript.add(now, "received", data)
                self.monitor.line(data)
            case {"fragment": str(rest)}:
                data = rest.encode("latin-1")
                if data:
                    self.transcript.add(now, "received", data)
                self.monitor.end(data)
            case {"took": str(name), "request": request}:
                self.taken[name] = request
            case {"writes": str(text), "message": message}:
                self.transcript.add(now, "sent", text.encode("latin-1"))
                self._note_answer(message)
            case {"stderr": str(text)}:
                self.transcript.add(now, "stderr", text.encode())
            case {"stuck": str(why)}:
                self.stuck = why
            case {"defect": str(why)}:
                self.defect = why
            case {"waits": True}:
                self.settled.set()
            case _:
                pass  # its exit shows in the end of the leash

    def _note_answer(self, message: Any) -> None:
        match message:
            case {"id": str(request_id), "ok": bool(ok)}:
                self.monitor.answered(request_id)
                self.answered = self.answered or ok
            case {"ok": True}:
                self.answered = True
            case _:
                pass


@asynccontextmanager
async def set_stage(script: Sequence[Any]) -> AsyncGenerator[Stage, None]:
    """Have a host ready for a client to start; end it when left.

    Args:
        script: The steps as the vector has them.
    """
    with TemporaryDirectory(prefix="wp-") as folder:  # a socket's path is short
        path = Path(folder, "leash")
        stage = Stage([*COMMAND, str(path)], script)
        listener = await anyio.create_unix_listener(path)
        async with listener, anyio.create_task_group() as tasks:
            tasks.start_soon(listener.serve, stage.follow)
            try:
                yield stage
            finally:
                tasks.cancel_scope.cancel()
