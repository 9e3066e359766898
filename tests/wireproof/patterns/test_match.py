from __future__ import annotations

from typing import Any

import pytest

from wireproof.checks import VectorDefect, Words
from wireproof.patterns import Mismatch, match


def compare(pattern: Any, value: Any, **names: Any) -> Mismatch | None:
    return match(pattern, value, names, {})


@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        (5, 5.0),
        (None, None),
        ("x", "x"),
        ({}, {"anything": 1}),
        ({"ok": True}, {"ok": True, "more": 1}),
        ({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}}),
        ([1, {"a": 2}], [1, {"a": 2, "b": 3}]),
        ([], []),
    ],
)
def test_a_pattern_without_matchers_is_met(pattern: object, value: object) -> None:
    assert compare(pattern, value) is None


@pytest.mark.parametrize(
    ("pattern", "value", "expected"),
    [
        (1, True, Mismatch("", 1, actual=True)),
        ({}, [], Mismatch("", "an object", [])),
        ({"a": 1}, "a", Mismatch("", "an object", "a")),
        ([1], {"0": 1}, Mismatch("", "an array", {"0": 1})),
        ([1], [1, 2], Mismatch("", "an array of 1 element without 2", [1, 2])),
        ([], [1], Mismatch("", "an array of 0 elements without 1", [1])),
        ([1], [1, 1], Mismatch("", "an array of 1 element", [1, 1])),
        ([1, 2], [2], Mismatch("", "an array of 2 elements", [2])),
        ([1, 2], [1, 3], Mismatch("/1", 2, 3)),
        ({"a": 1}, {}, Mismatch("/a", 1, None, absent=True)),
        ({"a": None}, {}, Mismatch("/a", None, None, absent=True)),
        ({"a": [{"b": 1}]}, {"a": [{"b": 2}]}, Mismatch("/a/0/b", 1, 2)),
        ({"a/b": {"~": 1}}, {"a/b": {"~": 2}}, Mismatch("/a~1b/~0", 1, 2)),
        ({"": 1}, {"": 2}, Mismatch("/", 1, 2)),
    ],
)
def test_a_mismatch_tells_the_place_and_both_values(
    pattern: object, value: object, expected: Mismatch
) -> None:
    assert compare(pattern, value) == expected


def test_the_first_mismatch_in_the_patterns_order_is_told() -> None:
    miss = compare({"b": 1, "a": 1}, {"a": 2, "b": 2})
    assert miss == Mismatch("/b", 1, 2)


def test_absent_wants_the_key_not_to_be_there() -> None:
    pattern = {"error": {"$absent": True}}
    assert compare(pattern, {}) is None
    assert compare(pattern, {"error": None}) == Mismatch("/error", "no such key", None)


def test_one_of_is_met_by_any_of_its_patterns() -> None:
    pattern = {"id": {"$one_of": [None, "", {"$absent": True}]}}
    assert compare(pattern, {"id": None}) is None
    assert compare(pattern, {"id": ""}) is None
    assert compare(pattern, {}) is None


def test_one_of_shows_all_that_would_have_done() -> None:
    pattern = {"id": {"$one_of": [1, 2]}}
    assert compare(pattern, {"id": 3}) == Mismatch("/id", {"$one_of": [1, 2]}, 3)
    assert compare(pattern, {}) == Mismatch("/id", {"$one_of": [1, 2]}, None, True)  # noqa: FBT003


def test_keys_beside_the_alternatives_have_to_match_too() -> None:
    pattern = {"$one_of": [{"ok": True}, {"ok": False}], "v": 1}
    assert compare(pattern, {"ok": False, "v": 1}) is None
    assert compare(pattern, {"ok": False, "v": 2}) == Mismatch("/v", 1, 2)


def test_json_text_may_hold_a_number_beyond_a_double() -> None:
    pattern = {"$json_text": {"$type": "object"}}
    assert match(pattern, '{"a": [-1e400], "b": "\\u00e9"}', {}, {}) is None
    assert match(pattern, '{"a": [-1e400,]}', {}, {}) is not None
    assert match(pattern, '{"a": [1e400], "b": NaN}', {}, {}) is not None


def test_json_text_is_looked_into() -> None:
    pattern = {"$json_text": {"a": {"$type": "integer"}}}
    assert compare(pattern, '{"a": 1}') is None
    assert compare(pattern, '{"a": "x"}') == Mismatch(
        "/a", "a value of type integer", "x"
    )


