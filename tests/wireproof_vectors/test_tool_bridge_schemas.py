"""The schemas of the bridge describe what is said to and by a registry of tools."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.bridge import PYTHON_DRIVER, Driver
from tests.bridge_schemas import answer_flaws, flaws

from wireproof.patterns import expand
from wireproof_vectors import load_vectors

NODE_DRIVER = (
    Path(__file__).parents[2] / "reference" / "registries" / "node" / "driver.mjs"
)

READS: dict[str, Any] = {
    "name": "reads",
    "description": "Reads.",
    "schema": {"type": "object"},
    "steps": [
        {"emit": {"message": "half", "percent": 50, "audience": "user"}},
        {"return": {"ok": True, "value": "read", "structured": {}, "cost_usd": 0.5}},
    ],
}
WRITES: dict[str, Any] = {
    **READS,
    "name": "mcp__git__writes",
    "capabilities": {"network": {}},
    "toolset": "file",
    "plugin": "acme",
    "maxResultChars": 0,
    "alwaysInclude": True,
    "outputIsUntrusted": True,
    "available": [False, True],
    "steps": [{"throw": "no"}],
}
CALL = {"toolCallId": "c1", "name": "reads", "args": {"path": "a"}}
CONTEXT = {"sessionId": "s", "currentTurn": 2, "readMtimes": {}, "abortAfterMs": 9000}
FILTER = {"allowedMcpServers": ["git"], "allowedPlugins": []}
EVENT = {"type": "progress", "toolName": "reads", "message": "half", "percent": 50}

CONVERSATION: list[dict[str, Any]] = [
    {"op": "describe"},
    {"op": "reset"},
    {"op": "register", "tools": [READS, WRITES]},
    {"op": "register", "tools": []},
    {"op": "definitions"},
    {"op": "definitions", "allowedTools": ["reads"], "filterOpts": FILTER},
    {"op": "register_reducer", "toolName": "reads", "reduce": {"keep": 1}},
    {"op": "register_reducer", "toolName": "reads", "reduce": {"append": "!"}},
    {"op": "get_reducer", "toolName": "reads"},
    {"op": "get_reducer", "toolName": "writes"},
    {"op": "execute_parallel", "calls": [], "filterOpts": {}},
    {
        "op": "execute_parallel",
        "calls": [CALL, {**CALL, "name": WRITES["name"]}, {**CALL, "args": None}],
        "context": CONTEXT,
        "allowedTools": ["reads"],
        "filterOpts": FILTER,
    },
    {"op": "unregister_reducer", "handle": "no such handle"},
    {"op": "wrap_untrusted", "content": "x", "toolName": "reads"},
    {"op": "wrap_untrusted", "content": "x", "toolName": "reads", "source": "web"},
    {"op": "sanitize_untrusted", "content": "<s>"},
    {"op": "visible_progress", "events": [EVENT], "channel": "internal"},
    {"op": "set_available", "name": "reads", "available": {"throw": "no"}},
    {"op": "set_available", "name": "reads", "available": False},
]


@pytest.fixture(params=["node", "python"])
def driver(request: pytest.FixtureRequest, node: str) -> Iterator[Driver]:
    reference = "wireproof_reference.tool_contract:subject"
    commands = {
        "node": [node, str(NODE_DRIVER)],
        "python": [sys.executable, str(PYTHON_DRIVER), reference],
    }
    with Driver(*commands[request.param]) as driver:
        yield driver


def test_a_conversation_obeys_the_schemas(driver: Driver) -> None:
    requests = [{"id": index, **asked} for index, asked in enumerate(CONVERSATION)]
    answers = [driver.send(request) for request in requests]
    values = [
        flaws(request["op"], "value", answer["value"])
        for request, answer in zip(requests, answers, strict=True)
        if answer["ok"]
    ]

    assert [flaws(one["op"], "request", one) for one in requests] == [[]] * 19
    assert [answer_flaws(one) for one in answers] == [[]] * 19
    # All but the second reducer of a tool.
    assert values == [[]] * 18


def test_what_a_vector_asks_obeys_the_schemas() -> None:
    found = [
        (vector.id, flaw)
        for vector in load_vectors("tool-contract")
        # The values of a place stand in the corpus.
        if "values" not in vector.data
        for step in steps_of(vector.data)
        for flaw in flaws(step["op"], "request", step)
    ]
    assert found == []


def steps_of(data: Any) -> list[dict[str, Any]]:
    """Return what is asked, but for what holds a part of an earlier answer."""
    known = {"scratch": "folder"}
    return [
        {"id": 1, "op": step["op"], **expand(step["input"], known)}
        for step in data["steps"]
        if "op" in step and "$use" not in json.dumps(step["input"]).replace(SCRATCH, "")
    ]


DESCRIBED: dict[str, Any] = {"name": "n", "version": "1", "language": "Go", "ops": []}

SCRATCH = '{"$use": "scratch"}'

RESULT = {"toolCallId": "c", "name": "t", "result": {"ok": True, "value": "v"}}


@pytest.mark.parametrize(
    ("op", "value"),
    [
        ("describe", {**DESCRIBED, "steps": ["return"], "lengthUnit": "bytes"}),
        ("register", {"registered": []}),
        ("definitions", []),
        ("definitions", [{"name": "t", "description": "", "parameters": {}, "x": 1}]),
        ("execute_parallel", {"results": [], "log": []}),
        ("execute_parallel", {"results": [RESULT], "log": [], "readMtimes": {}}),
        ("execute_parallel", {"results": [{**RESULT, "modelText": ""}], "log": []}),
        # What a result has to be is a matter of the clauses.
        (
            "execute_parallel",
            {"results": [{**RESULT, "result": {"ok": True, "value": 1}}], "log": []},
        ),
        ("register_reducer", {"handle": 1}),
        ("register_reducer", {"handle": "one"}),
        ("get_reducer", {"handle": None}),
        ("unregister_reducer", {"removed": False}),
        ("wrap_untrusted", ""),
        ("visible_progress", []),
        ("set_available", None),
        ("reset", {}),
    ],
)
def test_a_right_value_is_valid(op: str, value: object) -> None:
    assert flaws(op, "value", value) == []


@pytest.mark.parametrize(
    ("op", "value"),
    [
        ("describe", {"name": "n", "version": "1", "language": "Go"}),
        ("describe", {"name": "n", "version": "1", "language": "Go", "ops": "all"}),
        ("describe", {**DESCRIBED, "steps": "all"}),
        ("describe", {**DESCRIBED, "steps": [{"return": {}}]}),
        ("describe", {**DESCRIBED, "lengthUnit": 2}),
        ("register", ["t"]),
        ("register", {"registered": [1]}),
        ("register", {}),
        ("definitions", {"t": {}}),
        ("definitions", ["t"]),
        ("definitions", [{"name": "t", "description": ""}]),
        ("definitions", [{"name": "t", "description": "", "parameters": []}]),
        ("execute_parallel", []),
        ("execute_parallel", {"results": []}),
        ("execute_parallel", {"log": []}),
        ("execute_parallel", {"results": [{"result": {"ok": True}}], "log": []}),
        ("execute_parallel", {"results": [{**RESULT, "result": None}], "log": []}),
        ("execute_parallel", {"results": [{**RESULT, "result": {}}], "log": []}),
        ("execute_parallel", {"results": [{**RESULT, "modelText": None}], "log": []}),
        ("execute_parallel", {"results": [], "log": [{"result": True}]}),
        (
            "execute_parallel",
            {"results": [], "log": [{"toolCallId": "c", "result": 1}]},
        ),
        ("execute_parallel", {"results": [], "log": [], "readMtimes": []}),
        ("register_reducer", {}),
        ("get_reducer", None),
        ("unregister_reducer", {}),
        ("unregister_reducer", {"removed": 1}),
        ("wrap_untrusted", {"text": "x"}),
        ("sanitize_untrusted", None),
        ("visible_progress", {}),
        ("visible_progress", ["event"]),
    ],
)
def test_a_wrong_value_is_invalid(op: str, value: object) -> None:
    assert flaws(op, "value", value) != []


@pytest.mark.parametrize(
    ("op", "given"),
    [
        ("register", {}),
        ("register", {"tools": READS}),
        ("register", {"tools": [{**READS, "steps": None}]}),
        ("register", {"tools": [{**READS, "steps": [{}]}]}),
        ("register", {"tools": [{**READS, "steps": [{"throw": 1, "return": 1}]}]}),
        ("register", {"tools": [{**READS, "maxResultChars": -1}]}),
        ("register", {"tools": [{**READS, "max_result_chars": 1}]}),
        ("register", {"tools": [{**READS, "available": "yes"}]}),
        ("definitions", {"allowedTools": "reads"}),
        ("definitions", {"filterOpts": {"allowedServers": []}}),
        ("execute_parallel", {}),
        ("execute_parallel", {"calls": [{"name": "t", "args": {}}]}),
        ("execute_parallel", {"calls": [{"toolCallId": "c", "name": "t"}]}),
        ("execute_parallel", {"calls": [{**CALL, "toolCallId": 1}]}),
        ("execute_parallel", {"calls": [], "context": None}),
        ("execute_parallel", {"calls": [], "dryRun": True}),
        ("register_reducer", {"toolName": "t"}),
        ("register_reducer", {"reduce": {"keep": 1}}),
        ("unregister_reducer", {}),
        ("get_reducer", {"name": "t"}),
        ("wrap_untrusted", {"content": "x"}),
        ("sanitize_untrusted", {"text": "x"}),
        ("visible_progress", {"events": []}),
        ("visible_progress", {"events": [], "channel": "all"}),
        ("set_available", {"name": "t"}),
        ("set_available", {"name": "t", "available": "no"}),
        ("reset", {"hard": True}),
    ],
)
def test_a_wrong_request_is_invalid(op: str, given: dict[str, Any]) -> None:
    assert flaws(op, "request", {"id": 1, "op": op, **given}) != []
