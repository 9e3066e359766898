"""Servers that execute a part of a line that is too long for them: EXEC-S18."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from tests.proof.exec_server.changes import on_line, on_lines
from tests.proof.exec_server.server import Server
from tests.proof.exec_server.subject import TABLES

fault = TABLES.faults(__name__, Server)

BUFFER = 1 << 16
LIMIT = 1 << 18
BEGINNING = b'{"jsonrpc"'


def _pieces(lines: Iterator[bytes]) -> Iterator[bytes]:
    while piece := sys.stdin.buffer.readline(BUFFER):
        yield piece


def _after_the_limit(lines: Iterator[bytes]) -> Iterator[bytes]:
    while line := sys.stdin.buffer.readline(LIMIT):
        # Beyond the limit it begins anew, as if what follows were the next line.
        yield line if line.endswith(b"\n") else b"?\n"


def _ends(lines: Iterator[bytes]) -> Iterator[bytes]:
    return (line[-BUFFER:] for line in lines)


def _from_the_last_request(line: bytes) -> bytes:
    return line[line.rindex(BEGINNING) :] if len(line) > LIMIT else line


fault(
    "pieces-are-lines",
    "EXEC-S18",
    "takes each 64 KiB of a line for a line",
    on_lines(_pieces),
)
fault(
    "begins-anew-at-the-limit",
    "EXEC-S18",
    "refuses the first 256 KiB of a line, and reads on",
    on_lines(_after_the_limit),
)
fault(
    "keeps-the-end",
    "EXEC-S18",
    "keeps the last 64 KiB of a line",
    on_lines(_ends),
)
fault(
    "looks-for-the-last-request",
    "EXEC-S18",
    "goes on with the last request in a line that is too long",
    on_line(_from_the_last_request),
)
