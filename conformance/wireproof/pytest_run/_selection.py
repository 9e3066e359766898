"""Which of pytest's arguments are checks, vector files, and files for pytest."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from wireproof.pytest_run._options import protocol_of_check
from wireproof_vectors import VectorError, load_vector_file

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from wireproof.checks import Check
    from wireproof_vectors import Vector

VECTOR_SUFFIX = ".json"

MONITOR = "monitor"
"""Where a check's id has its group, the id of a monitor's result has this."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What the arguments ask for.

    Attributes:
        checks: Check ids or the beginnings of such, with ``[subject]`` or without.
        paths: What is left for pytest to collect.
        every: Whether all checks are meant where none is named.
    """

    checks: tuple[str, ...]
    paths: tuple[str, ...]
    every: bool = True

    def holds(self, name: str) -> bool:
        """Tell whether an item of this name was asked for."""
        bare = name.partition("[")[0]
        if not self.checks:
            return self.every
        return any(
            wanted in {name, bare} or bare.startswith(f"{wanted.rstrip('/')}/")
            for wanted in self.checks
        )


def split_arguments(
    arguments: Sequence[str],
    folder: Path,
    known: Sequence[Check],
    files: Container[str] = (),
) -> Selection:
    """Tell check ids and vector files from paths.

    Args:
        arguments: What stood on the command line.
        folder: Where pytest was called.
        known: All checks, those of the vector files included.
        files: The arguments that are vector files.

    Raises:
        pytest.UsageError: If an argument is meant for a check that does not exist, or
            for vectors of a protocol of which no subject was named.
    """
    names = tuple(check.id for check in known)
    checks: list[str] = []
    paths: list[str] = []
    for argument in arguments:
        if argument in files:
            own = [check.id for check in known if check.file == argument]
            if not own:
                raise pytest.UsageError(
                    f"{argument}: no vector in it is for a subject of this run; "
                    "name a subject of its protocol, and look at its levels and kind"
                )
            checks += own
            continue
        if protocol_of_check(argument, folder) is None:
            paths.append(argument)
            continue
        bare = argument.partition("[")[0]
        if bare.split("/")[1:2] == [MONITOR]:
            protocol = bare.partition("/")[0]
            raise pytest.UsageError(
                f"{argument!r} is the result of a monitor, which watches every frame "
                "of all checks: name the check in which it saw something, or "
                f"{protocol!r} for all"
            )
        if not any(map(Selection((bare,), ()).holds, names)):
            near = _near(bare, names)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            raise pytest.UsageError(
                f"no check has the id {argument!r}{hint} (--list-vectors shows all)"
            )
        checks.append(argument)
    return Selection(tuple(checks), tuple(paths))


def _near(wanted: str, names: Sequence[str]) -> Sequence[str]:
    """Return what may have been meant: a group for a group, near by before far off."""
    depth = wanted.count("/") + 1
    known = list(dict.fromkeys("/".join(one.split("/")[:depth]) for one in names))
    folder = f"{wanted.rpartition('/')[0]}/"
    beside = [one for one in known if one.startswith(folder)]
    return difflib.get_close_matches(wanted, beside or known, 3)


def read_vector_files(
    arguments: Sequence[str], folder: Path
) -> Mapping[str, Sequence[Vector]]:
    """Load the vector files among pytest's arguments.

    Args:
        arguments: What stood on the command line.
        folder: Where pytest was called.

    Returns:
        The vectors of each file, by the argument that names it.

    Raises:
        pytest.UsageError: If a file is no valid vector file, or an id stands in two.
    """
    found: dict[str, Sequence[Vector]] = {}
    files: dict[str, str] = {}
    for argument in arguments:
        if not argument.endswith(VECTOR_SUFFIX) or not Path(folder, argument).is_file():
            continue
        try:
            found[argument] = load_vector_file(Path(folder, argument))
        except VectorError as error:
            raise pytest.UsageError(str(error)) from error
        for vector in found[argument]:
            if (other := files.setdefault(vector.id, argument)) != argument:
                raise pytest.UsageError(
                    f"the id {vector.id} stands in {other} and in {argument}; "
                    "give one of them another"
                )
    return found
