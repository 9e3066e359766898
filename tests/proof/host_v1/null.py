"""The subjects that do nothing, and those that do the same whatever is asked."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_PROGRAM: Final = str(Path(__file__).with_name("null_host.py"))


def _program(name: str) -> tuple[str, ...]:
    # Isolated and without site: such a program is up in 20 ms.
    return (sys.executable, "-I", "-S", _PROGRAM, name)


NOTHING: Final[Mapping[str, tuple[str, ...]]] = {
    "true": ("true",),
    "false": ("false",),
    "cat": ("cat",),
    "yes": ("yes",),
    "sleeps": ("sleep", "60"),
    "noise": _program("noise"),
    "same-failure": _program("same-failure"),
}
"""Those that the specification names: they pass nothing at all."""

ALMOST_NOTHING: Final[Mapping[str, tuple[str, ...]]] = {
    name: _program(name)
    for name in (
        "closes-stdout",
        "init-and-failure",
        "init-only",
        "request-with-ok",
        "same-empty-list",
        "same-failure-without-id",
        "same-rich-success",
        "same-success",
    )
}
"""Those that answer in the shape of a message: none may earn a behaviour pass."""

_INIT = frozenset({"HV1-M9", "HV1-R1", "HV1-R13", "HV1-R2"})

EARNED: Final[Mapping[str, frozenset[str]]] = {
    "init-only": _INIT,
    "init-and-failure": _INIT | {"HV1-T10"},
}
"""What two of them do as they should: init is answered with a state, twice too and with
a key that is unknown; a request of a mebibyte is answered."""
