"""Examples that hold several plans, or many values: more is tried for each drawing.

Hypothesis draws short lists of what may be long. Half of the lists here are drawn from
a length upwards at which an example tells much; the others are what it shrinks to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from hypothesis import strategies as st

if TYPE_CHECKING:
    from wireproof.fuzzing._search import Example, Step

Drawn = TypeVar("Drawn")


@dataclass(frozen=True, slots=True)
class Several:
    """An example: plans that are carried out one after the other."""

    plans: tuple[Example, ...]

    def steps(self, prefix: str) -> list[Step]:
        """Return the steps of a vector, with ids that begin with ``prefix``."""
        return [
            step
            for index, plan in enumerate(self.plans)
            for step in plan.steps(f"{prefix}-{index}")
        ]


def many(
    one: st.SearchStrategy[Drawn], few: int, most: int
) -> st.SearchStrategy[tuple[Drawn, ...]]:
    """Draw a few or many, never none.

    Args:
        one: What is drawn.
        few: Most of a short list.
        most: Most of a long one, which has at least half as many.
    """
    short = st.lists(one, min_size=1, max_size=few)
    long = st.lists(one, min_size=most // 2, max_size=most)
    return st.one_of(short, long, long).map(tuple)


def evenly(*each: st.SearchStrategy[Drawn]) -> st.SearchStrategy[Drawn]:
    """Draw each as often as the others, however many alternatives each has.

    `one_of` takes the alternatives of another `one_of` for its own.
    """
    return st.sampled_from(each).flatmap(lambda one: one)


def several(plan: st.SearchStrategy[Any], most: int) -> st.SearchStrategy[Several]:
    """Draw examples of several plans.

    Args:
        plan: Draws one of them.
        most: Most of them in an example.
    """
    return many(plan, 1, most).map(Several)
