"""A place's steps are filled with values: one by one, or many at once."""

from __future__ import annotations

from typing import Any

import pytest

from wireproof.patterns import Given, is_place, steps_with

EMPTY = Given("empty", "")
PROTO = Given("proto", {"__proto__": 1})
DOLLAR = Given("dollar", "$ref")


def filled(*steps: Any, given: list[Given]) -> list[dict[str, Any]]:
    return steps_with(steps, given)[0]


def test_a_vector_with_values_is_a_place() -> None:
    assert is_place({"values": {}, "steps": []})
    assert not is_place({"steps": []})


def test_a_request_is_sent_for_each_value_in_one_write() -> None:
    step = {"send": {"id": {"$join": ["a-", {"$value_name": True}]}, "x": 1}}
    assert filled(step, given=[EMPTY, PROTO]) == [
        {"send_many": [{"id": "a-empty", "x": 1}, {"id": "a-proto", "x": 1}]}
    ]


def test_what_stands_beside_a_request_stays_there() -> None:
    step = {"send": {"value": {"$value": True}}, "on": "other", "waits": False}
    assert filled(step, given=[EMPTY]) == [
        {"send_many": [{"value": ""}], "on": "other", "waits": False}
    ]


def test_an_answer_is_expected_for_each_value() -> None:
    step = {"expect": {"id": {"$value_name": True}, "v": {"$equals": {"$value": True}}}}
    assert filled(step, given=[EMPTY, PROTO]) == [
        {"expect": {"id": "empty", "v": {"$equals": ""}}},
        {"expect": {"id": "proto", "v": {"$equals": {"$literal": {"__proto__": 1}}}}},
    ]


def test_a_step_without_a_value_may_be_carried_out_for_each() -> None:
    step = {"expect": {"type": "error"}, "for_each": True}
    assert filled(step, given=[EMPTY, PROTO]) == [{"expect": {"type": "error"}}] * 2


def test_each_step_says_which_value_it_is_about() -> None:
    one = {"$value": True}
    steps: list[Any] = [{"fence": True}, {"expect": one}, {"send": one}]
    _, about = steps_with(steps, [EMPTY, DOLLAR])
    assert about == [None, EMPTY, DOLLAR, None]


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (
            {"$values": "members"},
            {"$literal": {"empty": "", "dollar": "$ref"}},
        ),
        ({"$values": "elements"}, {"$literal": ["", "$ref"]}),
        ({"$values": "keys"}, {"$literal": {"": 1, "$ref": 2}}),
        (
            {"$values": "members", "as": {"$equals": {"$value": True}}},
            {"empty": {"$equals": ""}, "dollar": {"$equals": "$ref"}},
        ),
        (
            {"$values": "elements", "as": {"n": {"$value": True}}},
            [{"n": ""}, {"n": "$ref"}],
        ),
    ],
)
def test_many_values_stand_in_one_message(form: Any, expected: Any) -> None:
    steps = filled({"send": {"a": form}}, given=[EMPTY, DOLLAR])
    assert steps == [{"send": {"a": expected}}]


def test_members_beside_the_values_keep_their_forms() -> None:
    form = {"$values": "keys", "with": {"state": {"$use": "state"}}}
    assert filled({"send": form}, given=[EMPTY]) == [
        {"send": {"": 1, "state": {"$use": "state"}}}
    ]


def test_the_first_value_names_the_exchange() -> None:
    step = {"send": {"id": {"$join": ["a-", {"$pack": True}]}}}
    assert filled(step, given=[PROTO, EMPTY]) == [{"send": {"id": "a-proto"}}]


def test_a_value_may_be_a_whole_line() -> None:
    step = {"send_raw": [{"json": {"$value": True}}, {"text": "\n"}]}
    assert filled(step, given=[PROTO]) == [
        {"send_raw": [{"text": '{"__proto__":1}'}, {"text": "\n"}]}
    ]


def test_a_literal_of_the_place_stays_as_it_is() -> None:
    step = {"send": {"$literal": {"$value": True}}}
    assert filled(step, given=[EMPTY]) == [step]
