"""Tools that misread what they are given: EXEC-O1, O6, O7."""

from __future__ import annotations

import json
import os
import re
import sys
from typing import Any

from tests.proof.exec_oneshot.subject import broken
from tests.proof.exec_oneshot.tool import Failure, Tool


@broken("reads-one-line", "EXEC-O1", "reads the first line only")
class ReadsOneLine(Tool):
    def read(self) -> bytes:
        return sys.stdin.buffer.readline()


@broken("reads-once", "EXEC-O1", "reads once, whatever comes")
class ReadsOnce(Tool):
    def read(self) -> bytes:
        return os.read(0, 1 << 20)


@broken(
    "reads-4-kib",
    "EXEC-O1",
    "reads into a buffer of 4 KiB",
)
class ReadsFourKib(Tool):
    def read(self) -> bytes:
        return sys.stdin.buffer.read(4096)


@broken(
    "wants-a-newline",
    "EXEC-O1",
    "takes lines only that end with a line feed",
)
class WantsNewline(Tool):
    def read(self) -> bytes:
        lines = sys.stdin.buffer.read().split(b"\n")
        return b"\n".join(lines[:-1])


@broken("wants-a-brace-first", "EXEC-O1", "looks at the first byte without white space")
class WantsBraceFirst(Tool):
    def parse(self, data: bytes) -> Any:
        if data[:1] != b"{":
            raise Failure("not an object")
        return super().parse(data)


@broken("decodes-each-piece", "EXEC-O1", "decodes each piece that it reads by itself")
class DecodesPieces(Tool):
    def read(self) -> bytes:
        text = ""
        while piece := os.read(0, 65536):
            text += piece.decode(errors="replace")
        return text.encode()


@broken(
    "looks-for-the-key",
    "EXEC-O1",
    "finds args by its spelling in the text",
)
class LooksForKey(Tool):
    def parse(self, data: bytes) -> Any:
        found = re.search(rb'"args"\s*:', data)
        if found is None:
            raise Failure("no args in the input")
        return super().parse(data)


@broken(
    "empty-is-empty-args", "EXEC-O6", "takes empty input for empty args", level="should"
)
class EmptyIsEmpty(Tool):
    def parse(self, data: bytes) -> Any:
        if not data.strip():
            return {"args": {}}
        return super().parse(data)

    def execute(self, args: dict[str, Any]) -> Any:
        return super().execute(args) if args else {}


@broken("args-may-be-absent", "EXEC-O6", "goes on without args", level="should")
class ArgsMayBeAbsent(Tool):
    def arguments(self, request: Any) -> dict[str, Any]:
        if isinstance(request, dict) and "args" not in request:
            return {}
        return super().arguments(request)

    def execute(self, args: dict[str, Any]) -> Any:
        return super().execute(args) if args else {}


@broken(
    "bad-input-without-words",
    "EXEC-O6",
    "exits with 1 on bad input and says nothing",
    level="should",
)
class BadInputWithoutWords(Tool):
    def parse(self, data: bytes) -> Any:
        try:
            return json.loads(data)
        except ValueError:
            raise SystemExit(1) from None


@broken("any-args", "EXEC-O6", "wraps args that are no object", level="should")
class AnyArgs(Tool):
    def arguments(self, request: Any) -> dict[str, Any]:
        match request:
            case {"args": str() | int() | list() as value}:
                return {"tool": "conformance_return", "arguments": {"value": value}}
            case _:
                return super().arguments(request)


@broken("strict-keys", "EXEC-O7", "refuses keys beside args", level="should")
class StrictKeys(Tool):
    def arguments(self, request: Any) -> dict[str, Any]:
        if isinstance(request, dict) and set(request) - {"args"}:
            raise Failure("unknown keys")
        return super().arguments(request)


@broken(
    "args-in-any-case",
    "EXEC-O7",
    "takes Args and ARGS for args, the last of them",
    level="should",
)
class ArgsInAnyCase(Tool):
    def arguments(self, request: Any) -> dict[str, Any]:
        if isinstance(request, dict):
            for key, value in list(request.items()):
                if key.lower() == "args":
                    request["args"] = value
        return super().arguments(request)


@broken(
    "merges-keys", "EXEC-O7", "takes keys beside args for arguments", level="should"
)
class MergesKeys(Tool):
    def arguments(self, request: Any) -> dict[str, Any]:
        args = dict(super().arguments(request))
        beside = {key: one for key, one in request.items() if key != "args"}
        args["arguments"] = {**args.get("arguments", {}), **beside}
        return args


@broken("wants-args-last", "EXEC-O7", "takes the last key for args", level="should")
class WantsArgsLast(Tool):
    def arguments(self, request: Any) -> dict[str, Any]:
        if isinstance(request, dict) and request:
            request = {"args": list(request.values())[-1]}
        return super().arguments(request)
