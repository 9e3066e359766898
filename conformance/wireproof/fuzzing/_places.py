"""Two places at a time, with values of the corpus and random ones mixed with them.

An example holds a few pairs of places, each with as many values as an exchange holds:
one example of Hypothesis costs a millisecond and more, a value a fraction of one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, TypeAlias

from hypothesis import strategies as st

from wireproof.fuzzing._near import near_names
from wireproof.fuzzing._several import many
from wireproof.fuzzing._values import numbers, small_corpus, texts, values
from wireproof.patterns import Given, given_at, is_place, packs, steps_with

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from wireproof.checks import Level
    from wireproof.fuzzing._search import Example
    from wireproof_vectors import Vector

Step = dict[str, Any]

FEW_VALUES = 8
"""Values that one place is given in a small example."""

MOST_VALUES = 30
"""Values that one place is given in a large one."""

MOST_PAIRS = 6
"""Pairs of places in an example."""

LONGEST_TEXT = 40
"""Characters of a random string."""

FREE_TAGS = frozenset(
    {
        "beyond-53-bits",
        "beyond-a-double",
        "deeper",
        "huge",
        "large",
        "mebibyte",
        "spelling",
        "surrogate",
    }
)
"""Tags of what is never drawn at random: a place that leaves out no other takes any
value of its kinds."""

LARGE = frozenset({"large", "mebibyte"})
"""Tags of what takes an exchange of its own: no example is made of it."""

_RANDOM = {
    "string": texts(LONGEST_TEXT),
    "null": st.none(),
    "boolean": st.booleans(),
    "number": numbers,
    "array": st.lists(values, max_size=4),
    "object": st.dictionaries(texts(6), values, max_size=4),
}


CHARGED = frozenset({"expect", "expect_optional", "fence", "seen"})
"""Keys of the steps that a subject can fail, which may name a clause."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place that values are drawn for.

    Attributes:
        clause: What a failure is charged to.
        data: The place as its file has it.
    """

    clause: str
    data: Mapping[str, Any]


_Filled: TypeAlias = tuple[Place, tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Crossed:
    """An example: places, and the values that stand there.

    Attributes:
        pairs: Two places at a time, each with its values.
        taken: Strings that mean something to the subject, such as its tools' names.
    """

    pairs: tuple[tuple[_Filled, _Filled], ...]
    taken: frozenset[str] = frozenset()

    def steps(self, prefix: str) -> list[Step]:
        """Return the steps of a vector, with ids that begin with ``prefix``."""
        steps: list[Step] = []
        seen: set[str] = set()
        for number, pair in enumerate(self.pairs):
            packed = [
                self._packed(place, drawn, f"{prefix}-{number}-{index}", seen)
                for index, (place, drawn) in enumerate(pair)
            ]
            for exchanges in zip_longest(*packed):
                steps += _beside([one for one in exchanges if one is not None])
        return steps

    def _packed(
        self, place: Place, drawn: tuple[Any, ...], prefix: str, seen: set[str]
    ) -> list[list[Step]]:
        """Return the steps of each exchange that the values of a place fill."""
        taken = self.taken if "unlisted" in place.data["values"] else frozenset[str]()
        given: list[Given] = []
        for value in drawn:
            # Where values are ids or keys, one that comes twice is no other.
            key = json.dumps(value, sort_keys=True)
            if key not in seen and not (isinstance(value, str) and value in taken):
                seen.add(key)
                name = f"{prefix}-{len(given)}"
                given.append(Given(name, value, size=len(key)))
        filled: list[list[Step]] = []
        for pack in packs(given):
            steps, _ = steps_with(place.data["steps"], pack)
            filled.append([_charged(step, place.clause) for step in steps])
        return filled


def _beside(filled: Sequence[list[Step]]) -> list[Step]:
    """Return the exchanges of two places, both sent before an answer is awaited."""
    if all(map(_is_plain, filled)):
        sent = [steps[0] for steps in filled]
        return sent + [step for steps in filled for step in steps[1:]]
    return [step for steps in filled for step in steps]


def _charged(step: Step, clause: str) -> Step:
    if step.keys().isdisjoint(CHARGED) and step.get("op") != "call":
        return step
    return {**step, "clause": step.get("clause", clause)}


def _is_plain(steps: Sequence[Step]) -> bool:
    """Tell whether everything is sent first, and then only awaited."""
    return all("expect" in step for step in steps[1:])


def places_of(vectors: Iterable[Vector], level: Level = "must") -> list[Place]:
    """Return the places at which a subject of any kind is fuzzed.

    They ask for no optional method, take the subject as it is, and take values of the
    size that every clause allows.

    Args:
        vectors: The vectors of the protocol.
        level: What the places bind as.
    """
    found: list[Place] = []
    for vector in vectors:
        data: Any = vector.data
        needs: Mapping[str, Any] = data.get("needs", {})
        if (
            is_place(data)
            and vector.level == level
            and needs.keys() <= {"tools"}
            and "fresh" not in data
            and not LARGE.intersection(data["values"].get("tags", ()))
        ):
            found.append(Place(vector.clauses[0], data))
    return found


def crossed(
    vectors: Iterable[Vector],
    level: Level = "must",
    *,
    pairs: int = MOST_PAIRS,
    singles: int = MOST_VALUES,
) -> st.SearchStrategy[Crossed]:
    """Draw pairs of places and values for all of them.

    Args:
        vectors: The vectors of the protocol.
        level: As of `places_of`.
        pairs: Most pairs of places in an example.
        singles: Most values of a place that asks once for each: fewer where that
            starts a process.
    """
    placed = [_placed(place, singles) for place in places_of(vectors, level)]
    return _drawn(placed, pairs)


@st.composite
def _drawn(
    draw: st.DrawFn, placed: Sequence[st.SearchStrategy[_Filled]], most: int
) -> Crossed:
    """Draw one pair of places or many, no place again before all others."""
    order = draw(st.permutations(range(len(placed))))
    count = draw(st.integers(1, most))
    chosen = [placed[order[index % len(order)]] for index in range(2 * count)]
    filled = [draw(one) for one in chosen]
    return Crossed(tuple(zip(filled[::2], filled[1::2], strict=True)))


def sparing(plan: Example, taken: Collection[str]) -> Example:
    """Return an example without what means something to the subject.

    Args:
        plan: The example; one that is not of places is returned as it is.
        taken: The strings, such as the names of the subject's tools.
    """
    if not isinstance(plan, Crossed):
        return plan
    return replace(plan, taken=frozenset(taken))


def _placed(place: Place, singles: int) -> st.SearchStrategy[_Filled]:
    one = _values_for(place)
    steps = json.dumps(place.data["steps"])
    if "$contains" in steps or "mentions" in steps:
        # Every text holds the empty one: a pattern that says so is none.
        one = one.filter(lambda value: value != "")
    most = MOST_VALUES if '"$values"' in steps else singles
    drawn = many(one, min(FEW_VALUES, most), most)
    return st.tuples(st.just(place), drawn)


def _values_for(place: Place) -> st.SearchStrategy[Any]:
    """Values that may stand at a place, random ones where it takes any of a kind."""
    chosen: Mapping[str, Any] = place.data["values"]
    known = _Known(given_at(place.data))
    near: st.SearchStrategy[Any] | None = None
    if "near" in chosen:
        meant: Mapping[str, Any] = chosen["near"]
        near = near_names(meant["names"], chosen["kinds"], snake="form" in meant)
    without = set(chosen.get("without", ()))
    named = {one.name: one.value for one in small_corpus()}
    if "tags" in chosen or not without <= FREE_TAGS | named.keys() or "names" in chosen:
        return _value(known, (None, near))
    kept_out = [named[name] for name in without if name in named]
    kinds = st.one_of([_RANDOM[kind] for kind in chosen["kinds"]])
    free = kinds.filter(lambda value: value not in kept_out)
    return _value(known, (None, free, near, free))


class _Known:
    """Values of the corpus, each with a number: of all of them, or of those of one tag.

    There are hundreds of strings and a handful of values that count as false: taken by
    their tags the few come as often as the many.
    """

    def __init__(self, given: Sequence[Given]) -> None:
        self._all = [one.value for one in given]
        of_tag: dict[str, list[Any]] = {}
        for one in given:
            for tag in sorted(one.tags) or [""]:
                of_tag.setdefault(tag, []).append(one.value)
        self._of_tag = list(of_tag.values())

    def __getitem__(self, number: int) -> Any:
        number, by_tag = divmod(number, 2)
        chosen = self._all
        if by_tag:
            number, tag = divmod(number, len(self._of_tag))
            chosen = self._of_tag[tag]
        return chosen[number % len(chosen)]


_number = st.binary(min_size=3, max_size=3)
"""Draws what is taken, and from where: one draw in place of one for each choice. All
numbers come alike, where Hypothesis would rather draw small ones."""


@st.composite
def _value(
    draw: st.DrawFn, known: _Known, shares: Sequence[st.SearchStrategy[Any] | None]
) -> Any:
    """Draw from each of some shares as often as from the others.

    Args:
        draw: Draws.
        known: What a share without a strategy is drawn from.
        shares: Where values come from.
    """
    number, share = divmod(int.from_bytes(draw(_number)), len(shares))
    other = shares[share]
    return known[number] if other is None else draw(other)
