"""Servers that do well what is sent first, and go wrong at what comes after it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from tests.proof.socket_v1.subject import broken

from wireproof_reference.framing import JSONObject
from wireproof_reference.socket_v1 import (
    BadMessage,
    Call,
    CallContext,
    CancelToolCall,
    Peer,
    SocketServer,
    ToolCall,
    ToolError,
    ToolResult,
    TransportError,
)

EARLY_ENDS = frozenset({"CANCELLED", "TIMEOUT"})

ANY_CALL = {
    "SOCK-C4": "it may be any call",
    "SOCK-C5": "it may be a call that fails",
    "SOCK-C6": "it may be a call that is refused",
    "SOCK-C8": "it may be in flight beside others",
    "SOCK-C9": "another connection may have the id",
    "SOCK-C11": "it may be an echo",
    "SOCK-C14": "it may be a failure with details",
    "SOCK-E2": "it may be a stream",
    "SOCK-I1": "it may be a call that claims to be a plugin",
    "SOCK-I2": "it may be a call that asks for its session",
    "SOCK-X1": "it may be a call that is cancelled",
    "SOCK-X5": "it may be a call that times out",
}


def any_call_but(clause: str) -> dict[str, str]:
    """Return what any call may break, but for the clause that its row is about."""
    return {name: why for name, why in ANY_CALL.items() if name != clause}


def code_of(result: ToolResult) -> Any:
    """Return the code of a failure, if it is one."""
    return None if result.ok else result.error.get("code")


class Mindful(SocketServer):
    """Remembers, for each connection, what came before."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.kept: dict[Peer, Any] = {}


@broken(
    "cancels-stay",
    "SOCK-X3",
    "cancels the next call of an id that was cancelled before",
)
class CancelsStay(SocketServer):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.cancelled: set[tuple[Peer, str]] = set()

    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        self.cancelled.add((peer, message.request_id))
        super().cancel_call(peer, message)

    def start_call(self, peer: Peer, message: ToolCall) -> None:
        super().start_call(peer, message)
        if (peer, message.request_id) in self.cancelled:
            super().cancel_call(peer, CancelToolCall(message.request_id))
            self.cancelled.discard((peer, message.request_id))


@broken(
    "deadlines-stay",
    "SOCK-X5",
    "gives a call without a timeout that of the call before on its connection",
)
class DeadlinesStay(Mindful):
    def deadline_ms(self, call: Call) -> int:
        own = call.message.timeout_ms
        if own is not None:
            self.kept[call.peer] = own
        return self.kept.get(call.peer) or super().deadline_ms(call)


@broken(
    "one-deadline",
    "SOCK-X5",
    "watches the deadline of the last call of a connection only",
)
class OneDeadline(Mindful):
    def start_call(self, peer: Peer, message: ToolCall) -> None:
        self.kept[peer] = message.request_id
        super().start_call(peer, message)

    def expire_call(self, call: Call) -> None:
        if self.kept.get(call.peer) == call.message.request_id:
            super().expire_call(call)


@broken(
    "failure-comes-again",
    "SOCK-C4",
    "answers the first success after a thrown error with that error",
)
class FailureComesAgain(Mindful):
    def resolve(self, call: Call, result: ToolResult) -> None:
        if code_of(result) == "TOOL_FAILED":
            self.kept[call.peer] = result
        elif result.ok:
            result = self.kept.pop(call.peer, None) or result
        super().resolve(call, result)


@broken(
    "code-stays",
    "SOCK-C5",
    "gives a throw without a code that of the last error that had one",
)
class CodeStays(SocketServer):
    code = "TOOL_FAILED"

    def tool_failed(self, call: Call, error: BaseException) -> ToolResult:
        if isinstance(error, ToolError):
            self.code = error.code
            return super().tool_failed(call, error)
        return ToolResult.failure(self.code, str(error))  # type: ignore[arg-type]


