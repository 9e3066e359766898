from __future__ import annotations

import math
from typing import Any

import pytest

from wireproof.checks import Words
from wireproof.patterns import in_line, in_lines
from wireproof.patterns._rendering import DEEPEST


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (123, "123"),
        ("123", '"123"'),
        (True, "true"),
        (None, "null"),
        (1.0, "1.0"),
        ("é \n", '"é \\n"'),
        ({"a": [1, "1"]}, '{"a": [1, "1"]}'),
        ({}, "{}"),
        ([], "[]"),
        (Words("<string>"), "<string>"),
        ({"a": Words("<string>")}, '{"a": <string>}'),
        ({Words("one of"): [1]}, "{one of: [1]}"),
        ({1}, "{1}"),
        ([math.inf], "[<infinite as a double>]"),
    ],
)
def test_a_value_is_told_as_json_and_words_as_they_are(value: Any, text: str) -> None:
    assert in_line(value) == text
    assert in_lines(value, 80) == [text]


def test_a_long_value_is_cut_in_a_sentence() -> None:
    assert in_line("x" * 10, 5) == '"xxxx…'
    assert in_line("xxx", 5) == '"xxx"'


def test_a_wide_value_has_a_line_for_each_element() -> None:
    assert in_lines({"a": [1, 2], "b": "x" * 9}, 16) == [
        "{",
        ' "a": [1, 2],',
        ' "b": "xxxxxxxxx"',
        "}",
    ]


def test_a_wide_element_is_spread_further() -> None:
    assert in_lines([{"a": "x" * 9, "b": {}}, 5], 16) == [
        "[",
        " {",
        '  "a": "xxxxxxxxx",',
        '  "b": {}',
        " },",
        " 5",
        "]",
    ]


def test_words_of_several_lines_stay_so() -> None:
    assert in_lines(Words("[\n 1\n]"), 80) == ["[", " 1", "]"]


def test_what_is_no_json_cannot_begin_a_line() -> None:
    class Odd:
        def __repr__(self) -> str:
            return "odd\nforged"

    assert in_lines(Odd(), 80) == ["odd\\nforged"]


def test_a_value_without_a_floor_is_shown_to_a_depth() -> None:
    value: Any = 1
    for _ in range(100_000):
        value = [value]
    assert in_line(value, 500) == "[" * (DEEPEST + 1) + "…" + "]" * (DEEPEST + 1)
    assert len(in_lines(value, 10)) == 2 * DEEPEST + 1
