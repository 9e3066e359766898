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
from wireproof.run import SLOWER
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
    "neighbour",
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


def test_what_is_slept_is_expected_at_every_scale_that_is_tried() -> None:
    fixed = re.compile(r'"slept_ms": [0-9]')
    retried = [vector for vector in EXCHANGES if vector.data.get("retry")]
    expects = {
        vector.id: json.dumps([step.get("expect") for step in steps(vector)])
        for vector in retried
    }

    assert [name for name, text in expects.items() if fixed.search(text)] == []


def test_there_are_many_of_each_kind() -> None:
    kinds = Counter(vector.kind for vector in VECTORS)
    assert kinds["exchange"] >= 350
    assert kinds["message"] >= 90


def test_every_expectation_names_its_request_or_its_type() -> None:
    without = [
        vector.id
        for vector in EXCHANGES
        for step in steps(vector)
        if "expect" in step and step["expect"].keys().isdisjoint({"requestId", "type"})
    ]
    assert without == []


def called(vector: Vector) -> set[str]:
    return {
        message["toolName"]
        for message in [*sent(vector), *(s.get("poll") for s in steps(vector))]
        if isinstance(message, dict) and isinstance(message.get("toolName"), str)
    }


def test_every_tool_that_is_called_is_needed() -> None:
    lacking = [
        vector.id
        for vector in EXCHANGES
        if not called(vector) & TOOLS <= {*needs(vector).get("tools", [])}
    ]
    assert lacking == []


def actions(vector: Vector) -> set[str]:
    return {key for step in steps(vector) for key in step if "in" not in step}


@pytest.mark.parametrize(("kinds", "need"), [(LAUNCHED, "launched"), (FILED, "home")])
def test_every_step_has_what_it_needs(kinds: set[str], need: str) -> None:
    takers = [vector for vector in EXCHANGES if actions(vector) & kinds]
    assert takers != []
    assert [v.id for v in takers if needs(v).get(need) is not True] == []


def test_a_server_that_was_ended_is_started_again_or_seen_to_exit() -> None:
    ends = ("terminate", "kill", "restart", "expect_exit")
    last = {
        vector.id: action
        for vector in EXCHANGES
        for step in steps(vector)
        for action in ends
        if action in step
    }
    assert set(last.values()) == {"restart", "expect_exit"}


def test_no_must_hangs_on_a_weaker_clause_but_for_six() -> None:
    # No MUST says that a server starts again where one was killed (SOCK-D3), nor that
    # a plugin may call a tool that tells who called it (SOCK-I5), nor that a tool that
    # ends late disturbs nothing (SOCK-X8), nor that unknown keys are ignored (SOCK-M7),
    # nor that a frame of 1 MiB is served (SOCK-F6), nor that it is denied (SOCK-I7).
    musts = [vector for vector in EXCHANGES if vector.level == "must"]
    clauses = {step["clause"] for v in musts for step in steps(v) if "clause" in step}
    weaker = {clause for clause in clauses if LEVELS[clause] != "must"}
    named = ("SOCK-D3", "SOCK-F6", "SOCK-I5", "SOCK-I7", "SOCK-M7", "SOCK-X8")
    assert weaker <= set(named)


def test_a_level_of_its_own_is_not_above_that_of_its_clause() -> None:
    rank = ["may", "should", "must"].index
    above = [v.id for v in EXCHANGES if rank(v.level) > rank(LEVELS[v.clauses[0]])]
    assert above == []


def test_a_vector_that_compares_times_may_be_tried_again() -> None:
    ordered = [vector for vector in EXCHANGES if actions(vector) & {"order", "gap"}]
    assert [v.id for v in ordered if v.data.get("retry") != 2] == []


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
    # Calls that are sent together run together (SOCK-C8).
    together = [
        [
            milliseconds(message["arguments"])
            for message in [step.get("send"), *step.get("send_many", [])]
            if isinstance(message, dict) and isinstance(message.get("arguments"), dict)
        ]
        for step in steps(vector)
        if "waits" not in step
    ]
    return sum(max(ms, default=0) for ms in together)


def slept(pattern: Any) -> Iterator[list[int]]:
    """Yield the times of which a tool may say one that it slept."""
    match pattern:
        case {"slept_ms": {"$one_of": [*times]}}:
            yield times
        case dict():
            for one in pattern.values():
                yield from slept(one)
        case _:
            pass


def test_a_tool_may_have_slept_as_long_as_any_try_asks_it_to() -> None:
    found = [
        times
        for vector in EXCHANGES
        for step in steps(vector)
        for times in slept(step.get("expect"))
    ]
    assert found
    assert all({one[0], one[0] * SLOWER} <= set(one) for one in found)


def test_no_vector_waits_long_for_tools() -> None:
    assert max(map(waits, EXCHANGES)) <= 2500
    assert sum(map(waits, EXCHANGES)) < 18_000


@pytest.fixture
def seed() -> str:
    if (folder := os.environ.get("WIREPROOF_SPEC")) is None:
        pytest.skip("WIREPROOF_SPEC does not name the folder of the specification")
    seeds = Path(folder).parent / "spec" / "seeds"
    return (seeds / "tool-socket-protocol.txt").read_text("utf-8")


def test_passages_of_the_seed_stand_there_verbatim(seed: str) -> None:
    texts = {v.id: str(v.data["seed_text"]) for v in VECTORS if v.data.get("seed")}
    assert [key for key, text in texts.items() if text not in seed] == []


def test_the_example_of_the_seed_is_a_line(seed: str) -> None:
    (example,) = re.findall(r'^\{\n  "type".*?^\}$', seed, re.MULTILINE | re.DOTALL)
    (line,) = [v for v in VECTORS if v.data.get("seed_text") == example]
    piece: Any = line.data["line"]
    assert json.loads(piece["text"]) == json.loads(example)
