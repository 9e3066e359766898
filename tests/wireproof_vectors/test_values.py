"""Messages, patterns and pieces are checked form by form."""

import pytest

from wireproof_vectors import JSON, VectorError, check_vectors


def check(step: dict[str, JSON]) -> None:
    vector: JSON = {
        "id": "host-v1/mine/one",
        "title": "An echo comes back.",
        "clauses": ["HV1-T5"],
        "steps": [step],
    }
    top = {"schema": "wireproof-vectors/1", "protocol": "host-v1", "group": "mine"}
    check_vectors({**top, "kind": "exchange", "vectors": [vector]})


def check_message(value: JSON) -> None:
    check({"send": value})


def check_pattern(value: JSON) -> None:
    check({"expect": value})


def check_piece(value: JSON) -> None:
    check({"send_raw": [value]})


@pytest.mark.parametrize(
    "value",
    [
        None,
        [1, "x", {"a": {"": None}}],
        {"$use": "state"},
        {"$id_of": "init"},
        {"$literal": {"$ref": "#"}},
        {"$repeat": "x", "times": 1000},
        {"$repeat": "x", "times": {"$use": "n"}},
        {"$nest": 3, "value": {"$repeat": "x", "times": 2}},
        {"$copies": 3, "value": {"n": 1}},
        {"$numbered": 3, "as": {"n": {"$number": True}}},
        {"$members": "", "times": 3, "value": {"n": 1}},
        {"$json": "1e400"},
        {"$serial": True},
        {"$join": ["a", {"$use": "home"}, {"$repeat": "x", "times": 2}]},
        {"$join": [{"$join": ["a", "b"]}]},
    ],
)
def test_a_valid_message_passes(value: JSON) -> None:
    check_message(value)


@pytest.mark.parametrize(
    ("value", "pointer", "problem"),
    [
        (
            {"$ref": "#"},
            "/$ref",
            "Additional properties are not allowed ('$ref' was unexpected)",
        ),
        ([{"a": {"$use": ""}}], "/0/a/$use", "'' should be non-empty"),
        ({"$use": "x", "b": 1}, "/b", "'b' is not one of ['$use']"),
        ({"$repeat": "x"}, "", "'times' is a required property"),
        ({"$repeat": "", "times": 2}, "/$repeat", "'' should be non-empty"),
        (
            {"$repeat": "x", "times": -1},
            "/times",
            "-1 is less than the minimum of 0",
        ),
        (
            {"$nest": 2, "value": {"$x": 1}},
            "/value/$x",
            "Additional properties are not allowed ('$x' was unexpected)",
        ),
        (
            {"$type": "string"},
            "/$type",
            "Additional properties are not allowed ('$type' was unexpected)",
        ),
        ({"$members": "k"}, "", "'times' is a required property"),
        ({"$json": 1}, "/$json", "1 is not of type 'string'"),
        ({"$serial": 1}, "/$serial", "True was expected"),
        ({"$join": []}, "/$join", "[] should be non-empty"),
        ({"$join": ["a", 5]}, "/$join/1", "5 is not of type 'string'"),
        (
            {"$join": [{"$serial": True}]},
            "/$join/0/$serial",
            "Additional properties are not allowed ('$serial' was unexpected)",
        ),
    ],
)
def test_a_wrong_message_is_refused(value: JSON, pointer: str, problem: str) -> None:
    with pytest.raises(VectorError) as caught:
        check_message(value)
    assert caught.value.pointer == f"/vectors/0/steps/0/send{pointer}"
    assert caught.value.problem == problem


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
    check_pattern(value)