@broken(
    "claim-stays",
    "SOCK-I1",
    "believes the last claim of a connection where a call makes none",
)
class ClaimStays(Mindful):
    def make_context(self, peer: Peer, message: ToolCall) -> CallContext:
        context = super().make_context(peer, message)
        if context.caller != "cli":
            self.kept[peer] = context.caller
        return replace(context, caller=self.kept.get(peer, context.caller))


@broken(
    "new-session-after-a-bad-line",
    "SOCK-I2",
    "takes a connection for a new one after a line that is no message",
)
class NewSessionAfterABadLine(SocketServer):
    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        peer.session_id = self.new_session_id()
        super().handle_bad_message(peer, bad)


@broken(
    "parts-add-up",
    "SOCK-E2",
    "sends the last event of the stream before in front of a stream's own",
)
class PartsAddUp(SocketServer):
    last: tuple[Call, JSONObject] | None = None

    async def emit(self, call: Call, event: JSONObject) -> None:
        last, self.last = self.last, (call, event)
        if last is not None and last[0] is not call:
            await super().emit(call, last[1])
        await super().emit(call, event)


@broken(
    "mute-after-a-cancel",
    "SOCK-E2",
    "sends no event of the first stream after a call that was cancelled",
)
class MuteAfterACancel(SocketServer):
    cancelled = False
    mute: Call | None = None

    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        self.cancelled = self.cancelled or message.request_id in peer.calls
        super().cancel_call(peer, message)

    async def emit(self, call: Call, event: JSONObject) -> None:
        if self.cancelled:
            self.cancelled, self.mute = False, call
        if call is not self.mute:
            await super().emit(call, event)


class Leaking(Mindful):
    """Has room for six calls of a connection, and never clears that of some.

    It is an echo that finds no room.
    """

    codes: ClassVar[frozenset[str]]

    def check_running(self, call: Call) -> ToolResult | None:
        echo = call.message.tool_name == "conformance_echo"
        if echo and self.kept.get(call.peer, 0) >= 6:
            self.kept[call.peer] = 0
            return ToolResult.failure("TOOL_FAILED", "too many calls in flight")
        return super().check_running(call)

    def resolve(self, call: Call, result: ToolResult) -> None:
        if not call.resolved.is_set() and code_of(result) in self.codes:
            self.kept[call.peer] = self.kept.get(call.peer, 0) + 1
        super().resolve(call, result)


@broken(
    "early-ends-stay-in-flight",
    "SOCK-C4",
    "takes calls that ended early for calls in flight, and refuses the next after six",
)
class EarlyEndsStayInFlight(Leaking):
    codes = EARLY_ENDS


@broken(
    "unknown-tools-stay-in-flight",
    "SOCK-C4",
    "takes calls of unknown tools for calls in flight, and refuses the next after six",
)
class UnknownToolsStayInFlight(Leaking):
    codes = frozenset({"UNKNOWN_TOOL"})


@broken(
    "ids-only-once",
    "SOCK-C1",
    "refuses an id that a call of the connection had before",
)
class IdsOnlyOnce(Mindful):
    def start_call(self, peer: Peer, message: ToolCall) -> None:
        used: set[str] = self.kept.setdefault(peer, set())
        if message.request_id in used:
            self.send(peer, TransportError(message.request_id, "the id was used"))
            return
        used.add(message.request_id)
        super().start_call(peer, message)


@broken(
    "cancels-the-oldest",
    "SOCK-X1",
    "cancels the oldest call of the connection, whatever the id",
)
class CancelsTheOldest(SocketServer):
    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        oldest = next(iter(peer.calls), message.request_id)
        super().cancel_call(peer, CancelToolCall(oldest))


@broken(
    "closing-ends-calls-of-its-ids",
    "SOCK-C9",
    "aborts the calls of all connections that have the ids of one that closes",
)
class ClosingEndsCallsOfItsIds(SocketServer):
    def handle_close(self, peer: Peer) -> None:
        ids = list(peer.calls)
        super().handle_close(peer)
        for other in list(self.peers):
            for key in ids:
                super().cancel_call(other, CancelToolCall(key))
