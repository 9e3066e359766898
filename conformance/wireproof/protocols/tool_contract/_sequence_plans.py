"""Sequences that the fuzzer of tool-contract draws, over the model of what they are.

An example is a few groups of acts, one after the other or all in one turn: many short
sequences of kinds that differ tell more than few long ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from wireproof.fuzzing import many
from wireproof.protocols.tool_contract._acts import (
    OF_CALLS,
    OF_FILES,
    OF_REDUCERS,
    Kind,
)
from wireproof.protocols.tool_contract._sequences import Mode, Sequence

if TYPE_CHECKING:
    Step = dict[str, Any]

_OTHERS = tuple(
    kind
    for kind in Kind
    if kind not in (*OF_FILES, *OF_REDUCERS, Kind.THROWN_VALUE, Kind.ABORT)
)
"""Kinds that any registry can be asked for; what takes time is left to the vectors."""


@dataclass(frozen=True, slots=True)
class Group:
    """Acts of a sequence.

    Attributes:
        kinds: The acts.
        mode: What the one turn is like in which all of them stand; None where they come
            one after the other.
    """

    kinds: tuple[Kind, ...]
    mode: Mode | None = None


@dataclass(frozen=True, slots=True)
class SequencePlan:
    """An example: groups of acts, one after the other."""

    groups: tuple[Group, ...]

    def steps(self, prefix: str) -> list[Step]:
        """Return the steps of a vector, with names of tools that begin with a text."""
        sequence = Sequence(prefix)
        for group in self.groups:
            if group.mode is None:
                sequence.one_by_one(group.kinds)
            else:
                sequence.together(group.kinds, group.mode)
        return sequence.steps


_OF_LISTS = (Kind.AVAILABLE, Kind.UNAVAILABLE, Kind.LISTING)
"""Kinds about which tools there are."""


def _of(
    *things: tuple[Kind, ...], among: tuple[Kind, ...]
) -> st.SearchStrategy[SequencePlan]:
    """Draw sequences of kinds about one thing, by themselves and among others."""
    every = (*chain.from_iterable(things), *among)
    groups = [
        st.builds(Group, many(st.sampled_from(kinds), 4, 14))
        for kinds in (*things, every)
    ]
    calls = many(st.sampled_from(OF_CALLS), 3, 6)
    together = st.builds(Group, calls, st.sampled_from(Mode))
    return many(st.one_of(*groups, together), 3, 12).map(SequencePlan)


SEQUENCES = _of(OF_REDUCERS, _OF_LISTS, among=_OTHERS)
"""Sequences that need no files but for the one by which a tool is available."""

FILES = _of(OF_FILES, among=(Kind.ANSWER, Kind.THROW, Kind.FAIL))
"""Sequences of reads, writes and other effects."""
