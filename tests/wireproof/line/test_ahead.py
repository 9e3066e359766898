from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from wireproof.line._ahead import sent_ahead

if TYPE_CHECKING:
    from collections.abc import Sequence


def asked(key: str, **more: Any) -> list[dict[str, Any]]:
    return [{"send": {"id": key}, **more}, {"expect": {"id": key}, **more}]


def test_requests_come_in_front_of_the_answers() -> None:
    a, b = asked("a"), asked("b")
    assert sent_ahead([*a, *b]) == [a[0], b[0], a[1], b[1]]


def test_two_connections_may_use_one_id() -> None:
    a, b = asked("a", on="one"), asked("a", on="two")
    assert sent_ahead([*a, *b]) == [a[0], b[0], a[1], b[1]]


@pytest.mark.parametrize(
    "steps",
    [
        [],
        asked("a"),
        [*asked("a"), *asked("a")],
        [*asked("a"), {"fence": True}, *asked("b")],
        [*asked("a"), {"send": {"id": "b"}, "cut": [1]}, {"expect": {"id": "b"}}],
        [*asked("a"), {"send": {"id": "b"}}],
        [*asked("a"), {"send": {"type": "list_tools"}}, {"expect": {"id": "b"}}],
        [{"send": {"id": "a"}}, {"expect": {"id": {"$save": "s"}}}, *asked("b")],
        [
            {"send": {"id": "a"}},
            {"expect": {"id": "a", "list": [{"$save": "s"}]}},
            *asked("b"),
        ],
        [{"send": {"id": "a"}}, {"send": {"id": "b"}}, {"expect": {"id": "a"}}],
    ],
)
def test_steps_whose_order_matters_stay_as_they_are(
    steps: Sequence[dict[str, Any]],
) -> None:
    assert sent_ahead(steps) is None
