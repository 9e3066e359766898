from __future__ import annotations

from typing import Any

import pytest

from wireproof.protocols.host_client._needs import ORDER, needed_clauses
from wireproof_vectors import load_clauses, load_vectors

DATA = {
    vector.id.removeprefix("host-v1/client-"): (vector.data, vector.clauses)
    for vector in load_vectors("host-v1")
    if vector.kind == "client"
}


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("events/parts-become-chunks", []),
        ("responses/failure-with-type-and-detail", []),
        ("state/latest-state", []),
        ("state/state-after-a-reported-failure", ["HV1-C5"]),
        ("responses/answers-in-reverse", []),
        ("responses/events-interleaved", ["HV1-C3"]),
        ("responses/failure-among-answers", ["HV1-C5"]),
        ("requests/call-request", ["HV1-C4"]),
        ("requests/ids-in-flight", ["HV1-C2"]),
        ("responses/late-events", ["HV1-C3", "HV1-C2"]),
        ("state/state-after-a-failure", ["HV1-C5", "HV1-C4"]),
        ("state/state-after-a-deadline", ["HV1-C4", "HV1-C2", "HV1-C9"]),
        ("responses/death-in-the-middle-of-events", ["HV1-C3"]),
        ("responses/death-during-several-calls", ["HV1-C2"]),
        ("responses/stray-answer", ["HV1-C2"]),
        ("responses/stray-text", []),
    ],
)
def test_a_vector_says_what_it_relies_on(name: str, needed: list[str]) -> None:
    data: Any
    data, own = DATA[name]
    assert needed_clauses(data, own) == needed


def test_every_clause_of_the_client_side_has_its_place() -> None:
    ids = [clause.id for clause in load_clauses("host-v1")]
    assert sorted(ORDER) == sorted(one for one in ids if one.startswith("HV1-C"))