@pytest.mark.parametrize(
    ("value", "pointer", "problem"),
    [
        (
            {"$like": "x"},
            "/$like",
            "Additional properties are not allowed ('$like' was unexpected)",
        ),
        (
            [{"$like": "x"}],
            "/0/$like",
            "Additional properties are not allowed ('$like' was unexpected)",
        ),
        (
            {"a": {"$like": "x"}},
            "/a/$like",
            "Additional properties are not allowed ('$like' was unexpected)",
        ),
        (
            {"$equals": {"$type": "x"}},
            "/$equals/$type",
            "Additional properties are not allowed ('$type' was unexpected)",
        ),
        ({"$one_of": {}}, "/$one_of", "{} is not of type 'array'"),
        (
            {"$one_of": [{"$x": 1}]},
            "/$one_of/0/$x",
            "Additional properties are not allowed ('$x' was unexpected)",
        ),
        (
            {"a": {"$x": 1}, "$one_of": []},
            "/a/$x",
            "Additional properties are not allowed ('$x' was unexpected)",
        ),
        ({"$absent": False}, "/$absent", "True was expected"),
        ({"$absent": True, "a": 1}, "/a", "'a' is not one of ['$absent']"),
        ({"$contains": ""}, "/$contains", "'' should be non-empty"),
        ({"$contains": []}, "/$contains", "[] should be non-empty"),
        ({"$contains": ["x", 5]}, "/$contains/1", "5 is not of type 'string'"),
        (
            {"$save": "s", "match": {"$x": 1}},
            "/match/$x",
            "Additional properties are not allowed ('$x' was unexpected)",
        ),
        ({"$schema": True}, "/$schema", "True is not of type 'object'"),
        ({"$unique": [1]}, "/$unique/0", "1 is not of type 'string'"),
        (
            {"$each": {"$x": 1}},
            "/$each/$x",
            "Additional properties are not allowed ('$x' was unexpected)",
        ),
        (
            {"$not": {"$x": 1}},
            "/$not/$x",
            "Additional properties are not allowed ('$x' was unexpected)",
        ),
        ({"$all_of": []}, "/$all_of", "[] should be non-empty"),
        (
            {"$all_of": [{"$x": 1}]},
            "/$all_of/0/$x",
            "Additional properties are not allowed ('$x' was unexpected)",
        ),
        (
            {"$somewhere": {"$x": 1}},
            "/$somewhere/$x",
            "Additional properties are not allowed ('$x' was unexpected)",
        ),
        ({"$unlike": "s"}, "/$unlike", "'s' is not of type 'array'"),
        ({"$join": [1]}, "/$join/0", "1 is not of type 'string'"),
        ({"$repeat": 1, "times": 1}, "/$repeat", "1 is not of type 'string'"),
    ],
)
def test_a_wrong_pattern_is_refused(value: JSON, pointer: str, problem: str) -> None:
    with pytest.raises(VectorError) as caught:
        check_pattern(value)
    assert caught.value.pointer == f"/vectors/0/steps/0/expect{pointer}"
    assert caught.value.problem == problem


def test_a_wrong_type_is_refused_with_those_there_are() -> None:
    with pytest.raises(VectorError, match=r"'str' is not one of \['null', "):
        check_pattern({"$type": ["null", "str"]})


@pytest.mark.parametrize(
    "value", [{"text": ""}, {"text": "x", "times": 2}, {"base64": "//4="}]
)
def test_a_valid_piece_passes(value: JSON) -> None:
    check_piece(value)


@pytest.mark.parametrize(
    ("value", "pointer", "problem"),
    [
        ("x", "", "'x' is not of type 'object'"),
        ({}, "", "{} is not valid under any of the given schemas"),
        (
            {"text": "x", "base64": ""},
            "/base64",
            "'base64' is not one of ['text', 'times']",
        ),
        ({"text": 5}, "/text", "5 is not of type 'string'"),
        (
            {"base64": "AA"},
            "/base64",
            "'AA' is no base64",
        ),
        (
            {"text": "x", "times": "2"},
            "/times",
            "'2' is not of type 'integer'",
        ),
    ],
)
def test_a_wrong_piece_is_refused(value: JSON, pointer: str, problem: str) -> None:
    with pytest.raises(VectorError) as caught:
        check_piece(value)
    assert caught.value.pointer == f"/vectors/0/steps/0/send_raw/0{pointer}"
    assert caught.value.problem == problem
