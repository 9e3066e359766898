"""Hosts that meet with NaN, half pairs, depth, length: HV1-T7, T8, T13 to T15, M11."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from typing import Any

from tests.proof.host_v1.changes import (
    Handle,
    die_of_lines,
    die_of_written,
    drop_lines,
    on_line,
    read_line,
)
from tests.proof.host_v1.input_faults import LineHost, depth
from tests.proof.host_v1.subject import TABLES
from tests.proof.row import Change, around

from wireproof_reference.framing import encode

fault = TABLES.faults(__name__, LineHost)
variant = TABLES.variants(__name__, LineHost)

_NO_NUMBER = re.compile(rb"(?<=[:\[,])-?(NaN|Infinity)(?=[,\]}])")
_BIG = re.compile(rb"(?<![\w.\"+-])-?[0-9]{17,}(?![\w.\"])")
_HALF = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")


def has_no_number(line: bytes) -> bool:
    """Tell whether NaN or Infinity stands in a line."""
    return bool(_NO_NUMBER.search(line))


def has_big_number(line: bytes) -> bool:
    """Tell whether an integer of 17 digits or more stands in a line."""
    return bool(_BIG.search(line))


def has_half(*words: bytes) -> Callable[[bytes], bool]:
    """Return what tells whether a message holds half a pair, and these words."""
    return lambda data: all(one in data for one in words) and bool(_HALF.search(data))


# --- HV1-T7, T8: NaN and Infinity

fault(
    "nan-as-null",
    "HV1-T8",
    "reads NaN and Infinity as null",
    read_line(lambda line: _NO_NUMBER.sub(b"null", line)),
    level="should",
    shown_by="host-v1/bad-input/tool-runs-for-no-number",
)
fault(
    "nan-as-zero",
    "HV1-T8",
    "counts NaN as 0",
    read_line(lambda line: _NO_NUMBER.sub(b"0", line)),
    level="should",
    shown_by="host-v1/bad-input/counter-runs-for-no-number",
)
fault(
    "nan-as-text",
    "HV1-T8",
    "reads NaN as a text, and emits it",
    read_line(lambda line: _NO_NUMBER.sub(b'"NaN"', line)),
    level="should",
    shown_by="host-v1/bad-input/stream-runs-for-no-number",
)
fault(
    "nan-in-a-config",
    "HV1-T8",
    "reads NaN in the params of all methods but execute_tool",
    read_line(
        lambda line: line if b"execute" in line else _NO_NUMBER.sub(b"null", line)
    ),
    level="should",
    shown_by="host-v1/bad-input/config-of-no-number",
)
fault(
    "dies-of-nan-in-a-call",
    "HV1-T7",
    "reads NaN, calls the tool, and dies of writing it",
    die_of_lines(lambda line: b"conformance_echo" in line and has_no_number(line)),
    level="should",
    shown_by="host-v1/bad-input/call-that-holds-no-number",
)
variant(
    "silent-about-nan",
    "does not answer a line that holds NaN or Infinity",
    drop_lines(has_no_number),
)

# --- HV1-T13: half of a surrogate pair, where a program writes it

for _place, _does, _words, _shown_by in (
    ("results", "a result", (b'"success":true', b'"result":'), "a-result"),
    ("messages", "a reported message", (b'"success":false',), "a-reported-message"),
    (
        "errors",
        "a thrown message",
        (b'"ok":false', b"RuntimeError"),
        "a-thrown-message",
    ),
    ("payloads", "the payload of an event", (b'"event":',), "a-payload"),
    ("refusals", "the name of an unknown tool", (b"unknown tool",), "a-tool-name"),
    ("methods", "the name of an unknown method", (b"unknown method",), "a-method"),
    ("states", "the state that goes back", (b'"state":{"x"',), "a-state"),
    ("previews", "a preview", (b'"value":"conformance_echo(',), "a-preview"),
    ("displays", "what is displayed", (b'"type":"text"',), "a-display-text"),
):
    fault(
        f"dies-of-half-pairs-in-{_place}",
        "HV1-T13",
        f"cannot encode half of a surrogate pair in {_does}, and dies of it",
        die_of_written(has_half(*_words)),
        level="should",
        shown_by=f"host-v1/places/half-pair-in-{_shown_by}",
    )
fault(
    "dies-of-half-pairs-in-print",
    "HV1-T13",
    "cannot print half of a surrogate pair, and dies of it",
    die_of_lines(has_half(b"conformance_print")),
    level="should",
    shown_by="host-v1/places/half-pair-in-printed-text",
)
fault(
    "dies-of-half-pairs-in-keys",
    "HV1-T13",
    "cannot encode half of a surrogate pair in a key, and dies of it",
    die_of_written(lambda data: bool(re.search(_HALF.pattern + rb'[^",]*":', data))),
    level="should",
    shown_by="host-v1/places/half-pair-in-a-key",
)
variant(
    "half-pairs-replaced",
    "reads half of a surrogate pair as U+FFFD",
    read_line(
        lambda line: (
            json.dumps(
                json.loads(line), ensure_ascii=False, separators=(",", ":")
            ).encode(errors="replace")
            if _HALF.search(line) and b"\\u" in line and _is_json(line)
            else line
        )
    ),
)
variant(
    "half-pairs-are-bad-lines",
    "takes a line with half of a surrogate pair for no request",
    on_line(lambda host, handle, line: handle(b"{" if _is_torn(line) else line)),
)


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return False
    return True


def _refuse(word: str) -> Any:
    raise ValueError(word)


def _is_torn(line: bytes) -> bool:
    if not _HALF.search(line) or not _is_json(line):
        return False
    try:
        json.dumps(json.loads(line), ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


# --- HV1-T14: depth

fault(
    "silent-about-depth",
    "HV1-T14",
    "says nothing of a line that nests deeper than 64",
    drop_lines(lambda line: depth(line) > 64),
    level="should",
)
fault(
    "silent-about-depth-of-512",
    "HV1-T14",
    "says nothing of a line that nests deeper than 512",
    drop_lines(lambda line: depth(line) > 512),
    level="should",
)

# --- HV1-T15: lines beyond what is read


def in_pieces(size: int) -> Change:
    """Return the change that takes each piece of so many bytes for a line."""

    def handle_pieces(_: LineHost, handle: Handle, line: bytes) -> None:
        for begin in range(0, len(line) or 1, size):
            handle(line[begin : begin + size])

    return on_line(handle_pieces)


def keep_the_end(size: int) -> Change:
    """Return the change that keeps the last bytes of a line."""
    return read_line(lambda line: line[-size:])


def begin_anew(size: int) -> Change:
    """Return the change that drops what has come once it is too much for a line."""

    def handle_data(
        host: LineHost, original: Callable[[bytes], None], data: bytes
    ) -> None:
        original(data)
        if len(host.buffer) > size:
            host.buffer = b""

    return around("handle_data", handle_data)


def last_object(_: LineHost, handle: Handle, line: bytes) -> None:
    """Take the last object of a line that is no JSON."""
    begin = line.rfind(b'{"v":1')
    handle(line[begin:] if begin > 0 and not _is_json(line) else line)


fault(
    "reads-100-kib-at-most",
    "HV1-T15",
    "takes each 100 KiB of a line for a line",
    in_pieces(100 << 10),
    shown_by="host-v1/long-lines/128-kib-that-calls",
)
fault(
    "reads-3-mib-at-most",
    "HV1-T15",
    "takes each 3 MiB of a line for a line",
    in_pieces(3 << 20),
    shown_by="host-v1/long-lines/16-mib",
)
fault(
    "keeps-the-last-64-kib",
    "HV1-T15",
    "keeps the last 64 KiB of a line",
    keep_the_end(64 << 10),
)
fault(
    "keeps-the-last-2-mib",
    "HV1-T15",
    "keeps the last 2 MiB of a line",
    keep_the_end(2 << 20),
    shown_by="host-v1/long-lines/4-mib",
)
fault(
    "begins-anew-at-256-kib",
    "HV1-T15",
    "drops what has come of a line when it is 256 KiB, and takes the rest for a line",
    begin_anew(256 << 10),
    shown_by="host-v1/long-lines/1-mib",
)
fault(
    "finds-the-last-object",
    "HV1-T15",
    "takes the last object of a line that it cannot read",
    on_line(last_object),
)


def refuse_beyond(size: int) -> Change:
    """Return the change that refuses a longer line as a whole."""

    def handle_line(host: LineHost, handle: Handle, line: bytes) -> None:
        if len(line) <= size:
            handle(line)
        else:
            error = {"type": "LineTooLong", "detail": f"more than {size} bytes"}
            host.write(encode({"v": 1, "id": None, "ok": False, "error": error}))

    return on_line(handle_line)


variant(
    "lines-of-two-mebibytes",
    "refuses a line beyond 2 MiB as a whole, without its id",
    refuse_beyond(2 << 20),
)


def end_beyond(size: int) -> Change:
    """Return the change that ends the host at a longer line."""

    def handle_data(
        host: LineHost, original: Callable[[bytes], None], data: bytes
    ) -> None:
        original(data)
        if len(host.buffer) > size:
            os._exit(1)

    return around("handle_data", handle_data)


variant(
    "ends-at-nine-mebibytes",
    "ends at a line beyond 9 MiB",
    end_beyond(9 << 20),
    warns={"HV1-T7": "that it lives on is tried with lines of 16 MiB too"},
)

# --- HV1-M11: numbers beyond ±2^53

fault(
    "silent-about-big-integers",
    "HV1-M11",
    "does not answer a request that holds an integer beyond 2^53",
    drop_lines(has_big_number),
)
fault(
    "dies-of-big-integers",
    "HV1-M11",
    "ends at an integer that no 64 bits hold",
    die_of_lines(lambda line: bool(re.search(rb"[:\[,]-?[0-9]{20,}[,\]}]", line))),
)
fault(
    "silent-about-big-sums",
    "HV1-M11",
    "does not answer a call that adds more than a counter holds",
    drop_lines(lambda line: b"conformance_counter" in line and has_big_number(line)),
    shown_by="host-v1/places/big-number-that-a-tool-uses",
)
fault(
    "silent-about-big-integers-in-a-state",
    "HV1-M11",
    "does not answer a request whose state holds an integer beyond 2^53",
    drop_lines(lambda line: has_big_number(line.rpartition(b'"state":')[2])),
    shown_by="host-v1/places/big-number-in-a-state",
)
