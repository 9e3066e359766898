"""The vectors of sequences of tool-contract: what a turn comes to, and what follows.

Every kind of turn, and of what is done between two turns, comes right before every
other. Kinds that not every registry can be asked for come first in the list: a vector
has those that come after its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

from wireproof.protocols.tool_contract._acts import (
    OF_CALLS,
    OF_FILES,
    OF_REDUCERS,
    Kind,
)
from wireproof.protocols.tool_contract._sequences import (
    MODE_CLAUSES,
    Mode,
    clauses_of,
)
from wireproof.protocols.tool_contract._sequences import Sequence as Steps

Vector = dict[str, Any]

SPECIAL = (
    *OF_FILES,
    *(Kind.ABORT, Kind.CALLED_OFF, Kind.THROWN_VALUE),
    *OF_REDUCERS,
)
"""Kinds that need ops, steps or a language that a registry may lack; and aborts, which
where they last would fail the vectors of all other kinds."""

ORDER = (*SPECIAL, *(kind for kind in Kind if kind not in SPECIAL))
"""The kinds, those that most registries can be asked for last."""


def vectors() -> list[Vector]:
    """Return the vectors of the group."""
    return [*map(_around, ORDER), *map(_together, Mode)]


def _vector(name: str, title: str, clauses: list[str], steps: list[Any]) -> Vector:
    return {
        "id": f"tool-contract/sequences/{name}",
        "title": title,
        "clauses": clauses,
        "steps": steps,
    }


def around(kind: Kind) -> list[Kind]:
    """Return a kind right before and after itself and each that comes after it."""
    others = ORDER[ORDER.index(kind) :]
    return [*chain.from_iterable((kind, one) for one in others), kind]


def _around(kind: Kind) -> Vector:
    name = f"around-{kind}"
    sequence = Steps(name)
    sequence.one_by_one(around(kind))
    title = f"{WORDS[kind]} leaves no trace in what comes next."
    steps = sequence.steps
    return _vector(name, title, clauses_of(steps), steps)


def _together(mode: Mode) -> Vector:
    name = f"together-{mode}"
    sequence = Steps(name)
    for kinds in (OF_CALLS, OF_CALLS[::-1], (*OF_CALLS[::2], *OF_CALLS[1::2])):
        sequence.together(kinds, mode)
    sequence.one_by_one([Kind.ANSWER])
    title = f"Calls of every kind stand in one batch{MODES[mode]}."
    return _vector(name, title, [MODE_CLAUSES[mode]], sequence.steps)


MODES: Mapping[Mode, str] = {
    Mode.PLAIN: "",
    Mode.DRY_RUN: " of a dry run",
    Mode.CALLED_OFF: " that is called off",
    Mode.LEFT_OUT: " that may call none of them",
}
"""What a batch is like."""

WORDS: Mapping[Kind, str] = {
    Kind.ANSWER: "A plain call",
    Kind.STRUCTURED: "A result with structured output",
    Kind.LONG: "A result that is cut",
    Kind.UNTRUSTED: "Untrusted output",
    Kind.PROGRESS: "A call that tells of its progress",
    Kind.FAIL: "A failure that a tool returns",
    Kind.THROW: "A throw",
    Kind.NONSENSE: "A tool that returns nothing",
    Kind.UNKNOWN: "A call of an unknown tool",
    Kind.LEFT_OUT: "A call of a tool that is not among those allowed",
    Kind.AVAILABLE: "A tool that has become available",
    Kind.UNAVAILABLE: "A tool that is not available any more",
    Kind.SHARE: "A turn with a small budget",
    Kind.EMPTY: "A turn without calls",
    Kind.LISTING: "A listing",
    Kind.CALLED_OFF: "A turn that is called off before it starts",
    Kind.READ: "A read",
    Kind.WRITE: "A write to a file that was read",
    Kind.STALE_WRITE: "A stale write",
    Kind.UNREAD_WRITE: "A write to a file that was not read",
    Kind.UNWATCHED_WRITE: "A write that nobody watches",
    Kind.DRY_RUN: "A dry run",
    Kind.EFFECT: "A call with an effect",
    Kind.THROWN_VALUE: "A thrown value that is no error",
    Kind.ABORT: "A turn that is called off",
    Kind.REDUCER_ADDED: "A reducer that is registered",
    Kind.REDUCER_THROWS: "A reducer that throws",
    Kind.REDUCER_REFUSED: "A second reducer",
    Kind.REDUCER_REMOVED: "A reducer that is removed",
    Kind.REMOVED_AGAIN: "A reducer that is removed again",
    Kind.REDUCED: "A call of a tool that may have a reducer",
}
"""What comes first, by its kind."""
