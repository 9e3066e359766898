"""Texts of arguments that are drawn, and what becomes of each when it is sanitised.

What is expected comes from the text itself, read by a strict parser here: kept,
emptied, or either where the clauses leave it open. Imports Hypothesis: import it only
where something is fuzzed.
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, Literal

from hypothesis import strategies as st

from wireproof.fuzzing import exactly, texts, values
from wireproof.protocols.interop._drawn_values import keys, small_values
from wireproof_vectors import load_vectors

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_CUTS = 120
"""Cuts of one text in one example."""

PLAIN_DEPTH = 100
"""Nesting up to which every JSON parser reads a text."""

MOST_DIGITS = 4_300
"""Digits of an integer that every JSON parser reads (INT-Z3)."""

EMPTY = "{}"

PARSES = {"$json_text": {"$type": "object"}}
"""A text of an object: what becomes of one that is repaired."""


def _no_constant(text: str) -> Any:
    raise ValueError(text)


def _integer(text: str) -> float:
    """Return an integer; one that common parsers refuse as what no text has."""
    return int(text) if len(text) <= MOST_DIGITS else math.inf


_STRICT = json.JSONDecoder(parse_constant=_no_constant, parse_int=_integer)


def fate(text: str) -> Literal["kept", "emptied", "refused", "loose", "either"]:
    """Tell what becomes of an arguments text (INT-Z1 to Z3, Z6, Z7, Z10, Z11).

    A text that standard parsers refuse becomes {}, or is repaired (SHOULD: it is not);
    one that some of them take, "loose", may be kept as well.
    """
    try:
        text.encode()
        value: Any = _STRICT.decode(text)
    except RecursionError:
        return "either"
    except ValueError:
        if not text.strip():
            return "emptied"
        return "loose" if _some_take(text) else "refused"
    if not isinstance(value, dict):
        holds_object = isinstance(value, str) and value.lstrip().startswith("{")
        return "refused" if holds_object else "emptied"
    try:
        # Escaped halves of surrogate pairs, and numbers that no double can hold, are
        # valid JSON that not every parser takes.
        again = json.dumps(value, ensure_ascii=False, allow_nan=False)
        again.encode()
    except (ValueError, RecursionError):
        return "either"
    return "kept" if _depth(text) <= PLAIN_DEPTH else "either"


def _some_take(text: str) -> bool:
    """Tell whether a parser takes a text that knows NaN, Unicode digits and blanks."""
    digits = re.sub(r"(?![0-9])\d", "1", text)
    plain = re.sub(r"[^\S\t\n\r\x1c-\x1f]", " ", digits)
    try:
        return isinstance(json.loads(plain), dict)
    except (ValueError, RecursionError):
        return False


def _depth(text: str) -> int:
    depth = deepest = 0
    for char in text:
        if char in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in "]}":
            depth -= 1
    return deepest


def what_becomes(text: str) -> Any:
    """Return the pattern of what an arguments text becomes."""
    kept = exactly(text)
    return {
        "kept": kept,
        "emptied": EMPTY,
        "refused": PARSES,
        "loose": {"$one_of": [kept, PARSES]},
        "either": {"$one_of": [kept, EMPTY]},
    }[fate(text)]


objects = st.dictionaries(keys, values, max_size=4)


_SPELLINGS: tuple[Mapping[str, Any], ...] = (
    {},
    {"separators": (",", ":")},
    {"separators": (" , ", " :\t"), "ensure_ascii": False},
    {"indent": 1},
    {"indent": "\t", "ensure_ascii": False},
    {"indent": "\r\n", "sort_keys": True},
)

_AROUND = (("", ""), (" ", ""), ("", "\n"), ("\t \r\n", " "))

_REWRITTEN = (("1", "1.0e0"), ("/", "\\/"), ("a", "\\u0061"), ("0", "0.00"))


def _spelling(value: Any, number: int) -> str:
    """Return one of the many ways in which an object's text may be written."""
    number, which = divmod(number, len(_SPELLINGS))
    text = json.dumps(value, **_SPELLINGS[which])
    number, around = divmod(number, len(_AROUND))
    before, after = _AROUND[around]
    rewritten = text
    if number:
        rewritten = text.replace(*_REWRITTEN[number - 1])
    found = before + rewritten + after
    return found if rewritten == text or fate(found) == "kept" else text


_WAYS = len(_SPELLINGS) * len(_AROUND) * (len(_REWRITTEN) + 1)


def spellings(value: Any) -> list[str]:
    """Return an object in all these ways."""
    if fate(json.dumps(value)) != "kept":
        return [EMPTY]
    return list(dict.fromkeys(_spelling(value, way) for way in range(_WAYS)))


valid_texts = st.tuples(objects, st.integers(0, _WAYS - 1)).map(
    lambda pair: _spelling(*pair) if fate(json.dumps(pair[0])) == "kept" else EMPTY
)


def _cuts(text: str) -> list[str]:
    step = max(1, len(text) // MOST_CUTS)
    return [text[:end] for end in range(0, len(text), step)]


_NOISE = "{}[]\",:\\ \x00\x1f/*#'\ufeffe1-.tfnu日"


def damaged(first: str, second: str) -> list[str]:
    """Return all cuts of a text, splices with another, and single changes."""
    first = first[:MOST_CUTS]
    found = _cuts(first) + [first[end:] for end in range(1, len(first))]
    for place in range(len(first)):
        noise = _NOISE[place % len(_NOISE)]
        found += [
            first[:place] + second[place:],
            first[:place] + second,
            first[:place] + noise + first[place:],
            first[:place] + noise + first[place + 1 :],
            first[:place] + first[place + 1 :],
        ]
    return found


damaged_texts = st.tuples(valid_texts, valid_texts)
"""Two valid texts, of which much may become."""

few_damaged_texts = st.tuples(valid_texts, valid_texts, st.integers(0, 4)).map(
    lambda drawn: [drawn[0], *damaged(drawn[0], drawn[1])[drawn[2] :: 5]]
)
"""A valid text and every fifth of what may become of it."""


def _lenient() -> dict[str, str]:
    """Return the texts of the vectors of lenient JSON, each with the vector's id."""
    found: dict[str, str] = {}
    for vector in load_vectors("interop"):
        data: Any = vector.data
        if vector.group == "sanitise-lenient" and "needs" not in data:
            call = data["steps"][0]["input"]["call"]
            found[call.get("function", call)["arguments"]] = vector.id
    return found


_LENIENT = [text for text, vector in _lenient().items() if "/two-" not in vector]

TWO_VALUES = [text for text in _lenient() if text not in _LENIENT]
"""Texts of which nobody can know which value is meant."""


@st.composite
def lenient_texts(draw: st.DrawFn) -> list[str]:
    """Lenient JSON, a block of it, alone and inside a valid text."""
    first = draw(st.integers(0, len(_LENIENT) - 1))
    count = draw(st.integers(1, 12))
    chosen = [_LENIENT[(first + place) % len(_LENIENT)] for place in range(count)]
    key = json.dumps(draw(texts(4)))
    inside = [f'{{{key}: [{text}], "z": {text}}}' for text in chosen]
    return [*chosen, *inside, draw(st.sampled_from(TWO_VALUES))]


@st.composite
def duplicate_keys(draw: st.DrawFn) -> list[str]:
    key = json.dumps(draw(keys))
    one, two = json.dumps(draw(small_values)), json.dumps(draw(small_values))
    return [f"{{{key}:{one},{key}:{two}}}", f'{{"x":{{{key}:{one}, {key} :{two}}}}}']
