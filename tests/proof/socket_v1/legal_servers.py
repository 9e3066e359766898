"""Servers that conform in their own way."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import sys
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

import anyio
from tests.proof.row import around
from tests.proof.socket_v1.call_faults import BothEnd
from tests.proof.socket_v1.changes import on_bytes, on_frame, on_line, on_result
from tests.proof.socket_v1.frame_faults import LineServer
from tests.proof.socket_v1.message_faults import ListingServer
from tests.proof.socket_v1.revised_faults import at_once
from tests.proof.socket_v1.subject import (
    TABLES,
    MendingServer,
    ResultServer,
    RewritingServer,
    hang_up,
    legal,
)

from wireproof_reference.framing import (
    JSON,
    EndOfInput,
    JSONObject,
    NeedData,
    dumps,
)
from wireproof_reference.socket_v1 import (
    BadMessage,
    Call,
    CallContext,
    Caller,
    CancelToolCall,
    ClientMessage,
    Flaw,
    Home,
    Peer,
    ServerConnection,
    SocketServer,
    ToolCall,
    ToolDefinition,
    ToolError,
    ToolEvent,
    ToolRegistry,
    ToolResult,
    TransportError,
    conformance_registry,
    log,
)


def kept(*names: str) -> Callable[[], ToolRegistry]:
    """Return what makes a registry of these tools alone."""

    def registry() -> ToolRegistry:
        tools = conformance_registry().tools
        return ToolRegistry(tool for tool in tools if tool.name in names)

    return registry


def with_many() -> ToolRegistry:
    """The toolset, and three hundred tools of a server's own."""
    registry = conformance_registry()
    for number in range(300):
        registry.add(
            ToolDefinition(f"browser.tool-{number}", "", {}, _weather, ("read-only",))
        )
    return registry


def requiring_nothing() -> ToolRegistry:
    """The toolset; echo takes an absent value for null, sleep an absent time for 0."""
    tools = {tool.name: tool for tool in conformance_registry().tools}
    for key, name, absent in (("value", "echo", None), ("ms", "sleep", 0)):
        tool = tools[f"conformance_{name}"]
        tools[tool.name] = replace(
            tool,
            input_schema={
                key: one for key, one in tool.input_schema.items() if key != "required"
            },
            run=partial(_with_absent, tool.run, {key: absent}),
        )
    return ToolRegistry(tools.values())


async def _with_absent(
    run: Callable[[JSONObject, CallContext], Awaitable[JSON | ToolResult]],
    absent: JSONObject,
    arguments: JSONObject,
    context: CallContext,
) -> JSON | ToolResult:
    return await run({**absent, **arguments}, context)


async def _weather(arguments: JSONObject, context: CallContext) -> JSON:
    return {"celsius": 21.5}


def own_tools() -> ToolRegistry:
    """A tool of a server's own, and none of the toolset."""
    return ToolRegistry(
        [ToolDefinition("weather", "Says how warm it is.", {}, _weather)]
    )


@legal("plain", "is the reference")
class Plain(SocketServer):
    pass


@legal(
    "some-tools",
    "has two tools",
    registry=kept("conformance_echo", "conformance_sleep"),
)
class SomeTools(SocketServer):
    pass


@legal("own-tools", "has a tool of its own", registry=own_tools)
class OwnTools(SocketServer):
    pass


@legal("no-tools", "has no tool", registry=ToolRegistry)
class NoTools(SocketServer):
    pass


@legal(
    "echoes-nothing", "lets a value and a time be absent", registry=requiring_nothing
)
class EchoesNothing(SocketServer):
    pass


@legal("many-tools", "has three hundred tools more", registry=with_many)
class ManyTools(SocketServer):
    pass


@legal("keys-backwards", "writes the keys of a frame in another order")
class KeysBackwards(RewritingServer):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        return dict(reversed(frame.items()))


@legal("escapes", "escapes what it may, and puts spaces between")
class Escapes(LineServer):
    def line(self, frame: dict[str, Any]) -> bytes:
        return json.dumps(frame).replace("/", "\\/").encode() + b"\n"


@legal("white-space", "ends a line with CR, and begins it with a tab")
class WhiteSpace(LineServer):
    def line(self, frame: dict[str, Any]) -> bytes:
        return b"\t" + json.dumps(frame, separators=(" , ", " : ")).encode() + b" \r\n"


