"""Servers that choose otherwise where the clauses leave a choice."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Iterator
from typing import Any

from tests.proof.brief import longer_than_brief
from tests.proof.exec_server.server import Server
from tests.proof.exec_server.subject import legal


@legal("plain", "does as the clauses say")
class Plain(Server):
    pass


@legal("compact", "writes no spaces, keys sorted, characters as they are")
class Compact(Server):
    def dump(self, response: dict[str, Any]) -> bytes:
        text = json.dumps(
            response, separators=(",", ":"), sort_keys=True, ensure_ascii=False
        )
        return f"{text}\n".encode(errors="replace")


@legal("json-stream", "takes JSON from the stream, as the decoder of Go does")
class JsonStream(Server):
    def lines(self) -> Iterator[bytes]:
        begun, was_taken = b"", False
        while data := os.read(0, 65_536):
            if was_taken:
                data, was_taken = data.removeprefix(b"\n"), False
            *lines, begun = (begun + data).split(b"\n")
            for line in lines:
                yield line + b"\n"
            if begun.endswith(b"}"):
                try:
                    json.loads(begun)
                except ValueError:
                    continue
                yield begun + b"\n"
                begun, was_taken = b"", True
        if begun:
            yield begun


@legal("crlf", "ends its lines with a carriage return and a line feed")
class Crlf(Server):
    def dump(self, response: dict[str, Any]) -> bytes:
        return super().dump(response)[:-1] + b" \r\n"


@legal(
    "null-beside",
    "writes a null for what there is not, and keys of its own",
    warns={"EXEC-S2": "a null companion should be absent"},
)
class NullBeside(Server):
    def dump(self, response: dict[str, Any]) -> bytes:
        return super().dump({"result": None, "error": None, "took": 1.5, **response})


@legal("data", "has data beside the message of an error")
class Data(Server):
    def error(self, code: int, message: str) -> dict[str, Any]:
        error = {"code": float(code), "message": message, "data": {"trace": []}}
        return {"error": error}


@legal("batches", "answers a batch with an array")
class Batches(Server):
    def receive_batch(self, requests: list[Any]) -> None:
        found: list[Any] = []
        for one in requests:
            if not self.is_request(one):
                refused = self.error(-32600, "the request is invalid")
                found.append({"jsonrpc": "2.0", "id": None, **refused})
            elif "id" in one:
                found.append({"jsonrpc": "2.0", "id": one["id"], **self.answer(one)})
        if found:
            self.write(f"{json.dumps(found)}\n".encode())


@legal("each-of-a-batch", "answers each of a batch by itself")
class EachOfBatch(Server):
    def receive_batch(self, requests: list[Any]) -> None:
        for one in requests:
            self.receive_request(one)


@legal("answers-blank-lines", "takes a blank line for one that is not JSON")
class AnswersBlankLines(Server):
    def receive(self, line: bytes) -> None:
        super().receive(line if line.strip() else b"?\n")


@legal("exponents", "writes large whole numbers with a fraction and an exponent")
class Exponents(Server):
    def dump(self, response: dict[str, Any]) -> bytes:
        text = super().dump(response)
        return re.sub(rb"(?<=[:\[ ])(-?\d{19,})(?=[,}\]])", rb"\1.00E+00", text)


@legal(
    "limits-lines",
    "refuses a line of more than 256 KiB without its id",
    warns={"EXEC-S16": "a mebibyte should be handled"},
)
class LimitsLines(Server):
    def parse(self, line: bytes) -> Any:
        if len(line) > 1 << 18:
            raise ValueError("the line is too long")
        return super().parse(line)


@legal("chatty", "writes much to stderr")
class Chatty(Server):
    def execute(self, args: dict[str, Any]) -> Any:
        sys.stderr.write("DEBUG: all is well\n" * 500)
        return super().execute(args)


@legal("starts-slowly", "takes a moment to start, and to answer")
class StartsSlowly(Server):
    def run(self) -> int:
        time.sleep(0.3)
        return super().run()


@legal("one-in-ten-is-slow", "takes longer than a brief wait for every tenth line")
class OneInTenIsSlow(Server):
    count = 0

    def receive(self, line: bytes) -> None:
        self.count += 1
        if self.count % 10 == 0:
            time.sleep(longer_than_brief())
        super().receive(line)


@legal("writes-in-pieces", "writes a response in pieces")
class WritesInPieces(Server):
    def write(self, data: bytes) -> None:
        middle = len(data) // 2
        for piece in (data[:1], data[1:middle], data[middle:]):
            super().write(piece)
