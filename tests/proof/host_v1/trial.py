"""Runs the suite on a host, in the manner of every proof."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from tests.proof.host_v1.subject import Subject
from tests.proof.trial import (
    ANSWER_SECONDS,
    BROKEN_VERDICTS,
    HARMLESS,
    ROOT,
    Trial,
    complaints,
    surprises,
    try_checks,
)

__all__ = [
    "ANSWER_SECONDS",
    "BROKEN_VERDICTS",
    "HARMLESS",
    "ROOT",
    "Trial",
    "command_of",
    "complaints",
    "surprises",
    "try_out",
]

HOST = Path(__file__).with_name("host.py")


def command_of(subject: Subject) -> tuple[str, ...]:
    """Return the command that starts a host of the tables."""
    table = "broken" if subject.clause else "legal"
    return (sys.executable, str(HOST), table, subject.name)


def try_out(
    command: Sequence[str],
    *,
    timeout: float | None = ANSWER_SECONDS,
    folder: Path = ROOT,
    every: int = 1,
) -> Trial:
    """Run the vectors on a host.

    Args:
        command: What starts it.
        timeout: Most seconds to wait for an answer; None for the suite's own limits.
        folder: Where it is started.
        every: 1 for each vector, 6 for every sixth.
    """
    return try_checks(
        "host",
        command,
        timeout=timeout,
        folder=folder,
        choose=lambda checks: checks[::every],
    )
