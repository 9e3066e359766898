"""What a server of the proof may do differently: changes for `fault` and `variant`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from tests.proof.row import Change, around

Response = dict[str, Any]


def on_lines(change: Callable[[Iterator[bytes]], Iterator[bytes]]) -> Change:
    """Change which lines are read."""
    return around("lines", lambda _, lines: change(lines()))


def on_line(change: Callable[[bytes], bytes]) -> Change:
    """Change a line before it is parsed; a ValueError makes it no JSON."""
    return around("parse", lambda _, parse, line: parse(change(line)))


def on_request(change: Callable[[Any], Any]) -> Change:
    """Change the value of a line."""
    return around("parse", lambda _, parse, line: change(parse(line)))


def on_response(change: Callable[[Response], Response]) -> Change:
    """Change a response before it is written."""
    return around("dump", lambda _, dump, response: dump(change(response)))


def written_by(change: Callable[[Response], str]) -> Change:
    """Write a response in another way, without its line feed."""
    return around(
        "dump",
        lambda _, dump, response: f"{change(response)}\n".encode(
            errors="surrogatepass"
        ),
    )


def parsed_by(change: Callable[[bytes], Any]) -> Change:
    """Parse a line in another way."""
    return around("parse", lambda _, parse, line: change(line))


def wants(is_good: Callable[[bytes], Any]) -> Change:
    """Take lines of another look for no JSON."""

    def look(line: bytes) -> bytes:
        if not is_good(line):
            raise ValueError("the line has another look")
        return line

    return on_line(look)


def ends_at(is_bad: Callable[[bytes], Any]) -> Change:
    """End at a line of some look."""

    def look(line: bytes) -> bytes:
        if is_bad(line):
            raise SystemExit("panic")
        return line

    return on_line(look)


def as_it_is(response: Response) -> str:
    """Return a response with characters as they are."""
    return json.dumps(response, ensure_ascii=False)
