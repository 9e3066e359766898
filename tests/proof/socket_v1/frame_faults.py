"""Servers that read or write lines wrongly: SOCK-F1 to F7, M4."""

from __future__ import annotations

import contextlib
import json
import os
import re
from typing import Any

from tests.proof.socket_v1.subject import RewritingServer, broken, hang_up

from wireproof_reference.framing import NdjsonDecoder, encode, loads
from wireproof_reference.socket_v1 import (
    BadMessage,
    Peer,
    ServerConnection,
    ServerMessage,
    SocketServer,
)

_WORD = re.compile(rb'"(?:[^"\\]|\\.)*"|true|false|null')


class LineServer(SocketServer):
    """Writes the JSON object of a frame as other bytes."""

    def line(self, frame: dict[str, Any]) -> bytes:
        """Return the bytes that are sent in place of this frame."""
        raise NotImplementedError

    def encode(self, peer: Peer, message: ServerMessage) -> bytes:
        frame: Any = loads(super().encode(peer, message).rstrip(b"\n"))
        return self.line(frame)


@broken(
    "pretty-failures",
    "SOCK-F1",
    "spreads failures over lines",
)
class PrettyFailures(LineServer):
    def line(self, frame: dict[str, Any]) -> bytes:
        if frame.get("result", {}).get("ok") is False:
            return json.dumps(frame, indent=2).encode() + b"\n"
        return encode(frame)


@broken(
    "writes-into-each-other",
    "SOCK-F1",
    "writes a result in two pieces, and between them what another call comes to",
    shown_by="socket-v1/concurrency/fast-overtakes-slow",
)
class WritesIntoEachOther(SocketServer):
    PIECE = 60

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.rests: dict[Peer, bytes] = {}

    def write(self, peer: Peer, data: bytes) -> None:
        rest = self.rests.pop(peer, b"")
        if not rest and peer.calls and b'"tool_result"' in data:
            data, self.rests[peer] = data[: self.PIECE], data[self.PIECE :]
        super().write(peer, data + rest)


@broken(
    "booleans-as-literals",
    "SOCK-F1",
    "writes true, false and null as its language does",
)
class BooleansAsLiterals(LineServer):
    def line(self, frame: dict[str, Any]) -> bytes:
        if frame["type"] != "tool_result":
            return encode(frame)
        text = encode(frame)
        words = {b"true": b"True", b"false": b"False", b"null": b"None"}
        return _WORD.sub(lambda found: words.get(found[0], found[0]), text)


@broken("logs-calls", "SOCK-F1", "writes a line of text before each result")
class LogsCalls(LineServer):
    def line(self, frame: dict[str, Any]) -> bytes:
        text = b"done\n" if frame["type"] == "tool_result" else b""
        return text + encode(frame)


@broken(
    "latin-1",
    "SOCK-F1",
    "writes Latin-1 where that can hold the frame",
)
class Latin1(LineServer):
    def line(self, frame: dict[str, Any]) -> bytes:
        return encode(frame).decode().encode("latin-1", errors="replace")


@broken(
    "greets",
    "SOCK-F1",
    "greets every client with its name",
)
class Greets(SocketServer):
    async def serve_peer(self, connected: Any) -> None:
        # A client may have gone before it is greeted.
        with contextlib.suppress(OSError):
            connected.send(b"tool socket ready\n")
        await super().serve_peer(connected)


class WholeFrames(ServerConnection):
    def receive_data(self, data: bytes) -> None:
        super().receive_data(data if data.endswith(b"\n") else data + b"\n")


@broken(
    "one-read-one-frame",
    "SOCK-F2",
    "takes what one read brings for whole frames",
)
class OneReadOneFrame(SocketServer):
    def make_connection(self) -> ServerConnection:
        return WholeFrames()


class LettersOfBytes(ServerConnection):
    def receive_data(self, data: bytes) -> None:
        super().receive_data(data.decode("latin-1").encode())


