"""Reading the data files that this package ships.

A protocol is a folder that holds `clauses.json`, and has its name with `_` for `-`. The
files are read through `importlib.resources`, so that a zipped installation works too.
What is read is trusted: this project's tests validate every shipped file.
"""

import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ._model import (
    Clause,
    ClausePart,
    CorpusValue,
    Exclusion,
    Property,
    ToolSpec,
    Vector,
    VectorError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.resources.abc import Traversable

    from ._model import JSON

# Files of a protocol's folder that hold no vectors.
_NOT_VECTORS = frozenset(
    {"clauses.json", "model.json", "properties.json", "setup.json"}
)


@cache
def protocols() -> tuple[str, ...]:
    """Name the protocols that this package holds data for, for example `host-v1`."""
    return tuple(
        sorted(
            folder.name.replace("_", "-")
            for folder in _root().iterdir()
            if (folder / "clauses.json").is_file()
        )
    )


def folder_of(protocol: str) -> str:
    """Name the folder of a protocol's data, and of its schemas below `schemas/`."""
    return protocol.replace("-", "_")


@cache
def load_clauses(protocol: str) -> tuple[Clause, ...]:
    """Load the clause catalogue of a protocol, in the order of its specification.

    Raises:
        LookupError: this package has no such protocol.
    """
    document = _read(_folder(protocol) / "clauses.json")
    return tuple(_clause(entry) for entry in document["clauses"])


@cache
def load_vectors(protocol: str) -> tuple[Vector, ...]:
    """Load the vectors of a protocol: files by name, vectors as they stand in them.

    Raises:
        LookupError: this package has no such protocol.
    """
    clauses = {clause.id: clause for clause in load_clauses(protocol)}
    return tuple(
        vector
        for file in sorted(_folder(protocol).iterdir(), key=lambda file: file.name)
        if file.name.endswith(".json") and file.name not in _NOT_VECTORS
        for vector in vectors_of(_read(file), clauses)
    )


@cache
def load_properties(protocol: str) -> tuple[Property, ...]:
    """Load the fuzz properties and scenarios of a protocol, as its file has them.

    Returns:
        The rows of `properties.json`; none if the protocol has no such file.

    Raises:
        LookupError: this package has no such protocol.
    """
    file = _folder(protocol) / "properties.json"
    return tuple(
        Property(
            id=row["id"],
            title=row["title"],
            clauses=tuple(row["clauses"]),
            level=row["level"],
            source=row["source"],
            kind=row["kind"],
            needs=row.get("needs", {}),
            explains=tuple(row.get("explains", ())),
        )
        for row in (_read(file)["properties"] if file.is_file() else ())
    )


@cache
def load_setup(protocol: str) -> "Mapping[str, JSON]":
    """Load how a subject of a protocol is started, probed and proved alive.

    Returns:
        The object in `setup.json`; `vectors/README.md` explains its keys.

    Raises:
        LookupError: this package has no such protocol.
    """
    return _object(_folder(protocol) / "setup.json")


@cache
def load_model(protocol: str) -> "Mapping[str, JSON]":
    """Load the model of the sequences of a protocol.

    Returns:
        The object in `model.json`; `vectors/README.md` explains its keys.

    Raises:
        LookupError: this package has no such protocol, or no model of it.
        VectorError: the file is not JSON.
    """
    file = _folder(protocol) / "model.json"
    name = f"{folder_of(protocol)}/model.json"
    if not file.is_file():
        raise LookupError(f"protocol {protocol!r} has no model; {name} is missing")
    try:
        return _object(file)
    except ValueError as fault:
        problem = f"it is not JSON ({fault})"
        raise VectorError(problem, "mend it there", file=name) from fault


@cache
def load_toolset() -> tuple[ToolSpec, ...]:
    """Load the conformance toolset: the tools with which every clause can be tried."""
    document = _read(_root() / "toolset.json")
    return tuple(
        ToolSpec(
            name=tool["name"],
            description=tool["description"],
            parameters=tool["parameters"],
            protocols=tuple(tool["protocols"]),
            capabilities=tuple(tool["capabilities"]),
            behaviour=tool["behaviour"],
            optional=tool.get("optional", False),
        )
        for tool in document["tools"]
    )


@cache
def load_corpus() -> tuple[CorpusValue, ...]:
    """Load the values that programs change, lose or take for something else.

    Returns:
        The values of all files of `corpus/`: files by name, values as they stand there.
    """
    folder = _root() / "corpus"
    return tuple(
        CorpusValue(
            name=entry["name"],
            kind=entry["kind"],
            value=entry["value"],
            reason=entry["reason"],
            tags=frozenset(entry.get("tags", ())),
        )
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        for entry in _read(file)["values"]
    )


@cache
def load_schema(name: str) -> "Mapping[str, JSON]":
    """Load a JSON Schema (draft 2020-12) that this package ships.

    Args:
        name: path below `schemas/` without the ending, for example `report`,
            `host_v1/vectors` or `host_v1/response`.

    Raises:
        LookupError: this package has no such schema.
    """
    file = (_root() / "schemas").joinpath(*f"{name}.schema.json".split("/"))
    if not file.is_file():
        raise LookupError(
            f"no schema {name!r}; the folder schemas/ shows those shipped"
        )
    return _object(file)


@cache
def vectors_sha256() -> str:
    """Hash all data files: names and contents, whatever the order on disk.

    Returns:
        64 hexadecimal digits, the same on every machine for the same data.
    """
    digest = hashlib.sha256()
    for name, file in sorted(_walk(_root(), "")):
        content = file.read_bytes()
        # The length keeps the end of one file apart from the start of the next.
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def vectors_of(document: Any, clauses: "Mapping[str, Clause]") -> tuple[Vector, ...]:
    """Build the vectors of one valid vector file."""
    return tuple(
        Vector(
            id=vector["id"],
            title=vector["title"],
            clauses=tuple(vector["clauses"]),
            level=vector.get("level", clauses[vector["clauses"][0]].level),
            source=vector.get("source", clauses[vector["clauses"][0]].source),
            kind=document["kind"],
            group=document["group"],
            data=vector,
        )
        for vector in document["vectors"]
    )


def _clause(entry: Any) -> Clause:
    excluded = entry.get("excluded")
    return Clause(
        id=entry["id"],
        level=entry["level"],
        source=entry["source"],
        text=entry["text"],
        frames=tuple(entry.get("frames", ())),
        parts=tuple(
            ClausePart(
                level=part["level"],
                source=part.get("source", entry["source"]),
                text=part["text"],
            )
            for part in entry.get("parts", ())
        ),
        excluded=Exclusion(**excluded) if excluded else None,
        withdrawn=entry.get("withdrawn", False),
        monitored=entry.get("monitored", False),
        scenario=entry.get("scenario", False),
        rests_on=tuple(entry.get("rests_on", ())),
    )


def _root() -> "Traversable":
    return files("wireproof_vectors")


def _folder(protocol: str) -> "Traversable":
    if protocol not in protocols():
        known = ", ".join(protocols())
        raise LookupError(f"no data for protocol {protocol!r}; there is {known}")
    return _root() / folder_of(protocol)


def _read(file: "Traversable") -> Any:
    return json.loads(file.read_bytes())


def _object(file: "Traversable") -> "Mapping[str, JSON]":
    document: Mapping[str, JSON] = _read(file)
    return document


def _walk(folder: "Traversable", prefix: str) -> "Iterator[tuple[str, Traversable]]":
    for entry in folder.iterdir():
        name = f"{prefix}{entry.name}"
        if entry.is_dir():
            yield from _walk(entry, f"{name}/")
        elif name.endswith(".json"):
            yield name, entry
