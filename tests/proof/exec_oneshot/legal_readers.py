"""Tools that read and write hard values otherwise, as the clauses let them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from decimal import Decimal
from typing import Any

from tests.proof.exec_oneshot.changes import (
    leaves,
    on_input,
    on_request,
    parsed_by,
    written_by,
)
from tests.proof.exec_oneshot.subject import TABLES
from tests.proof.exec_oneshot.tool import Failure, Tool
from tests.proof.exec_oneshot.value_faults import changed
from tests.proof.exec_toolset import half_pairs_as, refuse
from tests.proof.row import around

variant = TABLES.variants(__name__, Tool)


def _no_half_pairs(value: Any) -> Any:
    if half_pairs_as("?", value) != value:
        raise Failure("half of a surrogate pair")
    return value


def _exact(data: bytes) -> Any:
    return json.loads(data.decode(), parse_float=Decimal, parse_constant=refuse)


def _spelled(answer: dict[str, Any]) -> str:
    """Write numbers with the digits that they came with."""
    digits: list[str] = []

    def mark(one: Any) -> Any:
        if isinstance(one, Decimal):
            digits.append(str(one))
            return f"\0{len(digits) - 1}"
        return one

    text = json.dumps(changed(answer, mark))
    return re.sub(r'"\\u0000(\d+)"', lambda found: digits[int(found[1])], text)


def _null_for_infinite(data: bytes) -> Any:
    def number(text: str) -> float | None:
        found = float(text)
        return found if abs(found) < float("inf") else None

    return json.loads(data.decode(), parse_float=number, parse_constant=refuse)


def _exits_at_half_pairs(self: Any, dump: Any, answer: dict[str, Any]) -> bytes:
    try:
        return json.dumps(answer, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(1) from error


variant(
    "replaces-half-pairs",
    "reads half of a surrogate pair as U+FFFD",
    on_request(lambda value: half_pairs_as("\ufffd", value)),
)
variant(
    "refuses-half-pairs",
    "refuses half of a surrogate pair",
    on_request(_no_half_pairs),
)
variant(
    "exits-at-half-pairs",
    "exits with words on stderr where it cannot write half of a surrogate pair",
    around("dump", _exits_at_half_pairs),
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
    on_input(lambda data: data.decode(errors="replace").encode()),
)
variant(
    "child-without-stdout",
    "leaves a child behind that has no stdout of the tool's",
    leaves(
        lambda _: True,
        "sleep",
        "5",
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ),
)
variant(
    "child-that-ends-soon",
    "leaves a child behind that holds stdout open for a moment",
    leaves(lambda _: True, "sleep", "0.05"),
)
