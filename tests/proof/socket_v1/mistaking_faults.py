"""Servers that take one call, connection or entry for another: SOCK-C1 to C12, X1."""

from __future__ import annotations

from typing import Any

import anyio
from tests.proof.socket_v1.subject import ResultServer, broken

from wireproof_reference.socket_v1 import (
    Call,
    CancelToolCall,
    Peer,
    SocketServer,
    ToolResult,
    ToolsList,
)


@broken(
    "deadline-of-the-id",
    "SOCK-X5",
    "lets a deadline outlive its call, and end one that has used the id again",
)
class DeadlineOfTheId(SocketServer):
    def resolve(self, call: Call, result: ToolResult) -> None:
        if not call.resolved.is_set() and call.message.timeout_ms is not None:
            self._tasks.start_soon(self._expire_id, call)
        super().resolve(call, result)

    async def _expire_id(self, call: Call) -> None:
        timeout_ms = min(call.message.timeout_ms or 0, 10_000)
        await anyio.sleep_until(call.started + timeout_ms / 1000)
        later = call.peer.calls.get(call.message.request_id)
        if later is not None:
            self.expire_call(later)


class ForgettingServer(SocketServer):
    """Does not know all calls any more."""

    def forget(self, call: Call) -> None:
        """Leave a call that nothing ends from now on."""
        call.resolved.set()


@broken(
    "late-end-forgets-the-id",
    "SOCK-X1",
    "forgets at the end of a tool whatever call has its id",
)
class LateEndForgetsTheId(ForgettingServer):
    async def run_call(self, call: Call) -> None:
        late = call.message.arguments.get("ignore_cancel") is True
        await super().run_call(call)
        later = call.peer.calls.pop(call.message.request_id, None)
        if late and later is not None:
            self.forget(later)


@broken(
    "counts-calls-in-a-byte",
    "SOCK-C1",
    "numbers all calls from 0 to 255, and knows the latest of a number",
)
class CountsCallsInAByte(ForgettingServer):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._count = 0
        self._numbered: dict[int, Call] = {}

    def make_number(self, call: Call) -> None:
        """Give a call its number."""
        self._count += 1
        earlier = self._numbered.get(self._count % 256)
        self._numbered[self._count % 256] = call
        if earlier is not None and not earlier.resolved.is_set():
            self.forget(earlier)

    def refuse_call(self, call: Call) -> ToolResult | None:
        self.make_number(call)
        return super().refuse_call(call)


@broken(
    "closing-ends-the-newest",
    "SOCK-C12",
    "aborts the calls of the newest connection when one with calls closes",
)
class ClosingEndsTheNewest(SocketServer):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._newest: list[Peer] = []

    def new_session_id(self) -> str:
        self._tasks.start_soon(self._find_newest, set(self.peers))
        return super().new_session_id()

    async def _find_newest(self, before: set[Peer]) -> None:
        self._newest = list(self.peers - before)

    def handle_close(self, peer: Peer) -> None:
        for one in self._newest if peer.calls else ():
            super().handle_close(one)


@broken(
    "equal-diagnostics-once",
    "SOCK-C4",
    "drops a diagnostic whose message another one has",
)
class EqualDiagnosticsOnce(ResultServer):
    def result(self, result: dict[str, Any]) -> Any:
        if "diagnostics" in result:
            first = {one["message"]: one for one in reversed(result["diagnostics"])}
            result["diagnostics"] = list(reversed(first.values()))
        return result


@broken(
    "empty-id-cancels-all",
    "SOCK-X3",
    "cancels every call of the connection for an empty id",
)
class EmptyIdCancelsAll(SocketServer):
    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        if message.request_id or "" in peer.calls:
            super().cancel_call(peer, message)
            return
        for key in list(peer.calls):
            super().cancel_call(peer, CancelToolCall(key))


@broken(
    "lists-idle-tools",
    "SOCK-L3",
    "does not list a tool that runs",
    level="should",
)
class ListsIdleTools(SocketServer):
    def list_tools(self, peer: Peer) -> ToolsList:
        busy = {call.message.tool_name for call in peer.calls.values()}
        every = super().list_tools(peer).tools
        return ToolsList(tuple(tool for tool in every if tool["name"] not in busy))
