"""Servers that read JSON of another spelling wrongly: EXEC-S5, S6."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from tests.proof.exec_server.changes import (
    on_line,
    on_lines,
    on_request,
    parsed_by,
    wants,
)
from tests.proof.exec_server.server import Server
from tests.proof.exec_server.subject import TABLES

fault = TABLES.faults(__name__, Server)

_ORDER = re.compile(rb'"jsonrpc".*"id".*"method"', re.DOTALL)
_ESCAPED_KEY = re.compile(rb'"[a-z]*\\u[0-9a-fA-F]{4}[^"]*"\s*:')
_ESCAPED_METHOD = re.compile(rb'"method"\s*:\s*"[a-z]*\\u')


def _at_unicode_separators(lines: Iterator[bytes]) -> Iterator[bytes]:
    for line in lines:
        text = line.decode(errors="replace").replace("\r", " ")
        yield from (part.encode() for part in text.splitlines() or [""])


def _at_carriage_returns(lines: Iterator[bytes]) -> Iterator[bytes]:
    for line in lines:
        yield from line.removesuffix(b"\n").removesuffix(b"\r").split(b"\r")


def _without_trailing_commas(line: bytes) -> bytes:
    return re.sub(rb",\s*([}\]])", rb"\1", line)


def _without_comments(line: bytes) -> bytes:
    return re.sub(rb"/\*.*?\*/", b"", line)


def _in_double_quotes(line: bytes) -> bytes:
    return line if b'"' in line else line.replace(b"'", b'"')


def _first_value(line: bytes) -> Any:
    return json.JSONDecoder().raw_decode(line.decode().lstrip())[0]


def _with_a_method(request: Any) -> Any:
    if isinstance(request, dict) and "params" in request:
        request.setdefault("method", "execute")
    return request


def _by_position(request: Any) -> Any:
    match request:
        case {"params": [dict() as args]} | {"params": {}, "args": args}:
            return {**request, "params": {"args": args}}
        case _:
            return request


def _text_as_args(request: Any) -> Any:
    match request:
        case {"params": {"args": str(text)}} if text.startswith("{"):
            return {**request, "params": {"args": json.loads(text)}}
        case _:
            return request


fault(
    "wants-a-brace-first",
    "EXEC-S5",
    "looks at the first byte of a line",
    wants(lambda line: line[:1] != b" " and line[:1] != b"\t"),
)
fault(
    "tabs-are-control",
    "EXEC-S5",
    "refuses a line with a tab",
    wants(lambda line: b"\t" not in line),
)
fault(
    "keys-in-one-order",
    "EXEC-S5",
    "wants jsonrpc, id and method in this order",
    wants(lambda line: b'"execute"' not in line or _ORDER.search(line)),
)
fault(
    "keys-as-spelled",
    "EXEC-S5",
    "does not know keys that are spelled with escapes",
    wants(lambda line: not _ESCAPED_KEY.search(line)),
)
fault(
    "method-as-spelled",
    "EXEC-S5",
    "does not know a method that is spelled with escapes",
    wants(lambda line: not _ESCAPED_METHOD.search(line)),
)
fault(
    "splits-at-unicode-separators",
    "EXEC-S5",
    "ends lines at U+2028 and its kin",
    on_lines(_at_unicode_separators),
)
fault(
    "splits-at-carriage-returns",
    "EXEC-S5",
    "ends lines at carriage returns",
    on_lines(_at_carriage_returns),
    level="should",
)
fault("takes-nan", "EXEC-S6", "takes NaN", parsed_by(json.loads), level="should")
fault(
    "takes-trailing-commas",
    "EXEC-S6",
    "takes commas behind the last member",
    on_line(_without_trailing_commas),
    level="should",
)
fault(
    "takes-comments",
    "EXEC-S6",
    "takes comments",
    on_line(_without_comments),
    level="should",
)
fault(
    "takes-single-quotes",
    "EXEC-S6",
    "takes single quotes",
    on_line(_in_double_quotes),
    level="should",
)
fault(
    "takes-the-first-value",
    "EXEC-S6",
    "takes no notice of text behind a request",
    parsed_by(_first_value),
    level="should",
)
fault(
    "runs-without-a-method",
    "EXEC-S6",
    "executes a request without a method",
    on_request(_with_a_method),
    level="should",
)
fault(
    "runs-by-position",
    "EXEC-S6",
    "executes params by position, and args beside params",
    on_request(_by_position),
    level="should",
)
fault(
    "runs-args-as-text",
    "EXEC-S6",
    "reads args that are JSON text",
    on_request(_text_as_args),
    level="should",
)
