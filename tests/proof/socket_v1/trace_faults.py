"""Servers that log or answer the second of two things wrongly: SOCK-A1, A2, C1 …"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import anyio
from tests.proof.socket_v1.subject import MendingServer, ResultServer, broken

from wireproof_reference.framing import JSON, JSONObject, dumps
from wireproof_reference.socket_v1 import (
    REDACTED,
    Call,
    Peer,
    ServerConnection,
    ServerMessage,
    SocketServer,
    ToolResult,
)


@broken(
    "reads-then-writes-its-log",
    "SOCK-A1",
    "reads its log, and writes it anew with a line more, while others do",
    shown_by="socket-v1/audit/five-at-once",
)
class ReadsThenWritesItsLog(SocketServer):
    def audit(self, call: Call, result: ToolResult) -> None:
        if self.home is not None:
            entry = self.audit_entry(call, result)
            self._tasks.start_soon(self._rewrite, self.home.folder, entry)

    async def _rewrite(self, folder: Path, entry: JSONObject) -> None:
        log = folder / "audit.jsonl"
        before = log.read_bytes() if log.exists() else b""
        await anyio.sleep(0.005)
        log.write_bytes(before + dumps(entry) + b"\n")


@broken(
    "logs-a-repetition-once",
    "SOCK-A1",
    "does not log a call that is like the one before",
    shown_by="socket-v1/audit/same-call-twice",
)
class LogsARepetitionOnce(SocketServer):
    latest: tuple[str, JSONObject] | None = None

    def audit(self, call: Call, result: ToolResult) -> None:
        own = call.message.tool_name, call.message.arguments
        if own != self.latest:
            super().audit(call, result)
        self.latest = own


@broken(
    "logs-what-it-answers",
    "SOCK-A1",
    "does not log calls whose client has gone",
    shown_by="socket-v1/audit/connection-closed",
)
class LogsWhatItAnswers(SocketServer):
    def handle_close(self, peer: Peer) -> None:
        self.gone = peer
        super().handle_close(peer)

    def audit(self, call: Call, result: ToolResult) -> None:
        if call.peer is not getattr(self, "gone", None):
            super().audit(call, result)


@broken(
    "redacts-the-first",
    "SOCK-A2",
    "takes the first secret of a kind out of a text, and no other",
    shown_by="socket-v1/audit/secrets-side-by-side",
)
class RedactsTheFirst(SocketServer):
    def redact(self, value: JSON) -> JSON:
        if isinstance(value, dict):
            value = {
                key: self._once(member) if isinstance(member, str) else member
                for key, member in value.items()
            }
            texts = {key: member for key, member in value.items() if _short(member)}
            return {**_object(super().redact(value)), **texts}
        return super().redact(value)

    def _once(self, text: str) -> str:
        text = re.sub(r"Bearer [A-Za-z0-9]+", REDACTED, text, count=1)
        return re.sub(
            r"-----BEGIN PRIVATE KEY-----.*?-----END PRIVATE KEY-----",
            REDACTED,
            text,
            count=1,
            flags=re.DOTALL,
        )


def _short(member: Any) -> bool:
    return isinstance(member, str) and REDACTED in member and len(member) < 1000


def _object(value: JSON) -> JSONObject:
    return value if isinstance(value, dict) else {}


@broken(
    "every-other-bearer-in-clear",
    "SOCK-A2",
    "looks for Bearer from where it found the last, as JavaScript's test does with /g",
)
class EveryOtherBearerInClear(SocketServer):
    begin = 0

    def redact(self, value: JSON) -> JSON:
        shown = super().redact(value)
        if isinstance(value, dict) and isinstance(shown, dict):
            both = value.keys() & shown.keys()
            open_ = {
                key for key in both if shown[key] != REDACTED or _short(value[key])
            }
            return {**shown, **{key: self.redact(value[key]) for key in sorted(open_)}}
        if isinstance(value, list) and isinstance(shown, list):
            return [self.redact(one) for one in value]
        if not isinstance(value, str) or not value.startswith("Bearer "):
            return shown
        found = re.compile(r"Bearer \S+").search(value, self.begin)
        self.begin = found.end() if found else 0
        return shown if found else value


@broken(
    "quotes-what-it-refuses",
    "SOCK-A2",
    "logs the value that a tool does not take as it is",
)
class QuotesWhatItRefuses(SocketServer):
    def audit_entry(self, call: Call, result: ToolResult) -> JSONObject:
        entry = super().audit_entry(call, result)
        if result.error.get("code") != "VALIDATION_ERROR":
            return entry
        wrong = call.message.arguments.get("names")
        return {**entry, "flaw": f"{dumps(wrong).decode()} is not of type array"}


@broken("diagnostics-in-clear", "SOCK-A2", "logs diagnostics as they are")
class DiagnosticsInClear(SocketServer):
    def audit_entry(self, call: Call, result: ToolResult) -> JSONObject:
        entry = super().audit_entry(call, result)
        return {**entry, "diagnostics": result.json.get("diagnostics")}


@broken("latest-event-in-clear", "SOCK-A2", "logs the latest event as it is")
class LatestEventInClear(SocketServer):
    latest: JSON = None

    def encode(self, peer: Peer, message: ServerMessage) -> bytes:
        data = super().encode(peer, message)
        if b'"tool_event"' in data:
            self.latest = json.loads(data)["event"]
        return data

    def audit_entry(self, call: Call, result: ToolResult) -> JSONObject:
        return {**super().audit_entry(call, result), "latest": self.latest}


@broken("frames-in-clear", "SOCK-A2", "logs the keys of a frame that it does not know")
class FramesInClear(MendingServer):
    others: JSONObject = {}  # noqa: RUF012 - replaced, never changed

    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        known = {"type", "protocol", "requestId", "toolName", "arguments", "timeoutMs"}
        self.others = {key: message[key] for key in message.keys() - known}
        return message

    def audit_entry(self, call: Call, result: ToolResult) -> JSONObject:
        return {**super().audit_entry(call, result), "others": self.others}


@broken(
    "details-of-failures-alone",
    "SOCK-C14",
    "keeps details where the code is TOOL_FAILED",
    shown_by="socket-v1/calls/details-with-any-code",
)
class DetailsOfFailuresAlone(ResultServer):
    def result(self, result: dict[str, Any]) -> Any:
        if result.get("error", {}).get("code") != "TOOL_FAILED":
            result.get("error", {}).pop("details", None)
        return result


class CoercingServer(MendingServer):
    """Changes arguments before they are checked."""

    def coerced(self, key: str, value: JSON) -> JSON:
        """Return the value of an argument that is checked in place of this one."""
        raise NotImplementedError

    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        arguments = message.get("arguments")
        if isinstance(arguments, dict):
            made = {key: self.coerced(key, one) for key, one in arguments.items()}
            message["arguments"] = made
        return message


@broken(
    "text-is-a-boolean",
    "SOCK-C6",
    "takes the words true and false for booleans",
    shown_by="socket-v1/calls/texts-for-booleans",
)
class TextIsABoolean(CoercingServer):
    def coerced(self, key: str, value: JSON) -> JSON:
        words: dict[JSON, JSON] = {"true": True, "false": False}
        is_word = key == "ignore_cancel" and isinstance(value, str)
        return words.get(value, value) if is_word else value


@broken(
    "null-is-a-text",
    "SOCK-C6",
    "takes null for an empty text",
    shown_by="socket-v1/calls/null-for-a-required-string",
)
class NullIsAText(CoercingServer):
    def coerced(self, key: str, value: JSON) -> JSON:
        return "" if key == "message" and value is None else value


@broken(
    "null-is-no-time",
    "SOCK-X5",
    "takes a timeoutMs of null for the shortest",
    shown_by="socket-v1/timeout/null-is-none",
)
class NullIsNoTime(MendingServer):
    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        if "timeoutMs" in message and message["timeoutMs"] is None:
            message["timeoutMs"] = 1
        return message


@broken(
    "dies-at-half-pairs",
    "SOCK-C11",
    "gives no result that UTF-8 does not hold",
    shown_by="socket-v1/calls/values-that-may-be-refused",
)
class DiesAtHalfPairs(SocketServer):
    def encode(self, peer: Peer, message: ServerMessage) -> bytes:
        data = super().encode(peer, message)
        try:
            json.dumps(json.loads(data), ensure_ascii=False).encode()
        except UnicodeEncodeError:
            return b""
        return data


class SkipsForAll(ServerConnection):
    """Takes what comes for the rest of a line that is too long, on any connection."""

    skipping = False

    def __init__(self) -> None:
        super().__init__()
        self._length = 0

    def receive_data(self, data: bytes) -> None:
        if SkipsForAll.skipping:
            _, feed, data = data.partition(b"\n")
            SkipsForAll.skipping = not feed
            self._length = 0
        self._length += len(data) if b"\n" not in data else -self._length
        if self._length > 8 << 20:
            SkipsForAll.skipping = True
            data += b"\n"
        super().receive_data(data)


@broken(
    "skips-for-all",
    "SOCK-F5",
    "takes what any client sends for the rest of a line that is too long",
    shown_by="socket-v1/framing/line-without-end",
)
class SkipsForAllServer(SocketServer):
    def make_connection(self) -> ServerConnection:
        return SkipsForAll()
