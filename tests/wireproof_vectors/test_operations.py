"""The operations and streams of interop, key by key."""

import json
from typing import Any

import pytest

from wireproof_vectors import JSON, VectorError, check_vectors

COMMON: dict[str, Any] = {
    "id": "interop/mine/one",
    "title": "A schema comes back.",
    "clauses": ["INT-S1"],
}
STEP: dict[str, Any] = {
    "op": "inspect_schema",
    "input": {"schema": {}},
    "expected": {"name": "a"},
}
UNTRIED: dict[str, Any] = {"op": "inspect_schema", "input": {"schema": {}}}
STREAM: dict[str, Any] = {
    **COMMON,
    "provider": "openai.responses",
    "events": [{"type": "response.created"}],
    "ends": "done",
    "expected": [],
}
FINALIZE: dict[str, JSON] = {"final_messages": [], "native_messages": [], "state": {}}


def check(vector: dict[str, JSON], kind: str = "operation") -> None:
    top = {"schema": "wireproof-vectors/1", "protocol": "interop", "group": "mine"}
    check_vectors({**top, "kind": kind, "vectors": [vector]})


@pytest.mark.parametrize(
    ("op", "arguments"),
    [
        ("convert_schemas", {"schemas": [], "target": "x"}),
        ("convert_schemas", {"schemas": [], "target": "x", "target_formats": []}),
        ("inspect_schema", {"schema": {}}),
        ("convert_tool_calls", {"calls": [{"$use": "a"}], "target": "x"}),
        ("inspect_call", {"call": None}),
        ("sanitize_tool_call", {"call": {"$literal": {"$ref": "#"}}}),
        ("convert_results", {"results": [], "target": "core"}),
        ("convert_results", {"results": [], "target": "core", "calls": []}),
        ("inspect_result", {"result": {}}),
        (
            "initialize_request",
            {"native_messages": [], "state": {}, "target_formats": []},
        ),
        ("from_native_messages", {"native_messages": []}),
        ("finalize", FINALIZE),
        ("to_native_messages", {"messages": []}),
    ],
)
def test_an_op_with_its_arguments_passes(op: str, arguments: JSON) -> None:
    step: JSON = {"op": op, "input": arguments, "expected": []}
    vector = {**COMMON, "needs": {"provider": "openai.responses"}, "steps": [step]}
    check(vector)


@pytest.mark.parametrize(
    "beside",
    [
        {"expected": {"$contains": ["a", "b"]}, "example": {"$literal": {"$a": 1}}},
        {"error": {"mentions": []}},
        {"error": {"mentions": ["a", "b"]}, "expected": []},
        {"record": {"a": {"$absent": True}, "b": 5}},
        {"keeps_input": True},
        {"expected": [], "shares_nothing": True, "survives": True},
        {"expected": [], "save": "a", "clause": "INT-S5"},
    ],
    ids=json.dumps,
)
def test_a_step_with_its_outcome_passes(beside: dict[str, JSON]) -> None:
    step: JSON = {"op": "inspect_schema", "input": {"schema": {}}, **beside}
    vector = {**COMMON, "needs": {"in_process": True}, "steps": [step]}
    check(vector)


def test_needs_are_passed() -> None:
    needs: JSON = {"formats": ["a"], "in_process": True, "provider": "openai.responses"}
    vector = {**COMMON, "needs": needs, "steps": [STEP]}
    check(vector)


def changed_step(**changes: JSON) -> dict[str, JSON]:
    return {"steps": [{**STEP, **changes}]}


