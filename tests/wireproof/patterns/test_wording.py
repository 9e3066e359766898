from __future__ import annotations

from typing import Any

import pytest

from wireproof.checks import Difference, Words
from wireproof.patterns import (
    Mismatch,
    difference_of,
    exit_text,
    in_words,
    match,
    place_text,
    without_strings,
)


@pytest.mark.parametrize(
    ("pattern", "shown"),
    [
        (5, 5),
        ({"a": [1, {"b": None}]}, {"a": [1, {"b": None}]}),
        ({"$equals": {"$literal": [1]}}, [1]),
        ({"$equals": {"a": {"$use": "state"}}}, {"a": "<the state>"}),
        ({"$literal": {"$one_of": 1}}, {"$one_of": 1}),
        ({"$type": "string"}, "<string>"),
        ({"$type": ["string", "null"]}, "<string or null>"),
        ({"$save": "x"}, "<anything>"),
        ({"$save": "x", "match": {"$type": "object"}}, "<object>"),
        ({"$repeat": "x", "times": 3}, '<3 times "x">'),
        ({"$copies": 3, "value": {"a": 1}}, '<3 times {"a": 1}>'),
        (
            {"$numbered": 3, "as": {"a": {"$number": True}}},
            '<3 times {"a": <the place>}, each with its place>',
        ),
        ({"$serial": True}, "<a new id>"),
        ({"$nest": 100, "value": 1}, "<a value inside 100 arrays>"),
        ({"$one_of": [1, "a"]}, '<one of: 1, "a">'),
        ({"$one_of": [5, ["x"], None]}, '<one of: 5, ["x"], null>'),
        ({"$one_of": []}, "nothing"),
        (
            {"$one_of": [{"$absent": True}, None, {"$type": "object"}]},
            "<one of: no such key, null, object>",
        ),
        (
            {"$one_of": [{"ok": False}, {"ok": {"$type": "boolean"}}]},
            {"one of": [{"ok": False}, {"ok": "<boolean>"}]},
        ),
        ({"id": "a", "$one_of": [1, 2]}, {"id": "a", "one of": [1, 2]}),
        ({"$absent": True}, "<no such key>"),
        ({"$contains": "x"}, '<a string that holds "x">'),
        (
            {"$contains": ["x", "y"]},
            '<a string that holds "x", then "y">',
        ),
        ({"$contains": {"$value": True}}, "<a string that holds the value>"),
        ({"$use": "kept"}, "<the value kept as kept>"),
        (
            {"$use": {"$join": ["kept-", {"$value_name": True}]}},
            "<the value kept as the text kept-<the name of the value>>",
        ),
        ({"a": {"$json": "1.0"}}, {"a": "1.0"}),
        (
            {"$members": "k", "times": 20, "value": {"a": 1}},
            '<an object of 20 keys k…, each with {"a": 1}>',
        ),
        ({"$each": {"$type": "string"}}, "<an array, each element string>"),
        ({"$json_text": {"a": 1}}, '<the JSON text of {"a": 1}>'),
        (
            {"$parts": "text", "match": "a"},
            '<a text, or parts of type text that are together "a">',
        ),
        ({"$not": {"$type": "string"}}, "<anything but string>"),
        ({"$not": "x" * 100}, {"anything but": "x" * 100}),
        (
            {"$all_of": [{"$type": "string"}, {"$contains": "x"}]},
            '<string and a string that holds "x">',
        ),
        ({"$somewhere": {"a": 1}}, '<somewhere in it {"a": 1}>'),
        ({"$unlike": ["one", "two"]}, "<a text unlike one, two>"),
        ({"$join": ["a/", {"$use": "pid"}]}, "<the text a/<the value kept as pid>>"),
        ({"$size": 3}, "<3 elements or characters>"),
        ({"$size": 1}, "<1 element or character>"),
        ({"$values": "elements"}, "<an array of the values>"),
        (
            {"$values": "elements", "as": {"a": {"$value": True}}},
            '<an array of the values, each in the form {"a": <the value>}>',
        ),
        (
            {"$values": "keys", "with": {"a": 1}},
            '<an object whose keys are the values, and {"a": 1}>',
        ),
        ({"$unique": "/name"}, "<an array whose elements differ at /name>"),
        ({"$unique": ["/a", "/b"]}, "<an array whose elements differ at /a or /b>"),
        ({"$valid_json_schema": True}, "<a valid JSON Schema>"),
        (
            {"$schema": {"minimum": 1}},
            '<what this JSON Schema validates: {"minimum": 1}>',
        ),
        ({"$": 1, "$ref": "x"}, {"$": 1, "$ref": "x"}),
    ],
)
def test_patterns_are_shown_as_the_values_they_stand_for(
    pattern: Any, shown: Any
) -> None:
    assert in_words(pattern) == shown


