"""Ids of requests: strings and numbers, compared as JSON values."""

from __future__ import annotations

import math
from typing import Any

OWN_IDS = 900_000_000
"""From here on ids are the suite's own: integers that fit 32 bits, as a server that was
written after the example of the seed may want them."""

MOST_EXACT = 2**53
"""The largest integer below which a double holds each."""

MOST_OWN = 90_000_000
"""How many of them there may be."""

NUMBER = "\0"
"""Begins the key of a number, so that 1 and "1" are told apart."""


def key_of(value: Any) -> str | None:
    """Return the key of an id; None for what is no id, null included.

    1 and 1.0 are one number.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        if value.is_integer():
            value = int(value)
    return f"{NUMBER}{value}"


def is_plain(value: Any) -> bool:
    """Tell whether a server has to give an id back: of other kinds it should (S12)."""
    if isinstance(value, str):
        return value != ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 < value <= MOST_EXACT and value == int(value)


def is_own(value: Any) -> bool:
    """Tell whether an id is one of the suite's own requests."""
    if isinstance(value, bool) or not isinstance(value, int):
        return False
    return OWN_IDS < value < OWN_IDS + MOST_OWN


def is_own_key(key: str) -> bool:
    """Tell whether a key is that of one of the suite's own requests."""
    digits = key.removeprefix(NUMBER)
    return key != digits and digits.isdecimal() and is_own(int(digits))
