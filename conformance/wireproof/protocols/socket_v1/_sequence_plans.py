"""Sequences that the fuzzer of socket-v1 draws, over the model of what may be answered.

An example is a few groups of frames, each answered one by one or sent as a whole, on
one connection or on several: many short sequences of kinds that differ tell more than
few long ones.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from wireproof.fuzzing import Act, Sequence, corpus_texts, many, texts, values
from wireproof.judge import MAIN
from wireproof.protocols.socket_v1._sequences import DATA, MODEL, beside_one, end

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

CANCEL_KINDS = tuple(DATA["groups"]["cancels"])
"""The kinds that only sequences of cancels have."""

KINDS = tuple(kind for kind in DATA["kinds"] if kind not in CANCEL_KINDS)
"""The kinds in sequences of everything."""

ENDED_EARLY = tuple(DATA["groups"]["end-early"])
"""Calls whose tools may go on after their results."""

QUIET = tuple(DATA["groups"]["leave-nothing"])
"""Calls of which nothing is left when they are answered."""


def _on(act: Act) -> str:
    return str(act.given.get("on", MAIN))


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
            count[_on(act)] += self.together
            found.append(act.but(id=f"{prefix}-{count[_on(act)]}"))
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
        sequence = Sequence(MODEL, prefix)
        if self.charged:
            # What fails by itself is not charged to another clause: each kind is tried
            # alone first, and carries nothing but what is plain.
            kinds = dict.fromkeys(
                act.kind for group in self.groups for act in group.acts
            )
            sequence.one_by_one(map(Act, kinds))
        sequence.charged = self.charged
        places = dict.fromkeys(_on(act) for group in self.groups for act in group.acts)
        asked = [Act("session", {"on": on}) for on in places] if self.sessions else []
        sequence.one_by_one(asked)
        for number, group in enumerate(self.groups):
            acts = group.named(f"{prefix}-group-{number}")
            if self.charged:
                acts = [act.but(value=None, text="") for act in acts]
            if group.beside:
                beside_one(sequence, acts, _on(acts[0]))
            elif group.together:
                sequence.together(acts)
            else:
                sequence.one_by_one(acts)
        sequence.one_by_one(asked)
        end(sequence)
        return sequence.steps


_literals = values.map(lambda value: {"$literal": value})

_values = st.one_of(st.none(), _literals)

_texts = st.one_of(st.just(""), corpus_texts, texts(10))

_places = st.sampled_from(CONNECTIONS)


_main = st.just(MAIN)

# Details of null may be taken for none.
_details = st.one_of(
    st.none(), values.filter(lambda one: one is not None).map(lambda v: {"$literal": v})
)

_ACTS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "success": {"value": _values},
    "count": {"by": st.integers(-1000, 1000)},
    "failure": {"text": _texts, "code": st.sampled_from(CODES)},
    "failure-with-details": {"value": _details},
    "throw": {"text": _texts},
    "stream": {
        "parts": st.integers(0, 6),
        "delay_ms": st.sampled_from((None, None, 1)),
        "value": _values,
    },
    "sleep": {"ms": st.integers(0, 5)},
    "claim": {"caller": st.sampled_from(CALLERS)},
    "cancelled": {"ignores": st.booleans()},
    "expired": {
        "ignores": st.booleans(),
        "longest_ms": st.sampled_from((None, SECONDS_MS)),
    },
}
"""The parameters that are drawn for a kind, beside its connection."""


def _acts(kinds: tuple[str, ...], on: st.SearchStrategy[str]) -> st.SearchStrategy[Act]:
    def build(kind: str) -> st.SearchStrategy[Act]:
        given = st.builds(dict[str, Any], on=on, **_ACTS.get(kind, {}))
        return given.map(partial(Act, kind))

    return st.sampled_from(kinds).flatmap(build)


def _many(acts: st.SearchStrategy[Act]) -> st.SearchStrategy[tuple[Act, ...]]:
    return many(acts, 10, 16)


def _repeated() -> st.SearchStrategy[Group]:
    """Draw one act again and again: what it leaves behind adds up."""

    def build(act: Act, times: int) -> Group:
        return Group((act,) * times)

    return st.builds(build, _acts(KINDS, _main), st.integers(4, 20))


def _crowd() -> st.SearchStrategy[Group]:
    def build(act: Act, size: int) -> Group:
        return Group((act,) * size, together=True)

    act = st.sampled_from([Act("success"), Act("sleep"), Act("failure")])
    return st.builds(build, act, st.sampled_from(CROWD))


def _groups(kinds: tuple[str, ...]) -> st.SearchStrategy[Group]:
    alone, spread = _many(_acts(kinds, _main)), _many(_acts(kinds, _places))
    acts = st.one_of(alone, spread)
    beside = st.builds(Group, acts, beside=st.just(value=True))
    return st.one_of(st.builds(Group, acts, st.booleans()), beside)


def _sequences() -> st.SearchStrategy[SequencePlan]:
    group = _groups(KINDS)
    special = st.sampled_from(
        [
            Group((Act("stream", {"parts": LONGEST_STREAM}),)),
            Group(
                (Act("stream", {"value": {"$repeat": "x", "times": LARGEST_PAYLOAD}}),)
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
    acts = st.one_of(ended, _acts(QUIET, _main))
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
    strays = ("stray-cancel", "expired", "connection-gone")
    kinds = ("cancelled", *CANCEL_KINDS, *strays)
    others = ("success", "sleep", "stream")
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
