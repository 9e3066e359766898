"""Servers that carry out calls wrongly: SOCK-C1 to C14, E1, E2."""

from __future__ import annotations

import json
import socket
from typing import Any

import anyio
from tests.proof.socket_v1.subject import ResultServer, RewritingServer, broken

from wireproof_reference.framing import JSON, JSONObject, encode, loads
from wireproof_reference.socket_v1 import (
    BadMessage,
    Call,
    CancelToolCall,
    Peer,
    ServerMessage,
    SocketServer,
    ToolCall,
    ToolDefinition,
    ToolError,
    ToolEvent,
    ToolResult,
    TransportError,
    message_to_json,
    read_client_message,
)


@broken(
    "two-results",
    "SOCK-C1",
    "sends each result twice",
)
class TwoResults(SocketServer):
    def resolve(self, call: Call, result: ToolResult) -> None:
        if not call.resolved.is_set():
            super().resolve(call, result)
            frame: Any = {
                "type": "tool_result",
                "protocol": 1,
                "requestId": call.message.request_id,
                "result": result.json,
            }
            self.write(call.peer, json.dumps(frame).encode() + b"\n")


@broken(
    "ids-in-lower-case",
    "SOCK-C1",
    "writes requestId in lower case into the result",
)
class IdsInLowerCase(RewritingServer):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame["type"] == "tool_result":
            frame["requestId"] = frame["requestId"].lower()
        return frame


@broken(
    "loses-throws",
    "SOCK-C5",
    "sends no result when a tool throws",
)
class LosesThrows(SocketServer):
    async def run_call(self, call: Call) -> None:
        if call.message.tool_name == "conformance_throw":
            return
        await super().run_call(call)


