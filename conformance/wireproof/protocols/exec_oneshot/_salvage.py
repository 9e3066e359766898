"""Find the object in an output that is not one JSON object.

Text in front of it, or two of them, is a fault of its own. The object is taken all the
same, so that a tool with that one fault is not reported as broken in everything.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

from wireproof.patterns import DECODER, is_object
from wireproof.protocols._exec_tools import KEYS
from wireproof_reference.framing import JsonError, loads

ATTEMPTS = 50
"""Places in a line that turn out to be no message before the search is given up."""

SHORT = 1 << 16
"""Characters of a line of which each attempt may read all."""

PASSES = 4
"""How often a longer line may be read over, all attempts together: the search takes
time in proportion to its length, whatever stands in it."""


_FOREIGN = re.compile(
    r"""
    "(?:[^"\\]|\\.)*"?
    | (?<![\w.+-]) [+-]?
      (?: (?P<nan>nan) | (?P<infinity>inf(?:inity)?)
        | (?P<true>true) | (?P<false>false) | (?P<null>null|none|nil|undefined)
      ) (?![\w.])
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
"""A string, or a word for a value: in JSON's spelling or in a language's own."""

_AS_READ = {
    "nan": "NaN",
    "infinity": "Infinity",
    "true": "true",
    "false": "false",
    "null": "null",
}
"""How the decoder spells those words; JSON itself has no word for the first two."""


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What was found in a line.

    Attributes:
        values: The messages, in order; at least one.
        rest: The pieces of text around them that are not blank.
    """

    values: tuple[dict[str, Any], ...]
    rest: tuple[bytes, ...]


def salvage(line: bytes) -> Salvaged | None:
    """Look for objects with a result or an error in text that is not one.

    Returns:
        The objects and what stood around them; None if there is none.
    """
    text = line.decode(errors="replace")
    found = _search(text)
    if found is None and "{" in text:
        alike = _search(_FOREIGN.sub(_spelling, text))
        # Only the whole: what is guessed of a part would be quoted as if it came.
        if alike is not None and len(alike.values) == 1 and not alike.rest:
            return alike
    return found


def _search(text: str) -> Salvaged | None:
    values: list[dict[str, Any]] = []
    rest: list[bytes] = []
    position = 0
    junk_from = 0
    attempts = ATTEMPTS
    budget = max(PASSES * len(text), ATTEMPTS * SHORT)
    while attempts and budget > 0 and (start := text.find("{", position)) != -1:
        value: Any
        try:
            value, end = DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            # An error does not tell how far was read: a string without its end is
            # reported where it begins.
            budget -= len(text) - start
            attempts -= 1
            position = start + 1
            continue
        if not is_object(value) or KEYS.isdisjoint(value):
            attempts -= 1
            position = end
            continue
        if text[junk_from:start].strip():
            rest.append(text[junk_from:start].strip().encode())
        values.append(value)
        position = junk_from = end
    if not values:
        return None
    if text[junk_from:].strip():
        rest.append(text[junk_from:].strip().encode())
    return Salvaged(tuple(values), tuple(rest))


NO_NUMBER = "JSON has none such; let the call fail instead"
"""What to do about a number that JSON cannot hold."""


def foreign_word(line: bytes) -> str:
    """Say which word of a line is none of JSON's, where all else is.

    Args:
        line: A line that is JSON but for a word such as ``NaN`` or ``None``.
    """
    for found in _FOREIGN.finditer(line.decode(errors="replace")):
        kind = found.lastgroup
        if kind in {"nan", "infinity"}:
            return f"it has {found[0]} for a number: {NO_NUMBER}"
        if kind is not None and found[0] != kind:
            return f"it has {found[0]}, which JSON spells {kind}"
    return f"it has a word such as NaN for a number: {NO_NUMBER}"


def why_no_json(line: bytes) -> str:
    """Say what is wrong with a line that is no JSON, and where.

    Args:
        line: A line that ``loads`` refuses.
    """
    try:
        loads(line)
    except JsonError as error:
        where = "" if error.position is None else f" at byte {error.position}"
        return f"{error.detail}{where}"
    return "it is more than one JSON text"


def is_json(text: bytes) -> bool:
    """Tell whether a line is JSON text, whatever its numbers.

    One beyond the largest double is JSON, if of no use to us.
    """

    def refuse(word: str) -> NoReturn:
        raise ValueError(word)

    try:
        # Digits are not converted: an interpreter may refuse thousands of them.
        json.loads(text.decode(), parse_constant=refuse, parse_int=len)
    except (ValueError, RecursionError):
        return False
    return True


def _spelling(found: re.Match[str]) -> str:
    """Return a word as the decoder spells it, and a string as it is."""
    if found.lastgroup is None:
        return found[0]
    sign = "-" if found[0].startswith("-") else ""
    return sign + _AS_READ[found.lastgroup]
