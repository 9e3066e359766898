"""Two places at a time are given values of the corpus and random ones."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from wireproof.fuzzing import crossed, places_of, sparing
from wireproof.fuzzing._places import (
    CHARGED,
    Crossed,
    Place,
    _Known,
    _value,
    _values_for,
)
from wireproof.patterns import given_at
from wireproof_vectors import load_properties, load_vectors

HOST, EXEC_SERVER, SOCKET = (
    [one for one in load_properties(name) if one.kind == "fuzz"]
    for name in ("host-v1", "exec-server", "socket-v1")
)

PLACES = crossed(load_vectors("host-v1"))
CALL: dict[str, Any] = {
    "values": {"kinds": ["string"]},
    "steps": [
        {"send": {"id": {"$value_name": True}, "value": {"$value": True}}},
        {"expect": {"id": {"$value_name": True}}},
    ],
}


@pytest.mark.parametrize(
    ("protocol", "checks", "name", "level"),
    [
        ("host-v1", HOST, "places", "must"),
        ("host-v1", HOST, "should-places", "should"),
        ("host-v1", HOST, "half-pairs", "should"),
        ("socket-v1", SOCKET, "places", "must"),
        ("socket-v1", SOCKET, "should-places", "should"),
        ("exec-server", EXEC_SERVER, "places", "must"),
    ],
)
def test_the_property_has_the_clauses_and_tools_of_its_places(
    protocol: str, checks: Any, name: str, level: Any
) -> None:
    places = [
        one
        for one in places_of(load_vectors(protocol), level)
        if (one.clause == "HV1-T13") is (name == "half-pairs")
    ]
    (check,) = [one for one in checks if one.id.endswith(f"/fuzz/{name}")]
    assert {place.clause for place in places} <= set(check.clauses)
    tools = {
        tool
        for place in places
        for tool in place.data.get("needs", {}).get("tools", ())
    }
    assert set(check.needs["tools"]) == tools


@given(PLACES)
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow], database=None)
def test_an_example_has_the_steps_of_pairs_of_places(example: Crossed) -> None:
    steps = example.steps("f")
    assert {len(pair) for pair in example.pairs} == {2}
    judged = [step for step in steps if not CHARGED.isdisjoint(step)]
    assert [step for step in judged if "clause" not in step] == []
    assert "$value" not in json.dumps(steps).replace('\\"$value', "")


def test_a_value_that_is_drawn_twice_is_given_once() -> None:
    place = Place("P-1", CALL)
    example = Crossed((((place, ("a", "a")), (place, ("b", "a"))),))
    sent = [one for step in example.steps("f") for one in step.get("send_many", [])]
    assert sent == [{"id": "f-0-0-0", "value": "a"}, {"id": "f-0-1-0", "value": "b"}]


def test_values_that_are_too_many_for_an_exchange_go_into_the_next() -> None:
    place = Place("P-1", CALL)
    large = tuple(name * 5_000 for name in "abc")
    steps = Crossed((((place, large), (place, ("d",))),)).steps("f")
    sent = [len(step["send_many"]) for step in steps if "send_many" in step]
    assert sent == [1, 1, 1, 1]


def test_what_means_something_to_the_subject_is_spared_where_it_would() -> None:
    values = {**CALL["values"], "unlisted": True}
    place, other = Place("P-1", {**CALL, "values": values}), Place("P-1", CALL)
    drawn = Crossed((((place, ("a", "b")), (other, ("a",))),))
    steps = sparing(drawn, ["a"]).steps("f")
    sent = [one["value"] for step in steps for one in step.get("send_many", [])]
    assert sent == ["b", "a"]


def test_what_both_places_send_is_sent_first() -> None:
    place = Place("P-1", CALL)
    steps = Crossed((((place, ("a",)), (place, ("b",))),)).steps("f")
    assert [next(iter(step)) for step in steps] == [
        "send_many",
        "send_many",
        "expect",
        "expect",
    ]


def test_a_place_that_does_not_only_send_and_wait_is_carried_out_whole() -> None:
    place = Place("P-1", CALL)
    fenced = Place("P-2", {**CALL, "steps": [*CALL["steps"], {"fence": True}]})
    steps = Crossed((((fenced, ("a",)), (place, ("b",))),)).steps("f")
    assert [next(iter(step)) for step in steps] == [
        "send_many",
        "expect",
        "fence",
        "send_many",
        "expect",
    ]


QUICK = settings(database=None, max_examples=5000)


def test_values_of_the_corpus_are_drawn() -> None:
    found = find(_values_for(Place("P-1", CALL)), "__proto__".__eq__, settings=QUICK)
    assert found == "__proto__"


@pytest.mark.parametrize("kind", ["string", "number", "object"])
def test_each_value_of_the_corpus_has_a_number(kind: str) -> None:
    given_there = given_at({"values": {"kinds": [kind]}})
    known = _Known(given_there)
    reached = {id(known[number]) for number in range(1 << 18)}
    assert reached == {id(one.value) for one in given_there}


def test_shares_are_drawn_from_alike() -> None:
    counted: Counter[Any] = Counter()

    @given(_value(_Known(given_at(CALL)), (st.just(1), st.just(2), None)))
    @settings(max_examples=300, database=None, derandomize=True)
    def draw(value: Any) -> None:
        counted["known" if isinstance(value, str) else value] += 1

    draw()
    assert min(counted["known"], counted[1], counted[2]) > 50


def test_a_place_that_takes_any_string_is_given_random_ones() -> None:
    known = [one.value for one in given_at(CALL)]
    drawn = _values_for(Place("P-1", CALL))
    assert find(drawn, lambda one: one not in known, settings=QUICK) not in known


@pytest.mark.parametrize(
    "narrowed",
    [{"tags": ["uuid"]}, {"names": ["uuid"]}, {"without": {"control": "it is cut"}}],
)
def test_a_place_that_takes_some_strings_is_given_none_but_those(
    narrowed: dict[str, Any],
) -> None:
    place = {**CALL, "values": {"kinds": ["string"], **narrowed}}
    known = [one.value for one in given_at(place)]
    with pytest.raises(NoSuchExample):
        find(
            _values_for(Place("P-1", place)),
            lambda one: one not in known,
            settings=settings(database=None, max_examples=50),
        )
