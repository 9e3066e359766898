"""The registries that do nothing, and those that do the same whatever is asked."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.proof import null_driver
from tests.proof.interop import null_registries
from tests.proof.interop.subject import command_for

from wireproof.protocols.interop._ops import ACCUMULATE, OPS

_PROGRAM: Final = str(Path(null_driver.__file__))
_OPS: Final = ",".join((*OPS, ACCUMULATE))


def _program(name: str) -> tuple[str, ...]:
    # Isolated and without site: such a program is up in 20 ms.
    return (sys.executable, "-I", "-S", _PROGRAM, name, _OPS)


def _registry(kind: type[null_registries.Null]) -> tuple[str, ...]:
    return command_for(f"{kind.__module__}:{kind.__name__}")


NOTHING: Final[Mapping[str, tuple[str, ...]]] = {
    "true": ("true",),
    "false": ("false",),
    "cat": ("cat",),
    "yes": ("yes",),
    "sleep": ("sleep", "60"),
    "no-such-program": ("/nowhere/driver",),
    "not-executable": (_PROGRAM,),
    **{name: _program(name) for name in null_driver.REGISTRIES},
    **{
        kind.__name__: _registry(kind)
        for kind in (
            null_registries.GivesItBack,
            null_registries.GivesAllBack,
            null_registries.EmptyObject,
            null_registries.Nothing,
            null_registries.EmptyList,
            null_registries.EmptyText,
            null_registries.NoJson,
            null_registries.Refuses,
            null_registries.RefusesByName,
            null_registries.Exits,
            null_registries.SameCall,
        )
    },
}
"""Those that treat everything alike: they pass nothing at all."""

ALMOST_NOTHING: Final[Mapping[str, tuple[str, ...]]] = {
    kind.__name__: _registry(kind)
    for kind in (
        null_registries.ControlledOrBack,
        null_registries.ControlledOrEmpty,
        null_registries.ControlledOrRefuses,
    )
}
"""Those that know the answers to the controls, and no more."""

_HANDED_ON: Final = frozenset(
    {
        "INT-C12",
        "INT-C5",
        "INT-C6",
        "INT-C7",
        "INT-C8",
        "INT-C9",
        "INT-Q10",
        "INT-R10",
        "INT-S1",
        "INT-S4",
        "INT-S5",
        "INT-S6",
        "INT-Z1",
        "INT-Z10",
        "INT-Z11",
        "INT-Z12",
        "INT-Z3",
        "INT-Z4",
        "INT-Z5",
        "INT-Z8",
        "INT-Z9",
    }
)

EARNED: Final[Mapping[str, frozenset[str]]] = {
    "ControlledOrBack": _HANDED_ON
    | {"INT-C13", "INT-C14", "INT-G5", "INT-S3", "INT-S7", "INT-S12"},
    "ControlledOrEmpty": frozenset({"INT-G5", "INT-Z5"}),
    "ControlledOrRefuses": frozenset({"INT-G5", "INT-S7"}),
}
"""Clauses of which a null registry is seen to keep a part: what stays as it is."""
