"""The lists of the mixed vectors of interop hold every order of their kinds."""

from collections.abc import Callable, Sequence
from itertools import pairwise, permutations, product
from typing import Any

import pytest

from wireproof_vectors import Vector, load_vectors

VECTORS = {vector.id: vector for vector in load_vectors("interop")}
CHAT = "openai.chat_completions"
CHAT_CUSTOM = f"{CHAT}.custom"
RESPONSES = "openai.responses"


def steps(vector: Vector) -> list[dict[str, Any]]:
    found: Any = vector.data["steps"]
    return [*found]


def given(name: str) -> dict[str, Any]:
    [step] = steps(VECTORS[f"interop/{name}"])
    arguments: dict[str, Any] = step["input"]
    return arguments


def shape(value: dict[str, Any]) -> str:
    """The format of a schema or call."""
    nested = next((key for key in ("function", "custom") if key in value), "flat")
    return f"{value['type']} {nested}"


def keys(schema: dict[str, Any]) -> str:
    """The keys that a function or custom tool has, and what format."""
    body: dict[str, Any] = schema.get("function", schema)
    form: dict[str, Any] = body.get("format", {})
    optional = ("description", "parameters", "strict", "format")
    held = [key for key in optional if key in body]
    return " ".join([*held, form.get("syntax", "")])


def stored(result: dict[str, Any]) -> str:
    """What a result is: text, an envelope of the target, or anything else."""
    value: Any = result.get("toolResult", result.get("result"))
    if isinstance(value, str):
        return "text"
    kind: str = value.get("type", "other") if isinstance(value, dict) else "other"
    return f"{value['format']} envelope" if "provider_native" in kind else kind


def stored_for(target: str) -> Callable[[dict[str, Any]], str]:
    def told(result: dict[str, Any]) -> str:
        kind = stored(result)
        own = kind in ("text", "tool_result", f"{target} envelope")
        return kind if own else "neither"

    return told


def orders(kinds: Sequence[str], length: int) -> set[tuple[str, ...]]:
    """The runs of so many kinds that stand in a list."""
    last = len(kinds) - length + 1
    return {tuple(kinds[first : first + length]) for first in range(last)}


MIXES = [
    *(
        (f"mixed-calls/every-three{of}-to-{to}", "calls", shape, kinds)
        for of, kinds in (("", 3), ("-of-four", 4))
        for to in ("chat", "responses")
    ),
    *(
        (f"mixed-schemas/every-three{of}", "schemas", shape, kinds)
        for of, kinds in (
            ("-to-chat", 3),
            ("-to-responses", 3),
            ("-to-functions", 3),
            ("-of-four-to-chat", 4),
            ("-of-four-to-responses", 4),
        )
    ),
    ("mixed-results/every-three-to-chat", "results", stored_for(CHAT), 3),
    ("mixed-results/every-three-to-responses", "results", stored_for(RESPONSES), 3),
    ("mixed-results/every-three-to-core", "results", stored_for(CHAT), 3),
]


@pytest.mark.parametrize(
    ("name", "argument", "kind", "count"), MIXES, ids=[mix[0] for mix in MIXES]
)
def test_every_three_kinds_follow_each_other_in_every_order(
    name: str, argument: str, kind: Callable[[dict[str, Any]], str], count: int
) -> None:
    kinds = [kind(one) for one in given(name)[argument]]

    assert len(set(kinds)) == count
    assert orders(kinds, 3) == set(product(set(kinds), repeat=3))


@pytest.mark.parametrize(
    "name",
    [
        "keys-of-functions-to-chat",
        "keys-of-functions-to-responses",
        "keys-of-custom-tools-to-chat",
    ],
)
def test_every_two_choices_of_keys_follow_each_other_in_both_orders(name: str) -> None:
    choices = [keys(one) for one in given(f"mixed-schemas/{name}")["schemas"]]

    assert len(set(choices)) >= 5
    assert orders(choices, 2) == set(product(set(choices), repeat=2))


@pytest.mark.parametrize(
    "name", ["every-three-of-kinds", "every-three-of-kinds-of-chat"]
)
def test_every_three_ways_of_knowing_a_kind_follow_each_other(name: str) -> None:
    arguments = given(f"mixed-results/{name}")
    calls = {
        one.get("call_id", one.get("id")): shape(one) for one in arguments["calls"]
    }

    def known(result: dict[str, Any]) -> str:
        call = calls.get(result["metadata"]["tool_call_id"], "no call")
        return call.partition("_")[0].partition(" ")[0]

    kinds = [known(one) for one in arguments["results"]]

    assert set(kinds) == {"custom", "function", "no"}
    assert orders(kinds, 3) == set(product(set(kinds), repeat=3))


def test_ids_and_names_are_alike_and_ids_come_twice_and_empty() -> None:
    calls = given("mixed-calls/every-three-to-chat")["calls"]
    ids = [one.get("call_id", one.get("id")) for one in calls]
    names = {one.get("function", one)["name"] for one in calls}

    assert {"", "c1", "c11", "C1", "c_1"} <= set(ids)
    assert len(set(ids)) < len(ids)
    assert {"f", "F", "ff", "f1", "f-"} <= names
    assert all(one != other for one, other in pairwise(ids))


def test_every_one_two_and_three_accepted_formats_are_tried_in_every_order() -> None:
    formats = [
        f"{target}.{kind}"
        for target in (CHAT, RESPONSES)
        for kind in ("function", "custom")
    ]
    every = {one for size in (1, 2, 3) for one in permutations(formats, size)}
    tried: dict[str, set[tuple[str, ...]]] = {}
    for vector in VECTORS.values():
        if vector.id.startswith("interop/preferred-formats/"):
            for step in steps(vector):
                [schema] = step["input"]["schemas"]
                accepted = tuple(step["input"]["target_formats"])
                tried.setdefault(shape(schema), set()).add(accepted)
    # A function that no accepted format can hold is a matter of `schema-errors`.
    for_functions = {one for one in every if any("function" in name for name in one)}

    assert tried == {
        "function function": for_functions,
        "function flat": for_functions,
        "custom custom": every,
        "custom flat": every,
    }
