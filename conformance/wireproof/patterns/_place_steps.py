"""The steps of a place with values in it.

A place is a vector whose steps hold forms for values: ``{"$value": true}`` is one of
them and ``{"$value_name": true}`` its name, ``{"$values": "members"}`` all of them as
the members of an object, ``"elements"`` as an array (each in the template ``as`` where
there is one), ``"keys"`` as the keys of an object, each with its place among them
from 1 on; members under ``with`` stand beside them. ``{"$pack": true}`` is the name of
the first value, which tells one exchange from the next. A step that holds one value, or
has ``for_each``, is carried out for each, and all of these before the step after it:
requests are sent together. Any other step is carried out once. What is sent has a
number as the corpus spells it; what is expected, its value.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import orjson

from wireproof.patterns import expand, is_array, is_object
from wireproof_reference.framing import dumps

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.patterns import Given

Step = dict[str, Any]

_Fill: TypeAlias = "Callable[[Given | None], Any]"
"""Makes of a template what it is with one value, or with none."""

ONE_VALUE = frozenset({"$value", "$value_name"})
"""Forms that stand for one value or its name."""

RAW = ("send_raw", "run_raw")
"""Steps of bytes, in which a value may stand as its JSON text."""

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
    written = [_as_spelled(one) for one in given]
    for step in steps:
        fill = _filler(step, written if "send" in step else given)
        if FOR_EACH not in step and not _holds_one(step):
            made.append(_step(step, fill, None))
            about.append(None)
        elif "send" in step:
            filled = [_step(step, fill, one) for one in written]
            message = [one.pop("send") for one in filled]
            made.append({"send_many": message, **filled[0]})
            about.append(None)
        else:
            made += [_step(step, fill, one) for one in given]
            about += given
    return made, about


def _as_spelled(one: Given) -> Given:
    return replace(one, value=orjson.Fragment(one.spelling)) if one.spelling else one


def _step(step: Mapping[str, Any], fill: _Fill | None, one: Given | None) -> Step:
    filled = dict(step) if fill is None else fill(one)
    filled.pop(FOR_EACH, None)
    for key in RAW:
        if key in filled:
            filled[key] = [_piece(piece) for piece in filled[key]]
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


def _filler(template: Any, given: Sequence[Given]) -> _Fill | None:
    """Return what fills a template with one value after another.

    Most of a template is the same for all values: it is looked through once, and what
    holds no form is part of each step that comes of it.

    Returns:
        None where the template stands for itself.
    """
    if is_array(template):
        return _of_array(template, given)
    if not is_object(template):
        return None
    match template:
        case {"$value": True}:
            return lambda one: template if one is None else _plain(one.value)
        case {"$value_name": True}:
            return lambda one: template if one is None else one.name
        case {"$pack": True}:
            return lambda _: given[0].name
        case {"$values": str(shape), **beside}:
            return _together(shape, beside, given)
        case {"$literal": _}:
            return None
        case _:
            return _of_object(template, given)


def _of_array(template: list[Any], given: Sequence[Given]) -> _Fill | None:
    fills = [_filler(element, given) for element in template]
    if not any(fills):
        return None
    pairs = list(zip(fills, template, strict=True))
    return lambda one: [fill(one) if fill else element for fill, element in pairs]


def _of_object(template: dict[str, Any], given: Sequence[Given]) -> _Fill | None:
    found = {key: _filler(value, given) for key, value in template.items()}
    fills = [(key, fill) for key, fill in found.items() if fill]
    if not fills:
        return None
    is_join = "$join" in template

    def fill(one: Given | None) -> Any:
        filled = dict(template)
        for key, inner in fills:
            filled[key] = inner(one)
        parts = filled["$join"] if is_join else None
        if is_array(parts) and all(isinstance(part, str) for part in parts):
            return "".join(parts)
        return filled

    return fill


def _together(shape: str, beside: Mapping[str, Any], given: Sequence[Given]) -> _Fill:
    if "as" in beside:
        return _each(shape, beside["as"], given)
    with_them = beside.get("with", {})
    more = _filler(with_them, given)
    value: Any
    match shape:
        case "members":
            value = {each.name: each.value for each in given}
        case "keys":
            value = {each.value: place for place, each in enumerate(given, 1)}
        case _:
            value = [each.value for each in given]
    if not with_them:
        plain = _plain(value)
        return lambda _: plain
    return lambda one: _plain(value, more(one) if more else with_them)


def _each(shape: str, template: Any, given: Sequence[Given]) -> _Fill:
    fill = _filler(template, given)
    if fill is None:
        return lambda _: _shaped(shape, given, [template] * len(given))
    return lambda _: _shaped(shape, given, [fill(each) for each in given])


def _shaped(shape: str, given: Sequence[Given], filled: list[Any]) -> Any:
    if shape != "members":
        return filled
    names = (each.name for each in given)
    return dict(zip(names, filled, strict=True))


def _plain(value: Any, more: Mapping[str, Any] | None = None) -> Any:
    """Return a value as it stands in a message, dollar keys and all."""
    if more:
        members = {key: _plain(member) for key, member in value.items()}
        return {**members, **more}
    return {"$literal": value} if is_object(value) or is_array(value) else value
