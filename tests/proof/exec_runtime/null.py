"""The runtimes that do nothing, and those that answer the same whatever is asked."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Final

from tests.proof.exec_runtime import null_driver

NOTHING: Final[Mapping[str, tuple[str, ...]]] = {
    "true": ("true",),
    "false": ("false",),
    "cat": ("cat",),
    **{
        # Without site: such a program is up in 20 ms.
        name: (sys.executable, "-S", "-m", null_driver.__name__, name)
        for name in null_driver.RUNTIMES
    },
}
"""They pass nothing at all, for none gives what a tool has answered."""
