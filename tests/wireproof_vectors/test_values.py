"""Messages, patterns and pieces are checked form by form."""

import pytest

from wireproof_vectors import JSON, VectorError
from wireproof_vectors._place import Place
from wireproof_vectors._values import check_message, check_pattern, check_piece

HERE = Place("mine.json")


@pytest.mark.parametrize(
    "value",
    [
        None,
        [1, "x", {"a": {"": None}}],
        {"$use": "state"},
        {"$id_of": "init"},
        {"$literal": {"$ref": "#"}},
        {"$repeat": "x", "times": 1000},
        {"$nest": 3, "value": {"$repeat": "x", "times": 2}},
        {"$copies": 3, "value": {"n": 1}},
        {"$serial": True},
        {"$join": ["a", {"$use": "home"}, {"$repeat": "x", "times": 2}]},
        {"$join": [{"$join": ["a", "b"]}]},
    ],
)
def test_a_valid_message_passes(value: JSON) -> None:
    check_message(HERE, value)


@pytest.mark.parametrize(
    ("value", "pointer", "problem"),
    [
        ({"$ref": "#"}, "", "the form '$ref' is unknown in a message"),
        ([{"a": {"$use": ""}}], "/0/a/$use", "the string is empty"),
        ({"$use": "x", "b": 1}, "/b", "the key 'b' is unknown here"),
        ({"$repeat": "x"}, "", "the key 'times' is missing"),
        ({"$repeat": "", "times": 2}, "/$repeat", "the string is empty"),
        (
            {"$repeat": "x", "times": -1},
            "/times",
            "an integer of 0 or more is wanted, not -1",
        ),
        (
            {"$nest": 2, "value": {"$x": 1}},
            "/value",
            "the form '$x' is unknown in a message",
        ),
        ({"$type": "string"}, "", "the form '$type' is unknown in a message"),
        ({"$serial": 1}, "/$serial", "$serial takes true"),
        ({"$join": []}, "/$join", "the array is empty"),
        ({"$join": ["a", 5]}, "/$join/1", "a string is wanted, not 5"),
        ({"$join": [{"$serial": True}]}, "/$join/0", "a string is wanted"),
    ],
)
def test_a_wrong_message_is_refused(value: JSON, pointer: str, problem: str) -> None:
    with pytest.raises(VectorError) as caught:
        check_message(HERE, value)
    assert (caught.value.pointer, caught.value.problem) == (pointer, problem)


@pytest.mark.parametrize(
    "value",
    [
        None,
        [1, {"a": {"$absent": True}}],
        {"$equals": {"$literal": {"$ref": "#"}}},
        {"$type": "integer"},
        {"$type": ["string", "null"]},
        {"$one_of": []},
        {"id": "a", "$one_of": [{"ok": False}, {"ok": True}]},
        {"$contains": "x"},
        {"$contains": ["x", "y"]},
        {"$save": "s"},
        {"$save": "s", "match": {"$type": "object"}},
        {"$use": "s"},
        {"$repeat": "x", "times": 3},
        {"$each": {"$type": "string"}},
        {"$size": 0},
        {"$schema": {"type": "string"}},
        {"$valid_json_schema": True},
        {"$unique": "/name"},
        {"$unique": ["/function/name", "/name"]},
        {"$json_text": {"a": 1}},
        {"$not": {"$use": "s"}},
        {"$all_of": [{"$type": "string"}, {"$contains": "x"}]},
        {"$somewhere": {"a": 1}},
        {"$unlike": ["s", "t"]},
        {"$join": [{"$use": "home"}, "/x"]},
    ],
)
def test_a_valid_pattern_passes(value: JSON) -> None:
    check_pattern(HERE, value)


@pytest.mark.parametrize(
    ("value", "pointer", "problem"),
    [
        ({"$like": "x"}, "", "the matcher '$like' is unknown"),
        ([{"$like": "x"}], "/0", "the matcher '$like' is unknown"),
        ({"a": {"$like": "x"}}, "/a", "the matcher '$like' is unknown"),
        (
            {"$equals": {"$type": "x"}},
            "/$equals",
            "the form '$type' is unknown in a message",
        ),
        ({"$one_of": {}}, "/$one_of", "$one_of takes an array of patterns"),
        ({"$one_of": [{"$x": 1}]}, "/$one_of/0", "the matcher '$x' is unknown"),
        ({"a": {"$x": 1}, "$one_of": []}, "/a", "the matcher '$x' is unknown"),
        ({"$absent": False}, "/$absent", "$absent takes true and nothing else"),
        ({"$absent": True, "a": 1}, "/a", "the key 'a' is unknown here"),
        ({"$contains": ""}, "/$contains", "the string is empty"),
        ({"$contains": []}, "/$contains", "the array is empty"),
        ({"$contains": ["x", 5]}, "/$contains/1", "a string is wanted, not 5"),
        ({"$save": "s", "match": {"$x": 1}}, "/match", "the matcher '$x' is unknown"),
        ({"$schema": True}, "/$schema", "$schema takes a JSON Schema object"),
        ({"$unique": [1]}, "/$unique", "$unique takes JSON pointers"),
        ({"$each": {"$x": 1}}, "/$each", "the matcher '$x' is unknown"),
        ({"$not": {"$x": 1}}, "/$not", "the matcher '$x' is unknown"),
        ({"$all_of": []}, "/$all_of", "the array is empty"),
        ({"$all_of": [{"$x": 1}]}, "/$all_of/0", "the matcher '$x' is unknown"),
        ({"$somewhere": {"$x": 1}}, "/$somewhere", "the matcher '$x' is unknown"),
        ({"$unlike": "s"}, "/$unlike", 'an array is wanted, not "s"'),
        ({"$join": [1]}, "/$join/0", "a string is wanted, not 1"),
        ({"$repeat": 1, "times": 1}, "/$repeat", "a string is wanted, not 1"),
    ],
)
def test_a_wrong_pattern_is_refused(value: JSON, pointer: str, problem: str) -> None:
    with pytest.raises(VectorError) as caught:
        check_pattern(HERE, value)
    assert (caught.value.pointer, caught.value.problem) == (pointer, problem)


def test_a_wrong_type_is_refused_with_those_there_are() -> None:
    with pytest.raises(VectorError, match=r"one of null, boolean, .* not \"str\""):
        check_pattern(HERE, {"$type": ["null", "str"]})


@pytest.mark.parametrize(
    "value", [{"text": ""}, {"text": "x", "times": 2}, {"base64": "//4="}]
)
def test_a_valid_piece_passes(value: JSON) -> None:
    check_piece(HERE, value)


@pytest.mark.parametrize(
    ("value", "pointer", "problem"),
    [
        ("x", "", 'an object is wanted, not "x"'),
        ({}, "", "the key 'text' is missing"),
        ({"text": "x", "base64": ""}, "/text", "the key 'text' is unknown here"),
        ({"text": 5}, "/text", "a piece must be a string"),
        (
            {"base64": "AA"},
            "/base64",
            "this is not base64 (Incorrect padding)",
        ),
        (
            {"text": "x", "times": "2"},
            "/times",
            'an integer of 0 or more is wanted, not "2"',
        ),
    ],
)
def test_a_wrong_piece_is_refused(value: JSON, pointer: str, problem: str) -> None:
    with pytest.raises(VectorError) as caught:
        check_piece(HERE, value)
    assert (caught.value.pointer, caught.value.problem) == (pointer, problem)
