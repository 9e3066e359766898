"""Servers that break what a clause says beside its first sentence."""

from __future__ import annotations

from typing import Any

import anyio
from tests.proof.row import Change, around
from tests.proof.socket_v1.changes import on_event, on_failure, on_result
from tests.proof.socket_v1.subject import TABLES

from wireproof_reference.framing import encode
from wireproof_reference.socket_v1 import SocketServer, ToolResult

fault = TABLES.faults(__name__, SocketServer)

# --- the error of a failure that the server makes


def without(key: str) -> Any:
    """Return what leaves a key out of the error of a failure."""

    def rewrite(result: dict[str, Any]) -> dict[str, Any]:
        del result["error"][key]
        return result

    return rewrite


fault(
    "timeouts-without-code",
    "SOCK-C3",
    "gives no code for a timeout",
    on_failure("TIMEOUT", without("code")),
)
fault(
    "cancels-without-message",
    "SOCK-C3",
    "gives no message for a cancelled call",
    on_failure("CANCELLED", without("message")),
)
fault(
    "invalid-without-error",
    "SOCK-C3",
    "gives no error for invalid arguments",
    on_failure("VALIDATION_ERROR", lambda one: {"ok": False}),
)
fault(
    "null-meta",
    "SOCK-C14",
    "writes null for the meta that there is not",
    on_result(lambda one: {"meta": None, **one}),
    level="should",
)
fault(
    "null-diagnostics-of-failures",
    "SOCK-C14",
    "writes null for the diagnostics of a failure",
    on_result(lambda one: one if one["ok"] else {"diagnostics": None, **one}),
    level="should",
)

# --- events

fault(
    "event-without-kind",
    "SOCK-E1",
    "calls the kind of an event its type",
    on_event(lambda event: {"type": event.pop("kind"), **event}),
)
fault(
    "kind-as-a-number",
    "SOCK-E1",
    "numbers the kinds of events",
    on_event(lambda event: {**event, "kind": 3}),
)
fault(
    "event-as-a-text",
    "SOCK-E1",
    "sends the message of an event in the place of the event",
    on_event(lambda event: event["message"]),
)

# --- deadlines of calls that ended early


def late(frame: Any) -> Change:
    """Return the change that sends a frame at the deadline of a call that has ended."""

    async def watch(self: Any, original: Any, call: Any) -> None:
        await original(call)
        ends = call.started + min(self.deadline_ms(call), 10_000) / 1000
        ended_early = anyio.current_time() < ends
        await anyio.sleep_until(ends)
        if ended_early:
            self.write(call.peer, encode(frame(call)))

    return around("_watch_deadline", watch)


def timed_out(call: Any) -> dict[str, Any]:
    """Return a second result of a call."""
    error = {"code": "TIMEOUT", "message": "timed out"}
    result = {"ok": False, "error": error}
    key = call.message.request_id
    return {"type": "tool_result", "protocol": 1, "requestId": key, "result": result}


def said_in_an_event(call: Any) -> dict[str, Any]:
    """Return an event of a call that has ended."""
    event = {"kind": "log", "level": "warn", "message": "timed out"}
    key = call.message.request_id
    return {"type": "tool_event", "protocol": 1, "requestId": key, "event": event}


def said_in_an_error(call: Any) -> dict[str, Any]:
    """Return an error about a call that has ended."""
    words = {"code": "PROTOCOL_ERROR", "message": "timed out"}
    return {
        "type": "error",
        "protocol": 1,
        "requestId": call.message.request_id,
        **words,
    }


fault(
    "timer-runs-on",
    "SOCK-X5",
    "sends a second result at the deadline of a call that has ended",
    late(timed_out),
    shown_by="socket-v1/timeout/passes-after-the-end",
)
fault(
    "timer-says-so-in-an-event",
    "SOCK-X5",
    "sends an event at the deadline of a call that has ended",
    late(said_in_an_event),
    shown_by="socket-v1/timeout/passes-after-the-end",
)
fault(
    "timer-says-so-in-an-error",
    "SOCK-X5",
    "sends an error at the deadline of a call that has ended",
    late(said_in_an_error),
    shown_by="socket-v1/timeout/passes-after-the-end",
)

# --- signals of tools that wait for them


