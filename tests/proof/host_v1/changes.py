"""Building blocks of the faults of hosts: what each puts a function around."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from tests.proof.host_v1.input_faults import LineHost
from tests.proof.row import Change, around

from wireproof_reference.framing import encode, loads
from wireproof_reference.host_v1 import Host, Request

Handle = Callable[[bytes], None]


def on_line(function: Callable[[LineHost, Handle, bytes], None]) -> Change:
    """Put a function around what takes a line; the subject is a ``LineHost``.

    Args:
        function: Called with the host, what takes a line, and the line.
    """
    return around("handle_line", function)


def read_line(function: Callable[[bytes], bytes]) -> Change:
    """Read each line as the function returns it."""
    return on_line(lambda _, handle, line: handle(function(line)))


def drop_lines(is_dropped: Callable[[bytes], bool]) -> Change:
    """Take no note of the lines of which the function is true."""
    return on_line(lambda _, handle, line: None if is_dropped(line) else handle(line))


def die_of_lines(is_fatal: Callable[[bytes], bool]) -> Change:
    """End at the first line of which the function is true."""

    def end(_: LineHost, handle: Handle, line: bytes) -> None:
        if is_fatal(line):
            os._exit(3)
        handle(line)

    return on_line(end)


def on_request(
    function: Callable[[Host, Callable[[Request], None], Request], None],
) -> Change:
    """Put a function around what carries a request out."""
    return around("handle_request", function)


def on_frame(function: Callable[[dict[str, Any]], dict[str, Any] | None]) -> Change:
    """Change the JSON object of each message; None leaves it as it is."""

    def change(_: Host, original: Callable[[Any], bytes], message: Any) -> bytes:
        data = original(message)
        frame: Any = loads(data.rstrip(b"\n"))
        changed = function(frame)
        return data if changed is None else encode(changed)

    return around("encode", change)


def on_value(function: Callable[[dict[str, Any]], dict[str, Any]]) -> Change:
    """Change the value with which a call is answered."""

    def change(frame: dict[str, Any]) -> dict[str, Any] | None:
        value = (frame.get("result") or {}).get("value")
        if not isinstance(value, dict) or "success" not in value:
            return None
        frame["result"]["value"] = function(value)
        return frame

    return on_frame(change)


def on_written(
    function: Callable[[Host, Callable[[bytes], None], bytes], None],
) -> Change:
    """Put a function around what writes bytes."""
    return around("write", function)


def die_of_written(is_fatal: Callable[[bytes], bool]) -> Change:
    """End before a message is written of which the function is true."""

    def end(_: Host, write: Callable[[bytes], None], data: bytes) -> None:
        if is_fatal(data):
            os._exit(3)
        write(data)

    return on_written(end)


def stdout_of(host: Host) -> int:
    """Return the descriptor that reaches the client."""
    transport: Any = host.transport
    return int(transport.write.__self__._fd)
