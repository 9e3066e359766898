"""Loading a vector file that a user wrote or the fuzzer saved."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._data import load_clauses, load_vectors, vectors_of
from ._grammar import check_vectors
from ._model import VectorError

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
    file = str(path)
    document: Any = _read(file)
    check_vectors(document, file=file)
    protocol: str = document["protocol"]
    shipped = {vector.id for vector in load_vectors(protocol)}
    for index, vector in enumerate(document["vectors"]):
        if vector["id"] in shipped:
            raise VectorError(
                f"the id {vector['id']!r} is taken",
                "choose another",
                file=file,
                vector_id=vector["id"],
                pointer=f"/vectors/{index}/id",
            )
    return vectors_of(document, {c.id: c for c in load_clauses(protocol)})


def _read(file: str) -> "JSON":
    def error(problem: str, remedy: str) -> VectorError:
        return VectorError(problem, remedy, file=file)

    def members(pairs: "list[tuple[str, JSON]]") -> "dict[str, JSON]":
        members = dict(pairs)
        if len(members) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise error(f"an object has the key {twice!r} twice", "keep one")
        return members

    def refuse(constant: str) -> "JSON":
        raise error(f"{constant} is no JSON", "write a number or null")

    try:
        document: JSON = json.loads(
            Path(file).read_bytes(), object_pairs_hook=members, parse_constant=refuse
        )
    except OSError as fault:
        problem = f"the file cannot be read ({fault.strerror})"
        raise error(problem, "check the path") from fault
    except UnicodeDecodeError as fault:
        raise error("the file is not UTF-8", "save it as UTF-8") from fault
    except json.JSONDecodeError as fault:
        where = f"line {fault.lineno}, column {fault.colno}"
        raise error(f"{where}: {fault.msg}", "mend the JSON there") from fault
    return document
