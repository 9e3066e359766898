"""What a tool is given while it carries out a call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio

from wireproof_reference.socket_v1.core import artifact, log, partial_text, progress

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from wireproof_reference.framing import JSONObject
    from wireproof_reference.socket_v1.core import Caller, LogLevel


class AbortSignal:
    """Tells a tool that nobody waits for it any more; it may look or not.

    Attributes:
        aborted: Whether it has fired.
        reason: Why, in a few words; empty before.
    """

    __slots__ = ("_fired", "aborted", "reason")

    def __init__(self) -> None:
        self.aborted = False
        self.reason = ""
        self._fired = anyio.Event()

    def abort(self, reason: str) -> None:
        """Fire; the first reason stands."""
        if not self.aborted:
            self.aborted = True
            self.reason = reason
            self._fired.set()

    async def wait(self) -> None:
        """Wait until it fires."""
        await self._fired.wait()


@dataclass(frozen=True, slots=True)
class CallContext:
    """What a tool may use while it carries out a call.

    Attributes:
        caller: Who calls, as far as the server believes it (SOCK-I1).
        session_id: The server's own name for the connection (SOCK-I2).
        signal: Fires at cancel, timeout, close and shutdown (SOCK-X9).
        emit: Sends an event now; does nothing once the call is over (SOCK-C2).
        cwd: The folder that the client works in.
        space_id: The space that the client works in.
        tab_id: The tab that the client works in.
    """

    caller: Caller
    session_id: str
    signal: AbortSignal
    emit: Callable[[JSONObject], Awaitable[None]]
    cwd: str | None = None
    space_id: str | None = None
    tab_id: str | None = None

    async def progress(
        self, message: str | None = None, fraction: float | None = None
    ) -> None:
        """Tell how far the tool is; `fraction` goes from 0 to 1."""
        await self.emit(progress(message, fraction))

    async def log(self, level: LogLevel, message: str) -> None:
        """Send a line for a log."""
        await self.emit(log(level, message))

    async def partial_text(self, text: str) -> None:
        """Send a piece of the text that the tool writes."""
        await self.emit(partial_text(text))

    async def artifact(
        self,
        mime_type: str,
        *,
        name: str | None = None,
        data_base64: str | None = None,
        path: str | None = None,
    ) -> None:
        """Send something that the tool made, as data or as a file."""
        await self.emit(
            artifact(mime_type, name=name, data_base64=data_base64, path=path)
        )