@broken(
    "reads-latin-1",
    "SOCK-C11",
    "takes each byte for a letter",
)
class ReadsLatin1(SocketServer):
    def make_connection(self) -> ServerConnection:
        return LettersOfBytes()


class DecodedReads(ServerConnection):
    def receive_data(self, data: bytes) -> None:
        super().receive_data(data.decode(errors="replace").encode())


@broken(
    "decodes-each-read",
    "SOCK-F2",
    "decodes UTF-8 read by read",
)
class DecodesEachRead(SocketServer):
    def make_connection(self) -> ServerConnection:
        return DecodedReads()


@broken(
    "answers-blank-lines",
    "SOCK-F3",
    "answers a blank line with an error",
    level="should",
)
class AnswersBlankLines(SocketServer):
    def make_connection(self) -> ServerConnection:
        return Blank()


class Blank(ServerConnection):
    def make_decoder(self, limit: int) -> NdjsonDecoder:
        return NdjsonDecoder(limit, blank_lines="report")


def is_json_fault(bad: BadMessage) -> bool:
    """Whether a line is no JSON at all."""
    if "too long" in bad.answer.message:
        return False
    try:
        loads(bad.line)
    except ValueError:
        return True
    except Exception:  # noqa: BLE001 - whatever a decoder may raise
        return True
    return False


@broken(
    "closes-at-bad-lines",
    "SOCK-F4",
    "answers a line that is no JSON and closes the connection",
)
class ClosesAtBadLines(SocketServer):
    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        super().handle_bad_message(peer, bad)
        if is_json_fault(bad):
            hang_up(peer)


@broken(
    "silent-at-bad-lines",
    "SOCK-F4",
    "skips a line that is no JSON",
)
class SilentAtBadLines(SocketServer):
    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        if not is_json_fault(bad):
            super().handle_bad_message(peer, bad)


STACK = 50_000
"""Brackets that a reader bears that calls itself for each."""


class CallsItself(ServerConnection):
    """Ends where it would have to call itself too often."""

    def _receive_unusable(self, line: bytes, why: str) -> BadMessage:
        if line.count(b"[") >= STACK:
            os._exit(1)
        return super()._receive_unusable(line, why)


@broken(
    "runs-out-of-stack",
    "SOCK-F4",
    "ends at a line of very many brackets",
    shown_by="socket-v1/framing/a-million-brackets",
)
class RunsOutOfStack(SocketServer):
    def make_connection(self) -> ServerConnection:
        return CallsItself()


class CountsFour(ServerConnection):
    """Reads four digits behind each ``\\u``, whether they are there or not."""

    def _receive_unusable(self, line: bytes, why: str) -> BadMessage:
        if re.search(rb"\\u[0-9a-f]{0,3}\Z", line.rstrip(b"\n")):
            os._exit(1)
        return super()._receive_unusable(line, why)


@broken(
    "dies-inside-an-escape",
    "SOCK-F4",
    "ends at a line that is cut inside an escape",
    shown_by="socket-v1/framing/cut-inside-an-escape",
)
class DiesInsideAnEscape(SocketServer):
    def make_connection(self) -> ServerConnection:
        return CountsFour()


@broken("dies-of-oversize", "SOCK-F5", "ends when a frame is too long")
class DiesOfOversize(SocketServer):
    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        if "too long" in bad.answer.message:
            os._exit(1)
        super().handle_bad_message(peer, bad)


@broken("skips-oversize", "SOCK-F5", "skips a frame that is too long without a word")
class SkipsOversize(SocketServer):
    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        if "too long" not in bad.answer.message:
            super().handle_bad_message(peer, bad)


class KeepsWhatHasNoEnd(ServerConnection):
    """Looks at how long a line is when it has ended."""

    def __init__(self) -> None:
        super().__init__()
        self._kept = bytearray()

    def receive_data(self, data: bytes) -> None:
        self._kept += data
        if b"\n" in data:
            whole, self._kept = bytes(self._kept), bytearray()
            super().receive_data(whole)


