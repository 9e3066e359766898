"""The vectors of sequences of socket-v1: every kind of frame right before every other.

They come one after the other, all at once, under the same ids on two connections, and
under one id; what comes of them the model says.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

from tests.sequences.pairs import in_pairs

from wireproof.fuzzing import Act
from wireproof.fuzzing import Sequence as Steps
from wireproof.protocols.socket_v1._sequences import DATA, MODEL, end

Vector = dict[str, Any]

SECOND = "second"
"""The other of two connections."""

KINDS = tuple(kind for kind in DATA["kinds"] if kind not in DATA["groups"]["cancels"])
"""The kinds that are not only for sequences of cancels."""

CLAUSES = tuple(DATA["clauses"])

TITLES = {kind: DATA["kinds"][kind]["title"] for kind in KINDS}

APART = (
    "success",
    "failure",
    "throw",
    "stream",
    "sleep",
    "session",
    "unknown-tool",
    "invalid-arguments",
    "cancelled",
    "expired",
    "connection-gone",
)
"""Calls that are made on two connections at once, or under an id used before."""


LAST = (Act("success"), Act("session"))
"""What ends a sequence: traces that add up show here."""


OWN_VECTORS = (
    "cancelled",
    "expired",
    "connection-gone",
    "stray-cancel",
    "bad-line",
    "bad-message",
    "other-protocol",
)
"""Kinds in vectors of their own only, where they come before and after all others: a
server that leaves one unanswered is waited for in those."""


def vectors() -> list[Vector]:
    """Return the vectors of the group."""
    return [
        *map(_one_by_one, KINDS),
        *map(_together, KINDS),
        *map(_apart, APART),
        *map(_under_one_id, APART[:-1]),
    ]


def _vector(
    name: str, title: str, sequence: Steps, clauses: Iterable[str] = CLAUSES
) -> Vector:
    end(sequence)
    return {
        "id": f"socket-v1/sequences/{name}",
        "title": title,
        "clauses": list(clauses),
        "needs": {"tools": list(DATA["tools"])},
        "steps": sequence.steps,
    }


def _acts(first: str) -> list[Act]:
    return list(map(Act, in_pairs(first, KINDS, OWN_VECTORS)))


def _one_by_one(first: str) -> Vector:
    name = f"after-{first}"
    sequence = Steps(MODEL, name)
    sequence.one_by_one([Act("session"), *_acts(first), *LAST])
    title = f"{TITLES[first]} leaves no trace in what is sent next."
    return _vector(name, title, sequence)


def _together(first: str) -> Vector:
    name = f"beside-{first}"
    sequence = Steps(MODEL, name)
    sequence.one_by_one([Act("session")])
    sequence.together(_acts(first))
    sequence.one_by_one(LAST)
    title = f"{TITLES[first]} leaves no trace in what is in flight beside it."
    return _vector(name, title, sequence)


def _apart(first: str) -> Vector:
    name = f"apart-from-{first}"
    sequence = Steps(MODEL, name)
    pairs = (
        (Act(first, {"id": key, "ms": 20}), Act(second, {"on": SECOND, "id": key}))
        for second in APART
        for key in [f"{name}-and-{second}"]
    )
    sequence.one_by_one(map(Act, APART))
    sequence.charged = "SOCK-C9"
    sequence.together(chain.from_iterable(pairs))
    title = f"{TITLES[first]} leaves no trace in calls of its id on another connection."
    return _vector(name, title, sequence, ("SOCK-C9", "SOCK-X1", "SOCK-X5"))


def _under_one_id(first: str) -> Vector:
    name = f"same-id-after-{first}"
    sequence = Steps(MODEL, name)
    acts = [
        Act(kind, {"id": name}) for second in APART[:-1] for kind in (first, second)
    ]
    sequence.one_by_one(acts)
    title = f"{TITLES[first]} leaves no trace in the next call under its id."
    return _vector(name, title, sequence)
