"""The vectors of sequences of socket-v1: every kind of frame right before every other.

They come one after the other, all at once, under the same ids on two connections, and
under one id; what comes of them the model says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from tests.sequences.pairs import in_pairs

from wireproof.protocols.socket_v1._acts import KINDS, Act, Kind
from wireproof.protocols.socket_v1._sequences import CLAUSES, TOOLS
from wireproof.protocols.socket_v1._sequences import Sequence as Steps

Vector = dict[str, Any]

SECOND = "second"
"""The other of two connections."""

APART = (
    Kind.ECHO,
    Kind.FAIL,
    Kind.THROW,
    Kind.STREAM,
    Kind.SLEEP,
    Kind.SESSION,
    Kind.UNKNOWN_TOOL,
    Kind.INVALID,
    Kind.CANCELLED,
    Kind.EXPIRED,
    Kind.GONE,
)
"""Calls that are made on two connections at once, or under an id used before."""


LAST = (Act(Kind.ECHO), Act(Kind.SESSION))
"""What ends a sequence: traces that add up show here."""


OWN_VECTORS = (
    Kind.CANCELLED,
    Kind.EXPIRED,
    Kind.GONE,
    Kind.STRAY_CANCEL,
    Kind.BAD_LINE,
    Kind.BAD_MESSAGE,
    Kind.OTHER_PROTOCOL,
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
    sequence.end()
    return {
        "id": f"socket-v1/sequences/{name}",
        "title": title,
        "clauses": list(clauses),
        "needs": {"tools": list(TOOLS)},
        "steps": sequence.steps,
    }


def _acts(first: Kind) -> list[Act]:
    return list(map(Act, in_pairs(first, KINDS, OWN_VECTORS)))


def _one_by_one(first: Kind) -> Vector:
    name = f"after-{first}"
    sequence = Steps(name)
    sequence.one_by_one([Act(Kind.SESSION), *_acts(first), *LAST])
    title = f"{WORDS[first]} leaves no trace in what is sent next."
    return _vector(name, title, sequence)


def _together(first: Kind) -> Vector:
    name = f"beside-{first}"
    sequence = Steps(name)
    sequence.one_by_one([Act(Kind.SESSION)])
    sequence.together(_acts(first))
    sequence.one_by_one(LAST)
    title = f"{WORDS[first]} leaves no trace in what is in flight beside it."
    return _vector(name, title, sequence)


def _apart(first: Kind) -> Vector:
    name = f"apart-from-{first}"
    sequence = Steps(name)
    pairs = (
        (Act(first, own_id=key, ms=20), Act(second, on=SECOND, own_id=key))
        for second in APART
        for key in [f"{name}-and-{second}"]
    )
    sequence.one_by_one(map(Act, APART))
    sequence.charged = "SOCK-C9"
    sequence.together(chain.from_iterable(pairs))
    title = f"{WORDS[first]} leaves no trace in calls of its id on another connection."
    return _vector(name, title, sequence, ("SOCK-C9", "SOCK-X1", "SOCK-X5"))


def _under_one_id(first: Kind) -> Vector:
    name = f"same-id-after-{first}"
    sequence = Steps(name)
    acts = [Act(kind, own_id=name) for second in APART[:-1] for kind in (first, second)]
    sequence.one_by_one(acts)
    title = f"{WORDS[first]} leaves no trace in the next call under its id."
    return _vector(name, title, sequence)


WORDS: Mapping[Kind, str] = {
    Kind.ECHO: "A success",
    Kind.COUNT: "A count",
    Kind.FAIL: "A failure",
    Kind.DETAILS: "A failure with details",
    Kind.THROW: "A throw",
    Kind.STREAM: "A stream",
    Kind.SLEEP: "A sleep",
    Kind.ENVELOPE: "An explicit envelope",
    Kind.CONTEXT: "A call that claims nothing",
    Kind.SESSION: "A call that claims to be what it is",
    Kind.CLAIM: "A claim to be a plugin",
    Kind.UNKNOWN_TOOL: "A call of an unknown tool",
    Kind.INVALID: "A call whose arguments break the schema",
    Kind.DENIED: "A call that is denied or granted",
    Kind.CANCELLED: "A call that is cancelled",
    Kind.EXPIRED: "A call that times out",
    Kind.GONE: "A connection that closes with a call in flight",
    Kind.STRAY_CANCEL: "A cancel of what is not in flight",
    Kind.LISTING: "A listing",
    Kind.BAD_LINE: "A line that is not JSON",
    Kind.BAD_MESSAGE: "JSON that is no message",
    Kind.OTHER_PROTOCOL: "A frame of another protocol",
}
