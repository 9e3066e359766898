"""Sequences that the fuzzer of host-v1 draws, over the model of what may be answered.

An example is a few groups of requests, each answered one by one or sent as a whole:
many short sequences of kinds that differ tell more than few long ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from wireproof.fuzzing import texts, values
from wireproof.protocols.host_v1._sequences import KINDS, Act, Kind, Sequence

if TYPE_CHECKING:
    Step = dict[str, Any]

LONGEST_STREAM = 1_100
"""Events of the longest stream: more than the queues that programs like to have."""

LARGEST_PAYLOAD = 70_000
"""Characters of the largest payload: more than a pipe holds."""

SAME_ID_KINDS = (
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

LATER_KINDS = (Kind.INIT, Kind.COUNT_ANEW, Kind.COUNT_AGAIN)
"""What cannot be tried by itself first."""


@dataclass(frozen=True, slots=True)
class Group:
    """Acts of a sequence that are sent in one way.

    Attributes:
        acts: The acts.
        together: Whether all of them begin before the first answer is awaited.
        one_write: Whether they then are one write.
    """

    acts: tuple[Act, ...]
    together: bool = False
    one_write: bool = False


@dataclass(frozen=True, slots=True)
class SequencePlan:
    """An example: groups of acts between two counts, by which a lost state shows."""

    groups: tuple[Group, ...]

    def steps(self, prefix: str) -> list[Step]:
        """Return the steps of a vector, with ids that begin with ``prefix``."""
        sequence = Sequence(prefix)
        sequence.one_by_one([Act(Kind.COUNT)])
        for group in self.groups:
            if group.together:
                sequence.together(group.acts, one_write=group.one_write)
            else:
                sequence.one_by_one(group.acts)
        sequence.one_by_one([Act(Kind.COUNT)])
        return sequence.steps


@dataclass(frozen=True, slots=True)
class ReplayPlan:
    """An example of what only a SHOULD asks for.

    Attributes:
        acts: The acts, one by one; first each kind of them is tried by itself, so that
            a fault of its own is not charged here.
        charged: The clause that is tried.
        same_id: Whether all of them have one id.
    """

    acts: tuple[Act, ...]
    charged: str
    same_id: bool = False

    def steps(self, prefix: str) -> list[Step]:
        """Return the steps of a vector, with ids that begin with ``prefix``."""
        sequence = Sequence(prefix)
        kinds = dict.fromkeys(act.kind for act in self.acts)
        first = [Kind.COUNT, *(k for k in kinds if k not in LATER_KINDS)]
        sequence.one_by_one(Act(kind) for kind in first)
        sequence.charged = self.charged
        for act in self.acts:
            own_id = f"{prefix}-again" if self.same_id else None
            sequence.one_by_one([replace(act, own_id=own_id)])
            if self.same_id:
                sequence.fence()
        return sequence.steps


_values = st.one_of(st.none(), values.map(lambda value: {"$literal": value}))

_texts = st.one_of(st.just(""), texts(10))

_ACTS = {
    Kind.ECHO: st.builds(Act, st.just(Kind.ECHO), st.booleans(), value=_values),
    Kind.COUNT: st.builds(Act, st.just(Kind.COUNT), by=st.integers(-1000, 1000)),
    Kind.FAIL: st.builds(Act, st.just(Kind.FAIL), st.booleans(), text=_texts),
    Kind.THROW: st.builds(Act, st.just(Kind.THROW), text=_texts),
    Kind.STREAM: st.builds(
        Act,
        st.just(Kind.STREAM),
        st.booleans(),
        parts=st.integers(0, 6),
        delay_ms=st.sampled_from((0, 0, 1)),
        value=_values,
    ),
    Kind.LISTING: st.builds(Act, st.just(Kind.LISTING), st.booleans()),
}
"""Acts that are drawn with more than their kind."""

_LONG_STREAM = Act(Kind.STREAM, parts=LONGEST_STREAM)

_LARGE_PAYLOADS = Act(Kind.STREAM, value={"$repeat": "x", "times": LARGEST_PAYLOAD})


def _acts(kinds: tuple[Kind, ...]) -> st.SearchStrategy[Act]:
    return st.sampled_from(kinds).flatmap(
        lambda kind: _ACTS.get(kind, st.just(Act(kind)))
    )


def _many(acts: st.SearchStrategy[Act]) -> st.SearchStrategy[tuple[Act, ...]]:
    """Draw acts: few, to which an example shrinks, or as many as tell much at once."""
    few = st.lists(acts, min_size=1, max_size=10)
    many = st.lists(acts, min_size=8, max_size=16)
    return st.one_of(few, many, many).map(tuple)


def _sequences() -> st.SearchStrategy[SequencePlan]:
    acts = _acts(KINDS)
    group = st.builds(
        Group,
        _many(acts),
        st.booleans(),
        st.booleans(),
    )
    streams = st.lists(_acts((Kind.STREAM,)), min_size=2, max_size=4).map(tuple)
    special = st.one_of(
        st.just(Group((_LONG_STREAM,))),
        st.just(Group((_LARGE_PAYLOADS,))),
        st.builds(Group, streams, st.just(value=True)),
    )
    groups = st.one_of(
        st.lists(group, min_size=1, max_size=3),
        st.tuples(group, special).map(list),
    )
    return groups.map(lambda found: SequencePlan(tuple(found)))


def _replays() -> st.SearchStrategy[ReplayPlan]:
    around = st.one_of(
        st.sampled_from([Act(kind) for kind in LATER_KINDS[:2]]), _acts(KINDS)
    )
    older = st.one_of(st.just(Act(Kind.COUNT_AGAIN)), _acts(KINDS))
    same = _acts(SAME_ID_KINDS)

    return st.one_of(
        st.builds(ReplayPlan, _many(around), st.just("HV1-R13")),
        st.builds(ReplayPlan, _many(older), st.just("HV1-R10")),
        st.builds(ReplayPlan, _many(same), st.just("HV1-M14"), st.just(value=True)),
    )


SEQUENCES = _sequences()
"""Sequences at level MUST."""

REPLAYS = _replays()
"""States that are carried again, ids that are used again, and a second `init`."""
