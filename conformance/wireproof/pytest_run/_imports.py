"""How our own modules are imported in a pytest run: as Python does it.

pytest rewrites the asserts in every module of a distribution that has a plugin. Ours
have none, and where no byte code may be written the rewriting is done anew at each
start: a fifth of a second for nothing.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec, PathFinder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

PACKAGES = frozenset({"wireproof", "wireproof_reference", "wireproof_vectors"})
"""The packages of this distribution."""


class PlainFinder:
    """Finds the modules of this distribution before pytest's own finder does."""

    @classmethod
    def find_spec(
        cls,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Return how Python would import a module of ours, None for any other."""
        if fullname.partition(".")[0] not in PACKAGES:
            return None
        return PathFinder.find_spec(fullname, path, target)


def import_plainly() -> None:
    """Let the modules of this distribution be imported without rewriting."""
    if PlainFinder not in sys.meta_path:
        sys.meta_path.insert(0, PlainFinder)
