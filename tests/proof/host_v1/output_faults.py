"""Hosts whose bytes on stdout are not lines of messages: HV1-T1, T2, T3, T5."""

from __future__ import annotations

import json
import re

import anyio
import anyio.lowlevel
from tests.proof.host_v1.subject import broken

from wireproof_reference.framing import encode, loads
from wireproof_reference.host_v1 import (
    BadRequest,
    Event,
    Failure,
    Host,
    Request,
    Success,
)
from wireproof_reference.host_v1.core._messages import HostMessage

PIECE = 1 << 16
"""Bytes that are written at once."""


_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


@broken("ready-object", "HV1-T1", "announces itself with a JSON object of its own")
class ReadyObject(Host):
    async def serve(self) -> None:
        self.write(b'{"v":1,"type":"ready"}\n')
        await super().serve()


@broken("acknowledges-calls", "HV1-T1", "acknowledges each call with its id")
class AcknowledgesCalls(Host):
    def handle_request(self, request: Request) -> None:
        if request.method == "execute_tool":
            self.write(encode({"v": 1, "id": request.id, "accepted": True}))
        super().handle_request(request)


@broken(
    "writes-into-each-other",
    "HV1-M13",
    "writes a long answer in two pieces, and between them what else is ready",
    shown_by="host-v1/pipelining/large-answers",
)
class WritesIntoEachOther(Host):
    rest = b""
    waiting = 0

    def handle_request(self, request: Request) -> None:
        self.waiting += 1
        super().handle_request(request)

    def respond(self, request: Request, response: Success | Failure) -> None:
        self.waiting -= 1
        super().respond(request, response)

    def write(self, data: bytes) -> None:
        if not self.rest and self.waiting and len(data) > PIECE:
            data, self.rest = data[:PIECE], data[PIECE:]
            super().write(data)
        else:
            super().write(data + self.rest)
            self.rest = b""


@broken("echoes-requests", "HV1-T1", "writes each request back before it answers")
class EchoesRequests(Host):
    def handle_request(self, request: Request) -> None:
        self.write(encode({"v": 1, "id": request.id, "method": request.method}))
        super().handle_request(request)


@broken("answers-in-an-array", "HV1-T1", "puts the answers to one write in one array")
class AnswersInAnArray(Host):
    def handle_data(self, data: bytes) -> None:
        self.batch: list[bytes] | None = []
        super().handle_data(data)
        batch, self.batch = self.batch, None
        if len(batch) > 1:
            self.write(b"[" + b",".join(line.strip() for line in batch) + b"]\n")
        else:
            self.write(b"".join(batch))

    def send(self, message: HostMessage) -> None:
        batch = getattr(self, "batch", None)
        if batch is None:
            super().send(message)
        else:
            batch.append(self.encode(message))


@broken("prints-sizes", "HV1-T1", "prints how many bytes each answer had")
class PrintsSizes(Host):
    def write(self, data: bytes) -> None:
        super().write(data + b"%d\n" % len(data))


@broken(
    "banner",
    "HV1-T2",
    "greets with its name and version",
)
class Banner(Host):
    async def serve(self) -> None:
        self.write(b"toolhost 1.4.2 ready\n")
        await super().serve()


@broken(
    "byte-order-mark",
    "HV1-T2",
    "begins with a byte order mark",
)
class ByteOrderMark(Host):
    async def serve(self) -> None:
        self.write(b"\xef\xbb\xbf")
        await super().serve()


@broken(
    "prompt",
    "HV1-T2",
    "writes a prompt before each answer",
)
class Prompt(Host):
    def send(self, message: HostMessage) -> None:
        self.write(b"> " + self.encode(message))


@broken(
    "prompt-after",
    "HV1-T2",
    "writes a prompt after each answer",
)
class PromptAfter(Host):
    def send(self, message: HostMessage) -> None:
        self.write(self.encode(message) + b"> ")


@broken(
    "logs-requests",
    "HV1-T2",
    "logs each request to stdout",
)
class LogsRequests(Host):
    def handle_request(self, request: Request) -> None:
        self.write(f"INFO handling {request.method!r}\n".encode())
        super().handle_request(request)


