"""Servers that end calls and order events wrongly: SOCK-C12, E2, X2, X3, X5, X10."""

from __future__ import annotations

from typing import Any

import anyio
from tests.proof.socket_v1.subject import broken

from wireproof_reference.framing import JSONObject
from wireproof_reference.socket_v1 import (
    Call,
    CancelToolCall,
    Peer,
    SocketServer,
    ToolCall,
    ToolEvent,
    ToolResult,
)


@broken(
    "events-from-a-stack",
    "SOCK-E2",
    "sends the events of a burst from the last to the first",
)
class EventsFromAStack(SocketServer):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._burst: dict[Call, list[JSONObject]] = {}

    async def emit(self, call: Call, event: JSONObject) -> None:
        burst = self._burst.setdefault(call, [])
        burst.append(event)
        if len(burst) == 1:
            self._tasks.start_soon(self._flush_soon, call)

    async def _flush_soon(self, call: Call) -> None:
        await anyio.sleep(0.002)
        self.flush(call)

    def flush(self, call: Call) -> None:
        """Send the events of a call that wait."""
        burst = self._burst.pop(call, [])
        while burst and not call.resolved.is_set():
            self.send(call.peer, ToolEvent(call.message.request_id, burst.pop()))

    def resolve(self, call: Call, result: ToolResult) -> None:
        self.flush(call)
        super().resolve(call, result)


class WellCancelled(SocketServer):
    """Resolves a cancelled call as a success."""

    def gives(self, call: Call) -> bool:
        """Whether a call is one of them."""
        raise NotImplementedError

    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        call = peer.calls.get(message.request_id)
        if call is not None and self.gives(call):
            self.abort_call(call, ToolResult.success({"cancelled": True}))
        else:
            super().cancel_call(peer, message)


@broken(
    "cancelled-well",
    "SOCK-X2",
    "resolves a cancelled call as a success that says that it was cancelled",
)
class CancelledWell(WellCancelled):
    def gives(self, call: Call) -> bool:
        return True


@broken(
    "what-has-come-is-a-success",
    "SOCK-X2",
    "resolves a cancelled call that has sent an event as a success",
)
class WhatHasComeIsASuccess(WellCancelled):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._spoken: set[Call] = set()

    async def emit(self, call: Call, event: JSONObject) -> None:
        self._spoken.add(call)
        await super().emit(call, event)

    def gives(self, call: Call) -> bool:
        return call in self._spoken


@broken(
    "remembers-cancels",
    "SOCK-X3",
    "keeps the cancel of an unknown id for the call that comes under it",
)
class RemembersCancels(SocketServer):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._unmet: set[tuple[Peer, str]] = set()

    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        if message.request_id not in peer.calls:
            self._unmet.add((peer, message.request_id))
        super().cancel_call(peer, message)

    def start_call(self, peer: Peer, message: ToolCall) -> None:
        super().start_call(peer, message)
        if (peer, message.request_id) in self._unmet:
            self.cancel_call(peer, CancelToolCall(message.request_id))


@broken(
    "remembers-cancels-of-the-finished",
    "SOCK-X3",
    "keeps the cancel of a finished id for the next call under it",
)
class RemembersCancelsOfTheFinished(RemembersCancels):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._finished: set[tuple[Peer, str]] = set()

    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        super().cancel_call(peer, message)
        self._unmet &= self._finished

    def start_call(self, peer: Peer, message: ToolCall) -> None:
        super().start_call(peer, message)
        self._finished.add((peer, message.request_id))


@broken("longest-wins", "SOCK-X10", "lets the longest deadline win")
class LongestWins(SocketServer):
    def deadline_ms(self, call: Call) -> int:
        own = call.tool.timeout_ms if call.tool else None
        wanted = super().deadline_ms(call)
        return wanted if own is None else max(own, wanted)


@broken(
    "events-prolong",
    "SOCK-X5",
    "begins the time of a call anew at each of its events",
)
class EventsProlong(SocketServer):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._spoke: dict[Call, float] = {}

    async def emit(self, call: Call, event: JSONObject) -> None:
        self._spoke[call] = anyio.current_time()
        await super().emit(call, event)

    def expire_call(self, call: Call) -> None:
        idle = anyio.current_time() - self._spoke.get(call, call.started)
        left = self.deadline_ms(call) / 1000 - idle
        if left > 0:
            self._tasks.start_soon(self._expire_later, call, left)
        else:
            super().expire_call(call)

    async def _expire_later(self, call: Call, seconds: float) -> None:
        with anyio.move_on_after(seconds):
            await call.resolved.wait()
            return
        self.expire_call(call)


@broken(
    "closing-ends-one-call",
    "SOCK-C12",
    "aborts the first call of a connection that closes, and no other",
)
class ClosingEndsOneCall(SocketServer):
    def handle_close(self, peer: Peer) -> None:
        for key in list(peer.calls)[1:]:
            del peer.calls[key]
        super().handle_close(peer)
