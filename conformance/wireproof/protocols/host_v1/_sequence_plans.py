"""Sequences that the fuzzer of host-v1 draws, over the model of what may be answered.

An example is a few groups of requests, each answered one by one or sent as a whole:
many short sequences of kinds that differ tell more than few long ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from wireproof.fuzzing import (
    Act,
    Sequence,
    Several,
    corpus_texts,
    many,
    several,
    texts,
    values,
)
from wireproof.protocols.host_v1._sequences import DATA, MODEL

if TYPE_CHECKING:
    Step = dict[str, Any]

LONGEST_STREAM = 1_100
"""Events of the longest stream: more than the queues that programs like to have."""

LARGEST_PAYLOAD = 70_000
"""Characters of the largest payload: more than a pipe holds."""

SAME_ID_KINDS = tuple(DATA["groups"]["under-a-used-id"])
"""What is asked under an id that was used before."""

LATER_KINDS = tuple(DATA["groups"]["only-should"])
"""What cannot be tried by itself first."""

KINDS = tuple(kind for kind in DATA["kinds"] if kind not in LATER_KINDS)
"""The kinds in sequences at level MUST."""

CROWD = (65, 129, 257)
"""Calls in flight at once: more than pools and queues hold."""


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
        sequence = Sequence(MODEL, prefix)
        sequence.one_by_one([Act("count")])
        for group in self.groups:
            if group.together:
                sequence.together(group.acts, one_write=group.one_write)
            else:
                sequence.one_by_one(group.acts)
        sequence.one_by_one([Act("count")])
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
        sequence = Sequence(MODEL, prefix)
        kinds = dict.fromkeys(act.kind for act in self.acts)
        first = ["count", *(k for k in kinds if k not in LATER_KINDS)]
        sequence.one_by_one(map(Act, first))
        sequence.charged = self.charged
        if self.together:
            sequence.together(self.acts, one_write=True)
            return sequence.steps
        given = {"id": f"{prefix}-again"} if self.same_id else {}
        for act in self.acts:
            # With nothing in it that may fail wherever it stands.
            sequence.one_by_one([act.but(value=None, text="", **given)])
            if self.same_id:
                # Nothing that comes after it is an answer to this act.
                sequence.steps.append({"fence": True})
        return sequence.steps


_values = st.one_of(st.none(), values.map(lambda value: {"$literal": value}))

_texts = st.one_of(st.just(""), corpus_texts, texts(10))

# Whether 0 is taken for nothing is a matter of the tool, and has a check of its own.
_amounts = st.integers(-1000, 1000).filter(bool)

_ACTS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "success": {"keeps": st.booleans(), "value": _values},
    "count": {"by": _amounts},
    "failure": {"keeps": st.booleans(), "text": _texts},
    "throw": {"text": _texts},
    "stream": {
        "keeps": st.booleans(),
        "parts": st.integers(0, 12),
        "delay_ms": st.sampled_from((None, None, 1)),
        "value": _values,
        "alike": st.booleans(),
    },
    "listing": {"keeps": st.booleans()},
}
"""The parameters that are drawn for a kind."""

_LONG_STREAM = Act("stream", {"parts": LONGEST_STREAM})

_LARGE_PAYLOADS = Act("stream", {"value": {"$repeat": "x", "times": LARGEST_PAYLOAD}})


def _acts(kinds: tuple[str, ...]) -> st.SearchStrategy[Act]:
    return st.sampled_from(kinds).flatmap(
        lambda kind: st.builds(dict[str, Any], **_ACTS.get(kind, {})).map(
            partial(Act, kind)
        )
    )


def _repeated() -> st.SearchStrategy[Group]:
    """Draw one act again and again: what it leaves behind adds up."""
    # HV1-T7 lets a host end after so many bad lines as one should not send.
    kinds = tuple(kind for kind in KINDS if kind != "bad-line")

    def build(act: Act, times: int) -> Group:
        return Group((act,) * times)

    return st.builds(build, _acts(kinds), st.integers(4, 20))


def _crowd() -> st.SearchStrategy[Group]:
    def build(act: Act, count: int, one_write: bool) -> Group:  # noqa: FBT001 - drawn
        return Group((act,) * count, together=True, one_write=one_write)

    act = st.sampled_from([Act("success"), Act("sleep"), Act("failure")])
    return st.builds(build, act, st.sampled_from(CROWD), st.booleans())


def _sequences() -> st.SearchStrategy[SequencePlan]:
    acts = _acts(KINDS)
    group = st.builds(
        Group,
        many(acts, 10, 16),
        st.booleans(),
        st.booleans(),
    )
    streams = st.lists(_acts(("stream",)), min_size=2, max_size=4).map(tuple)
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
    older = st.one_of(st.just(Act("count-of-the-first-state")), _acts(KINDS))
    counts = st.sampled_from([Act("count"), Act("count-of-the-first-state")])
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


SEQUENCES = _sequences()
"""Sequences at level MUST."""

REPLAYS = _replays()
"""States that are carried again, ids that are used again, and a second `init`."""
