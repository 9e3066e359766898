"""The structure of a vector file, checked by hand for errors that say what to do.

The shipped JSON Schema `vectors` says the same in a form for other tools. This module
adds what a schema cannot: ids that fit the file, are new, and name real clauses.
"""

import re
from typing import TYPE_CHECKING

from ._kinds import KINDS, check_clauses

if TYPE_CHECKING:
    from collections.abc import Collection

    from ._model import JSON
    from ._place import Place

_ID = re.compile(r"[a-z0-9-]+/[a-z0-9-]+/[a-z0-9-]+")
_LEVELS = ("must", "should", "may")
_SOURCES = ("seed", "standard", "settled", "derived")
_COMMON = ("level", "source", "seed", "seed_text", "note")


def check_document(
    place: "Place", document: "JSON", protocols: "Collection[str]"
) -> str:
    """Check the top of a vector file.

    Returns:
        The protocol of the file.

    Raises:
        VectorError: the file is of another schema, protocol or kind.
    """
    top = place.object(
        document, required=("schema", "protocol", "group", "kind", "vectors")
    )
    place.at("schema").one_of(top["schema"], ("wireproof-vectors/1",))
    place.at("group").text(top["group"])
    protocol = place.at("protocol").one_of(top["protocol"], protocols)
    place.at("kind").one_of(top["kind"], tuple(KINDS[protocol]))
    place.at("vectors").array(top["vectors"])
    return protocol


def check_vectors(
    place: "Place",
    document: "dict[str, JSON]",
    clauses: "Collection[str]",
    taken: "Collection[str]",
) -> None:
    """Check the vectors of a file whose top is valid.

    Args:
        place: the file.
        document: its content.
        clauses: the ids of the protocol's clauses.
        taken: ids of vectors that exist already.

    Raises:
        VectorError: the first fault found.
    """
    prefix = f"{document['protocol']}/{document['group']}/"
    kinds = KINDS[str(document["protocol"])]
    required, optional, check = kinds[str(document["kind"])]
    seen = set(taken)
    at = place.at("vectors")
    for index, entry in enumerate(at.array(document["vectors"])):
        inside = at.at(index)
        if isinstance(entry, dict) and isinstance(entry.get("id"), str):
            inside = inside.inside(str(entry["id"]))
        vector = inside.object(
            entry,
            required=("id", "title", "clauses", *required),
            optional=(*_COMMON, *optional),
        )
        vector_id = inside.at("id").text(vector["id"])
        if not (_ID.fullmatch(vector_id) and vector_id.startswith(prefix)):
            raise inside.at("id").error(
                f"the id {vector_id!r} does not fit the file",
                f"write {prefix} and a name of small letters, digits and hyphens",
            )
        if vector_id in seen:
            raise inside.at("id").error(
                f"the id {vector_id!r} is taken", "choose another"
            )
        seen.add(vector_id)
        _check_common(inside, vector, clauses)
        check(inside, vector, clauses)


def _check_common(
    place: "Place", vector: "dict[str, JSON]", clauses: "Collection[str]"
) -> None:
    place.at("title").text(vector["title"])
    check_clauses(place.at("clauses"), vector["clauses"], clauses)
    for key, value in vector.items():
        match key:
            case "level":
                place.at(key).one_of(value, _LEVELS)
            case "source":
                place.at(key).one_of(value, _SOURCES)
            case "seed_text" | "note":
                place.at(key).text(value)
            case "seed":
                place.at(key).flag(value)
            case _:
                pass
