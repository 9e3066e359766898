"""Changes of which broken and legal clients are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.proof.row import Change, around

from wireproof_reference.host_v1 import StrayLine


def _of(attribute: str) -> Callable[[str, Callable[..., Any]], Change]:
    """Return what puts a function around a method of a client's part."""

    def on(method: str, function: Callable[..., Any]) -> Change:
        def change(subject: type[Any]) -> type[Any]:
            part = around(method, function)(getattr(subject, attribute))
            return type(subject.__name__, (subject,), {attribute: part})

        return change

    return on


on_link = _of("link_type")
"""Changes a method of the link to the host."""

on_connection = _of("connection_type")
"""Changes a method of the connection: what is sent, and how it is read."""


def on_bytes(change: Callable[[bytes], bytes]) -> Change:
    """Change the bytes of each read."""
    return on_connection("receive_data", lambda _, receive, data: receive(change(data)))


def on_lines(takes: Callable[[bytes], bool]) -> Change:
    """Skip each line that is not taken for a message."""
    return on_connection(
        "_receive_value",
        lambda _, receive, value, line: (
            receive(value, line) if takes(line) else StrayLine(line, "unknown")
        ),
    )


def on_message(rewrite: Callable[[Any, dict[str, Any]], None]) -> Change:
    """Change a message of the host's, which has an id, in place."""
    return on_connection(
        "rewrite_message", lambda connection, _, frame: rewrite(connection, frame)
    )


def on_request(rewrite: Callable[[dict[str, Any]], None]) -> Change:
    """Change a request in place before it is sent."""

    def changed(_: Any, encode: Callable[..., bytes], frame: dict[str, Any]) -> bytes:
        rewrite(frame)
        return encode(frame)

    return on_connection("rewrite_request", changed)


def on_write(write: Callable[[Any, Callable[[bytes], None], bytes], None]) -> Change:
    """Change how a link writes: called with the link, its writer, and a line."""

    def start(link: Any, start: Callable[..., Any], *args: Any) -> Any:
        writer = link._writer
        if not hasattr(link, "lines"):
            link.lines, link.plain_write = [], writer.write
            writer.write = lambda data: write(link, link.plain_write, data)
        return start(*args)

    return on_link("start", start)
