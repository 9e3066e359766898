"""Servers that mix up their connections: SOCK-C9, X4, I2, I4, I7."""

from __future__ import annotations

from typing import Any

from tests.proof.socket_v1.subject import broken

from wireproof_reference.framing import loads
from wireproof_reference.socket_v1 import (
    Call,
    CallContext,
    CancelToolCall,
    Peer,
    SocketServer,
    ToolCall,
    ToolDefinition,
    ToolResult,
)


class OneTable(SocketServer):
    """Keeps, for all connections in one table, who used an id last."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.latest: dict[str, Peer] = {}

    def start_call(self, peer: Peer, message: ToolCall) -> None:
        self.latest[message.request_id] = peer
        super().start_call(peer, message)


@broken(
    "results-to-the-latest",
    "SOCK-C9",
    "sends a result to the connection that used its id last",
)
class ResultsToTheLatest(OneTable):
    def write(self, peer: Peer, data: bytes) -> None:
        frame: Any = loads(data.rstrip(b"\n"))
        if frame["type"] == "tool_result":
            peer = self.latest.get(frame["requestId"], peer)
        super().write(peer, data)


@broken(
    "events-to-the-latest",
    "SOCK-C9",
    "sends an event to the connection that used its id last",
)
class EventsToTheLatest(OneTable):
    def write(self, peer: Peer, data: bytes) -> None:
        frame: Any = loads(data.rstrip(b"\n"))
        if frame["type"] == "tool_event":
            peer = self.latest.get(frame["requestId"], peer)
        super().write(peer, data)


@broken(
    "remembers-results",
    "SOCK-C9",
    "answers an id that another connection has used with the result of that call",
)
class RemembersResults(SocketServer):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.results: dict[str, tuple[Peer, ToolResult]] = {}

    def resolve(self, call: Call, result: ToolResult) -> None:
        self.results.setdefault(call.message.request_id, (call.peer, result))
        super().resolve(call, result)

    def refuse_call(self, call: Call) -> ToolResult | None:
        peer, result = self.results.get(call.message.request_id, (call.peer, None))
        if result is not None and peer is not call.peer:
            return result
        return super().refuse_call(call)


@broken(
    "cancels-the-latest",
    "SOCK-X4",
    "cancels the call that used the id last, whosever it is",
)
class CancelsTheLatest(OneTable):
    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        super().cancel_call(self.latest.get(message.request_id, peer), message)


@broken(
    "cancels-elsewhere",
    "SOCK-X4",
    "looks for a call that it cannot cancel here on the other connections",
)
class CancelsElsewhere(SocketServer):
    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        holders = [one for one in self.peers if message.request_id in one.calls]
        wanted = peer if peer in holders or not holders else holders[0]
        super().cancel_call(wanted, message)


@broken(
    "joins-sessions",
    "SOCK-I2",
    "lets a client into the session of another connection that it claims",
)
class JoinsSessions(SocketServer):
    def make_context(self, peer: Peer, message: ToolCall) -> CallContext:
        claimed = message.client_info.session_id
        if any(one.session_id == claimed for one in self.peers):
            peer.session_id = str(claimed)
        return super().make_context(peer, message)


@broken(
    "plugins-may-all",
    "SOCK-I4",
    "denies nothing to a plugin",
)
class PluginsMayAll(SocketServer):
    def check_permission(self, call: Call, tool: ToolDefinition) -> ToolResult | None:
        if call.context.caller == "plugin":
            return None
        return super().check_permission(call, tool)


@broken(
    "asked-once-a-connection",
    "SOCK-I7",
    "denies the first call of a connection, and grants the next",
    level="should",
)
class AskedOnceAConnection(SocketServer):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._asked: set[str] = set()

    def check_permission(self, call: Call, tool: ToolDefinition) -> ToolResult | None:
        refusal = super().check_permission(call, tool)
        if refusal is None or call.peer.session_id in self._asked:
            return None
        self._asked.add(call.peer.session_id)
        return refusal


@broken(
    "hides-the-denied", "SOCK-I7", "calls a tool unknown that it denies", level="should"
)
class HidesTheDenied(SocketServer):
    def check_permission(self, call: Call, tool: ToolDefinition) -> ToolResult | None:
        if super().check_permission(call, tool) is None:
            return None
        return ToolResult.failure("UNKNOWN_TOOL", f"unknown tool {tool.name!r}")
