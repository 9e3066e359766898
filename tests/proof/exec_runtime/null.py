"""The runtimes that do nothing, and those that answer the same whatever is asked."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_PROGRAM: Final = str(Path(__file__).with_name("null_driver.py"))

NOTHING: Final[Mapping[str, tuple[str, ...]]] = {
    "true": ("true",),
    "false": ("false",),
    "cat": ("cat",),
    **{
        # Isolated and without site: such a program is up in 20 ms.
        name: (sys.executable, "-I", "-S", _PROGRAM, name)
        for name in (
            "says-nothing",
            "noise",
            "same-failure",
            "same-description",
            "no-ops",
            "describes-and-ends",
            "describes-and-refuses",
            "describes-and-null",
            "describes-and-empty",
            "each-call-fails",
            "each-call-is-null",
            "each-call-is-empty",
            "arguments-come-back",
            "starts-and-says-nothing",
        )
    },
}
"""They pass nothing at all, for none gives what a tool has answered."""
