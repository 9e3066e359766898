"""Servers that cancel or time out wrongly: SOCK-X1 to X10."""

from __future__ import annotations

from typing import Any

import anyio
from tests.proof.socket_v1.subject import broken, hang_up

from wireproof_reference.framing import JSON, encode
from wireproof_reference.socket_v1 import (
    Call,
    CallResult,
    CancelToolCall,
    Peer,
    SocketServer,
    ToolDefinition,
    ToolResult,
    TransportError,
    message_to_json,
)

CANCELLED = ToolResult.failure("CANCELLED", "it was cancelled")


@broken(
    "cancel-waits-for-the-tool",
    "SOCK-X1",
    "resolves a cancelled call when its tool has ended",
    shown_by="socket-v1/cancel/streamer",
)
class CancelWaitsForTheTool(SocketServer):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._cancelled: set[Call] = set()

    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        call = peer.calls.get(message.request_id)
        if call is not None:
            self._cancelled.add(call)
            call.context.signal.abort("cancelled")

    def resolve(self, call: Call, result: ToolResult) -> None:
        if call in self._cancelled:
            result = CANCELLED
        super().resolve(call, result)


@broken(
    "cancel-ignored",
    "SOCK-X1",
    "ignores cancels",
)
class CancelIgnored(SocketServer):
    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        pass


@broken(
    "cancels-once",
    "SOCK-X1",
    "cancels one call of a connection, and none after it",
)
class CancelsOnce(SocketServer):
    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.served: set[int] = set()

    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        if message.request_id in peer.calls and id(peer) not in self.served:
            self.served.add(id(peer))
            super().cancel_call(peer, message)


@broken(
    "cancel-as-failure",
    "SOCK-X1",
    "calls a cancelled call TOOL_FAILED",
)
class CancelAsFailure(SocketServer):
    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        call = peer.calls.get(message.request_id)
        if call is not None:
            self.abort_call(call, ToolResult.failure("TOOL_FAILED", "aborted"))


@broken(
    "result-of-the-aborted",
    "SOCK-X2",
    "takes what a tool returns from its abort handler",
    shown_by="socket-v1/cancel/never-ok",
)
class ResultOfTheAborted(SocketServer):
    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        call = peer.calls.get(message.request_id)
        if call is not None:
            call.context.signal.abort("cancelled")
            self._tasks.start_soon(self._cancel_soon, call)

    async def _cancel_soon(self, call: Call) -> None:
        await anyio.sleep(0.05)
        self.resolve(call, CANCELLED)


class UnknownCancelServer(SocketServer):
    """Does something when the id of a cancel is not in flight."""

    def unknown(self, peer: Peer, message: CancelToolCall) -> None:
        """Take the cancel of an id that is not in flight."""
        raise NotImplementedError

    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        if message.request_id in peer.calls:
            super().cancel_call(peer, message)
        else:
            self.unknown(peer, message)


@broken(
    "cancel-has-a-result",
    "SOCK-X3",
    "answers the cancel of an unknown id with a result",
)
class CancelHasAResult(UnknownCancelServer):
    def unknown(self, peer: Peer, message: CancelToolCall) -> None:
        frame = CallResult(message.request_id, CANCELLED)
        self.write(peer, encode(message_to_json(frame)))


@broken(
    "unknown-cancel-hits-all",
    "SOCK-X3",
    "cancels every call of the connection for an unknown id",
)
class UnknownCancelHitsAll(UnknownCancelServer):
    def unknown(self, peer: Peer, message: CancelToolCall) -> None:
        for call in list(peer.calls.values()):
            self.abort_call(call, CANCELLED)


@broken(
    "unknown-cancel-closes",
    "SOCK-X3",
    "closes the connection at the cancel of an unknown id",
)
class UnknownCancelCloses(UnknownCancelServer):
    def unknown(self, peer: Peer, message: CancelToolCall) -> None:
        hang_up(peer)


@broken(
    "unknown-cancel-error",
    "SOCK-X3",
    "answers the cancel of an unknown id with an error",
    level="should",
)
class UnknownCancelError(UnknownCancelServer):
    def unknown(self, peer: Peer, message: CancelToolCall) -> None:
        self.send(peer, TransportError(message.request_id, "no such call"))


@broken(
    "cancels-everywhere",
    "SOCK-X4",
    "cancels the calls of other connections too",
)
class CancelsEverywhere(SocketServer):
    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        for one in list(self.peers):
            super().cancel_call(one, message)


@broken(
    "no-deadline",
    "SOCK-X5",
    "lets a call take any time",
)
class NoDeadline(SocketServer):
    def deadline_ms(self, call: Call) -> int:
        return 10**9


@broken(
    "deadline-of-the-polite",
    "SOCK-X5",
    "waits for the tool at the deadline",
)
class DeadlineOfThePolite(SocketServer):
    def expire_call(self, call: Call) -> None:
        call.context.signal.abort("deadline")
        self._tasks.start_soon(self._expire_later, call)

    async def _expire_later(self, call: Call) -> None:
        await anyio.sleep(8)
        super().expire_call(call)

    def resolve(self, call: Call, result: ToolResult) -> None:
        if call.context.signal.reason == "deadline" and result.ok:
            result = ToolResult.failure(
                "TIMEOUT",
                f"{call.message.tool_name} took {self.deadline_ms(call)} ms",
            )
        super().resolve(call, result)


