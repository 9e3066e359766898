"""The exchanges, lines and scripts of the line protocols, key by key."""

import json
from typing import Any

import pytest

from wireproof_vectors import JSON, VectorError, check_vectors

TOP: dict[str, Any] = {"schema": "wireproof-vectors/1", "group": "mine"}
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


def check(kind: str, vector: dict[str, JSON]) -> None:
    check_vectors({**TOP, "protocol": "host-v1", "kind": kind, "vectors": [vector]})


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
        {"steps": [{"order": ["a", "b"], "apart_ms": 5}]},
        {"steps": [{"order": ["a", "b"]}, {"gap": {"id": "a", "at_least_ms": 5}}]},
        {"steps": [{"close_input": True}, {"restart": True}]},
        {"steps": [{"expect_exit": {"status": 0, "within_ms": 2000}}]},
    ],
)
def test_a_valid_exchange_passes(changed: dict[str, JSON]) -> None:
    check("exchange", {**EXCHANGE, **changed})


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
        ({"steps": [{"send": {}, "expect": {}}]}, "/steps/0/expect"),
        ({"steps": [{"expect": {}, "cut": [1]}]}, "/steps/0/cut"),
        ({"steps": [{"send": {}, "cut": []}]}, "/steps/0/cut"),
        ({"steps": [{"send": {}, "cut": [1.5]}]}, "/steps/0/cut/0"),
        ({"steps": [{"send": {"$usw": "x"}}]}, "/steps/0/send/$usw"),
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
    assert caught.value.pointer == f"/vectors/0{pointer}"


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
    assert caught.value.pointer == f"/vectors/0{pointer}"


SOCKET: dict[str, Any] = {
    "id": "socket-v1/mine/one",
    "title": "An echo comes back.",
    "clauses": ["SOCK-F1"],
    "steps": [{"fence": True}],
}


SOCKET_LINE: dict[str, Any] = {
    **LINE,
    "id": "socket-v1/mine/one",
    "clauses": ["SOCK-F1"],
}


def check_socket(vector: dict[str, JSON], kind: str = "exchange") -> None:
    check_vectors({**TOP, "protocol": "socket-v1", "kind": kind, "vectors": [vector]})


SOCKET_STEPS: list[JSON] = [
    {"send": {"type": "list_tools"}, "on": "a", "cut": [3], "waits": False},
    {"send_many": [{"x": {"$serial": True}}], "on": "a", "waits": False},
    {"send_raw": [{"text": "x"}], "on": "a", "cut": "every-byte"},
    {"expect": {"type": "error"}, "on": "a", "or": "closed", "clause": "SOCK-F1"},
    {"expect": {"type": "error"}, "times": 2, "record": {"a": {"type": "error"}}},
    {"expect_optional": {"$one_of": []}, "on": "a"},
    {"fence": True, "on": "a", "clause": "SOCK-F1"},
    {"order": ["a"], "on": "b"},
    {"gap": {"id": "a", "at_least_ms": 5}, "on": "b"},
    {"connect": "a"},
    {"disconnect": "a"},
    {"close_input": True, "on": "a"},
    {"expect_closed": {"within_ms": 5}, "on": "a"},
    {"poll": {"type": "tool_call"}, "until": {"type": "x"}, "within_ms": 5, "on": "a"},
    {"terminate": True},
    {"kill": True},
    {"expect_exit": {"within_ms": 5}},
    {"expect_exit": {"within_ms": 5, "status": 0}, "clause": "SOCK-F1"},
    {"restart": True},
    {"second": True, "within_ms": 5},
    {"neighbour": True, "within_ms": 5},
    {"stand_in": True},
    {"expect_stand_in": True, "clause": "SOCK-F1"},
    {"serves_new": True, "within_ms": 5},
    {"took": {"id": "a", "at_least_ms": 5}},
    {"expect_lines": "audit.jsonl", "match": {}, "within_ms": 5, "count": 1},
    {"expect_no_text": "audit.jsonl", "text": {"$repeat": "x", "times": 9}},
    {"expect_file": "instances/*", "match": {}, "within_ms": 5, "in": "scratch"},
    {"expect_no_file": {"$use": "socket_path"}, "within_ms": 5},
    {"write_file": "instances/1.json", "json": {"pid": 1}},
    {"write_file": "instances/1.json", "text": "x"},
    {"expect_mode": "socket"},
]


