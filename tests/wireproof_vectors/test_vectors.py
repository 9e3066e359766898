"""What holds of all shipped vectors, beyond what their schema says."""

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import wireproof_vectors
from wireproof_vectors import Vector, load_clauses, load_toolset, load_vectors

VECTORS = load_vectors("host-v1")
EXCHANGES = [vector for vector in VECTORS if vector.kind == "exchange"]
LEVELS = {clause.id: clause.level for clause in load_clauses("host-v1")}
ORDER = [clause.id for clause in load_clauses("host-v1")]
FOLDER = Path(str(files(wireproof_vectors))) / "host_v1"
FILES = [
    f for f in sorted(FOLDER.glob("*.json")) if "vectors" in json.loads(f.read_text())
]

# Where ids themselves are what is tried, they come more than once.
ID_CLAUSES = {"HV1-M2", "HV1-M14"}
AGAIN = frozenset({"host-v1/state/same-call-again"})
"""Vectors of other clauses that send a line again, letter by letter."""


# A MUST whose vectors can say nothing of a host that breaks a mere SHOULD: the clause
# itself charges the absence of the state to HV1-M6.
WEAKER_PREREQUISITES = {
    ("HV1-R11", "HV1-M6"),
    # Many changes begin with one state, which is replayed for each.
    ("HV1-R11", "HV1-R10"),
    # What a sequence rests on, where something in it is no MUST.
    ("HV1-R5", "HV1-M12"),
    ("HV1-R5", "HV1-R10"),
    ("HV1-R5", "HV1-T7"),
    # Large events and lines take large requests.
    ("HV1-E3", "HV1-T10"),
    ("HV1-E4", "HV1-T10"),
    ("HV1-T4", "HV1-T10"),
    ("HV1-M13", "HV1-T10"),
    # After a bad line no MUST says that the host lives on.
    ("HV1-T15", "HV1-T7"),
    ("HV1-M11", "HV1-T7"),
    # So do long texts.
    ("HV1-M10", "HV1-T10"),
}


def steps(vector: Vector) -> list[dict[str, Any]]:
    value: Any = vector.data["steps"]
    return [*value]


def sent(vector: Vector) -> Iterator[Any]:
    for step in steps(vector):
        many = [step["send"]] if "send" in step else step.get("send_many", [])
        # At a place the keys of a request may stand beside values of the corpus.
        yield from (message.get("with", message) for message in many)


def test_there_are_many_of_each_kind() -> None:
    kinds = Counter(vector.kind for vector in VECTORS)
    assert kinds["exchange"] >= 150
    assert kinds["message"] >= 45


def test_request_ids_are_unique_except_where_they_are_tried() -> None:
    ids = Counter(
        json.dumps(message["id"])
        for vector in EXCHANGES
        if not ID_CLAUSES.intersection(vector.clauses) and vector.id not in AGAIN
        for message in sent(vector)
    )
    assert [key for key, count in ids.items() if count > 1] == []


def test_every_expectation_names_its_request() -> None:
    without = [
        vector.id
        for vector in EXCHANGES
        for step in steps(vector)
        if "expect" in step and "id" not in step["expect"]
    ]
    assert without == []


def unexpected(vector: Vector) -> set[str]:
    """The ids that are owed an answer and of which none is expected."""
    given = [step["expect"]["id"] for step in steps(vector) if "expect" in step]
    owed = {json.dumps(message["id"]) for message in sent(vector)}
    return owed - {json.dumps(key) for key in given}


def test_every_line_that_is_owed_an_answer_has_one_expected() -> None:
    assert [v.id for v in EXCHANGES if unexpected(v)] == []


def test_no_must_hangs_on_a_weaker_clause() -> None:
    weaker = {
        (vector.clauses[0], step["clause"])
        for vector in EXCHANGES
        for step in steps(vector)
        if vector.level == "must" and LEVELS[step.get("clause", "HV1-T1")] != "must"
    }
    assert weaker <= WEAKER_PREREQUISITES


def called(vector: Vector) -> set[str]:
    return {
        message["params"]["tool_name"]
        for message in sent(vector)
        if isinstance(message.get("params"), dict)
        and isinstance(message["params"].get("tool_name"), str)
        and message["method"] == "execute_tool"
    }


def needed(vector: Vector) -> set[str]:
    needs: Any = vector.data.get("needs", {})
    return {*needs.get("tools", [])}


def test_every_tool_that_is_called_is_needed() -> None:
    offered = {tool.name for tool in load_toolset() if "host-v1" in tool.protocols}
    lacking = [v.id for v in EXCHANGES if not called(v) & offered <= needed(v)]
    assert lacking == []


def milliseconds(arguments: dict[str, Any]) -> int:
    # What is of another type is there for a tool to fail at.
    ms, parts = arguments.get("ms", 0), arguments.get("parts", [])
    times = len(parts) if isinstance(parts, list) else 0
    delay: int = arguments.get("delay_ms", 0)
    return (ms if isinstance(ms, int) else 0) + delay * times


def waits(vector: Vector) -> list[int]:
    return [
        milliseconds(arguments)
        for message in sent(vector)
        if isinstance(params := message.get("params"), dict)
        and isinstance(arguments := params.get("arguments"), dict)
    ]


def test_the_whole_run_waits_hardly_more_than_a_second() -> None:
    crowds = ("sixty-four-sleepers", "hundred-and-sixty-sleepers")
    in_turn = {vector.id: sum(waits(vector)) for vector in EXCHANGES}

    # On a host that does one thing at a time.
    assert max(in_turn.pop(f"host-v1/pipelining/{one}") for one in crowds) <= 2000
    assert sum(in_turn.values()) < 1200


@pytest.fixture
def seed() -> str:
    if (folder := os.environ.get("WIREPROOF_SPEC")) is None:
        pytest.skip("WIREPROOF_SPEC does not name the folder of the specification")
    seeds = Path(folder).parent / "spec" / "seeds"
    return (seeds / "tool-host-protocol-ndjson.txt").read_text("utf-8")


def test_examples_of_the_seed_stand_there_verbatim(seed: str) -> None:
    both = (*VECTORS, *load_vectors("host-client"))
    texts = {v.id: str(v.data["seed_text"]) for v in both if v.data.get("seed")}
    assert [key for key, text in texts.items() if text not in seed] == []


def test_every_example_and_signature_of_the_seed_is_a_vector(seed: str) -> None:
    both = (*VECTORS, *load_vectors("host-client"))
    texts = "\n".join(str(v.data.get("seed_text", "")) for v in both)
    examples = re.findall(r"^\{ .* \}$", seed, re.MULTILINE)
    signatures = re.findall(r"^(?:  • |• |- )?(\w+\(.*\) -> .*)$", seed, re.MULTILINE)
    assert len(examples) + len(signatures) >= 15
    assert [e for e in (*examples, *signatures) if e not in texts] == []


@pytest.mark.parametrize(
    "vector",
    [
        vector
        for vector in (*VECTORS, *load_vectors("host-client"))
        if vector.kind == "message" and vector.data.get("seed")
    ],
    ids=lambda v: v.id,
)
def test_a_line_of_the_seed_is_its_passage_with_the_placeholders_filled(
    vector: Vector,
) -> None:
    line: Any = vector.data["line"]
    # The seed writes { ... } and <any> where a value stands.
    pattern = re.escape(str(vector.data["seed_text"]))
    for placeholder in ("{ ... }", "<any>", "<object?>"):
        pattern = pattern.replace(re.escape(placeholder), ".*")
    assert re.match(pattern, line["text"])