class FirstKeyWins(ServerConnection):
    """Takes the first of two equal keys of a frame."""

    def _receive_value(self, value: JSON, line: bytes) -> ClientMessage | BadMessage:
        if isinstance(value, dict) and line.count(b'"requestId"') > 1:
            value = json.loads(line, object_pairs_hook=lambda its: dict(reversed(its)))
        return super()._receive_value(value, line)


@legal("first-key-wins", "takes the first of two equal keys")
class FirstOfTwoKeys(SocketServer):
    def make_connection(self) -> ServerConnection:
        return FirstKeyWins()


@legal("own-keys", "adds keys of its own to every object of the protocol")
class OwnKeys(RewritingServer):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        frame["server"] = {"version": "1.2"}
        for name in ("event", "result"):
            if name in frame:
                frame[name]["at"] = 12.5
        if frame.get("result", {}).get("error"):
            frame["result"]["error"]["retryable"] = False
        for tool in frame.get("tools", ()):
            tool["timeoutMs"] = 120000
        return frame


@legal("no-capabilities-listed", "does not list the capability read-only")
class NoCapabilitiesListed(ListingServer):
    def descriptors(self, tools: list[dict[str, Any]]) -> Any:
        for tool in tools:
            if tool["capabilities"] == ["read-only"]:
                del tool["capabilities"]
        return tools


@legal("slow", "takes 30 ms for whatever it reads")
class Slow(SocketServer):
    async def handle_messages(self, peer: Peer) -> None:
        await anyio.sleep(0.03)
        await super().handle_messages(peer)


@legal("one-in-ten-is-slow", "serves every tenth connection after a brief wait only")
class OneInTenIsSlow(SocketServer):
    count = 0

    def __init__(self, *given: Any) -> None:
        # The other servers start without the suite.
        from tests.proof.brief import longer_than_brief  # noqa: PLC0415

        self.seconds = longer_than_brief()
        super().__init__(*given)

    async def handle_messages(self, peer: Peer) -> None:
        self.count += 1
        if self.count % 10 == 0:
            await anyio.sleep(self.seconds)
        await super().handle_messages(peer)


@legal("slow-start", "takes a second to start")
class SlowStart(SocketServer):
    def __init__(self, *given: Any) -> None:
        time.sleep(1)
        super().__init__(*given)


@legal(
    "errors-name-nothing",
    "names no requestId in an error where it only should",
    warns={"SOCK-M6": "that is the SHOULD"},
)
class ErrorsNameNothing(SocketServer):
    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        keep = "protocol" in bad.answer.message or "in flight" in bad.answer.message
        name = bad.answer.request_id if keep else None
        self.send(peer, replace(bad.answer, request_id=name))


@legal("closes-at-oversize", "closes the connection at a frame that is too long")
class ClosesAtOversize(SocketServer):
    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        if "too long" in bad.answer.message:
            hang_up(peer)
        else:
            super().handle_bad_message(peer, bad)


@legal("refuses-and-closes", "refuses a frame that is too long, and closes")
class RefusesAndCloses(SocketServer):
    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        super().handle_bad_message(peer, bad)
        if "too long" in bad.answer.message:
            hang_up(peer)


@legal("throws-with-class", "puts the class before what was thrown")
class ThrowsWithClass(SocketServer):
    def tool_failed(self, call: Call, error: BaseException) -> ToolResult:
        if isinstance(error, ToolError):
            return super().tool_failed(call, error)
        return ToolResult.failure("TOOL_FAILED", f"{type(error).__name__}: {error}")


@legal("limit-of-64-mib", "takes frames of 64 MiB")
class LimitOf64Mib(SocketServer):
    def make_connection(self) -> ServerConnection:
        return ServerConnection(64 << 20)


@legal("results-as-they-come", "sends results of quick calls in no order")
class ResultsAsTheyCome(SocketServer):
    async def run_tool(self, tool: ToolDefinition, call: Call) -> JSON | ToolResult:
        returned = await super().run_tool(tool, call)
        await anyio.sleep(random.random() / 50)  # noqa: S311 - no secret
        return returned


@legal("errors-as-they-come", "sends errors that have an id in no order")
class ErrorsAsTheyCome(SocketServer):
    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        if bad.answer.request_id is None:
            super().handle_bad_message(peer, bad)
            return
        later = random.random() / 100  # noqa: S311 - no secret
        asyncio.get_running_loop().call_later(later, self.send, peer, bad.answer)


@legal("plugin-for-others", "takes who claims too much for a plugin")
class PluginForOthers(SocketServer):
    def downgrade(self, caller: Caller) -> Caller:
        return caller if caller == "cli" else "plugin"


