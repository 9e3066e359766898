"""Legal registries of several variants at once: `KeysBackwards__NoMetadata`."""

from __future__ import annotations

from typing import Any

from tests.proof.interop import legal_registries, legal_replay

BETWEEN = "__"
"""Stands between the classes of variants in the name of theirs."""


def __getattr__(name: str) -> Any:
    """Return the class of the variants that a name joins.

    Raises:
        AttributeError: It joins none, or one that is no variant.
    """
    if BETWEEN not in name.strip("_"):
        raise AttributeError(name)
    known = {**vars(legal_registries), **vars(legal_replay)}
    if not known.keys() >= (names := set(name.split(BETWEEN))):
        raise AttributeError(f"no variant is called {names - known.keys()}")
    return type(name, tuple(known[one] for one in name.split(BETWEEN)), {})
