"""Values as text: JSON as a person reads it, the suite's own words as they are."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from typing import TYPE_CHECKING, Any

from wireproof.checks import Words
from wireproof.patterns._forms import is_array, is_object
from wireproof.patterns._wide import WideNumber

if TYPE_CHECKING:
    from collections.abc import Iterator

DEEPEST = 60
"""Levels of a value that are shown; a value nested deeper says nothing more."""

SHOWN = 80
"""Characters of a value that go into a sentence."""

INFINITE = "<infinite as a double>"
"""What is shown of a number that is too large, or no number of JSON's."""

OTHER_THAN = "another value than "
"""Begins what is expected where a value stands at another place already."""


def dotted(path: str) -> str:
    """Write a JSON pointer as code has it, where its keys are plain names."""
    keys = path.split("/")[1:]
    if not all(key.isidentifier() or key.isdecimal() for key in keys):
        return path
    text = "".join(f"[{key}]" if key.isdecimal() else f".{key}" for key in keys)
    return text.removeprefix(".")


def in_line(value: Any, most: int = SHOWN) -> str:
    """Return a value as a sentence has it: JSON on one line, its beginning if long."""
    text = _compact(value, 0)
    return text if len(text) <= most else f"{text[:most]}…"


def in_lines(value: Any, width: int) -> list[str]:
    """Return a value as JSON, an element to a line where it is too wide for one."""
    if isinstance(value, Words):
        return value.split("\n")
    return _spread(value, width, 0)


def look_alike(one: str, other: str) -> bool:
    """Tell whether two texts differ, and a reader may not see it."""
    if one == other or (one.isascii() and other.isascii()):
        return False
    return _seen(one) == _seen(other)


def told_apart(one: str, other: str) -> tuple[str, str]:
    """Return two texts, escaped where they look alike."""
    if look_alike(one, other):
        return in_code_points(one), in_code_points(other)
    return one, other


def in_code_points(text: str) -> str:
    """Return a text whose characters beyond ASCII are escaped, as in JSON."""
    return re.sub(r"[^\x00-\x7f]", lambda found: json.dumps(found[0])[1:-1], text)


def _seen(text: str) -> str:
    """Return what a reader sees of a text, or nearly so."""
    composed = unicodedata.normalize("NFKC", text)
    return "".join(one for one in composed if unicodedata.category(one) != "Cf")


def _compact(value: Any, depth: int) -> str:
    if depth > DEEPEST:
        return "…"
    if is_object(value):
        members = (
            f"{_leaf(key)}: {_compact(one, depth + 1)}" for key, one in value.items()
        )
        return f"{{{', '.join(members)}}}"
    if is_array(value):
        return f"[{', '.join(_compact(one, depth + 1) for one in value)}]"
    return _leaf(value)


def _spread(value: Any, width: int, depth: int) -> list[str]:
    line = _compact(value, depth)
    if len(line) + depth <= width or depth >= DEEPEST:
        return [line]
    if is_object(value):
        named = [(f"{_leaf(key)}: ", one) for key, one in value.items()]
        return ["{", *_indented(named, width, depth), "}"]
    if is_array(value):
        return ["[", *_indented([("", one) for one in value], width, depth), "]"]
    return [line]


def _indented(elements: list[tuple[str, Any]], width: int, depth: int) -> Iterator[str]:
    """Yield the lines of a container's elements, a comma after all but the last."""
    for place, (name, value) in enumerate(elements):
        lines = _spread(value, width - len(name) - 1, depth + 1)
        lines[0] = name + lines[0]
        if place < len(elements) - 1:
            lines[-1] += ","
        yield from (f" {line}" for line in lines)


def _leaf(value: Any) -> str:
    if isinstance(value, Words):
        return str(value)
    if isinstance(value, WideNumber) and len(value.text) <= SHOWN:
        return value.text
    if isinstance(value, float) and math.isinf(value):
        # Its digits, or a word in their place, are in the line that came.
        return INFINITE
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        # What a subject in this process gives need not be JSON.
        return repr(value).replace("\n", "\\n")
