"""Operations and streams are checked by hand, as their schema says too."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from wireproof_vectors import JSON, VectorError, load_schema
from wireproof_vectors._kinds import KINDS
from wireproof_vectors._place import Place

CLAUSES = ["INT-S1", "INT-S5"]
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
STREAM: dict[str, Any] = {
    **COMMON,
    "provider": "openai.responses",
    "events": [{"type": "response.created"}],
    "ends": "done",
    "expected": [],
}
FINALIZE: dict[str, JSON] = {"final_messages": [], "native_messages": [], "state": {}}


def check(vector: dict[str, JSON], kind: str = "operation") -> None:
    KINDS["interop"][kind][2](Place("mine.json"), vector, CLAUSES)


def schema_accepts(vector: dict[str, JSON], kind: str = "operation") -> bool:
    document: JSON = {
        "schema": "wireproof-vectors/1",
        "protocol": "interop",
        "group": "mine",
        "kind": kind,
        "vectors": [vector],
    }
    return Draft202012Validator(load_schema("vectors")).is_valid(document)


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
    assert schema_accepts(vector)


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
    assert schema_accepts(vector)


def test_needs_are_passed() -> None:
    needs: JSON = {"formats": ["a"], "in_process": True, "provider": "openai.responses"}
    vector = {**COMMON, "needs": needs, "steps": [STEP]}
    check(vector)
    assert schema_accepts(vector)


def changed_step(**changes: JSON) -> dict[str, JSON]:
    return {"steps": [{**STEP, **changes}]}


@pytest.mark.parametrize(
    ("changed", "pointer", "problem"),
    [
        ({"needs": []}, "/needs", "an object is wanted, not []"),
        (
            {"needs": {"tools": ["a"]}},
            "/needs/tools",
            "the key 'tools' is unknown here",
        ),
        ({"needs": {"formats": []}}, "/needs/formats", "the array is empty"),
        (
            {"needs": {"provider": "x"}},
            "/needs/provider",
            'one of openai.chat_completions, openai.responses is wanted, not "x"',
        ),
        ({"needs": {"in_process": False}}, "/needs/in_process", "a need is true"),
        ({"steps": []}, "/steps", "the array is empty"),
        ({"steps": [5]}, "/steps/0", "an object is wanted, not 5"),
        ({"steps": [{"input": {}}]}, "/steps/0", "the key 'op' is missing"),
        ({"steps": [{"op": "inspect_call"}]}, "/steps/0", "the key 'input' is missing"),
        (
            changed_step(send={}),
            "/steps/0/send",
            "the key 'send' is unknown here",
        ),
        (
            changed_step(op="inspect_call"),
            "/steps/0/input",
            "the key 'call' is missing",
        ),
        (
            changed_step(input={"schema": {}, "target": "x"}),
            "/steps/0/input/target",
            "the key 'target' is unknown here",
        ),
        (
            changed_step(input={"schema": {"$ref": "#"}}),
            "/steps/0/input/schema",
            "the form '$ref' is unknown in a message",
        ),
        (
            changed_step(op="finalize", input=FINALIZE),
            "/steps/0/op",
            "the op 'finalize' is a provider's",
        ),
        (
            {"steps": [{"op": "inspect_schema", "input": {"schema": {}}}]},
            "/steps/0",
            "the step tries nothing",
        ),
        (
            changed_step(expected={"$typ": "string"}),
            "/steps/0/expected",
            "the matcher '$typ' is unknown",
        ),
        (changed_step(error={}), "/steps/0/error", "the key 'mentions' is missing"),
        (
            changed_step(error={"mentions": [""]}),
            "/steps/0/error/mentions/0",
            "the string is empty",
        ),
        (
            changed_step(error={"mentions": "a"}),
            "/steps/0/error/mentions",
            'an array is wanted, not "a"',
        ),
        (
            changed_step(record={}),
            "/steps/0/record",
            "record takes an object of patterns",
        ),
        (
            changed_step(record={"a": {"$size": -1}}),
            "/steps/0/record/a/$size",
            "an integer of 0 or more is wanted, not -1",
        ),
        (
            changed_step(keeps_input=False),
            "/steps/0/keeps_input",
            "keeps_input takes true",
        ),
        (changed_step(survives=1), "/steps/0/survives", "survives takes true"),
        (
            changed_step(shares_nothing=True),
            "/steps/0/shares_nothing",
            "what is shared is seen in process only",
        ),
        (changed_step(save=""), "/steps/0/save", "the string is empty"),
        (
            changed_step(clause="INT-X1"),
            "/steps/0/clause",
            "no clause has the id 'INT-X1'",
        ),
        (
            changed_step(example={"$each": 1}),
            "/steps/0/example",
            "the form '$each' is unknown in a message",
        ),
    ],
)
def test_a_wrong_operation_is_refused_where_it_is_wrong(
    changed: dict[str, JSON], pointer: str, problem: str
) -> None:
    vector = {**COMMON, "steps": [STEP], **changed}
    with pytest.raises(VectorError) as caught:
        check(vector)
    assert (caught.value.pointer, caught.value.problem) == (pointer, problem)


@pytest.mark.parametrize(
    "changed",
    [
        {"needs": {"formats": []}},
        {"needs": {"provider": "x"}},
        {"steps": []},
        {"steps": [{"op": "inspect_schema", "input": {"schema": {}}}]},
        changed_step(op="inspect_call"),
        changed_step(op="inspect_everything"),
        changed_step(op="finalize", input=FINALIZE),
        changed_step(input={"schema": {}, "target": "x"}),
        changed_step(error={}),
        changed_step(record={}),
        changed_step(keeps_input=False),
        changed_step(shares_nothing=True),
        changed_step(example={"$each": 1}),
    ],
    ids=json.dumps,
)
def test_the_schema_refuses_a_wrong_operation_too(changed: dict[str, JSON]) -> None:
    assert not schema_accepts({**COMMON, "steps": [STEP], **changed})


def test_an_unknown_op_is_refused_with_those_known() -> None:
    with pytest.raises(VectorError, match="one of convert_schemas, inspect_schema, "):
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
    assert schema_accepts({**STREAM, **changed}, "stream")


@pytest.mark.parametrize(
    ("changed", "pointer", "problem"),
    [
        (
            {"provider": "openai"},
            "/provider",
            'one of openai.chat_completions, openai.responses is wanted, not "openai"',
        ),
        ({"events": []}, "/events", "the array is empty"),
        ({"events": ["data: {}"]}, "/events/0", "an event is an object"),
        ({"ends": "error"}, "/ends", 'one of done, cut is wanted, not "error"'),
        ({"expected": [{"$x": 1}]}, "/expected/0", "the matcher '$x' is unknown"),
    ],
)
def test_a_wrong_stream_is_refused_where_it_is_wrong(
    changed: dict[str, JSON], pointer: str, problem: str
) -> None:
    with pytest.raises(VectorError) as caught:
        check({**STREAM, **changed}, "stream")
    assert (caught.value.pointer, caught.value.problem) == (pointer, problem)
    assert not schema_accepts({**STREAM, **changed}, "stream")


def test_an_exchange_is_no_kind_of_interop() -> None:
    assert tuple(KINDS["interop"]) == ("operation", "stream")
    assert not schema_accepts({**COMMON, "steps": [{"fence": True}]}, "exchange")
