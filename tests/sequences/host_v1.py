"""The vectors of sequences of host-v1: every kind of request right before every other.

They come one after the other and all at once; what comes of them the model says.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import cycle
from typing import Any

from tests.sequences.pairs import in_pairs

from wireproof.fuzzing import Act
from wireproof.fuzzing import Sequence as Steps
from wireproof.protocols.host_v1._sequences import DATA, MODEL

Vector = dict[str, Any]

AGAIN = tuple(DATA["groups"]["under-a-used-id"])
"""What is asked under an id that was used before."""

LATER = tuple(DATA["groups"]["only-should"])

KINDS = tuple(kind for kind in DATA["kinds"] if kind not in LATER)
"""The kinds at level MUST."""

TITLES = {kind: DATA["kinds"][kind]["title"] for kind in KINDS}

EACH = [Act(kind) for kind in (*(2 * ["count"]), *KINDS, "count")]
"""Every kind once, before what comes of it is charged to another clause."""

KEEPS = (True, False, False)
"""Whether the states in answers are taken up, by turns: of three, so that both the
kind that comes first and those that follow meet it either way."""


OWN_VECTORS = (
    "sleep",
    "arguments-no-object",
    "no-params",
    "bad-line",
    "no-state",
    "empty-state",
    "foreign-state",
)
"""Kinds in vectors of their own only, where they come before and after all others: a
host that leaves one unanswered is waited for in those."""


def vectors() -> list[Vector]:
    """Return the vectors of the group."""
    return [
        *map(_one_by_one, KINDS),
        *map(_together, KINDS),
        *map(_under_one_id, AGAIN),
        _second_init(),
        _first_state(),
        _many_bad_lines(),
    ]


def _vector(name: str, title: str, clauses: Iterable[str], sequence: Steps) -> Vector:
    return {
        "id": f"host-v1/sequences/{name}",
        "title": title,
        "clauses": list(clauses),
        "needs": {"tools": list(DATA["tools"])},
        "steps": sequence.steps,
    }


def _acts(first: str) -> list[Act]:
    keeps = cycle(KEEPS)
    kinds = in_pairs(first, KINDS, OWN_VECTORS)
    return [Act(kind, {"keeps": next(keeps)}) for kind in kinds]


def _one_by_one(first: str) -> Vector:
    name = f"after-{first}"
    sequence = Steps(MODEL, name)
    sequence.one_by_one([Act("count"), *_acts(first)])
    sequence.one_by_one([Act("count")])
    title = f"{TITLES[first]} leaves no trace in what is asked next."
    return _vector(name, title, DATA["clauses"], sequence)


def _together(first: str) -> Vector:
    name = f"beside-{first}"
    sequence = Steps(MODEL, name)
    sequence.one_by_one([Act("count")])
    sequence.together(_acts(first))
    sequence.one_by_one([Act("count")])
    title = f"{TITLES[first]} leaves no trace in what is in flight beside it."
    return _vector(name, title, DATA["clauses"], sequence)


def _under_one_id(first: str) -> Vector:
    name = f"same-id-after-{first}"
    sequence = Steps(MODEL, name)
    sequence.one_by_one([Act(kind) for kind in (*(2 * ["count"]), *AGAIN, "count")])
    sequence.charged = "HV1-M14"
    for second in AGAIN:
        for kind in (first, second):
            sequence.one_by_one([Act(kind, {"id": f"{name}-again"})])
            sequence.steps.append({"fence": True})
    title = f"{TITLES[first]} leaves no trace in what is asked next under its id."
    return _vector(name, title, ["HV1-M14"], sequence)


def _second_init() -> Vector:
    name = "around-a-second-init"
    sequence = Steps(MODEL, name)
    sequence.one_by_one(EACH)
    sequence.charged = "HV1-R13"
    for kind in KINDS:
        around = (kind, "second-init", kind, "count-of-the-second-init", "count")
        sequence.one_by_one([Act(one) for one in around])
    title = (
        "A second init begins anew whatever is asked around it, and older states stay."
    )
    return _vector(name, title, ["HV1-R13"], sequence)


def _first_state() -> Vector:
    name = "first-state-again"
    sequence = Steps(MODEL, name)
    sequence.one_by_one(EACH)
    sequence.charged = "HV1-R10"
    for kind in KINDS:
        around = (kind, "count-of-the-first-state", kind, "count")
        sequence.one_by_one([Act(one) for one in around])
    title = "The state of init is what it was whatever was asked since."
    return _vector(name, title, ["HV1-R10"], sequence)


def _many_bad_lines() -> Vector:
    name = "many-bad-lines"
    sequence = Steps(MODEL, name)
    sequence.one_by_one(act for act in EACH if act.kind != "bad-line")
    sequence.charged = "HV1-T7"
    sequence.one_by_one([Act("bad-line"), *EACH])
    title = "Twenty lines in a row that are not JSON leave no trace in what is asked."
    return _vector(name, title, ["HV1-T7"], sequence)
