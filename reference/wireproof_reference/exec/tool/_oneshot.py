"""A tool that is started anew for each call: one object in, one object out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from wireproof_reference._stdio import take_stdio
from wireproof_reference.exec.tool._calling import ToolError, ToolFault, call, write_all
from wireproof_reference.exec.tool._json import dumps, loads

if TYPE_CHECKING:
    from wireproof_reference.exec.tool._calling import ToolFunction
    from wireproof_reference.framing import JSONObject

_READ_BYTES = 64 * 1024


def run_oneshot(tool: ToolFunction) -> int:
    """Answer the one call on stdin: `sys.exit(run_oneshot(tool))`.

    Takes stdin and stdout for good; what the tool prints goes to stderr (EXEC-O4).

    Returns:
        The exit status: 0, for a reported error too (EXEC-O5), or 1 where nobody reads
        the answer.
    """
    stdin, stdout = take_stdio()
    chunks: list[bytes] = []
    while chunk := os.read(stdin, _READ_BYTES):
        chunks.append(chunk)
    try:
        write_all(stdout, answer_input(tool, b"".join(chunks)) + b"\n")
    except BrokenPipeError:
        return 1
    return 0


def answer_input(tool: ToolFunction, data: bytes) -> bytes:
    """The object that answers what stdin held (EXEC-O2, EXEC-O3)."""
    try:
        return dumps({"result": call(tool, read_args(data))})
    except (ToolError, ToolFault) as error:
        return _failure(str(error) or "the tool failed")
    except ValueError as error:
        return _failure(str(error))


def read_args(data: bytes) -> JSONObject:
    """The value of `args` in what stdin held; other keys are ignored (EXEC-O7).

    Raises:
        ValueError: There is none, or it is no object (EXEC-O6).
    """
    try:
        request = loads(data)
    except ValueError as error:
        raise ValueError(f"the input is not JSON: {error}") from error
    if not isinstance(request, dict) or "args" not in request:
        raise ValueError("the input must be an object with args")
    args = request["args"]
    if not isinstance(args, dict):
        raise ValueError("args must be an object")  # noqa: TRY004  # refused input
    return args


def _failure(text: str) -> bytes:
    return dumps({"error": text})