@legal("half-close-is-close", "closes when a client shuts down its write side")
class HalfCloseIsClose(SocketServer):
    async def handle_eof(self, peer: Peer) -> None:
        peer.connection.receive_eof()
        await self.handle_messages(peer)


def as_doubles(value: Any) -> Any:
    """Return a value whose small integers are written with a fraction."""
    if isinstance(value, dict):
        return {key: as_doubles(member) for key, member in value.items()}
    if isinstance(value, list):
        return [as_doubles(item) for item in value]
    small = type(value) is int and abs(value) < 1 << 50
    return float(value) if small else value


@legal("doubles", "writes small integers as 5.0")
class Doubles(RewritingServer):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        changed: dict[str, Any] = as_doubles(frame)
        return changed


@legal("chatty", "writes each message to stderr and to stdout")
class Chatty(SocketServer):
    def handle_message(self, peer: Peer, message: ClientMessage) -> None:
        sys.stderr.write(f"{message!r}\n"[:200])
        sys.stdout.write(f'{{"type":"tools_list"}}{message!r}\n'[:200])
        sys.stdout.flush()
        super().handle_message(peer, message)


@legal(
    "numbered-sessions",
    "has sessions called s1, s2, …",
    warns={"SOCK-I2": "they can be guessed"},
)
class NumberedSessions(SocketServer):
    number = 0

    def new_session_id(self) -> str:
        self.number += 1
        return f"s{self.number}"


@legal("long-sessions", "has sessions of 600 characters")
class LongSessions(SocketServer):
    def new_session_id(self) -> str:
        return "".join(str(uuid.uuid4()) for _ in range(16))


@legal("own-messages", "says in its own words what is wrong")
class OwnMessages(SocketServer):
    def check_arguments(self, call: Call, tool: ToolDefinition) -> ToolResult | None:
        if super().check_arguments(call, tool) is None:
            return None
        flaw: JSON = [{"instancePath": "/", "message": "não é válido"}]
        text = json.dumps(flaw, indent=2)
        return ToolResult.failure("VALIDATION_ERROR", text, flaw)

    def check_tool(self, call: Call) -> ToolResult | None:
        if call.tool is None:
            return ToolResult.failure("UNKNOWN_TOOL", "")
        return None


@legal(
    "logs-no-unknown-tool",
    "logs the calls of its tools alone",
    warns={
        "SOCK-A1": "that is the SHOULD",
        "SOCK-A2": "nothing is shown of the others",
    },
)
class LogsItsToolsAlone(SocketServer):
    def audit(self, call: Call, result: ToolResult) -> None:
        if result.error.get("code") not in {"UNKNOWN_TOOL", "VALIDATION_ERROR"}:
            super().audit(call, result)


@legal("logs-of-its-own", "sends events of its own for each call")
class LogsOfItsOwn(SocketServer):
    async def run_call(self, call: Call) -> None:
        await self.emit(call, log("debug", "it begins"))
        await self.emit(call, {"kind": "progress"})
        await self.emit(call, {"kind": "progress", "message": "begun", "fraction": 0})
        await super().run_call(call)


@legal("logs-more", "logs more, in another order and half a second later")
class LogsMore(SocketServer):
    def audit(self, call: Call, result: ToolResult) -> None:
        self._tasks.start_soon(self._later, call, result)

    async def _later(self, call: Call, result: ToolResult) -> None:
        await anyio.sleep(0.5)
        super().audit(call, result)

    def audit_entry(self, call: Call, result: ToolResult) -> JSONObject:
        entry = super().audit_entry(call, result)
        return {"host": {"os": "any"}, **dict(reversed(entry.items()))}


@legal(
    "answers-stray-cancels",
    "answers the cancel of an unknown id with an error",
    warns={"SOCK-X3": "that is the SHOULD"},
)
class AnswersStrayCancels(SocketServer):
    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        if message.request_id in peer.calls:
            super().cancel_call(peer, message)
        else:
            self.send(peer, TransportError(message.request_id, "no such call"))


@legal("meta-everywhere", "has meta and diagnostics in each result of a raw value")
class MetaEverywhere(ResultServer):
    def result(self, result: dict[str, Any]) -> Any:
        extra = {
            "meta": {"cache": None, "ms": 3},
            "diagnostics": [{"level": "info", "message": "", "source": "server"}],
        }
        return {**extra, **result}


