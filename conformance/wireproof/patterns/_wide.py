"""Numbers that are JSON text, and more than a double or an integer of Python holds.

A subject may have them in what is its own, such as a state, and gets them back as they
came: to itself they may mean something.
"""

from __future__ import annotations

import json
import math
from typing import Any, Self, cast
from uuid import uuid4

from orjson import Fragment

from wireproof_reference.framing import EncodeError, dumps, encode

MOST_DIGITS = 4300
"""Digits from which on the interpreter refuses to read an integer."""

_MARK = uuid4().hex
"""What stands for a wide number until the text around it is written."""


class WideNumber(float):
    """A number beyond all doubles, which knows how it was written.

    Attributes:
        text: Its JSON text.
    """

    text: str

    def __new__(cls, text: str) -> Self:
        """Read the JSON text of a number."""
        self = super().__new__(cls, text)
        self.text = text
        return self

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:
        """Return what makes a copy."""
        return type(self), (self.text,)


def _integer(digits: str) -> int | WideNumber:
    return int(digits) if len(digits) < MOST_DIGITS else WideNumber(digits)


def _fraction(digits: str) -> float:
    number = float(digits)
    return WideNumber(digits) if math.isinf(number) else number


DECODER = json.JSONDecoder(parse_int=_integer, parse_float=_fraction)
"""Reads what the standard library does, and wide numbers too."""


def written(value: Any) -> bytes:
    """Return a message as one line, wide numbers as they came and others as spelled.

    Raises:
        EncodeError: JSON cannot hold the value.
    """
    try:
        return encode(value)
    except EncodeError:
        return _spelled(value) + b"\n"


def text_of(value: Any) -> str:
    """Return the JSON text of a value, as ``written`` has it.

    Raises:
        EncodeError: JSON cannot hold the value.
    """
    try:
        return dumps(value).decode()
    except EncodeError:
        return _spelled(value).decode()


def _spelled(value: Any) -> bytes:
    texts: list[str] = []
    data = dumps(_marked(value, texts))
    for place, text in enumerate(texts):
        data = data.replace(f'"{_MARK}{place}."'.encode(), text.encode(), 1)
    return data


def _marked(value: Any, texts: list[str]) -> Any:
    """Return a value with marks for what has a spelling; these become the texts."""
    if isinstance(value, WideNumber | Fragment):
        if isinstance(value, WideNumber):
            texts.append(value.text)
        else:
            texts.append(dumps(value).decode())
        return f"{_MARK}{len(texts) - 1}."
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        return {key: _marked(one, texts) for key, one in members.items()}
    if isinstance(value, list):
        return [_marked(one, texts) for one in cast("list[object]", value)]
    return value
