"""Reading and writing files without losing what somebody else wrote (TOOL-C2 to C4)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import anyio.to_thread

from wireproof_reference.tool_contract._context import ReadRecord
from wireproof_reference.tool_contract._tool import Tool
from wireproof_reference.tool_contract.core import (
    INPUT_INVALID,
    STALE_WRITE,
    Failure,
    Success,
)

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON
    from wireproof_reference.tool_contract._context import ToolContext
    from wireproof_reference.tool_contract.core import ToolResult

_NS_PER_MS: Final = 1_000_000


async def read_text(path: str, context: ToolContext) -> str:
    """Read a file, and record when (TOOL-C4).

    Raises:
        OSError: If it cannot be read.
        UnicodeDecodeError: If it is no text in UTF-8.
    """
    return await anyio.to_thread.run_sync(_read, path, context)


async def write_text(path: str, text: str, context: ToolContext) -> Failure | None:
    """Write a file, unless somebody else has since it was read (TOOL-C2).

    Returns:
        Why it was not written; None where it was. A write renews the record.

    Raises:
        OSError: If it cannot be written.
    """
    return await anyio.to_thread.run_sync(_write, path, text, context)


def _read(path: str, context: ToolContext) -> str:
    file = Path(context.working_dir, path)
    # First the time: what is written while the file is read makes the record stale.
    mtime_ms = _mtime_ms(file)
    text = file.read_text(encoding="utf-8")
    _record(path, mtime_ms, context)
    return text


def _write(path: str, text: str, context: ToolContext) -> Failure | None:
    file = Path(context.working_dir, path)
    read = (context.read_mtimes or {}).get(path)
    if read is not None and file.exists() and _mtime_ms(file) != read.mtime_ms:
        error = f"{path} was changed since it was read; read it again"
        return Failure(error, STALE_WRITE)
    file.write_text(text, encoding="utf-8")
    _record(path, _mtime_ms(file), context)
    return None


def _record(path: str, mtime_ms: float, context: ToolContext) -> None:
    if context.read_mtimes is not None:
        context.read_mtimes[path] = ReadRecord(mtime_ms, context.current_turn)


def _mtime_ms(file: Path) -> float:
    return file.stat().st_mtime_ns / _NS_PER_MS


async def _read_file(args: JSON, context: ToolContext) -> ToolResult:
    match args:
        case {"path": str(path)}:
            return Success(await read_text(path, context))
        case _:
            return Failure("give the path of a file", INPUT_INVALID)


async def _write_file(args: JSON, context: ToolContext) -> ToolResult:
    match args:
        case {"path": str(path), "text": str(text)}:
            refused = await write_text(path, text, context)
            return refused or Success(f"wrote {len(text)} characters to {path}")
        case _:
            return Failure("give the path of a file and its text", INPUT_INVALID)


def _schema(*required: str) -> dict[str, JSON]:
    properties: dict[str, JSON] = {name: {"type": "string"} for name in required}
    return {"type": "object", "properties": properties, "required": list(required)}


READ_FILE: Final = Tool(
    "read_file",
    "Reads a text file.",
    _schema("path"),
    _read_file,
    toolset="file",
    output_is_untrusted=True,
)
"""Reads a file for the model."""

WRITE_FILE: Final = Tool(
    "write_file",
    "Writes a text file, unless it was changed since it was read.",
    _schema("path", "text"),
    _write_file,
    toolset="file",
)
"""Writes a file for the model."""
