"""JSON as RFC 8259 has it, exactly: what orjson does well, checked where it is not.

Theory of operation: orjson is many times faster than the standard library, and
strict, but for five points.  Reading, it rounds an integer beyond 64 bits to a
float, refuses an escaped lone surrogate (which RFC 8259 allows), and nests to 1024.
Writing, it turns NaN and the infinities into `null`, and refuses large integers
and lone surrogates.  Each function looks for the signs of such a value, which
is cheap, and only then takes the slow and exact road through `json`.
"""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NoReturn, TypeAlias, cast

import orjson

from wireproof_reference._errors import EncodeError, JsonError

if TYPE_CHECKING:
    from collections.abc import Iterator

JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"
"""A JSON value as Python holds it."""

JSONObject: TypeAlias = dict[str, JSON]
"""A JSON object as Python holds it."""

MAX_DEPTH: Final = 512
"""Arrays and objects may nest this deep, both ways.

Real messages nest a few dozen deep; the interpreter's own stack, which the exact
road recurses on, holds about 1,000.
"""

MAX_SHALLOW_BYTES: Final = 2 * MAX_DEPTH + 1
"""A JSON text of no more bytes cannot nest too deep: each level takes two."""

# CPython refuses to convert more decimal digits unless told otherwise, because
# the conversion is quadratic.
_MAX_INTEGER_DIGITS: Final = 4300

# A double holds every integer up to it.
_MAX_EXACT: Final = 2.0**53

# 2**63 has 19 digits: an integer of fewer fits 64 bits and is exact in orjson.
_LONG_NUMBER_DIGITS: Final = 19
_DIGITS_TO_ZERO: Final = bytes.maketrans(b"123456789", b"0" * 9)
_LONG_NUMBER: Final = b"0" * _LONG_NUMBER_DIGITS

# Nineteen digits in a row cover at least three sixth bytes in a row, and three fifth
# ones.  Looking at those first saves most of the cost where no long run of digits is
# near; of two steps one is out of step with a list of short numbers.  The odd one comes
# first: an even one keeps step with numbers of three characters and a comma.
_SAMPLE_STEPS: Final = (5, 6)
_SAMPLE: Final = b"0" * (_LONG_NUMBER_DIGITS // max(_SAMPLE_STEPS))

# Each level of an array takes two bytes, each of an object five: {"":}.
_DEEP_OBJECTS_BYTES: Final = 5 * (MAX_DEPTH + 1)
_OBJECT_OVER_ARRAY: Final = 3

_STRING: Final = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_NOT_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))
_DEPTH_CHANGE: Final = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}

_DUMP_OPTIONS: Final = (
    orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME
)
_LINE_OPTIONS: Final = _DUMP_OPTIONS | orjson.OPT_APPEND_NEWLINE


def loads(data: bytes) -> JSON:
    """Read one JSON text.

    Integers are exact at any size up to 4300 digits, also where one of 19 and more is
    written with a fraction or an exponent; of equal keys the last wins, and
    an escaped lone surrogate is kept as such in the string.

    Raises:
        JsonError: It is not UTF-8, not JSON (a byte order mark, NaN, a number that
            is infinite as a double and trailing data are not), or too deep.
    """
    if not has_long_number(data):
        try:
            value = cast("JSON", orjson.loads(data))
        except orjson.JSONDecodeError:
            return _loads_exact(data)
        _check_depth(data)
        return value
    return _loads_exact(data)


def dumps(value: object) -> bytes:
    """Write a value as compact JSON in UTF-8, on one line.

    Raises:
        EncodeError: JSON cannot hold the value, or it nests deeper than `MAX_DEPTH`.
    """
    try:
        data = orjson.dumps(value, option=_DUMP_OPTIONS)
    except TypeError:
        return _dumps_exact(value)
    _check_written(value, data)
    return data


def encode(value: object) -> bytes:
    """Write a value as one line: compact JSON and a line feed.

    Raises:
        EncodeError: As `dumps`.
    """
    try:
        data = orjson.dumps(value, option=_LINE_OPTIONS)
    except TypeError:
        return _dumps_exact(value) + b"\n"
    _check_written(value, data)
    return data


def has_long_number(data: bytes) -> bool:
    """Whether a run of digits is so long that orjson may round it to a float."""
    for step in _SAMPLE_STEPS:
        if _SAMPLE not in data[::step].translate(_DIGITS_TO_ZERO):
            return False
    return _LONG_NUMBER in data.translate(_DIGITS_TO_ZERO)


