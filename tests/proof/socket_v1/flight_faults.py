"""Servers that lose what is in flight, or what stands beside it: SOCK-C1 to D2."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any
from unicodedata import normalize

import anyio
from anyio import TASK_STATUS_IGNORED
from anyio.abc import TaskStatus
from tests.proof.socket_v1.subject import MendingServer, broken, hang_up

from wireproof_reference.framing import JSON, dumps, encode
from wireproof_reference.socket_v1 import (
    BadMessage,
    Call,
    CallContext,
    CancelToolCall,
    ClientMessage,
    Peer,
    SocketServer,
    ToolCall,
    ToolResult,
)


def is_too_long(bad: BadMessage) -> bool:
    """Tell whether a line was refused for its length."""
    return "is too long" in bad.answer.message


@broken(
    "long-line-forgets-calls",
    "SOCK-C1",
    "forgets the calls in flight of a connection when it refuses a line for its length",
    shown_by="socket-v1/framing/call-in-flight-beside-an-oversize-line",
)
class LongLineForgetsCalls(SocketServer):
    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        if is_too_long(bad):
            for call in peer.calls.values():
                call.resolved.set()
        super().handle_bad_message(peer, bad)


@broken(
    "long-line-answers-calls",
    "SOCK-C1",
    "fails the calls in flight for a line that is too long, and lets them go on",
    shown_by="socket-v1/framing/call-in-flight-beside-an-oversize-line",
)
class LongLineAnswersCalls(SocketServer):
    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        if is_too_long(bad):
            failure = ToolResult.failure("TOOL_FAILED", "a line was too long")
            for request_id in peer.calls:
                frame: Any = {"type": "tool_result", "protocol": 1}
                frame |= {"requestId": request_id, "result": failure.json}
                self.write(peer, encode(frame))
        super().handle_bad_message(peer, bad)


IDLE_SECONDS = 2


@broken(
    "silence-closes",
    "SOCK-C1",
    "closes a connection that has been silent for two seconds, whatever runs",
    shown_by="socket-v1/concurrency/silent-call",
)
class SilenceCloses(SocketServer):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._latest: dict[Peer, ClientMessage] = {}

    def handle_message(self, peer: Peer, message: ClientMessage) -> None:
        self._latest[peer] = message
        self._tasks.start_soon(self._watch, peer, message)
        super().handle_message(peer, message)

    async def _watch(self, peer: Peer, message: ClientMessage) -> None:
        await anyio.sleep(IDLE_SECONDS)
        if self._latest[peer] is message and peer.calls:
            hang_up(peer)


@broken(
    "equal-calls-are-one",
    "SOCK-A1",
    "logs one line for equal calls at once",
    shown_by="socket-v1/audit/equal-calls-at-once",
)
class EqualCallsAreOne(SocketServer):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._logged: dict[object, float] = {}

    def audit(self, call: Call, result: ToolResult) -> None:
        asked = (call.message.tool_name, dumps(call.message.arguments))
        if call.started >= self._logged.get(asked, 0.0):
            super().audit(call, result)
        self._logged[asked] = anyio.current_time()


class SecondServer(SocketServer):
    """Does something at its start, or where it cannot start."""

    def before(self, records: Path) -> None:
        """Look at the records, before the path of the socket is looked at."""

    def after(self, records: Path) -> None:
        """Look at the records when all is over."""

    async def serve(
        self, *, task_status: TaskStatus[None] = TASK_STATUS_IGNORED
    ) -> None:
        assert self.home is not None
        self.home.create()
        self.before(self.home.folder)
        try:
            await super().serve(task_status=task_status)
        finally:
            self.after(self.home.folder)


def remove_records(home: Path) -> None:
    """Remove the records of all instances."""
    for path in (home / "instances").glob("*.json"):
        path.unlink(missing_ok=True)


@broken(
    "start-removes-all-records",
    "SOCK-D2",
    "removes the records of all instances at its start, of those that live too",
    shown_by="socket-v1/discovery/record-beside-a-second-server",
)
class StartRemovesAllRecords(SecondServer):
    def before(self, records: Path) -> None:
        remove_records(records)


@broken(
    "end-removes-all-records",
    "SOCK-D2",
    "removes the records of all instances at its end, of those that live too",
    shown_by="socket-v1/discovery/record-beside-a-second-server",
)
class EndRemovesAllRecords(SecondServer):
    def after(self, records: Path) -> None:
        remove_records(records)


@broken(
    "end-removes-the-config",
    "SOCK-D1",
    "removes config.json at its end, of a server that lives too",
    shown_by="socket-v1/discovery/config-beside-a-second-server",
)
class EndRemovesTheConfig(SecondServer):
    def after(self, records: Path) -> None:
        (records / "config.json").unlink(missing_ok=True)


@broken(
    "sixty-four-sessions",
    "SOCK-I2",
    "has 64 session ids, which it gives to its connections in turn",
    shown_by="socket-v1/identity/session-of-each-of-many",
)
class SixtyFourSessions(SocketServer):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._ids = [os.urandom(24).hex() for _ in range(64)]

    def new_session_id(self) -> str:
        self._ids.append(self._ids.pop(0))
        return self._ids[-1]


class ClaimingServer(MendingServer):
    """Has in mind what session a call claims."""

    claimed: JSON = "nothing"

    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        info = message.get("clientInfo")
        claims = info if isinstance(info, dict) else {}
        self.claimed = claims.get("sessionId", "nothing")
        return message

    def make_context(self, peer: Peer, message: ToolCall) -> CallContext:
        context = super().make_context(peer, message)
        return replace(context, session_id=self.session(context.session_id))

    def session(self, own: str) -> Any:
        """Return the session that a tool is given."""
        raise NotImplementedError


@broken(
    "odd-sessions-stand",
    "SOCK-I2",
    "ignores a session that is claimed where it is a string, and no other",
    shown_by="socket-v1/identity/odd-session-claims",
)
class OddSessionsStand(ClaimingServer):
    def session(self, own: str) -> Any:
        return own if isinstance(self.claimed, str | None) else self.claimed


@broken(
    "sessions-of-spaces",
    "SOCK-I2",
    "has a session id for each space that a client claims",
    shown_by="socket-v1/identity/session-in-one-space",
)
class SessionsOfSpaces(SocketServer):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._spaces: dict[str, str] = {}

    def make_context(self, peer: Peer, message: ToolCall) -> CallContext:
        context = super().make_context(peer, message)
        if not context.space_id:
            return context
        own = self._spaces.setdefault(context.space_id, context.session_id)
        return replace(context, session_id=own)


@broken(
    "null-is-no-session",
    "SOCK-I2",
    "gives a tool no session where null is claimed",
    shown_by="socket-v1/identity/odd-session-claims",
)
class NullIsNoSession(ClaimingServer):
    def session(self, own: str) -> Any:
        return None if self.claimed is None else own


@broken(
    "cancels-in-any-form",
    "SOCK-X3",
    "compares the id of a cancel in a normal form, and without blanks at its ends",
    shown_by="socket-v1/cancel/unknown-ids-like-one-in-flight",
)
class CancelsInAnyForm(SocketServer):
    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        wanted = self.form(message.request_id)
        for request_id in list(peer.calls):
            if self.form(request_id) == wanted:
                super().cancel_call(peer, CancelToolCall(request_id))

    def form(self, request_id: str) -> object:
        """Return what two ids that are one have in common."""
        return normalize("NFC", request_id).strip()


@broken(
    "cancels-by-number",
    "SOCK-X3",
    "compares ids that are numbers as numbers where it cancels",
    shown_by="socket-v1/cancel/unknown-ids-like-one-in-flight",
)
class CancelsByNumber(CancelsInAnyForm):
    def form(self, request_id: str) -> object:
        return int(request_id) if request_id.isdecimal() else request_id


@broken(
    "dies-of-a-late-throw",
    "SOCK-C12",
    "dies when a tool throws whose connection has closed",
    shown_by="socket-v1/concurrency/closing-with-a-tool-that-throws",
)
class DiesOfALateThrow(SocketServer):
    def tool_failed(self, call: Call, error: BaseException) -> ToolResult:
        if call.peer not in self.peers:
            os._exit(1)
        return super().tool_failed(call, error)


@broken(
    "dies-of-sigpipe",
    "SOCK-C12",
    "leaves it to the system what becomes of one that writes to nobody",
    shown_by="socket-v1/concurrency/closing-with-requests-unanswered",
)
class DiesOfSigpipe(SocketServer):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)


@broken(
    "protocol-of-digits",
    "SOCK-M2",
    "takes a protocol of 1.0 for another",
    level="should",
    shown_by="socket-v1/messages/protocol-with-a-fraction",
)
class ProtocolOfDigits(MendingServer):
    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        if isinstance(message.get("protocol"), float):
            message["protocol"] = 2
        return message
