"""What becomes of a text when it is sanitised, and the texts that are made of one."""

from __future__ import annotations

import json

import pytest

from wireproof.protocols.interop._argument_texts import (
    PLAIN_DEPTH,
    damaged,
    fate,
    spellings,
)

# --- what becomes of a text


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        " {\t}\r\n",
        '{"path":"README.md"}',
        '{"a": 1.0e0, "a": -0, "b": "\\u0061\\/"}',
        '{"日本": [null, true, 2e308]}'.replace("2e308", "1e308"),
        '{"a":' + "[" * (PLAIN_DEPTH - 1) + "]" * (PLAIN_DEPTH - 1) + "}",
    ],
)
def test_the_text_of_an_object_is_kept(text: str) -> None:
    assert fate(text) == "kept"


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "}",
        '{"path":',
        '{"a":1,}',
        "{'a':1}",
        '{"a":1} {"b":2}',
        '{"a":1}//',
        '\ufeff{"a":1}',
        '{"a":"\n"}',
        '{"a":01}',
        '"{}"',
        "[" * 50,
    ],
)
def test_what_standard_parsers_refuse_is_not_kept(text: str) -> None:
    assert fate(text) == "refused"


@pytest.mark.parametrize(
    "text",
    [
        '{"a":NaN}',
        '{"a":-Infinity}',
        '\xa0{"a":1}',
        '{"a":\u0661}',
        '{"a":1}\x0b',
        '{"a":"\ud800"}',
    ],
)
def test_what_some_parsers_take_is_loose(text: str) -> None:
    assert fate(text) == "loose"


@pytest.mark.parametrize("text", ["", " ", "[1]", '"x"', "3", "null", "true"])
def test_any_other_text_is_emptied(text: str) -> None:
    assert fate(text) == "emptied"


@pytest.mark.parametrize(
    "text",
    [
        '{"a":"\\ud800"}',
        '{"a":2e308}',
        '{"a":' + "[" * PLAIN_DEPTH + "]" * PLAIN_DEPTH + "}",
        '{"a":' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"a":' + "[" * 100_000,
        '{"a":' + "1" * 4_301 + "}",
        '{"a":1e400}',
    ],
)
def test_what_the_clauses_leave_open_may_be_either(text: str) -> None:
    assert fate(text) == "either"


def test_brackets_in_a_string_are_no_depth() -> None:
    assert fate('{"a":"' + "]" * 500 + '"}') == "kept"


# --- texts


def test_an_object_is_spelled_in_many_ways_that_are_all_kept() -> None:
    found = spellings({"a": [1, "/"], "b": 0})
    assert len(found) == len(set(found)) > 50
    assert '{"a":[1,"/"],"b":0}' in found
    assert {fate(text) for text in found} == {"kept"}
    assert all(json.loads(text) == {"a": [1, "/"], "b": 0} for text in found)


def test_an_object_that_not_every_parser_takes_is_not_spelled() -> None:
    assert spellings({"a": float("inf")}) == ["{}"]


def test_a_text_is_cut_at_every_place_and_changed_at_every_place() -> None:
    found = damaged('{"a":1}', "{}")
    assert {"", "{", '{"', '{"a', '{"a"', '{"a":', '{"a":1'} <= set(found)
    assert {'"a":1}', "}"} <= set(found)
    assert '{"a:1}' in found
    assert '{"a":1{}' in found
