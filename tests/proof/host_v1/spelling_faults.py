"""Hosts that search the text of a request in place of reading its JSON: HV1-T4, T6."""

from __future__ import annotations

import re

from tests.proof.host_v1.changes import Handle, drop_lines, on_line, read_line
from tests.proof.host_v1.input_faults import LineHost
from tests.proof.host_v1.subject import TABLES
from tests.proof.row import Change

from wireproof_reference.framing import JsonError, dumps, loads

fault = TABLES.faults(__name__, LineHost)

_KEYS_IN_ORDER = re.compile(rb'\s*\{\s*"v".*"id".*"method".*"params"', re.DOTALL)


def lacks(pattern: bytes) -> Change:
    """Return the change that drops lines in which a pattern is not found."""
    found = re.compile(pattern, re.DOTALL)
    return drop_lines(lambda line: bool(line.strip()) and not found.search(line))


def unescaped(line: bytes) -> bytes:
    """Return a line in which no escape of a letter is read as the letter."""
    return re.sub(rb"\\u00([2-7][0-9a-fA-F])", rb"\\\\u00\1", line)


def split_at(*breaks: str) -> Change:
    """Return the change that ends a line at these characters too."""

    def handle_pieces(_: LineHost, handle: Handle, line: bytes) -> None:
        text = line.decode(errors="surrogateescape")
        for one in re.split("|".join(breaks), text):
            handle(one.encode(errors="surrogateescape"))

    return on_line(handle_pieces)


fault(
    "searches-for-the-id",
    "HV1-T4",
    "finds the id of a request by its text, as most libraries write it",
    lacks(rb'"id":"'),
    shown_by="host-v1/spelling/spaces",
)
fault(
    "searches-for-the-method",
    "HV1-T4",
    "finds the method of a request by its text, with one space or none",
    lacks(rb'"method": ?"'),
    shown_by="host-v1/spelling/tabs",
)
fault(
    "expects-a-brace-first",
    "HV1-T4",
    "takes for a request what begins with a brace",
    lacks(rb"^\{"),
    shown_by="host-v1/spelling/space-in-front",
)
fault(
    "expects-a-brace-last",
    "HV1-T4",
    "takes for a request what ends with a brace, or with one and CR",
    lacks(rb"\}\r?$"),
    shown_by="host-v1/spelling/space-behind",
)
fault(
    "expects-v-first",
    "HV1-T4",
    "takes for a request what begins with its version",
    lacks(rb'^\s*\{\s*"v"'),
    shown_by="host-v1/spelling/method-first",
)
fault(
    "expects-keys-in-order",
    "HV1-T4",
    "reads the keys of a request in the order of the document alone",
    drop_lines(lambda line: b'"params"' in line and not _KEYS_IN_ORDER.match(line)),
    shown_by="host-v1/spelling/keys-reversed",
)
fault(
    "keys-as-they-are-written",
    "HV1-T4",
    "compares keys as they are written, escapes and all",
    read_line(lambda line: re.sub(rb'"[^"]*\\u00[^"]*"(?=\s*:)', b'"?"', line)),
    shown_by="host-v1/spelling/keys-escaped",
)
fault(
    "methods-as-they-are-written",
    "HV1-T4",
    "compares methods as they are written, escapes and all",
    read_line(
        lambda line: re.sub(rb'(?<="method":)"[^"]*"', lambda m: unescaped(m[0]), line)
    ),
    shown_by="host-v1/spelling/method-escaped",
)
fault(
    "tool-names-as-they-are-written",
    "HV1-T4",
    "looks a tool up by its name as it is written, escapes and all",
    read_line(
        lambda line: re.sub(
            rb'(?<="tool_name":)"[^"]*"', lambda m: unescaped(m[0]), line
        )
    ),
    shown_by="host-v1/spelling/tool-name-escaped",
)
fault(
    "no-tabs-between-tokens",
    "HV1-T4",
    "takes a tab between tokens for a fault",
    drop_lines(lambda line: bool(line.strip()) and b"\t" in line),
    shown_by="host-v1/spelling/tabs",
)
fault(
    "lines-end-at-u2028",
    "HV1-T4",
    "ends a line at a line or paragraph separator, as a library for text does",
    split_at("\u2028", "\u2029"),
    shown_by="host-v1/spelling/raw-separators",
)
fault(
    "lines-end-at-next-line",
    "HV1-T4",
    "ends a line at U+0085, as str.splitlines does",
    split_at("\x85"),
    shown_by="host-v1/spelling/raw-separators",
)
fault(
    "lines-end-at-cr",
    "HV1-T6",
    "ends a line at a carriage return too, as universal newlines do",
    split_at("\r"),
    level="should",
    shown_by="host-v1/spelling/carriage-returns",
)
fault(
    "no-cr-between-tokens",
    "HV1-T6",
    "takes a carriage return for white space at the ends of a line alone",
    drop_lines(lambda line: b"\r" in line.strip()),
    level="should",
    shown_by="host-v1/spelling/carriage-return-in-one-place",
)

variant = TABLES.variants(__name__, LineHost)


def respelled(line: bytes) -> bytes:
    """Return a request as another library would write it."""
    try:
        return dumps(loads(line))
    except JsonError:
        return line


variant(
    "reads-through-another-library",
    "reads each line, writes it anew, and carries that out",
    read_line(respelled),
)
