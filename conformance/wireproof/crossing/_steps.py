"""The steps of a place with values in it.

A place is a vector whose steps hold forms for values: ``{"$value": true}`` is one of
them and ``{"$value_name": true}`` its name, ``{"$values": "members"}`` all of them as
the members of an object, ``"elements"`` as an array (each in the template ``as`` where
there is one), ``"keys"`` as the keys of an object, each with its place among them
from 1 on; members under ``with`` stand beside them. ``{"$pack": true}`` is the name of
the first value, which tells one exchange from the next. A step that holds one value, or
has ``for_each``, is carried out for each, and all of these before the step after it:
requests are sent together. Any other step is carried out once.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.crossing._given import Given, given_at
from wireproof.patterns import expand, is_array, is_object
from wireproof_reference.framing import dumps

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof_vectors import Vector

Step = dict[str, Any]

ONE_VALUE = frozenset({"$value", "$value_name"})
"""Forms that stand for one value or its name."""

FOR_EACH = "for_each"
"""Marks a step that is carried out for each value although it holds none."""


def is_place(data: Mapping[str, Any]) -> bool:
    """Tell whether a vector is carried out for each of many values."""
    return "values" in data


def steps_with(
    steps: Sequence[Mapping[str, Any]], given: Sequence[Given]
) -> tuple[list[Step], list[Given | None]]:
    """Return the steps of a place with these values in it.

    Returns:
        The steps, and for each the value that it alone is about, or None.
    """
    made: list[Step] = []
    about: list[Given | None] = []
    for step in steps:
        if FOR_EACH not in step and not _holds_one(step):
            made.append(_step(step, None, given))
            about.append(None)
        elif "send" in step:
            filled = [_step(step, one, given) for one in given]
            message = [one.pop("send") for one in filled]
            made.append({"send_many": message, **filled[0]})
            about.append(None)
        else:
            made += [_step(step, one, given) for one in given]
            about += given
    return made, about


def filled(vector: Vector) -> Vector:
    """Return a vector as it is carried out at once: a place with all of its values."""
    if not is_place(vector.data):
        return vector
    given = given_at(vector.data)
    return replace(vector, data=_filled(dict(vector.data), None, given))


def _step(step: Mapping[str, Any], one: Given | None, given: Sequence[Given]) -> Step:
    filled: Step = _filled(step, one, given)
    filled.pop(FOR_EACH, None)
    if "send_raw" in filled:
        filled["send_raw"] = [_piece(piece) for piece in filled["send_raw"]]
    return filled


def _piece(piece: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a piece of bytes; ``json`` is a value in JSON text."""
    if "json" not in piece:
        return piece
    return {"text": dumps(expand(piece["json"], {})).decode()}


def _holds_one(template: Any) -> bool:
    """Tell whether a template holds a form for one value, outside of ``as``."""
    if is_array(template):
        return any(map(_holds_one, template))
    if not is_object(template) or "$literal" in template:
        return False
    if not ONE_VALUE.isdisjoint(template):
        return True
    inner = (one for key, one in template.items() if key != "as")
    return any(map(_holds_one, inner))


def _filled(template: Any, one: Given | None, given: Sequence[Given]) -> Any:
    if is_array(template):
        return [_filled(element, one, given) for element in template]
    if not is_object(template):
        return template
    match template:
        case {"$value": True} if one is not None:
            return _plain(one.value)
        case {"$value_name": True} if one is not None:
            return one.name
        case {"$pack": True}:
            return given[0].name
        case {"$values": str(shape), **beside}:
            return _together(shape, beside, one, given)
        case {"$literal": _}:
            return template
        case _:
            pass
    filled = {key: _filled(value, one, given) for key, value in template.items()}
    parts = filled.get("$join")
    if is_array(parts) and all(isinstance(part, str) for part in parts):
        return "".join(parts)
    return filled


def _together(
    shape: str, beside: Mapping[str, Any], one: Given | None, given: Sequence[Given]
) -> Any:
    more = _filled(beside.get("with", {}), one, given)
    match shape:
        case "members" if "as" in beside:
            return {one.name: _filled(beside["as"], one, given) for one in given}
        case "members":
            return _plain({each.name: each.value for each in given}, more)
        case "keys":
            places = enumerate(given, 1)
            return _plain({each.value: place for place, each in places}, more)
        case _ if "as" in beside:
            return [_filled(beside["as"], each, given) for each in given]
        case _:
            return _plain([each.value for each in given])


def _plain(value: Any, more: Mapping[str, Any] | None = None) -> Any:
    """Return a value as it stands in a message, dollar keys and all."""
    if more:
        members = {key: _plain(member) for key, member in value.items()}
        return {**members, **more}
    return {"$literal": value} if is_object(value) or is_array(value) else value