def depth_of(value: Any) -> int:
    """Return how deep a value is nested, which may be deeper than Python calls."""
    depth, level = 0, [value]
    while level := [one for one in level if isinstance(one, dict | list)]:
        depth += 1
        level = [
            inner
            for one in level
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
    return depth


@broken(
    "writer-of-100-levels",
    "SOCK-C1",
    "loses a result that is nested deeper than its writer goes, though it was read",
)
class WriterOf100Levels(SocketServer):
    def resolve(self, call: Call, result: ToolResult) -> None:
        # What is deeper still its reader would have refused.
        if not 100 < depth_of(result.json) + 1 <= 103:
            super().resolve(call, result)


class EndSpeaker(SocketServer):
    """Sends an event when a call was ended before its tool."""

    reasons: tuple[str, ...] = ("CANCELLED", "TIMEOUT")

    def abort_call(self, call: Call, result: ToolResult) -> None:
        super().abort_call(call, result)
        if result.error.get("code") in self.reasons:
            self.write(call.peer, ended(call))


def ended(call: Call) -> bytes:
    """Return an event that tells that a call has ended."""
    frame: Any = {
        "type": "tool_event",
        "protocol": 1,
        "requestId": call.message.request_id,
        "event": {"kind": "log", "level": "info", "message": "ended"},
    }
    return json.dumps(frame).encode() + b"\n"


@broken(
    "event-after-cancel",
    "SOCK-C2",
    "sends an event after a cancelled result",
)
class EventAfterCancel(EndSpeaker):
    reasons = ("CANCELLED",)


@broken("event-after-timeout", "SOCK-C2", "sends an event after a timed out result")
class EventAfterTimeout(EndSpeaker):
    reasons = ("TIMEOUT",)


@broken("event-after-a-stream", "SOCK-C2", "tells in an event that a stream has ended")
class EventAfterAStream(SocketServer):
    def resolve(self, call: Call, result: ToolResult) -> None:
        super().resolve(call, result)
        if call.message.tool_name == "conformance_stream":
            self.write(call.peer, ended(call))


@broken(
    "error-beside-ok", "SOCK-C3", "has an empty error in each success", level="should"
)
class ErrorBesideOk(ResultServer):
    def result(self, result: dict[str, Any]) -> Any:
        return {**result, "error": {}} if result["ok"] else result


@broken(
    "own-failure-code",
    "SOCK-C3",
    "calls a failure INTERNAL",
)
class OwnFailureCode(ResultServer):
    def result(self, result: dict[str, Any]) -> Any:
        if result.get("error", {}).get("code") == "TOOL_FAILED":
            result["error"]["code"] = "INTERNAL"
        return result


@broken(
    "failure-without-message",
    "SOCK-C3",
    "has no message in a denial",
)
class FailureWithoutMessage(ResultServer):
    def result(self, result: dict[str, Any]) -> Any:
        if result.get("error", {}).get("code") == "PERMISSION_DENIED":
            del result["error"]["message"]
        return result


class EnvelopingServer(SocketServer):
    """Makes another envelope of what a tool returned."""

    def envelop(self, returned: JSON | ToolResult) -> JSON | ToolResult:
        """Return what is put into an envelope in place of this."""
        raise NotImplementedError

    def envelope(self, returned: JSON | ToolResult) -> ToolResult:
        return super().envelope(self.envelop(returned))


@broken(
    "envelope-in-content",
    "SOCK-C4",
    "puts an explicit envelope into another",
)
class EnvelopeInContent(EnvelopingServer):
    def envelop(self, returned: JSON | ToolResult) -> JSON | ToolResult:
        return returned.json if isinstance(returned, ToolResult) else returned


@broken(
    "takes-ok-for-envelope",
    "SOCK-C4",
    "takes any object with ok for an envelope",
)
class TakesOkForEnvelope(EnvelopingServer):
    def envelop(self, returned: JSON | ToolResult) -> JSON | ToolResult:
        value = returned.get("value") if isinstance(returned, dict) else None
        if isinstance(value, dict) and isinstance(value.get("ok"), bool):
            return ToolResult(value)
        return returned


@broken("drops-meta", "SOCK-C4", "drops meta from explicit envelopes")
class DropsMeta(ResultServer):
    def result(self, result: dict[str, Any]) -> Any:
        result.pop("meta", None)
        return result


@broken(
    "content-as-text",
    "SOCK-C4",
    "puts content into a list of texts",
)
class ContentAsText(ResultServer):
    def result(self, result: dict[str, Any]) -> Any:
        if "content" in result:
            text = json.dumps(result["content"])
            result["content"] = [{"type": "text", "text": text}]
        return result


@broken("one-code-for-all", "SOCK-C5", "calls all that a tool throws TOOL_FAILED")
class OneCodeForAll(SocketServer):
    def tool_failed(self, call: Call, error: BaseException) -> ToolResult:
        if isinstance(error, ToolError):
            return ToolResult.failure("TOOL_FAILED", error.message, error.details)
        return super().tool_failed(call, error)


@broken("hides-throws", "SOCK-C5", "tells nothing of what was thrown")
class HidesThrows(SocketServer):
    def tool_failed(self, call: Call, error: BaseException) -> ToolResult:
        if isinstance(error, ToolError):
            return super().tool_failed(call, error)
        return ToolResult.failure("TOOL_FAILED", "internal error")


@broken(
    "no-validation",
    "SOCK-C6",
    "lets every tool have any arguments",
)
class NoValidation(SocketServer):
    def check_arguments(self, call: Call, tool: ToolDefinition) -> ToolResult | None:
        return None


@broken(
    "unknown-tool-failed",
    "SOCK-C6",
    "calls the call of an unknown tool TOOL_FAILED",
)
class UnknownToolFailed(SocketServer):
    def check_tool(self, call: Call) -> ToolResult | None:
        if call.tool is None:
            return ToolResult.failure("TOOL_FAILED", "no such tool")
        return None


@broken(
    "counts-one-for-zero", "SOCK-C4", "its counter takes a by of 0 for an absent one"
)
class CountsOneForZero(SocketServer):
    async def run_tool(self, tool: ToolDefinition, call: Call) -> JSON | ToolResult:
        counts = tool.name == "conformance_counter"
        if counts and call.message.arguments.get("by") == 0:
            return await tool.run({"by": 1}, call.context)
        return await super().run_tool(tool, call)


@broken(
    "an-ok-is-an-envelope",
    "SOCK-C4",
    "takes each object with a key ok for an envelope",
)
class AnOkIsAnEnvelope(SocketServer):
    def envelope(self, returned: JSON | ToolResult) -> ToolResult:
        if isinstance(returned, dict) and "ok" in returned:
            return super().envelope(ToolResult(returned))
        return super().envelope(returned)


@broken(
    "an-array-is-an-object",
    "SOCK-C6",
    "takes an array for an object, as JavaScript's typeof does",
)
class AnArrayIsAnObject(SocketServer):
    def check_arguments(self, call: Call, tool: ToolDefinition) -> ToolResult | None:
        flaw = super().check_arguments(call, tool)
        parts = call.message.arguments.get("parts")
        arrays = isinstance(parts, list) and [] in parts
        return None if arrays else flaw


@broken(
    "an-error-needs-words",
    "SOCK-C5",
    "sends what a tool threw without a message as a success",
)
class AnErrorNeedsWords(SocketServer):
    def tool_failed(self, call: Call, error: BaseException) -> ToolResult:
        if not str(error):
            return ToolResult.success(None)
        return super().tool_failed(call, error)


@broken(
    "no-type-is-a-wrong-type",
    "SOCK-C6",
    "refuses an argument whose schema names no type, or one that has no such word",
)
class NoTypeIsAWrongType(SocketServer):
    def check_arguments(self, call: Call, tool: ToolDefinition) -> ToolResult | None:
        kinds = {str: "string", dict: "object", bool: "boolean", float: "number"}
        members: Any = tool.input_schema.get("properties", {})
        for name, value in call.message.arguments.items():
            wanted = members.get(name, {}).get("type")
            if kinds.get(type(value)) != wanted:
                text = f"{name} must be a {wanted}"
                return ToolResult.failure("VALIDATION_ERROR", text)
        return super().check_arguments(call, tool)


@broken("runs-then-validates", "SOCK-C6", "runs a tool whose arguments are invalid")
class RunsThenValidates(SocketServer):
    def check_arguments(self, call: Call, tool: ToolDefinition) -> ToolResult | None:
        flaw = super().check_arguments(call, tool)
        if flaw is not None and tool.name == "conformance_counter":
            self._tasks.start_soon(self.run_anyway, tool, call)
        return flaw

    async def run_anyway(self, tool: ToolDefinition, call: Call) -> None:
        await tool.run({}, call.context)


@broken(
    "permission-first",
    "SOCK-C7",
    "denies a call before it looks at the arguments",
    level="should",
)
class PermissionFirst(SocketServer):
    def check_arguments(self, call: Call, tool: ToolDefinition) -> ToolResult | None:
        return self.check_permission(call, tool) or super().check_arguments(call, tool)


class SerialServer(SocketServer):
    """Carries out calls one by one."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._locks: dict[int, anyio.Lock] = {}

    def queue(self, peer: Peer) -> int:
        """Return in which queue the calls of a client wait."""
        raise NotImplementedError

    async def run_call(self, call: Call) -> None:
        lock = self._locks.setdefault(self.queue(call.peer), anyio.Lock())
        async with lock:
            await super().run_call(call)


@broken(
    "serial-by-connection",
    "SOCK-C8",
    "carries out the calls of a connection one by one",
)
class SerialByConnection(SerialServer):
    def queue(self, peer: Peer) -> int:
        return id(peer)


@broken("four-at-a-time", "SOCK-C8", "carries out four calls at a time", level="should")
class FourAtATime(SocketServer):
    most = 4

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._places = anyio.Semaphore(self.most)

    async def run_call(self, call: Call) -> None:
        async with self._places:
            await super().run_call(call)


@broken(
    "sixteen-at-a-time",
    "SOCK-C8",
    "carries out sixteen calls at a time, as a pool of threads does",
    shown_by="socket-v1/concurrency/fast-overtakes-twenty-slow",
    level="should",
)
class SixteenAtATime(FourAtATime):
    most = 16


@broken(
    "serial",
    "SOCK-C8",
    "carries out all calls one by one",
)
class Serial(SerialServer):
    def queue(self, peer: Peer) -> int:
        return 0


@broken(
    "results-in-order",
    "SOCK-C8",
    "sends results in the order of the calls",
)
class ResultsInOrder(SocketServer):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._order: dict[Peer, list[str]] = {}
        self._held: dict[Peer, dict[str, bytes]] = {}
        self._writing: str | None = None

    def start_call(self, peer: Peer, message: ToolCall) -> None:
        self._order.setdefault(peer, []).append(message.request_id)
        super().start_call(peer, message)

    def resolve(self, call: Call, result: ToolResult) -> None:
        if not call.resolved.is_set():
            self._writing = call.message.request_id
            super().resolve(call, result)
            self._writing = None

    def write(self, peer: Peer, data: bytes) -> None:
        if self._writing is None or self._writing not in self._order.get(peer, []):
            super().write(peer, data)
            return
        held = self._held.setdefault(peer, {})
        held[self._writing] = data
        order = self._order[peer]
        while order and order[0] in held:
            super().write(peer, held.pop(order.pop(0)))


@broken(
    "ids-of-the-server",
    "SOCK-C9",
    "refuses an id that another connection has in flight",
)
class IdsOfTheServer(SocketServer):
    def start_call(self, peer: Peer, message: ToolCall) -> None:
        key = message.request_id
        if any(key in one.calls for one in self.peers if one is not peer):
            self.send(peer, TransportError(key, "the requestId is in flight"))
            return
        super().start_call(peer, message)


@broken(
    "silent-about-ids-in-flight",
    "SOCK-C10",
    "does not answer a call whose id is in flight",
    level="should",
)
class SilentAboutIdsInFlight(SocketServer):
    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        if "in flight" not in bad.answer.message:
            super().handle_bad_message(peer, bad)


def without_nulls(value: Any) -> Any:
    """Return a value whose objects have lost the members that are null."""
    if isinstance(value, dict):
        kept = {k: v for k, v in value.items() if v is not None}
        return {key: without_nulls(member) for key, member in kept.items()}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def in_doubles(value: Any) -> Any:
    """Return a value whose large integers have lost their last digits."""
    if isinstance(value, dict):
        return {key: in_doubles(member) for key, member in value.items()}
    if isinstance(value, list):
        return [in_doubles(item) for item in value]
    large = isinstance(value, int) and abs(value) > 1 << 31
    return value & ~0xFF if large else value


@broken(
    "loses-nulls",
    "SOCK-C11",
    "drops members that are null",
)
class LosesNulls(ResultServer):
    def result(self, result: dict[str, Any]) -> Any:
        if "content" in result:
            result["content"] = without_nulls(result["content"])
        return result


@broken(
    "rounds-integers",
    "SOCK-C11",
    "loses the last bits of a large integer",
)
class RoundsIntegers(ResultServer):
    def result(self, result: dict[str, Any]) -> Any:
        return in_doubles(result)


@broken(
    "ascii-only",
    "SOCK-C11",
    "puts a question mark for what is not ASCII",
)
class AsciiOnly(ResultServer):
    def result(self, result: dict[str, Any]) -> Any:
        text = json.dumps(result.get("content"), ensure_ascii=False)
        if "content" in result:
            result["content"] = json.loads(text.encode("ascii", "replace"))
        return result


@broken(
    "goes-on-when-closed",
    "SOCK-C12",
    "lets the calls of a closed connection go on",
    shown_by="socket-v1/concurrency/closing-aborts",
)
class GoesOnWhenClosed(SocketServer):
    def handle_close(self, peer: Peer) -> None:
        pass


class NotingSocket(socket.socket):
    """Notes whether its end came as an error."""

    was_reset = False

    def recv(self, *args: Any) -> bytes:
        try:
            return super().recv(*args)
        except ConnectionResetError:
            self.was_reset = True
            raise


@broken(
    "goes-on-after-a-reset",
    "SOCK-C12",
    "lets the calls of a connection go on whose end it reads as an error",
    shown_by="socket-v1/concurrency/closing-unread-aborts",
)
class GoesOnAfterAReset(SocketServer):
    async def serve_peer(self, connected: socket.socket) -> None:
        await super().serve_peer(NotingSocket(fileno=connected.detach()))

    def handle_close(self, peer: Peer) -> None:
        noting: NotingSocket = vars(peer.stream)["_socket"]
        if not noting.was_reset:
            super().handle_close(peer)


@broken(
    "ends-with-its-client",
    "SOCK-C12",
    "ends when a client leaves a call behind",
)
class EndsWithItsClient(SocketServer):
    def handle_close(self, peer: Peer) -> None:
        if peer.calls:
            self.stop()
        super().handle_close(peer)


@broken(
    "ok-as-number",
    "SOCK-C14",
    "writes 0 for false in ok",
)
class OkAsNumber(ResultServer):
    def result(self, result: dict[str, Any]) -> Any:
        return result if result["ok"] else {**result, "ok": 0}


@broken("drops-details", "SOCK-C14", "drops the details of an error")
class DropsDetails(ResultServer):
    def result(self, result: dict[str, Any]) -> Any:
        result.get("error", {}).pop("details", None)
        return result


@broken("falsy-details", "SOCK-C14", "drops details that count as false")
class FalsyDetails(ResultServer):
    def result(self, result: dict[str, Any]) -> Any:
        if not result.get("error", {}).get("details", True):
            del result["error"]["details"]
        return result


@broken(
    "diagnostics-as-texts",
    "SOCK-C14",
    "writes diagnostics as texts",
)
class DiagnosticsAsTexts(ResultServer):
    def result(self, result: dict[str, Any]) -> Any:
        if "diagnostics" in result:
            result["diagnostics"] = [one["message"] for one in result["diagnostics"]]
        return result


class EventServer(RewritingServer):
    """Changes each event before it is sent."""

    def event(self, event: dict[str, Any]) -> Any:
        """Return what is sent in place of this event."""
        raise NotImplementedError

    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame["type"] == "tool_event":
            frame["event"] = self.event(frame["event"])
        return frame


@broken(
    "event-of-own-kind", "SOCK-E1", "calls the kind of progress update", level="should"
)
class EventOfOwnKind(EventServer):
    def event(self, event: dict[str, Any]) -> Any:
        return {**event, "kind": "update"}


@broken(
    "percent", "SOCK-E1", "counts the fraction of progress in percent", level="should"
)
class Percent(EventServer):
    def event(self, event: dict[str, Any]) -> Any:
        return {**event, "fraction": 50}


@broken(
    "message-as-object",
    "SOCK-E1",
    "sends the message of progress as an object",
    level="should",
)
class MessageAsObject(EventServer):
    def event(self, event: dict[str, Any]) -> Any:
        return {**event, "message": json.loads(event["message"])}


@broken("events-by-twos", "SOCK-E2", "swaps each two events")
class EventsByTwos(SocketServer):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._kept: dict[Call, JSONObject] = {}

    async def emit(self, call: Call, event: JSONObject) -> None:
        kept = self._kept.pop(call, None)
        if kept is None:
            self._kept[call] = event
            return
        await super().emit(call, event)
        await super().emit(call, kept)

    def resolve(self, call: Call, result: ToolResult) -> None:
        kept = self._kept.pop(call, None)
        if kept is not None and not call.resolved.is_set():
            self.send(call.peer, event_of(call, kept))
        super().resolve(call, result)


@broken(
    "large-events-late",
    "SOCK-E2",
    "sends a large event after all others",
)
class LargeEventsLate(SocketServer):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._kept: dict[Call, list[JSONObject]] = {}

    async def emit(self, call: Call, event: JSONObject) -> None:
        if len(str(event)) > 2000:
            self._kept.setdefault(call, []).append(event)
        else:
            await super().emit(call, event)

    def resolve(self, call: Call, result: ToolResult) -> None:
        for event in self._kept.pop(call, []):
            if not call.resolved.is_set():
                self.send(call.peer, event_of(call, event))
        super().resolve(call, result)


def event_of(call: Call, event: JSONObject) -> ServerMessage:
    """Return the event of a call as a message."""
    return ToolEvent(call.message.request_id, event)


@broken(
    "events-under-other-ids",
    "SOCK-C1",
    "sends the events of a call under the id of another in flight",
)
class EventsUnderOtherIds(RewritingServer):
    def encode(self, peer: Peer, message: ServerMessage) -> bytes:
        if isinstance(message, ToolEvent):
            others = (key for key in peer.calls if key != message.request_id)
            self.other = next(others, message.request_id)
        return super().encode(peer, message)

    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame["type"] == "tool_event":
            frame["requestId"] = self.other
        return frame


@broken(
    "one-connection-only",
    "SOCK-C12",
    "serves its first connection and accepts no other",
)
class OneConnectionOnly(SocketServer):
    served = False

    async def serve_peer(self, connected: Any) -> None:
        if self.served:
            await anyio.sleep_forever()
        self.served = True
        await super().serve_peer(connected)


class BothRun(SocketServer):
    """Runs a call whose id is in flight, and knows one call of an id only."""

    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        if "in flight" not in bad.answer.message:
            super().handle_bad_message(peer, bad)
            return
        read = read_client_message(loads(bad.line))
        if isinstance(read, ToolCall):
            self.start_call(peer, read)

    def encode(self, peer: Peer, message: ServerMessage) -> bytes:
        # The connection knows one call of an id, and refuses the second result.
        return encode(message_to_json(message))

    def resolve(self, call: Call, result: ToolResult) -> None:
        if call.resolved.is_set():
            return
        calls = call.peer.calls
        latest = calls.get(call.message.request_id)
        calls[call.message.request_id] = call
        super().resolve(call, result)
        if latest is not None and latest is not call:
            calls[call.message.request_id] = latest
            call.peer.idle = anyio.Event()


@broken(
    "same-id-half-cancelled",
    "SOCK-C10",
    "runs both calls of an id in flight and cancels the later one",
    level="should",
)
class SameIdHalfCancelled(BothRun):
    pass


@broken(
    "same-id-half-expired",
    "SOCK-C10",
    "runs both calls of an id in flight and looks at the deadline of the later one",
    level="should",
)
class SameIdHalfExpired(BothRun):
    def expire_call(self, call: Call) -> None:
        if call.peer.calls.get(call.message.request_id) is call:
            super().expire_call(call)


class BothEnd(BothRun):
    """Runs both calls of an id in flight, and cancels both."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._earlier: list[Call] = []

    def start_call(self, peer: Peer, message: ToolCall) -> None:
        found = peer.calls.get(message.request_id)
        if found is not None:
            self._earlier.append(found)
        super().start_call(peer, message)

    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        for call in self.earlier_of(peer):
            if call.message.request_id == message.request_id:
                self.abort_call(call, ToolResult.failure("CANCELLED", "cancelled"))
        super().cancel_call(peer, message)

    def earlier_of(self, peer: Peer) -> list[Call]:
        """Return the calls of a connection whose id another call has taken."""
        mine = [call for call in self._earlier if call.peer is peer]
        return [call for call in mine if not call.resolved.is_set()]


@broken(
    "same-id-half-closed",
    "SOCK-C10",
    "runs both calls of an id in flight, and lets one go on when its client has gone",
    level="should",
)
class SameIdHalfClosed(BothEnd):
    pass


@broken(
    "streams-after-the-end",
    "SOCK-C2",
    "sends the events of a stream that goes on after its cancel or deadline",
)
class StreamsAfterTheEnd(SocketServer):
    async def emit(self, call: Call, event: JSONObject) -> None:
        if call.resolved.is_set():
            frame = message_to_json(event_of(call, event))
            self.write(call.peer, encode(frame))
        await super().emit(call, event)


@broken(
    "first-lines-of-throws",
    "SOCK-C5",
    "sends the first line of an uncaught error's message",
    shown_by="socket-v1/calls/uncaught-error-of-two-lines",
)
class FirstLinesOfThrows(ResultServer):
    def result(self, result: dict[str, Any]) -> Any:
        error = result.get("error", {})
        if error.get("code") == "TOOL_FAILED":
            error["message"] = error["message"].partition("\n")[0]
        return result
