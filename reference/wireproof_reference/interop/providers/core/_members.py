"""Members of JSON objects that may be absent, or not be what they should."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof_reference.framing import JSON, JSONObject


def text_in(value: JSONObject, key: str) -> str:
    """The text under a key, or an empty one."""
    member = value.get(key)
    return member if isinstance(member, str) else ""


def index_in(value: JSONObject, key: str) -> int | None:
    """The integer under a key."""
    member = value.get(key)
    # True and false are integers to Python.
    return member if isinstance(member, int) and not isinstance(member, bool) else None


def object_in(value: JSONObject, key: str) -> JSONObject:
    """The object under a key, or an empty one, which is not the value's own."""
    member = value.get(key)
    return member if isinstance(member, dict) else {}


def objects_in(value: JSONObject, key: str) -> list[JSONObject]:
    """The objects of the list under a key; what else is in it is left out."""
    return objects_of(value.get(key))


def objects_of(value: JSON) -> list[JSONObject]:
    """The objects of a list; what else is in it is left out."""
    if not isinstance(value, list):
        return []
    return [item for item in value if isinstance(item, dict)]


def joined(pieces: Sequence[str]) -> str:
    """A text that came in pieces, which may part the two halves of a character.

    A character beyond U+FFFF is two escapes in JSON, and a provider may send each in
    a delta of its own.
    """
    text = "".join(pieces)
    try:
        text.encode()
    except UnicodeEncodeError:
        halves = text.encode("utf-16-le", "surrogatepass")
        return halves.decode("utf-16-le", "surrogatepass")
    return text
