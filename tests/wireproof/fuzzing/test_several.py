"""Examples hold several plans, one after the other, under ids of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import find, settings
from hypothesis import strategies as st

from wireproof.fuzzing import Several, many, several

QUICK = settings(database=None)


@dataclass(frozen=True)
class OneStep:
    name: str

    def steps(self, prefix: str) -> list[dict[str, Any]]:
        return [{"send": {"id": prefix, "name": self.name}}]


def test_plans_follow_each_other_under_ids_of_their_own() -> None:
    assert Several((OneStep("a"), OneStep("b"))).steps("p") == [
        {"send": {"id": "p-0", "name": "a"}},
        {"send": {"id": "p-1", "name": "b"}},
    ]


def test_an_example_shrinks_to_one_plan() -> None:
    plan = st.sampled_from("ab").map(OneStep)
    found = find(several(plan, 5), lambda one: True, settings=QUICK)
    assert found == Several((OneStep("a"),))


def test_many_are_drawn_where_a_list_alone_would_be_short() -> None:
    found = find(many(st.booleans(), 2, 30), lambda one: len(one) > 10, settings=QUICK)
    assert len(found) == 15
