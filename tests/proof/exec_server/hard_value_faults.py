"""Servers that numbers and text beyond the ordinary break: EXEC-S2, S7, S8, S15."""

from __future__ import annotations

import json
import os
import re
import threading
from typing import Any

from tests.proof.exec_server.changes import (
    as_it_is,
    ends_at,
    on_response,
    parsed_by,
    written_by,
)
from tests.proof.exec_server.server import Server
from tests.proof.exec_server.subject import TABLES
from tests.proof.row import around

fault = TABLES.faults(__name__, Server)

_HALF_PAIR = re.compile(rb"\\u[dD][89a-fA-F]")
_PAGE = 4096
_LARGE = 1 << 16


def _refuse(word: str) -> Any:
    raise ValueError(word)


def _takes_infinite(line: bytes) -> Any:
    return json.loads(line, parse_constant=_refuse)


def _in_threads(server: Any, write: Any, data: bytes) -> None:
    if len(data) < _LARGE:
        write(data)
        return

    def in_pages() -> None:
        for at in range(0, len(data), _PAGE):
            os.write(1, data[at : at + _PAGE])

    threading.Thread(target=in_pages).start()


def _with_the_last_id(server: Any, _: Any, request: dict[str, Any]) -> None:
    server.respond(server.last_id, server.answer(request))


def _remembers(server: Any, respond: Any, key: Any, answer: dict[str, Any]) -> None:
    server.last_id = key
    respond(key, answer)


fault(
    "null-error-beside",
    "EXEC-S2",
    "writes a null error beside each result",
    on_response(lambda it: {"error": None, **it} if "result" in it else it),
    level="should",
)
fault(
    "null-result-beside",
    "EXEC-S2",
    "writes a null result beside each error",
    on_response(lambda it: {"result": None, **it} if "error" in it else it),
    level="should",
)
fault(
    "large-results-torn",
    "EXEC-S2",
    "writes large results in pages, each from a thread of its own",
    around("write", _in_threads),
    shown_by="exec-server/calls/large-results-in-flight",
)
fault(
    "half-pair-ends-it",
    "EXEC-S7",
    "ends at half of a surrogate pair",
    ends_at(_HALF_PAIR.search),
    shown_by="exec-server/bad-lines/half-pair-beside",
)
fault(
    "infinite-ends-it",
    "EXEC-S7",
    "ends at a number that a double cannot hold",
    ends_at(lambda line: b"e400" in line),
    shown_by="exec-server/bad-lines/beyond-a-double-beside",
)
fault(
    "deep-call-ends-it",
    "EXEC-S7",
    "ends at a call that nests deep",
    ends_at(lambda line: b'"execute"' in line and line.count(b"[") > _PAGE),
    shown_by="exec-server/bad-lines/request-of-deep-arrays",
)
fault(
    "answers-notifications-with-an-id",
    "EXEC-S8",
    "answers a notification with the id 0",
    around("notified", lambda it, _, request: it.respond(0, it.answer(request))),
    level="should",
)
fault(
    "answers-notifications-with-the-last-id",
    "EXEC-S8",
    "answers a notification with the id of the request before it",
    around("notified", _with_the_last_id),
    around("respond", _remembers),
    level="should",
)
fault(
    "writes-infinity",
    "EXEC-S15",
    "reads 1e400 as infinite, and writes Infinity",
    parsed_by(_takes_infinite),
    shown_by="exec-server/values/beyond-a-double",
)
fault(
    "nan-comes-back",
    "EXEC-S15",
    "takes NaN, and writes it",
    parsed_by(json.loads),
    shown_by="exec-server/values/nan-in-an-argument",
)
fault(
    "writes-inf",
    "EXEC-S15",
    "writes inf for a number that is infinite, as printf does",
    parsed_by(_takes_infinite),
    written_by(lambda it: json.dumps(it).replace("Infinity", "inf")),
    shown_by="exec-server/values/beyond-a-double",
)
fault(
    "half-pairs-as-bytes",
    "EXEC-S15",
    "writes half of a surrogate pair as three bytes",
    written_by(as_it_is),
    shown_by="exec-server/values/half-pair-in-an-argument",
)
fault(
    "half-pairs-cut-the-line",
    "EXEC-S15",
    "stops writing where half of a surrogate pair stands",
    written_by(lambda it: re.split("[\ud800-\udfff]", as_it_is(it))[0]),
    shown_by="exec-server/values/half-pair-in-an-argument",
)
