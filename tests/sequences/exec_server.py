"""The vectors of sequences of exec-server: every kind of line right before every other.

They come one after the other and all at once; what comes of them the model says.
"""

from __future__ import annotations

from collections.abc import Sequence as Many
from itertools import chain
from typing import Any

from wireproof.protocols.exec_server._sequences import (
    CLAUSES,
    LINE_KINDS,
    TOOL_KINDS,
    TOOLS,
    Act,
    Kind,
)
from wireproof.protocols.exec_server._sequences import Sequence as Steps

Vector = dict[str, Any]

LINE_CLAUSES = ("EXEC-S7", "EXEC-S2")
"""What a sequence without the toolset is charged to."""

WORDS = {
    Kind.CALL: "A call",
    Kind.ECHO: "A success",
    Kind.NULL: "A result that is null",
    Kind.FALSE: "A result that is false",
    Kind.COUNT: "A count",
    Kind.FAIL: "A failure",
    Kind.THROW: "An uncaught error",
    Kind.SLEEP: "A call that takes a moment",
    Kind.PRINT: "A call that prints",
    Kind.STDERR: "A call that writes to stderr",
    Kind.UNKNOWN_METHOD: "An unknown method",
    Kind.BAD_PARAMS: "A call with bad params",
    Kind.NO_METHOD: "A request without method",
    Kind.BAD_LINE: "A bad line",
    Kind.BLANK_LINE: "A blank line",
    Kind.NOTIFICATION: "A notification",
    Kind.BATCH: "A batch",
}

ALL = (*TOOL_KINDS, *LINE_KINDS)


def vectors() -> list[Vector]:
    """Return the vectors of the group."""
    return [
        *(_after(first, ALL, CLAUSES) for first in TOOL_KINDS),
        *(_beside(first, ALL, CLAUSES) for first in TOOL_KINDS),
        *(_after(first, LINE_KINDS, LINE_CLAUSES) for first in LINE_KINDS),
        *(_beside(first, LINE_KINDS, LINE_CLAUSES) for first in LINE_KINDS),
        _before_tools(),
        _counts_on(),
    ]


def _vector(
    name: str, title: str, clauses: Many[str], sequence: Steps, *, tools: bool
) -> Vector:
    return {
        "id": f"exec-server/sequences/{name}",
        "title": title,
        "clauses": list(clauses),
        **({"needs": {"tools": list(TOOLS)}} if tools else {}),
        "steps": sequence.steps,
    }


def _pairs(first: Kind, kinds: Many[Kind]) -> list[Act]:
    """Return a kind before every kind, itself included, and after it."""
    return [*map(Act, chain.from_iterable((first, one) for one in kinds)), Act(first)]


def _after(first: Kind, kinds: Many[Kind], clauses: Many[str]) -> Vector:
    name = f"after-{first}"
    sequence = Steps(name)
    sequence.one_by_one(_pairs(first, kinds))
    title = f"{WORDS[first]} leaves no trace in what is sent next."
    return _vector(name, title, clauses, sequence, tools=kinds is ALL)


def _beside(first: Kind, kinds: Many[Kind], clauses: Many[str]) -> Vector:
    name = f"beside-{first}"
    sequence = Steps(name)
    sequence.together(_pairs(first, kinds))
    title = f"{WORDS[first]} leaves no trace in what is in flight beside it."
    return _vector(name, title, clauses, sequence, tools=kinds is ALL)


def _before_tools() -> Vector:
    name = "lines-before-tools"
    sequence = Steps(name)
    for first in LINE_KINDS:
        sequence.one_by_one(_pairs(first, TOOL_KINDS))
    title = "No line of any kind leaves a trace in the calls of tools after it."
    return _vector(name, title, CLAUSES, sequence, tools=True)


def _counts_on() -> Vector:
    name = "counts-on-after-everything"
    sequence = Steps(name)
    total = 0
    for place, first in enumerate(one for one in ALL if one is not Kind.COUNT):
        total += place + 1
        sequence.one_by_one([Act(first), Act(Kind.COUNT, by=place + 1, total=total)])
    for step in sequence.steps:
        match step:
            case {"expect": {"result": {"counter": int()}}}:
                del step["clause"]
            case _:
                pass
    title = "A counter counts on, whatever comes between."
    vector = _vector(name, title, ["EXEC-S10"], sequence, tools=True)
    steps = vector.pop("steps")
    return {**vector, "fresh": True, "steps": steps}