@pytest.mark.parametrize(
    ("changed", "pointer", "problem"),
    [
        ({"needs": []}, "/needs", "[] is not of type 'object'"),
        (
            {"needs": {"tools": ["a"]}},
            "/needs/tools",
            "Additional properties are not allowed ('tools' was unexpected)",
        ),
        ({"needs": {"formats": []}}, "/needs/formats", "[] should be non-empty"),
        (
            {"needs": {"provider": "x"}},
            "/needs/provider",
            "'x' is not one of ['openai.chat_completions', 'openai.responses']",
        ),
        ({"needs": {"in_process": False}}, "/needs/in_process", "True was expected"),
        ({"steps": []}, "/steps", "[] should be non-empty"),
        ({"steps": [5]}, "/steps/0", "5 is not of type 'object'"),
        ({"steps": [{"input": {}}]}, "/steps/0", "'op' is a required property"),
        (
            {"steps": [{"op": "inspect_call"}]},
            "/steps/0",
            "'input' is a required property",
        ),
        (
            changed_step(send={}),
            "/steps/0/send",
            "Additional properties are not allowed ('send' was unexpected)",
        ),
        (
            changed_step(op="inspect_call"),
            "/steps/0/input",
            "'call' is a required property",
        ),
        (
            changed_step(input={"schema": {}, "target": "x"}),
            "/steps/0/input/target",
            "'target' is not one of ['schema']",
        ),
        (
            changed_step(input={"schema": {"$ref": "#"}}),
            "/steps/0/input/schema/$ref",
            "Additional properties are not allowed ('$ref' was unexpected)",
        ),
        (
            changed_step(op="finalize", input=FINALIZE),
            "",
            "'needs' is a required property",
        ),
        (
            {"steps": [UNTRIED]},
            "/steps/0",
            f"{UNTRIED} is not valid under any of the given schemas",
        ),
        (
            changed_step(expected={"$typ": "string"}),
            "/steps/0/expected/$typ",
            "Additional properties are not allowed ('$typ' was unexpected)",
        ),
        (changed_step(error={}), "/steps/0/error", "'mentions' is a required property"),
        (
            changed_step(error={"mentions": [""]}),
            "/steps/0/error/mentions/0",
            "'' should be non-empty",
        ),
        (
            changed_step(error={"mentions": "a"}),
            "/steps/0/error/mentions",
            "'a' is not of type 'array'",
        ),
        (
            changed_step(record={}),
            "/steps/0/record",
            "{} should be non-empty",
        ),
        (
            changed_step(record={"a": {"$size": -1}}),
            "/steps/0/record/a/$size",
            "-1 is less than the minimum of 0",
        ),
        (
            changed_step(keeps_input=False),
            "/steps/0/keeps_input",
            "True was expected",
        ),
        (changed_step(survives=1), "/steps/0/survives", "True was expected"),
        (
            changed_step(shares_nothing=True),
            "",
            "'needs' is a required property",
        ),
        (changed_step(save=""), "/steps/0/save", "'' should be non-empty"),
        (
            changed_step(clause="INT-X1"),
            "/steps/0/clause",
            "no clause has the id 'INT-X1'",
        ),
        (
            changed_step(example={"$each": 1}),
            "/steps/0/example/$each",
            "Additional properties are not allowed ('$each' was unexpected)",
        ),
    ],
)
def test_a_wrong_operation_is_refused_where_it_is_wrong(
    changed: dict[str, JSON], pointer: str, problem: str
) -> None:
    vector = {**COMMON, "steps": [STEP], **changed}
    with pytest.raises(VectorError) as caught:
        check(vector)
    assert caught.value.pointer == f"/vectors/0{pointer}"
    assert caught.value.problem == problem


def test_an_unknown_op_is_refused_with_those_known() -> None:
    with pytest.raises(VectorError, match=r"not one of \['convert_schemas', 'inspect"):
        check({**COMMON, **changed_step(op="inspect_everything")})


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {
            "provider": "openai.chat_completions",
            "ends": "cut",
            "expected": {"$size": 1},
        },
    ],
    ids=json.dumps,
)
def test_a_valid_stream_passes(changed: dict[str, JSON]) -> None:
    check({**STREAM, **changed}, "stream")


@pytest.mark.parametrize(
    ("changed", "pointer", "problem"),
    [
        (
            {"provider": "openai"},
            "/provider",
            "'openai' is not one of ['openai.chat_completions', 'openai.responses']",
        ),
        ({"events": []}, "/events", "[] should be non-empty"),
        ({"events": ["data: {}"]}, "/events/0", "'data: {}' is not of type 'object'"),
        ({"ends": "error"}, "/ends", "'error' is not one of ['done', 'cut']"),
        (
            {"expected": [{"$x": 1}]},
            "/expected/0/$x",
            "Additional properties are not allowed ('$x' was unexpected)",
        ),
    ],
)
def test_a_wrong_stream_is_refused_where_it_is_wrong(
    changed: dict[str, JSON], pointer: str, problem: str
) -> None:
    with pytest.raises(VectorError) as caught:
        check({**STREAM, **changed}, "stream")
    assert caught.value.pointer == f"/vectors/0{pointer}"
    assert caught.value.problem == problem


def test_an_exchange_is_no_kind_of_interop() -> None:
    with pytest.raises(VectorError, match=r"not one of \['operation', 'stream'\]"):
        check({**COMMON, "steps": [{"fence": True}]}, "exchange")
