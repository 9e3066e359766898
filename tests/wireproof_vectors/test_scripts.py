"""The scripts of host-client, key by key."""

from __future__ import annotations

from typing import Any

import pytest

from wireproof_vectors import JSON, VectorError, check_vectors

TOP: dict[str, Any] = {
    "schema": "wireproof-vectors/1",
    "protocol": "host-client",
    "group": "mine",
    "kind": "client",
}
CLIENT: dict[str, Any] = {
    "id": "host-client/mine/one",
    "title": "A call succeeds.",
    "clauses": ["HV1-C1"],
    "host": [{"await_eof": True}],
    "ops": [{"op": "start", "config": {}, "expect": {"state": {}}}],
}


def check(changed: dict[str, JSON]) -> None:
    check_vectors({**TOP, "vectors": [{**CLIENT, **changed}]})


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"host": [{"read": "init"}, {"read": "a", "match": {"method": "init"}}]},
        {"host": [{"write": {"id": {"$id_of": "init"}}}, {"exit": 3}]},
        {"host": [{"write_raw": [{"text": "x\n"}]}, {"stderr": "x\n"}]},
        {"host": [{"write": {}, "ending": "\r\n"}]},
        {"host": [{"write_many": [{"v": 1}, {}]}, {"child": True}, {"exit": 0}]},
        {"host": [{"stderr": {"$repeat": "x", "times": 9}}]},
        {"host": [{"write": {}, "written": "returns", "cut": "in-characters"}]},
        {"host": [{"write_many": {"$numbered": 9, "as": {"n": {"$number": True}}}}]},
        {"host": [{"stderr_raw": [{"base64": "/w=="}]}, {"stay": ["SIGTERM"]}]},
        {"host": [{"read_slowly": 4096, "every_ms": 1}]},
        {"host": [{"await_eof": True, "writing": {"v": 1}, "every_ms": 1}]},
        {"host": [{"await_input": True}, {"await_close": True}]},
        {"again": [{"read": "init"}, {"exit": 0}]},
        {"needs": {"parallel": True}},
        {"ops": [{"op": "x", "expect": {}, "record": {"seen": {"a": 1}}}]},
        {"requests": {"init": {"v": 1}}},
    ],
)
def test_a_valid_script_passes(changed: dict[str, JSON]) -> None:
    check(changed)


@pytest.mark.parametrize(
    ("changed", "pointer"),
    [
        ({"host": []}, "/host"),
        ({"host": [{}]}, "/host/0"),
        ({"host": [{"sleep": 1}]}, "/host/0/sleep"),
        ({"host": [{"write": {}, "match": {}}]}, "/host/0/match"),
        ({"host": [{"read": ""}]}, "/host/0/read"),
        ({"host": [{"read": "a", "match": {"$x": 1}}]}, "/host/0/match/$x"),
        ({"host": [{"read": "a", "ending": "\r\n"}]}, "/host/0/ending"),
        ({"host": [{"write": {}, "ending": "\n"}]}, "/host/0/ending"),
        ({"host": [{"write_raw": []}]}, "/host/0/write_raw"),
        ({"host": [{"write_many": []}]}, "/host/0/write_many"),
        ({"host": [{"write_many": {"v": 1}}]}, "/host/0/write_many"),
        ({"host": [{"write": {}, "cut": "anywhere"}]}, "/host/0/cut"),
        ({"host": [{"stderr_raw": []}]}, "/host/0/stderr_raw"),
        ({"host": [{"stay": ["TERM"]}]}, "/host/0/stay/0"),
        ({"host": [{"read_slowly": 4096}]}, "/host/0"),
        ({"host": [{"child": False}]}, "/host/0/child"),
        ({"host": [{"stderr": {"$repeat": "x", "times": -1}}]}, "/host/0/stderr/times"),
        ({"host": [{"exit": "1"}]}, "/host/0/exit"),
        ({"host": [{"await_eof": 1}]}, "/host/0/await_eof"),
        ({"host": [{"await_input": True, "writing": {}}]}, "/host/0/writing"),
        ({"host": [{"await_close": True, "read": "a"}]}, "/host/0/await_close"),
        ({"host": [{"await_eof": True, "writing": {}}]}, "/host/0"),
        ({"host": [{"await_eof": True, "every_ms": 9}]}, "/host/0"),
        ({"host": [{"exit": 1, "writing": {}, "every_ms": 9}]}, "/host/0/writing"),
        ({"again": []}, "/again"),
        ({"again": [{"sing": 1}]}, "/again/0/sing"),
        ({"needs": {"parallel": False}}, "/needs/parallel"),
        ({"needs": {"tools": ["x"]}}, "/needs/tools"),
        ({"ops": ["start"]}, "/ops/0"),
        ({"ops": [{"op": "start"}]}, "/ops/0"),
        ({"ops": [{"op": "", "expect": {}}]}, "/ops/0/op"),
        ({"ops": [{"op": "x", "expect": {"$x": 1}}]}, "/ops/0/expect/$x"),
        ({"ops": [{"op": "x", "expect": {}, "record": {}}]}, "/ops/0/record"),
        ({"requests": []}, "/requests"),
        ({"requests": {"init": {"$x": 1}}}, "/requests/init/$x"),
    ],
)
def test_a_wrong_script_is_refused_where_it_is_wrong(
    changed: dict[str, JSON], pointer: str
) -> None:
    with pytest.raises(VectorError) as caught:
        check(changed)
    assert caught.value.pointer == f"/vectors/0{pointer}"
