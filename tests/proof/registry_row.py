"""A row of a registry in Python, which the suite's own program serves or a driver."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tests.proof.composed import JOINED
from tests.proof.row import Row

from wireproof.protocols import protocol_for
from wireproof.subjects import _in_process

DRIVER = (sys.executable, "-m", "tests.proof.python_driver")
"""Followed by `module:attr`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistryRow(Row):
    """A registry that does one thing differently from the reference.

    Attributes:
        option: The option that names one, such as `adapter`.
        target: What that option takes for it.
    """

    option: ClassVar[str]
    target: str

    @property
    def program(self) -> tuple[str, ...]:
        """What the suite itself starts for it."""
        return protocol_for(self.option).command(self.target)

    @property
    def driver(self) -> tuple[str, ...]:
        """What starts it behind a driver, as an author of a registry has it."""
        return (*DRIVER, self.target)

    def run(self, arguments: Sequence[str]) -> int:
        """Serve this registry as the suite's own program does."""
        _in_process.main()
        return 0


def attributes_of(rows: Sequence[Row]) -> dict[str, Any]:
    """Return the attributes of the row of a legal subject that is all of these."""
    return {
        "name": JOINED.join(row.name for row in rows),
        "does": "; ".join(row.does for row in rows),
        "level": "should",
        "warns": {clause: why for row in rows for clause, why in row.warns.items()},
    }
