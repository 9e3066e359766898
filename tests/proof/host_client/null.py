"""The clients that do nothing, and those that answer the same whatever is asked."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_PROGRAM: Final = str(Path(__file__).with_name("null_driver.py"))


def _program(name: str) -> tuple[str, ...]:
    # Isolated and without site: such a program is up in 20 ms.
    return (sys.executable, "-I", "-S", _PROGRAM, name)


NOTHING: Final[Mapping[str, tuple[str, ...]]] = {
    "true": ("true",),
    "false": ("false",),
    "cat": ("cat",),
    **{
        name: _program(name)
        for name in (
            "says-nothing",
            "noise",
            "same-failure",
            "same-description",
            "no-ops",
            "describes-and-ends",
            "describes-and-refuses",
            "describes-and-fails",
            "describes-and-null",
            "describes-and-empty",
            "describes-and-succeeds",
            "starts-and-says-nothing",
            "starts-and-succeeds",
            "starts-and-fails",
        )
    },
}
"""They pass nothing at all, for none takes an answer of a host."""

ALMOST_NOTHING: Final[Mapping[str, tuple[str, ...]]] = {
    "inits-and-fails": _program("inits-and-fails"),
    "inits-and-succeeds": _program("inits-and-succeeds"),
}
"""Those that start a host and take its answer to init, and do no more."""

EARNED: Final = {name: frozenset({"HV1-C1"}) for name in ALMOST_NOTHING}
"""The clause of which they keep a part: the request that they send is one."""