@legal("any-client-info", "takes a clientInfo that is no object for none")
class AnyClientInfo(MendingServer):
    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        if not isinstance(message.get("clientInfo", {}), dict):
            del message["clientInfo"]
        return message


class Stream(ServerConnection):
    """Takes a message as soon as its last bracket has come."""

    def __init__(self) -> None:
        super().__init__()
        self._begun = b""
        self._was_taken = False

    def receive_data(self, data: bytes) -> None:
        if self._was_taken and data:
            data = data.removeprefix(b"\n")
            self._was_taken = False
        super().receive_data(data)
        ended = data.rfind(b"\n") + 1
        self._begun = data[ended:] if ended else self._begun + data
        if self._begun.endswith(b"}") and len(self._begun) < 1 << 20:
            try:
                json.loads(self._begun)
            except ValueError:
                return
            super().receive_data(b"\n")
            self._begun, self._was_taken = b"", True


@legal("json-stream", "takes JSON from the stream, as the decoder of Go does")
class JsonStream(SocketServer):
    def make_connection(self) -> ServerConnection:
        return Stream()


class Replacing(ServerConnection):
    def receive_data(self, data: bytes) -> None:
        super().receive_data(data)

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, BadMessage):
            try:
                event.line.decode()
            except UnicodeDecodeError:
                return self._replaced(event)
        return event

    def _replaced(self, bad: BadMessage) -> Any:
        text = bad.line.decode(errors="replace")
        try:
            value = json.loads(text)
        except ValueError:
            return bad
        read = self.read_message(value)
        if isinstance(read, Flaw):
            return BadMessage(bad.line, TransportError(read.id, read.detail))
        if isinstance(read, ToolCall):
            self._exchanges.advance(read.request_id, ToolCall)
        return read


@legal("replaces-bad-utf-8", "puts U+FFFD for bytes that are no UTF-8")
class ReplacesBadUtf8(SocketServer):
    def make_connection(self) -> ServerConnection:
        return Replacing()


@legal("in-pieces", "writes every frame in small pieces")
class InPieces(SocketServer):
    def write(self, peer: Peer, data: bytes) -> None:
        if len(data) > 5000:
            super().write(peer, data)
            return
        for start in range(0, len(data), 7):
            super().write(peer, data[start : start + 7])


@legal("lists-in-another-order", "lists its tools backwards")
class ListsBackwards(ListingServer):
    def descriptors(self, tools: list[dict[str, Any]]) -> Any:
        return tools[::-1]


@legal("cancels-in-100-ms", "takes 100 ms to resolve a cancelled call")
class CancelsIn100Ms(SocketServer):
    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        call = peer.calls.get(message.request_id)
        if call is not None:
            self._tasks.start_soon(self._later, call)

    async def _later(self, call: Call) -> None:
        await anyio.sleep(0.1)
        self.abort_call(call, ToolResult.failure("CANCELLED", "by its client"))


@legal("exits-at-sigterm", "ends at once at SIGTERM, whatever is in flight")
class ExitsAtSigterm(SocketServer):
    def publish(self) -> None:
        super().publish()
        self.inode = self.path.stat().st_ino

    def stop(self) -> None:
        if self.path.exists() and self.path.stat().st_ino == self.inode:
            self.path.unlink()
        self.withdraw()
        os._exit(0)


@legal("bad-lines-first", "answers the bad lines of one read before the good ones")
class BadLinesFirst(SocketServer):
    bad_first = True

    async def handle_messages(self, peer: Peer) -> None:
        events: list[Any] = []
        ends = (NeedData, EndOfInput)
        while not isinstance(event := peer.connection.next_event(), ends):
            events.append(event)
        events.sort(key=lambda one: isinstance(one, BadMessage) is not self.bad_first)
        for event in events:
            if isinstance(event, BadMessage):
                self.handle_bad_message(peer, event)
            else:
                self.handle_message(peer, event)


@legal("bad-lines-last", "answers the bad lines of one read after the good ones")
class BadLinesLast(BadLinesFirst):
    bad_first = False


@legal("socket-of-0755", "lets others read its socket file, which lets nobody connect")
class SocketOf0755(SocketServer):
    def publish(self) -> None:
        self.path.chmod(0o755)
        super().publish()


@legal("socket-in-a-closed-folder", "lets all write its socket in a folder of its own")
class SocketInAClosedFolder(SocketServer):
    def publish(self) -> None:
        self.path.parent.chmod(0o700)
        self.path.chmod(0o777)
        super().publish()


