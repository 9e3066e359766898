"""A client of a server: its connection, its session and its calls."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from wireproof_reference.socket_v1._calls import Call
    from wireproof_reference.socket_v1._server_connection import ServerConnection
    from wireproof_reference.socket_v1._stream import SocketStream


@dataclass(slots=True, eq=False)
class Peer:
    """A client that is connected.

    Attributes:
        stream: The way to it and back.
        connection: The core that reads its messages.
        session_id: The server's own name for the connection (SOCK-I2).
        calls: Its calls in flight by their `requestId` (SOCK-C9).
        idle: Set when the last of them is over; whoever waits for it makes it anew.
    """

    stream: SocketStream
    connection: ServerConnection
    session_id: str
    calls: dict[str, Call] = field(default_factory=dict[str, "Call"])
    idle: anyio.Event = field(default_factory=anyio.Event)
