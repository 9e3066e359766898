"""Loading a vector file that a user wrote or the fuzzer saved."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from ._data import load_clauses, load_vectors, protocols, vectors_of
from ._place import Place
from ._structure import check_document, check_vectors

if TYPE_CHECKING:
    from os import PathLike

    from ._model import JSON, Vector


def load_vector_file(path: "str | PathLike[str]") -> "tuple[Vector, ...]":
    """Load and check a vector file of a user.

    Args:
        path: a JSON file in the format of the shipped vector files.

    Returns:
        The vectors as they stand in the file.

    Raises:
        VectorError: the file cannot be read or is no valid vector file; names the
            file, the vector, the JSON pointer and the remedy.
    """
    place = Place(str(path))
    document = _read(place)
    protocol = check_document(place, document, protocols())
    clauses = {clause.id: clause for clause in load_clauses(protocol)}
    shipped = {vector.id for vector in load_vectors(protocol)}
    check_vectors(place, document, clauses, shipped)
    return vectors_of(document, clauses)


def _read(place: Place) -> "dict[str, JSON]":
    try:
        content = Path(place.file).read_bytes()
    except OSError as error:
        raise place.error(
            f"the file cannot be read ({error.strerror})", "check the path"
        ) from error

    def members(pairs: "list[tuple[str, JSON]]") -> "dict[str, JSON]":
        members = dict(pairs)
        if len(members) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise place.error(f"an object has the key {twice!r} twice", "keep one")
        return members

    def refuse(constant: str) -> "JSON":
        raise place.error(f"{constant} is no JSON", "write a number or null")

    try:
        document: JSON = json.loads(
            content, object_pairs_hook=members, parse_constant=refuse
        )
    except UnicodeDecodeError as error:
        raise place.error("the file is not UTF-8", "save it as UTF-8") from error
    except json.JSONDecodeError as error:
        raise place.error(
            f"line {error.lineno}, column {error.colno}: {error.msg}",
            "mend the JSON there",
        ) from error
    return place.object(
        document, required=("schema", "protocol", "group", "kind", "vectors")
    )