@legal("user-data-elsewhere", "keeps its log where its config.json says")
class UserDataElsewhere(SocketServer):
    def publish(self) -> None:
        super().publish()
        if self.home is not None:
            data = self.home.folder / "data" / "user"
            data.mkdir(parents=True, exist_ok=True)
            named = {"socketPath": str(self.path), "userDataPath": str(data)}
            (self.home.folder / "config.json").write_bytes(dumps(named))
            self.log = Home(data)

    def audit(self, call: Call, result: ToolResult) -> None:
        self.log.append_audit(self.audit_entry(call, result))


@legal(
    "nulls",
    "writes null for what a frame does not have",
    warns={
        "SOCK-C3": "an error should be absent rather than null",
        "SOCK-C14": "so should meta and diagnostics",
    },
)
class Nulls(RewritingServer):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame["type"] == "error":
            frame.setdefault("requestId", None)
        if "result" in frame:
            absent = {"meta": None, "diagnostics": None, "error": None}
            frame["result"] = {**absent, **frame["result"]}
        if "event" in frame:
            frame["event"] = {"fraction": None, **frame["event"]}
        for tool in frame.get("tools", ()):
            if tool["capabilities"] == ["read-only"]:
                tool["capabilities"] = None
        return frame


@legal("both-of-an-id", "runs both calls of an id in flight, and ends both")
class BothOfAnId(BothEnd):
    def handle_close(self, peer: Peer) -> None:
        for call in self.earlier_of(peer):
            self.abort_call(call, ToolResult.failure("CANCELLED", "its client left"))
        super().handle_close(peer)


TICK_SECONDS = 0.25


