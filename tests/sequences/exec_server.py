"""The vectors of sequences of exec-server: every kind of line right before every other.

They come one after the other and all at once; what comes of them the model says.
"""

from __future__ import annotations

from collections.abc import Sequence as Many
from itertools import chain
from typing import Any

from wireproof.fuzzing import Act, Model
from wireproof.fuzzing import Sequence as Steps
from wireproof_vectors import load_model

Vector = dict[str, Any]

DATA: Any = load_model("exec-server")

MODEL = Model(DATA)

CLAUSES = tuple(DATA["clauses"])

TOOL_KINDS = tuple(DATA["groups"]["tools"])
"""Kinds that take the conformance toolset."""

LINE_KINDS = tuple(DATA["groups"]["lines"])
"""Kinds that any server can be sent."""

LINE_CLAUSES = ("EXEC-S7", "EXEC-S2")
"""What a sequence without the toolset is charged to."""

ALL = tuple(DATA["kinds"])

TITLES = {kind: one["title"] for kind, one in DATA["kinds"].items()}


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
        **({"needs": {"tools": list(DATA["tools"])}} if tools else {}),
        "steps": sequence.steps,
    }


def _pairs(first: str, kinds: Many[str]) -> list[Act]:
    """Return a kind before every kind, itself included, and after it."""
    return [*map(Act, chain.from_iterable((first, one) for one in kinds)), Act(first)]


def _after(first: str, kinds: Many[str], clauses: Many[str]) -> Vector:
    name = f"after-{first}"
    sequence = Steps(MODEL, name)
    sequence.one_by_one(_pairs(first, kinds))
    title = f"{TITLES[first]} leaves no trace in what is sent next."
    return _vector(name, title, clauses, sequence, tools=kinds is ALL)


def _beside(first: str, kinds: Many[str], clauses: Many[str]) -> Vector:
    name = f"beside-{first}"
    sequence = Steps(MODEL, name)
    sequence.together(_pairs(first, kinds))
    title = f"{TITLES[first]} leaves no trace in what is in flight beside it."
    return _vector(name, title, clauses, sequence, tools=kinds is ALL)


def _before_tools() -> Vector:
    name = "lines-before-tools"
    sequence = Steps(MODEL, name)
    for first in LINE_KINDS:
        sequence.one_by_one(_pairs(first, TOOL_KINDS))
    title = "No line of any kind leaves a trace in the calls of tools after it."
    return _vector(name, title, CLAUSES, sequence, tools=True)


def _counts_on() -> Vector:
    name = "counts-on-after-everything"
    sequence = Steps(MODEL, name)
    total = 0
    for place, first in enumerate(one for one in ALL if one != "count"):
        total += place + 1
        sequence.one_by_one(
            [Act(first), Act("count", {"by": place + 1, "total": total})]
        )
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
