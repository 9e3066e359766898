"""The servers that do nothing, and those that do the same whatever is asked."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_PROGRAM: Final = str(Path(__file__).with_name("null_server.py"))


def _program(name: str) -> tuple[str, ...]:
    # Isolated and without site: such a program is up in 20 ms.
    return (sys.executable, "-I", "-S", _PROGRAM, name, "{socket}")


NOTHING: Final[Mapping[str, tuple[str, ...]]] = {
    "true": ("true", "{socket}"),
    "false": ("false", "{socket}"),
    "never-listens": ("sh", "-c", "exec sleep 60 # {socket}"),
    "touch": ("sh", "-c", "touch {socket}; exec sleep 60"),
    "no-such-socket": ("/nowhere/tools.sock",),
    "no-socket": (_PROGRAM,),
    **{
        name: _program(name)
        for name in (
            "plain-file",
            "says-nothing",
            "reads-nothing",
            "closes-at-once",
            "noise",
            "echo",
            "same-error",
            "same-failure",
            "same-success",
            "same-list",
            "same-empty-list",
        )
    },
}
"""Those that treat everything alike: they pass nothing at all."""

ALMOST_NOTHING: Final[Mapping[str, tuple[str, ...]]] = {
    name: _program(name)
    for name in ("list-and-nothing", "list-and-error", "list-and-success")
}
"""Those that list a tool where it is asked for, and do no more."""

_FRAMES: Final = frozenset(
    {
        "SOCK-C12",
        "SOCK-C16",
        "SOCK-D3",
        "SOCK-F1",
        "SOCK-F2",
        "SOCK-F3",
        "SOCK-F5",
        "SOCK-F6",
        "SOCK-I6",
        "SOCK-L1",
        "SOCK-L2",
        "SOCK-L3",
        "SOCK-M1",
        "SOCK-M3",
        "SOCK-M4",
        "SOCK-M7",
    }
)

_REFUSALS: Final = frozenset(
    {
        *("SOCK-C1", "SOCK-C11", "SOCK-F4", "SOCK-F7"),
        *("SOCK-M2", "SOCK-M5", "SOCK-M6", "SOCK-X3"),
    }
)

_RESULTS: Final = frozenset(
    {
        *("SOCK-C1", "SOCK-C11", "SOCK-C14", "SOCK-C2"),
        *("SOCK-C3", "SOCK-F4", "SOCK-F7"),
    }
)

EARNED: Final[Mapping[str, frozenset[str]]] = {
    "list-and-nothing": _FRAMES | {"SOCK-X3"},
    "list-and-error": _FRAMES | _REFUSALS,
    "list-and-success": _FRAMES | _RESULTS,
}
"""Clauses of which a null server is seen to keep a part: lines, listings, refusals."""
