"""Messages that are written over several lines."""

from __future__ import annotations

import json
from typing import Any

import pytest

from wireproof.line import Spread
from wireproof.line._spread import FEW_BYTES, FEW_LINES, MOST_LINES


def is_message(value: Any) -> bool:
    return isinstance(value, dict) and "id" in value


def spread(text: str) -> tuple[Any, Spread]:
    """Hold the lines of a text; return the message found at the last of them."""
    held = Spread()
    found: Any = None
    for line in text.split("\n"):
        assert found is None, "it was found before its last line"
        assert not held.is_hopeless
        held.add(line.encode())
        found = held.joined(is_message)
    return found, held


@pytest.mark.parametrize(
    "value",
    [
        {"id": "a", "result": {"braces": '}{"\\', "list": [[], {}]}},
        {"id": "a", "result": "x" * (2 * FEW_BYTES)},
        {"id": "a", "result": list(range(2 * FEW_LINES))},
        {"id": "a", "result": ['"{' * FEW_LINES] * (2 * FEW_LINES)},
    ],
)
def test_a_message_over_several_lines_is_found_at_the_last(value: Any) -> None:
    found, _ = spread(json.dumps(value, indent=2))
    assert found == value


def test_a_raw_line_feed_in_a_string_is_part_of_the_message() -> None:
    found, _ = spread('{"id": "a\nb}\n{c", "result": 1}')
    assert found == {"id": "a\nb}\n{c", "result": 1}


def test_an_object_that_is_no_message_is_none() -> None:
    found, held = spread('{\n"level": "info"\n}')
    assert found is None
    assert len(held) == 3


def test_lines_are_given_up_where_they_are_too_many_or_close_nothing() -> None:
    held = Spread()
    for _ in range(MOST_LINES):
        assert not held.is_hopeless
        held.add(b"{")
    assert held.is_hopeless
    assert len(held.take()) == MOST_LINES
    assert not held
    held.add(b"{} and " + b"x" * FEW_BYTES)
    assert held.is_hopeless
