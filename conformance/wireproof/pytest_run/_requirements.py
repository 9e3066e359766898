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
        version: A version as reports name it, such as ``0.1.0``, or its minor version,
            such as ``0.1``: the checks of a minor version do not change.

    Raises:
        ValueError: With those that there are, if there is no such version.
    """
    folder = _folder()
    frozen = sorted(
        one.name.removesuffix(".json")
        for one in (folder.iterdir() if folder.is_dir() else ())
        if one.name.endswith(".json")
    )
    minor = _minor(version)
    if minor in frozen:
        document: Any = json.loads(folder.joinpath(f"{minor}.json").read_bytes())
        found: Mapping[str, Collection[str]] = document["checks"]
        return {name: frozenset(ids) for name, ids in found.items()}
    own = minor_version()
    if version in {own, metadata.version("wireproof")}:
        return None
    known = ", ".join([*frozen, *([] if own in frozen else [own])])
    raise ValueError(f"the vectors have no such version; they have {known}")


def minor_version() -> str:
    """Return the minor version of the suite that runs, such as ``1.0``."""
    return _minor(metadata.version("wireproof"))


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _folder() -> Traversable:
    return files("wireproof_vectors").joinpath("requirements")
