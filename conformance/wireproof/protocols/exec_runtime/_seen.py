"""What was seen of a tool, as a vector's patterns are held to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.protocols.exec_runtime._tool_process import NO_JSON, parsed

if TYPE_CHECKING:
    from wireproof.protocols.exec_runtime._supplied_tools import Tool
    from wireproof.protocols.exec_runtime._tool_process import Seen

SHOWN_INPUT = 2_000
"""Bytes of an input that is no JSON that are shown."""


def seen_of(tool: Tool) -> dict[str, Any]:
    """Return what was seen of a tool as a JSON value.

    Returns:
        ``processes``, each with its ``args``, the values of its ``input``, whether it
        ``ended``; ``requests``, the values of all inputs, in order; ``starts``; and
        ``together``, how many were there at one time.
    """
    processes = [_process(tool, one) for one in tool.seen]
    requests = [value for one in processes for value in one["input"]]
    return {
        "starts": len(processes),
        "together": tool.together,
        "processes": processes,
        "requests": requests,
    }


def _process(tool: Tool, seen: Seen) -> dict[str, Any]:
    data = bytes(seen.input)
    texts = data.split(b"\n") if tool.server else [data]
    if tool.server and texts[-1] == b"":
        texts.pop()
    return {
        "args": seen.arguments,
        "input": [_shown(text) for text in texts if text.strip()],
        "ended": seen.ended,
    }


def _shown(text: bytes) -> Any:
    value = parsed(text)
    if value is NO_JSON:
        shown = text[:SHOWN_INPUT].decode(errors="backslashreplace")
        return {"not_json": shown}
    return value
