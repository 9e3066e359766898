"""What a broken or a legal server is, and how one is entered in its table."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.proof.composed import changes_of, compose
from tests.proof.row import ClassRow, Tables

from wireproof_reference.framing import JSON, encode, loads
from wireproof_reference.socket_v1 import (
    ClientMessage,
    Flaw,
    Peer,
    ServerConnection,
    ServerMessage,
    SocketServer,
    ToolRegistry,
    conformance_registry,
    read_client_message,
    run_socket,
)

PLACES = ("{socket}", "{home}/.meith")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerRow(ClassRow):
    """A server that does one thing differently from the reference.

    Attributes:
        subject: The reference server with that change.
        registry: What it serves.
    """

    subject: type[SocketServer]
    registry: Callable[[], ToolRegistry] = conformance_registry

    @property
    def program(self) -> tuple[str, ...]:
        """What starts it, without its places."""
        table = "broken" if self.clause else "legal"
        return (sys.executable, "-m", "tests.proof.socket_v1.server", table, self.name)

    @property
    def command(self) -> tuple[str, ...]:
        """What starts it, with its places."""
        return (*self.program, *PLACES)

    def run(self, arguments: Sequence[str]) -> int:
        """Serve as this server at a socket and a home, and maybe on another backend.

        Returns:
            The exit status where it cannot start.
        """
        path, home, *backend = arguments
        return run_socket(
            self.registry(),
            Path(path),
            Path(home),
            self.subject,
            backend=backend[0] if backend else "asyncio",
        )


TABLES = Tables(ServerRow)
BROKEN, LEGAL = TABLES.broken, TABLES.legal
broken, legal = TABLES.enter_broken, TABLES.enter_legal


def hang_up(peer: Peer) -> None:
    """Close the connection to a client, both ways."""
    with suppress(OSError):
        peer.stream._socket.shutdown(socket.SHUT_RDWR)


def compose_legal(names: Sequence[str]) -> ServerRow:
    """Return the legal server that has these variants at once."""
    return compose(LEGAL, names, own="registry")


def changes() -> dict[str, frozenset[str]]:
    """Return what each legal server changes, by its name."""
    return changes_of(LEGAL, SocketServer, own="registry")


class RewritingServer(SocketServer):
    """Changes the JSON object of each frame before it is sent."""

    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        """Return the object that is sent in place of this one."""
        raise NotImplementedError

    def encode(self, peer: Peer, message: ServerMessage) -> bytes:
        """Encode as the reference does, and change the outcome."""
        frame: Any = loads(super().encode(peer, message).rstrip(b"\n"))
        return encode(self.rewrite(frame))


class ResultServer(RewritingServer):
    """Changes each ToolResult before it is sent."""

    def result(self, result: dict[str, Any]) -> Any:
        """Return what is sent in place of this one."""
        raise NotImplementedError

    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame["type"] == "tool_result":
            frame["result"] = self.result(frame["result"])
        return frame


class ReadingServer(SocketServer):
    """Reads messages in its own way."""

    def read_message(self, value: JSON) -> ClientMessage | Flaw:
        """Read a JSON value as a message, or say why it is none."""
        raise NotImplementedError

    def make_connection(self) -> ServerConnection:
        return _Reading(self.read_message)


class MendingServer(ReadingServer):
    """Mends a message that is an object before it is read."""

    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        """Return the message that is read in place of this one."""
        raise NotImplementedError

    def read_message(self, value: JSON) -> ClientMessage | Flaw:
        if isinstance(value, dict):
            value = self.mend(dict(value))
        return read_client_message(value)


class _Reading(ServerConnection):
    def __init__(self, read: Callable[[JSON], ClientMessage | Flaw]) -> None:
        super().__init__()
        self._read = read

    def read_message(self, value: JSON) -> ClientMessage | Flaw:
        return self._read(value)
