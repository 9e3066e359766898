"""What is drawn for all properties of values: cases of two texts, a key and a value.

A case has texts for two places at a time, and numbers that choose the shape of what
holds them. Texts and values are of the corpus, a block of it for each example, mixed
with random ones: a draw of Hypothesis costs more than the operations of a case.
Imports Hypothesis: import it only where something is fuzzed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from hypothesis import strategies as st

from wireproof.fuzzing import OperationPlan, texts
from wireproof.patterns import expand
from wireproof.protocols.interop._drawn_values import keys, small_values, tool_names
from wireproof_vectors import load_corpus

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wireproof.fuzzing import Step

Choice = TypeVar("Choice")

MOST_CASES = 12
"""Cases of one example, beside those that each has."""

MANY = 150
"""Times that one object is repeated in a list: more than the usual limits."""

LEFT_OUT = frozenset(
    {"surrogate", "large", "mebibyte", "deeper"}
    | {"beyond-53-bits", "beyond-a-double", "huge", "spelling"}
)
"""Tags of values that not every reader takes, or that are long."""

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class Case:
    """What one object is made of.

    Attributes:
        text: A text for a place.
        other: A text for another place.
        name: The name of a tool that providers take.
        value: A JSON value.
        seed: Chooses among shapes.
    """

    text: str
    other: str
    name: str
    value: Any
    seed: int

    def one_of(self, options: Sequence[Choice], salt: int = 0) -> Choice:
        """Choose one of several, another one for another salt."""
        return options[(self.seed >> (5 * salt)) % len(options)]

    def has(self, salt: int) -> bool:
        """Choose whether something is there."""
        return bool(self.one_of((False, True), salt))

    def members(self) -> dict[str, Any]:
        """Return an object with the text as a key, as a value and beside the value."""
        return {"v": self.value, self.other: self.text, self.text: [self.value]}


@cache
def _texts() -> Sequence[str]:
    return [one for one in _values() if isinstance(one, str)]


@cache
def _values() -> Sequence[Any]:
    return [
        expand(one.value, {}) for one in load_corpus() if LEFT_OUT.isdisjoint(one.tags)
    ]


@cache
def _names() -> Sequence[str]:
    return [one for one in _texts() if _NAME.fullmatch(one)]


_random_texts = texts(12)
_random_values = st.one_of(
    small_values, st.dictionaries(keys, small_values, max_size=3)
)


@st.composite
def cases(draw: st.DrawFn) -> list[Case]:
    """Cases of a block of the corpus, one of random texts, one of an empty text."""
    count = draw(st.integers(1, MOST_CASES))
    first, second, seed = (draw(st.integers(0, 2**20)) for _ in range(3))
    numbers = Random(seed)  # noqa: S311 - nothing is kept secret
    found = [
        Case(
            _texts()[(first + place) % len(_texts())],
            _texts()[(second + 7 * place) % len(_texts())],
            _names()[(first + second + place) % len(_names())],
            _values()[(second + place) % len(_values())],
            numbers.getrandbits(64),
        )
        for place in range(count)
    ]
    mixed = draw(_random_texts), draw(tool_names), draw(_random_values)
    one = found[0]
    return [
        *found,
        Case(mixed[0], one.text, mixed[1], mixed[2], one.seed),
        # Of all values the one that is taken for none most often.
        Case("", one.other, one.name, one.value, numbers.getrandbits(64)),
    ]


@st.composite
def corpus_texts(draw: st.DrawFn) -> list[str]:
    """Texts of a block of the corpus, and a random one."""
    return [case.text for case in draw(cases())]


LONGEST_MENTION = 64
"""Characters up to which an error has to tell a name in full."""


def mentions(name: str) -> list[str]:
    """Return what an error has to hold that names something.

    What is not plain ASCII may be written in escapes there, what is long may be cut.
    """
    is_plain = name.isascii() and name.isalnum() and len(name) <= LONGEST_MENTION
    return [name] if is_plain else []


def each(made: Callable[[Case], Sequence[Step]]) -> st.SearchStrategy[OperationPlan]:
    """Return the plans that carry out the steps of each case in turn."""
    return cases().map(
        lambda drawn: OperationPlan([step for case in drawn for step in made(case)])
    )


def together(
    made: Callable[[list[Case]], Sequence[Step]],
) -> st.SearchStrategy[OperationPlan]:
    """Return the plans that carry out the steps of all cases of an example."""
    return cases().map(lambda drawn: OperationPlan(list(made(drawn))))
