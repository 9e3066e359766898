"""A tool that is started once: JSON-RPC 2.0 on stdin and stdout, one call at a time."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from wireproof_reference._stdio import take_stdio
from wireproof_reference.exec.tool._calling import write_all
from wireproof_reference.exec.tool._rpc import answer_line, answer_long_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from wireproof_reference.exec.tool._calling import ToolFunction

MAX_LINE_BYTES = 32 * 1024 * 1024
"""Bytes that a request may have: as many as the runtime's own decoder takes."""


def run_server(tool: ToolFunction) -> int:
    """Answer calls until stdin closes: `sys.exit(run_server(tool))`.

    Takes stdin and stdout for good; what the tool prints goes to stderr (EXEC-S3).

    Returns:
        The exit status: 0 (EXEC-S11), or 1 where nobody reads the answers.
    """
    stdin, stdout = take_stdio()
    with os.fdopen(stdin, "rb") as requests:
        for line in _lines(requests):
            answer = answer_long_line() if line is None else answer_line(tool, line)
            if answer:
                try:
                    write_all(stdout, answer + b"\n")
                except BrokenPipeError:
                    return 1
    return 0


def _lines(requests: BinaryIO) -> Iterator[bytes | None]:
    """Each line as it comes; None for one that is too long, which is skipped."""
    while line := requests.readline(MAX_LINE_BYTES + 1):
        if len(line) <= MAX_LINE_BYTES or line.endswith(b"\n"):
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = requests.readline(MAX_LINE_BYTES)
        yield None
