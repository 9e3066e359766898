"""Formats that a registry declares beside those of the table, exercised (INT-G4, S1).

Nothing is known of such a format but its name, so the registry's own adapters make
its objects: a function schema goes there, is inspected, handed on and taken back. A
way that the registry refuses is one for which it has no adapter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.patterns import is_array, is_object, json_equal
from wireproof.protocols.interop._shapes import CHAT, RESPONSES, TABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.bridge import Answer, Told

    Ask = Callable[[str, Mapping[str, Any]], Told]

NAME = "read_file"
_FUNCTION = {
    "name": NAME,
    "description": "Read a file.",
    "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
}
SOURCES: tuple[tuple[str, Mapping[str, Any]], ...] = (
    (CHAT, {"type": "function", "function": _FUNCTION}),
    (RESPONSES, {"type": "function", **_FUNCTION}),
)


class _NotAnswered(Exception):
    def __init__(self, told: Told) -> None:
        self.told = told
        super().__init__(told.seen["ended"])


class _Unexpected(Exception):
    def __init__(self, text: str, where: str, expected: Any, actual: Any) -> None:
        self.shown = {"where": where, "expected": expected, "actual": actual}
        super().__init__(text)


def exercise_formats(declared: Sequence[str], ask: Ask) -> dict[str, Any]:
    """Exercise each format that is not of the table.

    Args:
        declared: The formats that the registry declares.
        ask: Asks an op with arguments.

    Returns:
        What the op came to that was not answered, as `Told.seen` has it; else
        ``value``, as the scenarios in the registry's process have it.
    """
    value: dict[str, Any] = {"missing": "", "wrong": ""}
    seen: dict[str, Any] = {"op": "convert_schemas", "ended": "answered", "text": ""}
    seen |= {"seconds": 0.0, "status": None, "value": value}
    own = [name for name in declared if name not in TABLE]
    if not own:
        value["missing"] = "a format of its own"
        return seen
    try:
        ways = {name: _exercise(ask, name) for name in own}
    except _NotAnswered as error:
        return error.told.seen
    except _Unexpected as error:
        value |= {"wrong": str(error), **error.shown}
        return seen
    if not any(ways.values()):
        value["missing"] = f"a way from a function schema to {', '.join(own)}"
    return {**seen, "evidence": {"ways": ways}}


def _exercise(ask: Ask, name: str) -> list[str]:
    """Take a schema to a format and back; return the ways that exist."""
    ways: list[str] = []
    for target, source in SOURCES:
        made = _convert(ask, source, target, name)
        if made is None:
            continue
        ways.append(f"from {target}.function")
        again = _convert(ask, made, target, name)
        if not json_equal(made, again):
            text = f"a schema of {name} is not handed on although {name} is accepted"
            raise _Unexpected(text, name, made, again)
        seen = _answer(ask("inspect_schema", {"schema": made}))
        if seen.ok:
            wanted = {"name": NAME, "format": name}
            found = {key: _member(seen.value, key) for key in wanted}
            if found != wanted:
                text = f"inspect_schema says something else of a schema of {name}"
                raise _Unexpected(text, name, wanted, found)
        for back, shape in SOURCES:
            left = _convert(ask, made, back, f"{back}.function")
            if left is None:
                continue
            ways.append(f"to {back}.function")
            inner = _member(left, "function") if "function" in shape else left
            told: Any = seen.value if seen.ok else {}
            # What its accessor sees in the object is there to be taken along.
            for key in ("name", "description", "parameters"):
                held: Any = NAME if key == "name" else _member(told, key)
                if held == _FUNCTION[key] != _member(inner, key):
                    text = (
                        f"the {key} is lost on the way from {name} to {back}.function"
                    )
                    raise _Unexpected(text, key, held, _member(inner, key))
    return list(dict.fromkeys(ways))


def _convert(ask: Ask, schema: Any, target: str, accepted: str) -> Any:
    """Return the converted schema; None if the registry refuses the way."""
    arguments = {"schemas": [schema], "target": target, "target_formats": [accepted]}
    answer = _answer(ask("convert_schemas", arguments))
    if not answer.ok:
        return None
    found: Any = answer.value
    if not is_array(found) or len(found) != 1:
        text = f"one schema converted to {accepted} is not one schema"
        raise _Unexpected(text, accepted, "an array of 1 element", found)
    return found[0]


def _answer(told: Told) -> Answer:
    if told.answer is None:
        raise _NotAnswered(told)
    return told.answer


def _member(value: Any, key: str) -> Any:
    return value.get(key) if is_object(value) else None
