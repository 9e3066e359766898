"""Servers that read some spellings of JSON only, or answer in none: F1 to F3, C11."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.proof.row import around
from tests.proof.socket_v1.changes import (
    on_bytes,
    on_bytes_sent,
    refused_if,
    silent_if,
)
from tests.proof.socket_v1.subject import TABLES

from wireproof_reference.socket_v1 import SocketServer

fault = TABLES.faults(__name__, SocketServer)

TYPE = rb'"type":"(list_tools|tool_call|cancel_tool_call)"'
HALF = re.compile(rb"\\u[dD][89a-fA-F]")
HUGE = re.compile(rb"[0-9][eE]\+?[0-9]{3}")
CANCEL = "cancel_tool_call"


def of_type(kind: str, value: Any) -> bool:
    """Return whether a value is a message of this type."""
    return isinstance(value, dict) and value.get("type") == kind


def type_comes_late(value: Any, line: bytes) -> bool:
    """Return whether another key than the type comes first."""
    return isinstance(value, dict) and "type" in value and next(iter(value)) != "type"


def outside_texts(line: bytes) -> bytes:
    """Return a line without its strings."""
    return re.sub(rb'"(?:[^"\\]|\\.)*"', b"", line)


fault(
    "type-by-search",
    "SOCK-F2",
    "searches the text for the type, as a compact writer spells it",
    refused_if(
        lambda value, line: isinstance(value, dict) and not re.search(TYPE, line)
    ),
)
fault(
    "begins-with-a-brace",
    "SOCK-F2",
    "takes a line for JSON only if it begins with a brace",
    refused_if(lambda value, line: line[:1] in b" \t"),
)
fault(
    "ends-with-a-brace",
    "SOCK-F2",
    "takes a line for JSON only if it ends with a brace",
    refused_if(lambda value, line: line.rstrip(b"\r")[-1:] in b" \t"),
)
fault(
    "tabs-are-no-space",
    "SOCK-F2",
    "refuses a tab between tokens",
    refused_if(lambda value, line: b"\t" in outside_texts(line)),
)
fault(
    "type-comes-first",
    "SOCK-F2",
    "wants the type to be the first key",
    refused_if(type_comes_late),
)
fault(
    "keys-unescaped",
    "SOCK-F2",
    "compares keys as they are spelt",
    refused_if(lambda value, line: bool(re.search(rb'\\u[0-9a-f]{4}"\s*:', line))),
)
fault(
    "cancel-by-search",
    "SOCK-F2",
    "searches the text of a cancel for its type, as a compact writer spells it",
    silent_if(lambda value, line: of_type(CANCEL, value) and b'":"' not in line),
)
fault(
    "listing-by-search",
    "SOCK-F2",
    "knows a listing by its bytes",
    refused_if(
        lambda value, line: of_type("list_tools", value) and b'"list_tools"' not in line
    ),
)


def cut_at_separators(data: bytes) -> bytes:
    """Return bytes with a line feed at each character at which a text may be split."""
    return re.sub(b"\xe2\x80[\xa8\xa9]|\xc2\x85", b"\n", data)


fault(
    "unicode-lines",
    "SOCK-F2",
    "splits lines at U+2028, U+2029 and U+0085 too",
    on_bytes(cut_at_separators),
    shown_by="socket-v1/framing/separators-in-a-key",
)
fault(
    "universal-newlines",
    "SOCK-F3",
    "takes a carriage return for the end of a line",
    on_bytes(lambda data: data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")),
    level="should",
)
fault(
    "cr-is-no-space",
    "SOCK-F3",
    "refuses a carriage return that no line feed follows",
    refused_if(lambda value, line: b"\r" in line[:-1]),
    level="should",
)


# --- numbers and texts that not every reader holds


def pythonic(data: bytes) -> bytes:
    """Return a frame whose marked numbers are written as Python writes them."""
    return re.sub(rb'"number:(-?)(NaN|Infinity)"', rb"\1\2", data)


def marked(data: bytes) -> bytes:
    """Return bytes whose NaN and Infinity a reader of JSON passes on as marks."""
    data = re.sub(rb":(-?)(NaN|Infinity)([,}\]])", rb':"number:\1\2"\3', data)
    return re.sub(rb":(-?)1e400([,}\]])", rb':"number:\1Infinity"\2', data)


fault(
    "nan-in-a-result",
    "SOCK-F1",
    "reads NaN and Infinity, and writes them into results",
    on_bytes(marked),
    on_bytes_sent(pythonic),
    shown_by="socket-v1/framing/nan-to-a-tool",
)
fault(
    "infinity-for-1e400",
    "SOCK-C11",
    "reads 1e400 as Infinity, and writes that into a result",
    on_bytes(
        lambda data: re.sub(rb":(-?)1e400([,}\]])", rb':"number:\1Infinity"\2', data)
    ),
    on_bytes_sent(pythonic),
)
fault(
    "silent-at-1e400",
    "SOCK-C11",
    "says nothing to a number beyond a double",
    around(
        "handle_bad_message",
        lambda _, original, peer, bad: (
            None if HUGE.search(bad.line) else original(peer, bad)
        ),
    ),
)
fault(
    "silent-at-half-pairs",
    "SOCK-C11",
    "says nothing to half of a surrogate pair",
    silent_if(lambda value, line: bool(HALF.search(line))),
)
fault(
    "silent-at-half-pairs-in-errors",
    "SOCK-C11",
    "loses a failure whose message has half of a surrogate pair",
    silent_if(
        lambda value, line: (
            of_type("tool_call", value)
            and value.get("toolName") in {"conformance_fail", "conformance_throw"}
            and bool(HALF.search(line))
        )
    ),
)


def as_they_are(data: bytes) -> bytes:
    """Return a frame with halves of pairs as bytes, which is no UTF-8."""
    if not HALF.search(data):
        return data
    text = json.dumps(json.loads(data), ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass") + b"\n"


fault(
    "half-pairs-as-bytes",
    "SOCK-C11",
    "writes half of a surrogate pair as three bytes, which is no UTF-8",
    on_bytes_sent(as_they_are),
)


# --- lines that a check only records something of


def is_call(value: Any, **fields: Any) -> bool:
    """Return whether a value is a call with these fields."""
    return of_type("tool_call", value) and fields.items() <= value.items()


def has_twins(line: bytes) -> bool:
    """Return whether an object of a line has a key twice."""
    found: list[bool] = []

    def look(pairs: list[tuple[str, Any]]) -> None:
        found.append(len({key for key, _ in pairs}) < len(pairs))

    json.loads(line, object_pairs_hook=look)
    return any(found)


fault(
    "silent-at-duplicate-keys",
    "SOCK-C1",
    "says nothing to an object that has a key twice",
    silent_if(lambda value, line: isinstance(value, dict) and has_twins(line)),
    shown_by="socket-v1/calls/duplicate-keys-answered",
)
fault(
    "silent-at-null-arguments",
    "SOCK-C1",
    "says nothing to a call whose arguments are null",
    silent_if(lambda value, line: is_call(value, arguments=None)),
    shown_by="socket-v1/calls/null-arguments-answered",
)
fault(
    "silent-at-unknown-callers",
    "SOCK-C1",
    "says nothing to a call of an unknown caller",
    silent_if(lambda value, line: is_call(value, clientInfo={"caller": "root"})),
    shown_by="socket-v1/calls/unknown-caller-answered",
)