@broken(
    "timeout-as-cancelled",
    "SOCK-X5",
    "calls a call that has expired CANCELLED",
)
class TimeoutAsCancelled(SocketServer):
    def expire_call(self, call: Call) -> None:
        self.abort_call(call, CANCELLED)


@broken(
    "deadline-sticks",
    "SOCK-X5",
    "keeps the timeoutMs of a call for the later calls of its tool",
)
class DeadlineSticks(SocketServer):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.kept: dict[str, int] = {}

    def deadline_ms(self, call: Call) -> int:
        name, given = call.message.tool_name, call.message.timeout_ms
        if given is not None:
            self.kept[name] = given
        return self.kept.get(name) or super().deadline_ms(call)


@broken("deadline-of-32-bits", "SOCK-X6", "expires at once where it cannot count")
class DeadlineOf32Bits(SocketServer):
    def deadline_ms(self, call: Call) -> int:
        wanted = super().deadline_ms(call)
        return wanted if wanted < 1 << 31 else 1


@broken("deadline-wraps", "SOCK-X6", "keeps the low 32 bits of timeoutMs")
class DeadlineWraps(SocketServer):
    def deadline_ms(self, call: Call) -> int:
        return super().deadline_ms(call) & 0x7FFFFFFF


@broken("plain-timeout", "SOCK-X7", "just says that a call timed out", level="should")
class PlainTimeout(SocketServer):
    def expire_call(self, call: Call) -> None:
        self.abort_call(call, ToolResult.failure("TIMEOUT", "timed out"))


@broken(
    "late-end-closes",
    "SOCK-X8",
    "closes the connection when a tool ends too late",
    level="should",
)
class LateEndCloses(SocketServer):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._failed: set[str] = set()

    def resolve(self, call: Call, result: ToolResult) -> None:
        if not result.ok:
            self._failed.add(call.message.request_id)
        super().resolve(call, result)

    async def run_call(self, call: Call) -> None:
        await super().run_call(call)
        late = call.message.request_id in self._failed
        if late and call.message.arguments.get("ignore_cancel"):
            hang_up(call.peer)


class DeafServer(SocketServer):
    """Resolves calls without a word to their tools."""

    codes: tuple[str, ...] = ()

    def abort_call(self, call: Call, result: ToolResult) -> None:
        if result.error.get("code") in self.codes and self.concerned(result):
            self.resolve(call, result)
        else:
            super().abort_call(call, result)

    def concerned(self, result: ToolResult) -> bool:
        """Whether the tool hears nothing of this end."""
        return True


@broken("cancel-without-signal", "SOCK-X9", "does not tell a tool of a cancel")
class CancelWithoutSignal(DeafServer):
    codes = ("CANCELLED",)

    def concerned(self, result: ToolResult) -> bool:
        return "closed" not in str(result.error["message"])


@broken("timeout-without-signal", "SOCK-X9", "does not tell a tool of its deadline")
class TimeoutWithoutSignal(DeafServer):
    codes = ("TIMEOUT",)


@broken(
    "close-without-signal",
    "SOCK-X9",
    "does not tell a tool that its client has gone",
)
class CloseWithoutSignal(DeafServer):
    codes = ("CANCELLED",)

    def concerned(self, result: ToolResult) -> bool:
        return "closed" in str(result.error["message"])


@broken("tool-wins", "SOCK-X10", "lets the tool's own deadline win")
class ToolWins(SocketServer):
    def deadline_ms(self, call: Call) -> int:
        own = call.tool.timeout_ms if call.tool else None
        return super().deadline_ms(call) if own is None else own


@broken("shortest-wins", "SOCK-X10", "lets the shortest deadline win")
class ShortestWins(SocketServer):
    def deadline_ms(self, call: Call) -> int:
        own = call.tool.timeout_ms if call.tool else None
        wanted = super().deadline_ms(call)
        return wanted if own is None else min(own, wanted)


@broken(
    "sleeps-no-time",
    "SOCK-X6",
    "ends a sleep at once where timeoutMs is large, and says that it slept",
)
class SleepsNoTime(SocketServer):
    async def run_tool(self, tool: ToolDefinition, call: Call) -> JSON | ToolResult:
        if self.deadline_ms(call) >= 1 << 31 and tool.name == "conformance_sleep":
            return {"slept_ms": call.message.arguments["ms"]}
        return await super().run_tool(tool, call)


@broken(
    "takes-the-abort-for-a-failure",
    "SOCK-X1",
    "calls a cancelled call TOOL_FAILED where its tool throws at the abort",
)
class TakesTheAbortForAFailure(SocketServer):
    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        call = peer.calls.get(message.request_id)
        if call is not None:
            call.context.signal.abort("cancelled")
            self._tasks.start_soon(self._cancel_soon, call)

    async def _cancel_soon(self, call: Call) -> None:
        await anyio.sleep(0.05)
        super().resolve(call, CANCELLED)

    def resolve(self, call: Call, result: ToolResult) -> None:
        aborted = call.context.signal.reason == "cancelled"
        super().resolve(call, CANCELLED if aborted and result.ok else result)