@pytest.mark.parametrize("value", ["{", 5, None, "\ud800"])
def test_what_is_no_json_text_is_told(value: object) -> None:
    words = "a string that is JSON text"
    assert compare({"$json_text": {}}, value) == Mismatch("", words, value)


@pytest.mark.parametrize(
    "value",
    [
        "ab",
        [{"type": "text", "text": "ab"}],
        [{"type": "text", "text": s} for s in "ab"],
    ],
)
def test_parts_are_the_text_that_they_are_together(value: object) -> None:
    assert compare({"$parts": "text", "match": "ab"}, value) is None


@pytest.mark.parametrize(
    "value",
    [
        "ba",
        [{"type": "input_text", "text": "ab"}],
        [{"type": "text", "text": "a"}, {"type": "image", "text": "b"}],
        [{"type": "text"}],
        ["ab"],
        {"type": "text", "text": "ab"},
        [],
    ],
)
def test_what_is_together_another_text_is_none(value: object) -> None:
    assert compare({"$parts": "text", "match": "ab"}, value) is not None


def test_no_parts_are_an_empty_text() -> None:
    assert compare({"$parts": "text", "match": ""}, []) is None


def test_equals_leaves_no_room_for_further_keys() -> None:
    pattern = {"$equals": {"a": 1}}
    assert compare(pattern, {"a": 1.0}) is None
    assert compare(pattern, {"a": 1, "b/": 2}) == Mismatch("/b~1", "no such key", 2)


@pytest.mark.parametrize(
    ("wanted", "value", "expected"),
    [
        ({"a": 1}, {}, Mismatch("/a", 1, None, absent=True)),
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1, 3]}}, Mismatch("/a/b/1", 2, 3)),
        ([1], [1, 2], Mismatch("", "an array of 1 element without 2", [1, 2])),
        ([1], {}, Mismatch("", [1], {})),
        ("a", "b", Mismatch("", "a", "b")),
    ],
)
def test_equals_tells_the_first_difference(
    wanted: object, value: object, expected: Mismatch
) -> None:
    assert compare({"$equals": wanted}, value) == expected


def test_equals_may_hold_generators() -> None:
    pattern = {"$equals": {"s": {"$use": "state"}, "t": {"$repeat": "x", "times": 2}}}
    assert compare(pattern, {"s": {"n": 1}, "t": "xx"}, state={"n": 1}) is None


def test_equals_of_an_absent_key_is_a_mismatch() -> None:
    pattern = {"a": {"$equals": None}}
    miss = Mismatch("/a", {"$equals": None}, None, absent=True)
    assert compare(pattern, {}) == miss


@pytest.mark.parametrize(
    ("wanted", "value"),
    [
        ("null", None),
        ("boolean", False),
        ("integer", 5),
        ("integer", 5.0),
        ("number", 5),
        ("number", 5.5),
        ("string", ""),
        ("array", []),
        ("object", {}),
        (["string", "null"], None),
    ],
)
def test_type_is_met(wanted: object, value: object) -> None:
    assert compare({"$type": wanted}, value) is None


@pytest.mark.parametrize(
    ("wanted", "value", "words"),
    [
        ("integer", 5.5, "a value of type integer"),
        ("integer", True, "a value of type integer"),
        ("number", True, "a value of type number"),
        ("object", None, "a value of type object"),
        (["string", "null"], 1, "a value of type string or null"),
    ],
)
def test_type_is_missed(wanted: object, value: object, words: str) -> None:
    assert compare({"$type": wanted}, value) == Mismatch("", words, value)


def test_a_type_that_json_does_not_have_is_a_defect() -> None:
    with pytest.raises(VectorDefect, match=r"\$type knows no 'float'"):
        compare({"$type": ["string", "float"]}, "text")


def test_contains_looks_into_strings_only() -> None:
    pattern = {"$contains": "boom"}
    assert compare(pattern, "it went boom!") is None
    assert compare(pattern, "it went") == Mismatch("", pattern, "it went")
    assert compare(pattern, ["boom"]) == Mismatch("", pattern, ["boom"])


@pytest.mark.parametrize("text", ["ab", "a b", "xaxbx", "aab"])
def test_contains_finds_several_texts_in_their_order(text: str) -> None:
    assert compare({"$contains": ["a", "b"]}, text) is None


@pytest.mark.parametrize("text", ["ba", "a", "", 5])
def test_contains_misses_texts_in_another_order(text: object) -> None:
    pattern = {"$contains": ["a", "b"]}
    assert compare(pattern, text) == Mismatch("", pattern, text)


