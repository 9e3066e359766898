"""Runs the suite on a server of the tables, in the manner of every proof."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.proof.socket_v1.subject import ServerRow
from tests.proof.trial import ROOT, Trial, try_checks

from wireproof.checks import Check

ANSWER_SECONDS = 4.0
"""Longest wait for an answer or a start: a server may start beside seven others."""

SERVER = Path(__file__).with_name("server.py")

PLACES = ("{socket}", "{home}/.meith")


def command_of(row: ServerRow) -> tuple[str, ...]:
    """Return the command that starts a server of the tables."""
    table = "broken" if row.clause else "legal"
    return (sys.executable, str(SERVER), table, row.name, *PLACES)


def try_out(
    command: Sequence[str],
    *,
    timeout: float | None = ANSWER_SECONDS,
    every: int = 1,
    clause: str = "",
) -> Trial:
    """Run the vectors on a server.

    Args:
        command: What starts it, or the path of its socket.
        timeout: Most seconds to wait for an answer; None for the suite's own limits.
        every: 1 for each vector, 8 for every eighth.
        clause: Its vectors are run all the same.
    """

    def choose(checks: Sequence[Check]) -> Iterable[Check]:
        wanted = {check.id for check in checks[::every]}
        return [c for c in checks if c.id in wanted or clause in c.clauses]

    return try_checks("socket", command, timeout=timeout, folder=ROOT, choose=choose)