@broken(
    "logs-errors",
    "HV1-T2",
    "prints a stack trace for a throw",
)
class LogsErrors(Host):
    def call_failed(self, request: Request, error: BaseException) -> Failure:
        if isinstance(error, RuntimeError):
            self.write(b"Traceback (most recent call last):\nRuntimeError\n")
        return super().call_failed(request, error)


@broken(
    "logs-with-blank-lines",
    "HV1-T2",
    "prints which optional method it is asked for, and a blank line",
)
class LogsWithBlankLines(Host):
    def handle_request(self, request: Request) -> None:
        if request.method not in {"init", "get_tool_schemas", "execute_tool"}:
            self.write(f"asked for {request.method}\n\n".encode())
        super().handle_request(request)


@broken(
    "logs-bad-lines",
    "HV1-T2",
    "prints a parse error as text",
)
class LogsBadLines(Host):
    def handle_bad_request(self, bad: BadRequest) -> None:
        if bad.answer.id is None:
            self.write(b"parse error\n")
        else:
            super().handle_bad_request(bad)


@broken(
    "late-notice",
    "HV1-T2",
    "prints a notice after 100 requests",
)
class LateNotice(Host):
    count = 0

    def handle_request(self, request: Request) -> None:
        self.count += 1
        if self.count == 100:
            self.write(b"DeprecationWarning: init() without a version\n")
        super().handle_request(request)


@broken(
    "dots",
    "HV1-T2",
    "writes a dot for each event",
)
class Dots(Host):
    def emit(self, request: Request, event_type: str, payload: object) -> None:
        self.write(b".")
        super().emit(request, event_type, payload)  # type: ignore[arg-type]


@broken(
    "says-goodbye",
    "HV1-T2",
    "prints a line when it ends",
)
class SaysGoodbye(Host):
    async def serve(self) -> None:
        await super().serve()
        self.write(b"bye\n")
        await self.transport.flush()


@broken("fragment-at-exit", "HV1-T2", "leaves half a message behind when it ends")
class FragmentAtExit(Host):
    async def serve(self) -> None:
        await super().serve()
        self.write(b'{"v":1,"id":"shut')
        await self.transport.flush()


@broken("resets-the-terminal", "HV1-T2", "ends with a control code and no line feed")
class ResetsTheTerminal(Host):
    async def serve(self) -> None:
        await super().serve()
        self.write(b"\x1b[0m")
        await self.transport.flush()


@broken(
    "latin-1",
    "HV1-T3",
    "writes Latin-1 where that can hold the message",
    shown_by="host-v1/request-ids/not-normalised",
)
class Latin1(Host):
    def encode(self, message: HostMessage) -> bytes:
        data = super().encode(message)
        try:
            return data.decode().encode("latin-1")
        except UnicodeEncodeError:
            return data


@broken(
    "ascii-only",
    "HV1-M10",
    "writes a question mark for what is not ASCII, as where the locale is C",
)
class AsciiOnly(Host):
    def encode(self, message: HostMessage) -> bytes:
        return super().encode(message).decode().encode("ascii", errors="replace")


@broken(
    "halves-of-pairs",
    "HV1-M10",
    "writes 64 Ki units of UTF-16 at a time, each encoded by itself",
    shown_by="host-v1/execute-tool/astral-text-beyond-64-kib",
)
class HalvesOfPairs(Host):
    def encode(self, message: HostMessage) -> bytes:
        units = super().encode(message).decode().encode("utf-16-le")
        size = 2 << 16
        parts = (units[at : at + size] for at in range(0, len(units), size))
        return b"".join(part.decode("utf-16-le", "replace").encode() for part in parts)


@broken("cesu-8", "HV1-T3", "writes astral characters as two encoded surrogates")
class Cesu8(Host):
    def encode(self, message: HostMessage) -> bytes:
        text = super().encode(message).decode()
        pairs = _ASTRAL.sub(
            lambda found: (
                found[0].encode("utf-16-be").decode("utf-16-be", "surrogatepass")
            ),
            text,
        )
        wide = "".join(
            character
            if ord(character) < 0x10000
            else "".join(
                chr(int.from_bytes(character.encode("utf-16-be")[at : at + 2]))
                for at in (0, 2)
            )
            for character in pairs
        )
        return wide.encode("utf-8", "surrogatepass")


