"""Tools that spelling, odd numbers, half pairs and children break: EXEC-O1 to O8."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.proof.exec_oneshot.changes import (
    as_it_is,
    leaves,
    on_answer,
    on_input,
    parsed_by,
    wants,
    written_by,
)
from tests.proof.exec_oneshot.subject import TABLES
from tests.proof.exec_oneshot.tool import Tool
from tests.proof.row import around

fault = TABLES.faults(__name__, Tool)

_ESCAPED_NAME = re.compile(rb'"[a-z_]*\\u[0-9a-fA-F]{4}[a-z_]*"\s*[:,}]')


def _refuse(word: str) -> Any:
    raise ValueError(word)


def _takes_infinite(data: bytes) -> Any:
    return json.loads(data, parse_constant=_refuse)


def _without_line_separators(data: bytes) -> bytes:
    return "".join(data.decode(errors="replace").splitlines()).encode()


def _panics(self: Any, parse: Any, data: bytes) -> Any:
    if b"e400" in data:
        raise SystemExit(101)
    return parse(data)


fault(
    "joins-its-lines",
    "EXEC-O1",
    "reads lines, and loses U+2028 and its kin where it joins them",
    on_input(_without_line_separators),
    shown_by="exec-oneshot/input/line-separators-in-a-text",
)
fault(
    "no-carriage-returns",
    "EXEC-O1",
    "takes a carriage return between tokens for no JSON",
    wants(lambda data: b"\r" not in data),
    shown_by="exec-oneshot/input/carriage-returns-between",
)
fault(
    "no-tabs",
    "EXEC-O1",
    "takes a tab between tokens for no JSON",
    wants(lambda data: b"\t" not in data),
    shown_by="exec-oneshot/input/tabs-between",
)
fault(
    "names-as-spelled",
    "EXEC-O1",
    "does not know names that are spelled with escapes",
    wants(lambda data: not _ESCAPED_NAME.search(data)),
    shown_by="exec-oneshot/input/escapes-in-names",
)
fault(
    "half-pairs-as-bytes",
    "EXEC-O2",
    "writes half of a surrogate pair as three bytes",
    written_by(as_it_is),
    shown_by="exec-oneshot/output/half-pair-in-an-argument",
)
fault(
    "half-pairs-cut-the-answer",
    "EXEC-O2",
    "stops writing where half of a surrogate pair stands",
    written_by(lambda it: re.split("[\ud800-\udfff]", as_it_is(it))[0]),
    shown_by="exec-oneshot/output/half-pair-in-an-argument",
)
fault(
    "nan-comes-back",
    "EXEC-O2",
    "takes NaN, and writes it",
    parsed_by(json.loads),
    shown_by="exec-oneshot/output/nan-in-an-argument",
)
fault(
    "bad-bytes-come-back",
    "EXEC-O2",
    "gives bytes back that are not UTF-8",
    parsed_by(lambda data: json.loads(data.decode(errors="surrogateescape"))),
    around("dump", lambda _, __, it: as_it_is(it).encode(errors="surrogateescape")),
    shown_by="exec-oneshot/output/bytes-that-are-not-utf-8",
)
fault(
    "leaves-a-child",
    "EXEC-O2",
    "leaves a child behind that holds stdout open",
    leaves(lambda _: True, "sleep", "60"),
    level="should",
)
fault(
    "leaves-a-child-after-failures",
    "EXEC-O2",
    "leaves a child behind that holds stdout open where it failed",
    leaves(lambda answer: "error" in answer, "sleep", "60"),
    level="should",
)
fault(
    "null-error-beside",
    "EXEC-O3",
    "writes a null error beside each result",
    on_answer(lambda it: {"error": None, **it} if "result" in it else it),
    level="should",
)
fault(
    "null-result-beside",
    "EXEC-O3",
    "writes a null result beside each error",
    on_answer(lambda it: {"result": None, **it} if "error" in it else it),
    level="should",
)
fault(
    "takes-nan",
    "EXEC-O6",
    "takes NaN for null",
    parsed_by(lambda data: json.loads(data, parse_constant=lambda _: None)),
    level="should",
)
fault(
    "takes-trailing-commas",
    "EXEC-O6",
    "takes commas behind the last member",
    on_input(lambda data: re.sub(rb",\s*([}\]])", rb"\1", data)),
    level="should",
)
fault(
    "writes-infinity",
    "EXEC-O8",
    "reads 1e400 as infinite, and writes Infinity",
    parsed_by(_takes_infinite),
    shown_by="exec-oneshot/values/beyond-a-double",
)
fault(
    "writes-inf",
    "EXEC-O8",
    "writes inf for a number that is infinite, as printf does",
    parsed_by(_takes_infinite),
    written_by(lambda it: json.dumps(it).replace("Infinity", "inf")),
    shown_by="exec-oneshot/values/beyond-a-double",
)
fault(
    "panics-at-infinite",
    "EXEC-O8",
    "ends without a word at a number that a double cannot hold",
    around("parse", _panics),
    shown_by="exec-oneshot/values/beyond-a-double",
)
