"""The generators that a vector's messages may hold, and their expansion.

A vector stays small and literal where its bytes are large or known only at run
time: ``{"$repeat": "x", "times": n}`` is a long string, ``{"$nest": n, "value": v}``
a deep array, ``{"$copies": n, "value": v}`` an array of so many equal values,
``{"$members": "k", "times": n, "value": v}`` an object of as many members, named
``k0`` and so on, ``{"$numbered": n, "as": v}`` an array of n times v with the place of
each where v has ``{"$number": true}``, ``{"$json": text}`` the value of a JSON text,
``{"$json_text": v}`` the JSON text of a value,
``{"$use": name}`` a value that an earlier step kept, ``{"$join": [...]}`` one text of
several, and ``{"$literal": v}`` is ``v`` itself, dollar keys and all.
"""

from __future__ import annotations

import base64
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeGuard

from wireproof.checks import VectorDefect
from wireproof.patterns._wide import text_of
from wireproof_reference.framing import JsonError, loads

if TYPE_CHECKING:
    from collections.abc import Mapping


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Tell whether a JSON value is an object."""
    return isinstance(value, dict)


def is_array(value: Any) -> TypeGuard[list[Any]]:
    """Tell whether a JSON value is an array."""
    return isinstance(value, list)


SCALARS = frozenset({str, int, float, bool, type(None)})
"""Types of the values that hold no others."""

TIME_KEYS = frozenset({"ms", "delay_ms"})


def is_generator(value: Any) -> TypeGuard[dict[str, Any]]:
    """Tell whether a value is an object with a dollar key: generator or matcher."""
    if not is_object(value):
        return False
    # A generator expression would cost more than the keys of most objects.
    for key in value:  # noqa: SIM110 - see above
        if key.startswith("$"):
            return True
    return False


def expand(template: Any, names: Mapping[str, Any], *, time_scale: int = 1) -> Any:
    """Replace every generator in a message by the value it stands for.

    Args:
        template: A JSON value as it stands in the vector file.
        names: What ``$use`` may name.
        time_scale: Factor for every number under the keys ``ms`` and
            ``delay_ms``, used when a timing vector is tried again more slowly.

    Returns:
        A JSON value of its own; nothing of the template is shared or changed. What
        ``$copies`` makes is one value, many times.

    Raises:
        VectorDefect: If a generator is unknown or names a value nobody kept.
    """
    # Most parts of a message are scalars: a call for each would cost more than they do.
    if is_array(template):
        return [
            one if type(one) in SCALARS else expand(one, names, time_scale=time_scale)
            for one in template
        ]
    if not is_object(template):
        return template
    if is_generator(template):
        return _generate(template, names, time_scale)
    return {
        key: (_scaled(value, time_scale) if key in TIME_KEYS else value)
        if type(value) in SCALARS
        else expand(value, names, time_scale=time_scale)
        for key, value in template.items()
    }


def _scaled(value: Any, scale: int) -> Any:
    return value * scale if isinstance(value, int) else value


def _generate(template: dict[str, Any], names: Mapping[str, Any], scale: int) -> Any:
    match template:
        case {"$use": str(name)}:
            if name not in names:
                raise VectorDefect(f"$use names {name!r}, which no step has saved")
            return names[name]
        case {"$repeat": str(text), "times": int() | {"$use": str()} as times}:
            return text * int(expand(times, names))
        case {"$nest": int(depth)}:
            value = expand(template.get("value"), names, time_scale=scale)
            for _ in range(depth):
                value = [value]
            return value
        case {"$copies": int(count)}:
            return [expand(template.get("value"), names, time_scale=scale)] * count
        case {"$members": str(stem), "times": int(times)}:
            value = template.get("value")
            return {
                f"{stem}{index}": expand(value, names, time_scale=scale)
                for index in range(times)
            }
        case {"$numbered": int(count), "as": inner}:
            return [
                expand(_numbered(inner, number), names, time_scale=scale)
                for number in range(count)
            ]
        case {"$json": str(text)}:
            return _value_of(text)
        case {"$json_text": value}:
            return text_of(expand(value, names, time_scale=scale))
        case {"$literal": value}:
            return value
        case {"$join": [*parts]}:
            return "".join(str(expand(part, names)) for part in parts)
        case _:
            keys = sorted(key for key in template if key.startswith("$"))
            raise VectorDefect(f"unknown generator {', '.join(keys)} in a message")


def _numbered(template: Any, number: int) -> Any:
    """Put a number where a template has ``$number``."""
    if is_array(template):
        return [_numbered(one, number) for one in template]
    if not is_object(template):
        return template
    if template == {"$number": True}:
        return number
    return {key: _numbered(one, number) for key, one in template.items()}


def _value_of(text: str) -> Any:
    try:
        return loads(text.encode())
    except JsonError as error:
        raise VectorDefect(f"{text} cannot be sent: {error}") from error


def raw_bytes(
    pieces: list[dict[str, Any]], names: Mapping[str, Any] = MappingProxyType({})
) -> bytes:
    """Join the pieces of a ``send_raw`` step.

    Args:
        pieces: ``{"text": str}`` or ``{"base64": str}``, each with an optional
            ``times``, or ``{"json": message}``.
        names: What ``$use`` may name in a message.
    """
    parts: list[bytes] = []
    for piece in pieces:
        if "json" in piece:
            parts.append(text_of(expand(piece["json"], names)).encode())
            continue
        text = piece.get("text")
        data = base64.b64decode(piece["base64"]) if text is None else text.encode()
        parts.append(data * piece.get("times", 1))
    return b"".join(parts)