@broken("raw-surrogates", "HV1-T3", "encodes half of a surrogate pair like a letter")
class RawSurrogates(Host):
    def encode(self, message: HostMessage) -> bytes:
        text = json.dumps(loads(super().encode(message).strip()), ensure_ascii=False)
        return text.encode("utf-8", "surrogatepass") + b"\n"


@broken("pretty-failures", "HV1-T3", "spreads failures over lines")
class PrettyFailures(Host):
    def encode(self, message: HostMessage) -> bytes:
        data = super().encode(message)
        if isinstance(message, Failure):
            return json.dumps(loads(data.strip()), indent=2).encode() + b"\n"
        return data


@broken(
    "raw-line-feeds",
    "HV1-T3",
    "does not escape line feeds",
)
class RawLineFeeds(Host):
    def encode(self, message: HostMessage) -> bytes:
        return re.sub(rb"(?<!\\)((?:\\\\)*)\\n", rb"\1\n", super().encode(message))


@broken("line-feed-in-front", "HV1-T3", "puts the line feed before each message")
class LineFeedInFront(Host):
    first = True

    def encode(self, message: HostMessage) -> bytes:
        data = super().encode(message).rstrip(b"\n")
        front = b"" if self.first else b"\n"
        self.first = False
        return front + data


@broken("no-last-line-feed", "HV1-T3", "holds back the line feed of its last message")
class NoLastLineFeed(Host):
    pending = b""

    async def handle_eof(self) -> None:
        self.ending = True
        await super().handle_eof()
        await anyio.lowlevel.checkpoint()

    def encode(self, message: HostMessage) -> bytes:
        data = super().encode(message)
        ending = getattr(self, "ending", False)
        return data.rstrip(b"\n") if ending else data


@broken("carriage-returns", "HV1-T3", "ends messages with a carriage return alone")
class CarriageReturns(Host):
    def encode(self, message: HostMessage) -> bytes:
        return super().encode(message).replace(b"\n", b"\r")


@broken(
    "blank-lines",
    "HV1-T3",
    "ends each message with two line feeds",
)
class BlankLines(Host):
    def encode(self, message: HostMessage) -> bytes:
        return super().encode(message) + b"\n"


@broken("blank-line-at-the-end", "HV1-T3", "writes a line feed when it ends")
class BlankLineAtTheEnd(Host):
    async def serve(self) -> None:
        await super().serve()
        self.write(b"\n")
        await self.transport.flush()


@broken(
    "glued-events",
    "HV1-T3",
    "puts no line feed after an event",
)
class GluedEvents(Host):
    def encode(self, message: HostMessage) -> bytes:
        data = super().encode(message)
        return data.rstrip(b"\n") if isinstance(message, Event) else data


@broken("unflushed", "HV1-T5", "writes its answers when its input ends")
class Unflushed(Host):
    held = b""

    def write(self, data: bytes) -> None:
        self.held += data

    async def handle_eof(self) -> None:
        await super().handle_eof()
        self._tasks.start_soon(self.release)

    async def release(self) -> None:
        while self.connection.in_flight:  # noqa: ASYNC110 - nothing tells of its end
            await anyio.sleep(0.001)
        super().write(self.held)


@broken("block-buffered", "HV1-T5", "writes in blocks of 8 KiB, the rest at its end")
class BlockBuffered(Unflushed):
    def write(self, data: bytes) -> None:
        self.held += data
        whole = len(self.held) // 8192 * 8192
        Host.write(self, self.held[:whole])
        self.held = self.held[whole:]


@broken("one-behind", "HV1-T5", "writes an answer when the next request comes")
class OneBehind(Unflushed):
    def handle_data(self, data: bytes) -> None:
        Host.write(self, self.held)
        self.held = b""
        super().handle_data(data)


@broken("unflushed-failures", "HV1-T5", "flushes after a success only")
class UnflushedFailures(Unflushed):
    def send(self, message: HostMessage) -> None:
        self.held += self.encode(message)
        if not isinstance(message, Failure):
            Host.write(self, self.held)
            self.held = b""
