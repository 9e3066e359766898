"""Servers that misread what is sent: EXEC-S5, S6, S7, S8."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from typing import Any

from tests.proof.exec_server.server import Refusal, Server
from tests.proof.exec_server.subject import broken

PIECE = 1 << 16


@broken(
    "a-read-is-a-line",
    "EXEC-S5",
    "takes what one read gives for a line",
)
class ReadIsLine(Server):
    def lines(self) -> Iterator[bytes]:
        while data := os.read(0, PIECE):
            yield data


@broken(
    "first-of-a-read",
    "EXEC-S5",
    "answers the first line of each read only",
)
class FirstOfRead(Server):
    def lines(self) -> Iterator[bytes]:
        held = b""
        while data := os.read(0, PIECE):
            held += data
            line, ended, _ = held.partition(b"\n")
            if ended:
                yield line
                held = b""


@broken(
    "busy-with-the-first",
    "EXEC-S5",
    "refuses what it read with another request",
)
class BusyWithTheFirst(Server):
    is_busy = False

    def lines(self) -> Iterator[bytes]:
        held = b""
        while data := os.read(0, PIECE):
            *lines, held = (held + data).split(b"\n")
            for number, line in enumerate(lines):
                self.is_busy = number > 0
                yield line

    def called(self, request: dict[str, Any]) -> Any:
        if self.is_busy:
            raise Refusal(-32000, "busy")
        return super().called(request)


@broken(
    "dies-inside-an-escape",
    "EXEC-S7",
    "reads four digits behind a u that a line cut short does not have",
    shown_by="exec-server/bad-lines/cut-inside-an-escape",
)
class DiesInsideAnEscape(Server):
    def lines(self) -> Iterator[bytes]:
        for line in super().lines():
            if re.search(rb"\\u[0-9a-f]{0,3}\Z", line.rstrip(b"\n")):
                os._exit(1)
            yield line


@broken(
    "decodes-each-read",
    "EXEC-S5",
    "decodes each read by itself",
    shown_by="exec-server/framing/inside-a-character",
)
class DecodesEachRead(Server):
    def lines(self) -> Iterator[bytes]:
        held = ""
        while data := os.read(0, PIECE):
            held += data.decode(errors="replace")
            *whole, held = held.split("\n")
            yield from (line.encode() for line in whole)


@broken(
    "splits-at-line-separators",
    "EXEC-S5",
    "refuses a line that ends with a carriage return and a line feed",
    level="should",
    shown_by="exec-server/framing/crlf",
)
class RefusesCrlf(Server):
    def parse(self, line: bytes) -> Any:
        if line.endswith(b"\r\n"):
            raise ValueError("carriage return")
        return super().parse(line)


@broken("one-code", "EXEC-S6", "has one code for all errors", level="should")
class OneCode(Server):
    def error(self, code: int, message: str) -> dict[str, Any]:
        return super().error(-32000, message)


@broken("any-method", "EXEC-S6", "takes any method for execute", level="should")
class AnyMethod(Server):
    def called(self, request: dict[str, Any]) -> Any:
        return super().called({**request, "method": "execute"})


@broken(
    "silent-about-bad-lines",
    "EXEC-S6",
    "says nothing to a line that is not JSON",
    level="should",
)
class SilentAboutBadLines(Server):
    def parse(self, line: bytes) -> Any:
        try:
            return super().parse(line)
        except (ValueError, RecursionError):
            return {"jsonrpc": "2.0", "method": "nothing"}


@broken(
    "bad-json-ends-it",
    "EXEC-S7",
    "ends at a line that is not JSON",
)
class BadJsonEnds(Server):
    def receive(self, line: bytes) -> None:
        if line.strip():
            self.receive_request(json.loads(line))


@broken(
    "array-ends-it",
    "EXEC-S7",
    "ends at a batch",
)
class ArrayEnds(Server):
    def receive_batch(self, requests: list[Any]) -> None:
        raise AttributeError("'list' object has no attribute 'get'")


@broken(
    "deep-ends-it",
    "EXEC-S7",
    "ends at a line that nests deep",
    shown_by="exec-server/bad-lines/deeper",
)
class DeepEnds(Server):
    def receive(self, line: bytes) -> None:
        if line.count(b"[") + line.count(b"{") > 1_000:
            raise RecursionError
        super().receive(line)


@broken(
    "blank-line-ends-it",
    "EXEC-S7",
    "takes a blank line for the end",
    shown_by="exec-server/bad-lines/blank-line",
)
class BlankLineEnds(Server):
    def lines(self) -> Iterator[bytes]:
        for line in super().lines():
            if not line.strip():
                return
            yield line


@broken("notification-ends-it", "EXEC-S7", "ends at a request without an id")
class NotificationEnds(Server):
    def notified(self, request: dict[str, Any]) -> None:
        raise KeyError("id")


@broken(
    "answers-notifications",
    "EXEC-S8",
    "answers a notification with the id null",
    level="should",
)
class AnswersNotifications(Server):
    def notified(self, request: dict[str, Any]) -> None:
        self.respond(None, self.answer(request))


@broken(
    "refuses-notifications",
    "EXEC-S8",
    "refuses a notification with the id null",
    level="should",
)
class RefusesNotifications(Server):
    def notified(self, request: dict[str, Any]) -> None:
        self.respond(None, self.error(-32600, "id is missing"))


@broken(
    "small-ids-only",
    "EXEC-S12",
    "gives ids that are no positive integers back as 1",
    level="should",
)
class SmallIdsOnly(Server):
    def respond(self, key: Any, answer: dict[str, Any]) -> None:
        odd = isinstance(key, int | float) and (key <= 0 or key != int(key))
        super().respond(1 if odd or key == "" else key, answer)


@broken("ids-in-a-double", "EXEC-S12", "holds ids in a double", level="should")
class IdsInDouble(Server):
    def respond(self, key: Any, answer: dict[str, Any]) -> None:
        whole = isinstance(key, int) and not isinstance(key, bool)
        super().respond(int(float(key)) if whole else key, answer)


@broken(
    "long-lines-refused",
    "EXEC-S16",
    "refuses lines of more than 256 KiB",
    level="should",
)
class LongLinesRefused(Server):
    def called(self, request: dict[str, Any]) -> Any:
        if len(json.dumps(request)) > 1 << 18:
            raise Refusal(-32000, "the request is too long")
        return super().called(request)


@broken(
    "long-results-refused",
    "EXEC-S16",
    "refuses results of more than 512 KiB",
    level="should",
)
class LongResultsRefused(Server):
    def called(self, request: dict[str, Any]) -> Any:
        result = super().called(request)
        if len(json.dumps(result)) > 1 << 19:
            raise Refusal(-32000, "the result is too long")
        return result
