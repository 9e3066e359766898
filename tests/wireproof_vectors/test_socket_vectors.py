"""What holds of the shipped vectors of socket-v1, beyond what their schema says."""

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

VECTORS = load_vectors("socket-v1")
EXCHANGES = [vector for vector in VECTORS if vector.kind == "exchange"]
LEVELS = {clause.id: clause.level for clause in load_clauses("socket-v1")}
ORDER = [clause.id for clause in load_clauses("socket-v1")]
FOLDER = Path(str(files(wireproof_vectors))) / "socket_v1"
FILES = [
    f for f in sorted(FOLDER.glob("*.json")) if "vectors" in json.loads(f.read_text())
]
TOOLS = {tool.name for tool in load_toolset() if "socket-v1" in tool.protocols}

# Steps that only the one who started the server can take, and those about its files.
LAUNCHED = {
    "terminate",
    "kill",
    "expect_exit",
    "restart",
    "second",
    "stand_in",
    "serves_new",
}
FILED = {"expect_lines", "expect_no_text", "expect_file", "write_file"}


def steps(vector: Vector) -> list[dict[str, Any]]:
    value: Any = vector.data["steps"]
    return [*value]


def needs(vector: Vector) -> dict[str, Any]:
    value: Any = vector.data.get("needs", {})
    return {**value}


def sent(vector: Vector) -> Iterator[Any]:
    for step in steps(vector):
        yield from [step["send"]] if "send" in step else step.get("send_many", [])


def test_there_are_many_of_each_kind() -> None:
    kinds = Counter(vector.kind for vector in VECTORS)
    assert kinds["exchange"] >= 350
    assert kinds["message"] >= 90


@pytest.mark.parametrize("vector", EXCHANGES, ids=lambda v: v.id)
def test_every_expectation_names_its_request_or_its_type(vector: Vector) -> None:
    expected = [step["expect"] for step in steps(vector) if "expect" in step]
    assert [e for e in expected if "requestId" not in e and "type" not in e] == []


@pytest.mark.parametrize("vector", EXCHANGES, ids=lambda v: v.id)
def test_every_tool_that_is_called_is_needed(vector: Vector) -> None:
    called = {
        message["toolName"]
        for message in [*sent(vector), *(s.get("poll") for s in steps(vector))]
        if isinstance(message, dict) and isinstance(message.get("toolName"), str)
    }
    assert called & TOOLS <= set(needs(vector).get("tools", []))


@pytest.mark.parametrize("vector", EXCHANGES, ids=lambda v: v.id)
def test_every_step_has_what_it_needs(vector: Vector) -> None:
    actions = {key for step in steps(vector) for key in step if "in" not in step}
    assert not actions & LAUNCHED or needs(vector).get("launched") is True
    assert not actions & FILED or needs(vector).get("home") is True


@pytest.mark.parametrize("vector", EXCHANGES, ids=lambda v: v.id)
def test_a_server_that_was_ended_is_started_again_or_seen_to_exit(
    vector: Vector,
) -> None:
    ends = ("terminate", "kill", "restart", "expect_exit")
    ended = [action for step in steps(vector) for action in ends if action in step]
    assert ended == [] or ended[-1] in {"restart", "expect_exit"}


@pytest.mark.parametrize("vector", EXCHANGES, ids=lambda v: v.id)
def test_no_must_hangs_on_a_weaker_clause_but_for_two(vector: Vector) -> None:
    # No MUST says that a server starts again where one was killed (SOCK-D3), nor that
    # a plugin may call a tool that tells who called it (SOCK-I5).
    clauses = {step["clause"] for step in steps(vector) if "clause" in step}
    weaker = {clause for clause in clauses if LEVELS[clause] != "must"}
    assert vector.level != "must" or weaker <= {"SOCK-D3", "SOCK-I5"}


@pytest.mark.parametrize("vector", EXCHANGES, ids=lambda v: v.id)
def test_a_level_of_its_own_is_not_above_that_of_its_clause(vector: Vector) -> None:
    levels = ["may", "should", "must"]
    assert levels.index(vector.level) <= levels.index(LEVELS[vector.clauses[0]])


@pytest.mark.parametrize("vector", EXCHANGES, ids=lambda v: v.id)
def test_a_vector_that_compares_times_may_be_tried_again(vector: Vector) -> None:
    ordered = any("order" in step or "gap" in step for step in steps(vector))
    assert not ordered or vector.data.get("retry") == 2


def test_values_are_those_of_host_v1() -> None:
    mine = {v.title for v in VECTORS if v.group == "values"}
    theirs = {
        vector.title
        for vector in load_vectors("host-v1")
        if vector.group == "values" and vector.clauses == ("HV1-M10",)
    }
    assert theirs <= mine


def milliseconds(arguments: dict[str, Any]) -> int:
    # A string stands where the server is to refuse the arguments.
    ms, delay = arguments.get("ms", 0), arguments.get("delay_ms", 0)
    times = len(arguments.get("parts", []))
    return ms + delay * times if isinstance(ms, int) and isinstance(delay, int) else 0


def waits(vector: Vector) -> int:
    return sum(
        milliseconds(message["arguments"])
        for step in steps(vector)
        if "waits" not in step
        for message in [step.get("send"), *step.get("send_many", [])]
        if isinstance(message, dict) and isinstance(message.get("arguments"), dict)
    )


def test_the_whole_run_waits_less_than_twelve_seconds() -> None:
    assert sum(waits(vector) for vector in EXCHANGES) < 12000


@pytest.fixture
def seed() -> str:
    if (folder := os.environ.get("WIREPROOF_SPEC")) is None:
        pytest.skip("WIREPROOF_SPEC does not name the folder of the specification")
    return (Path(folder) / "seeds" / "tool-socket-protocol.txt").read_text("utf-8")


def test_passages_of_the_seed_stand_there_verbatim(seed: str) -> None:
    texts = {v.id: str(v.data["seed_text"]) for v in VECTORS if v.data.get("seed")}
    assert [key for key, text in texts.items() if text not in seed] == []


def test_the_example_of_the_seed_is_a_line(seed: str) -> None:
    (example,) = re.findall(r'^\{\n  "type".*?^\}$', seed, re.MULTILINE | re.DOTALL)
    (line,) = [v for v in VECTORS if v.data.get("seed_text") == example]
    piece: Any = line.data["line"]
    assert json.loads(piece["text"]) == json.loads(example)
