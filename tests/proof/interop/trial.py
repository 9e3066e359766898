"""Runs the suite on a registry of the tables, in the manner of every proof."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.proof.interop.subject import AdapterRow
from tests.proof.trial import ROOT, Trial, try_checks

from wireproof.checks import Check
from wireproof.protocols import protocol_for

ANSWER_SECONDS = 4.0
"""Longest wait for an answer or a start: a driver may start beside seven others."""

DRIVER = (sys.executable, str(Path(__file__).with_name("driver.py")))
"""Followed by `module:attr`, a driver as an author of an adapter has it."""


def command_for(target: str) -> tuple[str, ...]:
    """Return what the suite starts for `module:attr`."""
    return protocol_for("adapter").command(target)


def command_of(row: AdapterRow, *, bridged: bool = False) -> tuple[str, ...]:
    """Return what the suite starts for a registry of the tables."""
    if bridged:
        return (*DRIVER, row.target)
    return command_for(row.target)


def try_out(
    command: Sequence[str],
    *,
    timeout: float | None = ANSWER_SECONDS,
    every: int = 1,
    clause: str = "",
) -> Trial:
    """Run the vectors on a registry.

    Args:
        command: What starts its driver.
        timeout: Most seconds to wait for an answer; None for the suite's own limits.
        every: 1 for each vector, 8 for every eighth.
        clause: Its vectors are run all the same.
    """

    def choose(checks: Sequence[Check]) -> Iterable[Check]:
        wanted = {check.id for check in checks[::every]}
        return [c for c in checks if c.id in wanted or clause in c.clauses]

    return try_checks("adapter", command, timeout=timeout, folder=ROOT, choose=choose)
