"""What a broken or a legal server is, and how one is entered in its table."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tests.proof.composed import JOINED, changed
from tests.proof.row import Level, Row, enter

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

ServerType = TypeVar("ServerType", bound=type[SocketServer])


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerRow(Row):
    """A server that does one thing differently from the reference.

    Attributes:
        server: The reference server with that change.
        registry: What it serves.
    """

    server: type[SocketServer]
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
            self.server,
            backend=backend[0] if backend else "asyncio",
        )


BROKEN: dict[str, ServerRow] = {}
"""The broken servers, by name, in the order in which their modules enter them."""

LEGAL: dict[str, ServerRow] = {}
"""The legal servers; what `allows` names they may be warned of, and nothing else."""


def broken(
    name: str,
    clause: str,
    does: str,
    *,
    level: Level = "must",
    allows: Mapping[str, str] | None = None,
    registry: Callable[[], ToolRegistry] = conformance_registry,
    shown_by: str = "",
) -> Callable[[ServerType], ServerType]:
    """Enter a server in the table of those that break one clause.

    Args:
        name: What it is asked for by.
        clause: The clause that it breaks.
        does: What it does, as a clause of a sentence.
        level: The level of the part that it breaks.
        allows: Other clauses that literally are broken too, each with a word why.
        registry: What it serves.
        shown_by: The vector that shows it, where few of the clause do.
    """

    def register(server: ServerType) -> ServerType:
        row = ServerRow(
            name=name,
            does=does,
            clause=clause,
            level=level,
            allows=allows or {},
            server=server,
            registry=registry,
            shown_by=shown_by,
        )
        enter(BROKEN, row)
        return server

    return register


def legal(
    name: str,
    does: str,
    *,
    warns: Mapping[str, str] | None = None,
    registry: Callable[[], ToolRegistry] = conformance_registry,
) -> Callable[[ServerType], ServerType]:
    """Enter a server in the table of those that conform in their own way.

    Args:
        name: What it is asked for by.
        does: What it does, as a clause of a sentence.
        warns: Clauses of SHOULD level that it does not keep, each with a word why.
        registry: What it serves.
    """

    def register(server: ServerType) -> ServerType:
        row = ServerRow(
            name=name,
            does=does,
            level="should",
            allows=warns or {},
            server=server,
            registry=registry,
        )
        enter(LEGAL, row)
        return server

    return register


def hang_up(peer: Peer) -> None:
    """Close the connection to a client, both ways."""
    with suppress(OSError):
        peer.stream._socket.shutdown(socket.SHUT_RDWR)


def compose(names: Sequence[str]) -> ServerRow:
    """Return the legal server that has these variants at once.

    Args:
        names: Those of the variants; at most one of them brings tools of its own.
    """
    rows = [LEGAL[name] for name in names]
    own = [row.registry for row in rows if row.registry is not conformance_registry]
    return ServerRow(
        name=JOINED.join(names),
        does="; ".join(row.does for row in rows),
        level="should",
        allows={clause: why for row in rows for clause, why in row.allows.items()},
        server=type("Composed", tuple(row.server for row in rows), {}),
        registry=own[0] if own else conformance_registry,
    )


def changes() -> dict[str, frozenset[str]]:
    """Return what each legal server changes, by its name."""
    return {
        name: changed(row.server, SocketServer)
        | ({"registry"} if row.registry is not conformance_registry else set())
        for name, row in LEGAL.items()
    }


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
