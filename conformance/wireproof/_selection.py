"""Which of pytest's arguments are checks, and which are files of the user's."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from wireproof._protocols import all_protocols

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class Selection:
    """What the arguments ask for.

    Attributes:
        checks: Check ids or the beginnings of such, with ``[subject]`` or without;
            empty for all.
        paths: What is left for pytest to collect.
    """

    checks: tuple[str, ...]
    paths: tuple[str, ...]

    def holds(self, name: str) -> bool:
        """Tell whether an item of this name was asked for."""
        bare = name.partition("[")[0]
        return not self.checks or any(
            wanted in {name, bare} or bare.startswith(f"{wanted.rstrip('/')}/")
            for wanted in self.checks
        )


def split_arguments(
    arguments: Sequence[str], folder: Path, known: Iterable[str]
) -> Selection:
    """Tell check ids from paths.

    Args:
        arguments: What stood on the command line.
        folder: Where pytest was called.
        known: The ids of all checks.

    Raises:
        pytest.UsageError: If an argument is meant for a check that does not exist.
    """
    prefixes = tuple(f"{protocol.name}/" for protocol in all_protocols())
    names = tuple(known)
    checks: list[str] = []
    paths: list[str] = []
    for argument in arguments:
        is_check = f"{argument.rstrip('/')}/".startswith(prefixes)
        if not is_check or Path(folder, argument.partition("::")[0]).exists():
            paths.append(argument)
            continue
        bare = argument.partition("[")[0]
        if not any(map(Selection((bare,), ()).holds, names)):
            near = difflib.get_close_matches(bare, names, 3)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            raise pytest.UsageError(
                f"no check has the id {argument!r}{hint} (--list-vectors shows all)"
            )
        checks.append(argument)
    return Selection(tuple(checks), tuple(paths))
