"""Servers that read or answer messages wrongly: SOCK-M1 to M9, L1 to L3."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from tests.proof.socket_v1.subject import (
    MendingServer,
    ReadingServer,
    RewritingServer,
    broken,
    hang_up,
)

from wireproof_reference.framing import JSON, encode, loads
from wireproof_reference.socket_v1 import (
    BadMessage,
    CancelToolCall,
    ClientMessage,
    Flaw,
    Peer,
    SocketServer,
    ToolCall,
    TransportError,
    read_client_message,
)


class RefusingServer(SocketServer):
    """Answers some results with an error of the transport."""

    codes: tuple[str, ...] = ()

    def encode(self, peer: Peer, message: Any) -> bytes:
        data = super().encode(peer, message)
        error = getattr(getattr(message, "result", None), "error", {})
        if error.get("code") in self.codes:
            text = str(error["message"])
            return super().encode(peer, TransportError(message.request_id, text))
        return data


@broken("hello-frame", "SOCK-M1", "sends a frame of the type hello at the beginning")
class HelloFrame(SocketServer):
    async def serve_peer(self, connected: Any) -> None:
        with suppress(OSError):
            connected.send(encode({"type": "hello", "protocol": 1}))
        await super().serve_peer(connected)


@broken("acknowledges-cancel", "SOCK-M1", "acknowledges each cancel in a frame")
class AcknowledgesCancel(SocketServer):
    def cancel_call(self, peer: Peer, message: CancelToolCall) -> None:
        frame: JSON = {
            "type": "cancel_ack",
            "protocol": 1,
            "requestId": message.request_id,
        }
        self.write(peer, encode(frame))
        super().cancel_call(peer, message)


@broken(
    "own-error-code",
    "SOCK-M1",
    "calls a bad line PARSE_ERROR",
)
class OwnErrorCode(RewritingServer):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame["type"] == "error":
            frame["code"] = "PARSE_ERROR"
        return frame


@broken("event-without-id", "SOCK-M1", "leaves requestId out of events")
class EventWithoutId(RewritingServer):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame["type"] == "tool_event":
            del frame["requestId"]
        return frame


@broken("any-protocol", "SOCK-M2", "serves whatever protocol it is asked for")
class AnyProtocol(MendingServer):
    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        return {**message, "protocol": 1}


@broken(
    "protocol-without-id",
    "SOCK-M2",
    "names no requestId when it refuses a protocol",
    level="should",
)
class ProtocolWithoutId(ReadingServer):
    def read_message(self, value: JSON) -> ClientMessage | Flaw:
        read = read_client_message(value)
        if isinstance(read, Flaw) and "protocol" in read.detail:
            return Flaw(read.detail)
        return read


@broken("protocol-closes", "SOCK-M2", "closes the connection at another protocol")
class ProtocolCloses(SocketServer):
    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        super().handle_bad_message(peer, bad)
        if "protocol must" in bad.answer.message:
            hang_up(peer)


@broken(
    "client-info-closes",
    "SOCK-C1",
    "closes the connection at a clientInfo that is no object, as an exception does",
    shown_by="socket-v1/calls/client-info-of-another-type",
)
class ClientInfoCloses(SocketServer):
    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        if "clientInfo must be an object" in bad.answer.message:
            hang_up(peer)
        else:
            super().handle_bad_message(peer, bad)


@broken("runs-before-protocol", "SOCK-M2", "runs a call of another protocol unseen")
class RunsBeforeProtocol(ReadingServer):
    def read_message(self, value: JSON) -> ClientMessage | Flaw:
        read = read_client_message(value)
        if (
            isinstance(value, dict)
            and isinstance(read, Flaw)
            and "protocol" in read.detail
            and value.get("toolName") == "conformance_counter"
        ):
            self._tasks.start_soon(self._count)
        return read

    async def _count(self) -> None:
        tool = self.registry.find("conformance_counter")
        if tool is not None:
            context: Any = None
            await tool.run({}, context)


@broken("wants-protocol", "SOCK-M3", "refuses a frame without protocol")
class WantsProtocol(MendingServer):
    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        return {"protocol": None, **message}


@broken(
    "timeout-unchecked", "SOCK-M5", "ignores a timeoutMs that is none", level="should"
)
class TimeoutUnchecked(MendingServer):
    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        value = message.get("timeoutMs")
        if isinstance(value, str) or (isinstance(value, float | int) and value <= 0):
            del message["timeoutMs"]
        return message


@broken(
    "ids-as-text",
    "SOCK-M5",
    "takes a number for the requestId that it spells",
)
class IdsAsText(MendingServer):
    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        if isinstance(message.get("requestId"), int):
            message["requestId"] = str(message["requestId"])
        return message


@broken(
    "any-id",
    "SOCK-M5",
    "serves calls whose requestId is absent or no string, and answers under the same",
)
class AnyId(MendingServer, RewritingServer):
    mark = "no string: "

    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        if message.get("type") == "tool_call":
            kept: dict[str, JSON] = {
                key: message[key] for key in ("requestId",) if key in message
            }
            if not isinstance(kept.get("requestId"), str):
                message["requestId"] = f"{self.mark}{encode(kept).decode()}"
        return message

    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        key = str(frame.get("requestId"))
        if key.startswith(self.mark):
            del frame["requestId"]
            told: Any = loads(key.removeprefix(self.mark).encode())
            frame |= told
        return frame


@broken(
    "malformed-unanswered",
    "SOCK-M5",
    "says nothing to a message of no known type",
)
class MalformedUnanswered(SocketServer):
    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        if "type" not in bad.answer.message:
            super().handle_bad_message(peer, bad)


@broken(
    "errors-without-id",
    "SOCK-M6",
    "names no requestId in the error of a malformed message",
    level="should",
)
class ErrorsWithoutId(ReadingServer):
    def read_message(self, value: JSON) -> ClientMessage | Flaw:
        read = read_client_message(value)
        if isinstance(read, Flaw) and "protocol" not in read.detail:
            return Flaw(read.detail)
        return read


@broken(
    "echoes-any-id",
    "SOCK-M1",
    "names a requestId that is no string in the error by which it is refused",
)
class EchoesAnyId(ReadingServer):
    def read_message(self, value: JSON) -> ClientMessage | Flaw:
        read = read_client_message(value)
        if isinstance(value, dict) and isinstance(read, Flaw):
            given: Any = value.get("requestId")
            return Flaw(read.detail, given)
        return read


@broken(
    "keys-in-any-case",
    "SOCK-M7",
    "takes keys for its own that differ in case, the last of them",
    level="should",
)
class KeysInAnyCase(ReadingServer):
    known = MappingProxyType(
        {
            key.lower(): key
            for key in ("type", "protocol", "requestId", "toolName", "arguments")
        }
    )

    def read_message(self, value: JSON) -> ClientMessage | Flaw:
        if isinstance(value, dict):
            value = {self.known.get(key.lower(), key): value[key] for key in value}
        return read_client_message(value)


@broken("refuses-keys", "SOCK-M7", "refuses unknown keys", level="should")
class RefusesKeys(ReadingServer):
    known = frozenset(
        {
            "type",
            "protocol",
            "requestId",
            "toolName",
            "arguments",
            "clientInfo",
            "timeoutMs",
        }
    )

    def read_message(self, value: JSON) -> ClientMessage | Flaw:
        read = read_client_message(value)
        if isinstance(value, dict) and not isinstance(read, Flaw):
            unknown = value.keys() - self.known
            given = value.get("requestId")
            if unknown:
                name = given if isinstance(given, str) else None
                return Flaw(f"unknown keys {sorted(unknown)}", name)
        return read


@broken(
    "unknown-tool-as-error",
    "SOCK-M8",
    "answers the call of an unknown tool with an error",
)
class UnknownToolAsError(RefusingServer):
    codes = ("UNKNOWN_TOOL",)


@broken(
    "silent-about-unknown-tools",
    "SOCK-C6",
    "says nothing to the call of an unknown tool",
)
class SilentAboutUnknownTools(SocketServer):
    def start_call(self, peer: Peer, message: ToolCall) -> None:
        if self.registry.find(message.tool_name) is not None:
            super().start_call(peer, message)


@broken(
    "failures-as-errors",
    "SOCK-M8",
    "answers a tool's failure with an error",
)
class FailuresAsErrors(RefusingServer):
    codes = ("TOOL_FAILED",)


@broken(
    "failures-under-their-own-codes",
    "SOCK-M8",
    "answers a tool's failure with an error that has the failure's own code",
)
class FailuresUnderTheirOwnCodes(RewritingServer):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        error = frame.get("result", {}).get("error", {})
        if error.get("code") != "TOOL_FAILED":
            return frame
        about = {"code": error["code"], "message": error["message"]}
        return {
            "type": "error",
            "protocol": 1,
            "requestId": frame["requestId"],
            **about,
        }


@broken(
    "invalid-as-error",
    "SOCK-M8",
    "answers invalid arguments with an error",
)
class InvalidAsError(RefusingServer):
    codes = ("VALIDATION_ERROR",)


@broken(
    "wants-arguments", "SOCK-M9", "refuses a call without arguments", level="should"
)
class WantsArguments(MendingServer):
    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        if message.get("type") == "tool_call" and "arguments" not in message:
            message["arguments"] = None
        return message


class ListingServer(RewritingServer):
    """Changes the descriptors of tools."""

    def descriptors(self, tools: list[dict[str, Any]]) -> Any:
        """Return what is listed in place of these."""
        raise NotImplementedError

    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame["type"] == "tools_list":
            frame["tools"] = self.descriptors(frame["tools"])
        return frame


@broken("calls-them-parameters", "SOCK-L1", "names the schema parameters")
class CallsThemParameters(ListingServer):
    def descriptors(self, tools: list[dict[str, Any]]) -> Any:
        for tool in tools:
            tool["parameters"] = tool.pop("inputSchema")
        return tools


@broken("no-descriptions", "SOCK-L1", "has no description of a tool")
class NoDescriptions(ListingServer):
    def descriptors(self, tools: list[dict[str, Any]]) -> Any:
        del tools[-1]["description"]
        return tools


@broken("capability-as-text", "SOCK-L1", "lists one capability as a string")
class CapabilityAsText(ListingServer):
    def descriptors(self, tools: list[dict[str, Any]]) -> Any:
        for tool in tools:
            tool["capabilities"] = tool["capabilities"][0]
        return tools


@broken("invalid-schema", "SOCK-L2", "lists a schema that is none", level="should")
class InvalidSchema(ListingServer):
    def descriptors(self, tools: list[dict[str, Any]]) -> Any:
        tools[0]["inputSchema"] = {"type": "dict"}
        return tools


@broken("listed-twice", "SOCK-L2", "lists a tool twice", level="should")
class ListedTwice(ListingServer):
    def descriptors(self, tools: list[dict[str, Any]]) -> Any:
        return [*tools, tools[0]]


@broken("own-capability", "SOCK-L2", "has a capability of its own", level="should")
class OwnCapability(ListingServer):
    def descriptors(self, tools: list[dict[str, Any]]) -> Any:
        tools[0]["capabilities"] = ["reads"]
        return tools


@broken("shuffles", "SOCK-L3", "lists tools in another order each time", level="should")
class Shuffles(ListingServer):
    def descriptors(self, tools: list[dict[str, Any]]) -> Any:
        random.shuffle(tools)
        return tools


@broken(
    "empty-id-not-echoed",
    "SOCK-M2",
    "takes an empty requestId for none when it refuses a protocol",
    level="should",
)
class EmptyIdNotEchoed(SocketServer):
    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        self.send(peer, replace(bad.answer, request_id=bad.answer.request_id or None))


@broken(
    "calls-it-tools",
    "SOCK-M1",
    "answers list_tools with a frame of the type tools",
)
class CallsItTools(RewritingServer):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame["type"] == "tools_list":
            frame["type"] = "tools"
        return frame


@broken(
    "tidied-tool-names",
    "SOCK-C6",
    "takes the white space from the name of a tool",
    shown_by="socket-v1/calls/unknown-tool-with-blanks",
)
class TidiedToolNames(MendingServer):
    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        if isinstance(name := message.get("toolName"), str):
            message["toolName"] = name.strip()
        return message
