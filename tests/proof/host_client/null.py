"""The clients that do nothing, and those that answer the same whatever is asked."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Final

from tests.proof.host_client import null_driver


def _program(name: str) -> tuple[str, ...]:
    # Without site: such a program is up in 20 ms.
    return (sys.executable, "-S", "-m", null_driver.__name__, name)


NOTHING: Final[Mapping[str, tuple[str, ...]]] = {
    "true": ("true",),
    "false": ("false",),
    "cat": ("cat",),
    **{name: _program(name) for name in null_driver.NOTHING},
}
"""They pass nothing at all, for none takes an answer of a host."""

ALMOST_NOTHING: Final = {name: _program(name) for name in null_driver.ALMOST_NOTHING}
"""Those that start a host and take its answer to init, and do no more."""

EARNED: Final = {name: frozenset({"HV1-C1"}) for name in ALMOST_NOTHING}
"""The clause of which they keep a part: the request that they send is one."""