@pytest.mark.parametrize(
    "pattern",
    [
        {"$type": "string"},
        {"$save": "x"},
        {"$one_of": [1, 2]},
        {"$not": 1},
        {"$use": "a"},
        {"$json": "1.0"},
    ],
)
def test_words_for_a_value_are_told_from_a_string(pattern: Any) -> None:
    assert type(in_words(pattern)) is Words
    assert type(in_words({"a": pattern})["a"]) is Words


def mismatch(pattern: Any, value: Any) -> Mismatch:
    found = match(pattern, value, {}, {})
    assert found is not None
    return found


def test_a_mismatch_is_shown_with_its_place_and_in_words() -> None:
    found = difference_of(mismatch({"a": [{"b": {"$type": "null"}}]}, {"a": [{}]}))
    assert found == Difference("/a/0/b", "<null>", "nothing there")
    found = difference_of(mismatch({"a": [3]}, {"a": [5]}))
    assert found == Difference("/a/0", 3, 5)


def test_what_must_stand_nowhere_is_named() -> None:
    kept = {"text": "a secret", "of": {"more": "secret"}}
    found = mismatch({"a": {"$not": {"$somewhere": "secret"}}}, {"a": kept})
    assert place_text(found) == 'a holds "secret", which it must not'
    found = mismatch({"a": {"$not": 5}}, {"a": 5})
    assert place_text(found) == "a is 5, which it must not be"


def test_a_mismatch_where_nothing_is_says_so() -> None:
    found = difference_of(mismatch({"a": 1}, {}))
    assert found == Difference("/a", 1, Words("nothing there"))
    assert type(found.actual) is Words


def test_a_null_is_not_nothing() -> None:
    assert difference_of(mismatch({"a": 1}, {"a": None})).actual is None


@pytest.mark.parametrize(
    ("status", "words"), [(0, "status 0"), (1, "status 1"), (-9, "signal 9")]
)
def test_an_exit_status_is_said_in_words(status: int, words: str) -> None:
    assert exit_text(status) == words


@pytest.mark.parametrize(
    ("pattern", "value", "text"),
    [
        ({"a": {"b": 1}}, {"a": {"b": "1"}}, 'a.b is "1", not 1'),
        ({"a": [1]}, {"a": [2]}, "a[0] is 2, not 1"),
        ({"a b": 1}, {"a b": 2}, "/a b is 2, not 1"),
        ({"a": 1}, {}, "a is missing"),
        ({"a": {"$absent": True}}, {"a": None}, "a is there, as null"),
        ({"a": {"$type": "string"}}, {"a": 5}, "a is 5, not a value of type string"),
        (
            {"a": {"$not": {"$type": "null"}}},
            {"a": None},
            "a is null, which it must not be",
        ),
        ({"a": {"$one_of": [1, 2]}}, {"a": 3}, "a is 3, not one of: 1, 2"),
        ({"a": "x" * 200}, {"a": "y"}, "a is not what it should be"),
        (
            {"a": {"$contains": ["x", "y"]}},
            {"a": "z"},
            'a is "z", not a string that holds "x", then "y"',
        ),
        (1, 2, "the frame is 2, not 1"),
        (
            {"sent": {"$unique": "/id"}},
            {"sent": [{"id": 1}, {"id": 2}, {"id": 1}]},
            "sent[2].id is 1, as sent[0].id is",
        ),
    ],
)
def test_a_mismatch_is_told_in_a_sentence(pattern: Any, value: Any, text: str) -> None:
    assert place_text(mismatch(pattern, value)) == text


@pytest.mark.parametrize(
    ("pattern", "value", "text"),
    [
        ("é", "e\u0301", 'a is "e\\u0301", not "\\u00e9"'),
        ("a b", "a\u00a0b", 'a is "a\\u00a0b", not "a b"'),
        ("ab", "a\u200bb", 'a is "a\\u200bb", not "ab"'),
        (
            {"$one_of": ["é", "x"]},
            "e\u0301",
            'a is "e\\u0301", not one of: "\\u00e9", "x"',
        ),
        ("é", "è", 'a is "è", not "é"'),
    ],
)
def test_texts_that_look_alike_are_told_in_code_points(
    pattern: Any, value: str, text: str
) -> None:
    assert place_text(mismatch({"a": pattern}, {"a": value})) == text


def test_a_difference_of_texts_that_look_alike_is_shown_in_code_points() -> None:
    shown = difference_of(mismatch({"a": "é"}, {"a": "e\u0301"}))
    assert shown == Difference("/a", '"\\u00e9"', '"e\\u0301"')
    assert isinstance(shown.expected, Words)
    assert isinstance(shown.actual, Words)


def test_each_string_of_a_text_is_emptied_with_its_escapes() -> None:
    assert without_strings(r'the id is "a\"b", not "c"') == 'the id is "", not ""'
