"""The servers that do nothing, and those that do the same whatever they are sent."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_PROGRAM: Final = str(Path(__file__).with_name("null_server.py"))


def _program(name: str) -> tuple[str, ...]:
    # Isolated and without site: such a program is up in 20 ms.
    return (sys.executable, "-I", "-S", _PROGRAM, name)


NOTHING: Final[Mapping[str, tuple[str, ...]]] = {
    "true": ("true",),
    "false": ("false",),
    "cat": ("cat",),
    "yes": ("yes",),
    "sleeps": ("sleep", "60"),
    **{
        name: _program(name)
        for name in (
            "noise",
            "same-failure",
            "same-failure-with-the-id",
            "same-success",
            "same-success-with-the-id",
            "crashes",
        )
    },
}
"""They pass nothing at all."""
