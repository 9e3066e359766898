"""What a broken or a legal client is, and how one is entered in its table."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import anyio
from tests.proof.composed import changes_of, compose
from tests.proof.row import ClassRow, Tables

from wireproof_reference._bridge import serve_bridge
from wireproof_reference._stdio import take_stdio
from wireproof_reference.framing import JSON, encode, loads
from wireproof_reference.host_v1 import ClientConnection, HostClient, Request
from wireproof_reference.host_v1._bridge import ClientBridge
from wireproof_reference.host_v1._link import HostLink

PROGRAM = str(Path(__file__).with_name("client.py"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientRow(ClassRow):
    """A client that does one thing differently from the reference.

    Attributes:
        subject: The reference client with that change.
        bridge: What carries out the ops on it.
    """

    subject: type[HostClient]
    bridge: type[ClientBridge] = ClientBridge

    @property
    def program(self) -> tuple[str, ...]:
        """What starts it."""
        table = "broken" if self.clause else "legal"
        return (sys.executable, PROGRAM, table, self.name)

    def run(self, arguments: Sequence[str]) -> int:
        """Serve the bridge on stdin and stdout."""
        bridge = partial(self.bridge, client_type=self.subject)
        anyio.run(serve_bridge, *take_stdio(), bridge)
        return 0


TABLES = Tables(ClientRow)
BROKEN, LEGAL = TABLES.broken, TABLES.legal
broken, legal = TABLES.enter_broken, TABLES.enter_legal


def compose_legal(names: Sequence[str]) -> ClientRow:
    """Return the legal client that has these variants at once."""
    return compose(LEGAL, names, own="bridge")


def changes() -> dict[str, frozenset[str]]:
    """Return what each legal client changes, by its name."""
    return changes_of(LEGAL, HostClient, own="bridge")


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
