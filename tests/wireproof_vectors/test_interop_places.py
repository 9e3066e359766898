"""Every clause of interop that speaks of values has a place for them."""

from typing import Any

import pytest

from wireproof_vectors import Vector, load_clauses, load_vectors, values_at

PLACES = [v for v in load_vectors("interop") if "values" in v.data]

NO_VALUES = {
    "INT-G": "what a registry is composed of holds no values of a peer",
    "INT-S5": "order and number; `mixed-schemas` has the lists",
    "INT-S8": "recorded, whatever it is",
    "INT-S9": "a type, not a value",
    "INT-S11": "names that a provider refuses; `tool-names` has them",
    "INT-C8": "order and number; `mixed-calls` has the lists",
    "INT-C11": "withdrawn",
    "INT-C13": "ids that a provider refuses; `call-ids` has them",
    "INT-C14": "a type, not a value",
    "INT-Z7": "texts that are almost JSON; `sanitise-lenient` has them",
    "INT-Z10": "depth and time; `sanitise-deep` has them",
    "INT-Z11": "keys that come twice; no value has them",
    "INT-R6": "which adapters are asked",
    "INT-R8": "this project's own references to attachments",
    "INT-R10": "order and number; `mixed-results` has the lists",
    "INT-R13": "recorded, whatever it is",
    "INT-Q2": "fragments; `finalize` has them",
    "INT-Q3": "pieces of a call; the streams have them",
    "INT-Q13": "members that hold nothing; the streams have them",
    "INT-Q14": "pieces of a call; the streams have them",
    "INT-Q15": "pieces of a call; the streams have them",
    "INT-Q16": "members that are not there; the streams have them",
    "INT-Q6": "which registry is asked",
    "INT-Q7": "a choice that the provider makes",
    "INT-Q9": "what a tool is called with, in the reference's own process",
    "INT-Q11": "whether tools are injected",
    "INT-Q12": "keys of this project's own",
}
"""Clauses, or the beginning of their ids, and why no value stands there."""

TEXTS = 200


def test_every_clause_has_a_place_or_a_reason_for_none() -> None:
    with_places = {clause for place in PLACES for clause in place.clauses}
    speaking = {
        clause.id
        for clause in load_clauses("interop")
        if not clause.id.startswith(tuple(NO_VALUES))
    }

    assert with_places == speaking


def test_a_place_is_tried_with_most_texts_or_most_other_values() -> None:
    counts = [len(values_at(place.data)) for place in PLACES]

    assert sum(counts) > 100 * len(PLACES)
    assert sum(count >= TEXTS for count in counts) > len(PLACES) // 2


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.id)
def test_a_place_leaves_values_out_for_a_reason_that_holds(place: Vector) -> None:
    chosen: Any = place.data["values"]
    left_out = dict(chosen.get("without", {}))
    with_all = {**place.data, "values": {**chosen, "without": {}}}
    there = {tag for value in values_at(with_all) for tag in {*value.tags, value.name}}

    assert set(left_out) <= there