@broken("keeps-what-has-no-end", "SOCK-F5", "keeps a line until it ends, however long")
class KeepsEveryLine(SocketServer):
    def make_connection(self) -> ServerConnection:
        return KeepsWhatHasNoEnd()


@broken("no-limit", "SOCK-F5", "takes lines of any length")
class NoLimit(SocketServer):
    def make_connection(self) -> ServerConnection:
        return ServerConnection(1 << 40)


@broken("oversize-hits-all", "SOCK-F5", "closes all connections at an oversize frame")
class OversizeHitsAll(SocketServer):
    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        super().handle_bad_message(peer, bad)
        if "too long" in bad.answer.message:
            for one in list(self.peers):
                hang_up(one)


@broken(
    "limit-of-64-kib", "SOCK-F6", "refuses frames of more than 64 KiB", level="should"
)
class LimitOf64Kib(SocketServer):
    def make_connection(self) -> ServerConnection:
        return ServerConnection(64 * 1024)


@broken(
    "closes-at-bad-utf-8",
    "SOCK-F7",
    "closes the connection at bytes that are no UTF-8",
    level="should",
)
class ClosesAtBadUtf8(SocketServer):
    def handle_bad_message(self, peer: Peer, bad: BadMessage) -> None:
        try:
            bad.line.decode()
        except UnicodeDecodeError:
            hang_up(peer)
        else:
            super().handle_bad_message(peer, bad)


@broken(
    "no-protocol-in-events",
    "SOCK-M4",
    "leaves protocol out of events",
    level="should",
)
class NoProtocolInEvents(RewritingServer):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame["type"] == "tool_event":
            del frame["protocol"]
        return frame


@broken("no-protocol", "SOCK-M4", "sends no protocol at all", level="should")
class NoProtocol(RewritingServer):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        del frame["protocol"]
        return frame


class Tails(ServerConnection):
    """Forgets what has come of a line at every mebibyte of it."""

    def __init__(self) -> None:
        super().__init__()
        self._length = 0

    def receive_data(self, data: bytes) -> None:
        for line in data.splitlines(keepends=True):
            self._length += len(line)
            if self._length > 8 << 20:
                # The line is told to be too long, and what comes of it is a new one.
                super().receive_data(b"\n")
                self._length = len(line)
            super().receive_data(line)
            if line.endswith(b"\n"):
                self._length = 0


@broken(
    "serves-the-tail",
    "SOCK-F5",
    "takes the rest of a line that is too long for a line",
)
class ServesTheTail(SocketServer):
    def make_connection(self) -> ServerConnection:
        return Tails()


class DropsWhatFollows(ServerConnection):
    """Drops what came in one piece with the end of a line that is too long."""

    def __init__(self) -> None:
        super().__init__()
        self._length = 0

    def receive_data(self, data: bytes) -> None:
        end = data.find(b"\n") + 1
        if end and self._length + end > 8 << 20:
            data = data[:end]
        ended = data.rfind(b"\n") + 1
        self._length = len(data) - ended + (0 if ended else self._length)
        super().receive_data(data)


@broken(
    "drops-what-follows-a-long-line",
    "SOCK-F2",
    "drops what it has read behind a line that is too long",
    shown_by="socket-v1/framing/frame-behind-an-oversize-line",
)
class DropsBehindOversize(SocketServer):
    def make_connection(self) -> ServerConnection:
        return DropsWhatFollows()


class CountedBytes(ServerConnection):
    """Counts the bytes of a connection as if they were those of one frame."""

    total = 0

    def receive_data(self, data: bytes) -> None:
        self.total += len(data)
        if self.total > 8 << 20:
            self.total = 0
            data = b"\0" + data
        super().receive_data(data)


@broken(
    "limit-of-a-connection",
    "SOCK-F6",
    "refuses the frame with which a connection has brought 8 MiB",
    shown_by="socket-v1/framing/nine-frames-of-a-mebibyte",
    level="should",
)
class LimitOfAConnection(SocketServer):
    def make_connection(self) -> ServerConnection:
        return CountedBytes()
