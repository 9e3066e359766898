from __future__ import annotations

from typing import Any

import pytest

from wireproof.protocols.exec_runtime._needs import ORDER, is_short, needed_clauses
from wireproof_vectors import load_clauses


def bind(plays: list[Any], **bound: Any) -> dict[str, Any]:
    return {"op": "bind", "input": {"name": "t", "exec": bound}, "plays": plays}


def test_the_order_has_clauses_of_the_catalogue_each_once() -> None:
    known = [clause.id for clause in load_clauses("exec-runtime")]
    assert set(ORDER) <= set(known)
    assert len(set(ORDER)) == len(ORDER)


def test_a_call_that_is_to_succeed_rests_on_its_mode_arguments_and_results() -> None:
    call = {"op": "call", "input": {}, "expected": 1}
    data = {"steps": [bind([]), call]}
    assert needed_clauses(data, ["EXEC-R8"]) == ["EXEC-R1", "EXEC-R3", "EXEC-R4"]


def test_a_file_that_binds_rests_on_what_its_tools_do_and_a_bad_one_on_nothing() -> (
    None
):
    tools = {
        "once": {"exec": {}},
        "stays": {"exec": {"runtime": "server", "timeout_ms": 5}},
    }
    load = {
        "op": "load",
        "input": {"config": {"spec": {"tools": tools}}},
        "plays": {"stays": [[{"hang": True}]]},
    }
    needed = needed_clauses({"steps": [load]}, ["EXEC-Y1"])
    assert needed == ["EXEC-R1", "EXEC-R2", "EXEC-R8"]
    assert needed_clauses({"steps": [{**load, "error": {}}]}, ["EXEC-Y1"]) == []


def test_arguments_that_are_looked_at_rest_on_commands() -> None:
    seen = {"seen": "t", "match": {"processes": [{"args": []}]}}
    data = {"steps": [bind([], args=["x"]), seen]}
    assert needed_clauses(data, ["EXEC-Y1"]) == ["EXEC-R1", "EXEC-R17"]
    starts = {"seen": "t", "match": {"starts": 1}}
    assert needed_clauses({"steps": [starts]}, ["EXEC-Y1"]) == []


def test_calls_beside_each_other_rest_on_failures_where_one_fails() -> None:
    calls = {"op": "call_many", "outcomes": [{"expected": 1}, {"error": {}}]}
    needed = needed_clauses({"steps": [calls]}, ["EXEC-R18"])
    assert needed == ["EXEC-R3", "EXEC-R4", "EXEC-R5", "EXEC-R16"]


@pytest.mark.parametrize(
    ("mentions", "needed"),
    [(["x"], ["EXEC-R1", "EXEC-R3"]), ([], ["EXEC-R1"])],
)
def test_an_error_that_tells_what_was_given_rests_on_arguments(
    mentions: list[str], needed: list[str]
) -> None:
    call = {"op": "call", "input": {}, "error": {"mentions": mentions}}
    assert needed_clauses({"steps": [bind([]), call]}, ["EXEC-R4"]) == needed


def test_a_clause_is_hidden_by_none_that_comes_after_it() -> None:
    data = {"steps": [bind([[{"hang": True}]], runtime="server", timeout_ms=5)]}
    assert needed_clauses(data, ["EXEC-R2"]) == []
    assert needed_clauses(data, ["EXEC-R11"]) == ["EXEC-R2", "EXEC-R8"]


def test_a_clause_that_the_order_does_not_name_may_be_hidden_by_all() -> None:
    data = {"steps": [bind([[{"exit": 3}]]), {"environment": "t"}]}
    assert needed_clauses(data, ["EXEC-R7"]) == ["EXEC-R1", "EXEC-R5", "EXEC-R6"]


def test_what_is_gone_at_a_limit_rests_on_killing_and_at_the_end_on_nothing() -> None:
    gone = {"gone": "t", "within_ms": 1}
    at_limit = {"steps": [bind([]), gone, {"op": "close"}]}
    at_end = {"steps": [bind([]), {"op": "close"}, gone]}
    assert needed_clauses(at_limit, ["EXEC-R10"]) == ["EXEC-R1", "EXEC-R9"]
    assert needed_clauses(at_end, ["EXEC-R13"]) == ["EXEC-R1"]


@pytest.mark.parametrize(
    ("bound", "step", "needed"),
    [
        ({}, {"exit": 0}, ["EXEC-R1"]),
        ({}, {"exit": 3}, ["EXEC-R1", "EXEC-R5"]),
        ({}, {"close": "stdout"}, ["EXEC-R1", "EXEC-R5"]),
        ({}, {"write": {"result": 1, "error": "x"}}, ["EXEC-R1", "EXEC-R5"]),
        ({}, {"write": {"error": "x"}}, ["EXEC-R1", "EXEC-R4"]),
        ({}, {"close": "stderr"}, ["EXEC-R1"]),
        ({"runtime": "server"}, {"exit": 0}, ["EXEC-R2", "EXEC-R5"]),
    ],
)
def test_a_tool_that_ends_early_rests_on_its_failure(
    bound: Any, step: Any, needed: list[str]
) -> None:
    data = {"steps": [bind([[step]], **bound)]}
    assert needed_clauses(data, ["EXEC-R8"]) == needed


def test_calls_side_by_side_are_counted_one_by_one() -> None:
    call = {"op": "call", "input": {}}
    many = {"op": "call_many", "input": {"calls": [{}, {}]}}
    assert is_short([bind([]), call, call, many])
    assert not is_short([bind([]), call, call, call, many])
