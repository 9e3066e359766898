"""The fuzz properties of exec-server, by name: what each tries and what it needs.

Kept apart from the strategies so that listing checks does not import Hypothesis.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.checks import Check
from wireproof.protocols.exec_server._sequences import CLAUSES, TOOLS

if TYPE_CHECKING:
    from wireproof.checks import Level

PREFIX = "exec-server/fuzz/"


def _check(
    name: str, title: str, clauses: tuple[str, ...], level: Level, *tools: str
) -> Check:
    needs = {"tools": list(tools)} if tools else {}
    # How a line is spelled shows in the answer that a server gives to a bad one.
    explains = ("EXEC-S2",) if clauses[0] in {"EXEC-S5", "EXEC-S18"} else ()
    return Check(
        *(f"{PREFIX}{name}", title, clauses, level, "derived", "fuzz", needs),
        explains=explains,
    )


FUZZ_CHECKS: tuple[Check, ...] = (
    _check(
        "ids",
        "A response has the id of its request, a string or a positive integer.",
        ("EXEC-S2",),
        "must",
    ),
    _check(
        "cuts",
        "Requests are answered however their bytes are cut and joined.",
        ("EXEC-S5",),
        "must",
    ),
    _check(
        "spelling",
        "Requests are answered however their JSON is spelled, and among blank lines.",
        ("EXEC-S5", "EXEC-S7"),
        "must",
    ),
    _check(
        "line-ends",
        "A carriage return between tokens or before the line feed is white space.",
        ("EXEC-S5",),
        "should",
    ),
    _check(
        "bad-lines",
        "Requests among lines that are no requests are answered.",
        ("EXEC-S7",),
        "must",
    ),
    _check(
        "bad-bytes",
        "Requests among lines that are not UTF-8 or hold NUL are answered.",
        ("EXEC-S7",),
        "must",
    ),
    _check(
        "long-lines",
        "Requests among long and deeply nested lines are answered.",
        ("EXEC-S7",),
        "must",
    ),
    _check(
        "tails",
        "A call at the end of a bad line is not executed.",
        ("EXEC-S18",),
        "must",
    ),
    _check(
        "sequences",
        "Sequences of calls, one after the other or all at once, are answered as the "
        "toolset says.",
        CLAUSES,
        "must",
        *TOOLS,
    ),
    _check(
        "values",
        "JSON values come back from a tool as they were.",
        ("EXEC-S15",),
        "must",
        "conformance_echo",
    ),
    _check(
        "places",
        "Values survive wherever they may stand, at two places at a time.",
        ("EXEC-S2", "EXEC-S15", "EXEC-S7"),
        "must",
        "conformance_echo",
        "conformance_fail",
        "conformance_return",
    ),
)
