"""Sequences that the fuzzer of socket-v1 draws, over the model of what may be answered.

An example is a few groups of frames, each answered one by one or sent as a whole, on
one connection or on several: many short sequences of kinds that differ tell more than
few long ones.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from wireproof.fuzzing import corpus_texts, many, texts, values
from wireproof.judge import MAIN
from wireproof.protocols.socket_v1._acts import (
    CANCEL_KINDS,
    ENDED_EARLY,
    KINDS,
    NEVER_ENDING_MS,
    Act,
    Kind,
)
from wireproof.protocols.socket_v1._sequences import Sequence

if TYPE_CHECKING:
    from collections.abc import Sequence as Acts

    Step = dict[str, Any]

CONNECTIONS = (MAIN, "second", "third")
"""The connections of plans that have several."""

CODES = (
    "UNKNOWN_TOOL",
    "VALIDATION_ERROR",
    "PERMISSION_DENIED",
    "TIMEOUT",
    "TOOL_FAILED",
)
"""Codes that a tool may choose for its error."""

CALLERS = ("cli", "plugin", "renderer", "agent", "internal")
"""All that a client may claim to be."""

CROWD = (33, 65, 129)
"""Calls in flight at once: more than pools and queues hold."""

SECONDS_MS = 2_000
"""Milliseconds that end before a deadline which is taken for seconds."""

LONGEST_STREAM = 1_100
"""Events of the longest stream: more than the queues that programs like to have."""

LARGEST_PAYLOAD = 70_000
"""Characters of the largest payload: more than a socket holds."""

QUIET = (
    Kind.ECHO,
    Kind.FAIL,
    Kind.DETAILS,
    Kind.THROW,
    Kind.STREAM,
    Kind.SLEEP,
    Kind.ENVELOPE,
    Kind.UNKNOWN_TOOL,
    Kind.INVALID,
)
"""Calls of which nothing is left when they are answered."""


@dataclass(frozen=True, slots=True)
class Group:
    """Acts of a sequence that are sent in one way.

    Attributes:
        acts: The acts.
        together: Whether all of them begin before the first answer is awaited.
        beside: Whether they are sent one by one while another call runs.
        same_ids: Whether calls are numbered alike on every connection, or have one id
            where each begins when the one before has been answered.
    """

    acts: tuple[Act, ...]
    together: bool = False
    same_ids: bool = False
    beside: bool = False

    def named(self, prefix: str) -> Acts[Act]:
        """Return the acts with ids that begin with ``prefix`` where they share."""
        if not self.same_ids:
            return self.acts
        count: Counter[str] = Counter()
        found: list[Act] = []
        for act in self.acts:
            count[act.on] += self.together
            found.append(replace(act, own_id=f"{prefix}-{count[act.on]}"))
        return found


@dataclass(frozen=True, slots=True)
class SequencePlan:
    """An example: groups of acts.

    Attributes:
        groups: The groups.
        charged: As of `Sequence`.
        sessions: Whether each connection is asked for its session first and last.
    """

    groups: tuple[Group, ...]
    charged: str | None = None
    sessions: bool = False

    def steps(self, prefix: str) -> list[Step]:
        """Return the steps of a vector, with ids that begin with ``prefix``."""
        sequence = Sequence(prefix)
        if self.charged:
            # What fails by itself is not charged to another clause: each kind is tried
            # alone first, and carries nothing but what is plain.
            kinds = dict.fromkeys(
                act.kind for group in self.groups for act in group.acts
            )
            sequence.one_by_one(map(Act, kinds))
        sequence.charged = self.charged
        places = dict.fromkeys(act.on for group in self.groups for act in group.acts)
        asked = [Act(Kind.SESSION, on) for on in places] if self.sessions else []
        sequence.one_by_one(asked)
        for number, group in enumerate(self.groups):
            acts = group.named(f"{prefix}-group-{number}")
            if self.charged:
                acts = [replace(act, value=None, text="") for act in acts]
            if group.beside:
                sequence.beside_one(acts, acts[0].on)
            elif group.together:
                sequence.together(acts)
            else:
                sequence.one_by_one(acts)
        sequence.one_by_one(asked)
        sequence.end()
        return sequence.steps


_literals = values.map(lambda value: {"$literal": value})

_values = st.one_of(st.none(), _literals)

_texts = st.one_of(st.just(""), corpus_texts, texts(10))

_places = st.sampled_from(CONNECTIONS)


def _drawn(kind: Kind, on: st.SearchStrategy[str], **more: Any) -> Any:
    return st.builds(Act, st.just(kind), on, **more)


def _acts(
    kinds: tuple[Kind, ...], on: st.SearchStrategy[str]
) -> st.SearchStrategy[Act]:
    given: dict[Kind, st.SearchStrategy[Act]] = {
        Kind.ECHO: _drawn(Kind.ECHO, on, value=_values),
        Kind.COUNT: _drawn(Kind.COUNT, on, by=st.integers(-1000, 1000)),
        Kind.FAIL: _drawn(Kind.FAIL, on, text=_texts, code=st.sampled_from(CODES)),
        Kind.DETAILS: _drawn(Kind.DETAILS, on, value=_details),
        Kind.THROW: _drawn(Kind.THROW, on, text=_texts),
        Kind.STREAM: _drawn(
            Kind.STREAM,
            on,
            parts=st.integers(0, 6),
            delay_ms=st.sampled_from((0, 0, 1)),
            value=_values,
        ),
        Kind.SLEEP: _drawn(Kind.SLEEP, on, ms=st.integers(0, 5)),
        Kind.CLAIM: _drawn(Kind.CLAIM, on, caller=st.sampled_from(CALLERS)),
        Kind.CANCELLED: _drawn(Kind.CANCELLED, on, ignores=st.booleans()),
        Kind.EXPIRED: _drawn(
            Kind.EXPIRED,
            on,
            ignores=st.booleans(),
            longest_ms=st.sampled_from((NEVER_ENDING_MS, SECONDS_MS)),
        ),
    }
    return st.sampled_from(kinds).flatmap(
        lambda kind: given[kind] if kind in given else _drawn(kind, on)
    )


# Details of null may be taken for none.
_details = st.one_of(
    st.none(), values.filter(lambda one: one is not None).map(lambda v: {"$literal": v})
)


def _many(acts: st.SearchStrategy[Act]) -> st.SearchStrategy[tuple[Act, ...]]:
    return many(acts, 10, 16)


def _repeated() -> st.SearchStrategy[Group]:
    """Draw one act again and again: what it leaves behind adds up."""

    def build(act: Act, times: int) -> Group:
        return Group((act,) * times)

    return st.builds(build, _acts(KINDS, st.just(MAIN)), st.integers(4, 20))


def _crowd() -> st.SearchStrategy[Group]:
    def build(act: Act, size: int) -> Group:
        return Group((act,) * size, together=True)

    act = st.sampled_from([Act(Kind.ECHO), Act(Kind.SLEEP), Act(Kind.FAIL)])
    return st.builds(build, act, st.sampled_from(CROWD))


def _groups(kinds: tuple[Kind, ...]) -> st.SearchStrategy[Group]:
    alone, spread = _many(_acts(kinds, st.just(MAIN))), _many(_acts(kinds, _places))
    acts = st.one_of(alone, spread)
    beside = st.builds(Group, acts, beside=st.just(value=True))
    return st.one_of(st.builds(Group, acts, st.booleans()), beside)


def _sequences() -> st.SearchStrategy[SequencePlan]:
    group = _groups(KINDS)
    special = st.sampled_from(
        [
            Group((Act(Kind.STREAM, parts=LONGEST_STREAM),)),
            Group(
                (Act(Kind.STREAM, value={"$repeat": "x", "times": LARGEST_PAYLOAD}),)
            ),
        ]
    )
    special = st.one_of(special, _repeated(), _crowd())
    groups = st.one_of(
        st.lists(group, min_size=1, max_size=3),
        st.tuples(group, special).map(list),
        _under_one_id().map(lambda found: [found]),
    )
    return groups.map(lambda found: SequencePlan(tuple(found), sessions=True))


def _under_one_id() -> st.SearchStrategy[Group]:
    ended = st.sampled_from([Act(kind) for kind in ENDED_EARLY])
    acts = st.one_of(ended, _acts(QUIET, st.just(MAIN)))
    return st.builds(
        Group,
        _many(acts),
        st.just(value=False),
        st.just(value=True),
    )


def _same_ids() -> st.SearchStrategy[SequencePlan]:
    group = st.builds(
        Group,
        _many(_acts(QUIET, _places)),
        st.just(value=True),
        st.just(value=True),
    )
    return group.map(lambda found: SequencePlan((found,), "SOCK-C9"))


def _cancels() -> st.SearchStrategy[SequencePlan]:
    kinds = (Kind.CANCELLED, *CANCEL_KINDS, Kind.STRAY_CANCEL, Kind.EXPIRED, Kind.GONE)
    others = (Kind.ECHO, Kind.SLEEP, Kind.STREAM)
    calls = (*ENDED_EARLY, *others)
    group = st.builds(
        Group,
        _many(st.one_of(_acts(kinds, _places), _acts(others, _places))),
        st.booleans(),
    )
    alike = st.builds(
        Group,
        _many(_acts(calls, _places)),
        st.just(value=True),
        st.just(value=True),
    )
    return st.one_of(group, alike).map(lambda found: SequencePlan((found,), "SOCK-X3"))


SEQUENCES = _sequences()
"""Sequences of everything."""

SAME_IDS = _same_ids()
"""Calls that share ids, on several connections."""

CANCELS = _cancels()
"""Calls that end early among others."""
