"""Sequences that the fuzzer of host-v1 draws, over the model of what may be answered.

An example is a few groups of requests, each answered one by one or sent as a whole:
many short sequences of kinds that differ tell more than few long ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from wireproof.fuzzing import Several, corpus_texts, many, several, texts, values
from wireproof.protocols.host_v1._acts import KINDS, Act, Kind
from wireproof.protocols.host_v1._sequences import Sequence

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

CROWD = (65, 129, 257)
"""Calls in flight at once: more than pools and queues hold."""

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
            a fault of its own is not charged here. What they carry is plain.
        charged: The clause that is tried.
        same_id: Whether all of them have one id.
        together: Whether all of them begin before the first answer is awaited.
    """

    acts: tuple[Act, ...]
    charged: str
    same_id: bool = False
    together: bool = False

    def steps(self, prefix: str) -> list[Step]:
        """Return the steps of a vector, with ids that begin with ``prefix``."""
        sequence = Sequence(prefix)
        kinds = dict.fromkeys(act.kind for act in self.acts)
        first = [Kind.COUNT, *(k for k in kinds if k not in LATER_KINDS)]
        sequence.one_by_one(Act(kind) for kind in first)
        sequence.charged = self.charged
        if self.together:
            sequence.together(self.acts, one_write=True)
            return sequence.steps
        for act in map(_plain, self.acts):
            own_id = f"{prefix}-again" if self.same_id else None
            sequence.one_by_one([replace(act, own_id=own_id)])
            if self.same_id:
                sequence.fence()
        return sequence.steps


_values = st.one_of(st.none(), values.map(lambda value: {"$literal": value}))

_texts = st.one_of(st.just(""), corpus_texts, texts(10))

# Whether 0 is taken for nothing is a matter of the tool, and has a check of its own.
_amounts = st.integers(-1000, 1000).filter(bool)

_ACTS = {
    Kind.ECHO: st.builds(Act, st.just(Kind.ECHO), st.booleans(), value=_values),
    Kind.COUNT: st.builds(Act, st.just(Kind.COUNT), by=_amounts),
    Kind.FAIL: st.builds(Act, st.just(Kind.FAIL), st.booleans(), text=_texts),
    Kind.THROW: st.builds(Act, st.just(Kind.THROW), text=_texts),
    Kind.STREAM: st.builds(
        Act,
        st.just(Kind.STREAM),
        st.booleans(),
        parts=st.integers(0, 12),
        delay_ms=st.sampled_from((0, 0, 1)),
        value=_values,
        alike=st.booleans(),
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


def _repeated() -> st.SearchStrategy[Group]:
    """Draw one act again and again: what it leaves behind adds up."""
    # HV1-T7 lets a host end after so many bad lines as one should not send.
    kinds = tuple(kind for kind in KINDS if kind is not Kind.BAD_LINE)

    def build(act: Act, times: int) -> Group:
        return Group((act,) * times)

    return st.builds(build, _acts(kinds), st.integers(4, 20))


def _crowd() -> st.SearchStrategy[Group]:
    def build(act: Act, count: int, one_write: bool) -> Group:  # noqa: FBT001 - drawn
        return Group((act,) * count, together=True, one_write=one_write)

    act = st.sampled_from([Act(Kind.ECHO), Act(Kind.SLEEP), Act(Kind.FAIL)])
    return st.builds(build, act, st.sampled_from(CROWD), st.booleans())


def _sequences() -> st.SearchStrategy[SequencePlan]:
    acts = _acts(KINDS)
    group = st.builds(
        Group,
        many(acts, 10, 16),
        st.booleans(),
        st.booleans(),
    )
    streams = st.lists(_acts((Kind.STREAM,)), min_size=2, max_size=4).map(tuple)
    special = st.one_of(
        st.just(Group((_LONG_STREAM,))),
        st.just(Group((_LARGE_PAYLOADS,))),
        st.builds(Group, streams, st.just(value=True)),
        _repeated(),
        _crowd(),
    )
    groups = st.one_of(
        many(group, 1, 3).map(list),
        st.tuples(group, special, group, _repeated()).map(list),
    )
    return groups.map(lambda found: SequencePlan(tuple(found)))


def _replays() -> st.SearchStrategy[Several]:
    around = st.one_of(
        st.sampled_from([Act(kind) for kind in LATER_KINDS[:2]]), _acts(KINDS)
    )
    older = st.one_of(st.just(Act(Kind.COUNT_AGAIN)), _acts(KINDS))
    counts = st.sampled_from([Act(Kind.COUNT), Act(Kind.COUNT_AGAIN)])
    same = _acts(SAME_ID_KINDS)
    plan = st.one_of(
        st.builds(ReplayPlan, many(around, 10, 16), st.just("HV1-R13")),
        st.builds(ReplayPlan, many(older, 10, 16), st.just("HV1-R10")),
        st.builds(
            ReplayPlan,
            many(counts, 4, 8),
            st.just("HV1-R10"),
            together=st.just(value=True),
        ),
        st.builds(
            ReplayPlan, many(same, 10, 16), st.just("HV1-M14"), st.just(value=True)
        ),
    )
    return several(plan, 5)


def _plain(act: Act) -> Act:
    """Return an act with nothing in it that may fail wherever it stands."""
    return replace(act, value=None, text="")


SEQUENCES = _sequences()
"""Sequences at level MUST."""

REPLAYS = _replays()
"""States that are carried again, ids that are used again, and a second `init`."""
