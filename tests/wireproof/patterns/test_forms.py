from __future__ import annotations

from typing import Any

import pytest

from wireproof.checks import VectorDefect
from wireproof.patterns import expand, is_generator, raw_bytes


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"$use": "state"}, True),
        ({"match": 1, "$save": "x"}, True),
        ({"use": "$state"}, False),
        ({}, False),
        ("$use", False),
        (["$use"], False),
        (None, False),
    ],
)
def test_an_object_with_a_dollar_key_is_a_generator(
    value: object, *, expected: bool
) -> None:
    assert is_generator(value) is expected


@pytest.mark.parametrize(
    "value",
    [None, True, 0, 1.5, "", "text", [], {}, [1, [2, {"a": None}]], {"": {"b": []}}],
)
def test_plain_values_stand_for_themselves(value: object) -> None:
    assert expand(value, {}) == value


def test_nothing_of_the_template_is_shared_with_what_it_gives() -> None:
    template: dict[str, Any] = {"list": [1], "object": {"a": []}}
    made = expand(template, {})
    made["list"].append(2)
    made["object"]["a"].append(3)
    assert template == {"list": [1], "object": {"a": []}}


def test_use_gives_the_value_of_the_name() -> None:
    names = {"state": {"n": 1}}
    assert expand({"params": [{"$use": "state"}]}, names) == {"params": [{"n": 1}]}


def test_use_of_a_name_that_nobody_saved_is_a_defect() -> None:
    with pytest.raises(
        VectorDefect, match=r"\$use names 'later', which no step has saved"
    ):
        expand({"$use": "later"}, {"state": {}})


def test_repeat_gives_the_text_so_many_times() -> None:
    assert expand({"$repeat": "ab", "times": 3}, {}) == "ababab"


def test_repeat_may_take_the_number_that_an_earlier_step_has_saved() -> None:
    assert expand({"$repeat": "ab", "times": {"$use": "n"}}, {"n": 2}) == "abab"


def test_nest_puts_the_value_inside_so_many_arrays() -> None:
    assert expand({"$nest": 3, "value": {"$use": "x"}}, {"x": 7}) == [[[7]]]


def test_copies_are_so_many_equal_values() -> None:
    made = expand({"$copies": 2, "value": {"n": {"$use": "x"}}}, {"x": 7})
    assert made == [{"n": 7}, {"n": 7}]


def test_numbered_copies_have_each_its_place() -> None:
    made = expand({"$numbered": 2, "as": [{"n": {"$number": True}}, "x"]}, {})
    assert made == [[{"n": 0}, "x"], [{"n": 1}, "x"]]


def test_nest_without_a_value_nests_null() -> None:
    assert expand({"$nest": 1}, {}) == [None]


def test_a_literal_keeps_its_dollar_keys() -> None:
    assert expand({"$literal": {"$use": "state"}}, {}) == {"$use": "state"}


@pytest.mark.parametrize(
    ("template", "named"),
    [
        ({"$unknown": 1}, r"\$unknown"),
        ({"$b": 1, "$a": 2, "c": 3}, r"\$a, \$b"),
        ({"$repeat": "x"}, r"\$repeat"),
        ({"$repeat": 1, "times": 2}, r"\$repeat"),
        ({"$nest": "deep"}, r"\$nest"),
        ({"$use": 1}, r"\$use"),
    ],
)
def test_an_unknown_generator_is_a_defect_that_names_its_keys(
    template: dict[str, Any], named: str
) -> None:
    with pytest.raises(VectorDefect, match=f"unknown generator {named} in a message"):
        expand(template, {})


def test_a_time_scale_slows_the_tools_and_nothing_else() -> None:
    message = {"ms": 10, "delay_ms": 20, "size": 30, "parts": [{"ms": 1}], "ok": "ms"}
    assert expand(message, {}, time_scale=5) == {
        "ms": 50,
        "delay_ms": 100,
        "size": 30,
        "parts": [{"ms": 5}],
        "ok": "ms",
    }


def test_a_time_scale_leaves_a_time_that_is_no_number() -> None:
    assert expand({"ms": "10", "delay_ms": None}, {}, time_scale=5) == {
        "ms": "10",
        "delay_ms": None,
    }


def test_raw_pieces_are_joined_as_they_are() -> None:
    pieces: list[dict[str, Any]] = [
        {"text": "é\n"},
        {"base64": "/wA="},
        {"text": "[", "times": 3},
        {"base64": "/w==", "times": 2},
        {"text": "never", "times": 0},
    ]
    assert raw_bytes(pieces) == b"\xc3\xa9\n\xff\x00[[[\xff\xff"


def test_no_pieces_are_no_bytes() -> None:
    assert raw_bytes([]) == b""


def test_a_joined_text_is_one_text_of_its_parts() -> None:
    template = {"$join": ["a/", {"$use": "n"}, {"$repeat": "x", "times": 3}]}
    assert expand(template, {"n": 5}) == "a/5xxx"


def test_members_gives_an_object_of_numbered_keys() -> None:
    value = {"$members": "k", "times": 2, "value": {"$repeat": "x", "times": 2}}
    assert expand(value, {}) == {"k0": "xx", "k1": "xx"}


def test_json_gives_the_value_of_a_text() -> None:
    assert expand([{"$json": "5e0"}, {"$json": "9007199254740993"}], {}) == [
        5,
        9007199254740993,
    ]


def test_json_text_is_the_text_of_a_value() -> None:
    value = {"$json_text": {"a": {"$repeat": "x", "times": 2}, "b": {"$literal": {}}}}
    assert expand(value, {}) == '{"a":"xx","b":{}}'


def test_json_that_has_no_value_here_is_a_defect() -> None:
    with pytest.raises(VectorDefect, match=r"1e400 cannot be sent: .*beyond the range"):
        expand({"$json": "1e400"}, {})


def test_a_raw_piece_may_be_a_message() -> None:
    pieces: list[Any] = [
        {"text": "["},
        {"json": {"a": {"$use": "args"}}},
        {"text": "]\n"},
    ]
    assert raw_bytes(pieces, {"args": ["ä"]}) == '[{"a":["ä"]}]\n'.encode()
