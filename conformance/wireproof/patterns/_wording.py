"""What was expected and what came in words, as a failed check shows it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from wireproof.checks import Difference, Words
from wireproof.patterns._forms import is_array, is_object
from wireproof.patterns._misreading import misreading
from wireproof.patterns._rendering import (
    OTHER_THAN,
    dotted,
    in_code_points,
    in_line,
    look_alike,
    told_apart,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.patterns._comparison import Mismatch

NOTHING_THERE = Words("nothing there")
"""What is found where a key that must be there is not."""

NO_SUCH_KEY = Words("no such key")
"""What is expected where a key must not be."""

SHORT = 100
"""Characters of a pattern that is told in a phrase; a longer one is shown as JSON."""

ESCAPED = 6
"""Characters that JSON makes of one, at the most."""

VALUES = {
    "elements": "an array of the values",
    "members": "an object with each value under its name",
    "keys": "an object whose keys are the values",
}
"""What stands for all values of a place at once, by how they are held."""


def in_words(pattern: Any) -> Any:
    """Return a pattern as it is shown: values as they should be, matchers in words.

    Args:
        pattern: A pattern or a message as it stands in the vector file.

    Returns:
        A JSON value; what stands for more than one value is ``Words`` in angle
        brackets.
    """
    match pattern:
        case {"$equals": value}:
            return in_words(value)
        case {"$literal": value}:
            return value
        case {"$json": str(text)}:
            return Words(text)
        case {"$save": _, **rest}:
            return in_words(rest["match"]) if "match" in rest else Words("<anything>")
        case {"$one_of": [*choices]}:
            beside = {key: one for key, one in pattern.items() if key != "$one_of"}
            return _one_of(choices, beside)
        case {"$not": inner}:
            return _around("anything but", inner)
        case {"$all_of": [*inner]}:
            return _all_of(inner)
        case {"$somewhere": inner}:
            return _around("somewhere in it", inner)
        case {"$each": inner}:
            return _around("an array, each element", inner)
        case {"$json_text": inner}:
            return _around("the JSON text of", inner)
        case {"$parts": str(kind), "match": inner}:
            return _around(f"a text, or parts of type {kind} that are together", inner)
        case {"$values": "elements" | "members" as kind, "as": template}:
            return _around(f"{VALUES[kind]}, each in the form", template)
        case {"$values": str(kind)} if kind in VALUES:
            more = pattern.get("with")
            return _around(f"{VALUES[kind]}, and", more) if more else _values(kind)
        case _ if is_object(pattern):
            if (words := _matcher_words(pattern)) is not None:
                return Words(f"<{words}>")
            return {key: in_words(value) for key, value in pattern.items()}
        case _ if is_array(pattern):
            return [in_words(value) for value in pattern]
        case _:
            return pattern


def difference_of(miss: Mismatch) -> Difference:
    """Return a mismatch as it is shown."""
    wanted = in_words(miss.expected)
    found = NOTHING_THERE if miss.absent else miss.actual
    if isinstance(wanted, str) and isinstance(found, str) and look_alike(wanted, found):
        plain = (
            Words(in_code_points(in_line(one, ESCAPED * len(one) + 2)))
            for one in (wanted, found)
        )
        return Difference(miss.path, *plain)
    return Difference(miss.path, wanted, found)


def place_text(miss: Mismatch, whole: str = "the frame") -> str:
    """Say a mismatch in a sentence: the place, what is there, and what is not.

    Args:
        miss: The mismatch.
        whole: What the value is called where it differs as a whole.
    """
    where = dotted(miss.path) or whole
    wanted = _bare(in_words(miss.expected))
    if miss.absent:
        return f"{where} is missing"
    if isinstance(miss.expected, Words) and miss.expected == NO_SUCH_KEY:
        return f"{where} is there, as {in_line(miss.actual)}"
    match miss.expected:
        case {"$not": {"$somewhere": inner}}:
            return f"{where} holds {_bare(in_words(inner))}, which it must not"
        case {"$not": _}:
            return f"{where} is {in_line(miss.actual)}, which it must not be"
        case _:
            pass
    found = in_line(miss.actual)
    if isinstance(miss.expected, Words) and miss.expected.startswith(OTHER_THAN):
        return f"{where} is {found}, as {miss.expected.removeprefix(OTHER_THAN)} is"
    how = _how_misread(miss)
    if len(wanted) > SHORT or found == wanted:
        return f"{where} is not what it should be{how}"
    if any(look_alike(found, one) for one in _choices(miss.expected)):
        found, wanted = in_code_points(found), in_code_points(wanted)
    found, wanted = told_apart(found, wanted)
    return f"{where} is {found}, not {wanted}{how}"


def _how_misread(miss: Mismatch) -> str:
    """Return how a text became another, as the end of a sentence; empty if unknown."""
    wanted, found = in_words(miss.expected), miss.actual
    if isinstance(wanted, Words) or not isinstance(wanted, str):
        return ""
    how = misreading(wanted, found) if isinstance(found, str) else None
    return f": {how}" if how else ""


_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


def without_strings(text: str) -> str:
    """Return a text with each JSON string in it emptied: what it says of any value."""
    return _QUOTED.sub('""', text)


def exit_text(status: int) -> str:
    """Say an exit status in words: ``status 1`` or ``signal 9``."""
    return f"signal {-status}" if status < 0 else f"status {status}"


def _values(kind: str) -> Words:
    return Words(f"<{VALUES[kind]}>")


def _one_of(choices: Sequence[Any], beside: Mapping[str, Any]) -> Any:
    """Return alternatives in a line where they are short, else as a list."""
    if not choices:
        return Words("nothing")
    plain = [in_words(choice) for choice in choices]
    if beside or any(map(_takes_lines, plain)):
        return {**in_words(beside), Words("one of"): plain}
    return Words(f"<one of: {', '.join(map(_bare, plain))}>")


def _takes_lines(shown: Any) -> bool:
    """Tell whether what is shown is no part of a phrase."""
    return is_object(shown) or (is_array(shown) and len(in_line(shown)) > SHORT)


def _choices(pattern: Any) -> Sequence[str]:
    """Return each alternative of a pattern as a sentence has it."""
    choices = pattern.get("$one_of", ()) if is_object(pattern) else ()
    return [_bare(in_words(choice)) for choice in choices]


def _around(words: str, inner: Any) -> Any:
    """Return words and the value that they are about, as a list where it is long."""
    shown = in_words(inner)
    text = _bare(shown)
    if len(text) <= SHORT:
        return Words(f"<{words} {text}>")
    return {Words(words): shown}


def _all_of(inner: Sequence[Any]) -> Any:
    plain = [in_words(one) for one in inner]
    text = " and ".join(map(_bare, plain))
    return Words(f"<{text}>") if len(text) <= SHORT else {Words("all of"): plain}


def _bare(shown: Any) -> str:
    """Return what is shown as a part of a phrase, which has brackets of its own."""
    text = in_line(shown, SHORT + 1)
    return text[1:-1] if isinstance(shown, Words) and text.startswith("<") else text


def _in_order(texts: Sequence[str]) -> str:
    return ", then ".join(in_line(text) for text in texts)


def _matcher_words(matcher: Mapping[str, Any]) -> str | None:
    """Say what a matcher or a generator stands for; None for any other object."""
    match matcher:
        case {"$absent": _}:
            return NO_SUCH_KEY
        case {"$type": str(name)}:
            return name
        case {"$type": [*names]}:
            return " or ".join(map(str, names))
        case {"$contains": str(text)}:
            return f"a string that holds {_in_order([text])}"
        case {"$contains": [*texts]}:
            return f"a string that holds {_in_order(texts)}"
        case {"$contains": text}:
            return f"a string that holds {_bare(in_words(text))}"
        case {"$value": True}:
            return "the value"
        case {"$pack": True}:
            return "the values"
        case {"$value_name": True}:
            return "the name of the value"
        case {"$use": "socket_path"}:
            return "the socket's path"
        case {"$use": str(name)}:
            return "the state" if name == "state" else f"the value kept as {name}"
        case {"$use": name}:
            return f"the value kept as {_bare(in_words(name))}"
        case {"$members": str(prefix), "times": int(times), "value": value}:
            each = in_line(in_words(value))
            return f"an object of {times} keys {prefix}…, each with {each}"
        case {"$repeat": str(text), "times": int(times)}:
            return f"{times} times {in_line(text)}"
        case {"$numbered": int(times), "as": value}:
            return f"{times} times {in_line(in_words(value))}, each with its place"
        case {"$number": True}:
            return "the place"
        case {"$copies": int(times), "value": value}:
            return f"{times} times {in_line(in_words(value))}"
        case {"$serial": _}:
            return "a new id"
        case {"$join": [*parts]}:
            return f"the text {''.join(str(in_words(part)) for part in parts)}"
        case {"$unlike": [*names]}:
            return f"a text unlike {', '.join(map(str, names))}"
        case {"$nest": int(depth)}:
            return f"a value inside {depth} arrays"
        case {"$size": int(size)}:
            ending = "" if size == 1 else "s"
            return f"{size} element{ending} or character{ending}"
        case {"$unique": str(pointer)}:
            return f"an array whose elements differ at {pointer}"
        case {"$unique": [*pointers]}:
            return f"an array whose elements differ at {' or '.join(pointers)}"
        case {"$valid_json_schema": _}:
            return "a valid JSON Schema"
        case {"$schema": schema}:
            return f"what this JSON Schema validates: {in_line(schema)}"
        case _:
            return None
