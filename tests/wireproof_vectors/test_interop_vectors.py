"""What holds of the shipped vectors of interop, beyond what their schema says."""

import json
import os
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import wireproof_vectors
from wireproof.patterns import expand, match
from wireproof_vectors import Vector, load_clauses, load_setup, load_vectors

VECTORS = load_vectors("interop")
OPERATIONS = [vector for vector in VECTORS if vector.kind == "operation"]
STREAMS = [vector for vector in VECTORS if vector.kind == "stream"]
CLAUSES = {clause.id: clause for clause in load_clauses("interop")}
ORDER = [*CLAUSES]
FOLDER = Path(str(files(wireproof_vectors))) / "interop"
FILES = [
    f for f in sorted(FOLDER.glob("*.json")) if "vectors" in json.loads(f.read_text())
]
PROVIDERS = {"openai.chat_completions", "openai.responses"}


def steps(vector: Vector) -> list[dict[str, Any]]:
    value: Any = vector.data["steps"]
    return [*value]


def needs(vector: Vector) -> dict[str, Any]:
    value: Any = vector.data.get("needs", {})
    return {**value}


def members(value: Any) -> Iterator[Any]:
    yield value
    if isinstance(value, dict):
        for member in value.values():
            yield from members(member)
    elif isinstance(value, list):
        for element in value:
            yield from members(element)


def texts(value: Any) -> Iterator[str]:
    for member in members(value):
        if isinstance(member, str):
            yield member
        elif isinstance(member, dict):
            yield from member


def test_there_are_many_of_each_kind() -> None:
    assert len(OPERATIONS) >= 600
    assert len(STREAMS) >= 40
    assert {str(vector.data["provider"]) for vector in STREAMS} == PROVIDERS
    assert {str(vector.data["ends"]) for vector in STREAMS} == {"done", "cut"}


def test_no_must_hangs_on_a_weaker_clause() -> None:
    weaker = [
        (vector.id, step["clause"])
        for vector in OPERATIONS
        for step in steps(vector)
        if vector.level == "must"
        and CLAUSES[step.get("clause", "INT-S1")].level != "must"
    ]
    assert weaker == []


def test_what_only_records_is_a_may() -> None:
    recorders = [v for v in OPERATIONS if any("record" in step for step in steps(v))]
    recorders += [vector for vector in STREAMS if "record" in vector.data]
    assert {vector.level for vector in recorders} == {"may"}
    assert [v.id for v in VECTORS if v.level == "may" and v not in recorders] == []


def test_a_chat_custom_object_is_given_only_where_it_is_declared() -> None:
    given = [
        vector.id
        for vector in OPERATIONS
        if any(
            isinstance(value, dict) and isinstance(value.get("custom"), dict)
            for step in steps(vector)
            if step["op"] != "sanitize_tool_call"
            for value in members(step["input"])
        )
        and "formats" not in needs(vector)
    ]
    assert given == []


def has_lone_surrogate(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


def test_what_utf_8_cannot_carry_is_tried_where_it_is_carried_only() -> None:
    lone = [v for v in OPERATIONS if any(map(has_lone_surrogate, texts(v.data)))]
    assert lone != []
    assert [v.id for v in lone if "half_pairs" not in needs(v)] == []


# Beyond them readers differ.
GREATEST_SAFE_INTEGER = 2**53 - 1


def test_numbers_are_read_alike_by_all() -> None:
    wrong = [
        value
        for given in [*(vector.data for vector in VECTORS), load_setup("interop")]
        for value in members(given)
        if isinstance(value, int | float) and abs(value) > GREATEST_SAFE_INTEGER
    ]
    assert wrong == []


def controls() -> Iterator[tuple[str, dict[str, Any]]]:
    setup: Any = load_setup("interop")
    for op, given in setup["controls"].items():
        lists = given.values() if isinstance(given, dict) else [given]
        yield from ((op, control) for one in lists for control in one)


@pytest.mark.parametrize(
    "control",
    [pytest.param(c, id=f"{op}-{i}") for i, (op, c) in enumerate(controls())],
)
def test_an_echo_passes_no_control(control: dict[str, Any]) -> None:
    arguments = expand(control["input"], {})
    echoes = [arguments, *arguments.values(), None, {}, [], [{}], ""]
    passed = [e for e in echoes if match(control["expected"], e, {}, {}) is None]
    assert passed == []


@pytest.fixture
def seed() -> str:
    if (folder := os.environ.get("WIREPROOF_SPEC")) is None:
        pytest.skip("WIREPROOF_SPEC does not name the folder of the specification")
    seeds = Path(folder).parent / "spec" / "seeds"
    return (seeds / "tool-interop-flow.txt").read_text("utf-8")


SEEDS = [vector for vector in OPERATIONS if vector.data.get("seed")]


def test_examples_of_the_seed_stand_there_verbatim(seed: str) -> None:
    passages = {v.id: str(v.data["seed_text"]) for v in SEEDS}
    assert [key for key, text in passages.items() if text not in seed] == []


def test_every_example_of_the_seed_is_a_vector(seed: str) -> None:
    passages = {str(vector.data["seed_text"]) for vector in SEEDS}
    examples = re.findall(r"^\{\n.*?^\}$", seed, re.MULTILINE | re.DOTALL)
    assert len(examples) >= 12
    assert [example for example in examples if example not in passages] == []


@pytest.mark.parametrize(
    "vector",
    [v for v in SEEDS if re.fullmatch(r"\{.*\}", str(v.data["seed_text"]), re.DOTALL)],
    ids=lambda v: v.id,
)
def test_a_value_of_the_seed_is_what_its_vector_gives_or_wants(vector: Vector) -> None:
    # The seed writes one of its examples in Python, with commas before the brackets.
    text = re.sub(r",(\s*[}\]])", r"\1", str(vector.data["seed_text"]))
    assert json.loads(text) in members(vector.data["steps"])
