"""Serves as the reference does, but for one fault: ``PATH HOME FAULT``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wireproof_reference.framing import dumps
from wireproof_reference.socket_v1 import (
    CallResult,
    ServerConnection,
    SocketServer,
    ToolResult,
    conformance_registry,
    run_socket,
)

if TYPE_CHECKING:
    from wireproof_reference.socket_v1 import (
        BadMessage,
        Call,
        CancelToolCall,
        Peer,
        ServerMessage,
        ToolCall,
    )


class WholeReads(ServerConnection):
    """Takes what one read brings for whole lines."""

    def receive_data(self, data: bytes) -> None:
        super().receive_data(data if data.endswith(b"\n") else data + b"\n")


class CarriageReturns(ServerConnection):
    """Takes a carriage return for a part of the line."""

    def receive_data(self, data: bytes) -> None:
        super().receive_data(data.replace(b"\r", b"?"))


class Shallow(ServerConnection):
    """Dies of deep nesting, as a recursive parser does."""

    def receive_data(self, data: bytes) -> None:
        if b"[" * 1500 in data or b'{"a":' * 1500 in data:
            os._exit(1)
        super().receive_data(data)


class Cuts(SocketServer):
    def make_connection(self) -> ServerConnection:
        return WholeReads()


class BlankLines(SocketServer):
    def make_connection(self) -> ServerConnection:
        return CarriageReturns()


class DeepNesting(SocketServer):
    def make_connection(self) -> ServerConnection:
        return Shallow()


class BadLines(SocketServer):
    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        if "JSON" not in bad.answer.message and "json" not in bad.answer.message:
            super().handle_bad_message(peer, bad)


class BadMessages(SocketServer):
    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        if not bad.line.startswith(b"["):
            super().handle_bad_message(peer, bad)


class BadBytes(SocketServer):
    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        if bad.line.isascii():
            super().handle_bad_message(peer, bad)


class RequestIds(SocketServer):
    """Trims the id of a result."""

    def encode(self, peer: Peer, message: ServerMessage) -> bytes:
        data = super().encode(peer, message)
        if not isinstance(message, CallResult):
            return data
        key = message.request_id
        return data.replace(dumps(key), dumps(key.strip()[:100]), 1)


class Values(SocketServer):
    async def run_tool(self, tool: Any, call: Call) -> Any:
        found: Any = await super().run_tool(tool, call)
        return _without_nulls(found)


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {k: v for k, v in value.items() if v is not None or k == "value"}
        return {key: _without_nulls(one) for key, one in kept.items()}
    return [_without_nulls(one) for one in value] if isinstance(value, list) else value


class Sequences(SocketServer):
    """Sends every event but the fourth of a call."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.emitted: dict[int, int] = {}

    async def emit(self, call: Call, event: Any) -> None:
        self.emitted[id(call)] = self.emitted.get(id(call), 0) + 1
        if self.emitted[id(call)] != 4:
            await super().emit(call, event)


class SameIds(SocketServer):
    """Sends a result to whoever used its id last."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.latest: dict[str, Peer] = {}

    def start_call(self, peer: Peer, message: ToolCall) -> None:
        self.latest[message.request_id] = peer
        super().start_call(peer, message)

    def write(self, peer: Peer, data: bytes) -> None:
        for key, latest in self.latest.items():
            if dumps(key) in data:
                super().write(latest, data)
                return
        super().write(peer, data)


class Cancels(SocketServer):
    """Cancels every call of a connection."""

    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        for call in list(peer.calls.values()):
            self.abort_call(call, ToolResult.failure("CANCELLED", "it was cancelled"))


FAULTS: dict[str, type[SocketServer]] = {
    "cuts": Cuts,
    "blank-lines": BlankLines,
    "bad-lines": BadLines,
    "bad-messages": BadMessages,
    "bad-bytes": BadBytes,
    "deep-nesting": DeepNesting,
    "request-ids": RequestIds,
    "values": Values,
    "sequences": Sequences,
    "same-ids": SameIds,
    "cancels": Cancels,
}

if __name__ == "__main__":
    path, home, fault = sys.argv[1:]
    registry = conformance_registry()
    sys.exit(run_socket(registry, Path(path), Path(home), FAULTS[fault]))