def test_contains_counts_no_letter_twice() -> None:
    assert compare({"$contains": ["aba", "aba"]}, "abababa") is None
    assert compare({"$contains": ["aba", "aba"]}, "ababa") is not None


def test_save_keeps_what_it_matched() -> None:
    saved: dict[str, Any] = {}
    pattern = {"state": {"$save": "s", "match": {"$type": "object"}}, "v": 1}
    assert match(pattern, {"state": {"n": 1}, "v": 1}, {}, saved) is None
    assert saved == {"s": {"n": 1}}


def test_save_without_a_match_takes_anything() -> None:
    saved: dict[str, Any] = {}
    assert match({"$save": "all"}, None, {}, saved) is None
    assert saved == {"all": None}


def test_save_does_not_keep_what_its_match_refuses() -> None:
    saved: dict[str, Any] = {}
    miss = match({"$save": "s", "match": {"$type": "object"}}, 3, {}, saved)
    assert miss == Mismatch("", "a value of type object", 3)
    assert saved == {}


def test_save_of_an_absent_key_is_a_mismatch() -> None:
    miss = compare({"state": {"$save": "s"}}, {})
    assert miss == Mismatch("/state", {"$save": "s"}, None, absent=True)


def test_a_value_saved_in_a_pattern_can_be_used_further_on_in_it() -> None:
    pattern = {"value": {"$save": "x"}, "state": {"$use": "x"}}
    assert compare(pattern, {"value": [1], "state": [1]}) is None
    miss = compare(pattern, {"value": [1], "state": [2]})
    assert miss == Mismatch("/state", [1], [2])


def test_generators_are_compared_with_what_they_stand_for() -> None:
    assert compare({"$use": "x"}, 5.0, x=5) is None
    assert compare({"$repeat": "ab", "times": 2}, "abab") is None
    assert compare({"$nest": 2, "value": 1}, [[1]]) is None
    assert compare({"$use": "x"}, 6, x=5) == Mismatch("", 5, 6)


def test_each_holds_of_every_element() -> None:
    pattern = {"$each": {"$type": "string"}}
    assert compare(pattern, []) is None
    assert compare(pattern, ["a", "b"]) is None
    assert compare(pattern, ["a", 1]) == Mismatch("/1", "a value of type string", 1)
    assert compare(pattern, "ab") == Mismatch("", "an array", "ab")


def test_holds_lets_other_elements_stand_between() -> None:
    pattern = {"$holds": [{"n": 1}, {"n": 2}]}
    assert compare(pattern, [{"n": 1}, {"n": 2}]) is None
    assert compare(pattern, [{"n": 0}, {"n": 1, "x": 1}, 5, {"n": 2}]) is None
    assert compare(pattern, [{"n": 2}, {"n": 1}]) is not None
    assert compare(pattern, [{"n": 1}]) is not None
    assert compare({"$holds": [1, 1]}, [1]) is not None
    assert compare(pattern, "ab") == Mismatch("", "an array", "ab")


def test_size_counts_elements_characters_and_keys() -> None:
    pattern = {"$size": 2}
    assert compare(pattern, [1, 2]) is None
    assert compare(pattern, "é€") is None
    assert compare(pattern, {"a": 1, "b": 2}) is None
    assert compare(pattern, [1]) == Mismatch("", "2 elements or characters", [1])
    assert compare(pattern, 2) == Mismatch("", "2 elements or characters", 2)


def test_schema_validates_the_value() -> None:
    pattern = {"r": {"$schema": {"items": {"type": "string"}}}}
    assert compare(pattern, {"r": ["a"]}) is None
    assert compare(pattern, {"r": ["a", 1]}) == Mismatch(
        "/r/1", 'what fits the JSON Schema {"type": "string"}', 1
    )