def _loads_exact(data: bytes) -> JSON:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise JsonError("not-utf8", error.reason, error.start) from error
    # The standard library refuses a byte order mark too, but says what to do in
    # terms of Python codecs.
    if text.startswith("\ufeff"):
        raise JsonError("not-json", "a byte order mark", 0)
    _check_depth(data)
    try:
        return cast("JSON", _EXACT_DECODER.decode(text))
    except json.JSONDecodeError as error:
        position = len(text[: error.pos].encode())
        raise JsonError("not-json", error.msg.lower(), position) from error
    except RecursionError as error:
        detail = "nested deeper than what is left of the interpreter's stack"
        raise JsonError("too-deep", detail) from error


def is_shallow(data: bytes, longest: int) -> bool:
    """Whether there are too few brackets for anything in it to nest too deep.

    Args:
        data: JSON texts, one or several.
        longest: Bytes of the longest of them.
    """
    arrays = data.count(b"[")
    # In a short text that nests too deep most levels are arrays: no need to count both.
    if _OBJECT_OVER_ARRAY * arrays < _DEEP_OBJECTS_BYTES - longest:
        return True
    return arrays + data.count(b"{") <= MAX_DEPTH


def _check_depth(data: bytes) -> None:
    if len(data) <= MAX_SHALLOW_BYTES or is_shallow(data, len(data)):
        return
    brackets = _STRING.sub(b"", data).translate(None, _NOT_BRACKETS)
    depth = max(accumulate(map(_DEPTH_CHANGE.__getitem__, brackets)), default=0)
    if depth > MAX_DEPTH:
        raise JsonError("too-deep", f"nested {depth} deep, at most {MAX_DEPTH} allowed")


def _parse_integer(digits: str) -> int:
    if len(digits.removeprefix("-")) > _MAX_INTEGER_DIGITS:
        detail = f"an integer of more than {_MAX_INTEGER_DIGITS} digits"
        raise JsonError("not-json", detail)
    return int(digits)


def _parse_fraction(digits: str) -> int | float:
    number = float(digits)
    if math.isinf(number):
        raise JsonError("not-json", "a number beyond the range of a double")
    # A double is written with 17 digits at the most: what has more says what it is.
    figures = digits.lower().partition("e")[0].strip("-").replace(".", "")
    if len(figures) < _LONG_NUMBER_DIGITS or abs(number) <= _MAX_EXACT:
        return number
    exact = Decimal(digits)
    return int(exact) if exact == exact.to_integral_value() else number


def _refuse_constant(name: str) -> NoReturn:
    raise JsonError("not-json", f"{name} is not JSON")


_EXACT_DECODER: Final = json.JSONDecoder(
    parse_int=_parse_integer,
    parse_float=_parse_fraction,
    parse_constant=_refuse_constant,
)

_EXACT_ENCODER: Final = json.JSONEncoder(
    ensure_ascii=False,
    check_circular=False,  # the depth was checked
    allow_nan=False,
    separators=(",", ":"),
)


def _check_written(value: object, data: bytes) -> None:
    """Refuse what orjson has written otherwise than it is."""
    # NaN and the infinities come out as null.
    if b"null" in data:
        _check_encodable(value)


def _dumps_exact(value: object) -> bytes:
    _check_encodable(value)
    try:
        text = _EXACT_ENCODER.encode(value)
    except (TypeError, ValueError) as error:
        raise EncodeError(str(error)) from error
    except RecursionError as error:
        detail = "nested deeper than what is left of the interpreter's stack"
        raise EncodeError(detail) from error
    # A lone surrogate is the only thing that UTF-8 cannot hold, and then this
    # handler writes just the escape that JSON has for it.
    return text.encode(errors="backslashreplace")


def _check_encodable(value: object) -> None:
    """Refuse what either encoder would write wrongly, or not return from."""
    path: list[Iterator[object]] = [iter((value,))]
    while path:
        for item in path[-1]:
            children = _children(item)
            if children is not None:
                # A cycle ends here too.
                if len(path) > MAX_DEPTH:
                    raise EncodeError(f"nested deeper than {MAX_DEPTH}, or a cycle")
                path.append(children)
                break
        else:
            path.pop()


def _children(item: object) -> Iterator[object] | None:
    """The values inside an array or object, or None for a plain value."""
    if isinstance(item, float):
        if not math.isfinite(item):
            raise EncodeError(f"{item} has no JSON text")
        return None
    if isinstance(item, (list, tuple)):
        return iter(cast("list[object]", item))
    if isinstance(item, dict):
        members = cast("dict[object, object]", item)
        for key in members:
            if not isinstance(key, str):
                raise EncodeError(f"a key must be a string, not {key!r}")
        return iter(members.values())
    return None
