from __future__ import annotations

import pytest

from wireproof.patterns import json_equal
from wireproof.patterns._equality import json_type


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (5, 5.0),
        (0, -0.0),
        (None, None),
        (True, True),
        ("é", "é"),
        ([], []),
        ({}, {}),
        ([1, [2.0]], [1.0, [2]]),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (2**53, float(2**53)),
        (2**70, 2**70),
    ],
)
def test_equal_json_values_are_equal(left: object, right: object) -> None:
    assert json_equal(left, right)
    assert json_equal(right, left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, True),
        (0, False),
        (0, None),
        ("", None),
        ("1", 1),
        ([], {}),
        ([], None),
        ([1], [1, 2]),
        ([1, 2], [2, 1]),
        ([True], [1]),
        ({"a": 1}, {"a": True}),
        ({"a": None}, {}),
        ({"a": 1}, {"b": 1}),
        ({"a": 1}, [["a", 1]]),
        ("e\u0301", "\u00e9"),
    ],
)
def test_different_json_values_differ(left: object, right: object) -> None:
    assert not json_equal(left, right)
    assert not json_equal(right, left)


def test_an_integer_counts_as_the_double_that_it_is_read_as() -> None:
    assert json_equal(4.451605592402819e16, 44516055924028190)
    assert not json_equal(44516055924028190, 4.451605592402819e16)
    assert not json_equal(1e308, 10**400)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (None, "null"),
        (True, "boolean"),
        (5, "integer"),
        (5.0, "integer"),
        (5.5, "number"),
        ("5", "string"),
        ([], "array"),
        ({}, "object"),
    ],
)
def test_each_json_value_has_its_type(value: object, name: str) -> None:
    assert json_type(value) == name
