from __future__ import annotations

from typing import Any

import pytest

from wireproof.protocols.host_client._needs import (
    ORDER,
    needed_clauses,
    shows_state_taken_up,
)
from wireproof_vectors import load_clauses, load_vectors

DATA = {
    vector.id.removeprefix("host-client/"): (vector.data, vector.clauses)
    for vector in load_vectors("host-client")
    if vector.kind == "client"
}


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("calls/call-request", []),
        ("requests/init-request", []),
        ("events/parts-become-chunks", ["HV1-C11"]),
        ("failures/failure-of-a-request", []),
        ("state/latest-state", ["HV1-C11"]),
        ("state/state-after-a-reported-failure", ["HV1-C11", "HV1-C5"]),
        ("answers/answers-in-reverse", ["HV1-C11"]),
        ("answers/events-interleaved", ["HV1-C11", "HV1-C3"]),
        ("answers/failure-among-answers", ["HV1-C11", "HV1-C5"]),
        ("requests/ids-in-flight", ["HV1-C11", "HV1-C2"]),
        ("deadlines/late-events", ["HV1-C11", "HV1-C3", "HV1-C2"]),
        ("unchanged-state/after-a-failure", ["HV1-C11", "HV1-C5"]),
        ("unchanged-state/after-a-deadline", ["HV1-C11", "HV1-C2", "HV1-C9"]),
        ("deaths/death-in-the-middle-of-events", ["HV1-C11", "HV1-C3"]),
        ("deaths/death-during-several-calls", ["HV1-C11", "HV1-C2"]),
        ("stray-lines/answer", ["HV1-C11", "HV1-C2"]),
        ("stray-lines/second-answer", ["HV1-C11", "HV1-C2"]),
        ("stray-lines/text", ["HV1-C11"]),
    ],
)
def test_a_vector_says_what_it_relies_on(name: str, needed: list[str]) -> None:
    data: Any
    data, own = DATA[name]
    assert needed_clauses(data, own) == needed


def test_every_clause_of_the_client_side_has_its_place() -> None:
    ids = [clause.id for clause in load_clauses("host-client")]
    assert sorted(ORDER) == sorted(ids)


def test_of_two_requests_with_a_state_the_first_shows_that_it_is_taken_up() -> None:
    data: Any
    data, _ = DATA["unchanged-state/after-a-failure"]
    found = {name: shows_state_taken_up(data, name) for name in data["requests"]}
    assert found == {"two": True, "three": False}
