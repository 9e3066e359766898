"""Servers that do not cope with slow clients, many events, closed connections: F1, C15,
C16, E2."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections import Counter
from dataclasses import replace
from typing import Any

from tests.proof.row import Change, around
from tests.proof.socket_v1.subject import TABLES

from wireproof_reference.framing import JSON, JSONObject
from wireproof_reference.socket_v1 import (
    CallContext,
    SocketServer,
    ToolRegistry,
    conformance_registry,
)

fault = TABLES.faults(__name__, SocketServer)

PIECE = 32 * 1024
BURST = 4096
MOST_QUEUED = 64 * 1024


# --- two writers of one connection


async def write_in_pieces(peer: Any, data: bytes) -> None:
    """Write a frame in pieces, each once the one before it has been taken."""
    for start in range(0, len(data), PIECE):
        peer.stream.write(data[start : start + PIECE])
        await peer.stream.flush()


def in_pieces(mark: bytes) -> Change:
    """Return the change that writes long frames with a mark by a task each."""

    def write(self: Any, original: Any, peer: Any, data: bytes) -> None:
        if len(data) > PIECE and mark in data:
            self._tasks.start_soon(write_in_pieces, peer, data)
        else:
            original(peer, data)

    return around("write", write)


fault(
    "a-writer-for-each-call",
    "SOCK-F1",
    "writes each long frame by a task of its own, in pieces",
    in_pieces(b""),
    shown_by="socket-v1/framing/two-results-read-slowly",
)
fault(
    "a-writer-for-each-event",
    "SOCK-F1",
    "writes each long event by a task of its own, in pieces",
    in_pieces(b'"tool_event"'),
    shown_by="socket-v1/framing/events-and-results-read-slowly",
)


def drop_the_rest(_: Any, original: Any, peer: Any, data: bytes) -> None:
    """Write what the client takes now, and drop the rest."""
    with contextlib.suppress(OSError):
        peer.stream._take(memoryview(data))


fault(
    "drops-what-is-not-taken",
    "SOCK-F1",
    "writes as much of a frame as the client takes at once",
    around("write", drop_the_rest),
    shown_by="socket-v1/framing/two-results-read-slowly",
)


# --- a client that does not read


def write_and_wait(_: Any, original: Any, peer: Any, data: bytes) -> None:
    """Write a frame, and wait until all of it is taken."""
    connected = peer.stream._socket
    if connected.fileno() < 0:
        return
    connected.setblocking(True)  # noqa: FBT003
    with contextlib.suppress(OSError):
        connected.sendall(data)
    with contextlib.suppress(OSError):
        connected.setblocking(False)  # noqa: FBT003


fault(
    "waits-for-each-write",
    "SOCK-C15",
    "serves nobody until a client has taken its frame",
    around("write", write_and_wait),
)


async def after_all_writes(self: Any, original: Any, *args: Any) -> None:
    """Wait until every client has taken what was written for it."""
    for peer in list(self.peers):
        await peer.stream.flush()
    await original(*args)


fault(
    "serves-no-new-client",
    "SOCK-C15",
    "serves a new client once the others have taken what was written for them",
    around("serve_peer", after_all_writes),
)
fault(
    "one-queue-for-all",
    "SOCK-C15",
    "answers a message once every client has taken what was written for it",
    around("handle_messages", after_all_writes),
)
fault(
    "runs-no-tool-meanwhile",
    "SOCK-C15",
    "runs a tool once every client has taken what was written for it",
    around("run_call", after_all_writes),
)


# --- descriptors


def keep_a_copy(_: Any, original: Any, peer: Any) -> None:
    """Keep a descriptor of a connection that has ended."""
    original(peer)
    with contextlib.suppress(OSError):
        os.dup(peer.stream._socket.fileno())


fault(
    "keeps-each-connection",
    "SOCK-C16",
    "keeps a descriptor of each connection that was closed",
    around("handle_close", keep_a_copy),
    level="should",
)


async def keep_half_closed(_: Any, original: Any, peer: Any) -> None:
    """Keep a descriptor of a connection whose client has left a call behind."""
    if peer.calls:
        os.dup(peer.stream._socket.fileno())
    await original(peer)


fault(
    "keeps-connections-with-calls",
    "SOCK-C16",
    "keeps a descriptor of each connection that was closed with a call in flight",
    around("handle_eof", keep_half_closed),
    level="should",
    shown_by="socket-v1/concurrency/fifty-closed-with-a-call",
)


async def start_with_all(arguments: JSONObject, context: CallContext) -> JSON:
    """Start a child that has all descriptors of the server."""
    words = ["sleep", str(float(str(arguments["ms"])) / 1000)]
    child = subprocess.Popen(words, close_fds=False)  # noqa: ASYNC220
    return {"pid": child.pid}


def inheriting() -> ToolRegistry:
    """The toolset, with a child that has all descriptors of the server."""
    return ToolRegistry(
        replace(tool, run=start_with_all) if tool.name == "conformance_child" else tool
        for tool in conformance_registry().tools
    )


async def inherited(_: Any, original: Any, connected: Any) -> None:
    """Let children have a connection."""
    connected.set_inheritable(True)
    await original(connected)


fault(
    "children-have-connections",
    "SOCK-C16",
    "lets a child process of a tool have its connections",
    around("serve_peer", inherited),
    level="should",
    registry=inheriting,
    shown_by="socket-v1/concurrency/child-inherits-no-connection",
)


# --- many events


def counted(most: int) -> Change:
    """Return the change that sends so many events of a call and drops the others."""
    sent: Counter[int] = Counter()

    async def emit(_: Any, original: Any, call: Any, event: Any) -> None:
        sent[id(call.context)] += 1
        if sent[id(call.context)] <= most:
            await original(call, event)

    return around("emit", emit)


fault(
    "four-thousand-events",
    "SOCK-E2",
    "drops the events of a call beyond 4,096",
    counted(BURST),
    shown_by="socket-v1/events/many-thousand",
)


async def emit_if_taken(_: Any, original: Any, call: Any, event: Any) -> None:
    """Send an event if the client has taken most of those before it."""
    if call.peer.stream.backlog_bytes <= MOST_QUEUED:
        await original(call, event)


fault(
    "drops-events-of-slow-clients",
    "SOCK-E2",
    "drops events while a client has not taken those before",
    around("emit", emit_if_taken),
    shown_by="socket-v1/events/thousands-read-slowly",
)


def in_all(most: int) -> Change:
    """Return the change that drops events once so many were sent by calls in flight."""

    async def emit(self: Any, original: Any, call: Any, event: Any) -> None:
        calls = sum(len(peer.calls) for peer in self.peers)
        self.sent = getattr(self, "sent", 0) + 1 if calls > 1 else 0
        if self.sent <= most:
            await original(call, event)

    return around("emit", emit)


fault(
    "three-thousand-events-in-all",
    "SOCK-E2",
    "drops the events of calls that run side by side beyond 3,000 in all",
    in_all(3_000),
    shown_by="socket-v1/events/thousands-side-by-side",
)
