"""Steps, lines and scripts are checked by hand, as their schema says too."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from wireproof_vectors import JSON, VectorError, load_schema
from wireproof_vectors._kinds import KINDS
from wireproof_vectors._place import Place

CLAUSES = ["HV1-T5", "HV1-M6"]
COMMON: dict[str, Any] = {
    "id": "host-v1/mine/one",
    "title": "An echo comes back.",
    "clauses": ["HV1-T5"],
}
EXCHANGE: dict[str, Any] = {**COMMON, "steps": [{"fence": True}]}
LINE: dict[str, Any] = {
    **COMMON,
    "line": {"text": "{}"},
    "direction": "host",
    "valid": True,
}
CLIENT: dict[str, Any] = {
    **COMMON,
    "host": [{"await_eof": True}],
    "ops": [{"op": "start", "config": {}, "expect": {"state": {}}}],
}


def check(kind: str, vector: dict[str, JSON]) -> None:
    KINDS["host-v1"][kind][2](Place("mine.json"), vector, CLAUSES)


def schema_accepts(kind: str, vector: dict[str, JSON]) -> bool:
    document: JSON = {
        "schema": "wireproof-vectors/1",
        "protocol": "host-v1",
        "group": "mine",
        "kind": kind,
        "vectors": [vector],
    }
    return Draft202012Validator(load_schema("vectors")).is_valid(document)


@pytest.mark.parametrize(
    "changed",
    [
        {"needs": {"tools": ["conformance_echo"], "methods": ["required_tags"]}},
        {"fresh": True, "bare": False, "retry": 2, "explains": ["HV1-M6"]},
        {"steps": [{"send": {"v": 1}, "cut": "every-byte"}]},
        {"steps": [{"send_many": [{"v": 1}, {"v": 1}], "cut": [3, 5]}]},
        {"steps": [{"send_raw": [{"text": "x", "times": 3}, {"base64": "AA=="}]}]},
        {"steps": [{"expect": {"id": "a"}, "clause": "HV1-M6"}]},
        {"steps": [{"expect": {"id": "a"}, "record": {"yes": {"ok": True}}}]},
        {"steps": [{"expect": {"id": "a"}, "times": 3}]},
        {"steps": [{"expect_optional": {"ok": False}}]},
        {"steps": [{"order": ["a", "b"]}, {"gap": {"id": "a", "at_least_ms": 5}}]},
        {"steps": [{"close_input": True}, {"restart": True}]},
        {"steps": [{"expect_exit": {"status": 0, "within_ms": 2000}}]},
    ],
)
def test_a_valid_exchange_passes(changed: dict[str, JSON]) -> None:
    check("exchange", {**EXCHANGE, **changed})
    assert schema_accepts("exchange", {**EXCHANGE, **changed})


@pytest.mark.parametrize(
    ("changed", "pointer"),
    [
        ({"needs": {"tool": ["x"]}}, "/needs/tool"),
        ({"needs": {"tools": []}}, "/needs/tools"),
        ({"needs": {"tools": [""]}}, "/needs/tools/0"),
        ({"fresh": 1}, "/fresh"),
        ({"retry": -1}, "/retry"),
        ({"retry": True}, "/retry"),
        ({"explains": []}, "/explains"),
        ({"steps": []}, "/steps"),
        ({"steps": ["fence"]}, "/steps/0"),
        ({"steps": [{}]}, "/steps/0"),
        ({"steps": [{"sleep": 5}]}, "/steps/0/sleep"),
        ({"steps": [{"send": {}, "expect": {}}]}, "/steps/0"),
        ({"steps": [{"expect": {}, "cut": [1]}]}, "/steps/0/cut"),
        ({"steps": [{"send": {}, "cut": []}]}, "/steps/0/cut"),
        ({"steps": [{"send": {}, "cut": [1.5]}]}, "/steps/0/cut/0"),
        ({"steps": [{"send": {"$usw": "x"}}]}, "/steps/0/send"),
        ({"steps": [{"send_many": []}]}, "/steps/0/send_many"),
        ({"steps": [{"send_raw": ["x"]}]}, "/steps/0/send_raw/0"),
        ({"steps": [{"expect": {}, "clause": []}]}, "/steps/0/clause"),
        ({"steps": [{"expect": {}, "record": []}]}, "/steps/0/record"),
        ({"steps": [{"expect": {}, "times": -1}]}, "/steps/0/times"),
        (
            {"steps": [{"expect": {}, "record": {"a": {"$size": -1}}}]},
            "/steps/0/record/a/$size",
        ),
        ({"steps": [{"order": "a"}]}, "/steps/0/order"),
        ({"steps": [{"gap": {"id": "a"}}]}, "/steps/0/gap"),
        ({"steps": [{"fence": False}]}, "/steps/0/fence"),
        ({"steps": [{"expect_exit": {"status": 0}}]}, "/steps/0/expect_exit"),
    ],
)
def test_a_wrong_exchange_is_refused_where_it_is_wrong(
    changed: dict[str, JSON], pointer: str
) -> None:
    with pytest.raises(VectorError) as caught:
        check("exchange", {**EXCHANGE, **changed})
    assert caught.value.pointer == pointer
    assert not schema_accepts("exchange", {**EXCHANGE, **changed})


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"line": {"base64": "/w=="}, "valid": False, "reason": "not-utf8"},
        {"direction": "request", "valid": False, "reason": "not-a-message"},
    ],
)
def test_a_valid_line_passes(changed: dict[str, JSON]) -> None:
    check("message", {**LINE, **changed})
    assert schema_accepts("message", {**LINE, **changed})


@pytest.mark.parametrize(
    ("changed", "pointer"),
    [
        ({"line": "{}"}, "/line"),
        ({"direction": "client"}, "/direction"),
        ({"valid": None}, "/valid"),
        ({"valid": False}, ""),
        ({"reason": "not-json"}, ""),
        ({"valid": False, "reason": "odd"}, "/reason"),
    ],
)
def test_a_wrong_line_is_refused_where_it_is_wrong(
    changed: dict[str, JSON], pointer: str
) -> None:
    with pytest.raises(VectorError) as caught:
        check("message", {**LINE, **changed})
    assert caught.value.pointer == pointer
    assert not schema_accepts("message", {**LINE, **changed})


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"host": [{"read": "init"}, {"read": "a", "match": {"method": "init"}}]},
        {"host": [{"write": {"id": {"$id_of": "init"}}}, {"exit": 3}]},
        {"host": [{"write_raw": [{"text": "x\n"}]}, {"stderr": "x\n"}]},
        {"requests": {"init": {"v": 1}}},
    ],
)
def test_a_valid_script_passes(changed: dict[str, JSON]) -> None:
    check("client", {**CLIENT, **changed})
    assert schema_accepts("client", {**CLIENT, **changed})


@pytest.mark.parametrize(
    ("changed", "pointer"),
    [
        ({"host": []}, "/host"),
        ({"host": [{}]}, "/host/0"),
        ({"host": [{"sleep": 1}]}, "/host/0/sleep"),
        ({"host": [{"write": {}, "match": {}}]}, "/host/0"),
        ({"host": [{"read": ""}]}, "/host/0/read"),
        ({"host": [{"read": "a", "match": {"$x": 1}}]}, "/host/0/match"),
        ({"host": [{"write_raw": []}]}, "/host/0/write_raw"),
        ({"host": [{"exit": "1"}]}, "/host/0/exit"),
        ({"host": [{"await_eof": 1}]}, "/host/0/await_eof"),
        ({"ops": ["start"]}, "/ops/0"),
        ({"ops": [{"op": "start"}]}, "/ops/0"),
        ({"ops": [{"op": "", "expect": {}}]}, "/ops/0/op"),
        ({"ops": [{"op": "x", "expect": {"$x": 1}}]}, "/ops/0/expect"),
        ({"requests": []}, "/requests"),
        ({"requests": {"init": {"$x": 1}}}, "/requests/init"),
    ],
)
def test_a_wrong_script_is_refused_where_it_is_wrong(
    changed: dict[str, JSON], pointer: str
) -> None:
    with pytest.raises(VectorError) as caught:
        check("client", {**CLIENT, **changed})
    assert caught.value.pointer == pointer
    assert not schema_accepts("client", {**CLIENT, **changed})
