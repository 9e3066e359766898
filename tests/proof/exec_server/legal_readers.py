"""Servers that read and write hard values otherwise, as the clauses let them."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

from tests.proof.exec_oneshot.value_faults import changed
from tests.proof.exec_server.changes import (
    on_line,
    on_lines,
    on_request,
    parsed_by,
    written_by,
)
from tests.proof.exec_server.server import Server
from tests.proof.exec_server.subject import TABLES
from tests.proof.exec_toolset import half_pairs_as, refuse

variant = TABLES.variants(__name__, Server)

LIMIT = 1 << 18
DEEPEST = 64


def _no_half_pairs(value: Any) -> Any:
    if half_pairs_as("?", value) != value:
        raise ValueError("half of a surrogate pair")
    return value


def _exact(line: bytes) -> Any:
    value = json.loads(line.decode(), parse_float=Decimal, parse_constant=refuse)
    if isinstance(value, dict) and isinstance(value.get("id"), Decimal):
        value["id"] = float(value["id"])
    return value


def _spelled(response: dict[str, Any]) -> str:
    """Write numbers with the digits that they came with."""
    digits: list[str] = []

    def mark(one: Any) -> Any:
        if isinstance(one, Decimal):
            digits.append(str(one))
            return f"\0{len(digits) - 1}"
        return one

    text = json.dumps(changed(response, mark))
    return re.sub(r'"\\u0000(\d+)"', lambda found: digits[int(found[1])], text)


def _null_for_infinite(line: bytes) -> Any:
    def number(text: str) -> float | None:
        found = float(text)
        return found if abs(found) < float("inf") else None

    return json.loads(line.decode(), parse_float=number, parse_constant=refuse)


def _bounded(lines: Iterator[bytes]) -> Iterator[bytes]:
    while line := sys.stdin.buffer.readline(LIMIT):
        if len(line) < LIMIT or line.endswith(b"\n"):
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = sys.stdin.buffer.readline(LIMIT)
        yield b"?\n"


def _not_deep(line: bytes) -> bytes:
    if max(line.count(b"["), line.count(b"{")) > DEEPEST and _depth(line) > DEEPEST:
        raise ValueError("it nests too deep")
    return line


def _depth(line: bytes) -> int:
    deepest = depth = 0
    for byte in re.sub(rb'"(?:[^"\\]|\\.)*"', b"", line):
        depth += (byte in b"[{") - (byte in b"]}")
        deepest = max(deepest, depth)
    return deepest


def _half_pairs(mark: str) -> Callable[[Any], Any]:
    return lambda value: half_pairs_as(mark, value)


variant(
    "replaces-half-pairs",
    "reads half of a surrogate pair as U+FFFD",
    on_request(_half_pairs("\ufffd")),
)
variant(
    "refuses-half-pairs",
    "takes half of a surrogate pair for no JSON",
    on_request(_no_half_pairs),
)
variant(
    "keeps-digits",
    "gives fractions back with the digits that they came with",
    parsed_by(_exact),
    written_by(_spelled),
)
variant(
    "null-for-infinite",
    "reads a number that a double cannot hold as null",
    parsed_by(_null_for_infinite),
)
variant(
    "replaces-bad-bytes",
    "reads bytes that are not UTF-8 as U+FFFD",
    on_line(lambda line: line.decode(errors="replace").encode()),
)
variant(
    "refuses-deep-lines",
    "takes a line that nests more than 64 deep for no JSON",
    on_line(_not_deep),
)
variant(
    "bounded-lines",
    "reads 256 KiB of a line, and answers a longer one with one error",
    on_lines(_bounded),
    warns={"EXEC-S16": "a mebibyte should be handled"},
)
