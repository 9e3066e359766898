"""Find the messages in a line that is not one JSON object.

A prompt in front of a message, or two messages on a line, are faults of framing. The
messages themselves are taken all the same, so that a subject with one such fault is
not reported as broken in everything.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wireproof.patterns import is_object, without_strings

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

ATTEMPTS = 50
"""Places in a line that turn out to be no message before the search is given up."""

SHORT = 1 << 16
"""Characters of a line of which each attempt may read all."""

PASSES = 4
"""How often a longer line may be read over, all attempts together: the search takes
time in proportion to its length, whatever stands in it."""

SEAM = 100
"""Characters that are shown before and behind the place where two messages meet."""

_DECODER = json.JSONDecoder()

_NO_NUMBER = re.compile(r"(?<![\w.])-?(?:NaN|Infinity)(?![\w.])")
"""A word that languages write for a number that JSON has not."""

MESSAGE_KEYS = frozenset({"ok", "result", "error", "event"})
"""An object with one of these is meant as a message."""

ID_KEYS = frozenset({"id", "requestId"})
"""Within what may be a message that is cut, an object with none of these is a part."""


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What was found in a line.

    Attributes:
        values: The messages, in order; at least one.
        rest: The pieces of text around them that are not blank.
    """

    values: tuple[dict[str, Any], ...]
    rest: tuple[bytes, ...]


def salvage(
    line: bytes,
    keys: AbstractSet[str] = MESSAGE_KEYS,
    ids: AbstractSet[str] = ID_KEYS,
) -> Salvaged | None:
    """Look for protocol messages in a line that does not parse as a whole.

    Args:
        line: The line.
        keys: Of these a message has at least one.
        ids: Of these a message within what is cut has one; empty where messages have
            no ids.

    Returns:
        The messages and what stood around them, or None where there is no message.
    """
    text = line.decode(errors="replace")
    values: list[dict[str, Any]] = []
    rest: list[bytes] = []
    position = 0
    junk_from = 0
    attempts = ATTEMPTS
    within = False
    budget = max(PASSES * len(text), ATTEMPTS * SHORT)
    while attempts and budget > 0 and (start := text.find("{", position)) != -1:
        value: Any
        try:
            value, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            # An error does not tell how far was read: a string without its end is
            # reported where it begins.
            budget -= len(text) - start
            attempts -= 1
            position = start + 1
            within = True
            continue
        is_part = within and ids and is_object(value) and ids.isdisjoint(value)
        if not is_object(value) or keys.isdisjoint(value) or is_part:
            attempts -= 1
            position = end
            continue
        if text[junk_from:start].strip():
            rest.append(text[junk_from:start].strip().encode())
        values.append(value)
        position = junk_from = end
        within = False
    if not values:
        return None
    if text[junk_from:].strip():
        rest.append(text[junk_from:].strip().encode())
    return Salvaged(tuple(values), tuple(rest))


def seam(line: bytes) -> bytes:
    """Return the part of a line where its first message meets the next.

    Args:
        line: A line in which ``salvage`` has found two messages and nothing else.
    """
    text = line.decode(errors="replace")
    _, end = _DECODER.raw_decode(text, text.index("{"))
    first = f"…{text[end - SEAM : end]}" if end > SEAM else text[:end]
    return f"{first}{text[end : end + SEAM]}…".encode()


def no_number(line: bytes) -> str:
    """Say which word of a line is none of JSON's, where all else is.

    Args:
        line: A line that is JSON but for a word such as ``NaN``.
    """
    found = _NO_NUMBER.search(without_strings(line.decode(errors="replace")))
    word = found[0] if found else "a word such as NaN"
    return f"it has {word} for a number: refuse what JSON cannot hold"
