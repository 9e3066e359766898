"""What may stand where a vector writes a message, a pattern or bytes.

Both languages are JSON in which an object with a key that starts with `$` is a form of
the language and not a value of the protocol. `vectors/README.md` gives their meaning.
"""

import base64
import binascii
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._model import JSON
    from ._place import Place

_TYPES = ("null", "boolean", "number", "integer", "string", "array", "object")


def check_message(place: "Place", value: "JSON") -> None:
    """Check a value that is to be sent.

    Raises:
        VectorError: a form is unknown or has wrong arguments.
    """
    match value:
        case list():
            for index, element in enumerate(value):
                check_message(place.at(index), element)
        case dict() if form := _form(value):
            _check_message_form(place, form, value)
        case dict():
            for key, member in value.items():
                check_message(place.at(key), member)
        case _:
            pass


def check_pattern(place: "Place", value: "JSON") -> None:
    """Check a value to which something received is held.

    Raises:
        VectorError: a matcher is unknown or has wrong arguments.
    """
    match value:
        case list():
            for index, element in enumerate(value):
                check_pattern(place.at(index), element)
        case dict() if form := _form(value):
            _check_matcher(place, form, value)
        case dict():
            for key, member in value.items():
                check_pattern(place.at(key), member)
        case _:
            pass


def check_text(place: "Place", value: "JSON") -> None:
    """Check a string, written out or by a form that stands for one.

    Raises:
        VectorError: it is neither.
    """
    if not isinstance(value, dict):
        place.text(value)
    elif (form := _form(value)) in {"$use", "$repeat", "$join"}:
        _check_message_form(place, str(form), value)
    else:
        raise place.error("a string is wanted", "write it, or $use, $repeat or $join")


def check_pieces(place: "Place", value: "JSON") -> None:
    """Check bytes written as a list of pieces.

    Raises:
        VectorError: a piece is neither text nor base64.
    """
    for index, element in enumerate(place.array(value)):
        check_piece(place.at(index), element)


def check_piece(place: "Place", value: "JSON") -> None:
    """Check one piece: `{"text": …}` or `{"base64": …}`, either with `times`.

    Raises:
        VectorError: it is neither, or the base64 cannot be decoded.
    """
    kind = "base64" if isinstance(value, dict) and "base64" in value else "text"
    piece = place.object(value, required=(kind,), optional=("times",))
    content = piece[kind]
    if not isinstance(content, str):
        raise place.at(kind).error("a piece must be a string", "quote it")
    if kind == "base64":
        try:
            base64.b64decode(content, validate=True)
        except binascii.Error as error:
            raise place.at(kind).error(
                f"this is not base64 ({error})", "encode the bytes again"
            ) from error
    if "times" in piece:
        place.at("times").number(piece["times"])


def _form(value: "dict[str, JSON]") -> str | None:
    return next((key for key in value if key.startswith("$")), None)


def _check_message_form(place: "Place", form: str, value: "dict[str, JSON]") -> None:
    match form:
        case "$literal":
            place.object(value, required=(form,))
        case "$use" | "$id_of":
            place.object(value, required=(form,))
            place.at(form).text(value[form])
        case "$serial":
            place.object(value, required=(form,))
            if value[form] is not True:
                raise place.at(form).error("$serial takes true", "write true")
        case "$join":
            _check_join(place, value)
        case "$repeat":
            _check_repeat(place, value)
        case "$nest" | "$copies":
            place.object(value, required=(form, "value"))
            place.at(form).number(value[form])
            check_message(place.at("value"), value["value"])
        case _:
            raise place.error(
                f"the form {form!r} is unknown in a message",
                'write {"$literal": …} around a value that has such a key',
            )


def _check_matcher(place: "Place", form: str, value: "dict[str, JSON]") -> None:
    if form == "$one_of":
        # Keys beside the alternatives hold whichever of them matches.
        for key, member in value.items():
            if key != form:
                check_pattern(place.at(key), member)
    elif form != "$repeat":
        optional = ("match",) if form == "$save" else ()
        place.object(value, required=(form,), optional=optional)
    at, argument = place.at(form), value[form]
    match form:
        case "$repeat":
            _check_repeat(place, value)
        case "$join":
            _check_join(place, value)
        case "$equals":
            check_message(at, argument)
        case "$type":
            for name in argument if isinstance(argument, list) else [argument]:
                at.one_of(name, _TYPES)
        case "$one_of":
            # An empty list is a pattern that nothing matches.
            if not isinstance(argument, list):
                raise at.error("$one_of takes an array of patterns", "write one")
            for index, element in enumerate(argument):
                check_pattern(at.at(index), element)
        case "$absent" | "$valid_json_schema":
            if argument is not True:
                raise at.error(f"{form} takes true and nothing else", "write true")
        case "$contains" if isinstance(argument, list):
            at.texts(argument)
        case "$contains" | "$use" | "$save":
            at.text(argument)
            check_pattern(place.at("match"), value.get("match"))
        case "$each" | "$json_text" | "$not" | "$somewhere":
            check_pattern(at, argument)
        case "$all_of":
            for index, element in enumerate(at.array(argument)):
                check_pattern(at.at(index), element)
        case "$unlike":
            at.texts(argument)
        case "$size":
            at.number(argument)
        case "$schema":
            if not isinstance(argument, dict):
                raise at.error("$schema takes a JSON Schema object", "write one")
        case "$unique":
            for pointer in argument if isinstance(argument, list) else [argument]:
                if not isinstance(pointer, str):
                    raise at.error("$unique takes JSON pointers", "write strings")
        case _:
            raise place.error(
                f"the matcher {form!r} is unknown", "vectors/README.md lists them all"
            )


def _check_repeat(place: "Place", value: "dict[str, JSON]") -> None:
    place.object(value, required=("$repeat", "times"))
    place.at("$repeat").text(value["$repeat"])
    place.at("times").number(value["times"])


def _check_join(place: "Place", value: "dict[str, JSON]") -> None:
    place.object(value, required=("$join",))
    at = place.at("$join")
    for index, element in enumerate(at.array(value["$join"])):
        check_text(at.at(index), element)
