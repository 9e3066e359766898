"""Sequences that the fuzzer of exec-runtime draws, over the model of what may come.

An example is a few groups of calls, one after the other or started together: many short
sequences of kinds that differ tell more than few long ones. What a runtime waits for in
vain is drawn seldom.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from wireproof.fuzzing import many, values
from wireproof.protocols.exec_runtime._acts import (
    IN_FRONT,
    LINGERS,
    ONCE,
    SERVING,
    SOUND,
    TOOLS,
    WAITED_FOR,
    Act,
    Kind,
)
from wireproof.protocols.exec_runtime._sequences import Sequence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wireproof.fuzzing import Step

BRIEF_MS = 1_000
"""Limit of a tool that is waited for in vain: a machine may be busy, and an example is
not tried again more slowly."""

_QUICK_ONCE = tuple(kind for kind in ONCE if kind not in (Kind.HANG, Kind.LATE))

_QUICK_SERVING = tuple(kind for kind in SERVING if kind not in WAITED_FOR)

_WAITED_FOR = tuple(kind for kind in WAITED_FOR if kind is not Kind.LATE)
"""What is late by the limit of vectors is not by the one here."""


@dataclass(frozen=True, slots=True)
class Group:
    """Calls of a sequence.

    Attributes:
        acts: The calls.
        together: Whether they are started together.
    """

    acts: tuple[Act, ...]
    together: bool = False


@dataclass(frozen=True, slots=True)
class SequencePlan:
    """An example: groups of calls, and at their end one of each tool that was called.

    Attributes:
        groups: The groups.
        served_again: Whether a fresh process has to serve the calls after a fault.
    """

    groups: tuple[Group, ...]
    served_again: bool = False

    def steps(self, prefix: str) -> list[Step]:
        """Return the steps of a vector, with texts that begin with ``prefix``."""
        sequence = Sequence(prefix, served_again=self.served_again, brief_ms=BRIEF_MS)
        for group in self.groups:
            if group.together and len(group.acts) > 1:
                sequence.together(group.acts)
            else:
                sequence.one_by_one(group.acts)
        called = dict.fromkeys(act.tool for group in self.groups for act in group.acts)
        last = 2 if self.served_again else 1
        sequence.one_by_one(Act(tool) for tool in called for _ in range(last))
        return sequence.steps


def _of(tools: Iterable[str], kinds: tuple[Kind, ...]) -> st.SearchStrategy[Act]:
    value = st.one_of(st.none(), values.map(lambda one: {"$literal": one}))
    plain = st.builds(Act, st.sampled_from(tuple(tools)), value=value)
    told = st.builds(Act, st.sampled_from(tuple(tools)), st.sampled_from(kinds))
    return st.one_of(told, told, plain)


_servers = tuple(tool for tool in TOOLS if TOOLS[tool].server)

_ones = tuple(tool for tool in TOOLS if not TOOLS[tool].server)

_server_acts = _of(_servers, (*SOUND, Kind.REFUSED, *_QUICK_SERVING))

_once_acts = _of(_ones, (*SOUND, Kind.REFUSED, *_QUICK_ONCE))


def _sequences() -> st.SearchStrategy[SequencePlan]:
    act = st.one_of(_server_acts, _server_acts, _once_acts)
    group = st.builds(Group, many(act, 3, 6), st.booleans())
    waited = st.one_of(
        st.builds(Act, st.just("server"), st.sampled_from(_WAITED_FOR)),
        st.builds(Act, st.just("once"), st.just(Kind.HANG)),
    )
    slow = st.tuples(waited, many(act, 2, 4)).map(lambda two: (two[0], *two[1]))
    waiting = st.builds(Group, slow, st.booleans())
    quick = many(group, 2, 3)
    groups = st.one_of(quick, quick, quick, st.tuples(waiting, group).map(tuple))
    return st.builds(SequencePlan, groups)


def _served_again() -> st.SearchStrategy[SequencePlan]:
    faults = (*_QUICK_SERVING, *IN_FRONT, *LINGERS)
    act = _of(_servers, (*faults, *SOUND))
    group = st.builds(Group, many(act, 3, 6))
    waited = st.builds(Act, st.just("server"), st.sampled_from(_WAITED_FOR))
    waiting = st.builds(Group, st.tuples(waited, st.just(Act("server"))))
    quick = many(group, 1, 2)
    groups = st.one_of(quick, quick, st.tuples(waiting, group).map(tuple))
    return groups.map(lambda found: SequencePlan(found, served_again=True))


SEQUENCES = _sequences()
"""Sequences at level MUST."""

SERVED_AGAIN = _served_again()
"""Sequences in which each call after a fault of a server has to succeed."""
