from __future__ import annotations

from typing import Any

import pytest

from wireproof.protocols.exec_runtime._fuzz_plans import (
    OnceOutput,
    OncePlan,
    ServerPlan,
)
from wireproof_vectors import check_vectors

FAILURE: dict[str, Any] = {"error": {"mentions": []}, "clause": "EXEC-R5"}


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"", 0),
        (b"x", 0),
        (b"[1]", 0),
        (b'{"result": 1', 0),
        (b'{"result": 1} {"result": 1}', 0),
        (b'{"result": 1, "error": "x"}', 0),
        (b'{"error": 0}', 0),
        (b'{"result": 1}', 1),
        (b'{"result": 1}', -9),
    ],
)
def test_output_that_is_no_result_has_to_fail(data: bytes, status: int) -> None:
    assert OnceOutput(data, status).expectation() == FAILURE


@pytest.mark.parametrize(
    ("data", "value"),
    [(b'{"result": 1, "error": null}', 1), (b'{"error": null, "result": null}', None)],
)
def test_a_null_error_beside_a_result_counts_as_absent(data: bytes, value: Any) -> None:
    expected = {"$equals": {"$literal": value}}
    found = OnceOutput(data, 0).expectation()
    assert found == {"expected": expected, "clause": "EXEC-R4"}


def test_a_null_result_beside_an_error_counts_as_absent() -> None:
    found = OnceOutput(b'{"error": "x", "result": null}', 0).expectation()
    assert found == {**FAILURE, "clause": "EXEC-R4"}


def test_a_result_is_what_the_call_comes_to() -> None:
    found = OnceOutput(b' {"result": [null], "x": 1}\n', 0).expectation()
    expected = {"$equals": {"$literal": [None]}}
    assert found == {"expected": expected, "clause": "EXEC-R4"}


def test_an_error_is_what_the_call_comes_to() -> None:
    found = OnceOutput(b'{"error": "no luck"}', 0).expectation()
    assert found == {**FAILURE, "clause": "EXEC-R4"}


@pytest.mark.parametrize(
    "data", [b"", b"\n", b'{"result": 1}x', b'{"result": 1, "error": "x"}']
)
def test_what_is_no_answer_has_failed(data: bytes) -> None:
    assert OnceOutput(data, 0).expectation() == {**FAILURE, "clause": "EXEC-R5"}


@pytest.mark.parametrize("data", [b'{"error": ""}', b'{"error": " "}'])
def test_an_error_without_words_has_failed_and_may_be_handed_on(data: bytes) -> None:
    error = {"mentions": [], "wordless": True}
    assert OnceOutput(data, 0).expectation() == {"error": error, "clause": "EXEC-R5"}


def test_a_result_that_is_no_number_has_failed_whatever_a_driver_makes_of_it() -> None:
    found = OnceOutput(b'{"result": [-Infinity]}', 0).expectation()
    assert found == {**FAILURE, "clause": "EXEC-R5", "relayed": True}


@pytest.mark.parametrize(
    "data",
    [
        b"\xff",
        b'{"result": 1, "result": 2}',
        b'{"result": 12345678901234567890}',
        b"{}",
        b'{"error": null}',
        b'{"result": ' + 40 * b"[" + 40 * b"]" + b"}",
    ],
)
def test_what_readers_take_differently_may_come_to_anything(data: bytes) -> None:
    assert OnceOutput(data, 0).expectation() == {}


@pytest.mark.parametrize(
    "plan",
    [
        OncePlan([OnceOutput(b"", 0), OnceOutput(b"\xff", 0), OnceOutput(b"{}", 3)]),
        OncePlan([OnceOutput(b"{}", -9, "ready\n")]),
        ServerPlan([[{"write": {"id": {"$id_of": "call"}, "result": 1}}], []]),
    ],
)
def test_what_is_drawn_can_be_saved_as_a_vector(plan: Any) -> None:
    vector = {
        "id": "exec-runtime/fuzz-found/one",
        "title": "Found by fuzzing: one.",
        "clauses": ["EXEC-R5"],
        "steps": plan.steps("x"),
    }
    check_vectors(
        {
            "schema": "wireproof-vectors/1",
            "protocol": "exec-runtime",
            "group": "fuzz-found",
            "kind": "runtime",
            "vectors": [vector],
        }
    )
