"""In which line of a JSON text a value stands: the standard reader forgets it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SPACE = " \t\r\n"
"""What may stand between the values of a JSON text."""

_DECODER = json.JSONDecoder()


def line_of(text: str, path: Sequence[str | int]) -> int:
    """Return the line in which a value begins, that of its key where it has one.

    Args:
        text: Valid JSON text.
        path: Keys and places from the outside in. What is not there stands where that
            would be which it is missing in.
    """
    shown = start = _after_space(text, 0)
    for step in path:
        places = {name: (at, value) for name, at, value in _members(text, start)}
        if step not in places:
            break
        shown, start = places[step]
    return text.count("\n", 0, shown) + 1


def _members(text: str, start: int) -> Iterator[tuple[str | int, int, int]]:
    """Yield what an object or array holds: name or place, where it and its value begin.

    Args:
        text: Valid JSON text.
        start: Where in it a value begins.
    """
    is_object = text[start] == "{"
    if not is_object and text[start] != "[":
        return
    at = _after_space(text, start + 1)
    place = 0
    while text[at] not in "}]":
        name: str | int = place
        value = at
        if is_object:
            name, end = _DECODER.raw_decode(text, at)
            value = _after_space(text, _after_space(text, end) + 1)
        yield name, at, value
        _, end = _DECODER.raw_decode(text, value)
        at = _after_space(text, end)
        if text[at] == ",":
            at = _after_space(text, at + 1)
        place += 1


def _after_space(text: str, at: int) -> int:
    while at < len(text) and text[at] in SPACE:
        at += 1
    return at
