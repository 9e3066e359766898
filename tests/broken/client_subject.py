"""What a broken or a legal client is, and how one is entered in its table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from wireproof_reference.framing import JSON, encode, loads
from wireproof_reference.host_v1 import ClientConnection, HostClient, Request
from wireproof_reference.host_v1._link import HostLink

Level = Literal["must", "should"]
ClientType = TypeVar("ClientType", bound=type[HostClient])


@dataclass(frozen=True, slots=True)
class ClientSubject:
    """A client that does one thing differently from the reference.

    Attributes:
        name: What it is asked for by.
        does: What it does differently.
        client: The reference client with that change.
        clause: The clause that it breaks; empty for a legal client.
        level: The level of what it breaks.
        allows: Other clauses that it breaks in the same breath, and why.
        hangs: Whether calls are waited for in vain, so that the suite had better hurry.
    """

    name: str
    does: str
    client: type[HostClient]
    clause: str = ""
    level: Level = "must"
    allows: Mapping[str, str] = field(default_factory=dict[str, str])
    hangs: bool = False


BROKEN_CLIENTS: dict[str, ClientSubject] = {}
"""The broken clients, by name, in the order in which their modules enter them."""

LEGAL_CLIENTS: dict[str, ClientSubject] = {}
"""The clients that conform in their own way."""


def broken_client(
    name: str,
    clause: str,
    does: str,
    *,
    level: Level = "must",
    allows: Mapping[str, str] | None = None,
    hangs: bool = False,
) -> Callable[[ClientType], ClientType]:
    """Enter a client in the table of those that break one clause."""

    def enter(client: ClientType) -> ClientType:
        row = ClientSubject(name, does, client, clause, level, allows or {}, hangs)
        return _enter(BROKEN_CLIENTS, row, client)

    return enter


def legal_client(name: str, does: str) -> Callable[[ClientType], ClientType]:
    """Enter a client in the table of those that conform in their own way."""

    def enter(client: ClientType) -> ClientType:
        return _enter(LEGAL_CLIENTS, ClientSubject(name, does, client), client)

    return enter


def _enter(
    table: dict[str, ClientSubject], row: ClientSubject, client: ClientType
) -> ClientType:
    if row.name in table:
        raise ValueError(f"two clients are called {row.name}")
    table[row.name] = row
    return client


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