def spares_waits(method: str) -> Change:
    """Return the change that aborts no signal of conformance_wait in a method."""

    def method_without(self: Any, original: Any, *args: Any) -> None:
        self.spares = True
        original(*args)
        self.spares = False

    def abort(self: Any, original: Any, call: Any, result: ToolResult) -> None:
        spared = call.message.tool_name == "conformance_wait"
        if spared and getattr(self, "spares", False):
            self.resolve(call, result)
        else:
            original(call, result)

    def change(subject: type[Any]) -> type[Any]:
        return around(method, method_without)(around("abort_call", abort)(subject))

    return change


fault(
    "cancels-leave-waits",
    "SOCK-X9",
    "does not tell a tool of a cancel that waits for its signal",
    spares_waits("cancel_call"),
    shown_by="socket-v1/cancel/aborts-the-signal-of-a-wait",
)
fault(
    "deadlines-leave-waits",
    "SOCK-X9",
    "does not tell a tool of its deadline that waits for its signal",
    spares_waits("expire_call"),
    shown_by="socket-v1/cancel/timeout-aborts-the-signal-of-a-wait",
)
fault(
    "closing-leaves-waits",
    "SOCK-X9",
    "does not tell a tool that its client has gone that waits for its signal",
    spares_waits("handle_close"),
    shown_by="socket-v1/cancel/closing-aborts-the-signal-of-a-wait",
)

# --- calls that lost their client


def unlogged_if(wrong: Any) -> Change:
    """Return the change that leaves some calls out of the log."""

    def audit(_: Any, original: Any, call: Any, result: ToolResult) -> None:
        if not wrong(call, result):
            original(call, result)

    return around("audit", audit)


LOGGED: set[str] = set()
"""The ids of calls that were logged."""


def lost_its_client(call: Any, result: ToolResult) -> bool:
    """Return whether a call ends because its connection was closed."""
    return result.error.get("message") == "the connection was closed"


fault(
    "lost-clients-unlogged",
    "SOCK-A1",
    "logs no call whose client has gone",
    unlogged_if(lost_its_client),
    shown_by="socket-v1/audit/connection-closed",
)
fault(
    "lost-waits-unlogged",
    "SOCK-A1",
    "logs no call whose client has gone and whose tool throws at its signal",
    unlogged_if(
        lambda call, result: (
            lost_its_client(call, result)
            and call.message.tool_name == "conformance_wait"
        )
    ),
    shown_by="socket-v1/audit/client-gone-with-a-tool-that-throws",
)


def lost_again(call: Any, result: ToolResult) -> bool:
    """Return whether a call lost its client under an id that did so before."""
    key = call.message.request_id
    again = lost_its_client(call, result) and key in LOGGED
    LOGGED.add(key)
    return again


fault(
    "one-lost-client-logged",
    "SOCK-A1",
    "logs one call of those with one id whose clients have gone",
    unlogged_if(lost_again),
    shown_by="socket-v1/audit/three-clients-gone",
)

# --- what a server that ends leaves


def at_the_end(remove: Any) -> Change:
    """Return the change that removes more at the end than what is the server's own."""

    def withdraw(self: Any, original: Any) -> None:
        original()
        if self.home is not None:
            remove(self.home.folder)

    return around("withdraw", withdraw)


def clear(folder: Any) -> None:
    """Remove all records of instances."""
    for one in (folder / "instances").glob("*.json"):
        one.unlink()


fault(
    "removes-the-config",
    "SOCK-D3",
    "removes config.json at its end, whatever that names",
    at_the_end(lambda folder: (folder / "config.json").unlink(missing_ok=True)),
    level="should",
    shown_by="socket-v1/discovery/end-beside-another-config",
)
fault(
    "removes-all-records",
    "SOCK-D3",
    "removes the records of all instances at its end",
    at_the_end(clear),
    level="should",
    shown_by="socket-v1/discovery/end-beside-another-record",
)

# --- many calls


def at_once(most: int) -> Change:
    """Return the change that runs so many calls of a connection at once."""
    limits: dict[Any, anyio.Semaphore] = {}

    async def run_call(_: Any, original: Any, call: Any) -> None:
        async with limits.setdefault(call.peer, anyio.Semaphore(most)):
            if not call.resolved.is_set():
                await original(call)

    return around("run_call", run_call)


fault(
    "eight-at-once",
    "SOCK-C8",
    "runs eight tools of a connection at once",
    at_once(8),
    level="should",
    shown_by="socket-v1/concurrency/fast-overtakes-twenty-slow",
)
