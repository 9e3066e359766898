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

NO_TIMEOUT = {
    "SOCK-X10": "the call's own deadline is none",
    "SOCK-X9": "what does not expire aborts nothing",
    "SOCK-X7": "no message tells of it",
    "SOCK-X8": "no tool is given up",
    "SOCK-C2": "no call ends before its tool",
    "SOCK-A1": "no call times out",
}


@broken(
    "cancel-waits-for-the-tool",
    "SOCK-X1",
    "resolves a cancelled call when its tool has ended",
    shown_by="socket-v1/cancel/streamer",
    allows={
        "SOCK-C2": "events come until then",
        "SOCK-X2": "a tool that does not look goes on",
        "SOCK-X8": "no tool is given up",
        "SOCK-A1": "its line comes as late",
        "SOCK-A2": "its line comes as late",
    },
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
    allows={
        "SOCK-M3": "a cancel is looked at",
        "SOCK-M7": "a cancel is looked at",
        "SOCK-X2": "a call ends with ok:true",
        "SOCK-X9": "no signal is aborted",
        "SOCK-X8": "no tool is given up",
        "SOCK-X4": "not even its own call is cancelled",
        "SOCK-X3": "no id can be used again",
        "SOCK-C2": "events go on",
        "SOCK-A1": "no call is cancelled",
        "SOCK-A2": "no call is cancelled",
    },
)
class CancelIgnored(SocketServer):
    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        pass


@broken(
    "cancels-once",
    "SOCK-X1",
    "cancels one call of a connection, and none after it",
    allows={
        "SOCK-C10": "a cancel may be the second of its connection",
    },
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
    allows={"SOCK-X2": "its code is CANCELLED there"},
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
    allows={
        "SOCK-M3": "a cancel is looked at",
        "SOCK-M7": "a cancel is looked at",
        "SOCK-X1": "a cancelled call ends with ok:true",
        "SOCK-X4": "a cancelled call ends with ok:true",
        "SOCK-X3": "a cancelled call ends with ok:true",
        "SOCK-X9": "a cancelled call ends with ok:true",
        "SOCK-A1": "a cancelled call ends with ok:true",
        "SOCK-A2": "a cancelled call ends with ok:true",
    },
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
    allows={"SOCK-C1": "no call has this id", "SOCK-X4": "no call has this id"},
)
class CancelHasAResult(UnknownCancelServer):
    def unknown(self, peer: Peer, message: CancelToolCall) -> None:
        frame = CallResult(message.request_id, CANCELLED)
        self.write(peer, encode(message_to_json(frame)))


@broken(
    "unknown-cancel-hits-all",
    "SOCK-X3",
    "cancels every call of the connection for an unknown id",
    allows={
        "SOCK-X4": "the id of another connection's call is unknown",
        "SOCK-C4": "it may be any call in flight",
        "SOCK-C5": "it may be a call that fails",
        "SOCK-C8": "it may be any call in flight",
        "SOCK-E2": "it may be a stream",
        "SOCK-X5": "it may be one with a deadline",
    },
)
class UnknownCancelHitsAll(UnknownCancelServer):
    def unknown(self, peer: Peer, message: CancelToolCall) -> None:
        for call in list(peer.calls.values()):
            self.abort_call(call, CANCELLED)


@broken(
    "unknown-cancel-closes",
    "SOCK-X3",
    "closes the connection at the cancel of an unknown id",
    allows={
        "SOCK-X4": "the id of another connection's call is unknown",
        "SOCK-M3": "the id of a finished call is unknown",
        "SOCK-M7": "the id of a finished call is unknown",
    },
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
    allows={"SOCK-C9": "two connections cannot have the same id"},
)
class CancelsEverywhere(SocketServer):
    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        for one in list(self.peers):
            super().cancel_call(one, message)


@broken("no-deadline", "SOCK-X5", "lets a call take any time", allows=NO_TIMEOUT)
class NoDeadline(SocketServer):
    def deadline_ms(self, call: Call) -> int:
        return 10**9


@broken(
    "deadline-of-the-polite",
    "SOCK-X5",
    "waits for the tool at the deadline",
    allows=NO_TIMEOUT,
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
    allows={
        "SOCK-X10": "its code is TIMEOUT there",
        "SOCK-X7": "its code is TIMEOUT there",
        "SOCK-C2": "its code is TIMEOUT there",
        "SOCK-X9": "its code is TIMEOUT there",
        "SOCK-X8": "its code is TIMEOUT there",
    },
)
class TimeoutAsCancelled(SocketServer):
    def expire_call(self, call: Call) -> None:
        self.abort_call(call, CANCELLED)


@broken(
    "deadline-sticks",
    "SOCK-X5",
    "keeps the timeoutMs of a call for the later calls of its tool",
    allows={"SOCK-X7": "it names the time of another call"},
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
    allows={"SOCK-C12": "the calls go on"},
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
