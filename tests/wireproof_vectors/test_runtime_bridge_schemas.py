"""The schemas of the bridge describe what is said to and by a runtime of exec tools."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.bridge import Driver
from tests.bridge_schemas import answer_flaws, flaws

RUNTIMES = Path(__file__).parents[2] / "reference" / "runtimes"

SHELL = {"command": "sh", "args": ["-c", """echo '{"result":1}'"""]}
FAILS = {"command": "sh", "args": ["-c", "exit 3"], "timeout_ms": 9000, "env": ["A"]}
SERVER = {"command": "sh", "runtime": "server"}
CALL = {"tool": "right", "args": {"a": [1]}}

CONVERSATION: list[dict[str, Any]] = [
    {"op": "describe"},
    {"op": "setenv", "name": "A", "value": "1"},
    {"op": "setenv", "name": "A", "value": None},
    {"op": "set_default_timeout", "timeout_ms": 20_000},
    {"op": "bind", "name": "right", "exec": SHELL, "parameters": {"type": "object"}},
    {"op": "bind", "name": "wrong", "exec": FAILS},
    {"op": "bind", "name": "server", "exec": SERVER},
    {"op": "call", **CALL, "call_id": "c1"},
    {"op": "call", "tool": "wrong", "args": {}},
    {"op": "call_many", "calls": [CALL, {"tool": "wrong", "args": {}}]},
    {"op": "load", "config": "/no/such/file.yaml", "pack": "/no/such/pack.json"},
    {"op": "close"},
]


@pytest.fixture(scope="module", params=["node", "python"])
def driver(request: pytest.FixtureRequest, node: str) -> Iterator[Driver]:
    program, name = {
        "node": (node, "node/driver.mjs"),
        "python": (sys.executable, "python/driver.py"),
    }[request.param]
    with Driver(program, str(RUNTIMES / name)) as driver:
        yield driver


def test_a_conversation_obeys_the_schemas(driver: Driver) -> None:
    requests = [{"id": index, **asked} for index, asked in enumerate(CONVERSATION)]
    answers = [driver.send(request) for request in requests]
    values = [
        (request["op"], answer["value"])
        for request, answer in zip(requests, answers, strict=True)
        if answer["ok"]
    ]

    assert [flaws(one["op"], "request", one) for one in requests] == [[]] * 12
    assert [answer_flaws(one) for one in answers] == [[]] * 12
    assert [(op, flaws(op, "value", value)) for op, value in values] == [
        ("describe", []),
        ("setenv", []),
        ("setenv", []),
        ("set_default_timeout", []),
        ("bind", []),
        ("bind", []),
        ("bind", []),
        ("call", []),
        ("call", []),
        ("call_many", []),
        ("close", []),
    ]


@pytest.mark.parametrize(
    ("op", "value"),
    [
        ("call", {"result": None}),
        ("call", {"result": False, "took_ms": 1}),
        ("call", {"error": "no"}),
        ("call", {"error": {"type": "E", "detail": "no"}, "result": None}),
        ("call_many", []),
        ("call_many", [{"result": 1}, {"error": "no"}]),
        ("load", {"bound": []}),
        ("load", {"bound": ["a"], "warnings": ["no b"], "took_ms": 1}),
        ("bind", None),
        ("setenv", {}),
        ("close", True),
    ],
)
def test_a_right_value_is_valid(op: str, value: object) -> None:
    assert flaws(op, "value", value) == []


@pytest.mark.parametrize(
    ("op", "value"),
    [
        ("call", None),
        ("call", {}),
        ("call", {"value": 1}),
        ("call", [{"result": 1}]),
        ("call_many", {"result": 1}),
        ("call_many", [{"result": 1}, None]),
        ("call_many", [{}]),
        ("load", {}),
        ("load", {"bound": "a"}),
        ("load", {"bound": [1]}),
        ("load", {"bound": ["a"], "warnings": "no b"}),
    ],
)
def test_a_wrong_value_is_invalid(op: str, value: object) -> None:
    assert flaws(op, "value", value) != []


@pytest.mark.parametrize(
    ("op", "given"),
    [
        ("bind", {"name": "t"}),
        ("bind", {"exec": SHELL}),
        ("bind", {"name": "t", "exec": {}}),
        ("bind", {"name": "t", "exec": {**SHELL, "args": "x"}}),
        ("bind", {"name": "t", "exec": {**SHELL, "env": {"A": "1"}}}),
        ("bind", {"name": "t", "exec": {**SHELL, "runtime": "shell"}}),
        ("bind", {"name": "t", "exec": {**SHELL, "timeout_ms": 0}}),
        ("bind", {"name": "t", "exec": {**SHELL, "timeout_ms": None}}),
        ("bind", {"name": "t", "exec": {**SHELL, "cwd": "/"}}),
        ("bind", {"name": "t", "exec": SHELL, "parameters": []}),
        ("call", {"tool": "t"}),
        ("call", {"tool": "t", "args": []}),
        ("call", {"tool": "t", "args": {}, "call_id": 1}),
        ("call", {"tool": "t", "args": {}, "timeout_ms": 1}),
        ("call_many", {}),
        ("call_many", {"calls": []}),
        ("call_many", {"calls": [{"tool": "t"}]}),
        ("setenv", {"name": "A"}),
        ("setenv", {"name": "A", "value": 1}),
        ("set_default_timeout", {"timeout_ms": 0}),
        ("set_default_timeout", {"timeout_ms": 1.5}),
        ("load", {"pack": "p"}),
        ("load", {"config": {}}),
        ("close", {"force": True}),
    ],
)
def test_a_wrong_request_is_invalid(op: str, given: dict[str, Any]) -> None:
    assert flaws(op, "request", {"id": 1, "op": op, **given}) != []
