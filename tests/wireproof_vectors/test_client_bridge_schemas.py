"""The schemas of the bridge describe what is said to and by a client of tool hosts."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.bridge import Driver
from tests.bridge_schemas import answer_flaws, flaws

from wireproof.patterns import expand
from wireproof_vectors import load_vectors

CLIENTS = Path(__file__).parents[2] / "reference" / "clients"
HOST = [sys.executable, "-m", "wireproof_reference", "host"]
ECHO = {"tool_name": "conformance_echo", "arguments": {"value": [None, False]}}
FAILS = {"method": "no_such_method", "params": {}}

CONVERSATION: list[dict[str, Any]] = [
    {"op": "describe"},
    {"op": "start", "command": HOST, "config": {}},
    {"op": "state"},
    {"op": "request", "method": "required_tags", "params": {}},
    {"op": "request", **FAILS},
    {"op": "execute", **ECHO, "timeout_ms": 60_000},
    {"op": "request_many", "requests": [FAILS, {**FAILS, "method": "get_tags"}]},
    {"op": "execute_many", "calls": [ECHO, {**ECHO, "tool_name": "no_such_tool"}]},
    {"op": "format_result", "result": {"success": True, "result": 1}},
    {"op": "close"},
    {"op": "start", "command": ["/no/such/program"]},
]


@pytest.fixture(scope="module", params=["node", "python"])
def driver(request: pytest.FixtureRequest, node: str) -> Iterator[Driver]:
    program, name = {
        "node": (node, "node/driver.mjs"),
        "python": (sys.executable, "python/driver.py"),
    }[request.param]
    with Driver(program, str(CLIENTS / name)) as driver:
        yield driver


def test_a_conversation_obeys_the_schemas(driver: Driver) -> None:
    requests = [{"id": index, **asked} for index, asked in enumerate(CONVERSATION)]
    answers = [driver.send(request) for request in requests]
    values = [
        (request["op"], answer["value"])
        for request, answer in zip(requests, answers, strict=True)
        if answer["ok"]
    ]

    assert [one for one in requests if flaws(one["op"], "request", one)] == []
    assert [one for one in answers if answer_flaws(one)] == []
    assert len(values) == len(CONVERSATION)
    assert [(op, value) for op, value in values if flaws(op, "value", value)] == []


def asked_by(ops: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for op in ops:
        given = {key: one for key, one in op.items() if key not in {"expect", "record"}}
        added = {"command": ["host"]} if op["op"] == "start" else {}
        yield {"id": 1, **expand(given, {}), **added}


def test_what_a_vector_asks_obeys_the_schemas() -> None:
    found = [
        (vector.id, flaw)
        for vector in load_vectors("host-client")
        # The values of a place stand in the corpus.
        if vector.kind == "client" and "values" not in vector.data
        for request in asked_by(vector.data["ops"])  # type: ignore[arg-type]
        for flaw in flaws(request["op"], "request", request)
    ]
    assert found == []


ERROR = {"type": "Refused", "detail": "no"}
DONE = {"chunks": [{"part": 1}], "result": {"success": True}, "state": {}}


@pytest.mark.parametrize(
    ("op", "value"),
    [
        ("start", {"state": {}}),
        ("start", {"error": ERROR}),
        ("request", {"value": None}),
        ("request", {"value": 1, "state": {"n": 1}}),
        ("execute", DONE),
        ("execute", {"error": ERROR}),
        ("request_many", [{"value": 1}, {"error": ERROR}]),
        ("execute_many", [DONE, {"error": ERROR}]),
        ("format_result", {"text": ""}),
        ("format_result", {"envelope": {"type": "x"}}),
        ("state", {"state": {}}),
        ("close", None),
    ],
)
def test_a_right_value_is_valid(op: str, value: object) -> None:
    assert flaws(op, "value", value) == []


@pytest.mark.parametrize(
    ("op", "value", "is_the_drivers"),
    [
        ("start", None, True),
        ("start", {}, True),
        ("start", {"error": "text"}, True),
        ("start", {"error": {"type": "E"}}, False),
        ("start", {"state": []}, False),
        ("request", [], True),
        ("request", {"result": 1}, True),
        ("execute", {"chunks": []}, True),
        ("execute", {**DONE, "chunks": None}, True),
        ("execute", {**DONE, "chunks": [1]}, False),
        ("request_many", {}, True),
        ("request_many", [{}], True),
        ("execute_many", [None], True),
        ("execute_many", [{**DONE, "state": None}], False),
        ("format_result", "text", True),
        ("format_result", {"value": 1}, True),
        ("format_result", {"envelope": []}, False),
        ("state", {}, True),
    ],
)
def test_a_wrong_value_is_invalid(
    op: str, value: object, *, is_the_drivers: bool
) -> None:
    assert flaws(op, "value", value) != []
    assert (flaws(op, "driver", value) != []) is is_the_drivers
