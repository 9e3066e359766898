"""Strict JSON by the standard library alone, which starts in half of orjson's time."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from typing import NoReturn

    from wireproof_reference.framing import JSON


def loads(data: bytes) -> JSON:
    """Read one JSON text in UTF-8; integers are exact.

    Raises:
        ValueError: It is none, or nests deeper than the interpreter can follow.
    """
    try:
        return cast("JSON", _DECODER.decode(data.decode()))
    except RecursionError:
        raise ValueError("it nests too deep") from None


def dumps(value: object) -> bytes:
    """Write a value as JSON on one line, in ASCII, without a line feed.

    Raises:
        ValueError: JSON cannot hold the value.
    """
    try:
        return _ENCODER.encode(value).encode()
    except RecursionError:
        raise ValueError("it nests too deep") from None
    except TypeError as error:
        raise ValueError(str(error)) from error


def _parse_fraction(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError("a number beyond the range of a double")
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(
    parse_float=_parse_fraction, parse_constant=_refuse_constant
)
_ENCODER = json.JSONEncoder(allow_nan=False, separators=(",", ":"))
