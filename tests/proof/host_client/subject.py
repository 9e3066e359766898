"""What a broken or a legal client is, and how one is entered in its table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import anyio
from tests.proof.composed import JOINED, changed
from tests.proof.row import Level, Row, enter

from wireproof_reference._bridge import serve_bridge
from wireproof_reference._stdio import take_stdio
from wireproof_reference.framing import JSON, encode, loads
from wireproof_reference.host_v1 import ClientConnection, HostClient, Request
from wireproof_reference.host_v1._bridge import ClientBridge
from wireproof_reference.host_v1._link import HostLink

PROGRAM = str(Path(__file__).with_name("client.py"))

ClientType = TypeVar("ClientType", bound=type[HostClient])


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientRow(Row):
    """A client that does one thing differently from the reference.

    Attributes:
        client: The reference client with that change.
        bridge: What carries out the ops on it.
    """

    client: type[HostClient]
    bridge: type[ClientBridge] = ClientBridge

    @property
    def program(self) -> tuple[str, ...]:
        """What starts it."""
        table = "broken" if self.clause else "legal"
        return (sys.executable, PROGRAM, table, self.name)

    def run(self, arguments: Sequence[str]) -> int:
        """Serve the bridge on stdin and stdout."""
        bridge = partial(self.bridge, client_type=self.client)
        anyio.run(serve_bridge, *take_stdio(), bridge)
        return 0


BROKEN: dict[str, ClientRow] = {}
"""The broken clients, by name, in the order in which their modules enter them."""

LEGAL: dict[str, ClientRow] = {}
"""The clients that conform in their own way."""


def broken(
    name: str,
    clause: str,
    does: str,
    *,
    level: Level = "must",
    allows: Mapping[str, str] | None = None,
) -> Callable[[ClientType], ClientType]:
    """Enter a client in the table of those that break one clause.

    Args:
        name: What it is asked for by.
        clause: The clause that it breaks.
        does: What it does, as a clause of a sentence.
        level: The level of the part that it breaks.
        allows: Other clauses that literally are broken too, each with a word why.
    """

    def register(client: ClientType) -> ClientType:
        row = ClientRow(
            name=name,
            does=does,
            clause=clause,
            level=level,
            allows=allows or {},
            client=client,
        )
        enter(BROKEN, row)
        return client

    return register


def legal(
    name: str, does: str, *, bridge: type[ClientBridge] = ClientBridge
) -> Callable[[ClientType], ClientType]:
    """Enter a client in the table of those that conform in their own way."""

    def register(client: ClientType) -> ClientType:
        enter(LEGAL, ClientRow(name=name, does=does, client=client, bridge=bridge))
        return client

    return register


def compose(names: Sequence[str]) -> ClientRow:
    """Return the legal client that has these variants at once.

    Args:
        names: Those of the variants; at most one of them has a bridge of its own.
    """
    rows = [LEGAL[name] for name in names]
    own = [row.bridge for row in rows if row.bridge is not ClientBridge]
    return ClientRow(
        name=JOINED.join(names),
        does="; ".join(row.does for row in rows),
        client=type("Composed", tuple(row.client for row in rows), {}),
        bridge=own[0] if own else ClientBridge,
    )


def changes() -> dict[str, frozenset[str]]:
    """Return what each legal client changes, by its name."""
    return {
        name: changed(row.client, HostClient)
        | ({"bridge"} if row.bridge is not ClientBridge else set())
        for name, row in LEGAL.items()
    }


class WiredClient(HostClient):
    """The reference client on a link, or a connection, of another kind."""

    link_type = HostLink
    connection_type = ClientConnection

    def _open_link(self) -> HostLink:
        link = self.link_type(self._process, self._tasks)
        link._connection = self.connection_type()
        return link


class RewritingConnection(ClientConnection):
    """Changes requests before they are sent, and messages before they are read."""

    def rewrite_request(self, frame: dict[str, Any]) -> bytes:
        """Return the bytes that are sent in place of this request."""
        return encode(frame)

    def rewrite_message(self, frame: dict[str, Any]) -> None:
        """Change a message of the host's, which has an id, in place."""

    def send(self, request: Request) -> bytes:
        frame: Any = loads(super().send(request).rstrip(b"\n"))
        return self.rewrite_request(frame)

    def _receive_value(self, value: JSON, line: bytes) -> Any:
        if isinstance(value, dict) and "id" in value:
            self.rewrite_message(value)
        return super()._receive_value(value, line)

    @property
    def waiting(self) -> list[str]:
        """The ids in flight, the oldest first."""
        return list(self._exchanges._in_flight)
