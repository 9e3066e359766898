"""``wireproof vectors lint``: what is wrong with vector files, without a subject."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wireproof.command._usage import CommandError, CommandParser
from wireproof.patterns import is_object
from wireproof_vectors import (
    VectorError,
    check_vectors,
    load_vector_file,
    load_vectors,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from wireproof.command._usage import Subcommands
    from wireproof_vectors import Vector

SCHEMA = "wireproof-vectors/1"
"""What tells a vector file from any other in a folder."""


def add_parser(subcommands: Subcommands) -> None:
    """Add the subcommand."""
    parser = subcommands.add_parser("vectors", help="look at vector files")
    actions = parser.add_subparsers(
        metavar="ACTION", required=True, parser_class=CommandParser
    )
    lint = actions.add_parser(
        "lint", help="say what is wrong with vector files of your own"
    )
    lint.add_argument(
        "paths",
        metavar="PATH",
        nargs="*",
        default=["."],
        help="a vector file, or a folder with such (default: this folder)",
    )
    lint.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print what is wrong, a line for each fault.

    Returns:
        0 where nothing is, else 1.

    Raises:
        CommandError: If there is no vector file.
    """
    found = list(_files(arguments.paths))
    if not found:
        named = " ".join(arguments.paths)
        raise CommandError(f"{named}: no vector file is there; name one, or its folder")
    faults = list(_faults(found))
    for fault in faults:
        print(fault)
    count = "1 file" if len(found) == 1 else f"{len(found)} files"
    print(f"{count}, {len(faults)} faults" if faults else f"{count}: nothing wrong")
    return 1 if faults else 0


def _files(paths: Sequence[str]) -> Iterator[Path]:
    for text in paths:
        path = Path(text)
        if path.is_dir():
            yield from (one for one in sorted(path.rglob("*.json")) if _is_one(one))
        else:
            yield path


def _is_one(path: Path) -> bool:
    """Tell whether a file in a folder means to be a vector file."""
    try:
        document: Any = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return is_object(document) and document.get("schema") == SCHEMA


def _faults(paths: Sequence[Path]) -> Iterator[VectorError]:
    from wireproof.command._lint import faults_of

    seen: dict[str, Path] = {}
    for path in paths:
        try:
            vectors = _load(path)
        except VectorError as error:
            yield error
            continue
        yield from faults_of(vectors, str(path))
        for index, vector in enumerate(vectors):
            if (other := seen.setdefault(vector.id, path)) != path:
                yield VectorError(
                    f"the id stands in {other} as well",
                    "give one of them another",
                    file=str(path),
                    vector_id=vector.id,
                    pointer=f"/vectors/{index}/id",
                )


def _load(path: Path) -> Sequence[Vector]:
    """Load a vector file; one that this project ships has ids that are taken."""
    shipped = Path(str(files("wireproof_vectors")))
    if not path.resolve().is_relative_to(shipped.resolve()):
        return load_vector_file(path)
    document: Any = json.loads(path.read_bytes())
    check_vectors(document, file=str(path))
    ids = {vector["id"] for vector in document["vectors"]}
    return [one for one in load_vectors(document["protocol"]) if one.id in ids]
