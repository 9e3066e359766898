"""Servers whose responses are wrong: EXEC-S2, S3, S4, S17."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any

from tests.proof.exec_server.server import Server
from tests.proof.exec_server.subject import broken

BUFFERED = 1 << 13


@broken(
    "ids-as-text",
    "EXEC-S2",
    "answers with the id as a string",
    shown_by="exec-server/ids/one",
)
class IdsAsText(Server):
    def respond(self, key: Any, answer: dict[str, Any]) -> None:
        super().respond(None if key is None else str(key), answer)


@broken(
    "writes-into-each-other",
    "EXEC-S2",
    "writes half of a response, and the rest when it has written the next",
    shown_by="exec-server/framing/many-in-one-write",
)
class WritesIntoEachOther(Server):
    rest = b""
    more = False

    def lines(self) -> Iterator[bytes]:
        held = b""
        while data := os.read(0, BUFFERED):
            *lines, held = (held + data).split(b"\n")
            for place, line in enumerate(lines, 1):
                self.more = place < len(lines)
                yield line + b"\n"

    def write(self, data: bytes) -> None:
        if self.more and not self.rest:
            # In the middle of a string: the rest begins with what ends it.
            place = data.rindex(b'"')
            data, self.rest = data[:place], data[place:]
        else:
            data, self.rest = data + self.rest, b""
        super().write(data)


@broken(
    "ids-counted",
    "EXEC-S2",
    "numbers its responses itself",
)
class IdsCounted(Server):
    count = 0

    def respond(self, key: Any, answer: dict[str, Any]) -> None:
        self.count += key is not None
        super().respond(None if key is None else self.count, answer)


@broken(
    "ids-trimmed",
    "EXEC-S2",
    "trims ids that are strings",
    shown_by="exec-server/ids/space",
)
class IdsTrimmed(Server):
    def respond(self, key: Any, answer: dict[str, Any]) -> None:
        super().respond(key.strip() if isinstance(key, str) else key, answer)


@broken(
    "version-left-out",
    "EXEC-S2",
    "leaves jsonrpc out of errors",
    shown_by="exec-server/calls/error-without-result",
)
class VersionLeftOut(Server):
    def dump(self, response: dict[str, Any]) -> bytes:
        if "error" in response:
            del response["jsonrpc"]
        return super().dump(response)


@broken(
    "answers-twice",
    "EXEC-S2",
    "answers failures twice",
    shown_by="exec-server/calls/error-without-result",
)
class AnswersTwice(Server):
    def respond(self, key: Any, answer: dict[str, Any]) -> None:
        super().respond(key, answer)
        if key is not None and "error" in answer:
            super().respond(key, answer)


@broken(
    "spread-over-lines",
    "EXEC-S2",
    "writes a response over several lines",
)
class SpreadOverLines(Server):
    def dump(self, response: dict[str, Any]) -> bytes:
        return f"{json.dumps(response, indent=2)}\n".encode()


@broken(
    "empty-error-object",
    "EXEC-S2",
    "has an error beside each result",
)
class ErrorBeside(Server):
    def dump(self, response: dict[str, Any]) -> bytes:
        none = {"code": 0, "message": ""}
        return super().dump({"result": 0, "error": none, **response})


@broken(
    "null-left-out",
    "EXEC-S2",
    "leaves out a result that is null",
    shown_by="exec-server/values/result-null",
)
class NullLeftOut(Server):
    def dump(self, response: dict[str, Any]) -> bytes:
        found = {k: v for k, v in response.items() if v is not None or k == "id"}
        return super().dump(found)


@broken("banner", "EXEC-S3", "says that it is ready")
class Banner(Server):
    def run(self) -> int:
        self.write(b"db-query 1.0 ready\n")
        return super().run()


@broken("ready-notification", "EXEC-S3", "notifies that it is ready")
class ReadyNotification(Server):
    def run(self) -> int:
        self.write(b'{"jsonrpc":"2.0","method":"ready","params":{}}\n')
        return super().run()


@broken("logs-calls", "EXEC-S3", "logs each call to stdout")
class LogsCalls(Server):
    def execute(self, args: dict[str, Any]) -> Any:
        self.write(b"INFO executing\n")
        return super().execute(args)


@broken(
    "print-leaks",
    "EXEC-S3",
    "lets what a tool prints reach stdout",
    shown_by="exec-server/calls/print",
)
class PrintLeaks(Server):
    def do_print(self, arguments: dict[str, Any]) -> Any:
        self.write(f"{arguments['text']}\n".encode())
        return {"printed": True}


@broken("error-as-text", "EXEC-S4", "has a string for an error")
class ErrorAsText(Server):
    def error(self, code: int, message: str) -> dict[str, Any]:
        return {"error": message}


@broken(
    "codes-as-words",
    "EXEC-S4",
    "has words for codes",
)
class CodesAsWords(Server):
    def error(self, code: int, message: str) -> dict[str, Any]:
        return {"error": {"code": "TOOL_FAILED", "message": message}}


@broken("detail-for-message", "EXEC-S4", "has detail for message")
class DetailForMessage(Server):
    def error(self, code: int, message: str) -> dict[str, Any]:
        return {"error": {"code": code, "detail": message}}


@broken(
    "hides-what-failed",
    "EXEC-S4",
    "answers each failure with the same text",
)
class HidesWhatFailed(Server):
    def error(self, code: int, message: str) -> dict[str, Any]:
        return super().error(code, "Internal error")


@broken(
    "one-id-for-two",
    "EXEC-S2",
    'keeps what sleeps under the text of its id, so that 5 and "5" are one',
    shown_by="exec-server/ids/string-and-integer-in-flight",
)
class OneIdForTwo(Server):
    def __init__(self) -> None:
        super().__init__()
        self.sleeping: dict[str, Any] = {}

    def receive_request(self, request: Any) -> None:
        if not (self.is_request(request) and "conformance_sleep" in repr(request)):
            super().receive_request(request)
            return
        self.sleeping[str(request.get("id"))] = request
        threading.Thread(target=self.wake, args=(request,)).start()

    def wake(self, request: Any) -> None:
        answer = self.answer(request)
        found = self.sleeping.pop(str(request.get("id")), None)
        if found is not None and "id" in found:
            self.respond(found["id"], answer)


@broken("never-flushes", "EXEC-S17", "does not flush what it writes")
class NeverFlushes(Server):
    def write(self, data: bytes) -> None:
        sys.stdout.buffer.write(data)


@broken(
    "flushes-when-full",
    "EXEC-S17",
    "flushes before the next response",
)
class FlushesBefore(Server):
    held = b""

    def run(self) -> int:
        status = super().run()
        super().write(self.held)
        return status

    def write(self, data: bytes) -> None:
        if self.held:
            super().write(self.held)
        self.held = data


@broken(
    "errors-not-flushed",
    "EXEC-S17",
    "does not flush errors",
)
class ErrorsNotFlushed(Server):
    def write(self, data: bytes) -> None:
        if b'"error": {' in data:
            sys.stdout.buffer.write(data)
        else:
            super().write(data)


@broken("waits-for-the-end", "EXEC-S17", "reads all of stdin before it answers")
class WaitsForEnd(Server):
    def lines(self) -> Iterator[bytes]:
        yield from sys.stdin.buffer.readlines()
