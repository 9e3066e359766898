"""The checks that a version of the suite had: an upgrade then turns no gate red.

``requirements/`` of the vectors has a list for each minor version that was released.
The version that runs has all checks that there are.
"""

from __future__ import annotations

import json
from importlib import metadata
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from importlib.resources.abc import Traversable


def required_checks(version: str) -> Mapping[str, Collection[str]] | None:
    """Return the ids of the checks of a version, by protocol; None for all there are.

    Args:
        version: A minor version, such as ``1.0``.

    Raises:
        ValueError: With those that there are, if there is no such version.
    """
    folder = _folder()
    frozen = sorted(
        one.name.removesuffix(".json")
        for one in (folder.iterdir() if folder.is_dir() else ())
        if one.name.endswith(".json")
    )
    if version in frozen:
        document: Any = json.loads(folder.joinpath(f"{version}.json").read_bytes())
        found: Mapping[str, Collection[str]] = document["checks"]
        return {name: frozenset(ids) for name, ids in found.items()}
    own = minor_version()
    if version == own:
        return None
    known = ", ".join([*frozen, *([] if own in frozen else [own])])
    raise ValueError(f"no version of the vectors is called so; there is {known}")


def minor_version() -> str:
    """Return the minor version of the suite that runs, such as ``1.0``."""
    return ".".join(metadata.version("wireproof").split(".")[:2])


def _folder() -> Traversable:
    return files("wireproof_vectors").joinpath("requirements")
