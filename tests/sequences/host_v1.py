"""The vectors of sequences of host-v1: every kind of request right before every other.

They come one after the other and all at once; what comes of them the model says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import cycle
from typing import Any

from tests.sequences.pairs import in_pairs

from wireproof.protocols.host_v1._acts import KINDS, Act, Kind
from wireproof.protocols.host_v1._sequences import CLAUSES, TOOLS
from wireproof.protocols.host_v1._sequences import Sequence as Steps

Vector = dict[str, Any]

AGAIN = (
    Kind.ECHO,
    Kind.COUNT,
    Kind.FAIL,
    Kind.THROW,
    Kind.STREAM,
    Kind.UNKNOWN_TOOL,
    Kind.UNKNOWN_METHOD,
    Kind.LISTING,
)
"""What is asked under an id that was used before."""

EACH = [Act(kind) for kind in (*(2 * [Kind.COUNT]), *KINDS, Kind.COUNT)]
"""Every kind once, before what comes of it is charged to another clause."""

KEEPS = (True, False, False)
"""Whether the states in answers are taken up, by turns: of three, so that both the
kind that comes first and those that follow meet it either way."""


OWN_VECTORS = (
    Kind.SLEEP,
    Kind.NO_OBJECT_ARGUMENTS,
    Kind.NO_PARAMS,
    Kind.BAD_LINE,
    Kind.NO_STATE,
    Kind.EMPTY_STATE,
    Kind.FOREIGN_STATE,
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
        "needs": {"tools": list(TOOLS)},
        "steps": sequence.steps,
    }


def _acts(first: Kind) -> list[Act]:
    keeps = cycle(KEEPS)
    return [
        Act(kind, keeps=next(keeps)) for kind in in_pairs(first, KINDS, OWN_VECTORS)
    ]


def _one_by_one(first: Kind) -> Vector:
    name = f"after-{first}"
    sequence = Steps(name)
    sequence.one_by_one([Act(Kind.COUNT), *_acts(first)])
    sequence.one_by_one([Act(Kind.COUNT)])
    title = f"{WORDS[first]} leaves no trace in what is asked next."
    return _vector(name, title, CLAUSES, sequence)


def _together(first: Kind) -> Vector:
    name = f"beside-{first}"
    sequence = Steps(name)
    sequence.one_by_one([Act(Kind.COUNT)])
    sequence.together(_acts(first))
    sequence.one_by_one([Act(Kind.COUNT)])
    title = f"{WORDS[first]} leaves no trace in what is in flight beside it."
    return _vector(name, title, CLAUSES, sequence)


def _under_one_id(first: Kind) -> Vector:
    name = f"same-id-after-{first}"
    sequence = Steps(name)
    sequence.one_by_one(
        [Act(kind) for kind in (*(2 * [Kind.COUNT]), *AGAIN, Kind.COUNT)]
    )
    sequence.charged = "HV1-M14"
    for second in AGAIN:
        for kind in (first, second):
            sequence.one_by_one([Act(kind, own_id=f"{name}-again")])
            sequence.fence()
    title = f"{WORDS[first]} leaves no trace in what is asked next under its id."
    return _vector(name, title, ["HV1-M14"], sequence)


def _second_init() -> Vector:
    name = "around-a-second-init"
    sequence = Steps(name)
    sequence.one_by_one(EACH)
    sequence.charged = "HV1-R13"
    for kind in KINDS:
        around = (kind, Kind.INIT, kind, Kind.COUNT_ANEW, Kind.COUNT)
        sequence.one_by_one([Act(one) for one in around])
    title = (
        "A second init begins anew whatever is asked around it, and older states stay."
    )
    return _vector(name, title, ["HV1-R13"], sequence)


def _first_state() -> Vector:
    name = "first-state-again"
    sequence = Steps(name)
    sequence.one_by_one(EACH)
    sequence.charged = "HV1-R10"
    for kind in KINDS:
        around = (kind, Kind.COUNT_AGAIN, kind, Kind.COUNT)
        sequence.one_by_one([Act(one) for one in around])
    title = "The state of init is what it was whatever was asked since."
    return _vector(name, title, ["HV1-R10"], sequence)


def _many_bad_lines() -> Vector:
    name = "many-bad-lines"
    sequence = Steps(name)
    sequence.one_by_one(act for act in EACH if act.kind is not Kind.BAD_LINE)
    sequence.charged = "HV1-T7"
    sequence.one_by_one([Act(Kind.BAD_LINE), *EACH])
    title = "Twenty lines in a row that are not JSON leave no trace in what is asked."
    return _vector(name, title, ["HV1-T7"], sequence)


WORDS: Mapping[Kind, str] = {
    Kind.ECHO: "A success",
    Kind.COUNT: "A call that changes the state",
    Kind.FAIL: "A reported failure",
    Kind.THROW: "A throw",
    Kind.STREAM: "A stream",
    Kind.SLEEP: "A sleep",
    Kind.UNKNOWN_TOOL: "A call of an unknown tool",
    Kind.UNKNOWN_METHOD: "An unknown method",
    Kind.LISTING: "A listing",
    Kind.OPTIONAL: "An optional method",
    Kind.NO_OBJECT_ARGUMENTS: "A call whose arguments are no object",
    Kind.NO_PARAMS: "A request without params",
    Kind.BAD_LINE: "A line that is not JSON",
    Kind.NO_STATE: "A call without a state",
    Kind.EMPTY_STATE: "A call with an empty state",
    Kind.FOREIGN_STATE: "A call with a state that lacks the host's keys",
}
