"""The arguments of a function call: a JSON object, written as text.

What is strict JSON is what `framing.loads` takes, and numbers that it has no value for:
an exponent beyond a double, or more digits than the interpreter converts.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NoReturn, cast

from wireproof_reference.framing import JsonError, dumps, loads

if TYPE_CHECKING:
    from wireproof_reference.framing import JSONObject

NO_ARGUMENTS: Final = "{}"
"""Stands for arguments that cannot be read."""


def is_object_text(text: str) -> bool:
    """Whether a text is one JSON object, in strict JSON, at most `MAX_DEPTH` deep.

    Takes time linear in the length of the text, whatever it is, and never raises.
    """
    try:
        return isinstance(loads(text.encode()), dict)
    except UnicodeEncodeError:  # a raw lone surrogate: cannot be sent (INT-Z7)
        return False
    except JsonError as error:
        return error.reason == "not-json" and _is_object_whatever_its_numbers(text)


def load_object(text: str) -> JSONObject:
    """Read arguments.

    Raises:
        ValueError: It is not a JSON object, or holds a number that has no value here.
    """
    value = loads(text.encode())
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004 - the text is wrong
    return value


def dump_object(arguments: JSONObject) -> str:
    """Write arguments as compact JSON.

    Raises:
        EncodeError: JSON cannot hold them.
    """
    return dumps(arguments).decode()


def repaired(arguments: object) -> str:
    """Arguments as a text that is a JSON object, whatever they were; never raises."""
    if isinstance(arguments, str):
        return arguments if is_object_text(arguments) else NO_ARGUMENTS
    if isinstance(arguments, dict):
        try:
            return dump_object(cast("JSONObject", arguments))
        except Exception:  # noqa: BLE001 - INT-Z5: any dict, whatever its values do
            return NO_ARGUMENTS
    return NO_ARGUMENTS


def _is_object_whatever_its_numbers(text: str) -> bool:
    """The same grammar, with numbers left alone (INT-Z3: however they are spelled)."""
    try:
        return isinstance(_GRAMMAR.decode(text), dict)
    except (ValueError, RecursionError):
        return False


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _ignore(digits: str) -> None:
    return None


_GRAMMAR: Final = json.JSONDecoder(
    parse_int=_ignore, parse_float=_ignore, parse_constant=_refuse
)