@legal("ticks", "looks at deadlines four times a second, the earliest call first")
class Ticks(SocketServer):
    async def _watch_deadline(self, call: Call) -> None:
        ends = call.started + self.deadline_ms(call) / 1000
        while not call.resolved.is_set() and anyio.current_time() < ends:
            now = anyio.current_time()
            until = (now // TICK_SECONDS + 1) * TICK_SECONDS
            with anyio.move_on_after(until - now):
                await call.resolved.wait()
        if not call.resolved.is_set():
            self.expire_call(call)


@legal("caller-of-a-listing-unread", "does not look at the caller of a listing")
class CallerOfAListingUnread(MendingServer):
    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        if message.get("type") == "list_tools":
            message.pop("clientInfo", None)
        return message


@legal("arguments-null", "takes null for no arguments")
class ArgumentsNull(MendingServer):
    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        if message.get("arguments", {}) is None:
            del message["arguments"]
        return message


@legal("any-caller", "takes an unknown caller for cli")
class AnyCaller(MendingServer):
    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        info = message.get("clientInfo")
        callers = ("cli", "plugin", "renderer", "agent", "internal")
        if isinstance(info, dict) and info.get("caller", "cli") not in callers:
            message["clientInfo"] = {**info, "caller": "cli"}
        return message


@legal(
    "ends-at-the-first-result",
    "closes a connection that is half closed with its first result",
)
class EndsAtTheFirstResult(SocketServer):
    async def handle_eof(self, peer: Peer) -> None:
        peer.connection.receive_eof()
        await self.handle_messages(peer)
        if not peer.calls:
            await super().handle_eof(peer)
            return
        async with anyio.create_task_group() as tasks:
            for call in peer.calls.values():
                tasks.start_soon(self._await_end, call, tasks.cancel_scope)
            await peer.stream.wait_for_hangup()
            tasks.cancel_scope.cancel()
        await peer.stream.flush()

    async def _await_end(self, call: Call, done: anyio.CancelScope) -> None:
        await call.resolved.wait()
        await anyio.sleep(0.005)
        done.cancel()


variant = TABLES.variants(__name__, SocketServer)


def with_more(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result with meta, diagnostics and a key of the server's own."""
    own = {"level": "info", "message": "of the server"}
    meta = {"servedBy": "here", **result.get("meta", {})}
    said = [own, *result.get("diagnostics", []), own]
    return {**result, "meta": meta, "diagnostics": said, "took": 1}


variant(
    "adds-to-each-result",
    "adds meta, diagnostics and a key of its own to each result",
    on_result(with_more),
)


def emit_own(self: Any, original: Any, call: Call, result: ToolResult) -> None:
    """Send an event of a kind of the server's own before the result."""
    if call.message.request_id in call.peer.calls:
        event: JSONObject = {"kind": "timing", "ms": 1}
        self.send(call.peer, ToolEvent(call.message.request_id, event))
    original(call, result)


variant(
    "events-of-its-own-kind",
    "sends an event of a kind of its own before each result",
    around("resolve", emit_own),
    warns={"SOCK-E1": "the kind should be known"},
)


def close_if_slow(_: Any, original: Any, peer: Peer, data: bytes) -> None:
    """Write a frame, or close the connection of a client that does not read."""
    original(peer, data)
    if peer.stream.backlog_bytes > MOST_UNREAD:
        hang_up(peer)


MOST_UNREAD = 8 << 20
"""More than one result that a client may ask for."""

variant(
    "closes-slow-clients",
    "closes the connection of a client that does not read what was written for it",
    around("write", close_if_slow),
)


def audit_twice(self: Any, original: Any, call: Call, result: ToolResult) -> None:
    """Write a line about a call and one more of the server's own."""
    original(call, result)
    if self.home is not None:
        entry: JSONObject = {"event": "ended", "sessionId": call.context.session_id}
        self.home.append_audit(entry)


variant(
    "logs-lines-of-its-own",
    "writes a line of its own beside that of each call",
    around("audit", audit_twice),
)
variant(
    "null-id-in-errors",
    "writes null for the requestId of an error that has none",
    on_frame(
        lambda frame: (
            {"requestId": None, **frame} if frame["type"] == "error" else frame
        )
    ),
)


def nan_as_null(data: bytes) -> bytes:
    """Return bytes whose NaN is read as null."""
    return re.sub(rb":-?(NaN|Infinity)([,}\]])", rb":null\2", data)


variant("nan-is-null", "reads NaN and Infinity as null", on_bytes(nan_as_null))


def without_waits(registry: ToolRegistry) -> ToolRegistry:
    """Return the tools that every server at full level has, and no optional key."""
    tools = [one for one in registry.tools if one.name != "conformance_child"]
    return ToolRegistry(
        replace(one, run=partial(_aborts_alone, one.run))
        if one.name == "conformance_aborts"
        else one
        for one in tools
    )


async def _aborts_alone(
    run: Callable[[JSONObject, CallContext], Awaitable[JSON | ToolResult]],
    arguments: JSONObject,
    context: CallContext,
) -> JSON | ToolResult:
    found: Any = await run(arguments, context)
    return {"aborted": found["aborted"]}


variant(
    "nothing-optional",
    "has no optional tool and no optional key",
    registry=lambda: without_waits(conformance_registry()),
)


# --- what was a MUST and is a SHOULD

variant(
    "sixteen-calls-at-once",
    "runs sixteen tools of a connection at once",
    at_once(16),
    warns={"SOCK-C8": "twenty should run at once"},
)
variant(
    "limit-of-512-kib",
    "refuses frames of more than 512 KiB",
    around("make_connection", lambda _, original: ServerConnection(512 * 1024)),
    warns={"SOCK-F6": "a frame of 1 MiB should be accepted"},
)


def as_returned(_: Any, original: Any, returned: JSON | ToolResult) -> ToolResult:
    """Return an envelope as the tool returned it."""
    return returned if isinstance(returned, ToolResult) else original(returned)


variant(
    "hands-on-envelopes",
    "hands on the envelope that a tool returns as it is",
    around("envelope", as_returned),
    warns={"SOCK-C3": "half an error should be completed"},
)


def odd_times_left_out(value: Any, _: bytes) -> Any:
    """Return a message without a timeoutMs that is none."""
    ms = value.get("timeoutMs") if isinstance(value, dict) else None
    is_odd = isinstance(ms, str) or (isinstance(ms, int | float) and ms <= 0)
    return {**value, "timeoutMs": None} if is_odd else value


variant(
    "odd-times-left-out",
    "serves a call whose timeoutMs is none as one without",
    on_line(odd_times_left_out),
    warns={"SOCK-M5": "it should be refused"},
)
variant(
    "wants-arguments-of-each-call",
    "refuses a call without arguments",
    on_line(
        lambda value, _: (
            {"arguments": [], **value}
            if isinstance(value, dict) and value.get("type") == "tool_call"
            else value
        )
    ),
    warns={"SOCK-M9": "absent arguments should mean none"},
)


def end_at_eight_mebibytes(value: Any, line: bytes) -> Any:
    """End the server at a frame of exactly 8 MiB, which is a MAY."""
    if len(line) == 8 << 20:
        os._exit(3)
    return value


variant(
    "ends-at-eight-mebibytes",
    "ends at a frame of exactly 8 MiB",
    on_line(end_at_eight_mebibytes),
)
