from __future__ import annotations

import re
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from wireproof.fuzzing._near import near_names

NAMES = ["conformance_echo", "get_tags", "init"]

TEXT = ("string",)


def drawn(strategy: st.SearchStrategy[Any], count: int = 400) -> list[Any]:
    found: list[Any] = []

    @hypothesis.seed(1)
    @hypothesis.settings(
        max_examples=count, database=None, phases=[hypothesis.Phase.generate]
    )
    @hypothesis.given(strategy)
    def draw(value: Any) -> None:
        found.append(value)

    draw()
    return found


@pytest.mark.parametrize("style", ["snake", "any"])
def test_what_is_near_a_name_is_none_of_them(style: str) -> None:
    found = drawn(near_names(NAMES, TEXT, snake=style == "snake"))
    assert len(set(found)) > 40
    assert not set(found) & set(NAMES)


def test_names_in_snake_case_are_no_words_of_others() -> None:
    found = drawn(near_names(NAMES, TEXT, snake=True))
    assert all(re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)*", one) for one in found)
    words = {
        "conformance",
        "echo",
        "get",
        "tags",
        "get_tag",
        "inits",
        "conformance_echos",
    }
    assert not words & set(found)


@pytest.mark.parametrize(
    "one",
    [
        *("conformanceEcho", "conformance-echo", "echo", "conformance"),
        *("conformance_echo\n", " conformance_echo", "CONFORMANCE_ECHO"),
    ],
)
def test_a_name_is_cut_lengthened_and_written_in_other_styles(one: str) -> None:
    assert one in drawn(near_names(NAMES[:1], TEXT, snake=False), 2000)


def test_where_no_text_may_stand_names_stand_in_containers() -> None:
    found = drawn(near_names(NAMES, ("array", "object"), snake=False))
    assert ["init"] in found
    assert {"name": "get_tags"} in found
    assert not [one for one in found if isinstance(one, str)]
