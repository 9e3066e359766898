"""A client of a server: its connection, its session and its calls in flight."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from wireproof_reference.socket_v1._context import CallContext
    from wireproof_reference.socket_v1._registry import ToolDefinition
    from wireproof_reference.socket_v1._stream import SocketStream
    from wireproof_reference.socket_v1.core import ServerConnection, ToolCall


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


@dataclass(slots=True, eq=False)
class Call:
    """A call in flight.

    Attributes:
        peer: Whose it is.
        message: What was asked.
        context: What the tool is given.
        started: When it came, in seconds by the clock of the event loop.
        tool: The tool, or None where there is no such tool.
        allowed: Whether it was permitted to run.
        resolved: Set when it has come to its result.
    """

    peer: Peer
    message: ToolCall
    context: CallContext
    started: float
    tool: ToolDefinition | None = None
    allowed: bool = False
    resolved: anyio.Event = field(default_factory=anyio.Event)
