"""Legal registries of several variants at once: `KeysBackwards__NoMetadata`."""

from __future__ import annotations

from typing import Any

from tests.proof.interop import (
    conversion_rows,
    legal_registries,
    legal_replay,
    registry_faults,
)

BETWEEN = "__"
"""Stands between the classes of variants in the name of theirs."""


def __getattr__(name: str) -> Any:
    """Return the class of the variants that a name joins.

    Raises:
        AttributeError: It joins none, or one that is no variant.
    """
    if BETWEEN not in name.strip("_"):
        raise AttributeError(name)
    modules = (legal_registries, legal_replay, conversion_rows, registry_faults)
    known = {key: one for module in modules for key, one in vars(module).items()}
    if not known.keys() >= (names := set(name.split(BETWEEN))):
        raise AttributeError(f"no variant is called {names - known.keys()}")
    return type(name, tuple(known[one] for one in name.split(BETWEEN)), {})
