"""What a server can do differently, as changes of the reference."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.proof.row import Change, around

from wireproof_reference.framing import encode, loads
from wireproof_reference.socket_v1 import (
    BadMessage,
    ServerConnection,
    TransportError,
)

Rewrite = Callable[[dict[str, Any]], Any]

REFUSED: Any = object()
"""Stands for a line that is refused as no JSON."""

SILENT: Any = object()
"""Stands for a line that gets no answer."""


def on_frame(rewrite: Rewrite) -> Change:
    """Return the change that rewrites each frame before it is sent."""

    def encoded(_: Any, original: Any, *args: Any) -> bytes:
        frame: Any = loads(original(*args).rstrip(b"\n"))
        return encode(rewrite(frame))

    return around("encode", encoded)


def on_bytes_sent(rewrite: Callable[[bytes], bytes]) -> Change:
    """Return the change that rewrites the bytes of each frame before they are sent."""
    return around("encode", lambda _, original, *args: rewrite(original(*args)))


def on_result(rewrite: Rewrite) -> Change:
    """Return the change that rewrites each ToolResult before it is sent."""

    def result(frame: dict[str, Any]) -> dict[str, Any]:
        if frame["type"] == "tool_result":
            frame["result"] = rewrite(frame["result"])
        return frame

    return on_frame(result)


def on_failure(code: str, rewrite: Rewrite) -> Change:
    """Return the change that rewrites each failure with this code."""
    return on_result(
        lambda one: (
            rewrite(one) if not one["ok"] and one["error"]["code"] == code else one
        )
    )


def on_event(rewrite: Rewrite) -> Change:
    """Return the change that rewrites each event before it is sent."""

    def event(frame: dict[str, Any]) -> dict[str, Any]:
        if frame["type"] == "tool_event":
            frame["event"] = rewrite(frame["event"])
        return frame

    return on_frame(event)


def on_bytes(rewrite: Callable[[bytes], bytes]) -> Change:
    """Return the change that rewrites what is received before it is read."""

    class Reading(ServerConnection):
        def receive_data(self, data: bytes) -> None:
            super().receive_data(rewrite(data))

    return around("make_connection", lambda _, original: Reading())


def on_line(read: Callable[[Any, bytes], Any]) -> Change:
    """Return the change that reads lines of JSON in another way.

    Args:
        read: Called with the value of a line and its bytes; returns the value that is
            read in place of it, or `REFUSED` or `SILENT`.
    """

    class Reading(ServerConnection):
        def _receive_value(self, value: Any, line: bytes) -> Any:
            found = read(value, line)
            if found is REFUSED:
                return BadMessage(line, TransportError(None, "the line is not JSON"))
            if found is SILENT:
                return BadMessage(b"", TransportError(None, "unanswered"))
            return super()._receive_value(found, line)

    def silence(_: Any, original: Any, peer: Any, bad: BadMessage) -> None:
        if bad.answer.message != "unanswered":
            original(peer, bad)

    def change(subject: type[Any]) -> type[Any]:
        reading = around("make_connection", lambda _, original: Reading())
        return around("handle_bad_message", silence)(reading(subject))

    return change


def silent_if(wrong: Callable[[Any, bytes], bool]) -> Change:
    """Return the change that says nothing to some lines of JSON."""
    return on_line(lambda value, line: SILENT if wrong(value, line) else value)


def refused_if(wrong: Callable[[Any, bytes], bool]) -> Change:
    """Return the change that refuses some lines of JSON."""
    return on_line(lambda value, line: REFUSED if wrong(value, line) else value)