@pytest.mark.parametrize("step", SOCKET_STEPS, ids=json.dumps)
def test_a_valid_step_of_a_socket_passes(step: JSON) -> None:
    check_socket({**SOCKET, "steps": [step]})


def test_a_valid_exchange_of_a_socket_passes() -> None:
    needs: JSON = {"tools": ["conformance_echo"], "launched": True, "home": True}
    vector = {**SOCKET, "needs": needs, "retry": 2, "explains": ["SOCK-M1"]}
    check_socket(vector)


@pytest.mark.parametrize(
    ("changed", "pointer"),
    [
        ({"needs": {"methods": ["x"]}}, "/needs/methods"),
        ({"needs": {"launched": False}}, "/needs/launched"),
        ({"needs": {"tools": []}}, "/needs/tools"),
        ({"retry": "2"}, "/retry"),
        ({"explains": ["SOCK-Q1"]}, "/explains/0"),
        ({"steps": [{"send": {}, "waits": True}]}, "/steps/0/waits"),
        ({"steps": [{"expect": {}, "or": "open"}]}, "/steps/0/or"),
        ({"steps": [{"fence": True, "on": ""}]}, "/steps/0/on"),
        ({"steps": [{"connect": True}]}, "/steps/0/connect"),
        ({"steps": [{"expect_closed": {}}]}, "/steps/0/expect_closed"),
        ({"steps": [{"poll": {}, "within_ms": 5}]}, "/steps/0"),
        ({"steps": [{"poll": {}, "until": {}}]}, "/steps/0"),
        ({"steps": [{"expect_exit": {"status": 0}}]}, "/steps/0/expect_exit"),
        ({"steps": [{"second": True}]}, "/steps/0"),
        ({"steps": [{"neighbour": True}]}, "/steps/0"),
        ({"steps": [{"serves_new": True}]}, "/steps/0"),
        ({"steps": [{"took": {"id": "a"}}]}, "/steps/0/took"),
        ({"steps": [{"expect_lines": "a", "within_ms": 5}]}, "/steps/0"),
        ({"steps": [{"expect_no_text": "a", "text": 5}]}, "/steps/0/text"),
        (
            {"steps": [{"expect_no_text": "a", "text": {"$nest": 1}}]},
            "/steps/0/text/$nest",
        ),
        (
            {"steps": [{"expect_no_file": "a", "within_ms": 5, "in": "home"}]},
            "/steps/0/in",
        ),
        ({"steps": [{"write_file": "a"}]}, "/steps/0"),
        ({"steps": [{"write_file": "a", "json": 1, "text": "x"}]}, "/steps/0"),
        ({"steps": [{"expect_mode": "home"}]}, "/steps/0/expect_mode"),
    ],
)
def test_a_wrong_exchange_of_a_socket_is_refused_where_it_is_wrong(
    changed: dict[str, JSON], pointer: str
) -> None:
    with pytest.raises(VectorError) as caught:
        check_socket({**SOCKET, **changed})
    assert caught.value.pointer == f"/vectors/0{pointer}"


def test_a_step_of_a_socket_is_none_of_a_host() -> None:
    with pytest.raises(VectorError) as caught:
        check("exchange", {**EXCHANGE, "steps": [{"connect": "a"}]})
    assert caught.value.pointer == "/vectors/0/steps/0/connect"


@pytest.mark.parametrize("direction", ["client", "server"])
def test_a_line_of_a_socket_has_a_direction_of_its_own(direction: str) -> None:
    line: dict[str, JSON] = {**SOCKET_LINE, "direction": direction}
    check_socket(line, "message")


def test_a_direction_of_a_host_is_none_of_a_socket() -> None:
    with pytest.raises(VectorError, match=r"not one of \['client', 'server'\]"):
        check_socket(SOCKET_LINE, "message")


def test_a_socket_has_no_vectors_for_clients() -> None:
    with pytest.raises(VectorError, match=r"not one of \['exchange', 'message'\]"):
        check_socket(SOCKET, "client")
