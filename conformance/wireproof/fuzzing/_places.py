"""Two places at a time, with values of the corpus and random ones mixed with them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from wireproof.crossing import Given, given_at, is_place, steps_with
from wireproof.fuzzing._values import numbers, small_corpus, texts, values

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from wireproof_vectors import Vector

Step = dict[str, Any]

MOST_VALUES = 8
"""Values that one place is given in an example."""

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

_RANDOM = {
    "string": texts(LONGEST_TEXT),
    "null": st.none(),
    "boolean": st.booleans(),
    "number": numbers,
    "array": st.lists(values, max_size=4),
    "object": st.dictionaries(texts(6), values, max_size=4),
}


@dataclass(frozen=True, slots=True)
class Place:
    """A place that values are drawn for.

    Attributes:
        clause: What a failure is charged to.
        data: The place as its file has it.
    """

    clause: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Crossed:
    """An example: places, and the values that stand there."""

    places: tuple[tuple[Place, tuple[Any, ...]], ...]

    def steps(self, prefix: str) -> list[Step]:
        """Return the steps of a vector, with ids that begin with ``prefix``."""
        filled: list[list[Step]] = []
        seen: set[str] = set()
        for index, (place, drawn) in enumerate(self.places):
            given: list[Given] = []
            for value in drawn:
                # Where values are ids or keys, one that comes twice is no other.
                if (key := json.dumps(value, sort_keys=True)) not in seen:
                    seen.add(key)
                    given.append(Given(f"{prefix}-{index}-{len(given)}", value))
            if given:
                steps, _ = steps_with(place.data["steps"], given)
                filled.append([_charged(step, place.clause) for step in steps])
        if all(map(_is_plain, filled)):
            sent = [steps[0] for steps in filled]
            return sent + [step for steps in filled for step in steps[1:]]
        return [step for steps in filled for step in steps]


def _charged(step: Step, clause: str) -> Step:
    if "expect" not in step:
        return step
    return {**step, "clause": step.get("clause", clause)}


def _is_plain(steps: Sequence[Step]) -> bool:
    """Tell whether everything is sent first, and then only awaited."""
    return all("expect" in step for step in steps[1:])


def places_of(vectors: Iterable[Vector]) -> list[Place]:
    """Return the places at which a subject of any kind is fuzzed.

    They bind as a MUST, ask for no optional method, take the subject as it is, and
    take any string: what the subject's own tools are named is not known here.
    """
    found: list[Place] = []
    for vector in vectors:
        data: Any = vector.data
        needs: Mapping[str, Any] = data.get("needs", {})
        if (
            is_place(data)
            and vector.level == "must"
            and needs.keys() <= {"tools"}
            and "fresh" not in data
            and "unlisted" not in data["values"]
        ):
            found.append(Place(vector.clauses[0], data))
    return found


def crossed(vectors: Iterable[Vector]) -> st.SearchStrategy[Crossed]:
    """Draw two places and values for both.

    Args:
        vectors: The vectors of the protocol.
    """
    one = st.one_of([_placed(place) for place in places_of(vectors)])
    return st.tuples(one, one).map(Crossed)


def _placed(place: Place) -> st.SearchStrategy[tuple[Place, tuple[Any, ...]]]:
    drawn = st.lists(_values_for(place), min_size=1, max_size=MOST_VALUES).map(tuple)
    return st.tuples(st.just(place), drawn)


def _values_for(place: Place) -> st.SearchStrategy[Any]:
    """Values that may stand at a place, random ones where it takes any of a kind."""
    known = st.sampled_from([one.value for one in given_at(place.data)])
    chosen: Mapping[str, Any] = place.data["values"]
    without = set(chosen.get("without", ()))
    named = {one.name: one.value for one in small_corpus()}
    if "tags" in chosen or not without <= FREE_TAGS | named.keys() or "names" in chosen:
        return known
    kept_out = [named[name] for name in without if name in named]
    kinds = st.one_of([_RANDOM[kind] for kind in chosen["kinds"]])
    return st.one_of(known, kinds.filter(lambda value: value not in kept_out))
