"""What was expected and what came in words, as a failed check shows it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from wireproof.checks import Difference
from wireproof.patterns._forms import is_array, is_object

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.patterns._match import Mismatch


def in_words(pattern: Any) -> Any:
    """Return a pattern as it is shown: values as they should be, matchers in words.

    Args:
        pattern: A pattern or a message as it stands in the vector file.

    Returns:
        A JSON value; what stands for more than one value is text in angle brackets.
    """
    match pattern:
        case {"$equals": value}:
            return in_words(value)
        case {"$literal": value}:
            return value
        case {"$type": str(name)}:
            return f"<{name}>"
        case {"$type": [*names]}:
            return f"<{' or '.join(map(str, names))}>"
        case {"$save": _, **rest}:
            return in_words(rest["match"]) if "match" in rest else "<anything>"
        case {"$one_of": [*choices]}:
            beside = {key: one for key, one in pattern.items() if key != "$one_of"}
            return _one_of(choices, beside)
        case {"$not": inner}:
            return {"anything but": in_words(inner)}
        case {"$all_of": [*inner]}:
            return {"all of": [in_words(one) for one in inner]}
        case {"$somewhere": inner}:
            return {"somewhere in it": in_words(inner)}
        case {"$each": inner}:
            return {"each element": in_words(inner)}
        case {"$json_text": inner}:
            return {"the JSON text of": in_words(inner)}
        case _ if is_object(pattern):
            if (words := _matcher_words(pattern)) is not None:
                return f"<{words}>"
            return {key: in_words(value) for key, value in pattern.items()}
        case _ if is_array(pattern):
            return [in_words(value) for value in pattern]
        case _:
            return pattern


def difference_of(miss: Mismatch) -> Difference:
    """Return a mismatch as it is shown."""
    found = "nothing there" if miss.absent else miss.actual
    return Difference(miss.path, in_words(miss.expected), found)


def exit_text(status: int) -> str:
    """Say an exit status in words: ``status 1`` or ``signal 9``."""
    return f"signal {-status}" if status < 0 else f"status {status}"


def _one_of(choices: Sequence[Any], beside: Mapping[str, Any]) -> Any:
    """Return alternatives in words where they are short, else as a list."""
    plain = [in_words(choice) for choice in choices]
    if beside or any(is_object(one) or is_array(one) for one in plain):
        return {**in_words(beside), "one of": plain}
    words = [
        one[1:-1]
        if isinstance(one, str) and one.startswith("<")
        else json.dumps(one, ensure_ascii=False)
        for one in plain
    ]
    return f"<one of: {', '.join(words)}>"


def _matcher_words(matcher: Mapping[str, Any]) -> str | None:
    """Say what a matcher or a generator stands for; None for any other object."""
    match matcher:
        case {"$absent": _}:
            return "no such key"
        case {"$contains": str(text)}:
            return f"a string that holds {text!r}"
        case {"$use": str(name)}:
            return "the state" if name == "state" else f"the value kept as {name}"
        case {"$repeat": str(text), "times": int(times)}:
            return f"{times} times {text!r}"
        case {"$join": [*parts]}:
            return f"the text {''.join(str(in_words(part)) for part in parts)}"
        case {"$unlike": [*names]}:
            return f"a text unlike {', '.join(map(str, names))}"
        case {"$nest": int(depth)}:
            return f"a value inside {depth} arrays"
        case {"$size": int(size)}:
            return f"{size} elements or characters"
        case {"$unique": str(pointer)}:
            return f"an array whose elements differ at {pointer}"
        case {"$unique": [*pointers]}:
            return f"an array whose elements differ at {' or '.join(pointers)}"
        case {"$valid_json_schema": _}:
            return "a valid JSON Schema"
        case {"$schema": schema}:
            return f"what this JSON Schema validates: {json.dumps(schema)}"
        case _:
            return None