@pytest.mark.parametrize(
    "value",
    [
        {},
        True,
        {"type": "object", "properties": {"a": {"type": "string"}}},
        {"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1},
    ],
)
def test_a_valid_json_schema_is_one(value: object) -> None:
    assert compare({"$valid_json_schema": True}, value) is None


def test_an_invalid_json_schema_is_told_with_its_place() -> None:
    miss = compare({"$valid_json_schema": True}, {"properties": {"a": {"type": "txt"}}})
    assert miss is not None
    assert miss.path == "/properties/a/type"
    assert miss.expected.startswith('a valid JSON Schema ({"')
    assert type(miss.expected) is Words
    assert miss.actual == "txt"


def test_what_is_no_object_is_no_json_schema() -> None:
    words = "a JSON Schema (an object or a boolean)"
    assert compare({"$valid_json_schema": True}, "x") == Mismatch("", words, "x")


def test_unique_compares_what_the_first_pointer_that_leads_somewhere_names() -> None:
    pattern = {"$unique": ["/function/name", "/name"]}
    assert compare(pattern, [{"name": "a"}, {"function": {"name": "b"}}]) is None
    assert compare(pattern, [{"name": "a"}, {"function": {"name": "a"}}]) == Mismatch(
        "/1/function/name", "another value than [0].name", "a"
    )


def test_unique_leaves_elements_alone_that_have_no_such_place() -> None:
    assert compare({"$unique": "/name"}, [{}, 1, {"name": None}, "x"]) is None


def test_unique_wants_an_array() -> None:
    assert compare({"$unique": "/name"}, {}) == Mismatch("", "an array", {})


def test_an_unknown_matcher_is_a_defect_that_names_its_keys() -> None:
    with pytest.raises(VectorDefect, match=r"unknown matcher \$like in a pattern"):
        compare({"a": {"$like": 1}}, {"a": 1})


@pytest.mark.parametrize("value", [1, None, {"a": 2}])
def test_not_takes_what_its_pattern_does_not(value: Any) -> None:
    assert compare({"$not": {"$one_of": ["x", {"a": 1}]}}, value) is None


def test_not_refuses_what_its_pattern_takes() -> None:
    pattern = {"b": {"$not": {"$type": "string"}}}
    assert compare(pattern, {"b": "x"}) == Mismatch("/b", pattern["b"], "x")


def test_what_a_not_saves_is_not_kept() -> None:
    saved: dict[str, Any] = {}
    assert match({"$not": {"$save": "x", "match": 1}}, 1, {}, saved) is not None
    assert saved == {}


def test_all_of_takes_what_each_pattern_takes() -> None:
    pattern = {"$all_of": [{"$type": "string"}, {"$contains": "b"}]}
    assert compare(pattern, "abc") is None


def test_all_of_tells_of_the_first_pattern_that_is_missed() -> None:
    pattern = {"$all_of": [{"a": 1}, {"b": 2}, {"c": 3}]}
    assert compare(pattern, {"a": 1, "b": 0}) == Mismatch("/b", 2, 0)


@pytest.mark.parametrize(
    "value", ["x", ["x"], {"a": [1, {"b": "x"}]}, [[[["x"]]]], {"x": 1, "y": "x"}]
)
def test_somewhere_looks_at_every_depth(value: Any) -> None:
    assert compare({"$somewhere": "x"}, value) is None


@pytest.mark.parametrize("value", ["y", [], {}, {"x": 1}, [["xx"]], None])
def test_somewhere_misses_what_is_nowhere(value: Any) -> None:
    assert compare({"$somewhere": "x"}, value) == Mismatch(
        "", {"$somewhere": "x"}, value
    )


def test_unlike_takes_a_text_that_differs_in_many_places() -> None:
    pattern = {"$unlike": ["one", "two"]}
    names = {"one": "5fbd1c7a90e24d38", "two": "a01e77c2b8f34956"}
    assert compare(pattern, "93c8e6014bd7f2a5", **names) is None


@pytest.mark.parametrize("value", ["session-0002", "session-0001", "session-00012"])
def test_unlike_refuses_a_text_that_is_counted_on(value: str) -> None:
    miss = compare({"$unlike": ["one"]}, value, one="session-0001")
    assert miss == Mismatch("", {"$unlike": ["one"]}, value)


def test_unlike_takes_strings_only() -> None:
    assert compare({"$unlike": ["one"]}, 7, one="x") == Mismatch("", "a string", 7)


def test_a_joined_text_is_matched() -> None:
    pattern = {"path": {"$join": [{"$use": "folder"}, "/made"]}}
    assert compare(pattern, {"path": "here/made"}, folder="here") is None
    assert compare(pattern, {"path": "there/made"}, folder="here") is not None


@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        ({"a": 1}, 5),
        ([1], 5),
        ([1], [1, 2]),
        ({"$absent": True}, 5),
        ({"$equals": {}}, {"a": 1}),
        ({"$type": "string"}, 5),
        ({"$size": 3}, 5),
        ({"$schema": {"type": "string"}}, 5),
    ],
)
def test_what_is_said_of_a_value_is_told_from_a_value(
    pattern: object, value: object
) -> None:
    miss = compare(pattern, value)
    assert miss is not None
    assert type(miss.expected) is Words
